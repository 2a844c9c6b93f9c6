//! Claude Code: a question tool with a dialog of its own, hooks beside it, and settings in JSON.
//!
//! In its terminal `PermissionRequest` runs beside the agent's own dialog, and the first answer wins;
//! without a terminal only `PreToolUse` is heard. What was settled in the dialog is told by the
//! events that come after it, since the hook that lost is neither ended nor told.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::{Ending, Outcome};
use askuser_wire::{self as wire, Dialect};
use serde_json::{Value, json};

use crate::agent::{Agent, Meta};
use crate::hook::{
    Action, Dialog, ENDED, Event, HookAsk, Hooks, Mode, REASONS, Reply, SETTLED, Thread, Unanswered,
    Withdrawal, permission, text,
};
use crate::install::{
    Connection, Content, DAY_MS, DAY_S, Install, NAME, PERSONS_COMMANDS, Place, Scope, SettingsFile,
    TELLING_S, Want,
};
use crate::patience::{ENDLESS, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: COMMAND,
    title: "Claude Code",
    clients: &["claude-code", "claude_code"],
    marks: &["CLAUDECODE", ENTRYPOINT, "CLAUDE_CODE_CHILD_SESSION"],
    doubts: &["CLAUDE_CODE_SSE_PORT"],
    processes: &["claude", "claude-code"],
    conversation: Some("CLAUDE_CODE_SESSION_ID"),
    meta: Meta {
        conversation: Some("claudecode/sessionId"),
        tool_call: Some("claudecode/toolUseId"),
        ..Meta::NONE
    },
    // Over stdio it never gives up, over HTTP after 300 s without progress.
    patience: Some(Patience::always(ENDLESS)),
    has_plan_mode: true,
    hooks: Some(Hooks {
        question: QUESTION,
        read,
        dialog: Dialog::Told { attended: "CLAUDE_CODE_SESSION_ATTENDED", entrypoint: ENTRYPOINT },
        folder: Some("CLAUDE_PROJECT_DIR"),
        driver: Some("claude"),
        ..Hooks::PLAIN
    }),
    install: Some(Install {
        name: COMMAND,
        program: "claude",
        folders: &[".claude/local"],
        files: &[
            SettingsFile {
                user: Place::Named { variable: FOLDER, usual: "", file: ".claude.json" },
                project: Some(".mcp.json"),
                or_ending: None,
                content: |connection| {
                    let fields = connection.server_fields(Some("stdio"), Some(("timeout", DAY_MS)));
                    Content::Json(vec![Want::Entry { at: vec!["mcpServers", NAME], fields }])
                },
            },
            SettingsFile {
                user: Place::Named { variable: FOLDER, usual: ".claude", file: "settings.json" },
                project: Some(".claude/settings.json"),
                or_ending: None,
                content: |connection| Content::Json(settings(connection)),
            },
        ],
        next: |words, scope| {
            Some(match scope {
                Scope::User => words.next_claude().to_owned(),
                Scope::Project => words.next_claude_project().to_owned(),
            })
        },
        ..Install::PLAIN
    }),
};

/// Where it keeps its settings and the transcripts of its conversations.
pub const SETTINGS: Place = Place::Named { variable: FOLDER, usual: ".claude", file: "" };

const COMMAND: &str = "claude-code";
const FOLDER: &str = "CLAUDE_CONFIG_DIR";
const ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";
const QUESTION: &str = "AskUserQuestion";
/// How our own server is called in the agent's list: its forms are our own questions.
const OWN_SERVERS: [&str; 2] = [NAME, "plugin:askuser:askuser"];

const GONE_ON: &str = REASONS.agent_went_on();

