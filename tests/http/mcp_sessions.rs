//! The sessions of older MCP clients: whose they are, how many, how long; and what a key may as a whole.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::stage::{Reply, Stage, ask, choice, stage, stage_configured};

const BOTH: &str = "application/json, text/event-stream";

fn headers<'a>(bearer: &'a str, session: Option<&'a str>) -> Vec<(&'a str, &'a str)> {
    let mut headers = vec![("authorization", bearer), ("accept", BOTH), ("content-type", "application/json")];
    if let Some(session) = session {
        headers.extend([("mcp-session-id", session), ("mcp-protocol-version", "2025-06-18")]);
    }
    headers
}

pub(crate) async fn post(stage: &Stage, key: &str, session: Option<&str>, message: Value) -> Reply {
    let bearer = format!("Bearer {key}");
    stage.send("POST", "/mcp", &headers(&bearer, session), message.to_string()).await
}

/// Begins a session; returns its id.
pub(crate) async fn begin(stage: &Stage, key: &str) -> String {
    let reply = initialize(stage, key).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let session = reply.header("mcp-session-id").unwrap().to_owned();
    let noted = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    assert_eq!(post(stage, key, Some(&session), noted).await.status, 202);
    session
}

async fn initialize(stage: &Stage, key: &str) -> Reply {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    post(stage, key, None, json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})).await
}

async fn list_tools(stage: &Stage, key: &str, session: &str) -> Reply {
    post(stage, key, Some(session), json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"})).await
}

/// S7: whoever knew the id of a session had it, with what its calls were told.
#[tokio::test(flavor = "multi_thread")]
async fn s7_an_mcp_session_is_its_keys_and_nobody_elses() {
    let stage = stage().await;
    let session = begin(&stage, &stage.ann.agent).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask_user_question",
        "arguments": {"questions": [{"question": "What is the secret plan?", "header": "H", "multiSelect": false,
            "options": [{"label": "alpha", "description": "a"}, {"label": "beta", "description": "b"}]}]}}});
    let answering = async {
        stage.until_open(1).await;
        let open = stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"][0].clone();
        let question = open["questions"][0]["question_id"].as_str().unwrap().to_owned();
        let path = format!("/api/asks/{}/answer", open["ask_id"].as_str().unwrap());
        stage.post(&path, &stage.ann.person, json!({"answers": {question: "alpha"}})).await.ok();
    };
    let (called, ()) = tokio::join!(post(&stage, &stage.ann.agent, Some(&session), call), answering);
    assert!(called.text.contains("alpha"), "{}", called.text);
    let another = stage.desk.access().make_key(askuser_desk::KeyRole::Agent, &"ann".into(), "another").await;
    let another = another.unwrap().unwrap().reveal().to_owned();
    for key in [&stage.bob.agent, &another] {
        let bearer = format!("Bearer {key}");
        let mut resuming = headers(&bearer, Some(&session));
        resuming.push(("last-event-id", "0/0"));
        let stream = headers(&bearer, Some(&session));
        let replies = [
            stage.send("GET", "/mcp", &resuming, "").await,
            stage.send("GET", "/mcp", &stream, "").await,
            stage.send("DELETE", "/mcp", &stream, "").await,
            list_tools(&stage, key, &session).await,
        ];
        let unknown = list_tools(&stage, key, "00000000-0000-0000-0000-000000000000").await;
        for reply in &replies {
            assert_eq!(reply.code(), "404 session_not_found");
            assert_eq!(reply.text, unknown.text, "not to be told from a session that is not there");
        }
    }
    let events = stage.get("/api/security", &stage.ann.admin).await;
    let until = Instant::now() + Duration::from_secs(10);
    let mut events = events.ok();
    while !events.to_string().contains("\"/mcp\"") {
        assert!(Instant::now() < until, "{events}");
        events = stage.get("/api/security", &stage.ann.admin).await.ok();
    }
    // It is still its own key's: what a call was told can be had again, and it goes on.
    let bearer = format!("Bearer {}", stage.ann.agent);
    assert_eq!(list_tools(&stage, &stage.ann.agent, &session).await.status, 200);
    let ended = stage.send("DELETE", "/mcp", &headers(&bearer, Some(&session)), "").await;
    assert_eq!(ended.status, 202, "{}", ended.text);
    assert_eq!(list_tools(&stage, &stage.ann.agent, &session).await.code(), "404 session_not_found");
    let again = stage.send("DELETE", "/mcp", &headers(&bearer, Some(&session)), "").await;
    assert_eq!(again.code(), "404 session_not_found");
}

