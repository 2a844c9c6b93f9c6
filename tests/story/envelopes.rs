//! A whole tool call as the argument of a program, as the source documents write it.

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, run, told};
use crate::home::TestHome;

const TOOL_USE: &str = include_str!("../wire/documents/002-3.2.1-tool-use.json");
const MESSAGE: &str = include_str!("../wire/documents/003-2.3.1-tool-call.json");
const PUSH: &str = include_str!("../wire/documents/003-2.3.4-push.json");

fn text(answer: &str) -> String {
    format!(
        "User has answered your questions: \"请选择一个功能\"=\"{answer}\". You can now continue with the user's answers in mind."
    )
}

/// P4: at the desk, and without one: the matching result, in the shape that the call came in.
#[test]
fn p4_askuser_ask_takes_a_tool_call_and_prints_its_result() {
    let output = run(ASKUSER, &["ask", "--where", "terminal", TOOL_USE], &[], "1\n");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let result =
        |id: &str, answer: &str| json!({"type": "tool_result", "tool_use_id": id, "content": text(answer)});
    assert_eq!(printed, result("call_function_xxx", "背唐诗"), "{}", told(&output));
    let home = TestHome::new();
    let (mut asking, ask) = home.asks(&["--session", "s1", MESSAGE]);
    home.prints(&["answer", &ask, "--pick", "背唐诗", "--pick", "讲笑话"]);
    assert_eq!(asking.ends(), 0);
    let printed: Value = serde_json::from_str(&asking.stdout()).unwrap();
    let content = json!([result("call_function_8kherxj202p7_1", "背唐诗, 讲笑话")]);
    assert_eq!(printed, json!({"type": "message", "role": "user", "content": content}));
    // O1: no answer is a result too.
    let (mut asking, ask) = home.asks(&[TOOL_USE]);
    home.prints(&["cancel", &ask, "--reason", "not now"]);
    assert_eq!(asking.ends(), 3);
    let printed: Value = serde_json::from_str(&asking.stdout()).unwrap();
    assert_eq!(
        (&printed["content"], &printed["is_error"]),
        (&json!("The user declined to answer: not now"), &json!(true))
    );
}

/// P7: what is left out is told on standard error, in the person's language; the outcome stays alone on the
/// other.
#[test]
fn p7_what_is_left_out_of_the_questions_is_told_beside_the_outcome() {
    for (language, begins) in [("en", "warning: "), ("zh", "警告：")] {
        let output =
            run(ASKUSER, &["ask", "--where", "terminal", PUSH], &[("ASKUSER_LANG", language)], "1\n");
        assert_eq!(
            output.stdout,
            b"{\"answers\":{\"auth_strategy_01\":\"option_a\"}}\n",
            "{}",
            told(&output)
        );
        let said = String::from_utf8_lossy(&output.stderr);
        let line = said.lines().find(|line| line.starts_with(begins));
        assert!(line.is_some_and(|line| line.contains("question.follow_up_questions.oauth2")), "{said}");
    }
}

/// T6: the strict command stays strict, and says what to pass instead.
#[test]
fn t6_the_strict_command_says_what_to_pass_instead_of_a_tool_call() {
    let output = run(COMMAND, &[TOOL_USE], &[], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "Error: Validation failed\n- questions: Required\nThis is a whole tool call: pass only its input, or use `askuser ask`.\n"
    );
}

/// E5: answers that were all brought along are printed, without anybody being asked.
#[test]
fn e5_answers_that_were_all_brought_along_are_printed() {
    let ask = r#"{"questions":[{"question":"Which?","header":"One","options":[{"label":"A"},{"label":"B"}]}],"answers":{"One":"B"}}"#;
    let output = run(ASKUSER, &["ask", ask], &[("ASKUSER_HOME", "/nonexistent")], "");
    assert_eq!(output.stdout, b"{\"answers\":{\"One\":\"B\"}}\n", "{}", told(&output));
    assert_eq!(output.status.code(), Some(0));
    let output = run(ASKUSER, &["ask", "--reply", "tool_use", ask], &[("ASKUSER_HOME", "/nonexistent")], "");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = "Nothing was asked: you brought these answers along: \"Which?\"=\"B\". You can now continue with these in mind.";
    assert_eq!(printed["content"], said);
}
