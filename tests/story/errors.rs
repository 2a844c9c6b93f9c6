//! What a person reads when something goes wrong, walked in both languages with the real program: every kind of
//! thing that can be named wrongly, every file that can be faulty, every command that cannot be carried out. On a
//! Chinese screen nothing is said in English but what another program said.

use std::fs;
use std::process::Output;

use crate::home::TestHome;

/// What a command line is run with, beside its language.
type Vars = &'static [(&'static str, &'static str)];

/// Command lines that fail, in the order they are run.
const WALK: &[(Vars, &[&str])] = &[
    // Nothing runs yet.
    (&[], &["status"]),
    (&[], &["stop"]),
    (&[("ASKUSER_URL", "nope")], &["list"]),
    (&[("ASKUSER_URL", "http://127.0.0.1:9")], &["list"]),
    // A first one that works starts the server.
    (&[], &["purge", "--older-than", "1d", "--dry-run"]),
    // Names of nothing.
    (&[], &["show", "nope"]),
    (&[], &["answer", "nope"]),
    (&[], &["cancel", "nope"]),
    (&[], &["withdraw", "nope"]),
    (&[], &["wait", "nope"]),
    (&[], &["restore", "nope"]),
    (&[], &["history", "nope"]),
    (&[], &["history", "--import", "nope"]),
    (&[], &["rules", "add", "nope"]),
    (&[], &["rules", "remove", "nope"]),
    (&[], &["key", "revoke", "nope"]),
    (&[], &["user", "disable", "nope"]),
    (&[], &["task", "show", "nope"]),
    (&[], &["template", "show", "nope"]),
    (&[], &["config", "get", "nope"]),
    (&[], &["help", "nope"]),
    // Nothing there, or twice.
    (&[], &["answer", "--pick", "yes"]),
    (&[], &["inbox"]),
    (&[], &["user", "add", "local"]),
    (&[], &["backup", "there.db"]),
    (&[], &["backup", "no/such/file"]),
    (&[], &["run", "Mend it"]),
    (&[], &["notify", "test"]),
    (&[], &["open", "--qr"]),
    // Questions that cannot be asked.
    (&[], &["ask", "{"]),
    (&[], &["ask", "{\"questions\":[]}"]),
    (&[], &["ask", "{\"question\":\"?\",\"options\":[{}]}"]),
    (&[], &["ask", "x", "--text", "-o", "A"]),
    (&[], &["ask", "-o", "A"]),
    (&[], &["ask", "x", "-o", "A", "--default", "B"]),
    (&[], &["ask", "x", "--default", "maybe"]),
    (&[], &["ask", "x", "--dialect", "nope"]),
    (&[], &["ask", "x", "--timeout", "nope"]),
    (&[], &["ask", "--file", "none.json"]),
    (&[], &["ask", "--template", "none"]),
    // Values that are none.
    (&[], &["audit", "--since", "nope"]),
    (&[], &["purge", "--older-than", "soon"]),
    (&[], &["config", "set", "log.level", "loud"]),
    (&[], &["config", "set", "server.listen", "here"]),
    (&[], &["serve", "--listen", "here"]),
    (&[], &["completions", "nosh"]),
    (&[], &["install", "nope"]),
    (&[], &["lst"]),
    (&[], &["key", "create"]),
    // Files that are faulty.
    (&[], &["template", "check", "bad.yaml"]),
    (&[], &["ask", "x", "--answers", "rules.yaml"]),
    (&[], &["ask", "Deploy?", "--answers", "none-fits.yaml"]),
    (&[], &["install", "cursor"]),
    (&[], &["install", "windsurf", "--scope", "project"]),
    (&[], &["serve", "--data", "other", "--listen", "127.0.0.1:0"]),
    (&[], &["serve", "--data", "faulty"]),
    // What an agent shows its person of a hook.
    (&[], &["hook", "codex"]),
    (&[], &["hook", "nope"]),
    // What an agent may not.
    (&[("CLAUDECODE", "1")], &["answer"]),
    // What is wrong with the file of a server that runs.
    (&[], &["reload"]),
    (&[], &["doctor"]),
];

/// What another program, the system or a library said, which is quoted as it is.
const QUOTED: [&str; 8] = [
    "No such file or directory (os error 2)",
    "Connection refused (os error 111)",
    "EOF while parsing an object at line 1 column 1",
    "EOF while parsing a value at line 1 column 0",
    "file is not a database",
    "uncounted repetition operator must be applied to a sub-expression",
    "Claude Code",
    "VS Code",
];