/// S5: a key that begins more sessions than it may loses the one that it has not used for the longest, and
/// takes nothing from another key.
#[tokio::test(flavor = "multi_thread")]
async fn s5_a_key_that_begins_too_many_sessions_loses_its_own_oldest() {
    let stage = stage().await;
    let bobs = begin(&stage, &stage.bob.agent).await;
    let first = begin(&stage, &stage.ann.agent).await;
    let second = begin(&stage, &stage.ann.agent).await;
    for _ in 0..askuser_mcp::SESSIONS_PER_KEY_MAX - 2 {
        begin(&stage, &stage.ann.agent).await;
    }
    assert_eq!(list_tools(&stage, &stage.ann.agent, &first).await.status, 200);
    begin(&stage, &stage.ann.agent).await;
    assert_eq!(list_tools(&stage, &stage.ann.agent, &second).await.code(), "404 session_not_found");
    assert_eq!(list_tools(&stage, &stage.ann.agent, &first).await.status, 200, "it was used since");
    assert_eq!(list_tools(&stage, &stage.bob.agent, &bobs).await.status, 200, "another key's");
}

/// A session that nobody uses ends.
#[tokio::test(flavor = "multi_thread")]
async fn s5_a_session_that_nobody_uses_ends() {
    let (stage, _rates) = stage_configured("mcp: {session_idle: 1}").await;
    let session = begin(&stage, &stage.ann.agent).await;
    let until = Instant::now() + Duration::from_secs(10);
    // Looking is using: so long apart that it is idle in between.
    loop {
        tokio::time::sleep(Duration::from_millis(1700)).await;
        let reply = list_tools(&stage, &stage.ann.agent, &session).await;
        if reply.status == 404 {
            break;
        }
        assert!(Instant::now() < until, "it never ended: {}", reply.text);
    }
}

/// S6: the name of a session, which the caller chooses, raised every limit without an end.
#[tokio::test(flavor = "multi_thread")]
async fn s6_a_name_that_the_caller_chooses_never_raises_the_whole() {
    let config = "ask_user_question: {rate_limit_requests: 2}\nserver: {key_rate_factor: 3}";
    let (stage, _rates) = stage_configured(config).await;
    let mut n_asked = 0;
    for number in 0..20 {
        let asked = ask(&format!("s{number}"), &[choice("q")]);
        n_asked += usize::from(stage.post("/api/asks", &stage.ann.agent, asked).await.status == 201);
    }
    assert_eq!(n_asked, 6, "two for a session, three times as many for the key");
    let mut n_read = 0;
    for number in 0..200 {
        let path = format!("/api/sessions?session=s{number}");
        n_read += usize::from(stage.get(&path, &stage.ann.agent).await.status == 200);
    }
    assert!((60..70).contains(&n_read), "{n_read}: ten times as many reads");
    // /mcp counts as well, whatever its query says.
    let bearer = format!("Bearer {}", stage.ann.agent);
    let refused = stage.send("POST", "/mcp?session=new", &headers(&bearer, None), "{}").await;
    assert_eq!(refused.code(), "429 rate_limited");
    let mut n_answered = 0;
    for number in 0..20 {
        let body = json!({"session_id": format!("s{number}"), "question_id": "q"});
        n_answered +=
            usize::from(stage.post("/api/task/cancel", &stage.ann.person, body).await.status != 429);
    }
    assert_eq!(n_answered, 6);
    assert_eq!(
        stage.get("/api/sessions", &stage.bob.agent).await.status,
        200,
        "another key is not concerned"
    );
}
