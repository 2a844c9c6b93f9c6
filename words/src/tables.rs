//! Every table of phrases there is, and what holds for all of them. A new table is a new line here; the
//! tests find one that is forgotten. What the tests refuse: words that people do not read, and English words
//! in a Chinese line, but for [`NAMES`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Phrase;
use crate::{
    asking, commands, config, deadline, demo, ending, failed, fault, help, inbox, keys, naming, nudge, page,
    panel, plain, prompt, reasons, settings, time, update,
};

const TABLES: &[(&str, &[Phrase])] = &[
    ("Asking", asking::Asking::ALL),
    ("Unfit", asking::Unfit::ALL),
    ("Access", commands::Access::ALL),
    ("Answering", commands::Answering::ALL),
    ("Around", commands::Around::ALL),
    ("Audit", commands::Audit::ALL),
    ("Backup", commands::Backup::ALL),
    ("BadCertificate", commands::BadCertificate::ALL),
    ("Editing", commands::setup::Editing::ALL),
    ("Hooks", commands::setup::Hooks::ALL),
    ("Connecting", commands::setup::Connecting::ALL),
    ("Database", commands::Database::ALL),
    ("Doctor", commands::Doctor::ALL),
    ("Files", commands::Files::ALL),
    ("Given", commands::Given::ALL),
    ("History", commands::History::ALL),
    ("NoDatabase", commands::NoDatabase::ALL),
    ("NoNetwork", commands::NoNetwork::ALL),
    ("NoServer", commands::NoServer::ALL),
    ("Unreachable", commands::Unreachable::ALL),
    ("NoStart", commands::NoStart::ALL),
    ("Notifying", commands::reach::Notifying::ALL),
    ("Opening", commands::reach::Opening::ALL),
    ("Reach", commands::Reach::ALL),
    ("Running", commands::Running::ALL),
    ("Server", commands::Server::ALL),
    ("Service", commands::service::Service::ALL),
    ("Setup", commands::setup::Setup::ALL),
    ("Stats", commands::Stats::ALL),
    ("Tasks", commands::Tasks::ALL),
    ("Templates", commands::Templates::ALL),
    ("Titles", commands::Titles::ALL),
    ("ToAsk", commands::ToAsk::ALL),
    ("Told", commands::Told::ALL),
    ("Wrong", config::Wrong::ALL),
    ("Deadline", deadline::Deadline::ALL),
    ("Demo", demo::Demo::ALL),
    ("Ended", ending::Ended::ALL),
    ("Place", ending::Place::ALL),
    ("Failed", failed::Failed::ALL),
    ("NotAllowed", fault::NotAllowed::ALL),
    ("Refused", fault::Refused::ALL),
    ("Wrong", fault::Wrong::ALL),
    ("COMMANDS", help::COMMANDS),
    ("CommandLine", help::CommandLine::ALL),
    ("Help", help::Help::ALL),
    ("NAMES", help::NAMES),
    ("OPTIONS", help::OPTIONS),
    ("PARTS", help::PARTS),
    ("Start", help::Start::ALL),
    ("TOPICS", help::TOPICS),
    ("VALUES", help::VALUES),
    ("Inbox", inbox::Inbox::ALL),
    ("InboxKeys", keys::InboxKeys::ALL),
    ("KeyWords", keys::KeyWords::ALL),
    ("PanelKeys", keys::PanelKeys::ALL),
    ("AskedByFlags", naming::AskedByFlags::ALL),
    ("ByFlags", naming::ByFlags::ALL),
    ("Naming", naming::Naming::ALL),
    ("Things", naming::Things::ALL),
    ("Links", nudge::Links::ALL),
    ("Nudges", nudge::Nudges::ALL),
    ("Unanswered", nudge::Unanswered::ALL),
    ("Undelivered", nudge::Undelivered::ALL),
    ("Card", page::card::Card::ALL),
    ("History", page::history::History::ALL),
    ("Page", page::Page::ALL),
    ("Rules", page::rules::Rules::ALL),
    ("Script", page::script::Script::ALL),
    ("Settings", page::settings::Settings::ALL),
    ("SigningIn", page::signing_in::SigningIn::ALL),
    ("Stats", page::stats::Stats::ALL),
    ("Tasks", page::tasks::Tasks::ALL),
    ("Panel", panel::Panel::ALL),
    ("Plain", plain::Plain::ALL),
    ("PlainHelp", plain::PlainHelp::ALL),
    ("People", prompt::People::ALL),
    ("Printed", prompt::Printed::ALL),
    ("Prompt", prompt::Prompt::ALL),
    ("Unnamed", prompt::Unnamed::ALL),
    ("Reasons", reasons::Reasons::ALL),
    ("COMMENTS", settings::COMMENTS),
    ("SECTIONS", settings::SECTIONS),
    ("SETTINGS", settings::SETTINGS),
    ("Settings", settings::Settings::ALL),
    ("VARIABLES", settings::VARIABLES),
    ("Time", time::Time::ALL),
    ("Update", update::Update::ALL),
];