/// Before a tool runs: the answers go into the tool's input. A run that ends meanwhile is resumed later.
const BEFORE_TOOL: Reply = Reply { write: before_tool, unanswered: Unanswered::Resumed(deferred) };
/// The same beside its own dialog.
const BESIDE_DIALOG: Reply = Reply { write: beside_dialog, unanswered: Unanswered::BesideDialog };
/// Yes or no to a permission, with its input echoed.
const PERMISSION: Reply = Reply {
    write: |input, ask, outcome| permission::decision(Some(input), ask, outcome),
    unanswered: Unanswered::BesideDialog,
};
/// Another server's form.
const FORM: Reply = Reply { write: |_, ask, outcome| form(ask, outcome), unanswered: Unanswered::TakenBack };

fn read(event: &Event) -> Action {
    let is_question = event.is_question();
    match (event.name(), event.mode) {
        // In the terminal its own dialog is to be seen at once.
        ("PreToolUse", Mode::Headless) if is_question => question(event, BEFORE_TOOL),
        ("PermissionRequest", Mode::Interactive) if is_question => question(event, BESIDE_DIALOG),
        // Not heard there; `PreToolUse` has asked already.
        ("PermissionRequest", Mode::Headless) if is_question => Action::StepAside,
        ("PermissionRequest", _) => permission::read(event, PERMISSION),
        ("PostToolUse" | "PostToolUseFailure", _) => Action::TakeBack(Withdrawal::of_call(event, SETTLED)),
        // Not of a run without a terminal: one that was put off is resumed later, and finds its ask.
        ("Stop" | "UserPromptSubmit", Mode::Interactive) => {
            let thread = Thread::Only(event.word("agent_id").map(str::to_owned));
            Action::TakeBack(Withdrawal {
                session: event.session().to_owned(),
                thread,
                marks: Vec::new(),
                reason: GONE_ON,
            })
        }
        ("SessionEnd", Mode::Interactive) => Action::TakeBack(Withdrawal::of_session(event, ENDED)),
        ("Elicitation", _) => elicitation(event),
        _ => Action::StepAside,
    }
}

fn question(event: &Event, reply: Reply) -> Action {
    let input = event.input();
    Action::Ask(Box::new(HookAsk {
        ask: event.signed(input.clone()),
        dialect: Dialect::Claude,
        purpose: Purpose::Decision,
        key: event.key(),
        reply,
        input,
    }))
}

fn elicitation(event: &Event) -> Action {
    let server = event.word("mcp_server_name").unwrap_or_default();
    let is_form = event.word("mode").is_none_or(|mode| mode == "form");
    let schema = event.value.get("requested_schema").filter(|schema| schema.is_object());
    let (true, false, Some(schema)) = (is_form, OWN_SERVERS.contains(&server), schema) else {
        return Action::StepAside;
    };
    let ask = json!({
        "message": event.word("message"), "context": format!("(asked by the MCP server `{server}`)"),
        "requestedSchema": schema,
    });
    Action::Ask(Box::new(HookAsk {
        ask: event.signed(ask.clone()),
        dialect: Dialect::Elicitation,
        purpose: Purpose::Decision,
        key: None,
        reply: FORM,
        input: ask,
    }))
}

/// The input with the answers in it; nothing where there are none to put in.
fn answered(input: &Value, ask: &Ask, outcome: &Outcome) -> Option<Value> {
    if !matches!(outcome.ending, Ending::Answered(_)) {
        return None;
    }
    let updated = wire::claude::updated_input(input, &ask.questions, outcome);
    let has_answers =
        updated.get("answers").and_then(Value::as_object).is_some_and(|answers| !answers.is_empty());
    has_answers.then_some(updated)
}

fn before_tool(input: &Value, ask: &Ask, outcome: &Outcome) -> Value {
    let mut said = json!({"hookEventName": "PreToolUse"});
    if let Some(updated) = answered(input, ask, outcome) {
        said["permissionDecision"] = "allow".into();
        said["permissionDecisionReason"] =
            format!("answered through askuser ({})", outcome.by.channel.name()).into();
        said["updatedInput"] = updated;
    } else {
        said["permissionDecision"] = "deny".into();
        said["permissionDecisionReason"] = text(ask, outcome).into();
    }
    json!({ "hookSpecificOutput": said })
}

