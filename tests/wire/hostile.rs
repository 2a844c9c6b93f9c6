//! Asks that were written to break something: each is refused in words or asked as it stands.

use askuser_core::limits::Limits;
use askuser_wire::{Dialect, read, read_strictly, recognise};
use serde_json::{Value, json};

fn told(dialect: Dialect, ask: &Value) -> Vec<String> {
    match read(dialect, ask).check() {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

fn nested(depth: usize) -> Value {
    let mut question = json!({"question_text": "Deepest?", "type": "text"});
    for n in 0..depth {
        question = json!({
            "question_text": format!("Level {n}?"), "options": [{"id": "a", "label": "A"}],
            "follow_up_questions": {"a": [question]},
        });
    }
    question
}

#[test]
fn no_value_whatsoever_makes_a_dialect_stumble() {
    let odd = [
        json!(null),
        json!(true),
        json!(-1e308),
        json!(18_446_744_073_709_551_615_u64),
        json!("\u{0}\u{1b}]0;x\u{7}\u{202e}👩‍👩‍👧"),
        json!([[[[]]]]),
        json!({"": {"": ""}}),
    ];
    let keys = [
        "questions",
        "question",
        "header",
        "options",
        "multiSelect",
        "type",
        "question_id",
        "id",
        "requestedSchema",
        "properties",
        "required",
        "follow_up_questions",
        "depends_on",
        "answers",
        "timeoutMs",
        "asker",
        "agentId",
        "collected",
        "default",
        "name",
        "input",
        "content",
        "message",
    ];
    for dialect in Dialect::ALL.into_iter().chain(Dialect::ENVELOPES) {
        for value in &odd {
            let _ = told(dialect, value);
            for outer in keys {
                let _ = told(dialect, &json!({ outer: value }));
                for inner in keys {
                    let question = json!({"question": "Q?", inner: value});
                    let _ = told(dialect, &json!({"questions": [question.clone()], outer: value}));
                    let _ = told(dialect, &json!({"questions": [{"options": [question]}]}));
                    let form =
                        json!({"requestedSchema": {"properties": {"a": {outer: value, inner: value}}}});
                    let _ = told(dialect, &form);
                    let _ = told(dialect, &json!({"name": "askuser", "input": {inner: value}, outer: value}));
                    let _ =
                        told(dialect, &json!({"type": "message", "content": [{outer: value, inner: value}]}));
                    let _ = read_strictly(&json!({ outer: { inner: value } }), Limits::COMMAND).check();
                }
            }
        }
    }
}

#[test]
fn p7_follow_ups_go_ten_levels_deep_and_no_deeper() {
    assert!(told(Dialect::Push, &nested(10)).is_empty());
    let problems = told(Dialect::Push, &nested(11));
    assert_eq!(problems.len(), 1);
    assert!(problems.iter().all(|problem| problem.ends_with("nested deeper than 10 levels")));
    assert_eq!(told(Dialect::Push, &nested(40)).len(), 1);
}

#[test]
fn p19_questions_that_wait_for_one_another_are_refused() {
    let ask = json!({"questions": [
        {"question_id": "a", "question_text": "A?", "type": "text", "depends_on": {"question_id": "b"}},
        {"question_id": "b", "question_text": "B?", "type": "text", "depends_on": {"question_id": "a"}},
    ]});
    assert_eq!(
        told(Dialect::Push, &ask),
        [
            "questions[0].depends_on: waits for itself through a → b → a",
            "questions[1].depends_on: waits for itself through b → a → b",
        ]
    );
    let wrong = json!({"question_text": "A?", "type": "text", "depends_on": {"option": "x"}});
    assert_eq!(told(Dialect::Push, &wrong), ["depends_on: names no `question_id`"]);
    let whole =
        json!({"questions": [{"question_id": "a", "question_text": "A?", "type": "text"}], "depends_on": 3});
    assert_eq!(told(Dialect::Push, &whole), ["depends_on: is a number, not an object"]);
}

#[test]
fn d10_control_characters_in_an_ask_are_kept_as_they_came() {
    let text = "Delete \u{1b}[31mall\u{0}?";
    let ask = json!({"questions": [{"question": text, "options": [{"label": "\u{7}"}]}]});
    let (questions, _) = read(Dialect::Command, &ask).check().unwrap();
    assert_eq!(questions.top().first().unwrap().text, text);
}

#[test]
fn an_ask_of_more_than_64_kib_is_refused_as_a_whole() {
    let ask = json!({"questions": [{"question": "x".repeat(70_000), "options": [{"label": "A"}]}]});
    let problems = told(Dialect::Command, &ask);
    assert_eq!(problems.len(), 1);
    assert!(problems.iter().all(|problem| problem.contains("65536 at most")));
}

#[test]
fn thousands_of_faults_are_found_in_one_go() {
    let ask = json!({"questions": vec![json!(0); 20_000]});
    assert_eq!(told(Dialect::Command, &ask).len(), 20_001);
}

#[test]
fn marks_of_the_wrong_kind_are_marks_still() {
    assert_eq!(recognise(&json!({"agentId": 7})), Dialect::Events);
    assert_eq!(recognise(&json!({"questions": [{"id": 7}]})), Dialect::Codex);
    assert_eq!(recognise(&json!({"dialect": "poem", "questions": []})), Dialect::Command);
}