/// Words that people do not read in English, or not in this sense.
const NEVER_IN_ENGLISH: &[&str] = &[
    // question
    "an ask",
    "the ask",
    "this ask",
    "that ask",
    "each ask",
    "every ask",
    "per ask",
    "your asks",
    "own asks",
    "open asks",
    "of asks",
    "other asks",
    // waiting, declined, withdrawn, timed out
    "showing",
    "pending",
    "cancelled",
    "canceled",
    // askuser, conversation, unnamed agent
    "desk",
    "daemon",
    "house",
    "session",
    "sessions",
    "(unnamed)",
    // in the browser, with a command
    "on the web page",
    "(web)",
    "through a program",
    // plain words
    "anew",
    "as it should be",
    "bear",
    "bears",
    "break off",
    "broken off",
    "cannot be had",
    "hold for gone",
    "lie",
    "lies",
    "may be empty",
    "mend",
    "mended",
    "mends",
    "of its own making",
    "of old",
    "put aside",
    "stand",
    "stands",
    "take it up again",
    "take up again",
    "tell",
    "tells",
];

/// The same in Chinese.
const NEVER_IN_CHINESE: &[&str] =
    &["您", "已拒绝", "问询台", "守护进程", "会话", "此提问", "该提问", "个提问", "条提问", "某个智能体"];

/// Names that are the same in Chinese.
const NAMES: &[&str] = &[
    "Agent",
    "AI",
    "Alt",
    "API",
    "CI",
    "Client",
    "CLI",
    "Codex",
    "curl",
    "Cursor",
    "eval",
    "Gemini",
    "HTTP",
    "launchd",
    "Linux",
    "macOS",
    "MCP",
    "OpenAI",
    "opencode",
    "OTLP",
    "PEM",
    "PostgreSQL",
    "Protocol",
    "shell",
    "SQLite",
    "Standard",
    "systemd",
    "VS",
    "Webhooks",
    "Windsurf",
    "askuser",
    "Claude",
    "Debian",
    "Desktop",
    "Code",
    "Ctrl",
    "Ctrl-C",
    "Enter",
    "Esc",
    "https",
    "HTTPS",
    "ID",
    "fg",
    "Git",
    "iPad",
    "iPhone",
    "JSON",
    "JSONL",
    "KiB",
    "Lines",
    "localhost",
    "Markdown",
    "mcpb",
    "MiB",
    "PgDn",
    "PgUp",
    "ms",
    "ntfy",
    "QR",
    "SHA-256",
    "Shift",
    "Slack",
    "Tab",
    "Telegram",
    "URL",
    "STARTTLS",
    "UTC",
    "UTF-8",
    "ASKUSER_HOME",
    "TLS",
    "root",
    "WebSocket",
    "Unix",
    "MB",
    "NTP",
    "Host",
    "Upgrade",
    "Connection",
    "nginx",
    "Caddy",
    "SHA-256",
    "lan",
    "Rules",
    "YAML",
    "VS",
];

