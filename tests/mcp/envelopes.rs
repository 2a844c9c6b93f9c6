//! Models that wrap their arguments, questions that are taken with a warning, and a timeout as data.

use serde_json::{Value, json};

use crate::home::{TestHome, which};
use crate::pipe::{Pipe, text};

const TOOL_USE: &str = include_str!("../wire/documents/002-3.2.1-tool-use.json");
const MESSAGE: &str = include_str!("../wire/documents/003-2.3.1-tool-call.json");
const PUSH: &str = include_str!("../wire/documents/003-2.3.4-push.json");
const TIMEOUT: &str = include_str!("../wire/documents/004-mcp-timeout.js");

/// P16, P4: a whole call as the arguments of the call: its input is asked, and its id is kept.
#[test]
fn p16_arguments_that_are_a_whole_call_are_taken_out_of_it() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    for (wrapped, tool_use_id) in [
        (serde_json::from_str(TOOL_USE).unwrap(), json!("call_function_xxx")),
        (serde_json::from_str(MESSAGE).unwrap(), json!("call_function_8kherxj202p7_1")),
        (json!({"name": "ask_user_question", "input": which("Wrapped?")}), Value::Null),
        (json!({"name": "mcp__askuser__ask_user_question", "arguments": which("Again?")}), Value::Null),
    ] {
        let id = pipe.start_call("ask_user_question", &wrapped);
        let open = home.until_open(1);
        assert_eq!(open[0]["tool_use_id"], tool_use_id);
        let label = open[0]["questions"][0]["options"][0]["label"].as_str().unwrap().to_owned();
        home.pick(&label);
        let result = pipe.result(id);
        let question = open[0]["questions"][0]["question"].as_str().unwrap();
        let expected = format!("User has answered your questions: \"{question}\"=\"{label}\".");
        assert!(text(&result).starts_with(&expected), "{result}");
    }
    let other = pipe.call("ask_user_question", &json!({"name": "Bash", "input": {"command": "ls"}}));
    assert!(text(&other).contains("name: is `Bash`, which is none of ask_user_question"), "{other}");
}

/// P6, P7: the push form of the source document is asked; the model reads what was left out of it.
#[test]
fn p7_the_model_is_warned_of_follow_ups_that_are_never_shown() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    let pushed: Value = serde_json::from_str(PUSH).unwrap();
    let id = pipe.start_call("ask_user_question", &pushed);
    home.pick("选项 B");
    let result = pipe.result(id);
    let warnings = &result["structuredContent"]["warnings"];
    assert!(warnings[0].as_str().unwrap().contains("`oauth2`, which is not offered"), "{result}");
    assert!(!text(&result).contains("oauth2"));
}

/// O5: the result of 004, to the byte: the text says it to the model, and the data beside it to a program.
#[test]
fn o5_a_timeout_is_told_as_text_and_as_data() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    let mut question = which("Still there?");
    question["timeoutMs"] = json!(300);
    let result = pipe.call("ask_user_question", &question);
    // The document writes it as JavaScript: keys without quotes.
    let keys = ["content", "type", "text", "isError"];
    let document = keys.iter().fold(TIMEOUT.to_owned(), |document, key| {
        document.replace(&format!(" {key}:"), &format!(" \"{key}\":"))
    });
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!((&result["content"], &result["isError"]), (&document["content"], &document["isError"]));
    let said = &document["content"][0]["text"];
    let expected = json!({"result": said, "status": "timeout", "answered_by": null, "answers": []});
    assert_eq!(result["structuredContent"], expected);
}

/// E5: answers that were all brought along come back, and the model is not told that the user gave them now.
#[test]
fn e5_answers_that_were_all_brought_along_come_back() {
    let home = TestHome::new();
    let mut pipe = Pipe::open(&home, "claude-code");
    let mut ask = which("Known?");
    let header = ask["questions"][0]["header"].as_str().unwrap().to_owned();
    ask["answers"] = json!({header: "Beta"});
    let result = pipe.call("ask_user_question", &ask);
    assert!(
        text(&result).starts_with("Nothing was asked: you brought these answers along: \"Known?\"=\"Beta\""),
        "{result}"
    );
    assert_eq!(result["structuredContent"]["answered_by"], "collected");
}
