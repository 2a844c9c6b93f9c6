//! A fact as it is stored: a kind and a payload.
//!
//! Each payload names its session, so that the chain also shows a fact that was moved to another.

use std::borrow::Cow;
use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::fact::Fact;
use askuser_core::hearing::{Held, Voice};
use askuser_core::id::{AskId, NotAnId, QuestionId, SessionId};
use askuser_core::message::Message;
use askuser_core::outcome::{By, Outcome};
use askuser_core::session::Session;
use askuser_core::task::Task;
use serde::{Deserialize, Serialize};

use super::ask::{Body, id};
use super::outcome::{AnswerRow, ByRow, EntryRow, OutcomeRow, answer_rows, read_answers};
use super::people::{HeldRow, VoiceRow};
use super::session::SessionRow;
use super::task::{MessageRow, TaskRow};
use super::words::SessionStatusWord;
use super::{StoreError, Text, Wrong, text, write};

/// Every kind but those that have a shape of their own.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Deed<'a> {
    session: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_new: Option<String>,
    /// The session that an ask was moved from.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    dropped: Option<Vec<Text<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<EntryRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<AnswerRow<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<ByRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<SessionStatusWord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<TaskRow<'a>>,
    /// Where whoever did it called from.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    from: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<HeldRow<'a>>,
    /// Whose held answer it is about.
    #[serde(skip_serializing_if = "Option::is_none", borrow)]
    user: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    voice: Option<VoiceRow<'a>>,
}

/// Returns the word for what happened.
pub(crate) fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::SessionOpened(_) => "session_opened",
        Fact::Asked(_) => "asked",
        Fact::Settled { .. } => "settled",
        Fact::Shown { .. } => "shown",
        Fact::Saved { .. } => "saved",
        Fact::Submitted { .. } => "submitted",
        Fact::Held { .. } => "held",
        Fact::TakenBack { .. } => "taken_back",
        Fact::Heard { .. } => "heard",
        Fact::Escalated { .. } => "escalated",
        Fact::Closed { .. } => "closed",
        Fact::AnsweredLate { .. } => "answered_late",
        Fact::Delivered { .. } => "delivered",
        Fact::Acknowledged { .. } => "acknowledged",
        Fact::Undeliverable { .. } => "undeliverable",
        Fact::Moved { .. } => "moved",
        Fact::Reopened { .. } => "reopened",
        Fact::SessionEnded { .. } => "session_ended",
        Fact::TaskChanged { .. } => "task_changed",
        Fact::Said(_) => "said",
    }
}

/// Writes what happened. Of a saved sheet and of a held answer only *that* there is one: what was typed on the way is a
/// row that is overwritten.
#[cfg(test)]
pub(crate) fn payload(session: SessionId, fact: &Fact) -> Result<String, StoreError> {
    payload_from(session, fact, None)
}

/// The same, with where whoever did it called from. Only what people do says so.
pub(crate) fn payload_from(
    session: SessionId,
    fact: &Fact,
    address: Option<IpAddr>,
) -> Result<String, StoreError> {
    let by_person = match fact {
        Fact::Saved { by, .. }
        | Fact::Submitted { by, .. }
        | Fact::TakenBack { by, .. }
        | Fact::AnsweredLate { by, .. } => by.user.is_some(),
        Fact::Closed { outcome, .. } => outcome.by.user.is_some(),
        Fact::Held { .. } | Fact::Reopened { .. } | Fact::Moved { .. } => true,
        _ => false,
    };
    let about = Deed {
        session: session.to_string(),
        ask: fact.ask().map(|ask| ask.to_string()),
        from: address.filter(|_| by_person).map(|address| Cow::Owned(address.to_string())),
        ..Deed::default()
    };
    let deed = match fact {
        Fact::SessionOpened(session) => return write(&SessionRow::from(&**session)),
        Fact::Asked(ask) => return write(&Body::from(&**ask)),
        Fact::Said(message) => return write(&MessageRow::new(session.to_string(), message)),
        Fact::Shown { .. }
        | Fact::Escalated { .. }
        | Fact::Delivered { .. }
        | Fact::Acknowledged { .. }
        | Fact::Undeliverable { .. } => about,
        Fact::Settled { dropped, .. } => {
            Deed { dropped: Some(dropped.iter().map(|id| text(id.as_str())).collect()), ..about }
        }
        Fact::Saved { by, .. } => Deed { by: Some(by.into()), ..about },
        Fact::Submitted { question, entry, by, .. } => {
            Deed { entry: Some(EntryRow::new(question, entry)), by: Some(by.into()), ..about }
        }
        Fact::Held { held, .. } => Deed { held: Some(HeldRow::without_entries(held)), ..about },
        Fact::TakenBack { user, by, .. } => {
            Deed { user: Some(text(user.as_str())), by: Some(by.into()), ..about }
        }
        Fact::Heard { voice, .. } => Deed { voice: Some(voice.into()), ..about },
        Fact::Closed { outcome, .. } => Deed { outcome: Some((&**outcome).into()), ..about },
        Fact::AnsweredLate { answers, by, .. } => {
            Deed { answers: Some(answer_rows(answers)), by: Some(by.into()), ..about }
        }
        Fact::Moved { from, .. } => Deed { moved_from: Some(from.to_string()), ..about },
        Fact::Reopened { as_new, .. } => Deed { as_new: Some(as_new.to_string()), ..about },
        Fact::TaskChanged { task, by } => {
            Deed { task: Some(TaskRow::from(&**task)), by: Some(by.into()), ..about }
        }
        Fact::SessionEnded { status, .. } => Deed { status: Some((*status).into()), ..about },
    };
    write(&deed)
}

