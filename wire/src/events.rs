//! The event protocol: `ask:question:request` and `ask:question:response` (E1-E5).
//!
//! Answers are keyed by place and joined with a comma. Free text is the value itself, so a text
//! that is a label word for word counts as that label.

use askuser_core::asker::Terms;
use askuser_core::draft::{Draft, Given, KeyedBy};
use askuser_core::outcome::Outcome;
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use serde_json::{Map, Value, json};

use super::command::{KEYS, question};
use super::joining::TIGHT;
use super::line::{Entries, keyed, lines, placed, read_joined, read_keyed};
use super::reading::{Fields, Nulls, draft};

/// Reads the `data` of a request, or the tool's own input.
pub(crate) fn read(value: &Value) -> Draft {
    let mut draft = draft(value, Nulls::AreMissing, KEYS, KeyedBy::Place, question);
    super::collected::read(value, TIGHT, &mut draft);
    draft
}

/// Takes `agentId` as the agent that asks: the response goes back under it (E1).
pub(crate) fn read_agent(value: &Value, draft: &mut Draft, terms: &mut Terms) {
    match Fields::of(value, Nulls::AreMissing).string("agentId") {
        Given::Value(agent) => terms.asker.agent = Some(agent),
        Given::Missing => {}
        Given::Wrong(fault) => draft.problems.push(Problem::new("agentId", fault)),
    }
}

/// Writes the `data` of a response.
pub(crate) fn write(questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    let reply = keyed(&lines(questions, outcome), &places(questions), outcome, |line| {
        line.answered().then(|| line.joined(TIGHT).into())
    });
    let mut named = Map::new();
    named.insert("agentId".to_owned(), json!(terms.asker.agent));
    if let Value::Object(fields) = reply {
        named.extend(fields);
    }
    Value::Object(named)
}

/// Reads the `data` of a response that a person's client sends.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    read_keyed(questions, &places(questions), reply, |question, value| read_joined(question, value, TIGHT))
}

fn places(questions: &Questions) -> Vec<String> {
    (0..placed(questions).len()).map(|question_idx| format!("question-{question_idx}")).collect()
}
