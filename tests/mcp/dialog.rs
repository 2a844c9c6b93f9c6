//! The agent's own dialog: asked beside the others, where it is wanted; the first answer wins.

use std::time::Duration;

use serde_json::{Value, json};

use crate::home::{TestHome, eventually, which};
use crate::pipe::{Pipe, text};
use crate::web::{self, Web};

const ON: (&str, &str) = ("ASKUSER_AGENT_DIALOG", "on");
/// What the model reads behind P4's words.
const UNSEEN: &str =
    " (These answers came through the agent's own dialog: askuser did not see who gave them.)";

/// An older client with dialogs, in a home whose daemon is there.
fn older(home: &TestHome) -> Pipe {
    let mut pipe = Pipe::start(home);
    pipe.initialize("claude-code", "2025-11-25", json!({"elicitation": {}}));
    pipe
}

fn newer(home: &TestHome) -> Pipe {
    let capabilities = json!({"elicitation": {"form": {}}});
    Pipe::start(home).modern("claude-code", capabilities)
}

fn reply(pipe: &mut Pipe, request: &Value, result: &Value) {
    pipe.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
}

/// The name of the form's first field.
fn field(params: &Value) -> String {
    params["requestedSchema"]["properties"].as_object().unwrap().keys().next().unwrap().clone()
}

/// The id of what the form's field offers under a label.
fn choice(params: &Value, label: &str) -> Value {
    let offered = params["requestedSchema"]["properties"][field(params)]["oneOf"].as_array().unwrap().clone();
    offered.iter().find(|one| one["title"] == label).unwrap()["const"].clone()
}

#[track_caller]
fn check_by_dialog(home: &TestHome, ask: &Value) {
    let ask = home.ask(ask["ask_id"].as_str().unwrap());
    assert_eq!(ask["outcome"]["by"]["channel"], "agent_dialog", "{ask}");
    assert_eq!(ask["outcome"]["by"]["proof"], "agent_dialog");
    assert_eq!(ask["outcome"]["answered_by"], "agent_dialog");
    assert_eq!(ask["outcome"]["reason"], "user");
    let program = ask["outcome"]["by"]["program"]["path"].as_str().unwrap();
    assert!(program.starts_with("claude-code "), "{ask}");
}

#[test]
fn an_older_client_is_asked_beside_and_its_answer_counts() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = older(&home);
    let id = pipe.start_call("ask_user_question", &which("In your dialog?"));
    let asked = pipe.method("elicitation/create");
    let params = &asked["params"];
    assert_eq!(params["requestedSchema"]["properties"][field(params)]["title"], "In your dialog?");
    let ask = home.until_open(1).remove(0);
    let content = json!({ field(params): choice(params, "Beta") });
    reply(&mut pipe, &asked, &json!({"action": "accept", "content": content}));
    assert!(text(&pipe.result(id)).contains("\"In your dialog?\"=\"Beta\""));
    check_by_dialog(&home, &ask);
}

/// B2: one variable made our own server let an agent answer itself, under `answered_by: person`. Only the
/// desk's configuration switches the dialog on, and whoever tries without it is noted.
#[test]
fn b2_no_variable_lets_an_agent_answer_itself() {
    let home = TestHome::with_daemon();
    let mut agent = Pipe::start_as(home.command(&["mcp"]).envs([("CLAUDECODE", "1"), ON]));
    agent.initialize("claude-code", "2025-11-25", json!({"elicitation": {}}));
    let id = agent.start_call("ask_user_question", &which("Delete the production database?"));
    let ask = home.until_open(1).remove(0);
    let ask_id = ask["ask_id"].as_str().unwrap();
    // It does not need our server: whatever it sends with its own key is refused by the desk.
    let question = ask["questions"][0]["question_id"].as_str().unwrap();
    let answers = json!({"answers": {question: "Alpha"}, "client": "claude-code 1.0"});
    for way in ["dialog", "answer"] {
        let path = format!("/api/asks/{ask_id}/{way}");
        let (status, told) = home.call_as("agent", "POST", &path, Some(&answers));
        assert_eq!((status, &told["error"]), (403, &json!("forbidden")), "{way}: {told}");
    }
    let forged = |event: &Value| event["event_type"] == "forged_response";
    let security =
        || home.call_as("admin", "GET", "/api/security", None).1["events"].as_array().unwrap().clone();
    let noted = eventually("both to be noted", || {
        Some(security().into_iter().filter(forged).count()).filter(|n_noted| *n_noted == 2)
    });
    assert_eq!((noted, security().iter().any(|event| event["event_type"] == "agent_dialog_on")), (2, false));
    assert!(home.ask(ask_id)["outcome"].is_null(), "nobody has answered");
    home.pick("Beta");
    let result = agent.result(id);
    let answered = text(&result);
    assert!(
        answered.ends_with("=\"Beta\". You can now continue with the user's answers in mind."),
        "{answered}"
    );
    assert!(agent.never_came("elicitation/create"));
    // Nor does the daemon believe its own environment, or its command line.
    let on = TestHome::new();
    on.start_with(&[ON]);
    assert_eq!(on.call_as("agent", "GET", "/api/status", None).1["agent_dialog"], false);
    let flag = home.command(&["serve", "--set", "mcp.agent_dialog=true"]).output().unwrap();
    assert!(!flag.status.success());
    assert!(String::from_utf8_lossy(&flag.stderr).contains("only be turned on in config.yaml"), "{flag:?}");
}

