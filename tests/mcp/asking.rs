//! Asking and being answered: both forms, each name, every way in which a question ends.

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

#[track_caller]
fn check_answered(result: &Value, question: &str, answer: &str) {
    let expected = format!(
        "User has answered your questions: \"{question}\"=\"{answer}\". You can now continue with the user's answers in mind."
    );
    assert_eq!(text(result), expected);
    assert_eq!(result["isError"], false);
    // The one says what the other says, and says it once: no copy of the text.
    let structured = &result["structuredContent"];
    assert!(structured["result"].is_null(), "{structured}");
    assert_eq!((&structured["status"], &structured["answered_by"]), (&json!("answered"), &json!("person")));
    assert_eq!(structured["answers"][0]["question"], question);
    assert_eq!(structured["answers"][0]["selected"][0]["label"], answer);
}

/// P16, D3: both input forms over the pipes, under each of the tool's names; the text is that of P4.
#[test]
fn p16_d3_a_question_is_asked_and_answered_over_pipes() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    for name in ["ask_user_question", "AskUserQuestion", "askuser", "ASK_USER"] {
        let question = format!("As {name}?");
        let id = pipe.start_call(name, &which(&question));
        home.pick("Beta");
        check_answered(&pipe.result(id), &question, "Beta");
    }
    let pushed = json!({"question_id": "db", "question_text": "Which database?", "type": "multiple_choice",
        "options": [{"id": "pg", "label": "PostgreSQL"}, {"id": "my", "label": "MySQL"}]});
    let id = pipe.start_call("ask_user_question", &pushed);
    home.pick("pg");
    let result = pipe.result(id);
    check_answered(&result, "Which database?", "PostgreSQL");
    assert_eq!(result["structuredContent"]["answers"][0]["question_id"], "db");
    assert_eq!(result["structuredContent"]["answers"][0]["selected"][0]["id"], "pg");
}

/// P16: the same over HTTP, in both eras.
#[test]
fn p16_a_question_is_asked_and_answered_over_http() {
    let home = TestHome::with_daemon();
    let older = Web::open(&home, "codex-mcp-client", json!({}));
    let newer = Web::modern(&home, "claude-code", json!({}));
    for (client, question) in [(&older, "From the older?"), (&newer, "From the newer?")] {
        let mut answer = client.start_call("ask_user_question", &which(question));
        home.pick("Alpha");
        check_answered(&web::result(&mut answer), question, "Alpha");
    }
}

/// E6: a person is asked although nothing was permitted, and what was asked is shown with who asks.
#[test]
fn e6_the_person_sees_who_asks() {
    let home = TestHome::new();
    let folder = home.path().join("shop");
    std::fs::create_dir(&folder).unwrap();
    let mut pipe = Pipe::start_as(home.command(&["mcp"]).current_dir(&folder));
    pipe.initialize("codex-mcp-client", "2025-06-18", json!({}));
    let arguments = which("Ship it?");
    let meta = json!({"callId": "call_1", "threadId": "thread_1"});
    pipe.ask("tools/call", json!({"name": "ask_user_question", "arguments": arguments, "_meta": meta}));
    let ask = home.until_open(1).remove(0);
    assert_eq!(ask["asker"], json!({"agent": "codex", "project": "shop", "folder": "~/shop"}));
}

#[test]
fn the_roots_of_an_older_client_name_its_project() {
    let home = TestHome::new();
    let mut pipe = Pipe::start(&home);
    pipe.initialize("some-editor", "2025-06-18", json!({"roots": {"listChanged": true}}));
    let id = pipe.start_call("ask_user_question", &which("Where am I?"));
    let asked = pipe.method("roots/list");
    let roots = json!({"roots": [{"uri": "file:///srv/my%20shop", "name": "shop"}]});
    pipe.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": roots}));
    let ask = home.until_open(1).remove(0);
    assert_eq!(ask["asker"]["folder"], "/srv/my shop");
    home.pick("Alpha");
    pipe.result(id);
}

/// O5: a deadline that passes is an error with these words and nothing of our protocol; a person who
/// declines is an error with their reason.
#[test]
fn o5_what_is_not_answered_is_told_apart() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let mut timed = which("Soon?");
    timed["timeoutMs"] = json!(300);
    let result = pipe.call("ask_user_question", &timed);
    let words =
        "ask_user timeout: no response. Please decide whether to retry when the user sends a new message.";
    assert_eq!((text(&result), &result["isError"]), (words, &json!(true)));
    assert_eq!(result["structuredContent"]["status"], "timeout");
    let id = pipe.start_call("ask_user_question", &which("Really?"));
    home.decline("not today");
    let result = pipe.result(id);
    assert_eq!((text(&result), &result["isError"]), ("The user declined to answer: not today", &json!(true)));
}

