//! One ask as the inbox knows it.

use askuser_core::ask::Fingerprint;
use askuser_core::asker::Asker;
use askuser_core::id::AskId;
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_core::time::Timestamp;

use crate::channel::terminal::panel::{Around, Leaving, Panel, Round};
use crate::channel::terminal::summary::answer;
use crate::channel::terminal::words::Language;

/// An ask, open or ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its name.
    pub id: AskId,
    /// The conversation that it belongs to.
    pub session: String,
    /// Who asks.
    pub asker: Asker,
    /// Why.
    pub context: Option<String>,
    /// How far it has come, where it is for several people, in the person's language.
    pub people: Option<String>,
    /// Its number in the session.
    pub round: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends by itself.
    pub deadline: Option<Timestamp>,
    /// Where it stands.
    pub standing: Standing,
    /// What is put down; of one that ended, what was answered.
    pub sheet: Sheet,
    /// What it asks, as a digest: the same for asks that ask the same.
    pub content: Fingerprint,
    /// Everything that can be read of it, for searching.
    pub readable: String,
}

/// Where an ask stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It waits for the person.
    Waiting,
    /// Others of its session come first.
    InLine,
    /// What the person did is on its way to the desk.
    Sending,
    /// It ended.
    Ended {
        /// When.
        at: Timestamp,
        /// How and by whom, in the person's language.
        how: String,
        /// Whether it was answered.
        answered: bool,
    },
}

impl Item {
    /// Returns a fresh sheet of it, as the prompt shows one.
    pub fn panel(&self, language: Language) -> Panel {
        let around = Around {
            asker: self.asker.clone(),
            context: self.said_before(),
            round: Some(Round { number: self.round, total: None }),
            leaving: Leaving::ToTheInbox,
            language,
        };
        Panel::new(self.sheet.clone(), around)
    }

    /// Returns what stands above the questions: whom it waits for, and why it is asked.
    fn said_before(&self) -> Option<String> {
        let parts = [self.people.as_deref(), self.context.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    }

    /// Returns the header of its first question, where it has one, and its text.
    pub fn title(&self) -> (Option<String>, String) {
        match self.sheet.questions().top().first() {
            None => (None, String::new()),
            Some(first) => (first.header.as_deref().map(one_line), one_line(&first.text)),
        }
    }

    /// Returns what was answered, question by question, as one text.
    pub fn answers(&self, language: Language) -> String {
        let words = language.words();
        let visible = self.sheet.visible();
        let said = visible.iter().map(|visible| one_line(&answer(&self.sheet, visible.question, words)));
        said.collect::<Vec<_>>().join(" · ")
    }

    /// Says who asks: the agent and its project.
    pub fn whence(&self, language: Language) -> String {
        let agent = self
            .asker
            .agent
            .as_deref()
            .map_or_else(|| language.either("an agent", "某个智能体").to_owned(), one_line);
        let place = self.asker.project.as_ref().or(self.asker.folder.as_ref());
        place.map_or_else(|| agent.clone(), |place| format!("{agent} · {}", one_line(place)))
    }
}

/// Returns an asker's text so that it stands on one line and does nothing to the terminal.
pub fn one_line(text: &str) -> String {
    shown(text).replace(['\n', '\t'], " ")
}