fn beside_dialog(input: &Value, ask: &Ask, outcome: &Outcome) -> Value {
    let decision = match answered(input, ask, outcome) {
        Some(updated) => json!({"behavior": "allow", "updatedInput": updated}),
        None => json!({"behavior": "deny", "message": text(ask, outcome)}),
    };
    json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
}

/// The run ends here; resumed, it makes the same call again.
fn deferred() -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "defer"}})
}

fn form(ask: &Ask, outcome: &Outcome) -> Value {
    let mut said = wire::write(Dialect::Elicitation, &ask.questions, &ask.terms, outcome);
    if let Some(fields) = said.as_object_mut() {
        fields.insert("hookEventName".to_owned(), "Elicitation".into());
    }
    json!({ "hookSpecificOutput": said })
}

/// What is in its settings: hooks, permissions of our tools, and what it is kept from.
fn settings(connection: &Connection) -> Vec<Want> {
    let words = connection.hook_words(COMMAND);
    let hook = |timeout: u64| json!({"type": "command", "command": words.first(), "args": words.get(1..), "timeout": timeout});
    let extras = connection.extras;
    let asked = if extras.permissions { "*" } else { QUESTION };
    let wanted = |event, matcher, timeout| Want::Hook { event, matcher, hook: hook(timeout) };
    let mut wants = vec![
        wanted("PermissionRequest", Some(asked), DAY_S),
        wanted("PreToolUse", Some(QUESTION), DAY_S),
        // What was answered in the agent's own dialog is taken back from ours.
        wanted("PostToolUse", Some(asked), TELLING_S),
        wanted("PostToolUseFailure", Some(asked), TELLING_S),
        wanted("UserPromptSubmit", None, TELLING_S),
        wanted("Stop", None, TELLING_S),
        wanted("SessionEnd", None, TELLING_S),
    ];
    wants.push(if extras.elicitations {
        wanted("Elicitation", Some(".*"), DAY_S)
    } else {
        Want::NoHook { event: "Elicitation" }
    });
    // Else a call of our tool is put into the background after two minutes, and the agent goes on.
    let background = vec!["env", "CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS"];
    wants.push(Want::Default { at: background, value: "0".into() });
    let rule = |list, text| Want::Listed { at: vec!["permissions", list], text };
    wants.push(rule("allow", format!("mcp__{NAME}__*")));
    wants.extend(PERSONS_COMMANDS.iter().map(|verb| rule("deny", format!("Bash({NAME} {verb}:*)"))));
    let data = data_rule(connection);
    wants.extend(["Read", "Edit"].map(|tool| rule("deny", format!("{tool}({data}/**)"))));
    wants
}

/// The data folder as its rules write it: `~/…`, or `//…` for any other absolute path.
fn data_rule(connection: &Connection) -> String {
    let usual = if cfg!(target_os = "macos") {
        "Library/Application Support/askuser"
    } else {
        ".local/share/askuser"
    };
    match connection.data {
        None => format!("~/{usual}"),
        Some(data) => match data.strip_prefix(connection.home) {
            Ok(below) => format!("~/{}", below.display()),
            Err(_) => format!("/{}", data.display()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Claude Code 2.1.325 does it: the first word is its own, the second may be another's.
    #[test]
    fn a_claude_code_started_by_another_is_told_from_it() {
        let dialog = AGENT.hooks.as_ref().unwrap().dialog;
        for (attended, entrypoint, mode) in [
            (Some("1"), Some("cli"), Mode::Interactive),
            (Some("1"), Some("sdk-cli"), Mode::Interactive),
            (Some("1"), Some("claude-vscode"), Mode::Interactive),
            (Some("0"), Some("cli"), Mode::Headless),
            (Some("0"), Some("sdk-ts"), Mode::Headless),
            (None, Some("cli"), Mode::Interactive),
            (None, Some("sdk-cli"), Mode::Headless),
            (None, None, Mode::Headless),
        ] {
            assert_eq!(dialog.mode(attended, entrypoint), mode, "{attended:?} {entrypoint:?}");
        }
    }
}
