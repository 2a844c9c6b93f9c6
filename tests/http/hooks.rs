//! Agents' hooks over HTTP: each event with the decision that its agent reads, word for word.

use serde_json::{Value, json};

use crate::stage::{Reply, Stage, stage};

fn question() -> Value {
    json!({"questions": [
        {"question": "Which framework?", "header": "Framework", "multiSelect": false,
         "options": [{"label": "React", "description": "usual"}, {"label": "Vue", "description": "other"}]},
        {"question": "Which extras?", "header": "Extras", "multiSelect": true,
         "options": [{"label": "Tests", "description": "t"}, {"label": "Docs", "description": "d"}]},
    ]})
}

/// An event of Claude Code.
fn claude(name: &str, tool: &str, input: &Value) -> Value {
    json!({
        "session_id": "abc123", "transcript_path": "/home/u/t.jsonl", "cwd": "/home/u/shop",
        "permission_mode": "default", "hook_event_name": name, "tool_name": tool, "tool_input": input,
    })
}

async fn post(stage: &Stage, agent: &str, mode: &str, event: &Value) -> Reply {
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str()), ("x-askuser-mode", mode)];
    stage.send("POST", &format!("/api/hooks/{agent}"), &headers, event.to_string()).await
}

async fn open(stage: &Stage) -> Vec<Value> {
    stage.get("/api/inbox", &stage.ann.person).await.ok()["asks"].as_array().unwrap().clone()
}

/// Sends an event; once its ask is open, a person acts on it with a cookie; returns ask and decision.
async fn decided(
    stage: &Stage,
    agent: &str,
    mode: &str,
    event: &Value,
    verb: &str,
    body: Value,
) -> (Value, Value) {
    let cookie = stage.sign_in().await;
    let origin = stage.origin();
    let act = async {
        stage.until_open(1).await;
        let ask = open(stage).await.remove(0);
        let path = format!("/api/asks/{}/{verb}", ask["ask_id"].as_str().unwrap());
        let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
        stage.send("POST", &path, &headers, body.to_string()).await.ok();
        ask
    };
    let (reply, ask) = tokio::join!(post(stage, agent, mode, event), act);
    assert_eq!(reply.status, 200, "{}", reply.text);
    (ask, reply.json())
}

