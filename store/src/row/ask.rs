//! An ask as it is stored: what was asked, and what has become of it.
//!
//! The body is what was accepted and is at the same time the payload of the fact `asked`, so that
//! it is written once and never changes. What changes later (state, late answer, dropped questions)
//! is stored beside it; so is the sheet, from the start, because what was typed is no fact.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::Arc;

use askuser_core::ask::{Ask, Fingerprint, State};
use askuser_core::asker::Terms;
use askuser_core::content::{Content, VERSION};
use askuser_core::entry::Entry;
use askuser_core::hearing::Hearing;
use askuser_core::id::{AskId, KeyId, NotAnId, QuestionId, UserId};
use askuser_core::outcome::Outcome;
use askuser_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use askuser_core::content;

use super::outcome::{EntryRow, LateRow, OutcomeRow};
use super::people::HearingRow;
use super::question::QuestionRow;
use super::terms::TermsRow;
use super::{Text, Wrong, question, text};

/// Everything of an ask but its sheet.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Body<'a> {
    session: String,
    ask: String,
    /// The name that the caller gave to its session.
    #[serde(default, skip_serializing_if = "Option::is_none", borrow)]
    session_name: Option<Text<'a>>,
    #[serde(borrow)]
    owner: Text<'a>,
    /// The API key that asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked_by: Option<String>,
    round: u32,
    depth: u32,
    questions: Vec<QuestionRow<'a>>,
    terms: TermsRow<'a>,
    fingerprint: String,
    asked_at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deadline: Option<i64>,
    state: StateWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeRow<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    late: Option<LateRow<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reopens: Option<String>,
}

/// What is put down so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Sheet<'a> {
    #[serde(default, skip_serializing_if = "Vec::is_empty", borrow)]
    entries: Vec<EntryRow<'a>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    submitted: Vec<Text<'a>>,
    /// Where the ask is for others than its session's owner.
    #[serde(default, skip_serializing_if = "HearingRow::is_empty")]
    hearing: HearingRow<'a>,
    /// Where the ask was asked anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reopened_as: Option<String>,
}

/// Where an ask stands, as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateWord {
    Pending,
    Showing,
    Closed,
    Processing,
    Completed,
    Error,
}

impl StateWord {
    pub(crate) const ALL: [Self; 6] =
        [Self::Pending, Self::Showing, Self::Closed, Self::Processing, Self::Completed, Self::Error];

    pub(crate) fn of(state: &State) -> Self {
        match state {
            State::Pending => Self::Pending,
            State::Showing => Self::Showing,
            State::Closed(_) => Self::Closed,
            State::Processing(_) => Self::Processing,
            State::Completed(_) => Self::Completed,
            State::Error(_) => Self::Error,
        }
    }

    /// Its word in a column of its own.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Showing => "showing",
            Self::Closed => "closed",
            Self::Processing => "processing",
            Self::Completed => "completed",
            Self::Error => "error",
        }
    }

    /// The state, given the outcome. An open ask has none and an ended one has one.
    pub(crate) fn state(self, outcome: Option<Outcome>) -> Result<State, Wrong> {
        match (self, outcome.map(Arc::new)) {
            (Self::Pending, None) => Ok(State::Pending),
            (Self::Showing, None) => Ok(State::Showing),
            (Self::Closed, Some(outcome)) => Ok(State::Closed(outcome)),
            (Self::Processing, Some(outcome)) => Ok(State::Processing(outcome)),
            (Self::Completed, Some(outcome)) => Ok(State::Completed(outcome)),
            (Self::Error, Some(outcome)) => Ok(State::Error(outcome)),
            (_, None) => Err(Wrong::new(format!("is {}, but has no outcome", self.name()))),
            (_, Some(_)) => Err(Wrong::new(format!("is {}, but has an outcome", self.name()))),
        }
    }
}

impl<'a> From<&'a Ask> for Body<'a> {
    fn from(ask: &'a Ask) -> Self {
        Self {
            session: ask.session.to_string(),
            ask: ask.id.to_string(),
            session_name: ask.session_name.as_deref().map(text),
            owner: text(ask.owner.as_str()),
            asked_by: ask.asked_by.map(|key| format!("{:032x}", key.0)),
            round: ask.round,
            depth: ask.depth,
            questions: question::rows(&ask.questions),
            terms: TermsRow::from(&*ask.terms),
            fingerprint: format!("{VERSION}:{}", hex(ask.fingerprint)),
            asked_at: ask.asked_at.0,
            deadline: ask.deadline.map(|deadline| deadline.0),
            state: StateWord::of(&ask.state),
            outcome: ask.state.outcome().map(OutcomeRow::from),
            late: ask.late.as_ref().map(|(answers, by)| LateRow::new(answers, by)),
            reopens: ask.reopens.map(|id| id.to_string()),
        }
    }
}

