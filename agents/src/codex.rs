//! Codex: hooks whose question tools have no place for answers, so they come as the reason of a no; settings in
//! TOML, and hooks that run once its person trusts them.
//!
//! In Plan mode `request_user_input` is answered so. In Default mode `request_user_input_async` does not
//! wait: Codex shows the question in its terminal and works on, so we let it pass, and the answer is
//! handed over when the turn ends (`Stop`), which Codex takes for a word of its user's.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::outcome::Outcome;
use askuser_wire::Dialect;
use askuser_words::commands::setup::Connecting;
use serde_json::{Value, json};

use crate::agent::{Agent, Meta};
use crate::hook::{
    Action, ENDED, Event, HookAsk, Hooks, MARK, REPLIED, Reply, SETTLED, Thread, Unanswered, Withdrawal,
    aside, permission, text,
};
use crate::install::{
    Connection, Content, DAY_S, INBOX, Install, OPEN, Place, SettingsFile, TELLING_S, Trust, Want, shell_line,
};
use crate::patience::{FIVE_MINUTES, Patience};

pub(crate) static AGENT: Agent = Agent {
    name: COMMAND,
    title: "Codex",
    clients: &["codex"],
    marks: &["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", CONVERSATION, "CODEX_CI"],
    processes: &["codex"],
    conversation: Some(CONVERSATION),
    meta: Meta { conversation: Some("threadId"), tool_call: Some("callId"), ..Meta::NONE },
    // Progress or not, its clock runs on.
    patience: Some(Patience::always(FIVE_MINUTES)),
    hooks: Some(Hooks { question: QUESTION, plain, read, ..Hooks::PLAIN }),
    install: Some(Install {
        name: COMMAND,
        program: "codex",
        files: &[
            SettingsFile {
                user: Place::Named { variable: FOLDER, usual: ".codex", file: "config.toml" },
                project: Some(".codex/config.toml"),
                or_ending: None,
                content: |connection| Content::Toml { table: "mcp_servers", fields: server(connection) },
            },
            SettingsFile {
                user: Place::Named { variable: FOLDER, usual: ".codex", file: "hooks.json" },
                project: Some(".codex/hooks.json"),
                or_ending: None,
                content: |connection| Content::Json(hooks(connection)),
            },
        ],
        next: |words, _| Some(words.next_codex().to_owned()),
        trust: Some(Trust {
            table: ["hooks", "state"],
            entry: |hooks| format!("{hooks}:pre_tool_use:"),
            remedy: Connecting::not_trusted,
        }),
        ..Install::PLAIN
    }),
    ..Agent::UNKNOWN
};

const COMMAND: &str = "codex";
const FOLDER: &str = "CODEX_HOME";
const CONVERSATION: &str = "CODEX_THREAD_ID";
const QUESTION: &str = "request_user_input";
const IN_PASSING: &str = "request_user_input_async";
/// What a prompt begins with that answers such a question in Codex's own terminal.
const REPLY: &str = "<send_user_message_question_reply>";
const REPLY_END: &str = "</send_user_message_question_reply>";

/// No, with the answers as the reason.
const REFUSAL: Reply =
    Reply { write: |_, ask, outcome| refusal(ask, outcome), unanswered: Unanswered::TakenBack };
/// Nothing now: the agent does not wait, and has its answer when the turn ends.
const LATER: Reply = Reply { write: |_, _, _| aside(), unanswered: Unanswered::Later };
/// Yes or no to a permission. It takes a changed input for a fault, so it gets none.
const PERMISSION: Reply = Reply {
    write: |_, ask, outcome| permission::decision(None, ask, outcome),
    unanswered: Unanswered::TakenBack,
};

/// Says an event in the words that every agent's events have here: of a prompt only which questions it
/// answers, the rest is none of our business.
fn plain(event: &Value) -> Value {
    let mut event = event.clone();
    let replied = event.get("prompt").and_then(Value::as_str).map(replied);
    let call =
        event.get("tool_use_id").filter(|_| event.get("tool_name") == Some(&IN_PASSING.into())).cloned();
    if let Some(fields) = event.as_object_mut() {
        fields.extend(replied.map(|calls| (REPLIED.to_owned(), calls.into())));
        fields.extend(call.map(|call| (MARK.to_owned(), call)));
    }
    event
}

