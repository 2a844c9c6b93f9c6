//! Requests of Claude Code as questions to the person, and their outcomes as its answers.

use std::collections::HashMap;

use askuser_core::asker::Purpose;
use askuser_core::outcome::Ending;
use askuser_core::task::Task;
use serde_json::{Value, json};

use super::super::super::asking::{Answered, Question, permission};
use super::words;
use askuser_wire::{self as wire, Dialect, tool};

/// Requests that wait for their answer, as they came.
#[derive(Default)]
pub(super) struct Requests(HashMap<String, Value>);

impl Requests {
    pub(super) fn open(&mut self, key: String, request: Value) {
        self.0.insert(key, request);
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// Forgets a request that the agent took back: it gets no answer.
    pub(super) fn cancelled(&mut self, key: &str) -> bool {
        self.0.remove(key).is_some()
    }

    /// Takes a request that has its outcome, with its id in it.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        let mut request = self.0.remove(key)?;
        request["request_id"] = key.into();
        Some(request)
    }

    pub(super) fn take_all(&mut self) -> Vec<String> {
        self.0.drain().map(|(key, _)| key).collect()
    }
}

/// Reads a request as a question; the reply where it is none that we ask.
pub(super) fn read(task: &Task, key: &str, request: &Value) -> Result<Question, Value> {
    let call = request["tool_use_id"].as_str().map(str::to_owned);
    let (ask, dialect, purpose) = match request["subtype"].as_str().unwrap_or_default() {
        "can_use_tool" if is_question(request) => {
            (request["input"].clone(), Dialect::Claude, Purpose::Decision)
        }
        "can_use_tool" => (of_tool(task, request), Dialect::Full, Purpose::Permission),
        "elicitation" if is_form(request) => (form(request), Dialect::Elicitation, Purpose::Decision),
        // A page to be opened elsewhere is nothing that can be answered here.
        "elicitation" => return Err(words::reply(key, &json!({"action": "decline"}))),
        other => return Err(words::unknown(key, other)),
    };
    Ok(Question { key: key.to_owned(), ask, dialect, purpose, call })
}

fn is_question(request: &Value) -> bool {
    request["tool_name"].as_str().is_some_and(tool::is_ours)
}

fn is_form(request: &Value) -> bool {
    request["mode"].as_str().is_none_or(|mode| mode == "form") && request["requested_schema"].is_object()
}

fn form(request: &Value) -> Value {
    let server = request["mcp_server_name"].as_str().unwrap_or("an MCP server");
    json!({
        "message": request["message"], "context": format!("(asked by `{server}`)"),
        "requestedSchema": request["requested_schema"],
    })
}

/// May it use this tool, with this input, to the letter?
fn of_tool(task: &Task, request: &Value) -> Value {
    let tool = request["tool_name"].as_str().unwrap_or("a tool");
    let text = format!("Allow {} to use `{tool}`?", task.agent);
    // As JSON, so that no text in it can pass for another field.
    let shown = format!("{:#}", request["input"]);
    let has_rules = request["permission_suggestions"].as_array().is_some_and(|rules| !rules.is_empty());
    let always = has_rules && request["suppress_always_allow_rule"].as_bool() != Some(true);
    let mut choices = vec![(ALLOW, "Allow"), (ALWAYS, "Allow from now on"), (DENY, "Deny")];
    choices.retain(|(id, _)| *id != ALWAYS || always);
    permission("Permission", &text, &shown, &choices)
}

const ALLOW: &str = "allow";
const ALWAYS: &str = "always";
const DENY: &str = "deny";

/// Writes the answer to a request whose question has its outcome.
pub(super) fn reply(request: &Value, answered: &Answered) -> Value {
    let key = request["request_id"].as_str().unwrap_or_default();
    if request["subtype"].as_str() == Some("elicitation") {
        let said = answered.outcome().map(|outcome| {
            wire::write(Dialect::Elicitation, &answered.ask.questions, &answered.ask.terms, outcome)
        });
        return words::reply(key, &said.unwrap_or_else(|| json!({"action": "cancel"})));
    }
    let said = if is_question(request) { answer(request, answered) } else { decision(request, answered) };
    words::reply(key, &said)
}

/// The input with the answers in it, or no: a yes without answers would be an answer nobody gave.
fn answer(request: &Value, answered: &Answered) -> Value {
    let is_answered =
        |outcome: &&askuser_core::outcome::Outcome| matches!(outcome.ending, Ending::Answered(_));
    let updated = answered
        .outcome()
        .filter(is_answered)
        .map(|outcome| wire::claude::updated_input(&request["input"], &answered.ask.questions, outcome));
    let has_answers = |input: &Value| input["answers"].as_object().is_some_and(|answers| !answers.is_empty());
    match updated.filter(has_answers) {
        Some(input) => json!({"behavior": "allow", "updatedInput": input}),
        None => json!({"behavior": "deny", "message": answered.text(), "interrupt": false}),
    }
}

fn decision(request: &Value, answered: &Answered) -> Value {
    match answered.picked() {
        Some(ALLOW) => json!({"behavior": "allow", "updatedInput": request["input"],
            "decisionClassification": "user_temporary"}),
        Some(ALWAYS) => json!({"behavior": "allow", "updatedInput": request["input"],
            "updatedPermissions": request["permission_suggestions"],
            "decisionClassification": "user_permanent"}),
        _ => json!({"behavior": "deny", "message": answered.refusal(), "interrupt": false,
            "decisionClassification": "user_reject"}),
    }
}

/// Writes what the agent is told of a question that could not be asked.
pub(super) fn not_asked(key: &str, request: &Value, why: &str) -> Value {
    if request["subtype"].as_str() == Some("elicitation") {
        return words::reply(key, &json!({"action": "cancel"}));
    }
    words::refuse(key, why, false)
}
