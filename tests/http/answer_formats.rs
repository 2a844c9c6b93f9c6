//! The form of an answer follows from the type of its question (003 4.2.2), and nothing else is taken.

use serde_json::{Value, json};

use crate::stage::{Reply, Stage, ask, choice, id, stage};

const ONE: &str = include_str!("../wire/documents/003-2.7.2-answer-one.http");
const SEVERAL: &str = include_str!("../wire/documents/003-2.7.2-answer-several.json");
const TEXT: &str = include_str!("../wire/documents/003-2.7.2-answer-text.json");
const ANSWERED: &str = include_str!("../wire/documents/003-2.7.3-answered.json");

fn questions() -> Vec<Value> {
    let mut several = choice("several");
    several["type"] = "checkbox".into();
    let text = json!({"question_id": "text", "question_text": "Why?", "type": "text"});
    let sure = json!({"question_id": "sure", "question_text": "Sure?", "type": "boolean"});
    vec![choice("one"), several, text, sure]
}

async fn answer(stage: &Stage, question: &str, answer: Value) -> Reply {
    let body = json!({"session_id": "s", "question_id": question, "answer": answer});
    stage.post("/api/task/answer", &stage.ann.person, body).await
}

/// P8, P9: a list for one choice, a text for several, a word for a yes: 400 with the form that was expected.
#[tokio::test(flavor = "multi_thread")]
async fn p8_p9_an_answer_in_another_form_is_refused_with_the_form_expected() {
    let stage = stage().await;
    stage.ask(ask("s", &questions())).await;
    let one = json!({"type": "multiple_choice", "answer": "string", "options": ["a", "b"], "example": "a", "required": true, "other": true});
    let several = json!({"type": "checkbox", "answer": "array", "options": ["a", "b"], "example": ["a"], "required": true, "other": true});
    let text = json!({"type": "text", "answer": "string", "options": [], "example": "text", "required": true, "other": false});
    let sure = json!({"type": "boolean", "answer": "boolean", "options": [true, false], "example": true, "required": true, "other": false});
    for (question, value, expected, message) in [
        ("one", json!(["a"]), &one, "is an array, not a string"),
        ("one", json!(true), &one, "is a boolean, not a string"),
        ("one", json!("c"), &one, "names the choice `c`, which is not offered"),
        ("several", json!("a"), &several, "is a string, not an array"),
        ("several", json!(["c"]), &several, "names the choice `c`, which is not offered"),
        ("text", json!(["a"]), &text, "is an array, not a string"),
        ("sure", json!("yes"), &sure, "is a string, not a boolean"),
        ("sure", json!("true"), &sure, "is a string, not a boolean"),
        ("sure", json!(["yes"]), &sure, "is an array, not a boolean"),
        ("sure", json!(1), &sure, "is a number, not a boolean"),
    ] {
        let refused = answer(&stage, question, value.clone()).await;
        assert_eq!(refused.code(), "400 invalid_answer", "{question} {value}");
        assert_eq!(refused.json()["expected"], *expected, "{question} {value}");
        let problems = json!([{"path": "answer", "message": message}]);
        assert_eq!(refused.json()["problems"], problems, "{question} {value}");
    }
    // What is missing, or left empty where something is required, is told its form too.
    let body = json!({"session_id": "s", "question_id": "sure"});
    let missing = stage.post("/api/task/answer", &stage.ann.person, body).await;
    assert_eq!((missing.code().as_str(), &missing.json()["expected"]), ("400 invalid_answer", &sure));
    for empty in [json!(null), json!(""), json!([])] {
        let refused = answer(&stage, "several", empty.clone()).await;
        assert_eq!(refused.code(), "400 invalid_answer", "{empty}");
        assert_eq!(refused.json()["expected"], several, "{empty}");
        assert_eq!(refused.json()["problems"][0]["path"], "answer", "{empty}");
    }
}

/// P8, T7: an answer of one's own stands in an object, beside options of the same question; and each form fits.
#[tokio::test(flavor = "multi_thread")]
async fn p8_each_type_takes_its_own_form() {
    let stage = stage().await;
    let mut open = choice("open");
    open["required"] = false.into();
    let mut all = questions();
    all[2] = open;
    let asked = stage.ask(ask("s", &all)).await;
    answer(&stage, "one", json!({"other": "neither"})).await.ok();
    answer(&stage, "several", json!({"selected": ["b"], "other": "and mine"})).await.ok();
    answer(&stage, "open", json!([])).await.ok();
    answer(&stage, "sure", json!(false)).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let expected = json!({
        "one": {"other": "neither"}, "several": {"selected": ["b"], "other": "and mine"}, "open": null, "sure": false,
    });
    assert_eq!(told["outcome"]["reply"]["answers"], expected);
}

/// P8: the answers of 003 2.7.2 as they stand there, and the response of 2.7.3.
#[tokio::test(flavor = "multi_thread")]
async fn p8_the_answers_of_the_source_document_are_taken_as_they_stand() {
    let stage = stage().await;
    let options =
        |ids: &[&str]| -> Vec<Value> { ids.iter().map(|id| json!({"id": id, "label": id})).collect() };
    let questions = [
        json!({"question_id": "auth_strategy_01", "question_text": "A?", "type": "multiple_choice", "options": options(&["option_a", "option_b"])}),
        json!({"question_id": "oauth_providers", "question_text": "B?", "type": "checkbox", "options": options(&["google", "github"])}),
        json!({"question_id": "custom_port", "question_text": "C?", "type": "text"}),
    ];
    let asked = stage.ask(ask("session_xxx", &questions)).await;
    let (request, one) = ONE.split_once("\n\n").unwrap();
    let (line, header) = request.split_once('\n').unwrap();
    let (method, path) = line.split_once(' ').unwrap();
    let (name, value) = header.split_once(": ").unwrap();
    let bearer = format!("Bearer {}", stage.ann.person);
    let mut last = None;
    for body in [one, SEVERAL, TEXT] {
        let name = name.to_lowercase();
        let headers = [("authorization", bearer.as_str()), (name.as_str(), value), ("accept-language", "zh")];
        last = Some(stage.send(method, path, &headers, body.to_owned()).await.ok());
    }
    let expected: Value = serde_json::from_str(ANSWERED).unwrap();
    assert_eq!(last, Some(expected));
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let expected = json!({"auth_strategy_01": "option_a", "oauth_providers": ["google", "github"], "custom_port": "8080"});
    assert_eq!(told["outcome"]["reply"]["answers"], expected);
}

/// Our own routes stay lenient, as `wire.md` says: what is meant is clear, and what is kept is the same.
#[tokio::test(flavor = "multi_thread")]
async fn p8_our_own_routes_take_what_is_clear() {
    let stage = stage().await;
    let asked = stage.ask(ask("s", &questions())).await;
    let answers = json!({"one": ["a"], "several": "b", "text": "so", "sure": "yes"});
    let path = format!("/api/asks/{}/answer", id(&asked));
    stage.post(&path, &stage.ann.person, json!({"answers": answers})).await.ok();
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let expected = json!({"one": "a", "several": ["b"], "text": "so", "sure": true});
    assert_eq!(told["outcome"]["reply"]["answers"], expected);
}
