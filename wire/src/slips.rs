//! What models get wrong about the form of an ask, read as what they meant.
//!
//! Only where a model writes the ask by hand, over MCP, and only where it can mean one thing. Programs are told
//! their faults: the dialects themselves are read as they always were.

use serde_json::{Map, Value, json};

use super::dialect::{Dialect, recognise};

/// Flags of a question, and of an option, in any dialect.
const FLAGS: [&str; 9] = [
    "multiSelect",
    "multiple",
    "required",
    "secret",
    "other",
    "custom",
    "allowFreeformInput",
    "isOther",
    "isSecret",
];
const FLAGS_OF_OPTION: [&str; 2] = ["default", "recommended"];

/// Returns the ask as it was meant: lists that came as the text of one, one question in place of a list of one,
/// options that are only labels, `"true"`, and questions to be answered in the person's own words.
pub fn mended(mut ask: Value) -> Value {
    if let Some(questions) = ask.get_mut("questions") {
        unquote(questions);
        if questions.as_object().is_some_and(has_text) {
            *questions = Value::Array(vec![questions.take()]);
        }
    }
    for question in questions(&mut ask) {
        mend(question);
    }
    open_questions(&mut ask);
    ask
}

/// The questions at the top of an ask: those in the list, the one in its envelope, or the ask itself.
fn questions(ask: &mut Value) -> Vec<&mut Map<String, Value>> {
    let Some(fields) = ask.as_object_mut() else { return Vec::new() };
    if fields.contains_key("questions") {
        let listed = fields.get_mut("questions").and_then(Value::as_array_mut);
        return listed.into_iter().flatten().filter_map(Value::as_object_mut).collect();
    }
    if fields.get("question").is_some_and(Value::is_object) {
        return fields.get_mut("question").and_then(Value::as_object_mut).into_iter().collect();
    }
    if has_text(fields) { vec![fields] } else { Vec::new() }
}

fn has_text(question: &Map<String, Value>) -> bool {
    ["question", "question_text"].iter().any(|key| question.get(*key).is_some_and(Value::is_string))
}

fn mend(question: &mut Map<String, Value>) {
    truths(question, &FLAGS);
    let Some(options) = question.get_mut("options") else { return };
    unquote(options);
    for option in options.as_array_mut().into_iter().flatten() {
        match option {
            Value::String(label) => *option = json!({ "label": label }),
            Value::Number(number) => *option = json!({ "label": number.to_string() }),
            Value::Object(fields) => truths(fields, &FLAGS_OF_OPTION),
            Value::Null | Value::Bool(_) | Value::Array(_) => {}
        }
    }
}

/// A list or an object that came as its own text.
fn unquote(value: &mut Value) {
    let read = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(read) = read.filter(|read| read.is_array() || read.is_object()) {
        *value = read;
    }
}

/// Truth values that came as words.
fn truths(fields: &mut Map<String, Value>, flags: &[&str]) {
    for flag in flags {
        let Some(value) = fields.get_mut(*flag) else { continue };
        let word = value.as_str().map(str::to_lowercase);
        if let Some(word @ ("true" | "false")) = word.as_deref() {
            *value = (word == "true").into();
        }
    }
}

/// A question with neither a type nor anything to pick is answered in the person's own words. One that says that it
/// is a choice is faulty without options (P9).
fn open_questions(ask: &mut Value) {
    let has = |key: &str| ask.get(key).is_some_and(|value| !value.is_null() && *value != json!({}));
    // Whoever names a dialect knows it; answers that were brought along have no place in the form used below.
    if has("dialect") || has("answers") {
        return;
    }
    let dialect = recognise(ask);
    let mut n_open = 0;
    for question in questions(ask).into_iter().filter(|question| is_open(question)) {
        question.remove("options");
        match dialect {
            // Without options it is a text there as it is.
            Dialect::Codex | Dialect::Vscode => {}
            _ => drop(question.insert("type".to_owned(), "text".into())),
        }
        n_open += 1;
    }
    // An option's preview elsewhere in the ask makes it a form that knows no texts; ours knows both.
    if n_open > 0
        && dialect == Dialect::Claude
        && let Some(fields) = ask.as_object_mut()
    {
        fields.insert("dialect".to_owned(), Dialect::Full.name().into());
    }
}