/// O6: the policy as an argument, and from the environment where the call names none.
#[test]
fn o6_the_policy_is_an_argument_or_a_variable() {
    let home = TestHome::with_daemon();
    let timed = |question: &str, policy: Value| {
        json!({"question_text": question, "type": "multiple_choice", "timeoutMs": 300, "timeoutPolicy": policy,
            "options": [{"id": "a", "label": "Alpha", "default": true}, {"id": "b", "label": "Beta"}]})
    };
    let mut pipe = Pipe::open(&home, "claude-code");
    let result = pipe.call("ask_user_question", &timed("By argument?", json!("use_default")));
    assert_eq!(
        (&result["isError"], &result["structuredContent"]["answered_by"]),
        (&json!(false), &json!("default"))
    );
    assert!(text(&result).starts_with("Nobody answered in time, so the defaults that you marked were taken"));
    assert_eq!(pipe.call("ask_user_question", &timed("By nothing?", Value::Null))["isError"], true);
    let mut set = Pipe::start_as(home.command(&["mcp"]).env("ASK_USER_TIMEOUT_POLICY", "use_default"));
    set.initialize("claude-code", "2025-06-18", json!({}));
    assert_eq!(set.call("ask_user_question", &timed("By variable?", Value::Null))["isError"], false);
}

#[test]
fn wrong_arguments_are_a_result_that_names_every_fault() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    let wrong = json!({"timeoutMs": -1, "questions": [
        {"question": 7, "header": "H", "options": [{"label": "A"}, {"label": "A"}]},
        {"question": "Q?", "header": "I", "options": "none"}]});
    let result = pipe.call("ask_user_question", &wrong);
    assert_eq!(result["isError"], true);
    for path in ["timeoutMs", "questions[0].question", "questions[1].options"] {
        assert!(text(&result).contains(path), "{path}: {}", text(&result));
    }
    assert!(
        text(&result).contains("Nothing was asked. Fix this and call again. A question is {"),
        "{result}"
    );
    for (tool, arguments, path) in [
        ("ask_user_question", json!({}), "questions"),
        ("wait_for_answer", json!({}), "ask_id"),
        ("wait_for_answer", json!({"ask_id": "ask_x", "max_wait_ms": "soon"}), "max_wait_ms"),
        ("cancel_ask", json!({"ask_id": 7}), "ask_id"),
    ] {
        let result = pipe.call(tool, &arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}");
        assert!(text(&result).contains(path), "{}", text(&result));
        // It speaks of the tool that was called.
        let of_questions = tool == "ask_user_question";
        assert_eq!(text(&result).contains("Nothing was asked"), of_questions, "{}", text(&result));
        assert_eq!(text(&result).contains(tool), !of_questions, "{}", text(&result));
    }
    // None of it needed a desk.
    assert!(home.home.running().is_none());
}

/// What models get wrong is read as they meant it, also by the daemon behind the pipes.
#[test]
fn slips_of_models_are_asked_as_they_were_meant() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    let web = Web::modern(&home, "claude-code", json!({})).with_query("?hold=0.1");
    let labels =
        json!([{"question": "Labels?", "header": "L", "multiSelect": "true", "options": ["Alpha", "Beta"]}]);
    for (name, questions, answer, said) in [
        ("list", labels.clone(), "Alpha", "\"Labels?\"=\"Alpha\""),
        ("text", labels.to_string().into(), "Beta", "\"Labels?\"=\"Beta\""),
        ("one", labels[0].clone(), "Beta", "\"Labels?\"=\"Beta\""),
        (
            "open",
            json!([{"question": "Which DB?", "header": "DB"}]),
            "we \"have\" MySQL",
            r#""Which DB?"="we \"have\" MySQL"."#,
        ),
    ] {
        let arguments = json!({ "questions": questions });
        let id = pipe.start_call("ask_user_question", &arguments);
        home.pick(answer);
        let result = pipe.result(id);
        assert!(text(&result).contains(said), "{name}: {result}");
        let pending = web.call("ask_user_question", &arguments);
        let ask_id = pending["structuredContent"]["ask_id"].clone();
        assert!(ask_id.is_string(), "{name}: {pending}");
        home.pick(answer);
        let result = web.call("wait_for_answer", &json!({ "ask_id": ask_id }));
        assert!(text(&result).contains(said), "{name}: {result}");
    }
    // P9: what says that it is a choice needs something to choose from.
    let choice = json!({"questions": [{"question": "Which?", "header": "H", "multiSelect": true}]});
    let refused = pipe.call("ask_user_question", &choice);
    let words = text(&refused);
    assert!(
        words.contains("questions[0].options: is missing") && words.contains("leave out options"),
        "{words}"
    );
}

/// O4, O5: a timeout that ends the task reads differently, and what a call was just told is not listed.
#[test]
fn o4_a_timeout_that_aborts_reads_differently_and_is_not_listed() {
    let home = TestHome::with_daemon();
    let mut pipe = Pipe::open(&home, "claude-code");
    for (policy, words) in
        [("abort_task", "stop now, do not retry"), ("return_cancel", "decide whether to retry")]
    {
        let mut timed = which(&format!("{policy}?"));
        timed["timeoutMs"] = json!(200);
        timed["timeoutPolicy"] = json!(policy);
        let result = pipe.call("ask_user_question", &timed);
        assert!(result["isError"] == true && text(&result).contains(words), "{result}");
        let listed = pipe.call("list_asks", &json!({}));
        assert_eq!(listed["structuredContent"]["asks"], json!([]), "{listed}");
    }
}

#[test]
fn a_desk_that_cannot_be_had_is_said_and_what_to_do() {
    let home = TestHome::new();
    std::fs::write(home.home.folder(), "a file where the folder should be").unwrap();
    let mut pipe = Pipe::open(&home, "claude-code");
    let result = pipe.call("ask_user_question", &which("Anybody?"));
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("askuser did not start"), "{}", text(&result));
    assert!(text(&result).contains("askuser doctor"), "{}", text(&result));
}
