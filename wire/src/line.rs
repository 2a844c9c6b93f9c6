//! The questions of an ask side by side with what was answered, in the order in which dialects
//! count them.
//!
//! Top-level questions keep the place that their asker gave them; follow-ups, which dialects
//! keyed by place do not know, come after all of them.

use askuser_core::answer::{Answer, Answers};
use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Question, Questions};
use serde_json::{Map, Value, json};

use super::joining::{Offer, Parts, Style};

/// One question and its answer, if it has one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) question: &'a Question,
    /// Its answer; none where the question was not on the path taken.
    pub(crate) answer: Option<&'a Answer>,
    /// Whether it stands at the top level.
    pub(crate) top: bool,
}

/// Entries that were read from a reply, or everything that is wrong with it.
pub(crate) type Entries = Result<Vec<(QuestionId, Entry)>, Vec<Problem>>;

/// Returns the questions in the order in which dialects count them.
pub(crate) fn placed(questions: &Questions) -> Vec<&Question> {
    let top = questions.top();
    let deeper =
        questions.all().into_iter().filter(|question| top.iter().all(|at_top| at_top.id != question.id));
    top.iter().chain(deeper).collect()
}

/// Returns every question with its answer.
pub(crate) fn lines<'a>(questions: &'a Questions, outcome: &'a Outcome) -> Vec<Line<'a>> {
    answer_lines(questions, &outcome.answers)
}

/// Returns every question with what was answered so far.
pub(crate) fn answer_lines<'a>(questions: &'a Questions, answers: &'a Answers) -> Vec<Line<'a>> {
    let n_top = questions.top().len();
    placed(questions)
        .into_iter()
        .enumerate()
        .map(|(question_idx, question)| Line {
            question,
            answer: answers.to(&question.id),
            top: question_idx < n_top,
        })
        .collect()
}

/// Returns the keys of the questions in the order in which dialects count them.
pub(crate) fn answer_keys(questions: &Questions) -> Vec<String> {
    let keyed = questions.keyed();
    placed(questions).into_iter().filter_map(|question| keyed.key_of(question).map(str::to_owned)).collect()
}

/// Returns a key for each question, all different: what the dialect prefers, else the question's
/// text, else its id. A reply may be wanted in a dialect that the ask did not come in.
pub(crate) fn keys(questions: &[&Question], prefer: fn(&Question) -> Option<&str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for question in questions {
        let id = question.id.as_str();
        let mut key = [prefer(question), Some(question.text.as_str())]
            .into_iter()
            .flatten()
            .find(|key| taken.iter().all(|other| other != key))
            .unwrap_or(id)
            .to_owned();
        // Somebody's header may be this question's id.
        while taken.contains(&key) {
            key.push('\'');
        }
        taken.push(key);
    }
    taken
}

impl<'a> Line<'a> {
    /// Whether something was answered.
    pub(crate) fn answered(&self) -> bool {
        self.answer.is_some_and(|answer| !answer.skipped)
    }

    /// Whether the dialect has a place for it: at the top level always, else where it was opened.
    pub(crate) fn shown(&self) -> bool {
        self.top || self.answer.is_some()
    }

    /// Returns the picked labels.
    pub(crate) fn labels(&self) -> Vec<&'a str> {
        let picked = self.answer.map(|answer| answer.picked.as_slice());
        picked
            .unwrap_or_default()
            .iter()
            .filter_map(|id| Some(self.question.choice(id)?.label.as_str()))
            .collect()
    }

    /// Returns what was typed.
    pub(crate) fn text(&self) -> Option<&'a str> {
        self.answer?.text.as_deref()
    }

    /// Returns the labels and, last, what was typed.
    pub(crate) fn words(&self) -> Vec<&'a str> {
        self.labels().into_iter().chain(self.text()).collect()
    }

    /// Returns the remark beside the answer.
    pub(crate) fn note(&self) -> Option<&'a str> {
        self.answer?.note.as_deref()
    }

    /// Returns the answer as joining sees it.
    pub(crate) fn parts(&self) -> Parts {
        let picked = self.answer.map(|answer| answer.picked.as_slice());
        Parts {
            picked: picked
                .unwrap_or_default()
                .iter()
                .filter_map(|id| {
                    let choices = &self.question.choices;
                    choices.iter().position(|choice| choice.id == *id)
                })
                .collect(),
            text: self.text().map(str::to_owned),
        }
    }

    /// Returns the answer as one text.
    pub(crate) fn joined(&self, style: Style) -> String {
        Offer::of(self.question).join(style, &self.parts())
    }
}