/// Returns where whoever did it called from, as far as a payload says.
pub(crate) fn address(payload: &str) -> Option<String> {
    let deed: Deed<'_> = serde_json::from_str(payload).ok()?;
    deed.from.map(Cow::into_owned)
}

/// What every payload says.
#[derive(Deserialize)]
struct About {
    session: String,
    ask: Option<String>,
}

/// Whether a payload is about this session and this ask.
pub(crate) fn is_about(payload: &str, session: Option<SessionId>, ask: Option<AskId>) -> bool {
    serde_json::from_str::<About>(payload).is_ok_and(|about| {
        session.is_some_and(|session| session.to_string() == about.session)
            && ask.map(|ask| ask.to_string()) == about.ask
    })
}

/// Reads what happened, and in which session.
pub(crate) fn read_fact(kind: &str, payload: &str) -> Result<(SessionId, Fact), Wrong> {
    match kind {
        "session_opened" => {
            let session: Session = super::read::<SessionRow<'_>, _>(payload)?;
            return Ok((session.id, Fact::SessionOpened(Box::new(session))));
        }
        "asked" => {
            let ask: Ask = super::read::<Body<'_>, _>(payload)?;
            return Ok((ask.session, Fact::Asked(Arc::new(ask))));
        }
        "said" => {
            let row: MessageRow<'_> = serde_json::from_str(payload)?;
            let session = id(&row.session)?;
            return Ok((session, Fact::Said(Arc::new(Message::try_from(row)?))));
        }
        _ => {}
    }
    let deed: Deed<'_> = serde_json::from_str(payload)?;
    let session: SessionId = id(&deed.session)?;
    let ask = || id(deed.ask.as_deref().ok_or_else(|| missing("ask"))?);
    let by = |by: Option<ByRow<'_>>| by.map(By::from).ok_or_else(|| missing("by"));
    let fact = match kind {
        "settled" => {
            let dropped = deed.dropped.as_ref().ok_or_else(|| missing("dropped"))?.iter();
            Fact::Settled { ask: ask()?, dropped: dropped.map(|id| QuestionId::new(&**id)).collect() }
        }
        "shown" => Fact::Shown { ask: ask()? },
        "saved" => Fact::Saved { ask: ask()?, entries: Vec::new(), by: by(deed.by)? },
        "submitted" => {
            let ask = ask()?;
            let (question, entry) = deed.entry.ok_or_else(|| missing("entry"))?.read();
            Fact::Submitted { ask, question, entry, by: by(deed.by)? }
        }
        "held" => Fact::Held { ask: ask()?, held: deed.held.map(Held::from).ok_or_else(|| missing("held"))? },
        "taken_back" => {
            let user = deed.user.as_deref().ok_or_else(|| missing("user"))?;
            Fact::TakenBack { ask: ask()?, user: user.into(), by: by(deed.by)? }
        }
        "heard" => {
            Fact::Heard { ask: ask()?, voice: deed.voice.map(Voice::from).ok_or_else(|| missing("voice"))? }
        }
        "escalated" => Fact::Escalated { ask: ask()? },
        "closed" => {
            let ask = ask()?;
            let outcome = deed.outcome.ok_or_else(|| missing("outcome"))?;
            Fact::Closed { ask, outcome: Arc::new(Outcome::try_from(outcome)?) }
        }
        "answered_late" => {
            let ask = ask()?;
            let answers: Answers = read_answers(deed.answers.ok_or_else(|| missing("answers"))?);
            Fact::AnsweredLate { ask, answers, by: by(deed.by)? }
        }
        "delivered" => Fact::Delivered { ask: ask()? },
        "acknowledged" => Fact::Acknowledged { ask: ask()? },
        "undeliverable" => Fact::Undeliverable { ask: ask()? },
        "moved" => {
            Fact::Moved { ask: ask()?, from: named(deed.moved_from.as_deref(), "moved_from")?, to: session }
        }
        "reopened" => Fact::Reopened { ask: ask()?, as_new: named(deed.as_new.as_deref(), "as_new")? },
        "session_ended" => {
            Fact::SessionEnded { session, status: deed.status.ok_or_else(|| missing("status"))?.into() }
        }
        "task_changed" => {
            let task = Task::try_from(deed.task.ok_or_else(|| missing("task"))?)?;
            Fact::TaskChanged { task: Arc::new(task), by: by(deed.by)? }
        }
        _ => return Err(Wrong::new(format!("`{kind}` is not a kind of fact that this version knows"))),
    };
    Ok((session, fact))
}

/// Reads the id that a field names.
fn named<T: FromStr<Err = NotAnId>>(text: Option<&str>, field: &str) -> Result<T, Wrong> {
    id(text.ok_or_else(|| missing(field))?)
}

fn missing(field: &str) -> Wrong {
    Wrong::new(format!("`{field}` is missing"))
}
