//! An ask in our own JSON, as every route returns it.

use askuser_core::ask::Ask;
use askuser_core::asker::{Asker, Purpose};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, ChoiceId, QuestionId, SessionId, UserId};
use askuser_core::question::Questions;
use askuser_core::time::Timestamp;
use serde_json::{Map, Value, json};

use super::dialect::Dialect;

/// What is told of an ask.
#[derive(Debug, Clone)]
pub struct Told<'a> {
    /// Its id.
    pub ask: AskId,
    /// Its session.
    pub session: SessionId,
    /// Its round in the session.
    pub round: u32,
    /// Its state, as the contract names it: `pending`, `showing`, …
    pub status: &'a str,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub deadline_at: Option<Timestamp>,
    /// Who asks.
    pub asker: &'a Asker,
    /// Why.
    pub context: Option<&'a str>,
    /// The questions.
    pub questions: &'a Questions,
    /// Its outcome, as [`super::outcome::write`] writes it; none while it is open.
    pub outcome: Option<Value>,
}

impl<'a> Told<'a> {
    /// Tells an ask without its outcome.
    pub fn of(ask: &'a Ask) -> Self {
        Self {
            ask: ask.id,
            session: ask.session,
            round: ask.round,
            status: ask.state.status(),
            created_at: ask.asked_at,
            deadline_at: ask.deadline,
            asker: &ask.terms.asker,
            context: ask.terms.context.as_deref(),
            questions: &ask.questions,
            outcome: None,
        }
    }
}

/// Whom an ask is told to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Its asker: with the outcome in the dialect of its choice, and the metadata it gave along.
    Asker,
    /// The person: with the sheet as it was last saved.
    Person,
}

/// Writes an ask as it stands, with everything that this reader may see of it.
pub fn standing(ask: &Ask, reader: Reader) -> Value {
    let dialect = ask.terms.reply_in.as_deref().and_then(Dialect::parse);
    let outcome = ask.state.outcome().map(|outcome| match reader {
        Reader::Asker => outcome.clone(),
        Reader::Person => super::outcome::hidden(&ask.questions, outcome),
    });
    let outcome = outcome.as_ref().map(|outcome| {
        let reply = dialect.map(|dialect| super::write(dialect, &ask.questions, &ask.terms, outcome));
        super::outcome::write(&ask.questions, outcome, reply)
    });
    let mut written = write(&Told { outcome, ..Told::of(ask) });
    let Some(fields) = written.as_object_mut() else { return written };
    let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    put("event_id", super::event::event_id(ask.id, &ask.terms).into());
    put("tool_use_id", json!(ask.terms.tool_use));
    if ask.terms.purpose == Purpose::Permission {
        // A surface must not take an empty line for a yes.
        put("purpose", "permission".into());
    }
    if let Some(reopens) = ask.reopens {
        put("reopens", reopens.to_string().into());
    }
    if let Some((answers, by)) = &ask.late {
        let user = by.user.as_ref().map(UserId::as_str);
        let by = json!({"user": user, "channel": by.channel.name(), "proof": by.proof.name()});
        put("late_answer", json!({"answers": super::outcome::answers(&ask.questions, answers), "by": by}));
    }
    match reader {
        Reader::Asker => {
            let metadata = ask.terms.metadata.as_deref();
            put("metadata", metadata.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null));
        }
        Reader::Person if ask.is_open() => {
            put("sheet", sheet(&ask.entries));
            let submitted: Vec<&str> = ask.submitted.iter().map(QuestionId::as_str).collect();
            put("submitted", json!(submitted));
        }
        Reader::Person => {}
    }
    written
}

/// Writes a half-filled sheet in the shape in which it is saved.
fn sheet(entries: &[(QuestionId, Entry)]) -> Value {
    let mut answers = Map::new();
    let mut notes = Map::new();
    for (id, entry) in entries {
        let picked: Vec<&str> = entry.picked.iter().map(ChoiceId::as_str).collect();
        let value = json!({"selected": picked, "other": entry.text});
        answers.insert(id.as_str().to_owned(), value);
        if let Some(note) = &entry.note {
            notes.insert(id.as_str().to_owned(), note.as_str().into());
        }
    }
    json!({"answers": answers, "notes": notes})
}

/// Writes an ask.
pub fn write(told: &Told<'_>) -> Value {
    let questions: Vec<Value> = told.questions.top().iter().map(super::question::write).collect();
    json!({
        "ask_id": told.ask.to_string(),
        "session_id": told.session.to_string(),
        "round": told.round,
        "status": told.status,
        "created_at": super::time::write(told.created_at),
        "deadline_at": told.deadline_at.map(super::time::write),
        "asker": {
            "agent": told.asker.agent,
            "project": told.asker.project,
            "folder": told.asker.folder,
        },
        "context": told.context,
        "questions": questions,
        "outcome": told.outcome,
    })
}
