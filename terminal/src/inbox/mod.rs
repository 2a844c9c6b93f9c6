//! The inbox: everything that waits for a person, one sheet of it open, and what was answered before.
//!
//! In reading order: an ask (`item`), many of them (`list`), what a key does (`keys`, `one_press`), what comes
//! from the desk (`news`), when the list moves (`still`), what is seen (`draw`). The sheet itself is the prompt's panel, with its keys and
//! its drawing, so that a question is answered in one way everywhere.
//! Pure: a key or news go in, a [`Action`] comes out for whoever talks to the desk; the time is handed in.

pub mod item;
pub mod list;
pub mod keys;
mod one_press;
mod news;
mod still;
pub mod draw;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::inbox::Inbox as Words;

use self::item::{Item, ItemState};
use self::list::{List, Searches};
use super::draw::Frame;
use super::guard::Guard;
use super::panel::Panel;

/// Asks that are answered alike in one go, at most.
pub const ALIKE_MAX: usize = 100;
/// What was not done is told for this long at least, whatever they type.
const SAID_FOR: Duration = Duration::from_secs(2);

/// The inbox of one person.
#[derive(Debug, Clone)]
pub struct Inbox {
    /// The language of the words around.
    pub language: Language,
    /// The time, handed in.
    pub now: Timestamp,
    /// Where the desk is, where that is not this machine.
    pub desk: Option<String>,
    /// Whether the desk does not answer just now.
    pub away: bool,
    /// What is open, oldest first.
    pub open: List,
    /// What ended, as far as it was looked at.
    pub ended: List,
    /// How far the history was looked at.
    pub looked: Looked,
    /// Asks to be answered alike.
    pub marked: BTreeSet<AskId>,
    /// Sheets that were opened here, with what was typed and not yet taken.
    pub sheets: BTreeMap<AskId, Panel>,
    /// What is in view.
    pub view: View,
    /// Whether the search of the list in view is being typed.
    pub searching: bool,
    /// What the person is told.
    pub said: Option<StatusLine>,
    /// What has just come, to be rung for once.
    pub rung: Option<String>,
    /// What came in above the cursor, and waits until it pushes nothing away.
    pub fresh: Vec<Item>,
    /// The ask of which everything is on the screen beside the list, so that a number answers it.
    pub whole: Option<AskId>,
    /// Which keys are meant.
    pub guard: Guard,
    /// Asks that ended while the person sat here: what was known of them before comes too late.
    over: BTreeSet<AskId>,
    /// When a key was last pressed.
    touched: Timestamp,
}

/// What is in view.
#[derive(Debug, Clone, PartialEq)]
pub enum View {
    /// What is open.
    Open,
    /// The sheet of one ask.
    Sheet {
        id: AskId,
        /// Whether it was opened only to be declined.
        to_decline: bool,
    },
    /// Someone else closed the ask whose sheet was open.
    Lost {
        /// What it asked.
        title: String,
        /// How it ended and by whom.
        how: String,
    },
    /// What ended.
    History,
    /// Asks told in full: one, or a whole conversation; none yet where they are on their way.
    Told {
        /// The conversation, where it is one.
        session: Option<String>,
        /// The asks, oldest first.
        items: Option<Vec<Item>>,
        /// The row at the top.
        top: usize,
        /// Where it goes back to.
        back: Box<View>,
    },
    /// The keys are explained.
    Help {
        /// The row at the top.
        top: usize,
        /// Where it goes back to.
        back: Box<View>,
    },
}

/// How far the history was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// Not at all.
    NotYet,
    /// The desk is looking.
    Looking,
    /// Up to an ask; there may be more behind it.
    UpTo(AskId),
    /// To the end.
    ToTheEnd,
}

/// What the person is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusLine {
    /// The words.
    pub text: String,
    /// How they are meant.
    pub tone: Tone,
    at: Timestamp,
}

/// How something is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Done,
    /// Something is to be known.
    Note,
    /// Something was not done.
    Bad,
}