impl TryFrom<Body<'_>> for Ask {
    type Error = Wrong;
    fn try_from(row: Body<'_>) -> Result<Self, Wrong> {
        let (questions, terms) = (question::read(row.questions)?, Terms::from(row.terms));
        let fingerprint = match row.fingerprint.split_once(':') {
            Some((version, digest)) if version.parse() == Ok(VERSION) => unhex(digest)?,
            // Of another version, which says nothing of what is the same now.
            _ => content::digest(Content::new(&questions, &terms)),
        };
        Ok(Self {
            id: id(&row.ask)?,
            session: id(&row.session)?,
            session_name: row.session_name.map(Arc::from),
            owner: UserId::new(row.owner),
            asked_by: row.asked_by.as_deref().and_then(|key| u128::from_str_radix(key, 16).ok()).map(KeyId),
            round: row.round,
            depth: row.depth,
            questions: Arc::new(questions),
            terms: Arc::new(terms),
            fingerprint,
            asked_at: Timestamp(row.asked_at),
            deadline: row.deadline.map(Timestamp),
            entries: Vec::new(),
            submitted: Vec::new(),
            hearing: Hearing::default(),
            state: row.state.state(row.outcome.map(Outcome::try_from).transpose()?)?,
            late: row.late.map(TryFrom::try_from).transpose()?,
            reopens: row.reopens.as_deref().map(id).transpose()?,
            reopened_as: None,
        })
    }
}

impl<'a> Sheet<'a> {
    pub(crate) fn of(ask: &'a Ask) -> Self {
        Self {
            entries: ask.entries.iter().map(|(id, entry)| EntryRow::new(id, entry)).collect(),
            submitted: ask.submitted.iter().map(|id| text(id.as_str())).collect(),
            hearing: HearingRow::of(&ask.hearing),
            reopened_as: ask.reopened_as.map(|id| id.to_string()),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
            && self.submitted.is_empty()
            && self.hearing.is_empty()
            && self.reopened_as.is_none()
    }

    /// Whether what is put down here differs between two states of an ask.
    pub(crate) fn differs(was: &Ask, now: &Ask) -> bool {
        was.entries != now.entries
            || was.submitted != now.submitted
            || was.hearing != now.hearing
            || was.reopened_as != now.reopened_as
    }
}

/// What is put down of an ask beside its body.
pub(crate) struct Filled {
    entries: Vec<(QuestionId, Entry)>,
    submitted: Vec<QuestionId>,
    hearing: Hearing,
    reopened_as: Option<AskId>,
}

impl Filled {
    /// Puts it into the ask that was read without it.
    pub(crate) fn fill(self, ask: &mut Ask) {
        (ask.entries, ask.submitted) = (self.entries, self.submitted);
        (ask.hearing, ask.reopened_as) = (self.hearing, self.reopened_as);
    }
}

impl TryFrom<Sheet<'_>> for Filled {
    type Error = Wrong;
    fn try_from(sheet: Sheet<'_>) -> Result<Self, Wrong> {
        Ok(Self {
            entries: sheet.entries.into_iter().map(EntryRow::read).collect(),
            submitted: sheet.submitted.into_iter().map(Cow::into_owned).map(QuestionId::new).collect(),
            hearing: sheet.hearing.into(),
            reopened_as: sheet.reopened_as.as_deref().map(id).transpose()?,
        })
    }
}

pub(super) fn id<T: FromStr<Err = NotAnId>>(text: &str) -> Result<T, Wrong> {
    text.parse().map_err(|error: NotAnId| Wrong::new(error.to_string()))
}

pub(super) fn hex(fingerprint: Fingerprint) -> String {
    askuser_core::hex::hex(&fingerprint)
}

pub(super) fn unhex(text: &str) -> Result<Fingerprint, Wrong> {
    let number = u128::from_str_radix(text, 16);
    number.map(u128::to_be_bytes).map_err(|_| Wrong::new(format!("`{text}` is not a fingerprint")))
}
