//! Asks for the tests of the panel, made the way a dialect makes them: drafts, checked.

use std::sync::Arc;

use askuser_core::asker::Asker;
use askuser_core::draft::{Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given, Other};
use askuser_core::limits::Limits;
use askuser_core::question::{Preview, PreviewFormat, Questions};
use askuser_core::sheet::Sheet;
use askuser_words::Language;

use super::draw::draw;
use super::keys::{Key, press};
use super::panel::{Leaving, Panel, PanelContext, Round, Step};

pub(super) const SEVERAL: DraftKind = DraftKind::SomeOf { min: None, max: None };

pub(super) fn question(id: &str, header: &str, text: &str, kind: DraftKind) -> DraftQuestion {
    DraftQuestion {
        at: format!("questions[{id}]"),
        id: Given::Value(id.to_owned()),
        header: Given::Value(header.to_owned()),
        text: Given::Value(text.to_owned()),
        kind: Given::Value(kind),
        ..DraftQuestion::default()
    }
}

pub(super) fn with(mut question: DraftQuestion, choices: Vec<DraftChoice>) -> DraftQuestion {
    question.choices = Given::Value(choices);
    question
}

pub(super) fn choice(id: &str, label: &str, description: &str) -> DraftChoice {
    DraftChoice {
        id: Given::Value(id.to_owned()),
        label: Given::Value(label.to_owned()),
        description: Given::Value(description.to_owned()),
        ..DraftChoice::default()
    }
}

pub(super) fn follow_up(
    mut question: DraftQuestion,
    choice: &str,
    below: Vec<DraftQuestion>,
) -> DraftQuestion {
    question.follow_ups.push(DraftFollowUps {
        choice: choice.to_owned(),
        at: "follow_ups".to_owned(),
        questions: Given::Value(below),
    });
    question
}

pub(super) fn checked(questions: Vec<DraftQuestion>) -> Arc<Questions> {
    let draft = Draft { at: "questions".to_owned(), questions: Given::Value(questions), ..Draft::default() };
    Arc::new(draft.check(&Limits::FORM).unwrap())
}

/// The sign-in question of the look, with a follow-up.
pub(super) fn auth() -> DraftQuestion {
    let providers = with(
        question("providers", "Providers", "Which providers?", SEVERAL),
        vec![choice("github", "GitHub", ""), choice("google", "Google", "")],
    );
    let auth = with(
        question("auth", "Auth method", "Which authentication method should we use?", DraftKind::OneOf),
        vec![
            choice("oauth", "OAuth 2.0 (Recommended)", "Industry standard, supports social login"),
            choice("jwt", "JWT", "Stateless tokens, good for APIs"),
            choice("session", "Sessions", "Cookies and a server-side store"),
        ],
    );
    follow_up(auth, "oauth", vec![providers])
}

/// One of three, nothing more.
pub(super) fn database() -> DraftQuestion {
    with(
        question("db", "Database", "Which database should the service use?", DraftKind::OneOf),
        vec![
            choice("pg", "PostgreSQL (Recommended)", "Relational, well known here"),
            choice("sqlite", "SQLite", "One file, nothing to run"),
            choice("mysql", "MySQL", "Already runs in production"),
        ],
    )
}

/// Some of four.
pub(super) fn features() -> DraftQuestion {
    let mut search = choice("search", "Full-text search", "Index of titles and texts");
    search.default = true;
    with(
        question("features", "Features", "Which features go into the first release?", SEVERAL),
        vec![
            search,
            choice("export", "Export", "CSV and JSON"),
            choice("share", "Sharing by link", "Read-only, with an expiry"),
            choice("sync", "Sync", "Between devices"),
        ],
    )
}

pub(super) fn name() -> DraftQuestion {
    let mut question = question("name", "Name", "What should the project be called?", DraftKind::Text);
    question.text_rules.placeholder = Some("lower case, no blanks".to_owned());
    question.text_rules.chars_max = Some(40);
    question
}

pub(super) fn deploy() -> DraftQuestion {
    let mut question = question("deploy", "Deploy", "Deploy to production now?", DraftKind::YesNo);
    question.description = Given::Value("12 files changed, all tests pass.".to_owned());
    question
}

pub(super) fn layout() -> DraftQuestion {
    let mut wide = choice("sidebar", "Sidebar", "Navigation at the left");
    wide.preview = Some(Preview {
        format: PreviewFormat::Markdown,
        text: "+--------+------------------+\n| Home   | Dashboard        |\n| Orders | 12 open          |\n+--------+------------------+\n\nStays visible while the page scrolls.".to_owned(),
    });
    let mut top = choice("top", "Top bar", "Navigation above the page");
    top.preview = Some(Preview {
        format: PreviewFormat::Html,
        text: "<p>Home | Orders | Users</p><pre>fn main() {\n    run();\n}</pre>".to_owned(),
    });
    with(
        question("layout", "Layout", "Which layout should the page have?", DraftKind::OneOf),
        vec![wide, top],
    )
}