fn is_open(question: &Map<String, Value>) -> bool {
    let given = |key: &str| question.get(key).filter(|value| !value.is_null());
    let nothing_to_pick = given("options").is_none_or(|options| *options == json!([]));
    let several = ["multiSelect", "multiple"].iter().any(|key| given(key) == Some(&Value::Bool(true)));
    has_text(question) && given("type").is_none() && nothing_to_pick && !several
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read, recognise};

    /// What is asked: each question with how it is answered.
    #[track_caller]
    fn asked(ask: Value) -> Vec<String> {
        let mended = mended(ask);
        let read = read(recognise(&mended), &mended).check();
        let (questions, _) = read.unwrap_or_else(|problems| panic!("{mended}: {problems:?}"));
        let told = questions.top().iter().map(|question| {
            let labels: Vec<&str> = question.choices.iter().map(|choice| choice.label.as_str()).collect();
            format!("{} {:?} {}", question.text, question.kind, labels.join("|"))
        });
        told.collect()
    }

    #[test]
    fn options_that_are_only_labels_are_options() {
        let plain = json!({"questions": [{"question": "Which?", "header": "H", "options": ["A", "B", 3]}]});
        assert_eq!(asked(plain), ["Which? OneOf A|B|3"]);
        let bare = json!({"question": "Which?", "options": "[\"A\", \"B\"]"});
        assert_eq!(asked(bare), ["Which? OneOf A|B"]);
    }

    #[test]
    fn questions_that_came_as_text_or_alone_are_a_list() {
        let one = json!({"question": "Which?", "header": "H", "options": [{"label": "A"}, {"label": "B"}]});
        for questions in [json!([one]).to_string().into(), one.to_string().into(), one.clone()] {
            assert_eq!(asked(json!({ "questions": questions })), ["Which? OneOf A|B"]);
        }
        // What is no question is left as it is, and told as a fault.
        for questions in [json!("Which?"), json!({"a": 1}), json!(7), json!("[1")] {
            let ask = json!({ "questions": questions });
            assert_eq!(mended(ask.clone()), ask);
        }
    }

    #[test]
    fn a_truth_value_may_come_as_a_word() {
        let ask = |word: &str| json!({"questions": [{"question": "Which?", "header": "H", "multiSelect": word, "options": ["A", "B"]}]});
        assert_eq!(asked(ask("true")), ["Which? SomeOf { min: 1, max: 3 } A|B"]);
        assert_eq!(asked(ask("False")), ["Which? OneOf A|B"]);
        assert_eq!(mended(ask("maybe"))["questions"][0]["multiSelect"], "maybe");
    }

    #[test]
    fn a_question_with_nothing_to_pick_is_answered_in_the_persons_own_words() {
        let choice = json!({"question": "Which?", "header": "A", "options": ["A", "B"]});
        let seen = json!({"question": "Which?", "header": "A", "options": [{"label": "A", "preview": "x"}, {"label": "B"}]});
        for open in [
            json!({"question": "What name?", "header": "N"}),
            json!({"question": "What name?", "options": []}),
            json!({"question": "What name?", "options": null, "multiSelect": false}),
        ] {
            assert_eq!(asked(open.clone()), ["What name? Text "]);
            for other in [&choice, &seen] {
                let both = json!({"questions": [open, other]});
                assert_eq!(asked(both), ["What name? Text ", "Which? OneOf A|B"]);
            }
        }
        let codex =
            json!({"questions": [{"id": "n", "question": "What name?", "header": "N", "options": []}]});
        assert_eq!(asked(codex), ["What name? Text "]);
    }

    /// P9: whoever says that it is a choice is told that its options are missing.
    #[test]
    fn p9_a_choice_without_options_stays_a_fault() {
        for choice in [
            json!({"question": "Which?", "header": "H", "multiSelect": true}),
            json!({"question": "Which?", "header": "H", "type": "multiple_choice"}),
            json!({"question": "Which?", "header": "H", "type": "choice", "options": []}),
        ] {
            let ask = mended(json!({ "questions": [choice] }));
            assert!(read(recognise(&ask), &ask).check().is_err(), "{ask}");
        }
    }

    #[test]
    fn what_is_right_stays_as_it_is() {
        for ask in [
            json!({"template": "deploy", "vars": {"env": "true"}}),
            json!({"message": "Where?", "requestedSchema": {"type": "object"}}),
            json!({"questions": [{"question": "Q?", "header": "H", "options": [{"label": "A"}, {"label": "B"}]}]}),
            json!({"dialect": "push", "questions": [{"question_text": "Q?"}]}),
            json!({"questions": [{"question": "Q?", "header": "H"}], "answers": {"H": "x"}}),
            json!([]),
            json!(null),
        ] {
            assert_eq!(mended(ask.clone()), ask);
        }
    }
}
