//! How an ask ended, in our own JSON: ids *and* words, lists never joined.

use std::borrow::Cow;

use askuser_core::answer::{Answer, Answers, Parent};
use askuser_core::entry::Entry;
use askuser_core::hearing::Voice;
use askuser_core::id::{AskId, ChoiceId, QuestionId, UserId};
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Program, Proof};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Question, Questions};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

pub use askuser_core::secret::hidden;
pub use askuser_core::secret::hidden_answers;

use super::reading::{Fields, Nulls};

/// Writes an outcome; `reply` is the same in the dialect that the ask came in.
pub fn write(questions: &Questions, outcome: &Outcome, reply: Option<Value>) -> Value {
    super::value(&OutcomeShape { questions, outcome: Cow::Borrowed(outcome), reply })
}

/// An outcome as it is written, borrowed from it: nothing is copied on the way out.
pub(super) struct OutcomeShape<'a> {
    pub(super) questions: &'a Questions,
    pub(super) outcome: Cow<'a, Outcome>,
    pub(super) reply: Option<Value>,
}

impl Serialize for OutcomeShape<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outcome = &*self.outcome;
        let written = Written {
            status: outcome.status(),
            reason: outcome.reason(),
            answered_by: outcome.answered_by(),
            by: WrittenBy::of(&outcome.by),
            closed_at: super::time::write(outcome.at),
            comment: outcome.comment.as_deref(),
            answers: answers(self.questions, &outcome.answers),
            abort: matches!(outcome.ending, Ending::Expired { abort: true, .. }),
            agreed: outcome.agreed(),
            voices: outcome
                .voices
                .iter()
                .map(|voice| super::people::told(self.questions, voice, false))
                .collect(),
            reply: self.reply.as_ref(),
        };
        written.serialize(serializer)
    }
}

#[derive(Serialize)]
struct Written<'a> {
    status: &'a str,
    reason: &'a str,
    answered_by: Option<&'a str>,
    by: WrittenBy<'a>,
    closed_at: String,
    comment: Option<&'a str>,
    answers: Vec<WrittenAnswer<'a>>,
    #[serde(skip_serializing_if = "is_false")]
    abort: bool,
    /// Where several people answered: whether they agree in everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    agreed: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    voices: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<&'a Value>,
}

/// Who it was and where, for whoever need not know how we know.
pub(super) fn by_in_short(by: &By) -> Value {
    json!({"user": by.user.as_ref().map(UserId::as_str), "channel": by.channel.name()})
}

/// Who it was, and how we know.
#[derive(Serialize)]
pub(super) struct WrittenBy<'a> {
    user: Option<&'a str>,
    channel: &'a str,
    proof: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<WrittenProgram<'a>>,
}

#[derive(Serialize)]
struct WrittenProgram<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'a str>,
}

impl<'a> WrittenBy<'a> {
    pub(super) fn of(by: &'a By) -> Self {
        Self {
            user: by.user.as_ref().map(UserId::as_str),
            channel: by.channel.name(),
            proof: by.proof.name(),
            program: by
                .program
                .as_ref()
                .map(|program| WrittenProgram { path: &program.path, mark: program.mark.as_deref() }),
        }
    }
}

#[derive(Serialize)]
pub(super) struct WrittenAnswer<'a> {
    question_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<WrittenParent<'a>>,
    header: Option<&'a str>,
    question: &'a str,
    selected: Vec<Selected<'a>>,
    text: Option<&'a str>,
    note: Option<&'a str>,
    skipped: bool,
    #[serde(skip_serializing_if = "is_false")]
    collected: bool,
}

#[derive(Serialize)]
struct WrittenParent<'a> {
    question_id: &'a str,
    option: &'a str,
}

#[derive(Serialize)]
struct Selected<'a> {
    id: &'a str,
    label: &'a str,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like this")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// The answers to these questions as they are written.
