//! Answers as a person's client sends them (P8, P9, P10, P12).

use askuser_core::id::ChoiceId;
use askuser_core::question::{Question, Questions};
use askuser_wire::answers::{read_answer, read_answers, read_sheet};
use askuser_wire::{Dialect, read};
use serde_json::{Value, json};

fn questions() -> Questions {
    let long: Vec<Value> =
        (0..8).map(|n| json!({"id": format!("{n}{}", "x".repeat(199)), "label": format!("L{n}")})).collect();
    let ask = json!({"questions": [
        {"question_id": "one", "question_text": "One?", "options": [{"id": "a", "label": "B"}, {"id": "B", "label": "C"}]},
        {"question_id": "some", "question_text": "Some?", "type": "checkbox", "options": long},
        {"question_id": "text", "question_text": "Text?", "type": "text", "required": false},
        {"question_id": "sure", "question_text": "Sure?", "type": "boolean"},
    ]});
    read(Dialect::Push, &ask).check().unwrap().0
}

fn found<'a>(questions: &'a Questions, id: &str) -> &'a Question {
    questions.find(&id.into()).unwrap()
}

#[track_caller]
fn check(id: &str, value: impl Into<Value>, expected: &str) {
    let questions = questions();
    let got = match read_answer(found(&questions, id), &value.into()) {
        Ok(entry) => {
            let picked: Vec<&str> = entry.picked.iter().map(ChoiceId::as_str).collect();
            let note = entry.note.map(|note| format!(" ({note})"));
            let text = entry.text.map(|text| format!("'{text}'"));
            format!("{}{}{}", picked.join("+"), text.unwrap_or_default(), note.unwrap_or_default())
        }
        Err(fault) => fault.to_string(),
    };
    assert_eq!(got, expected);
}

#[test]
fn p8_an_answer_has_the_shape_of_its_question() {
    check("one", "a", "a");
    check("one", "C", "B"); // By its label.
    check("one", "B", "B"); // An id goes before a label.
    check("one", json!(["a"]), "a");
    check("one", json!({"other": "own", "note": "so"}), "'own' (so)");
    check("some", json!(["L2", "L1", "L2"]), &format!("1{0}+2{0}", "x".repeat(199)));
    check("some", json!({"selected": ["L3"], "other": "x"}), &format!("3{}'x'", "x".repeat(199)));
    check("some", "L1", &format!("1{}", "x".repeat(199)));
    check("text", "8080", "'8080'");
    check("text", json!({"other": "x"}), "'x'");
    check("sure", true, "yes");
    check("sure", "no", "no");
    check("sure", "false", "no");
    check("sure", "Yes", "yes");
}

#[test]
fn p9_an_answer_that_does_not_fit_is_refused_with_what_was_expected() {
    check("one", "z", "names the choice `z`, which is not offered");
    check("one", json!(["a", "B"]), "has 2 items, 1 at most");
    check("one", json!({"selected": ["a"], "other": "x"}), "has 2 items, 1 at most");
    check("one", 3, "is a number, not a string");
    check("one", true, "is a boolean, not a string");
    check("one", json!({"othr": "x"}), "is an object without `other` or `selected`");
    check("some", json!([["a"]]), "is an array, not a string");
    check("some", false, "is a boolean, not an array");
    check("text", json!(["a"]), "is an array, not a string");
    check("text", 8080, "is a number, not a string");
    check("sure", 1, "is a number, not a boolean");
    check("sure", json!({"other": "maybe"}), "takes one of its choices, no other text");
    check("one", json!({"other": 5}), "is a number, not a string");
}

#[test]
fn p10_lengths_are_told_and_nothing_is_cut() {
    check("one", "x".repeat(257), "has 257 characters, 256 at most");
    check("one", json!({"other": "框".repeat(1000)}), &format!("'{}'", "框".repeat(1000)));
    check("one", json!({"other": "x".repeat(1001)}), "has 1001 characters, 1000 at most");
    check("text", "x".repeat(1001), "has 1001 characters, 1000 at most");
    let ids = |n: usize| (0..n).map(|n| format!("{n}{}", "x".repeat(199))).collect::<Vec<_>>();
    check("some", json!(ids(6)), "has 1200 characters, 1000 at most");
    assert!(read_answer(found(&questions(), "some"), &json!(ids(5))).is_ok());
}

#[test]
fn p12_an_empty_answer_leaves_the_question_out() {
    for empty in [json!(null), json!(""), json!([]), json!({}), json!({"other": ""})] {
        for id in ["one", "some", "sure"] {
            check(id, empty.clone(), "");
        }
    }
    check("text", "", "");
    check("text", json!(null), "");
}

#[test]
fn d10_control_characters_are_refused_in_answers() {
    check("text", "a\u{1b}[31m", "contains the control character U+001B");
    check("text", "O'Brien & <T>\n\t👩‍👩‍👧", "'O'Brien & <T>\n\t👩‍👩‍👧'");
}

#[test]
fn every_fault_of_a_sheet_is_told_at_once() {
    let body = json!({
        "answers": {"one": "z", "gone": 1, "sure": true},
        "notes": {"one": 5, "gone": "x", "text": "a\u{0}"},
    });
    let problems = read_answers(&questions(), &body).unwrap_err();
    let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "answers.one: names the choice `z`, which is not offered",
            "answers.gone: names the question `gone`, which is not there",
            "notes.one: is a number, not a string",
            "notes.gone: names the question `gone`, which is not there",
            "notes.text: contains the control character U+0000",
        ]
    );
    for (body, expected) in [
        (json!({}), "answers: is missing"),
        (json!("x"), "answers: is missing"),
        (json!({"answers": []}), "answers: is an array, not an object"),
    ] {
        let problems = read_answers(&questions(), &body).unwrap_err();
        assert_eq!(problems.first().unwrap().to_string(), expected);
    }
}

#[test]
fn a_half_filled_sheet_may_be_unfinished_but_not_nonsense() {
    let long = json!({"answers": {"text": "x".repeat(1001)}});
    assert!(read_answers(&questions(), &long).is_err());
    assert!(read_sheet(&questions(), &long).is_ok());
    assert!(read_sheet(&questions(), &json!({"answers": {"one": "z"}})).is_err());
}