/// The answers go into the input, beside the questions word for word; the ask says who asks.
#[tokio::test(flavor = "multi_thread")]
async fn claudes_question_is_answered_in_its_own_words() {
    let stage = stage().await;
    let answers =
        json!({"answers": {"r1q1": "React", "r1q2": ["Tests", "Docs"]}, "notes": {"r1q1": "prefer 19"}});
    let mut event = claude("PreToolUse", "AskUserQuestion", &question());
    event["tool_use_id"] = json!("toolu_1");
    let (ask, decision) = decided(&stage, "claude-code", "headless", &event, "answer", answers).await;
    assert_eq!(ask["asker"], json!({"agent": "claude-code", "project": "shop", "folder": "/home/u/shop"}));
    let mut updated = question();
    updated["answers"] = json!({"Which framework?": "React", "Which extras?": "Tests, Docs"});
    updated["annotations"] = json!({"Which framework?": {"notes": "prefer 19"}});
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow",
            "permissionDecisionReason": "answered through askuser (web)", "updatedInput": updated,
        }})
    );
    // The same call again, as a resumed run makes it, finds its answer.
    let again = post(&stage, "claude-code", "headless", &event).await.json();
    assert_eq!(again, decision);
    let event = claude("PermissionRequest", "AskUserQuestion", &question());
    let answers = json!({"answers": {"r2q1": {"other": "Svelte"}, "r2q2": ["Docs"]}});
    let (_, decision) = decided(&stage, "claude-code", "interactive", &event, "answer", answers).await;
    let mut updated = question();
    updated["answers"] = json!({"Which framework?": "Svelte", "Which extras?": "Docs"});
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest",
            "decision": {"behavior": "allow", "updatedInput": updated}}})
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn allow_is_never_said_without_answers() {
    let stage = stage().await;
    let reason = json!({"reason": "not now"});
    let event = claude("PreToolUse", "AskUserQuestion", &question());
    let (_, decision) = decided(&stage, "claude-code", "headless", &event, "cancel", reason.clone()).await;
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
            "permissionDecisionReason": "The user declined to answer: not now"}})
    );
    let event = claude("PermissionRequest", "AskUserQuestion", &question());
    let (_, decision) = decided(&stage, "claude-code", "interactive", &event, "cancel", reason).await;
    assert_eq!(
        decision["hookSpecificOutput"]["decision"],
        json!({"behavior": "deny", "message": "The user declined to answer: not now"})
    );
    // Questions that cannot be asked as they are: the agent's own dialog does it.
    for input in [
        json!({}),
        json!({"questions": "x"}),
        json!({"questions": [question()["questions"][0], question()["questions"][0]]}),
    ] {
        let event = claude("PreToolUse", "AskUserQuestion", &input);
        let said = post(&stage, "claude-code", "headless", &event).await.json();
        assert!(said["systemMessage"].as_str().unwrap().contains("does not fit"), "{said}");
        assert!(said.get("hookSpecificOutput").is_none());
    }
    // And what is none of our business.
    for (mode, event) in [
        ("interactive", claude("PreToolUse", "AskUserQuestion", &question())),
        ("headless", claude("PermissionRequest", "AskUserQuestion", &question())),
        ("headless", claude("PreToolUse", "Bash", &json!({"command": "ls"}))),
        ("interactive", json!({"hook_event_name": "Notification", "session_id": "abc123", "message": "m"})),
        ("interactive", json!({})),
    ] {
        assert_eq!(post(&stage, "claude-code", mode, &event).await.json(), json!({}), "{event}");
    }
    assert_eq!(post(&stage, "nobody", "headless", &json!({})).await.code(), "404 not_found");
    assert!(open(&stage).await.is_empty());
}

