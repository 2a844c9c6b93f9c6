//! A whole tool call as an ask: the source documents' own examples, as they stand there.

use askuser_core::id::AskId;
use serde_json::{Value, json};

use crate::sockets::Socket;
use crate::stage::{Reply, Stage, id, stage};

const TOOL_USE: &str = include_str!("../wire/documents/002-3.2.1-tool-use.json");
const MESSAGE: &str = include_str!("../wire/documents/003-2.3.1-tool-call.json");
const PUSH: &str = include_str!("../wire/documents/003-2.3.4-push.json");
/// What it has at the place of the options, which the document leaves out.
const MCP: &str = include_str!("../wire/documents/003-2.10.3-mcp.json");

async fn post(stage: &Stage, path: &str, language: &str, body: &str) -> Reply {
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str()), ("accept-language", language)];
    stage.send("POST", path, &headers, body.to_owned()).await
}

async fn answer(stage: &Stage, ask: &Value, value: Value) {
    let question = ask["questions"][0]["question_id"].as_str().unwrap();
    let path = format!("/api/asks/{}/answer", id(ask));
    stage.post(&path, &stage.ann.person, json!({"answers": {question: value}})).await.ok();
}

fn text(question: &str, answer: &str) -> String {
    format!(
        "User has answered your questions: \"{question}\"=\"{answer}\". You can now continue with the user's answers in mind."
    )
}

/// P4: the `tool_use` of 002 3.2.1 as pasted; the reply is the `tool_result` of 3.2.2.
#[tokio::test(flavor = "multi_thread")]
async fn p4_a_tool_use_is_an_ask_and_is_answered_with_its_tool_result() {
    let stage = stage().await;
    let asked = post(&stage, "/api/asks", "en", TOOL_USE).await;
    assert_eq!(asked.status, 201, "{}", asked.text);
    let asked = asked.json();
    assert_eq!(asked["tool_use_id"], "call_function_xxx");
    assert_eq!(asked["questions"][0]["question_id"], "功能选择");
    // The same call again is the same ask.
    assert_eq!(id(&post(&stage, "/api/asks", "en", TOOL_USE).await.ok()), id(&asked));
    answer(&stage, &asked, json!("poem")).await;
    let told = stage.get(&format!("/api/asks/{}?wait=5", id(&asked)), &stage.ann.agent).await.ok();
    let expected = json!({
        "type": "tool_result", "tool_use_id": "call_function_xxx", "content": text("请选择一个功能", "背唐诗"),
    });
    assert_eq!(told["outcome"]["reply"], expected);
}

/// P4, O1: the `message` of 003 2.3.1 as pasted, waited for in the same request; the reply is that of 2.3.2.
#[tokio::test(flavor = "multi_thread")]
async fn p4_a_message_is_answered_with_a_message() {
    let stage = stage().await;
    let asking = post(&stage, "/api/asks?wait=60", "en", MESSAGE);
    let (told, ()) = tokio::join!(asking, async {
        stage.until_open(1).await;
        let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
        answer(&stage, &inbox["asks"][0], json!(["背唐诗", "讲笑话"])).await;
    });
    let content = json!([{
        "type": "tool_result", "tool_use_id": "call_function_8kherxj202p7_1",
        "content": text("请选择一个功能", "背唐诗, 讲笑话"),
    }]);
    let expected = json!({"type": "message", "role": "user", "content": content});
    assert_eq!(told.ok()["outcome"]["reply"], expected);
}

