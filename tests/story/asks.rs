//! Sample asks in the command's dialect, and calls without a terminal.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// The name agents know.
pub(crate) const COMMAND: &str = env!("CARGO_BIN_EXE_AskUserQuestion");
/// Everything.
pub(crate) use crate::home::ASKUSER;

/// A question of the command's dialect.
pub(crate) fn question(header: &str, text: &str, labels: &[&str], several: bool) -> Value {
    let options: Vec<Value> =
        labels.iter().map(|label| json!({"label": label, "description": format!("About {label}")})).collect();
    json!({"question": text, "header": header, "options": options, "multiSelect": several})
}

/// An ask of these questions.
pub(crate) fn ask(questions: &[Value]) -> String {
    json!({ "questions": questions }).to_string()
}

/// Which database? One of three.
pub(crate) fn database() -> String {
    ask(&[question("Database", "Which database?", &["PostgreSQL", "MongoDB", "SQLite"], false)])
}

/// Which features? Caching, Logging, Metrics; several.
pub(crate) fn features() -> String {
    ask(&[question("Features", "Which features to enable?", &["Caching", "Logging", "Metrics"], true)])
}

/// An ask of the push dialect: one, several, text and yes or no, with follow-ups two deep (P6, P7).
pub(crate) fn login() -> String {
    let organisation = json!({"question_id": "org", "question_text": "Which organisation?", "type": "text"});
    let providers = json!({"question_id": "providers", "question_text": "Which providers?", "type": "checkbox",
        "options": [{"id": "gh", "label": "GitHub"}, {"id": "go", "label": "Google"}],
        "follow_up_questions": {"gh": [organisation]}});
    json!({"total_rounds": 3, "context": "The shop needs a login.", "questions": [
        {"question_id": "auth", "header": "Auth", "question_text": "Which method?", "type": "multiple_choice",
         "options": [{"id": "oauth", "label": "OAuth (Recommended)"}, {"id": "jwt", "label": "JWT"}],
         "follow_up_questions": {"oauth": [providers]}},
        {"question_id": "name", "question_text": "What is it called?", "type": "text", "required": false},
        {"question_id": "ship", "question_text": "Ship it?", "type": "boolean"}]})
    .to_string()
}

/// One question of the push dialect.
pub(crate) fn pushed(question: &Value) -> String {
    json!({ "questions": [question] }).to_string()
}

/// Runs a program away from any terminal, with these lines on its standard input.
pub(crate) fn run(program: &str, args: &[&str], vars: &[(&str, &str)], lines: &str) -> Output {
    run_bytes(program, args, vars, lines.as_bytes())
}

/// Runs a program away from any terminal, with these bytes on its standard input.
pub(crate) fn run_bytes(program: &str, args: &[&str], vars: &[(&str, &str)], input: &[u8]) -> Output {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new("setsid");
    command.arg(program).args(args).env_clear().env("HOME", home.path()).env("LANG", "C.UTF-8");
    command.envs(vars.iter().copied()).current_dir(home.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.env("PATH", "/usr/bin:/bin").spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that wants no input may be gone before it was written.
    let _wanted = stdin.write_all(input);
    drop(stdin);
    child.wait_with_output().unwrap()
}

/// Runs `AskUserQuestion` on lines of standard input, as `ASKUSER_WHERE=terminal` allows.
pub(crate) fn on_lines(json: &str, lines: &str) -> Output {
    run(COMMAND, &[json], &[("ASKUSER_WHERE", "terminal")], lines)
}

/// What a program printed and how it ended, as one text.
pub(crate) fn told(output: &Output) -> String {
    format!(
        "exit {}\nstdout: {}stderr: {}",
        output.status.code().unwrap_or(-1),
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
