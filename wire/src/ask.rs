//! An ask in our own JSON, as every route returns it.

use std::borrow::Cow;
use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::asker::{Asker, Purpose, Terms};
use askuser_core::audience::Audience;
use askuser_core::deadline::AtDeadline;
use askuser_core::entry::Entry;
use askuser_core::hearing::Held;
use askuser_core::id::{AskId, ChoiceId, QuestionId, UserId};
use askuser_core::outcome::By;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::dialect::Dialect;
use super::session::SessionNames;
use super::{outcome, question};

/// What is told of an ask.
#[derive(Debug, Clone)]
pub struct AskSummary<'a, O = Value> {
    pub ask: AskId,
    pub session: SessionNames<'a>,
    /// Its round in the session.
    pub round: u32,
    /// Its state, as the contract names it: `pending`, `showing`, …
    pub status: &'a str,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub deadline_at: Option<Timestamp>,
    pub asker: &'a Asker,
    /// Whom it is for, where that is not simply the user whose agent asks.
    pub audience: Option<&'a Audience>,
    pub context: Option<&'a str>,
    pub questions: &'a Questions,
    /// Its outcome, as [`super::outcome::write`] writes it; none while it is open.
    pub outcome: Option<O>,
}

impl<'a, O> AskSummary<'a, O> {
    /// Tells an ask without its outcome.
    pub fn of(ask: &'a Ask) -> Self {
        Self {
            ask: ask.id,
            session: SessionNames::of(ask),
            round: ask.round,
            status: ask.state.status(),
            created_at: ask.asked_at,
            deadline_at: ask.deadline,
            asker: &ask.terms.asker,
            audience: ask.terms.audience.as_ref(),
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

/// An ask as it stands, with everything that this reader may see of it.
#[derive(Serialize)]
pub struct AskView<'a> {
    #[serde(flatten)]
    told: AskSummary<'a, outcome::OutcomeShape<'a>>,
    event_id: String,
    /// In a list, where it was wanted: the shortest end of its id that stands for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    short_id: Option<String>,
    tool_use_id: Option<&'a str>,
    /// Where it grants something.
    #[serde(skip_serializing_if = "Option::is_none")]
    purpose: Option<&'static str>,
    /// Where it is for several people: who has spoken, who still has to.
    #[serde(skip_serializing_if = "Option::is_none")]
    quorum: Option<Value>,
    /// Whether it waits for this very person, where it is for several.
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for_you: Option<bool>,
    /// Where its asker went away and may come back: nobody waits for it right now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    nobody_waits: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reopens: Option<String>,
    /// Where it was asked anew: the ask that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    reopened_as: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    late_answer: Option<LateAnswer<'a>>,
    /// For the asker: null where it gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Value>,
    /// For the person: what happens at the deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_deadline: Option<&'static str>,
    /// The answers that are taken then.
    #[serde(skip_serializing_if = "Option::is_none")]
    default_answers: Option<Value>,
    /// For the person: answers that can still be taken back.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held: Vec<WrittenHeld<'a>>,
    /// For the person, while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    sheet: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    submitted: Option<Vec<&'a str>>,
    /// For the asker, when it asks: what was left out of its ask, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

impl AskView<'_> {
    /// Tells the asker what it should know of its ask.
    #[must_use]
    pub fn with_warnings(self, warnings: Vec<String>) -> Self {
        Self { warnings, ..self }
    }

    /// Tells the short id that stands for it.
    #[must_use]
    pub fn called(self, short_id: Option<String>) -> Self {
        Self { short_id, ..self }
    }

    /// Tells whether its asker went away and may come back.
    #[must_use]
    pub fn left(self, nobody_waits: bool) -> Self {
        Self { nobody_waits, ..self }
    }
}

/// An answer that can still be taken back; what it says is told to whoever gave it.
#[derive(Serialize)]
struct WrittenHeld<'a> {
    user: &'a str,
    channel: &'a str,
    until: String,
    mine: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Value>,
}

impl<'a> WrittenHeld<'a> {
    fn of(ask: &Ask, held: &'a Held) -> Self {
        // The asks of people come with nobody else's.
        let sheet = Sheet::filled(Arc::clone(&ask.questions), held.entries.iter().cloned()).ok();
        let sheet = sheet.filter(|_| !held.entries.is_empty());
        let answers =
            sheet.map(|sheet| super::value(&outcome::answers(&ask.questions, &sheet.answers_so_far())));
        let (user, channel) = (held.user.as_str(), held.by.channel.name());
        Self { user, channel, until: super::time::write(held.until), mine: answers.is_some(), answers }
    }
}

#[derive(Serialize)]
struct LateAnswer<'a> {
    answers: Value,
    by: outcome::WrittenBy<'a>,
}

/// Returns an ask as it stands; its outcome also in the dialect that it came in.
pub fn ask_view(ask: &Ask, reader: Reader) -> AskView<'_> {
    ask_view_in(ask, reader, ask.terms.reply_in.as_deref())
}

