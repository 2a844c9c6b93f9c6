//! The outputs of the source documents, as they stand there, beside what the code writes.

use std::process::{Command, Stdio};
use std::sync::Arc;

use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_wire::failure::Failure;
use askuser_wire::{self as wire, answers};
use askuser_words::Language;
use serde_json::{Value, json};

use crate::literals::{declared, keys, literal};

const COMMAND: &str = env!("CARGO_BIN_EXE_AskUserQuestion");
const CALL: &str = include_str!("documents/000-example-call.sh");
const RETURN: &str = include_str!("documents/000-example-return.json");

/// Runs a line of a shell as an agent would, with these lines on standard input, and nothing else around it.
#[track_caller]
fn shell(line: &str, input: &str) -> (i32, String, String) {
    let folder = std::path::Path::new(COMMAND).parent().unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new("/bin/sh")
        .args(["-c", line])
        .env_clear()
        .env("PATH", folder)
        .env("ASKUSER_HOME", home.path())
        .env("ASKUSER_WHERE", "terminal")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // What refuses its argument reads nothing.
    let _sent = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// 000 示例调用, 示例返回, 命令输出格式 (T1): the call as it stands prints the return as it stands.
#[test]
fn t1_the_example_of_000_returns_what_it_says() {
    let (code, out, _) = shell(CALL, "1\n");
    assert_eq!((code, out.as_str()), (0, RETURN));
    let declared = declared(include_str!("documents/000-command-output.ts"), "AskUserQuestionOutput");
    assert_eq!(declared, keys(&serde_json::from_str(RETURN).unwrap()));
}

/// 000 错误处理 (T4, T5, T6): the three texts, to the byte.
#[test]
fn t4_t5_t6_the_errors_of_000_to_the_byte() {
    let faulty = r#"AskUserQuestion '{"questions":[{"question":"Q?","header":"Authentication","options":[{"label":"A","description":"a"}]}]}'"#;
    for (line, golden) in [
        ("AskUserQuestion", include_str!("documents/000-errors-no-argument.txt")),
        ("AskUserQuestion 'not json'", include_str!("documents/000-errors-not-json.txt")),
        (faulty, include_str!("documents/000-errors-validation.txt")),
    ] {
        let (code, out, error) = shell(line, "");
        assert_eq!((code, out.as_str(), error.as_str()), (1, "", golden), "{line}");
    }
}

/// 000 系统提示词 (T12): each of its lines is in `--help`, in order; its examples return what it says.
#[test]
fn t12_the_system_prompt_of_000_is_in_the_manual_and_its_examples_hold() {
    let prompt = include_str!("documents/000-system-prompt.md");
    let (_, manual, _) = shell("AskUserQuestion --help", "");
    let mut rest = manual.as_str();
    for line in prompt.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let at =
            rest.find(line).unwrap_or_else(|| panic!("{line} is not in, or not at its place in\n{manual}"));
        rest = &rest[at + line.len()..];
    }
    let examples: Vec<&str> =
        prompt.lines().map(str::trim).filter(|line| line.starts_with("AskUserQuestion '{")).collect();
    let returns: Vec<&str> =
        prompt.lines().filter_map(|line| line.trim().strip_prefix("# Returns: ")).collect();
    assert_eq!((examples.len(), returns.len()), (2, 2));
    for ((example, expected), typed) in examples.iter().zip(returns).zip(["1\n", "1,2\n"]) {
        assert_eq!(shell(example, typed).1, format!("{expected}\n"));
    }
}

/// Reads a call, answers its one question, and returns the reply.
fn replied(call: &str, answer: &Value) -> Value {
    let call: Value = serde_json::from_str(call).unwrap();
    let dialect = wire::recognise(&call);
    let (questions, terms) = wire::read(dialect, &call).check().unwrap();
    let question = &questions.top()[0];
    let entry = answers::read_answer(question, answer).unwrap();
    let sheet = Sheet::filled(Arc::new(questions.clone()), [(question.id.clone(), entry)]).unwrap();
    let outcome = Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by: By::new(None, Channel::Web, Proof::Cookie),
        at: Timestamp(0),
        comment: None,
        answers: sheet.answers().unwrap(),
        voices: Vec::new(),
    };
    wire::write(dialect, &questions, &terms, &outcome)
}

/// 003 2.3.1, 2.3.2 (P4): the message in, the message out, equal in every field.
#[test]
fn p4_the_message_of_003_is_answered_with_its_own_result() {
    let result: Value = serde_json::from_str(include_str!("documents/003-2.3.2-tool-result.json")).unwrap();
    let answer = json!({"other": "再给一个多选框还是这些选项（我想了解多次对话这个过程）"});
    assert_eq!(replied(include_str!("documents/003-2.3.1-tool-call.json"), &answer), result);
}

/// 002 3.2.1, 3.2.2 (P4): the same. Its text ends where that of 003 goes on, which P4 takes.
#[test]
fn p4_the_tool_use_of_002_is_answered_with_its_own_result() {
    let mut result: Value =
        serde_json::from_str(include_str!("documents/002-3.2.2-tool-result.json")).unwrap();
    let text = result["content"].as_str().unwrap();
    result["content"] = format!("{text}. You can now continue with the user's answers in mind.").into();
    assert_eq!(replied(include_str!("documents/002-3.2.1-tool-use.json"), &json!("poem")), result);
}

/// 002 9.1 (D12): an error that nobody foresaw has the fields of its default recovery, and its way out.
#[test]
fn d12_an_unforeseen_error_has_the_fields_of_002() {
    let recovery = literal(include_str!("documents/002-9.1-error-handler.py"), "def _default_recovery");
    let written = Failure::internal().write(Language::English);
    for key in keys(&recovery).iter().filter(|key| *key != "message") {
        assert_eq!(written[key], recovery[key]);
    }
    assert!(written["message"].is_string());
}
