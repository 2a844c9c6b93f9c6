//! An ask as the desk tells it, read back so that it can be drawn and answered here.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::asker::{Asker, Purpose};
use askuser_core::content::Content;
use askuser_core::deadline::AtDeadline;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, ChoiceId, NotAnId, QuestionId};
use askuser_core::outcome::{Channel, Outcome};
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use askuser_api::shapes::ask as shape;
use askuser_wire as wire;
use askuser_wire::people::Progress;

/// An ask of the desk.
#[derive(Debug, Clone)]
pub struct SeenAsk {
    pub id: AskId,
    /// Where it stands: `pending`, `showing`, …
    pub status: String,
    /// Its number in the session.
    pub round: u32,
    /// When it ends by itself.
    pub deadline: Option<Timestamp>,
    /// Who asks.
    pub asker: Asker,
    pub context: Option<String>,
    /// What it is about.
    pub purpose: Purpose,
    /// How far it has come, where it is for several people.
    pub progress: Option<Progress>,
    /// What happens at its deadline.
    pub at_deadline: Option<AtDeadline>,
    /// Answers by one press that can still be taken back.
    pub held: Vec<SeenHeld>,
    /// When it was asked.
    pub created_at: String,
    /// Whether it is for people by their names.
    pub for_people: bool,
    /// Whether this person is to answer; none where that was not told.
    pub waits_for_you: Option<bool>,
    /// Whether its agent went away and may come back.
    pub nobody_waits: bool,
    /// The shortest end of its id that stands for it, in a list.
    short_id: Option<String>,
    /// What was saved of a half-filled sheet.
    saved: Option<Value>,
    /// What is asked.
    pub questions: Arc<Questions>,
    /// How it ended, once it has.
    pub outcome: Option<Outcome>,
    /// The same in the caller's dialect.
    pub reply: Option<Value>,
    /// Everything that was told, for whoever prints it on.
    pub told: Value,
}

/// An answer that becomes final by itself, unless whoever gave it takes it back.
#[derive(Debug, Clone)]
pub struct SeenHeld {
    /// Who gave it.
    pub user: String,
    pub channel: Channel,
    /// When it becomes final.
    pub until: Timestamp,
    /// What it says, where it is this person's own.
    pub mine: Option<Answers>,
}

impl SeenHeld {
    fn read(told: shape::Held) -> Option<Self> {
        Some(Self {
            channel: wire::outcome::channel(&told.channel),
            until: wire::time::read(&told.until)?,
            mine: told.mine.then(|| wire::outcome::read_answers(told.answers.as_ref())),
            user: told.user,
        })
    }
}

/// Why what was told is no ask.
#[derive(Debug, thiserror::Error)]
pub enum NotAnAsk {
    /// A field is missing, or of another kind.
    #[error("an ask that does not fit ({0})")]
    Form(#[from] serde_json::Error),
    /// It has no id: nothing was asked.
    #[error("an ask without `ask_id`")]
    NoId,
    /// Its id is none.
    #[error(transparent)]
    Id(#[from] NotAnId),
    /// Its questions are none.
    #[error("questions that do not fit ({})", .0.first().map(ToString::to_string).unwrap_or_default())]
    Questions(Vec<Problem>),
    /// It ended in no way that is known.
    #[error("an outcome that does not fit ({0})")]
    Outcome(#[source] Problem),
}

/// Returns an ask with its questions as bare texts.
fn without_choices(told: &Value) -> Value {
    let questions = told.get("questions").and_then(Value::as_array).into_iter().flatten();
    let bare = questions.map(|question| {
        json!({"question_id": question["question_id"], "question": question["question"], "type": "text", "options": []})
    });
    let mut told = told.clone();
    told["questions"] = bare.collect();
    told
}

impl SeenAsk {
    /// What it asks.
    pub fn content(&self) -> Content<'_> {
        let context = self.context.as_deref();
        Content { questions: &self.questions, context, purpose: self.purpose, asker: &self.asker }
    }

    /// Reads an ask.
    pub fn read(told: Value) -> Result<Self, NotAnAsk> {
        let ask = shape::Ask::deserialize(&told)?;
        let id = ask.ask_id.ok_or(NotAnAsk::NoId)?.parse()?;
        let questions = match wire::read_told(&told) {
            // What was erased says the same of every choice, and nobody answers it any more.
            Err(_) if ask.outcome.is_some() => wire::read_told(&without_choices(&told)),
            read => read,
        };
        let asker = ask.asker.unwrap_or_default();
        let outcome = ask.outcome.as_ref().map(wire::outcome::read).transpose().map_err(NotAnAsk::Outcome)?;
        Ok(Self {
            id,
            status: ask.status,
            round: ask.round.unwrap_or(1),
            deadline: ask.deadline_at.and_then(|at| wire::time::read(&at)),
            asker: Asker { agent: asker.agent, project: asker.project, folder: asker.folder },
            context: ask.context,
            purpose: match ask.purpose.as_deref() {
                Some("permission") => Purpose::Permission,
                _ => Purpose::Decision,
            },
            progress: Progress::read(ask.quorum.as_ref()),
            at_deadline: match ask.at_deadline.as_deref() {
                Some("default") => {
                    Some(AtDeadline::Default(wire::outcome::read_answers(ask.default_answers.as_ref())))
                }
                Some("stops") => Some(AtDeadline::Stops),
                Some("unanswered") => Some(AtDeadline::Unanswered),
                _ => None,
            },
            held: ask.held.into_iter().flatten().filter_map(SeenHeld::read).collect(),
            created_at: ask.created_at.unwrap_or_default(),
            for_people: ask.audience.is_some(),
            waits_for_you: ask.waits_for_you,
            nobody_waits: ask.nobody_waits == Some(true),
            short_id: ask.short_id,
            saved: ask.sheet,
            questions: Arc::new(questions.map_err(NotAnAsk::Questions)?),
            reply: ask.outcome.and_then(|outcome| outcome.get("reply").cloned()),
            outcome,
            told,
        })
    }

    /// Returns its sheet as it was last saved, else with what the asker suggests.
    pub fn sheet(&self) -> Sheet {
        self.saved_sheet().unwrap_or_else(|| Sheet::suggested(Arc::clone(&self.questions)))
    }

    /// Returns its sheet as it was last saved, where somebody has put something down.
    pub fn saved_sheet(&self) -> Option<Sheet> {
        let entries = wire::answers::read_sheet(&self.questions, self.saved.as_ref()?).ok()?;
        if entries.is_empty() {
            return None;
        }
        Sheet::filled(Arc::clone(&self.questions), entries).ok()
    }

    /// Whether it is open and somebody else's to answer: for others, or this person has spoken.
    pub fn waits_for_others(&self) -> bool {
        self.is_open() && self.waits_for_you == Some(false)
    }

    /// Returns the answer by one press of this person's that can still be taken back.
    pub fn held_here(&self) -> Option<(&SeenHeld, &Answers)> {
        self.held.iter().find_map(|held| Some((held, held.mine.as_ref()?)))
    }

    /// Returns what a person calls it by: the short id that stands for it, where the desk told one.
    pub fn called(&self) -> String {
        self.short_id.clone().unwrap_or_else(|| self.id.to_string())
    }

    /// Whether nobody has ended it yet.
    pub fn is_open(&self) -> bool {
        self.outcome.is_none()
    }
}

/// Writes entries as the routes of a person take them: by question id, with the notes beside.
pub fn write_entries<'a>(entries: impl IntoIterator<Item = (&'a QuestionId, &'a Entry)>) -> Value {
    let mut answers = Map::new();
    let mut notes = Map::new();
    for (id, entry) in entries {
        let picked: Vec<&str> = entry.picked.iter().map(ChoiceId::as_str).collect();
        let value = match (&entry.text, picked.is_empty()) {
            (None, true) => Value::Null,
            (None, false) => json!({ "selected": picked }),
            (Some(text), true) => json!({ "other": text }),
            (Some(text), false) => json!({"selected": picked, "other": text}),
        };
        answers.insert(id.as_str().to_owned(), value);
        if let Some(note) = &entry.note {
            notes.insert(id.as_str().to_owned(), note.as_str().into());
        }
    }
    json!({"answers": answers, "notes": notes})
}

#[cfg(test)]
mod tests {
    use super::*;
    use askuser_wire::Dialect;