/// The same in Chinese, as the source documents ask.
pub(super) fn auth_zh() -> DraftQuestion {
    let providers = with(
        question("providers", "提供商", "请选择要集成的 OAuth 提供商", SEVERAL),
        vec![choice("github", "GitHub", ""), choice("wechat", "微信", "")],
    );
    let auth = with(
        question("auth", "认证方式", "这个项目应该采用哪种身份验证方式？", DraftKind::OneOf),
        vec![
            choice("oauth", "OAuth 2.0（推荐）", "行业标准，支持社交登录"),
            choice("jwt", "JWT", "无状态令牌，适合 API"),
        ],
    );
    follow_up(auth, "oauth", vec![providers])
}

/// Everything that would act on a terminal, and everything that is hard to measure.
pub(super) fn hostile() -> DraftQuestion {
    with(
        question(
            "evil",
            "\u{1b}[2JHi\u{7}",
            "Delete \u{1b}]0;title\u{7}\u{9b}31m all \u{202e}selif\u{202c}\r\nor\tnone\u{0}?",
            DraftKind::OneOf,
        ),
        vec![
            choice("a", "👩‍👩‍👧‍👦 family", "🇨🇳 flag, e\u{301} accent, ｗｉｄｅ"),
            choice("b", "\u{1b}[31mred\u{1b}[0m", "\u{200f}abc\u{2028}def"),
            choice("c", "نعم لا", "한국어 日本語 ไทย"),
        ],
    )
}

pub(super) fn long() -> DraftQuestion {
    let mut question = question(
        "long",
        "Migration",
        &"The table has 40 million rows and the lock would be held for some minutes. ".repeat(4),
        DraftKind::OneOf,
    );
    question.other = Other::Closed;
    let choices = (1..=12).map(|number| {
        choice(
            &format!("c{number}"),
            &format!("Plan {number}"),
            "Copy in batches, switch over at night, keep the old table for a week",
        )
    });
    with(question, choices.collect())
}

pub(super) fn around(language: Language) -> PanelContext {
    PanelContext {
        asker: Asker {
            agent: Some("claude-code".to_owned()),
            project: Some("shop".to_owned()),
            folder: None,
        },
        context: None,
        round: Some(Round { number: 2, total: Some(3) }),
        leaving: Leaving::LeavesOpen,
        language,
        ..PanelContext::default()
    }
}

pub(super) fn panel(questions: Vec<DraftQuestion>) -> Panel {
    let sheet = Sheet::suggested(checked(questions));
    Panel::new(sheet, around(Language::English))
}

pub(super) fn panel_zh(questions: Vec<DraftQuestion>) -> Panel {
    let sheet = Sheet::suggested(checked(questions));
    Panel::new(sheet, around(Language::Chinese))
}

/// Reads keys from words: `down 2 space enter "typed text" alt-enter`.
pub(super) fn keys(script: &str) -> Vec<Key> {
    let mut found = Vec::new();
    for (idx, part) in script.split('"').enumerate() {
        if idx % 2 == 1 {
            found.extend(part.chars().map(Key::Char));
            continue;
        }
        found.extend(part.split_whitespace().map(|word| match word {
            "enter" => Key::Enter,
            "newline" => Key::NewLine,
            "esc" => Key::Esc,
            "tab" => Key::Tab,
            "backtab" => Key::BackTab,
            "up" => Key::Up,
            "down" => Key::Down,
            "left" => Key::Left,
            "right" => Key::Right,
            "home" => Key::Home,
            "end" => Key::End,
            "pageup" => Key::PageUp,
            "pagedown" => Key::PageDown,
            "backspace" => Key::Backspace,
            "clear" => Key::DeleteToStart,
            "space" => Key::Char(' '),
            "help" => Key::Help,
            "note" => Key::Note,
            "eof" => Key::EndOfInput,
            "interrupt" => Key::Interrupt,
            "suspend" => Key::Suspend,
            word => match (word.strip_prefix("paste:"), word.chars().next()) {
                (Some(text), _) => Key::Paste(text.replace("\\e", "\u{1b}").replace("\\n", "\n")),
                (None, Some(letter)) if word.chars().count() == 1 => Key::Char(letter),
                (None, _) => panic!("no such key: {word}"),
            },
        }));
    }
    found
}

/// Presses keys until something other than staying comes of one.
pub(super) fn type_keys(panel: &mut Panel, script: &str) -> Step {
    for key in keys(script) {
        panel.settle(&draw(panel, 100, 500));
        let step = press(panel, key);
        if step != Step::Stay {
            return step;
        }
    }
    Step::Stay
}