/// What is wrong with a phrase.
fn faults(phrase: &Phrase) -> Vec<String> {
    let mut faults = Vec::new();
    let english = [Some(phrase.english), phrase.one];
    if english.into_iter().flatten().chain([phrase.chinese]).any(|text| text.trim().is_empty()) {
        faults.push("is empty".to_owned());
    }
    let places = [phrase.english, phrase.chinese].map(places);
    if places[0] != places[1] {
        faults.push(format!("other places to fill in: {places:?}"));
    }
    for text in english.into_iter().flatten() {
        let said = format!(" {} ", words(&text.to_lowercase(), "()").join(" "));
        let never = NEVER_IN_ENGLISH.iter().filter(|word| said.contains(&format!(" {word} ")));
        faults.extend(never.map(|word| format!("{word:?} is not what people read")));
    }
    let never = NEVER_IN_CHINESE.iter().filter(|word| phrase.chinese.contains(**word));
    faults.extend(never.map(|word| format!("{word:?} is not what people read")));
    let foreign = words(phrase.chinese, "._/=-:");
    let foreign = foreign.into_iter().filter(|word| !is_name(word));
    faults.extend(foreign.map(|word| format!("{word:?} is not Chinese")));
    faults
}

/// The places to fill in.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|part| part.split(['}', ':']).next()).collect()
}

/// The words of a text, without what is filled in or quoted as code. `within` may be in a word.
fn words(text: &str, within: &str) -> Vec<String> {
    let (mut said, mut end) = (String::new(), None);
    for letter in text.chars() {
        match (end, letter) {
            (Some(closing), _) if letter == closing => end = None,
            (Some(_), _) => {}
            (None, '{') => end = Some('}'),
            (None, '`') => end = Some('`'),
            (None, _) if letter.is_ascii_alphanumeric() || within.contains(letter) => said.push(letter),
            // Its letters are not those of a word.
            (None, '%') => said.push('%'),
            (None, _) => said.push(' '),
        }
    }
    said.split_whitespace().map(str::to_owned).collect()
}

/// Whether a word may be in a Chinese sentence: a name, a file, a variable, an option, a key, a number.
fn is_name(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| "._/=-:".contains(letter));
    let is_code = word.starts_with("--") || word.starts_with('/') || word.contains('%');
    let is_code = is_code || bare.contains(['.', '_', '/', '=', ':']);
    let letters = bare.chars().filter(char::is_ascii_alphabetic).count();
    is_code || letters <= 1 || NAMES.contains(&bare)
}

#[test]
fn every_phrase_is_whole_and_in_plain_words_of_its_language() {
    let mut faults = Vec::new();
    for (table, phrases) in TABLES {
        for phrase in *phrases {
            let said = self::faults(phrase).into_iter();
            faults.extend(said.map(|fault| format!("{table}.{}: {fault}", phrase.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_wrong_with_a_phrase_is_found() {
    let check = |english, one, chinese, expected: &[&str]| {
        let found = faults(&Phrase { name: "tried", english, one, chinese });
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found} does not say {expected}");
        }
    };
    check("Inbox", None, " ", &["empty"]);
    check("{n} of {all}", None, "第 {n} 个", &["other places"]);
    check("The Desk asks", None, "问询台有问题", &["desk", "问询台"]);
    check("{n} questions", Some("an ask"), "{n} 个问题", &["an ask"]);
    check("Sign in", None, "请先 Sign 登录", &["Sign"]);
    check("Run `askuser cancel desk`", None, "运行 `askuser cancel desk`", &[]);
    check("Desktop, standard", None, "按 u；config.yaml、--json、ASKUSER_HOME，Enter：{where}", &["places"]);
}

#[test]
fn no_table_is_forgotten() {
    let listed: BTreeSet<String> = TABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut written = BTreeSet::new();
    tables_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut written);
    written.remove("Tried");
    assert_eq!(listed, written);
}

/// Finds the names of the tables that are written below a folder.
fn tables_below(folder: &Path, tables: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tables_below(&path, tables);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let made = ["\nphrases! {", "\n    phrases! {", "\ncatalogue! {"];
        for (place, _) in made.into_iter().flat_map(|begins| text.match_indices(begins)) {
            let mut lines = text[place + 1..].lines().skip(1).map(str::trim);
            let head = lines.find(|line| !line.starts_with("//") && !line.starts_with("#["));
            tables.extend(head.and_then(|line| line.strip_suffix(" {")).map(str::to_owned));
        }
    }
}
