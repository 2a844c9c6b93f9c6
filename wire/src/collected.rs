//! Answers that the asker brings along: those questions are not asked again (E5).
//!
//! They come keyed as the dialect's answers are, `question-0`, or by header or text, whichever the
//! asker had at hand. Keys that fit no question are about other asks and are ignored.

use askuser_core::draft::{Draft, DraftKind, DraftQuestion, Given};
use askuser_core::problem::{Fault, Problem};
use serde_json::Value;

use super::joining::{Offer, Style};
use super::reading::{Fields, Nulls, wrong_type};

/// Puts the answers of the ask's field `answers` beside the questions that they belong to.
pub(crate) fn read(value: &Value, style: Style, draft: &mut Draft) {
    let Some(given) = Fields::of(value, Nulls::AreMissing).get("answers") else {
        return;
    };
    let Some(answers) = given.as_object() else {
        let problem = Problem::new("answers", wrong_type("object", given));
        draft.problems.push(problem);
        return;
    };
    let Given::Value(questions) = &mut draft.questions else {
        return;
    };
    for (question_idx, question) in questions.iter_mut().enumerate() {
        let found =
            [Some(format!("question-{question_idx}")), known(&question.header), known(&question.text)]
                .into_iter()
                .flatten()
                .find_map(|key| Some((answers.get(&key)?, key)));
        let Some((value, key)) = found else { continue };
        match words(question, value, style) {
            Ok(collected) => question.collected = collected,
            Err(fault) => {
                let problem = Problem::new(format!("answers.{key}"), fault);
                draft.problems.push(problem);
            }
        }
    }
}

type Words = Option<(Vec<String>, Option<String>)>;

fn words(question: &DraftQuestion, value: &Value, style: Style) -> Result<Words, Fault> {
    let labels: Vec<&str> = match &question.choices {
        Given::Value(choices) => choices
            .iter()
            .filter_map(|choice| match &choice.label {
                Given::Value(label) => Some(label.as_str()),
                Given::Missing | Given::Wrong(_) => None,
            })
            .collect(),
        Given::Missing | Given::Wrong(_) => Vec::new(),
    };
    let owned = |labels: Vec<&str>| labels.into_iter().map(str::to_owned).collect();
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::String(text) => {
            let several = matches!(question.kind, Given::Value(DraftKind::SomeOf { .. }));
            let offer = Offer::unchecked(labels, several);
            let parts = offer.split(style, text);
            let picked =
                parts.picked.iter().filter_map(|label_idx| offer.labels().get(*label_idx).copied()).collect();
            Ok(Some((owned(picked), parts.text)))
        }
        Value::Array(list) => {
            let mut picked = Vec::new();
            let mut text = None;
            for value in list {
                match value.as_str() {
                    Some(word) if labels.contains(&word) => picked.push(word),
                    Some(word) if text.is_none() => text = Some(word.to_owned()),
                    // Two texts: which of them would be the answer?
                    Some(word) => {
                        let choice = word.to_owned();
                        return Err(Fault::NoSuchChoice { choice });
                    }
                    None => return Err(wrong_type("string", value)),
                }
            }
            Ok((!list.is_empty()).then(|| (owned(picked), text)))
        }
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Err(wrong_type("string", value)),
    }
}

fn known(given: &Given<String>) -> Option<String> {
    match given {
        Given::Value(text) => Some(text.clone()),
        Given::Missing | Given::Wrong(_) => None,
    }
}
