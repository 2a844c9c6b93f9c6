//! Gemini CLI: a hook before its question tool, answered by a no whose reason is the answers; settings in JSON.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Outcome;
use askuser_wire::Dialect;
use serde_json::{Value, json};

use crate::agent::Agent;
use crate::hook::{Action, Event, HookAsk, Hooks, Note, Reply, Unanswered, text};
use crate::install::{
    Connection, Content, DAY_MS, INBOX, Install, NAME, OPEN, Place, SettingsFile, Want, shell_line,
};
use crate::patience::{Patience, TEN_MINUTES};

pub(crate) static AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "Gemini CLI",
    clients: &["gemini"],
    marks: &["GEMINI_CLI"],
    processes: &["gemini", "gemini-cli"],
    // Progress or not, its clock runs on.
    patience: Some(Patience::always(TEN_MINUTES)),
    hooks: Some(Hooks {
        question: QUESTION,
        read,
        // Esc leaves its hook running, and is written to the conversation's file.
        gives_up: Some(Note { file: "transcript_path", kind: "info", content: "Request cancelled." }),
        ..Hooks::PLAIN
    }),
    install: Some(Install {
        name: COMMAND,
        program: "gemini",
        files: &[SettingsFile {
            user: Place::Home(".gemini/settings.json"),
            project: Some(".gemini/settings.json"),
            or_ending: None,
            content: |connection| Content::Json(settings(connection)),
        }],
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};

const COMMAND: &str = "gemini";
const QUESTION: &str = "ask_user";
const REFUSAL: Reply =
    Reply { write: |_, ask, outcome| refusal(ask, outcome), unanswered: Unanswered::TakenBack };

fn read(event: &Event) -> Action {
    if event.name() != "BeforeTool" || !event.is_question() {
        return Action::StepAside;
    }
    let input = event.input();
    Action::Ask(Box::new(HookAsk {
        ask: event.signed(input.clone()),
        dialect: Dialect::Gemini,
        purpose: Purpose::Decision,
        key: None,
        reply: REFUSAL,
        input,
    }))
}

fn refusal(ask: &Ask, outcome: &Outcome) -> Value {
    json!({"decision": "deny", "reason": text(ask, outcome)})
}

fn settings(connection: &Connection) -> Vec<Want> {
    let mut fields = connection.server_fields(None, Some(("timeout", DAY_MS)));
    // Its tools only ask: confirming each question first would ask twice.
    fields.insert("trust".to_owned(), true.into());
    let command = shell_line(&connection.hook_words(COMMAND));
    let hook = json!({"name": connection.says.name(INBOX, OPEN), "type": "command", "command": command, "timeout": DAY_MS});
    vec![
        Want::Entry { at: vec!["mcpServers", NAME], fields },
        Want::Hook { event: "BeforeTool", matcher: Some(QUESTION), hook },
    ]
}