fn lay(home: &TestHome) {
    let at = |name: &str| home.path().join(name);
    fs::write(at("there.db"), "").unwrap();
    fs::write(at("bad.yaml"), "description: 7\nvariables: {a: {defualt: x}}\nquestion: '{{b}} {{'\n")
        .unwrap();
    fs::write(at("rules.yaml"), "rules:\n  - match: {}\n  - {match: {text: '*'}, answer: x}\n").unwrap();
    fs::write(at("none-fits.yaml"), "rules: []\n").unwrap();
    fs::create_dir(at(".cursor")).unwrap();
    fs::write(at(".cursor/mcp.json"), "[]").unwrap();
    fs::create_dir(at("other")).unwrap();
    fs::write(at("other/askuser.db"), "not a database, but long enough to be looked at as if it were one")
        .unwrap();
    fs::create_dir(at("faulty")).unwrap();
    fs::write(at("faulty/config.yaml"), "log: {level: loud}\nserver: {lsten: x}\n").unwrap();
}

/// Runs the walk and returns what it said, command by command.
fn walk(language: &str) -> Vec<(String, String)> {
    let home = TestHome::new();
    lay(&home);
    let said = |(vars, args): &(Vars, &[&str])| {
        if args == &["reload"] {
            fs::write(home.home.folder().join("config.yaml"), "log: {level: loud}\n").unwrap();
            fs::write(home.home.folder().join("rules.yaml"), "rules: 7\n").unwrap();
        }
        let vars: Vec<_> = vars.iter().copied().chain([("ASKUSER_LANG", language)]).collect();
        let output = home.run_with(&vars, args);
        (format!("$ askuser {}", args.join(" ")), told(&output, &home))
    };
    WALK.iter().map(said).collect()
}

/// What was said, with its exit code; of this machine only what is the same on every one.
fn told(output: &Output, home: &TestHome) -> String {
    let text =
        [&output.stderr, &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
    let text = text.replace(home.path().to_str().unwrap(), "/home/ann");
    let code = output.status.code().unwrap_or_default();
    // Doctor looks at this machine: what it says of the files is the same everywhere.
    let is_everywhere = |line: &&str| !text.contains("askuser 0.") || line.contains(".yaml");
    let lines: Vec<&str> = text.lines().filter(is_everywhere).map(str::trim_end).collect();
    format!("{}\n[{code}]", lines.join("\n"))
}

/// The first words of English in a line: three in a row that are neither code, a path nor a name.
fn english(line: &str) -> Option<String> {
    let line = QUOTED.iter().fold(line.to_owned(), |line, quoted| line.replace(quoted, "·"));
    let code = line.split('`').enumerate().map(|(idx, part)| if idx % 2 == 0 { part } else { "·" });
    let plain: String = code.collect();
    if plain.starts_with("用法：") {
        return None;
    }
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_alphabetic());
    let words: Vec<&str> =
        plain.split([' ', '，', '：', '；', '。', '、']).filter(|word| !word.is_empty()).collect();
    let found = words.windows(3).find(|three| three.iter().all(is_word))?;
    Some(found.join(" "))
}

#[test]
fn every_error_is_said_in_the_persons_language() {
    for language in ["en", "zh"] {
        let walked = walk(language);
        let all: Vec<String> = walked.iter().map(|(line, said)| format!("{line}\n{said}")).collect();
        insta::assert_snapshot!(format!("errors_{language}"), all.join("\n\n"));
        if language == "zh" {
            let mixed = walked.iter().flat_map(|(line, said)| {
                said.lines().filter_map(move |said| Some(format!("{line}: {:?} in {said}", english(said)?)))
            });
            assert_eq!(mixed.collect::<Vec<_>>(), Vec::<String>::new());
        }
    }
}

#[test]
fn english_on_a_chinese_screen_is_found() {
    assert_eq!(english("错误：the file is broken"), Some("the file is".to_owned()));
    assert_eq!(english("无法读取 x：No such file or directory (os error 2)"), None);
    assert_eq!(english("用 `askuser list --all now and then` 查看"), None);
    assert_eq!(english("askuser 可以接入 Claude Code 和 VS Code"), None);
}
