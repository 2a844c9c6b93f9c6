//! A type that nobody knows, wherever it stands.

use serde_json::json;

use crate::stage::stage;

/// D2, P9: refused with the four that there are, also where nothing else says which form it is.
#[tokio::test(flavor = "multi_thread")]
async fn d2_p9_a_type_that_nobody_knows_is_refused_and_the_four_are_named() {
    let stage = stage().await;
    let options = json!([{"label": "A", "description": "a"}, {"label": "B", "description": "b"}]);
    for (body, path) in [
        (
            json!({"questions": [{"question": "Q?", "header": "H", "type": "nonsense", "options": options}]}),
            "questions[0].type",
        ),
        (json!({"questions": [{"question": "Q?", "type": "nonsense"}]}), "questions[0].type"),
        (json!({"question": "Q?", "type": "nonsense", "options": options}), "type"),
        (json!({"question_id": "q", "question_text": "Q?", "type": "nonsense", "options": options}), "type"),
        (
            json!({"name": "askuser", "input": {"questions": [{"question": "Q?", "type": "nonsense"}]}}),
            "input.questions[0].type",
        ),
    ] {
        let refused = stage.post("/api/asks", &stage.ann.agent, body.clone()).await;
        assert_eq!(refused.code(), "400 invalid_question", "{body}");
        let message = "is `nonsense`, which is none of multiple_choice, checkbox, text, boolean";
        assert_eq!(refused.json()["problems"], json!([{"path": path, "message": message}]), "{body}");
    }
}