/// Writes answers under keys, `{"answers":{…}}`, with the notes beside them where there are any;
/// with any other ending the answers are empty, so that nobody takes half of them for all.
pub(crate) fn keyed(
    lines: &[Line<'_>],
    keys: &[String],
    outcome: &Outcome,
    write: impl Fn(&Line<'_>) -> Option<Value>,
) -> Value {
    let Ending::Answered(_) = outcome.ending else {
        return unanswered(outcome, json!({}));
    };
    let mut answers = Map::new();
    let mut notes = Map::new();
    for (line, key) in lines.iter().zip(keys) {
        if let Some(value) = write(line) {
            answers.insert(key.clone(), value);
        }
        if let Some(note) = line.note() {
            notes.insert(key.clone(), note.into());
        }
    }
    // Not with `json!`, which would copy them all.
    with_notes(Map::from_iter([("answers".to_owned(), answers.into())]).into(), notes)
}

/// Adds notes where there are any.
pub(crate) fn with_notes(mut reply: Value, notes: Map<String, Value>) -> Value {
    if let Some(reply) = reply.as_object_mut().filter(|_| !notes.is_empty()) {
        reply.insert("notes".to_owned(), Value::Object(notes));
    }
    reply
}

/// Writes an ending without an answer in a dialect that has no words of its own for it.
pub(crate) fn unanswered(outcome: &Outcome, answers: Value) -> Value {
    let mut reply = json!({"status": outcome.status(), "reason": outcome.reason()});
    if let Some(fields) = reply.as_object_mut() {
        if let Some(comment) = &outcome.comment {
            fields.insert("comment".to_owned(), comment.as_str().into());
        }
        fields.insert("answers".to_owned(), answers);
    }
    reply
}

/// Reads answers under keys back. Keys that name no question are not ours and are ignored.
pub(crate) fn read_keyed(
    questions: &Questions,
    keys: &[String],
    reply: &Value,
    read: impl Fn(&Question, &Value) -> Result<Entry, Fault>,
) -> Entries {
    let answers = reply.get("answers").unwrap_or(&Value::Null);
    let Some(answers) = answers.as_object() else {
        let fault = super::reading::wrong_type("object", answers);
        return Err(vec![Problem::new("answers", fault)]);
    };
    let note = |key: &str| Some(reply.get("notes")?.get(key)?.as_str()?.to_owned());
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for (question, key) in placed(questions).into_iter().zip(keys) {
        let value = answers.get(key).filter(|value| !value.is_null());
        match value.map_or(Ok(Entry::default()), |value| read(question, value)) {
            Ok(mut entry) => {
                entry.note = entry.note.or_else(|| note(key));
                if entry != Entry::default() {
                    entries.push((question.id.clone(), entry));
                }
            }
            Err(fault) => problems.push(Problem::new(format!("answers.{key}"), fault)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

/// Returns the entry of parts that were read for this question.
pub(crate) fn entry(question: &Question, parts: Parts) -> Entry {
    Entry {
        picked: parts
            .picked
            .iter()
            .filter_map(|choice_idx| Some(question.choices.get(*choice_idx)?.id.clone()))
            .collect(),
        text: parts.text,
        ..Entry::default()
    }
}

/// Reads one joined text.
pub(crate) fn read_joined(question: &Question, value: &Value, style: Style) -> Result<Entry, Fault> {
    match value.as_str() {
        Some(text) => Ok(entry(question, Offer::of(question).split(style, text))),
        None => Err(super::reading::wrong_type("string", value)),
    }
}

/// Reads a list of labels and, last, a text that is none of them.
pub(crate) fn read_words(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let Some(list) = value.as_array() else {
        return Err(super::reading::wrong_type("array", value));
    };
    let mut parts = Parts::default();
    for value in list {
        let Some(word) = value.as_str() else {
            return Err(super::reading::wrong_type("string", value));
        };
        let choices = &question.choices;
        match choices.iter().position(|choice| choice.label == word) {
            Some(choice_idx) => parts.picked.push(choice_idx),
            None if word.is_empty() => {}
            None if parts.text.is_none() => parts.text = Some(word.to_owned()),
            // Two texts: which of them would be the answer?
            None => {
                let choice = word.to_owned();
                return Err(Fault::NoSuchChoice { choice });
            }
        }
    }
    parts.picked.sort_unstable();
    parts.picked.dedup();
    Ok(entry(question, parts))
}