pub(super) fn answers<'a>(questions: &'a Questions, answers: &'a Answers) -> Vec<WrittenAnswer<'a>> {
    let pairs = answers.0.iter().filter_map(|answer| Some((questions.find(&answer.question)?, answer)));
    pairs.map(|(question, answer)| WrittenAnswer::of(question, answer)).collect()
}

impl<'a> WrittenAnswer<'a> {
    fn of(question: &'a Question, answer: &'a Answer) -> Self {
        let picked = answer.picked.iter().filter_map(|id| question.choice(id));
        Self {
            question_id: question.id.as_str(),
            parent: answer.parent.as_ref().map(|parent| WrittenParent {
                question_id: parent.question.as_str(),
                option: parent.choice.as_str(),
            }),
            header: question.header.as_deref(),
            question: &question.text,
            selected: picked
                .map(|choice| Selected { id: choice.id.as_str(), label: &choice.label })
                .collect(),
            text: answer.text.as_deref(),
            note: answer.note.as_deref(),
            skipped: answer.skipped,
            collected: answer.collected,
        }
    }
}

/// Writes what a short-lived caller prints where there is no answer: declined, withdrawn, expired.
pub fn ending(outcome: &Outcome, ask: Option<AskId>) -> Value {
    let mut written = json!({
        "status": outcome.status(),
        "reason": outcome.reason(),
        "ask_id": ask.map(|id| id.to_string()),
        "answers": {},
    });
    if let (Some(fields), Some(comment)) = (written.as_object_mut(), &outcome.comment) {
        fields.insert("comment".to_owned(), comment.as_str().into());
    }
    written
}

/// Writes what a caller is told whose patience ended before the ask did.
pub fn still_open(ask: Option<AskId>) -> Value {
    json!({
        "status": "pending",
        "reason": null,
        "ask_id": ask.map(|id| id.to_string()),
        "answers": {},
    })
}

/// Reads an outcome back, as a client of another desk needs it.
pub fn read(value: &Value) -> Result<Outcome, Problem> {
    let fields = Fields::of(value, Nulls::AreMissing);
    let word = |fields: Fields<'_>, key: &str| fields.loose_string(key);
    let missing = |at: &str| Problem::new(at, Fault::Missing);
    let by = Fields::of(fields.get("by").unwrap_or(&Value::Null), Nulls::AreMissing);
    let proof = word(by, "proof").unwrap_or_default();
    let closed_at = word(fields, "closed_at").unwrap_or_default();
    let list = fields.get("answers").and_then(Value::as_array);
    let answers = list.into_iter().flatten().enumerate();
    Ok(Outcome {
        ending: read_ending(fields)?,
        by: By {
            user: word(by, "user").map(UserId::new),
            channel: channel(&word(by, "channel").ok_or_else(|| missing("by.channel"))?),
            proof: Proof::ALL
                .into_iter()
                .find(|known| known.name() == proof)
                .ok_or_else(|| missing("by.proof"))?,
            program: read_program(by.get("program")),
        },
        at: super::time::read(&closed_at).ok_or_else(|| missing("closed_at"))?,
        comment: word(fields, "comment"),
        answers: Answers(
            answers
                .map(|(answer_idx, value)| {
                    read_answer(value).ok_or_else(|| missing(&format!("answers[{answer_idx}].question_id")))
                })
                .collect::<Result<_, _>>()?,
        ),
        voices: super::people::read_voices(fields.get("voices")),
    })
}

/// Reads what one person said.
pub(super) fn read_voice(value: &Value) -> Option<Voice> {
    let fields = Fields::of(value, Nulls::AreMissing);
    let word = |key: &str| fields.loose_string(key);
    let user = UserId::new(word("user")?);
    let proof = word("proof")?;
    let proof = Proof::ALL.into_iter().find(|known| known.name() == proof)?;
    let by = By::new(Some(user.clone()), channel(&word("channel")?), proof);
    let answers = || {
        let list = fields.get("answers").and_then(Value::as_array);
        Answers(list.into_iter().flatten().filter_map(read_answer).collect())
    };
    let answers = (word("status").as_deref() == Some("answered")).then(answers);
    Some(Voice { user, by, at: super::time::read(&word("at")?)?, answers, comment: word("comment") })
}

