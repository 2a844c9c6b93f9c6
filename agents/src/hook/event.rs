//! An event of an agent, and what every agent's events have in common.

use askuser_core::hex::hex;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::Agent;

/// What of an event is needed: the rest, as what a tool gave back, may be long and is left behind.
const NEEDED: [&str; 15] = [
    "session_id",
    "cwd",
    "hook_event_name",
    "tool_name",
    "tool_input",
    "tool_use_id",
    "agent_id",
    "mcp_server_name",
    "message",
    "mode",
    "requested_schema",
    "turn_id",
    "mcp_server",
    MARK,
    REPLIED,
];

/// Stands for a call of a tool whose input is left behind.
pub(crate) const MARK: &str = "askuser_mark";

/// The calls of a tool that a person's words in the agent's own terminal answer.
pub(crate) const REPLIED: &str = "askuser_replied";

/// The name of the event that our own process sends for an agent that does not wait any more.
const GONE: &str = "askuser.gone";

/// Whether a person sits before the agent's own dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// In a terminal or an editor, with a dialog of its own.
    Interactive,
    /// Without one.
    Headless,
}

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub agent: &'static Agent,
    /// Whether a dialog of the agent's own is there.
    pub mode: Mode,
    /// The project's folder, where it is known better than by where the agent is just now.
    pub folder: Option<String>,
    /// What the agent wrote.
    pub value: Value,
}

impl Mode {
    /// Returns its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Headless => "headless",
        }
    }

    /// Finds a mode by its word.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Interactive, Self::Headless].into_iter().find(|mode| mode.name() == name)
    }
}

impl Event {
    /// Reads an event as its agent wrote it, and keeps what of it is needed.
    pub fn new(agent: &'static Agent, mode: Mode, folder: Option<String>, value: &Value) -> Self {
        let value = &agent.hooks.as_ref().map_or_else(|| value.clone(), |hooks| (hooks.plain)(value));
        let fields = value.as_object().into_iter().flatten();
        let needed = fields.filter(|(key, _)| NEEDED.contains(&key.as_str()));
        let needed = needed.map(|(key, value)| (key.clone(), value.clone())).collect::<Map<_, _>>();
        Self { agent, mode, folder, value: Value::Object(needed) }
    }

    /// Returns the event that no agent sends: it no longer waits for what this one asked.
    #[must_use]
    pub fn gone(&self) -> Self {
        let mut event = self.clone();
        if let Some(fields) = event.value.as_object_mut() {
            fields.insert("hook_event_name".to_owned(), GONE.into());
        }
        event
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.name() == GONE
    }

    /// Returns the event without the input of its tool, which may be long: its mark stands for it.
    pub fn short(&self) -> Value {
        let mut short = self.value.clone();
        if let Some(fields) = short.as_object_mut() {
            fields.insert(MARK.to_owned(), self.mark().into());
            fields.shift_remove("tool_input");
        }
        short
    }

    pub(crate) fn word(&self, key: &str) -> Option<&str> {
        self.value.get(key).and_then(Value::as_str)
    }

    /// The agent's own name for its conversation.
    pub fn session(&self) -> &str {
        self.word("session_id").unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        self.word("hook_event_name").unwrap_or_default()
    }

    pub(crate) fn tool(&self) -> &str {
        self.word("tool_name").unwrap_or_default()
    }

    /// Whether its model asks a person.
    pub(crate) fn is_question(&self) -> bool {
        self.agent.hooks.as_ref().is_some_and(|hooks| hooks.question == self.tool())
    }

    pub(crate) fn input(&self) -> Value {
        self.value.get("tool_input").cloned().unwrap_or_default()
    }

    /// Tells one call of a tool from another. Answers that were put into a question's input do not
    /// make it another question.
    pub(crate) fn mark(&self) -> String {
        if let Some(mark) = self.word(MARK) {
            return mark.to_owned();
        }
        let input = self.value.get("tool_input");
        let questions = input.and_then(|input| input.get("questions"));
        let asked = questions.filter(|_| self.is_question()).or(input);
        let digest = Sha256::digest(json!([self.tool(), asked]).to_string());
        hex(&digest).chars().take(32).collect()
    }

    /// Joins the same call that comes again, where the agent names its calls.
    pub(crate) fn key(&self) -> Option<String> {
        let call = self.word("tool_use_id")?;
        Some(format!("hook {} {} {call}", self.agent.name, self.session()))
    }

    /// The project's folder, where it is known.
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref().or_else(|| self.word("cwd"))
    }

    /// Adds to an ask who asks, and what it is taken back by.
    pub(crate) fn signed(&self, mut ask: Value) -> Value {
        let folder = self.folder();
        let project = folder.and_then(|folder| folder.rsplit('/').find(|name| !name.is_empty()));
        let hook = json!({
            "session": self.session(), "thread": self.word("agent_id"), "mark": self.mark(),
        });
        if let Some(fields) = ask.as_object_mut() {
            fields.insert(
                "asker".to_owned(),
                json!({"agent": self.agent.name, "project": project, "folder": folder}),
            );
            let metadata = fields.entry("metadata").or_insert_with(|| json!({}));
            if !metadata.is_object() {
                *metadata = json!({});
            }
            metadata["hook"] = hook;
            if let Some(call) = self.word("tool_use_id") {
                fields.insert("tool_use_id".to_owned(), call.into());
            }
        }
        ask
    }
}