/// Invariant 6: what is to be run is shown in full, and only the page or a terminal grants it.
#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_granted_on_the_page_only() {
    let stage = stage().await;
    let input = json!({"command": "rm -rf build\n# really", "timeout": 5});
    let event = claude("PermissionRequest", "Bash", &input);
    let by_key = async {
        stage.until_open(1).await;
        let ask = open(&stage).await.remove(0);
        assert_eq!(ask["questions"][0]["question"], "Allow claude-code to use `Bash`?");
        assert_eq!(ask["questions"][0]["description"], format!("{input:#}"));
        assert_eq!(ask["purpose"], "permission");
        let path = format!("/api/asks/{}/answer", ask["ask_id"].as_str().unwrap());
        let refused = stage.post(&path, &stage.ann.person, json!({"answers": {"r1q1": true}})).await;
        assert_eq!(refused.code(), "403 forbidden");
        // Another command is another question: one yes never grants both.
        let other = claude("PermissionRequest", "Bash", &json!({"command": "rm -rf /"}));
        let other = async { post(&stage, "claude-code", "interactive", &other).await };
        let both = async {
            stage.until_open(2).await;
            stage
                .post(
                    &format!("/api/asks/{}/cancel", open(&stage).await[1]["ask_id"].as_str().unwrap()),
                    &stage.ann.person,
                    json!({}),
                )
                .await
                .ok();
        };
        let (other, ()) = tokio::join!(other, both);
        assert_eq!(other.json()["hookSpecificOutput"]["decision"]["behavior"], "deny");
    };
    let yes = |id: &str| json!({"answers": {id: true}});
    let (first, ()) = tokio::join!(post(&stage, "claude-code", "interactive", &event), async {
        by_key.await;
        let ask = open(&stage).await.remove(0);
        let cookie = stage.sign_in().await;
        let origin = stage.origin();
        let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
        let path = format!("/api/asks/{}/answer", ask["ask_id"].as_str().unwrap());
        stage.send("POST", &path, &headers, yes("r1q1").to_string()).await.ok();
    });
    assert_eq!(
        first.json()["hookSpecificOutput"]["decision"],
        json!({"behavior": "allow", "updatedInput": input})
    );
    let no = json!({"answers": {"r1q1": false}, "notes": {"r1q1": "use make clean"}});
    let event = json!({"session_id": "t", "cwd": "/p", "hook_event_name": "PermissionRequest", "tool_name": "shell",
        "tool_input": {"command": ["ls"]}, "turn_id": "1"});
    let (_, decision) = decided(&stage, "codex", "headless", &event, "answer", no).await;
    assert_eq!(
        decision["hookSpecificOutput"]["decision"],
        json!({"behavior": "deny", "message": "The user said no: use make clean"})
    );
    let (_, decision) = decided(&stage, "codex", "headless", &event, "answer", yes("r2q1")).await;
    assert_eq!(
        decision["hookSpecificOutput"]["decision"],
        json!({"behavior": "allow"}),
        "codex takes no input"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn codex_and_gemini_are_answered_by_a_no_with_the_answers() {
    let stage = stage().await;
    let codex = json!({"session_id": "t1", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_use_id": "call_1",
        "tool_name": "request_user_input", "tool_input": {"questions": [{"id": "db", "header": "DB",
            "question": "Which database?", "options": [{"label": "SQLite", "description": "s"}, {"label": "PG", "description": "p"}]}]}});
    let answer = json!({"answers": {"db": "PG"}});
    let (_, decision) = decided(&stage, "codex", "headless", &codex, "answer", answer).await;
    let text = "User has answered your questions: \"Which database?\"=\"PG\". You can now continue with the user's answers in mind.";
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny",
            "permissionDecisionReason": text.trim_end_matches('.')}}),
        "Codex puts a full stop after it"
    );
    let gemini = json!({"session_id": "g", "cwd": "/p", "hook_event_name": "BeforeTool", "tool_name": "ask_user",
        "tool_input": {"questions": [{"question": "Which database?", "header": "DB", "type": "choice",
            "options": [{"label": "SQLite", "description": "s"}, {"label": "PG", "description": "p"}]}]}});
    let answer = json!({"answers": {"r1q1": "PG"}});
    let (_, decision) = decided(&stage, "gemini", "headless", &gemini, "answer", answer).await;
    assert_eq!(decision, json!({"decision": "deny", "reason": text}));
    for event in [
        json!({"hook_event_name": "BeforeTool", "tool_name": "shell"}),
        json!({"hook_event_name": "AfterTool"}),
    ] {
        assert_eq!(post(&stage, "gemini", "headless", &event).await.json(), json!({}));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_servers_form_is_asked_and_our_own_is_not() {
    let stage = stage().await;
    let event = |server: &str| {
        json!({"session_id": "abc", "cwd": "/p", "hook_event_name": "Elicitation", "mcp_server_name": server,
        "message": "Which DB?", "mode": "form", "requested_schema": {"type": "object",
            "properties": {"db": {"type": "string", "enum": ["pg", "lite"]}}, "required": ["db"]}})
    };
    let answer = json!({"answers": {"db": "pg"}});
    let (ask, decision) = decided(&stage, "claude-code", "headless", &event("other"), "answer", answer).await;
    // The message is what is asked; the name of the field is no more than its label.
    let question = &ask["questions"][0];
    assert_eq!((&question["question"], &question["header"]), (&json!("Which DB?"), &json!("db")));
    assert_eq!(ask["context"], "(asked by the MCP server `other`)");
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {"action": "accept", "content": {"db": "pg"}, "hookEventName": "Elicitation"}})
    );
    let (_, decision) =
        decided(&stage, "claude-code", "headless", &event("other"), "cancel", json!({})).await;
    assert_eq!(
        decision,
        json!({"hookSpecificOutput": {"action": "decline", "hookEventName": "Elicitation"}})
    );
    for own in ["askuser", "plugin:askuser:askuser"] {
        assert_eq!(post(&stage, "claude-code", "headless", &event(own)).await.json(), json!({}));
    }
    let mut url = event("other");
    url["mode"] = json!("url");
    assert_eq!(post(&stage, "claude-code", "headless", &url).await.json(), json!({}));
}