/// Returns an ask as it stands; its outcome also in this dialect.
pub fn ask_view_in<'a>(ask: &'a Ask, reader: Reader, reply_in: Option<&str>) -> AskView<'a> {
    let dialect = reply_in.and_then(Dialect::parse);
    let outcome = ask.state.outcome().map(|outcome| {
        let outcome = match reader {
            Reader::Asker => Cow::Borrowed(outcome),
            Reader::Person => outcome::hidden(&ask.questions, outcome),
        };
        let reply = dialect.map(|dialect| super::write(dialect, &ask.questions, &ask.terms, &outcome));
        outcome::OutcomeShape { questions: &ask.questions, outcome, reply }
    });
    let filling = reader == Reader::Person && ask.is_open();
    let at_deadline = filling.then(|| ask.at_deadline()).flatten();
    AskView {
        told: AskSummary { outcome, ..AskSummary::of(ask) },
        event_id: super::event::event_id(ask.id, &ask.terms),
        short_id: None,
        tool_use_id: ask.terms.tool_use.as_deref(),
        // A surface must not take an empty line for a yes.
        purpose: (ask.terms.purpose == Purpose::Permission).then_some("permission"),
        quorum: super::people::progress(ask, reader),
        waits_for_you: None,
        nobody_waits: false,
        reopens: ask.reopens.map(|id| id.to_string()),
        reopened_as: ask.reopened_as.map(|id| id.to_string()),
        late_answer: ask.late.as_ref().map(|(answers, by)| late(&ask.questions, answers, by, reader)),
        metadata: (reader == Reader::Asker).then(|| metadata(&ask.terms)),
        at_deadline: at_deadline.as_ref().map(at_deadline_name),
        default_answers: match &at_deadline {
            Some(AtDeadline::Default(answers)) => {
                Some(super::value(&outcome::answers(&ask.questions, answers)))
            }
            _ => None,
        },
        held: if filling {
            ask.hearing.held.iter().map(|held| WrittenHeld::of(ask, held)).collect()
        } else {
            Vec::new()
        },
        sheet: filling.then(|| sheet(&ask.entries)),
        submitted: filling.then(|| ask.submitted.iter().map(QuestionId::as_str).collect()),
        warnings: Vec::new(),
    }
}

/// Returns an ask as it stands for one person: also whether it waits for them.
pub fn ask_view_for<'a>(ask: &'a Ask, user: &UserId) -> AskView<'a> {
    let waits_for_you = ask.terms.audience.is_some().then(|| ask.waits_for(user));
    AskView { waits_for_you, ..ask_view(ask, Reader::Person) }
}

/// Returns what the asker gave along (E4): null where it gave nothing.
pub fn metadata(terms: &Terms) -> Value {
    let text = terms.metadata.as_deref();
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null)
}

/// Returns what the asker says it comes from, for whoever counts (E4).
pub fn source(terms: &Terms) -> Option<String> {
    metadata(terms).get("source")?.as_str().map(str::to_owned)
}

fn at_deadline_name(at_deadline: &AtDeadline) -> &'static str {
    match at_deadline {
        AtDeadline::Unanswered => "unanswered",
        AtDeadline::Default(_) => "default",
        AtDeadline::Stops => "stops",
    }
}

/// An answer that came too late. To its person a secret is not told, late or not.
fn late<'a>(questions: &Questions, answers: &Answers, by: &'a By, reader: Reader) -> LateAnswer<'a> {
    let answers = match reader {
        Reader::Asker => Cow::Borrowed(answers),
        Reader::Person => outcome::hidden_answers(questions, answers),
    };
    let answers = super::value(&outcome::answers(questions, &answers));
    LateAnswer { answers, by: outcome::WrittenBy::of(by) }
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
pub fn write(told: &AskSummary<'_>) -> Value {
    super::value(told)
}

impl<O: Serialize> Serialize for AskSummary<'_, O> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            ask_id: self.ask.to_string(),
            session_id: self.session.session_id(),
            session: self.session.id.to_string(),
            round: self.round,
            status: self.status,
            created_at: super::time::write(self.created_at),
            deadline_at: self.deadline_at.map(super::time::write),
            asker: WrittenAsker {
                agent: self.asker.agent.as_deref(),
                project: self.asker.project.as_deref(),
                folder: self.asker.folder.as_deref(),
            },
            audience: self.audience.map(super::people::audience),
            context: self.context,
            questions: self.questions.top().iter().map(question::QuestionShape::of).collect(),
            outcome: self.outcome.as_ref(),
        };
        written.serialize(serializer)
    }
}

#[derive(Serialize)]
struct Written<'a, O> {
    ask_id: String,
    session_id: String,
    session: String,
    round: u32,
    status: &'a str,
    created_at: String,
    deadline_at: Option<String>,
    asker: WrittenAsker<'a>,
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    audience: Option<Value>,
    context: Option<&'a str>,
    questions: Vec<question::QuestionShape<'a>>,
    outcome: Option<&'a O>,
}

#[derive(Serialize)]
struct WrittenAsker<'a> {
    agent: Option<&'a str>,
    project: Option<&'a str>,
    folder: Option<&'a str>,
}
