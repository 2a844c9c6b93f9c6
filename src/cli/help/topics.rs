//! The pages of `docs/`, to be read offline: `askuser help TOPIC`.

use super::groups::line;
use super::heading;
use crate::channel::terminal::markdown;
use crate::cli::output::Screen;

/// Wider lines are hard to read.
const COLUMNS_MAX: usize = 100;

/// A page.
pub struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

macro_rules! topic {
    ($name:literal, $about:literal) => {
        Topic {
            name: $name,
            about: $about,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/", $name, ".md")),
        }
    };
}

/// Every page that helps whoever uses the program.
const TOPICS: [Topic; 12] = [
    topic!("asking", "Asking from a script: in words, output, exit codes"),
    topic!("commands", "Every command, exit code and environment variable"),
    topic!("wire", "The JSON of questions and answers"),
    topic!("http", "The HTTP API, with curl examples"),
    topic!("mcp", "Asking over MCP"),
    topic!("agents", "Connecting coding agents, hooks, answers for tests"),
    topic!("inbox", "Answering in the terminal and the browser"),
    topic!("notifications", "Being told on the desktop, the phone or in a chat"),
    topic!("phone", "Answering on your phone"),
    topic!("runner", "Running agents with `askuser run`"),
    topic!("security", "Who can do what, and what is not protected"),
    topic!("operating", "Settings, several servers, back-ups, metrics"),
];

/// Returns a page by its name.
pub(super) fn find(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name.eq_ignore_ascii_case(name))
}

/// Returns the names of all.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    TOPICS.iter().map(|topic| topic.name)
}

/// Returns every page with what it is about.
pub(super) fn abouts() -> impl Iterator<Item = (String, String)> {
    TOPICS.iter().map(|topic| (topic.name.to_owned(), topic.about.to_owned()))
}

/// The list of them, for the main help.
pub(super) fn listed(columns: usize) -> String {
    let widest = TOPICS.iter().map(|topic| topic.name.len()).max().unwrap_or(0);
    let lines = TOPICS.iter().map(|topic| line(topic.name, topic.about, widest, columns));
    format!("{}\n{}", heading("Topics (askuser help TOPIC)"), lines.collect::<Vec<_>>().join("\n"))
}

impl Topic {
    /// Returns the page: drawn on a terminal, and as it was written into a pipe.
    pub(super) fn page(&self, screen: &Screen) -> String {
        match screen.paper() {
            (Some(columns), look) => markdown::printed(self.text, columns.min(COLUMNS_MAX), look),
            (None, _) => self.text.trim_end().to_owned(),
        }
    }
}
