//! opencode's `question`: answered by place with lists of labels.

use askuser_core::draft::{Draft, DraftQuestion, KeyedBy, Keys};
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use serde_json::{Map, Value, json};

use super::line::{Entries, lines, placed, read_words, unanswered, with_notes};
use super::reading::{Fields, Nulls, draft, other, plain_question, several, wrong_type};

const KEYS: Keys = Keys { text: "question", kind: "multiple", choices: "options", id: "question_id" };

/// Reads the tool's input.
pub(crate) fn read(value: &Value) -> Draft {
    draft(value, Nulls::AreMissing, KEYS, KeyedBy::Place, question)
}

fn question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    let mut wrong = None;
    let other = other(fields, "custom", &mut wrong);
    DraftQuestion { wrong, other, kind: several(fields, "multiple"), ..plain_question(fields, at) }
}

/// Writes `{"answers":[["label"],…]}`. Every question has its place: the asker counts them.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    let Ending::Answered(_) = outcome.ending else {
        return unanswered(outcome, json!([]));
    };
    let mut notes = Map::new();
    let mut answers = Vec::new();
    for (question_idx, line) in lines(questions, outcome).iter().enumerate() {
        answers.push(json!(line.words()));
        if let Some(note) = line.note() {
            notes.insert(question_idx.to_string(), note.into());
        }
    }
    with_notes(json!({ "answers": answers }), notes)
}

/// Reads such answers back.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    let answers = reply.get("answers").unwrap_or(&Value::Null);
    let Some(answers) = answers.as_array() else {
        return Err(vec![Problem::new("answers", wrong_type("array", answers))]);
    };
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for (question_idx, (question, value)) in placed(questions).iter().zip(answers).enumerate() {
        match read_words(question, value) {
            Ok(mut entry) => {
                let note = reply.get("notes").and_then(|notes| notes.get(question_idx.to_string())?.as_str());
                entry.note = note.map(str::to_owned);
                if !entry.is_empty() || entry.note.is_some() {
                    entries.push((question.id.clone(), entry));
                }
            }
            Err(fault) => problems.push(Problem::new(format!("answers[{question_idx}]"), fault)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}