/// B2: where the configuration says so, the answer is the dialog's and not the person's, everywhere; no key of
/// the person is needed for it; and the variable switches it off.
#[test]
fn b2_an_answer_of_the_dialog_says_so_and_needs_no_key_of_the_persons() {
    let home = TestHome::start_with_dialogs();
    let key = home.key("person");
    let path = home.home.keys().join("person");
    std::fs::remove_file(&path).unwrap();
    let mut agent = Pipe::start_as(home.command(&["mcp"]).env("CLAUDECODE", "1"));
    agent.initialize("claude-code", "2025-11-25", json!({"elicitation": {}}));
    let id = agent.start_call("ask_user_question", &which("In your dialog?"));
    let asked = agent.method("elicitation/create");
    let params = &asked["params"];
    reply(
        &mut agent,
        &asked,
        &json!({"action": "accept", "content": { field(params): choice(params, "Beta") }}),
    );
    let result = agent.result(id);
    let words = "User has answered your questions: \"In your dialog?\"=\"Beta\". You can now continue with the user's answers in mind.";
    assert_eq!(text(&result), format!("{words}{UNSEEN}"));
    assert_eq!(result["structuredContent"]["answered_by"], "agent_dialog");
    std::fs::write(&path, key).unwrap();
    let security = home.call_as("admin", "GET", "/api/security", None).1;
    assert!(security.to_string().contains("agent_dialog_on"), "{security}");
    let audit = home.call_as("admin", "GET", "/api/audit", None).1;
    let entries = audit["entries"].as_array().unwrap_or_else(|| panic!("{audit}"));
    let entry = entries.iter().find(|entry| entry["action"] == "answer").unwrap();
    assert_eq!(
        (&entry["details"]["answered_by"], &entry["details"]["proof"]),
        (&json!("agent_dialog"), &json!("agent_dialog")),
        "{entry}"
    );
    assert!(entry["details"]["program"].as_str().unwrap().starts_with("claude-code "), "{entry}");
    let mut plain = Pipe::start_as(home.command(&["mcp"]).env(ON.0, "off"));
    plain.initialize("claude-code", "2025-11-25", json!({"elicitation": {}}));
    let id = plain.start_call("ask_user_question", &which("Off here?"));
    home.pick("Alpha");
    assert!(!text(&plain.result(id)).contains(UNSEEN) && plain.never_came("elicitation/create"));
}

/// Where the page was quicker, the dialog is taken off the screen.
#[test]
fn the_first_answer_wins_and_the_dialog_is_taken_back() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = older(&home);
    let id = pipe.start_call("ask_user_question", &which("Who is first?"));
    let asked = pipe.method("elicitation/create");
    home.pick("Alpha");
    assert!(text(&pipe.result(id)).contains("\"Who is first?\"=\"Alpha\""));
    let gone = pipe.method("notifications/cancelled");
    assert_eq!(gone["params"]["requestId"], asked["id"]);
}

/// Codex without a person declines by itself, Claude Code cancels: neither is the person's word.
#[test]
fn a_dialog_that_says_no_steps_aside() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = older(&home);
    for action in ["decline", "cancel"] {
        let question = format!("After {action}?");
        let id = pipe.start_call("ask_user_question", &which(&question));
        let asked = pipe.method("elicitation/create");
        reply(&mut pipe, &asked, &json!({ "action": action }));
        home.pick("Alpha");
        assert!(text(&pipe.result(id)).contains(&format!("\"{question}\"=\"Alpha\"")));
    }
}

