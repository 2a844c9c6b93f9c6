//! `ask_user` and `ask_user_response` with their timeouts (O1, O9).
//!
//! Every close is a response, also one that nobody answered, so that no card stays open. Each
//! question says for itself whether it was answered before the ask ended.

use askuser_core::answer::Answer;
use askuser_core::asker::Terms;
use askuser_core::draft::Draft;
use askuser_core::entry::Entry;
use askuser_core::id::ChoiceId;
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Question, Questions};
use serde_json::{Value, json};

use super::line::{Entries, placed, read_words};
use super::reading::{Fields, Nulls, wrong_type};

/// Reads `{"type":"ask_user","eventId":…,"questions":[…],"timeoutMs":…}`.
pub(crate) fn read(value: &Value) -> Draft {
    super::push::read(value)
}

/// Writes `{"type":"ask_user_response","status":…,"reason":…,"opCode":…,"answers":[…]}`.
pub fn write(questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    let answers: Vec<Value> = outcome
        .answers
        .0
        .iter()
        .filter_map(|answer| Some(written(questions.find(&answer.question)?, answer)))
        .collect();
    json!({
        "type": "ask_user_response",
        "status": outcome.status(),
        "reason": outcome.reason(),
        "comment": outcome.comment,
        "opCode": terms.event,
        "answers": answers,
    })
}

fn written(question: &Question, answer: &Answer) -> Value {
    let labels: Vec<&str> =
        answer.picked.iter().filter_map(|id| Some(question.choice(id)?.label.as_str())).collect();
    let ids: Vec<&str> = answer.picked.iter().map(ChoiceId::as_str).collect();
    let parent = answer
        .parent
        .as_ref()
        .map(|parent| json!({"questionId": parent.question.as_str(), "optionId": parent.choice.as_str()}));
    json!({
        "questionId": question.id.as_str(),
        "header": question.header,
        "question": question.text,
        "answered": !answer.skipped,
        "selected": labels,
        "selectedIds": ids,
        "text": answer.text,
        "note": answer.note,
        "parent": parent,
    })
}

/// Reads the answers of a response that a person's client sends. Old clients send lists of labels
/// by place; those are taken as well.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    let answers = reply.get("answers").unwrap_or(&Value::Null);
    let Some(list) = answers.as_array() else {
        return Err(vec![Problem::new("answers", wrong_type("array", answers))]);
    };
    let placed = placed(questions);
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for (answer_idx, value) in list.iter().enumerate() {
        let at = format!("answers[{answer_idx}]");
        let named = value.get("questionId").and_then(Value::as_str);
        let question = match named {
            Some(id) => placed.iter().find(|question| question.id.as_str() == id),
            None => placed.get(answer_idx),
        };
        let Some(question) = question else {
            let question = named.map_or_else(|| answer_idx.to_string(), str::to_owned);
            problems.push(Problem::new(at, Fault::NoSuchQuestion { question }));
            continue;
        };
        match answer(question, value) {
            Ok(entry) if entry == Entry::default() => {}
            Ok(entry) => entries.push((question.id.clone(), entry)),
            Err(fault) => problems.push(Problem::new(at, fault)),
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

fn answer(question: &Question, value: &Value) -> Result<Entry, Fault> {
    match value {
        Value::String(_) => return read_words(question, &json!([value])),
        Value::Array(_) => return read_words(question, value),
        Value::Object(_) => {}
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            return Err(wrong_type("object", value));
        }
    }
    let fields = Fields::of(value, Nulls::AreMissing);
    if fields.get("answered").and_then(Value::as_bool) == Some(false) {
        return Ok(Entry { note: fields.loose_string("note"), ..Entry::default() });
    }
    let mut entry = match (fields.get("selectedIds"), fields.get("selected")) {
        (Some(ids), _) => super::answers::picks(question, ids)?,
        (None, Some(labels)) => read_words(question, labels)?,
        (None, None) => Entry::default(),
    };
    if let Some(text) = fields.loose_string("text").filter(|text| !text.is_empty()) {
        entry.text = Some(text);
    }
    entry.note = fields.loose_string("note");
    Ok(entry)
}
