//! The same name is not the same question, over every doorway; and what is granted is what was asked for.

use askuser_desk::KeyRole;
use serde_json::{Value, json};

use crate::mcp_sessions;
use crate::sockets::Socket;
use crate::stage::{Stage, stage};

const HELD: &str = "409 conflict";

fn ask(text: &str, name: &str) -> Value {
    json!({"session_id": "s", "questions": [{"question": text, "options": [{"label": "Yes"}, {"label": "No"}]}],
        name: "the-name"})
}

async fn post(stage: &Stage, body: &Value) -> crate::stage::Reply {
    stage.post("/api/asks", &stage.ann.agent, body.clone()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_name_with_another_question_is_refused_and_names_the_ask_that_holds_it() {
    for name in ["idempotency_key", "tool_use_id", "eventId"] {
        let stage = stage().await;
        let first = post(&stage, &ask("Rename a variable?", name)).await.ok();
        let other = post(&stage, &ask("Delete the production database?", name)).await;
        assert_eq!(other.code(), HELD, "{name}: {}", other.text);
        assert_eq!(other.json()["ask_id"], first["ask_id"], "{name}");
        // An equal repeat is the same ask.
        let again = post(&stage, &ask("Rename a variable?", name)).await.ok();
        assert_eq!(again["ask_id"], first["ask_id"], "{name}");
        // Also about something else.
        let mut elsewhere = ask("Rename a variable?", name);
        elsewhere["context"] = "in another file".into();
        assert_eq!(post(&stage, &elsewhere).await.code(), HELD, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_key_brings_no_old_answer_to_a_new_question() {
    let stage = stage().await;
    let first = post(&stage, &ask("Rename a variable?", "idempotency_key")).await.ok();
    let path = format!("/api/asks/{}/answer", first["ask_id"].as_str().unwrap());
    let question = first["questions"][0]["question_id"].as_str().unwrap().to_owned();
    stage.post(&path, &stage.ann.person, json!({"answers": {question: "Yes"}})).await.ok();
    let mut other = ask("Delete the production database?", "idempotency_key");
    other["session_id"] = "another".into();
    assert_eq!(post(&stage, &other).await.code(), HELD);
    // The same question, asked again after a lost reply, finds its answer.
    let again = post(&stage, &ask("Rename a variable?", "idempotency_key")).await.ok();
    assert_eq!(again["status"], "answered");
}

/// A permission event of Claude Code.
fn event(command: &str, call: Option<&str>) -> Value {
    let mut event = json!({
        "session_id": "abc", "cwd": "/home/u/shop", "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": command},
    });
    if let Some(call) = call {
        event["tool_use_id"] = call.into();
    }
    event
}

async fn hook(stage: &Stage, key: &str, header: Option<&str>, event: &Value) -> Value {
    let bearer = format!("Bearer {key}");
    let mut headers = vec![("authorization", bearer.as_str()), ("x-askuser-mode", "interactive")];
    headers.extend(header.map(|key| ("idempotency-key", key)));
    let path = "/api/hooks/claude-code?wait=0.2";
    stage.send("POST", path, &headers, event.to_string()).await.ok()
}

async fn grant(stage: &Stage, ask: &str) {
    let cookie = stage.sign_in().await;
    let origin = stage.origin();
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let shown = stage.get(&format!("/api/asks/{ask}"), &stage.ann.person).await.ok();
    let question = shown["questions"][0]["question_id"].as_str().unwrap().to_owned();
    let body = json!({"answers": {question: true}}).to_string();
    stage.send("POST", &format!("/api/asks/{ask}/answer"), &headers, body).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_answer_never_grants_another_command() {
    for (header, call) in [(None, Some("toolu_1")), (Some("k"), None), (Some("k"), Some("toolu_1"))] {
        let stage = stage().await;
        let key = &stage.ann.agent;
        let pending = hook(&stage, key, header, &event("echo hello", call)).await;
        let ask = pending["ask_id"].as_str().unwrap().to_owned();
        // The same name for something else: never the same card; the agent's own dialog asks.
        let other = hook(&stage, key, header, &event("rm -rf /home", call)).await;
        assert!(other.get("ask_id").is_none() && other.get("hookSpecificOutput").is_none(), "{other}");
        // The same thing is the same card.
        let again = hook(&stage, key, header, &event("echo hello", call)).await;
        assert_eq!(again["ask_id"], ask.as_str());
        grant(&stage, &ask).await;
        for command in ["rm -rf /home", "echo hello"] {
            let later = hook(&stage, key, header, &event(command, call)).await;
            assert!(!later.to_string().contains("allow"), "{command} by {header:?} {call:?}: {later}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_agent_of_the_same_person_joins_no_permission_and_takes_nothing_back() {
    let stage = stage().await;
    let other = stage.desk.access().make_key(KeyRole::Agent, &"ann".into(), "other").await.unwrap().unwrap();
    let other = other.reveal().to_owned();
    let mine = hook(&stage, &stage.ann.agent, Some("k"), &event("make", Some("toolu_1"))).await;
    let theirs = hook(&stage, &other, Some("k"), &event("make", Some("toolu_1"))).await;
    assert_ne!(mine["ask_id"], theirs["ask_id"]);
    let path = format!("/api/asks/{}/withdraw", mine["ask_id"].as_str().unwrap());
    assert_eq!(stage.post(&path, &other, json!({})).await.code(), "403 forbidden");
    stage.post(&path, &stage.ann.agent, json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_told_to_the_key_that_asked_and_kept_in_no_sheet() {
    let stage = stage().await;
    let other = stage.desk.access().make_key(KeyRole::Agent, &"ann".into(), "other").await.unwrap().unwrap();
    let other = other.reveal().to_owned();
    let asked = json!({"session_id": "s", "questions": [
        {"question_id": "pw", "question": "Password?", "type": "text", "secret": true}]});
    let asked = post(&stage, &asked).await.ok();
    let path = format!("/api/asks/{}", asked["ask_id"].as_str().unwrap());
    let secret = "hunter2-SECRET-XYZ";
    let sheet = json!({"answers": {"pw": {"other": secret}}});
    let saved = stage.call("PUT", &format!("{path}/sheet"), &stage.ann.person, sheet).await;
    assert!(saved.status == 200 && !saved.text.contains(secret), "{}", saved.text);
    let log = std::fs::read(stage.home.path().join("askuser.db-wal")).unwrap();
    assert!(!log.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()), "a draft is on the disk");
    stage.post(&format!("{path}/answer"), &stage.ann.person, json!({"answers": {"pw": secret}})).await.ok();
    let own = stage.get(&path, &stage.ann.agent).await.text;
    assert!(own.contains(secret), "{own}");
    let session = format!("/api/sessions/{}", asked["session"].as_str().unwrap());
    for path in [path.as_str(), &session, "/api/asks?session=s"] {
        let seen = stage.get(path, &other).await;
        assert!(!seen.text.contains(secret), "{path}: {}", seen.text);
    }
    assert_eq!(stage.get(&path, &other).await.ok()["outcome"]["status"], "answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_audit_log_shows_what_each_caller_was_granted() {
    let stage = stage().await;
    for command in ["echo hello", "rm -rf /home"] {
        let pending = hook(&stage, &stage.ann.agent, None, &event(command, None)).await;
        grant(&stage, pending["ask_id"].as_str().unwrap()).await;
    }
    let log = stage.get("/api/audit?action=answer", &stage.ann.admin).await.ok();
    let entries = log["entries"].as_array().unwrap();
    let granted: Vec<(&str, &str)> = entries
        .iter()
        .map(|entry| {
            let said = &entry["details"]["questions"][0];
            (said["description"].as_str().unwrap(), said["answer"].as_str().unwrap())
        })
        .collect();
    assert!(granted.iter().any(|(what, yes)| what.contains("echo hello") && *yes == "Yes"), "{granted:?}");
    assert!(granted.iter().any(|(what, yes)| what.contains("rm -rf /home") && *yes == "Yes"), "{granted:?}");
    assert!(
        entries.iter().all(|entry| entry["details"]["asked_by"].as_str().is_some_and(|key| key.len() == 32))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_name_is_refused_over_the_socket_and_over_mcp() {
    let stage = stage().await;
    let mut agent = Socket::open(&stage, "", &stage.ann.agent).await;
    let event = |text: &str| {
        let options = json!([{"label": "Yes", "description": "y"}, {"label": "No", "description": "n"}]);
        json!({"type": "ask_user", "eventId": "evt-1", "questions": [
            {"question": text, "header": "H", "options": options}]})
    };
    agent.say(event("Rename a variable?")).await;
    stage.until_open(1).await;
    agent.say(event("Delete the production database?")).await;
    let told = agent.hear().await;
    assert_eq!(told["error"], "conflict", "{told}");
    let session = mcp_sessions::begin(&stage, &stage.ann.agent).await;
    let call = |id: u32, text: &str| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
            "name": "ask_user_question",
            "arguments": {"tool_use_id": "toolu_1", "questions": [{"question": text, "header": "H", "multiSelect": false,
                "options": [{"label": "Yes", "description": "y"}, {"label": "No", "description": "n"}]}]}}})
    };
    let (first, other) = (call(1, "Rename a file?"), call(2, "Delete all files?"));
    let refused = async {
        stage.until_open(2).await;
        let refused = mcp_sessions::post(&stage, &stage.ann.agent, Some(&session), other).await.text;
        let open = stage.get("/api/inbox", &stage.ann.person).await.ok();
        let asked = open["asks"].as_array().unwrap().iter().find(|ask| ask["tool_use_id"] == "toolu_1");
        let path = format!("/api/asks/{}/cancel", asked.unwrap()["ask_id"].as_str().unwrap());
        stage.post(&path, &stage.ann.person, json!({})).await.ok();
        refused
    };
    let (_, refused) =
        tokio::join!(mcp_sessions::post(&stage, &stage.ann.agent, Some(&session), first), refused);
    assert!(
        refused.contains("\"isError\":true") && refused.contains("the tool call id is that of"),
        "{refused}"
    );
}
