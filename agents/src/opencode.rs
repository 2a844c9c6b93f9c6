//! opencode: its own questions, as our plugin in it hands them on: the events of its bus in, what its
//! `/question` API takes out. Its dialog stays open beside our card; the first answer wins.

use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use askuser_wire::{self as wire, Dialect};
use serde_json::{Map, Value, json};

use crate::agent::Agent;
use crate::hook::{
    Action, Dialog, Event, HookAsk, Hooks, Input, MARK, Reply, SETTLED, Unanswered, Withdrawal, text,
};
use crate::install::{Connection, Content, DAY_MS, Install, NAME, Place, SettingsFile, Want};
use crate::patience::{ENDLESS, ONE_MINUTE, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: COMMAND,
    title: "opencode",
    clients: &["opencode"],
    marks: &["OPENCODE"],
    processes: &["opencode"],
    // It waits on as long as it hears of progress.
    patience: Some(Patience { silent: ONE_MINUTE, ..Patience::always(ENDLESS) }),
    hooks: Some(Hooks {
        question: QUESTION,
        plain,
        read,
        dialog: Dialog::Always,
        input: Input::Lines,
        // Its dialog waits as long as it runs.
        patience: Duration::from_hours(365 * 24),
        ..Hooks::PLAIN
    }),
    install: Some(Install {
        name: COMMAND,
        program: "opencode",
        folders: &[".opencode/bin"],
        files: &[
            SettingsFile {
                user: Place::Config("opencode/opencode.json"),
                project: Some("opencode.json"),
                or_ending: Some("jsonc"),
                content: |connection| Content::Json(vec![server(connection)]),
            },
            SettingsFile {
                user: Place::Config("opencode/plugins/askuser.js"),
                project: Some(".opencode/plugins/askuser.js"),
                or_ending: None,
                content: |connection| Content::Whole(plugin(connection)),
            },
        ],
        next: |words, _| Some(words.next_restart("`opencode`")),
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};

const COMMAND: &str = "opencode";
const QUESTION: &str = "question";
const REPLY: Reply =
    Reply { write: |_, ask, outcome| reply(ask, outcome), unanswered: Unanswered::TakenBack };
/// The plugin, and what in it stands for the words that start the hook.
const PLUGIN: &str = include_str!("opencode.js");
const PLUGIN_WORDS: &str = r#"["askuser", "hook", "opencode"]"#;

/// Says an event of the bus in the words that every agent's events have here.
fn plain(event: &Value) -> Value {
    let Some(properties) = event.get("properties") else { return event.clone() };
    // Asked, a question has an id; answered, it is called by it. It tells one question from every
    // other, which the id of the model's call does not with every model.
    let id = properties.get("id").or_else(|| properties.get("requestID"));
    json!({
        "hook_event_name": event.get("type"),
        "cwd": event.get("cwd"),
        "session_id": properties.get("sessionID"),
        "tool_name": QUESTION,
        "tool_input": {"questions": properties.get("questions")},
        MARK: id,
    })
}

fn read(event: &Event) -> Action {
    match event.name() {
        "question.asked" => {
            let input = event.input();
            Action::Ask(Box::new(HookAsk {
                ask: event.signed(input.clone()),
                dialect: Dialect::Opencode,
                purpose: Purpose::Decision,
                key: Some(format!("hook opencode {} {}", event.session(), event.mark())),
                reply: REPLY,
                input,
            }))
        }
        "question.replied" | "question.rejected" => Action::TakeBack(Withdrawal::of_call(event, SETTLED)),
        _ => Action::StepAside,
    }
}

/// The body of `/question/{id}/reply`, or a reason for `/question/{id}/reject`.
fn reply(ask: &Ask, outcome: &Outcome) -> Value {
    if !matches!(outcome.ending, Ending::Answered(_)) {
        return json!({"reject": text(ask, outcome)});
    }
    let said = wire::write(Dialect::Opencode, &ask.questions, &ask.terms, outcome);
    let mut answers = said.get("answers").cloned().unwrap_or_default();
    // It takes lists of words and nothing else: a note stands among its question's.
    for (place, note) in said.get("notes").and_then(Value::as_object).into_iter().flatten() {
        let words =
            place.parse().ok().and_then(|at: usize| answers.get_mut(at)).and_then(Value::as_array_mut);
        if let (Some(words), Some(note)) = (words, note.as_str()) {
            words.push(format!("(note: {note})").into());
        }
    }
    json!({ "answers": answers })
}

fn server(connection: &Connection) -> Want {
    let mut fields = Map::new();
    fields.insert("type".to_owned(), "local".into());
    fields.insert("command".to_owned(), json!([connection.program, "mcp"]));
    fields.insert("enabled".to_owned(), true.into());
    fields.insert("timeout".to_owned(), DAY_MS.into());
    fields.extend(connection.variables(true).map(|env| ("environment".to_owned(), env)));
    Want::Entry { at: vec!["mcp", NAME], fields }
}

/// The plugin that hands its own questions on, with what it is to start.
fn plugin(connection: &Connection) -> String {
    PLUGIN.replace(PLUGIN_WORDS, &json!(connection.hook_words(COMMAND)).to_string())
}