fn read_program(value: Option<&Value>) -> Option<Program> {
    let word = |name: &str| value?.get(name)?.as_str().map(str::to_owned);
    Some(Program { path: word("path")?, mark: word("mark") })
}

fn read_ending(fields: Fields<'_>) -> Result<Ending, Problem> {
    let word = |key: &str| fields.loose_string(key).unwrap_or_default();
    let expired =
        |told_as| Ending::Expired { told_as, abort: fields.get("abort") == Some(&Value::Bool(true)) };
    match (word("status").as_str(), word("reason").as_str()) {
        ("answered", "timeout") => Ok(Ending::Answered(AnsweredBy::Default)),
        ("answered", _) if word("answered_by") == "agent_dialog" => {
            Ok(Ending::Answered(AnsweredBy::AgentDialog))
        }
        ("answered", _) if word("answered_by") == "rule" => Ok(Ending::Answered(AnsweredBy::Rule)),
        ("answered", _) if word("answered_by") == "collected" => Ok(Ending::Answered(AnsweredBy::Collected)),
        ("answered", _) => Ok(Ending::Answered(AnsweredBy::Person)),
        ("timeout", _) => Ok(expired(CancelStatus::Timeout)),
        ("cancelled", "timeout") => Ok(expired(CancelStatus::Cancelled)),
        ("cancelled", "system") => Ok(Ending::Withdrawn),
        ("cancelled", _) => Ok(Ending::Declined),
        (other, _) => Err(Problem::new(
            "status",
            Fault::NotOneOf {
                expected: ["answered", "cancelled", "timeout"].map(str::to_owned).to_vec(),
                received: other.to_owned(),
            },
        )),
    }
}

pub fn channel(name: &str) -> Channel {
    let known = [
        Channel::Terminal,
        Channel::Web,
        Channel::Api,
        Channel::AgentDialog,
        Channel::Agent,
        Channel::Server,
    ];
    known
        .into_iter()
        .find(|channel| channel.name() == name)
        .unwrap_or_else(|| Channel::Notify(name.to_owned()))
}

fn read_answer(value: &Value) -> Option<Answer> {
    let fields = Fields::of(value, Nulls::AreMissing);
    let flag = |key: &str| fields.get(key) == Some(&Value::Bool(true));
    let selected = fields.get("selected").and_then(Value::as_array);
    let parent = fields.get("parent").and_then(|parent| {
        Some(Parent {
            question: QuestionId::from(parent.get("question_id")?.as_str()?),
            choice: ChoiceId::from(parent.get("option")?.as_str()?),
        })
    });
    Some(Answer {
        question: QuestionId::new(fields.loose_string("question_id")?),
        parent,
        picked: selected
            .into_iter()
            .flatten()
            .filter_map(|choice| Some(ChoiceId::from(choice.get("id")?.as_str()?)))
            .collect(),
        text: fields.loose_string("text"),
        note: fields.loose_string("note"),
        skipped: flag("skipped"),
        collected: flag("collected"),
    })
}

/// Reads a list of answers; what is none is left out.
pub fn read_answers(list: Option<&Value>) -> Answers {
    let list = list.and_then(Value::as_array);
    Answers(list.into_iter().flatten().filter_map(read_answer).collect())
}

/// Reads the answers of an outcome as entries.
pub(crate) fn read_reply(reply: &Value) -> super::line::Entries {
    let outcome = read(reply).map_err(|problem| vec![problem])?;
    let entries = outcome.answers.0.into_iter().map(|answer| {
        let entry = Entry { picked: answer.picked, text: answer.text, note: answer.note, suggested: false };
        (answer.question, entry)
    });
    Ok(entries.filter(|(_, entry)| *entry != Entry::default()).collect())
}