#[test]
fn an_answer_that_does_not_fit_is_asked_again_with_what_is_wrong() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = older(&home);
    let id = pipe.start_call("ask_user_question", &which("Fits?"));
    let asked = pipe.method("elicitation/create");
    reply(&mut pipe, &asked, &json!({"action": "accept", "content": {}}));
    let asked = pipe.method("elicitation/create");
    let params = asked["params"].clone();
    assert_ne!(params["message"], "Please answer.");
    // An answer of one's own.
    let content = json!({ format!("{}_other", field(&params)): "neither" });
    reply(&mut pipe, &asked, &json!({"action": "accept", "content": content}));
    assert!(text(&pipe.result(id)).contains("neither"));
}

/// In a new data folder the first question is shown in the dialog too, whoever is quicker: the client, or the
/// daemon that it is the first to start.
#[test]
fn the_first_question_in_a_new_folder_is_shown_in_the_dialog() {
    let (first, second) = (TestHome::with_dialogs(), TestHome::with_dialogs());
    let mut pipe = older(&first);
    let id = pipe.start_call("ask_user_question", &which("The first?"));
    let asked = pipe.method("elicitation/create");
    let content = json!({ field(&asked["params"]): choice(&asked["params"], "Beta") });
    reply(&mut pipe, &asked, &json!({"action": "accept", "content": content}));
    assert!(text(&pipe.result(id)).contains("\"The first?\"=\"Beta\""));
    let mut pipe = newer(&second);
    pipe.request("tools/list", json!({}));
    let required = pipe.call("ask_user_question", &which("The first?"));
    assert_eq!(required["resultType"], "input_required", "{required}");
}

/// A program that sends nonsense is asked three times in all, and then the question waits for the person.
#[test]
fn an_older_clients_dialog_is_tried_three_times_and_then_the_question_waits_on() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = older(&home);
    let id = pipe.start_call("ask_user_question", &which("Three times?"));
    for _ in 0..3 {
        let asked = pipe.method("elicitation/create");
        reply(&mut pipe, &asked, &json!({"action": "accept", "content": {"nonsense": 7}}));
    }
    assert!(pipe.is_silent_about(id, Duration::from_millis(300)) && pipe.never_came("elicitation/create"));
    home.pick("Alpha");
    assert!(text(&pipe.result(id)).contains("\"Three times?\"=\"Alpha\""));
}

/// The same in the newer protocol, where the client calls again each time: it had `input_required` without end,
/// and its SDK gave up after ten rounds.
#[test]
fn a_newer_clients_dialog_is_tried_three_times_and_then_the_question_waits_on() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = newer(&home);
    let arguments = which("Three calls?");
    let mut required = pipe.call("ask_user_question", &arguments);
    let nonsense = json!({"answer": {"action": "accept", "content": {"nonsense": 7}}});
    let again = |required: &Value| {
        json!({"name": "ask_user_question", "arguments": arguments, "requestState": required["requestState"],
            "inputResponses": nonsense})
    };
    for _ in 0..2 {
        required = pipe.request("tools/call", again(&required));
        assert_eq!(required["resultType"], "input_required", "{required}");
        let message = required["inputRequests"]["answer"]["params"]["message"].as_str().unwrap();
        assert!(message.contains("Three calls?: is missing"), "{message}");
    }
    let id = pipe.ask("tools/call", again(&required));
    assert!(pipe.is_silent_about(id, Duration::from_millis(300)), "it waits on");
    home.pick("Alpha");
    assert!(text(&pipe.result(id)).contains("\"Three calls?\"=\"Alpha\""));
}

#[test]
fn it_is_off_unless_it_is_wanted_and_where_the_client_cannot() {
    let home = TestHome::start_with_dialogs();
    let mut plain = Pipe::start_as(home.command(&["mcp"]).env(ON.0, "off"));
    plain.initialize("claude-code", "2025-11-25", json!({"elicitation": {}}));
    let mut without = Pipe::start(&home);
    without.initialize("codex-mcp-client", "2025-11-25", json!({"elicitation": {"url": {}}}));
    let mut secret = older(&home);
    let hidden = json!({"questions": [{"question_id": "k", "question": "Key?", "type": "text", "secret": true, "other": true}]});
    for (pipe, arguments) in [(&mut plain, which("A?")), (&mut without, which("B?")), (&mut secret, hidden)] {
        let id = pipe.start_call("ask_user_question", &arguments);
        home.pick("Alpha");
        // The first message about it is its answer.
        assert_eq!(pipe.result(id)["isError"], false);
        assert!(pipe.never_came("elicitation/create"));
    }
}