/// The race: answered in the agent's own dialog, so our card is taken back, says so, and the hook
/// that lost says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_settled_in_the_agents_own_dialog_is_taken_back() {
    let stage = stage().await;
    let asked = claude("PermissionRequest", "AskUserQuestion", &question());
    let mut answered = question();
    answered["answers"] = json!({"Which framework?": "Vue"});
    let mut other_session = claude("Stop", "", &Value::Null);
    other_session["session_id"] = json!("another");
    let mut other_thread = claude("Stop", "", &Value::Null);
    other_thread["agent_id"] = json!("sub");
    for (settled, reason) in [
        (claude("PostToolUse", "AskUserQuestion", &answered), "settled in the agent's own dialog"),
        (claude("PostToolUseFailure", "AskUserQuestion", &question()), "settled in the agent's own dialog"),
        (claude("UserPromptSubmit", "", &Value::Null), "the agent has gone on without it"),
        (claude("Stop", "", &Value::Null), "the agent has gone on without it"),
        (claude("SessionEnd", "", &Value::Null), "the agent's conversation has ended"),
    ] {
        let tell = async {
            stage.until_open(1).await;
            let ask = open(&stage).await.remove(0);
            // Others' events, and other calls of this session, take nothing.
            for event in
                [&claude("PostToolUse", "Bash", &json!({"command": "ls"})), &other_session, &other_thread]
            {
                assert_eq!(post(&stage, "claude-code", "interactive", event).await.json(), json!({}));
            }
            assert_eq!(open(&stage).await.len(), 1, "{settled}");
            post(&stage, "claude-code", "interactive", &settled).await.ok();
            ask
        };
        let (lost, ask) = tokio::join!(post(&stage, "claude-code", "interactive", &asked), tell);
        assert_eq!(lost.json(), json!({}), "the hook that lost steps aside");
        let path = format!("/api/asks/{}", ask["ask_id"].as_str().unwrap());
        let outcome = stage.get(&path, &stage.ann.person).await.ok()["outcome"].clone();
        assert_eq!((&outcome["status"], &outcome["comment"]), (&json!("cancelled"), &json!(reason)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_waits_in_pieces_is_told_pending_and_joins_again() {
    let stage = stage().await;
    let mut event = claude("PreToolUse", "AskUserQuestion", &question());
    event["tool_use_id"] = json!("toolu_9");
    let bearer = format!("Bearer {}", stage.ann.agent);
    let headers = [("authorization", bearer.as_str()), ("x-askuser-mode", "headless")];
    let mut ids = Vec::new();
    for _ in 0..3 {
        let reply = stage.send("POST", "/api/hooks/claude-code?wait=0.01", &headers, event.to_string()).await;
        assert_eq!((reply.status, &reply.json()["status"]), (202, &json!("pending")));
        ids.push(reply.json()["ask_id"].clone());
    }
    assert!(ids.iter().all(|id| *id == ids[0]));
    let answers = json!({"answers": {"r1q1": "Vue", "r1q2": ["Docs"]}});
    stage
        .post(&format!("/api/asks/{}/answer", ids[0].as_str().unwrap()), &stage.ann.person, answers)
        .await
        .ok();
    let reply = stage.send("POST", "/api/hooks/claude-code?wait=5", &headers, event.to_string()).await.ok();
    assert_eq!(reply["hookSpecificOutput"]["updatedInput"]["answers"]["Which framework?"], "Vue");
}

/// An event of opencode's bus, as its plugin hands it on.
fn opencode(kind: &str, properties: &Value) -> Value {
    json!({"id": "evt_1", "type": kind, "properties": properties, "cwd": "/home/u/shop"})
}

fn opencode_asks(question_id: &str) -> Value {
    let questions = json!([
        {"question": "Which framework?", "header": "Framework",
         "options": [{"label": "React", "description": "usual"}, {"label": "Vue", "description": "other"}]},
        {"question": "Which extras?", "header": "Extras", "multiple": true,
         "options": [{"label": "Tests", "description": "t"}, {"label": "Docs", "description": "d"}]},
    ]);
    let tool = json!({"messageID": "msg_1", "callID": "call_0"});
    opencode(
        "question.asked",
        &json!({"id": question_id, "sessionID": "ses_1", "questions": questions, "tool": tool}),
    )
}

/// Lists of words by place, as its API takes them; a note stands among them, since nothing else is taken.
#[tokio::test(flavor = "multi_thread")]
async fn opencodes_question_is_answered_in_its_own_words() {
    let stage = stage().await;
    let answers =
        json!({"answers": {"r1q1": "React", "r1q2": ["Tests", "Docs"]}, "notes": {"r1q1": "prefer 19"}});
    let (ask, decision) =
        decided(&stage, "opencode", "interactive", &opencode_asks("que_1"), "answer", answers).await;
    assert_eq!(ask["asker"], json!({"agent": "opencode", "project": "shop", "folder": "/home/u/shop"}));
    assert_eq!(decision, json!({"answers": [["React", "(note: prefer 19)"], ["Tests", "Docs"]]}));
    // Another question is another, whatever the model calls its call.
    let answers = json!({"answers": {"r2q1": "Vue", "r2q2": ["Docs"]}});
    let (_, decision) =
        decided(&stage, "opencode", "interactive", &opencode_asks("que_2"), "answer", answers).await;
    assert_eq!(decision, json!({"answers": [["Vue"], ["Docs"]]}));
    let no = json!({"reason": "not now"});
    let (_, decision) =
        decided(&stage, "opencode", "interactive", &opencode_asks("que_3"), "cancel", no).await;
    assert!(decision["reject"].as_str().unwrap().contains("not now"), "{decision}");
    assert_eq!(decision.as_object().unwrap().len(), 1, "{decision}");
}

/// Each of its ways to be done with a question takes back that question and no other.
#[tokio::test(flavor = "multi_thread")]
async fn opencodes_question_settled_in_its_own_dialog_is_taken_back() {
    let stage = stage().await;
    let done = |kind: &str, question_id: &str| {
        let properties = json!({"sessionID": "ses_1", "requestID": question_id, "answers": [["Vue"]]});
        opencode(kind, &properties)
    };
    for (kind, reason) in [
        ("question.replied", "settled in the agent's own dialog"),
        ("question.rejected", "settled in the agent's own dialog"),
        ("askuser.gone", "the agent no longer waits for it"),
    ] {
        let question_id = format!("que_{kind}");
        let (asked, settled) = (opencode_asks(&question_id), done(kind, &question_id));
        let settle = async {
            stage.until_open(1).await;
            let ask = open(&stage).await.remove(0);
            let nothing = post(&stage, "opencode", "interactive", &done(kind, "que_of_another")).await;
            assert_eq!(nothing.json(), json!({}));
            assert_eq!(open(&stage).await.len(), 1, "another question's end is not this one's");
            assert_eq!(post(&stage, "opencode", "interactive", &settled).await.json(), json!({}));
            ask["ask_id"].as_str().unwrap().to_owned()
        };
        let (reply, id) = tokio::join!(post(&stage, "opencode", "interactive", &asked), settle);
        assert_eq!(reply.json(), json!({}), "nothing is said");
        let ask = stage.get(&format!("/api/asks/{id}"), &stage.ann.agent).await.ok();
        assert_eq!(ask["outcome"]["comment"], reason);
    }
}