/// P5: a line of a transcript (003 2.3.3); the reply names its line. It is the same after a restart: what the
/// reply needs is kept with the ask.
#[tokio::test(flavor = "multi_thread")]
async fn p5_a_line_of_a_transcript_is_answered_with_the_line_that_follows() {
    let stage = stage().await;
    let message: Value = serde_json::from_str(MESSAGE).unwrap();
    let line = json!({
        "type": "assistant", "message": {"role": "assistant", "content": message["content"]},
        "uuid": "msg_002", "parentUuid": "msg_001",
    });
    let asked = stage.ask(line).await;
    stage
        .post(&format!("/api/asks/{}/cancel", id(&asked)), &stage.ann.person, json!({"reason": "no"}))
        .await
        .ok();
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    let reply = &told["outcome"]["reply"];
    assert_eq!((&reply["type"], &reply["parentUuid"]), (&json!("user"), &json!("msg_002")));
    let result = json!({
        "type": "tool_result", "tool_use_id": "call_function_8kherxj202p7_1",
        "content": "The user declined to answer: no", "is_error": true,
    });
    assert_eq!(reply["message"], json!({"role": "user", "content": [result]}));
}

/// P16: `{name, input}` of 003 2.10.3; no call's id, so the reply is that of the questions.
#[tokio::test(flavor = "multi_thread")]
async fn p16_name_and_input_are_an_ask() {
    let stage = stage().await;
    let body =
        MCP.replace("[...]", r#"[{"id": "oauth2", "label": "OAuth 2.0"}, {"id": "jwt", "label": "JWT"}]"#);
    let asked = post(&stage, "/api/asks", "en", &body).await.ok();
    answer(&stage, &asked, json!("jwt")).await;
    let told = stage.get(&format!("/api/asks/{}?wait=5", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["reply"], json!({"answers": {"auth_strategy_01": "jwt"}}));
}

/// D3, P9: another tool's call, a call without its input, two calls: each is told what to change.
#[tokio::test(flavor = "multi_thread")]
async fn d3_p9_a_faulty_envelope_says_what_is_missing() {
    let stage = stage().await;
    let call = |name: &str| json!({"type": "tool_use", "id": "c1", "name": name, "input": {"questions": []}});
    for (body, path, message) in [
        (
            call("Bash"),
            "name",
            "is `Bash`, which is none of ask_user_question, askuserquestion, askuser, ask_user",
        ),
        (json!({"type": "tool_use", "id": "c1", "name": "askuser"}), "input", "is missing"),
        (json!({"name": "ask_user_question"}), "input", "is missing"),
        (json!({"type": "message", "role": "assistant"}), "content", "is missing"),
        (
            json!({"type": "message", "role": "user", "content": [{"type": "tool_result", "content": "x"}]}),
            "content",
            "has no tool_use block that calls ask_user_question",
        ),
        (
            json!({"type": "message", "content": [call("askuser"), call("ask_user")]}),
            "content",
            "has 2 calls of ask_user_question: send one at a time",
        ),
        (json!({"type": "assistant", "uuid": "u"}), "message", "is missing"),
        (
            json!({"type": "message", "content": [{"type": "text", "text": "hm"}, call("askuser")]}),
            "content[1].input.questions",
            "has 0 items, 1 at least",
        ),
    ] {
        let refused = stage.post("/api/asks", &stage.ann.agent, body.clone()).await;
        assert_eq!(refused.code(), "400 invalid_question", "{body}");
        assert_eq!(refused.json()["problems"], json!([{"path": path, "message": message}]), "{body}");
    }
    let zh = post(&stage, "/api/asks", "zh", r#"{"type":"message","content":[]}"#).await;
    assert_eq!(zh.json()["problems"][0]["message"], "其中没有调用 ask_user_question 的 tool_use");
}

/// P6, P7: the push form of 003 2.3.4 as pasted, whose follow-ups belong to an option that it does not offer.
#[tokio::test(flavor = "multi_thread")]
async fn p6_p7_follow_ups_of_an_option_that_is_not_offered_are_left_out_with_a_warning() {
    let stage = stage().await;
    let asked = post(&stage, "/api/asks", "en", PUSH).await;
    assert_eq!(asked.status, 201, "{}", asked.text);
    let asked = asked.json();
    assert_eq!(
        asked["warnings"],
        json!([
            "question.follow_up_questions.oauth2: is for the option `oauth2`, which is not offered: these follow-ups are never shown"
        ])
    );
    assert_eq!(asked["questions"][0]["follow_up_questions"], json!({}));
    assert_eq!(asked["tool_use_id"], "toolu_xxx");
    let zh = post(&stage, "/api/asks", "zh", PUSH).await.ok();
    assert_eq!(id(&zh), id(&asked));
    assert_eq!(
        zh["warnings"],
        json!([
            "question.follow_up_questions.oauth2: 属于选项 `oauth2`，但问题没有提供该选项：这些追问不会显示"
        ])
    );
    answer(&stage, &asked, json!("option_a")).await;
    let told = stage.get(&format!("/api/asks/{}", id(&asked)), &stage.ann.agent).await.ok();
    assert_eq!(told["outcome"]["reply"], json!({"answers": {"auth_strategy_01": "option_a"}}));
    assert_eq!(told.get("warnings"), None);
    let full = post(&stage, "/api/asks?dialect=full", "en", PUSH).await;
    assert_eq!(full.code(), "400 invalid_question");
}

/// E7, P4: the same over a socket: the response is the result, under every name of its ask.
#[tokio::test(flavor = "multi_thread")]
async fn e7_p4_a_tool_call_over_a_socket_is_answered_with_its_result() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    for (sent, value, content) in [
        (serde_json::from_str(TOOL_USE).unwrap(), json!("poem"), text("请选择一个功能", "背唐诗")),
        (serde_json::from_str(MESSAGE).unwrap(), json!(["1"]), text("请选择一个功能", "背唐诗")),
    ] {
        let is_message = Value::get(&sent, "content").is_some();
        agent.say(sent).await;
        stage.until_open(1).await;
        let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
        answer(&stage, &inbox["asks"][0], value).await;
        let heard = agent.hear().await;
        let result = if is_message { &heard["content"][0] } else { &heard };
        assert_eq!(
            (&result["type"], &result["content"]),
            (&json!("tool_result"), &json!(content)),
            "{heard}"
        );
        assert!(heard["ask_id"].as_str().unwrap().parse::<AskId>().is_ok());
        assert_eq!(heard["status"], "answered");
    }
    agent.say(serde_json::from_str(PUSH).unwrap()).await;
    stage.until_open(1).await;
    let inbox = stage.get("/api/inbox", &stage.ann.person).await.ok();
    answer(&stage, &inbox["asks"][0], json!("option_b")).await;
    let heard = agent.hear().await;
    assert_eq!(heard["answers"], json!({"auth_strategy_01": "option_b"}));
    assert!(heard["warnings"][0].as_str().unwrap().contains("`oauth2`"), "{heard}");
    agent.say(json!({"type": "tool_use", "id": "c", "name": "Bash", "input": {}})).await;
    let refused = agent.hear().await;
    assert_eq!((&refused["type"], &refused["problems"][0]["path"]), (&json!("error"), &json!("name")));
}

/// P4, P5: the exported call has the agent's own `multiSelect` and id, and the export reads back.
#[tokio::test(flavor = "multi_thread")]
async fn p5_an_exported_call_keeps_the_agents_words() {
    let stage = stage().await;
    let mut message: Value = serde_json::from_str(MESSAGE).unwrap();
    message["session_id"] = "s".into();
    stage.ask(message.clone()).await;
    let export = stage.get("/api/sessions/s/export", &stage.ann.person).await.text;
    let line: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    let (told, given) = (&line["message"]["content"][0], &message["content"][0]);
    for key in ["type", "id", "name"] {
        assert_eq!(told[key], given[key], "{key}");
    }
    let (told, given) = (&told["input"]["questions"][0], &given["input"]["questions"][0]);
    for key in ["header", "multiSelect", "question"] {
        assert_eq!(told[key], given[key], "{key}");
    }
    let again = stage.post("/api/asks", &stage.ann.agent, line).await;
    assert_eq!(again.ok()["questions"][0]["type"], "checkbox");
}