    fn told() -> Value {
        json!({
            "ask_id": "ask_01ARZ3NDEKTSV4RRFFQ69G5FAV", "session_id": "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "round": 2, "status": "showing", "created_at": "2026-11-15T10:00:00.000Z",
            "deadline_at": "2026-11-15T10:05:00.000Z",
            "asker": {"agent": "codex", "project": null, "folder": "~/shop"}, "context": null,
            "questions": [
                {"question_id": "r2q1", "header": "Auth", "question": "Which?", "type": "checkbox",
                 "options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B", "default": true}]},
                {"question_id": "why", "question": "Why?", "type": "text", "required": false, "options": []},
            ],
            "outcome": null,
        })
    }

    #[test]
    fn an_ask_reads_back_as_it_can_be_drawn() {
        let seen = SeenAsk::read(told()).unwrap();
        assert_eq!((seen.round, seen.status.as_str(), seen.is_open()), (2, "showing", true));
        assert_eq!(seen.asker.agent.as_deref(), Some("codex"));
        assert!(seen.deadline.is_some());
        let sheet = seen.sheet();
        assert_eq!(sheet.visible().len(), 2);
        assert!(sheet.entry(&"r2q1".into()).unwrap().suggested);
        let mut saved = told();
        saved["sheet"] = json!({"answers": {"r2q1": ["a"]}, "notes": {"why": "later"}});
        let sheet = SeenAsk::read(saved).unwrap().sheet();
        assert_eq!(sheet.entry(&"r2q1".into()).unwrap().picked, ["a".into()]);
    }

    #[test]
    fn what_is_no_ask_is_said_to_be_none() {
        let why = |told| SeenAsk::read(told).unwrap_err().to_string();
        assert!(why(json!({})).starts_with("an ask that does not fit (missing field"));
        let (mut nameless, mut odd) = (told(), told());
        nameless["ask_id"] = Value::Null;
        assert_eq!(why(nameless), "an ask without `ask_id`");
        odd["questions"] = json!([]);
        assert!(why(odd).starts_with("questions that do not fit"));
    }

    #[test]
    fn entries_are_written_as_the_routes_read_them() {
        let seen = SeenAsk::read(told()).unwrap();
        let mut sheet = Sheet::blank(Arc::clone(&seen.questions));
        sheet.pick(&"r2q1".into(), &"a".into()).unwrap();
        sheet.write(&"r2q1".into(), "of my own").unwrap();
        sheet.write(&"why".into(), "so").unwrap();
        sheet.note(&"why".into(), "a note").unwrap();
        let body = write_entries(sheet.entries());
        let read = wire::answers::read_answers(&seen.questions, &body).unwrap();
        let again = Sheet::filled(Arc::clone(&seen.questions), read).unwrap();
        assert_eq!(again.answers().unwrap(), sheet.answers().unwrap());
        // An ask that came in as our own dialect is the same as one that was told.
        assert!(wire::read(Dialect::Full, &seen.told).check().is_ok());
    }
}
