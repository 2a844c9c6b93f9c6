//! The pages of `docs/`, to be read offline: `askuser help TOPIC`.

use askuser_words::Language;
use askuser_words::help::Help;

use super::page::{Row, part};
use askuser_ask::output::Screen;
use askuser_terminal::markdown;

/// Wider lines are hard to read.
const COLUMNS_MAX: usize = 100;

/// A page, in the languages in which it is written.
pub struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
    chinese: Option<&'static str>,
}

macro_rules! doc {
    ($name:literal, $end:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, $end))
    };
}

macro_rules! topic {
    ($name:literal, $about:literal) => {
        Topic { name: $name, about: $about, text: doc!($name, ".md"), chinese: None }
    };
    ($name:literal, $about:literal, zh) => {
        Topic {
            name: $name,
            about: $about,
            text: doc!($name, ".md"),
            chinese: Some(doc!($name, ".zh-CN.md")),
        }
    };
}

/// Every page that helps whoever uses the program. One that exists in Chinese too says so, and a test finds
/// one that does not.
pub(super) const TOPICS: [Topic; 15] = [
    topic!("start", "Getting started", zh),
    topic!("faq", "Frequently asked questions", zh),
    topic!("asking", "Asking from scripts: questions, output, exit codes", zh),
    topic!("scripting", "Recipes for shell scripts", zh),
    topic!("commands", "Every command, exit code and environment variable", zh),
    topic!("wire", "The JSON of questions and answers"),
    topic!("http", "The HTTP API, with curl examples"),
    topic!("mcp", "Asking over MCP"),
    topic!("agents", "Connecting coding agents, hooks, answers for tests", zh),
    topic!("inbox", "Answering in the terminal and the browser", zh),
    topic!("notifications", "Notifications on the desktop, the phone or in a chat", zh),
    topic!("phone", "Answering on your phone", zh),
    topic!("runner", "Running agents with `askuser run`", zh),
    topic!("security", "Who can do what, and what is not protected", zh),
    topic!("operating", "Settings, several servers, backups, metrics"),
];

/// Returns a page by its name.
pub fn find(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name.eq_ignore_ascii_case(name))
}

/// Returns the names of all.
pub fn names<'a>() -> impl Iterator<Item = &'a str> {
    TOPICS.iter().map(|topic| topic.name)
}

/// Returns every page with what it is about.
pub fn abouts(language: Language) -> impl Iterator<Item = (String, String)> {
    TOPICS.iter().map(move |topic| (topic.name.to_owned(), language.help(topic.about).to_owned()))
}

/// The list of them, for the main help.
pub fn listed(screen: &Screen) -> String {
    let rows: Vec<Row> = abouts(screen.language).map(|(name, about)| (name, vec![about])).collect();
    part(Help(screen.language).topics(), &rows, screen)
}

impl Topic {
    /// Returns the page: drawn on a terminal, and as it was written into a pipe.
    pub fn page(&self, screen: &Screen) -> String {
        let text = screen.language.pick(self.text, self.chinese.unwrap_or(self.text));
        match screen.paper() {
            (Some(columns), look) => markdown::printed(text, columns.min(COLUMNS_MAX), look),
            (None, _) => text.trim_end().to_owned(),
        }
    }
}