/// What whoever talks to the desk has to do about a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Nothing.
    Stay,
    /// The person leaves.
    Leave,
    /// The person breaks off.
    Interrupted,
    /// The program is to be stopped for a while.
    Suspend,
    /// The sheet of an ask was changed and is to be saved.
    Save(AskId),
    /// The answers to the first of these asks are to be sent, to all of them.
    Send { asks: Vec<AskId>, answers: Answers },
    /// An answer by one press is to be held for a moment.
    Hold { ask: AskId, answers: Answers },
    /// An answer that is held is to be taken back.
    TakeBack(AskId),
    /// An ask is to be declined.
    Decline { ask: AskId, reason: Option<String> },
    /// A conversation is to be told.
    Tell(String),
    /// The history is to be looked at from its beginning, for what stands in its search.
    Search,
    /// The history is to be looked at further.
    LookFurther(AskId),
    /// An earlier answer to the same questions is wanted: the newest, or the next older one.
    Reuse(AskId),
}

impl Inbox {
    /// Returns an empty inbox.
    pub fn new(language: Language, now: Timestamp) -> Self {
        Self {
            language,
            now,
            desk: None,
            away: false,
            open: List::new(Searches::Here),
            ended: List::new(Searches::AtTheDesk),
            looked: Looked::NotYet,
            marked: BTreeSet::new(),
            sheets: BTreeMap::new(),
            view: View::Open,
            searching: false,
            rung: None,
            said: None,
            fresh: Vec::new(),
            whole: None,
            guard: Guard::default(),
            over: BTreeSet::new(),
            touched: now,
        }
    }

    /// Tells the time.
    pub fn tick(&mut self, now: Timestamp) {
        self.now = now;
        self.rest();
        let Some(id) = self.in_sight() else { return };
        let deadline = self.open.get(id).and_then(|item| item.deadline);
        if let Some(panel) = self.sheets.get_mut(&id) {
            panel.time_left = deadline.map(|deadline| deadline.since(now));
        }
    }

    /// Whether something in view runs out, so that the time is to be told every second.
    pub fn counts_down(&self) -> bool {
        !self.open.is_empty() && matches!(self.view, View::Open | View::Sheet { .. })
    }

    /// Takes back what was drawn: how far the view really is, and what of a question was on the screen.
    pub fn settle(&mut self, frame: &Frame) {
        match &mut self.view {
            View::Told { top, items: Some(_), .. } | View::Help { top, .. } => {
                *top = usize::try_from(frame.scroll).unwrap_or(0);
            }
            View::Sheet { id, .. } => {
                if let Some(panel) = self.sheets.get_mut(id) {
                    panel.settle(frame);
                }
            }
            View::Open => {
                self.open.settle(usize::try_from(frame.scroll).unwrap_or(0));
                self.whole = frame.whole;
            }
            View::History => self.ended.settle(usize::try_from(frame.scroll).unwrap_or(0)),
            View::Lost { .. } | View::Told { .. } => {}
        }
    }

    /// Returns the ask whose sheet is open or stands under the cursor.
    pub fn in_sight(&self) -> Option<AskId> {
        match &self.view {
            View::Sheet { id, .. } => Some(*id),
            View::Open => self.open.selected().map(|item| item.id),
            View::Lost { .. } | View::History | View::Told { .. } | View::Help { .. } => None,
        }
    }

    /// Returns the asks that get the answers to this one, itself first.
    pub fn answered_with(&self, id: AskId) -> Vec<AskId> {
        let mut asks = vec![id];
        if self.marked.contains(&id) {
            asks.extend(self.marked.iter().filter(|other| **other != id));
        }
        asks
    }

    /// Tells the person something.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.said = Some(StatusLine { text: text.into(), tone, at: self.now });
    }

    /// Opens the sheet of an ask, where it can be read and filled in; whether it could.
    fn open_sheet(&mut self, id: AskId) -> bool {
        let Some(item) = self.open.get(id) else { return false };
        let language = self.language;
        let why_not = match &item.standing {
            ItemState::Waiting | ItemState::InLine => {
                let panel = self.sheets.entry(id).or_insert_with(|| item.panel(language));
                panel.message = None;
                self.view = View::Sheet { id, to_decline: false };
                let now = self.now;
                self.tick(now);
                return true;
            }
            ItemState::Sending => Words(language).being_sent().to_owned(),
            ItemState::Held { .. } => Words(language).press_u().to_owned(),
            ItemState::Ended { how, .. } => how.clone(),
        };
        self.say(Tone::Note, why_not);
        false
    }
}
