//! One ask as the inbox knows it.

use askuser_core::ask::Fingerprint;
use askuser_core::asker::Asker;
use askuser_core::deadline::URGENT;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::sheet::Sheet;
use askuser_core::text::shown;
use askuser_core::time::Timestamp;
use askuser_core::whole::Room;
use askuser_words::Language;
use askuser_words::deadline::Then;

use crate::panel::{Leaving, Panel, PanelContext, Round};
use crate::summary::answer;
use askuser_wire::permission::{self, Permission};

/// An ask, open or ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its name.
    pub id: AskId,
    /// The conversation that it belongs to.
    pub session: String,
    /// Who asks.
    pub asker: Asker,
    pub context: Option<String>,
    /// How far it has come, where it is for several people, in the person's language.
    pub people: Option<String>,
    /// That nobody waits for it right now, where the agent went away and may come back.
    pub left: Option<String>,
    /// Its number in the session.
    pub round: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends by itself.
    pub deadline: Option<Timestamp>,
    /// What its deadline brings.
    pub then: Option<Then>,
    /// Whether several people answered it and did not agree.
    pub disagreed: bool,
    /// Who else is answering it just now, in the person's language.
    pub others: Option<String>,
    /// The question that one press answers, where it is small enough for a row.
    pub one_press: Option<QuestionId>,
    /// What it would let run, where it is a permission.
    pub permission: Option<Permission>,
    /// Where it stands.
    pub standing: ItemState,
    /// What is put down; of one that ended, what was answered.
    pub sheet: Sheet,
    /// What it asks, as a digest: the same for asks that ask the same.
    pub content: Fingerprint,
    /// Everything that can be read of it, for searching.
    pub readable: String,
}

/// Where an ask stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemState {
    /// It waits for the person.
    Waiting,
    /// Others of its session come first.
    InLine,
    /// What the person did is on its way to the desk.
    Sending,
    /// The person answered by one press, and can take it back.
    Held {
        /// Until then.
        until: Timestamp,
        /// What they answered.
        answer: String,
    },
    /// It ended.
    Ended {
        at: Timestamp,
        /// How and by whom, in the person's language.
        how: String,
        /// Whether it was answered, and those who answered agreed.
        answered: bool,
    },
}

/// How much a row of the list shows of a question, below its title.
pub const ROW: Room = Room { choices: 9, label_chars: 60, chars: 600, lines: 8 };

impl Item {
    /// Whether it has not ended.
    pub fn is_open(&self) -> bool {
        !matches!(self.standing, ItemState::Ended { .. })
    }

    /// Whether it is a permission with a no of its own.
    pub fn has_own_no(&self) -> bool {
        self.permission.is_some() && permission::has_own_no(self.sheet.questions())
    }

    /// Whether it ends soon.
    pub fn is_urgent(&self, now: Timestamp) -> bool {
        let left = self.deadline.map(|deadline| deadline.since(now));
        self.is_open() && left.is_some_and(|left| left < URGENT)
    }

    /// Returns a fresh sheet of it, as the prompt shows one.
    pub fn panel(&self, language: Language) -> Panel {
        let around = PanelContext {
            asker: self.asker.clone(),
            context: self.said_before(),
            round: Some(Round { number: self.round, total: None }),
            leaving: Leaving::ToTheInbox,
            language,
            permission: self.permission.clone(),
            then: self.then.clone(),
            being_answered: self.others.clone(),
            waits: self.standing == ItemState::InLine,
        };
        Panel::new(self.sheet.clone(), around)
    }

    /// Returns what stands above the questions: whom it waits for, whether anybody waits for it, and why
    /// it is asked.
    fn said_before(&self) -> Option<String> {
        let parts = [self.people.as_deref(), self.left.as_deref(), self.context.as_deref()];
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
    pub fn asker_line(&self, language: Language) -> String {
        let agent = self.asker.agent.as_deref().map_or_else(|| language.unnamed_agent().to_owned(), one_line);
        let place = self.asker.project.as_ref().or(self.asker.folder.as_ref());
        place.map_or_else(|| agent.clone(), |place| format!("{agent} · {}", one_line(place)))
    }
}

/// Returns an asker's text so that it stands on one line and does nothing to the terminal.
pub fn one_line(text: &str) -> String {
    shown(text).replace(['\n', '\t'], " ")
}