#[test]
fn a_newer_client_is_sent_to_ask_and_calls_again() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = newer(&home);
    let arguments = which("Between two calls?");
    let required = pipe.call("ask_user_question", &arguments);
    assert_eq!(required["resultType"], "input_required", "{required}");
    let ask = home.until_open(1).remove(0);
    let (name, request) = required["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(request["method"], "elicitation/create");
    let params = &request["params"];
    let content = json!({ field(params): choice(params, "Alpha") });
    let retry = json!({
        "name": "ask_user_question", "arguments": arguments, "requestState": required["requestState"],
        "inputResponses": { name: {"action": "accept", "content": content} },
    });
    let result = pipe.request("tools/call", retry);
    assert!(text(&result).contains("\"Between two calls?\"=\"Alpha\""));
    check_by_dialog(&home, &ask);
}

/// What the page answered meanwhile goes before what the dialog says later.
#[test]
fn the_page_may_be_quicker_than_the_second_call() {
    let home = TestHome::start_with_dialogs();
    let web = Web::modern(&home, "claude-code", json!({"elicitation": {}}));
    let arguments = which("Quicker?");
    let required = web.call("ask_user_question", &arguments);
    assert_eq!(required["resultType"], "input_required", "{required}");
    home.pick("Alpha");
    let params = required["inputRequests"]["answer"]["params"].clone();
    let content = json!({ field(&params): choice(&params, "Beta") });
    let retry = json!({
        "name": "ask_user_question", "arguments": arguments, "requestState": required["requestState"],
        "inputResponses": {"answer": {"action": "accept", "content": content}},
    });
    assert!(text(&web.request("tools/call", retry)).contains("\"Quicker?\"=\"Alpha\""));
}

/// A state that was changed, or sealed for other arguments, leads nowhere: the answer beside it is
/// not taken, and the call is a new one.
#[test]
fn a_forged_state_answers_nothing() {
    let home = TestHome::start_with_dialogs();
    let mut pipe = newer(&home);
    let arguments = which("Forged?");
    let required = pipe.call("ask_user_question", &arguments);
    let ask = home.until_open(1).remove(0);
    let params = required["inputRequests"]["answer"]["params"].clone();
    let content = json!({ field(&params): choice(&params, "Alpha") });
    let responses = json!({"answer": {"action": "accept", "content": content}});
    let state = required["requestState"].as_str().unwrap();
    // Not at the end, where a letter may carry bits that mean nothing.
    let (before, after) = state.split_at(state.len() / 2);
    let other = if after.starts_with('A') { "B" } else { "A" };
    let forged = format!("{before}{other}{}", &after[1..]);
    for (arguments, state) in [(&arguments, forged.as_str()), (&which("Another?"), state)] {
        let retry = json!({"name": "ask_user_question", "arguments": arguments, "requestState": state,
            "inputResponses": responses});
        assert_eq!(pipe.request("tools/call", retry)["resultType"], "input_required");
    }
    assert!(home.ask(ask["ask_id"].as_str().unwrap())["outcome"].is_null());
}

/// Over HTTP the older client's dialog comes on the stream of its call.
#[test]
fn an_older_client_is_asked_over_http() {
    let home = TestHome::start_with_dialogs();
    let web = Web::open(&home, "claude-code", json!({"elicitation": {}}));
    let arguments = which("Over HTTP?");
    let mut answer = web.start("tools/call", json!({"name": "ask_user_question", "arguments": arguments}));
    let asked = eventually("the dialog", || {
        answer.event().filter(|message| message["method"] == "elicitation/create")
    });
    let params = &asked["params"];
    let content = json!({ field(params): choice(params, "Beta") });
    let said =
        json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept", "content": content}});
    assert_eq!(web.post(&said).status, 202);
    assert!(text(&web::result(&mut answer)).contains("\"Over HTTP?\"=\"Beta\""));
    assert_eq!(home.call_as("agent", "GET", "/api/status", None).1["agent_dialog"], true);
}