/// Which calls a prompt answers: `[{"answer", "question", "questionItemId": "[tool, call, place]"}]`.
fn replied(prompt: &str) -> Vec<String> {
    let inner = prompt.trim().strip_prefix(REPLY).and_then(|rest| rest.strip_suffix(REPLY_END));
    let replies: Vec<Value> = inner.and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
    let calls = replies.iter().filter_map(|reply| {
        let place: Value = serde_json::from_str(reply.get("questionItemId")?.as_str()?).ok()?;
        place.get(1)?.as_str().map(str::to_owned)
    });
    calls.collect()
}

fn read(event: &Event) -> Action {
    match event.name() {
        "PreToolUse" if event.is_question() => ask(event, event.input(), REFUSAL),
        "PreToolUse" if event.tool() == IN_PASSING => ask(event, in_passing(&event.input()), LATER),
        "Stop" => Action::Collect,
        "UserPromptSubmit" => {
            let marks = event.value.get(REPLIED).and_then(Value::as_array).into_iter().flatten();
            let marks: Vec<String> = marks.filter_map(Value::as_str).map(str::to_owned).collect();
            if marks.is_empty() {
                return Action::StepAside;
            }
            let session = event.session().to_owned();
            Action::TakeBack(Withdrawal { session, thread: Thread::Any, marks, reason: SETTLED })
        }
        "SessionEnd" => Action::TakeBack(Withdrawal::of_session(event, ENDED)),
        "PermissionRequest" => permission::read(event, PERMISSION),
        _ => Action::StepAside,
    }
}

fn ask(event: &Event, input: Value, reply: Reply) -> Action {
    let mut ask = event.signed(input.clone());
    if matches!(reply.unanswered, Unanswered::Later) {
        ask["metadata"]["hook"]["later"] = true.into();
    }
    let (dialect, purpose) = (Dialect::Codex, Purpose::Decision);
    Action::Ask(Box::new(HookAsk { ask, dialect, purpose, key: event.key(), reply, input }))
}

/// The questions of the tool that does not wait, in the words of the one that does.
fn in_passing(input: &Value) -> Value {
    let Some(asked) = input.get("questions").and_then(Value::as_array) else { return input.clone() };
    let questions = asked.iter().map(|question| {
        let mut plain = json!({"question": question.get("title")});
        if let Some(options) = question.get("options").and_then(Value::as_array) {
            plain["options"] = options.iter().map(|label| json!({ "label": label })).collect();
        }
        plain
    });
    json!({"questions": questions.collect::<Vec<_>>()})
}

fn refusal(ask: &Ask, outcome: &Outcome) -> Value {
    // Codex goes on after it with ". Tool: …".
    let reason = text(ask, outcome).trim_end_matches('.').to_owned();
    json!({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": reason,
    }})
}

fn server(connection: &Connection) -> serde_json::Map<String, Value> {
    let mut fields = serde_json::Map::new();
    fields.insert("command".to_owned(), connection.program.into());
    fields.insert("args".to_owned(), json!(["mcp"]));
    fields.insert("startup_timeout_sec".to_owned(), 30.into());
    fields.insert("tool_timeout_sec".to_owned(), DAY_S.into());
    fields.extend(connection.variables(true).map(|env| ("env".to_owned(), env)));
    fields
}

fn hooks(connection: &Connection) -> Vec<Want> {
    let command = shell_line(&connection.hook_words(COMMAND));
    let said = connection.says;
    let (waits, waits_or_here) = (said.waits(INBOX, OPEN), said.waits_or_here(INBOX, OPEN));
    let waiting =
        |says: &str| json!({"type": "command", "command": command, "timeout": DAY_S, "statusMessage": says});
    let telling = json!({"type": "command", "command": command, "timeout": TELLING_S});
    let questions = Some("^request_user_input(_async)?$");
    let permissions = "PermissionRequest";
    vec![
        Want::Hook { event: "PreToolUse", matcher: questions, hook: waiting(&waits) },
        // Where the answer to a question is handed over that the agent did not wait for.
        Want::Hook { event: "Stop", matcher: None, hook: waiting(&waits_or_here) },
        // What was answered in the agent's own terminal is taken back from ours.
        Want::Hook { event: "UserPromptSubmit", matcher: None, hook: telling.clone() },
        Want::Hook { event: "SessionEnd", matcher: None, hook: telling },
        if connection.extras.permissions {
            Want::Hook { event: permissions, matcher: Some("*"), hook: waiting(&waits) }
        } else {
            Want::NoHook { event: permissions }
        },
    ]
}
