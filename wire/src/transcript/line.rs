//! One line of a transcript: how it is linked, and the parts that it says.
//!
//! The format is its program's own and may change with any release, so nothing is demanded of a
//! line but that it is a JSON object: what is not known is left out and counted.

use serde_json::Value;

use super::super::tool;

/// The longest line that is read; a picture in a line may be large.
pub(super) const LINE_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Why a line could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// It is no JSON; with what the reader said.
    NotJson(String),
    /// It is JSON, but not an object.
    NotAnObject,
    /// It is too long; with its length.
    TooLong(usize),
}

/// What a line says of the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent<'a> {
    /// Nothing: the line before it in the file is meant.
    Unsaid,
    /// It begins the conversation.
    Root,
    /// The line of this name.
    Named(&'a str),
}

/// One part of what a line says.
#[derive(Debug, PartialEq)]
pub(super) enum Part<'a> {
    /// Words of the person.
    Prompt(&'a str),
    /// Words of the agent.
    Text(&'a str),
    Thinking(&'a str),
    Call {
        id: &'a str,
        name: &'a str,
        input: &'a Value,
    },
    Result {
        id: &'a str,
        text: String,
        is_error: bool,
    },
    Error(&'a str),
    Complete(&'a str),
    Notice(String),
}

/// Reads a line; none where it is blank.
pub(super) fn parse(bytes: &[u8]) -> Option<Result<Value, Broken>> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return None;
    }
    if bytes.len() > LINE_BYTES_MAX {
        return Some(Err(Broken::TooLong(bytes.len())));
    }
    Some(match serde_json::from_slice::<Value>(bytes) {
        Ok(value) if value.is_object() => Ok(value),
        Ok(_) => Err(Broken::NotAnObject),
        // Each line is read by itself: that it is its own first line says nothing.
        Err(error) => Err(Broken::NotJson(error.to_string().replace(" at line 1 column", " at column"))),
    })
}

/// Returns a text of a line, of the message in it where the line has none.
pub(super) fn word<'a>(line: &'a Value, key: &str) -> Option<&'a str> {
    let own = line.get(key).and_then(Value::as_str);
    own.or_else(|| line.get("message")?.get(key)?.as_str()).filter(|word| !word.is_empty())
}

/// Whether a line has a truth value that is true.
pub(super) fn flag(line: &Value, key: &str) -> bool {
    line.get(key) == Some(&Value::Bool(true))
}

/// Returns what a line says of the one before it. A conversation that was made shorter begins
/// anew and names its past apart.
pub(super) fn parent(line: &Value) -> Parent<'_> {
    let said = line.get("parentUuid").or_else(|| line.get("message")?.get("parentUuid"));
    match (said, word(line, "logicalParentUuid")) {
        (Some(Value::String(parent)), _) => Parent::Named(parent),
        (_, Some(past)) => Parent::Named(past),
        (Some(Value::Null), None) => Parent::Root,
        (_, None) => Parent::Unsaid,
    }
}

/// Returns the name that a line gives the whole conversation, where it does.
pub(super) fn title(line: &Value) -> Option<&str> {
    ["summary", "customTitle", "aiTitle"].into_iter().find_map(|key| line.get(key)?.as_str())
}

/// Returns the parts of what a line says.
pub(super) fn parts(line: &Value) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let said = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
    match said("type") {
        "user" | "assistant" | "message" => spoken(line, &mut parts),
        "system" => {
            let is_error = said("level") == "error" || said("subtype") == "api_error";
            parts.push(if is_error {
                Part::Error(said("content"))
            } else {
                Part::Notice(said("content").to_owned())
            });
        }
        "result" if flag(line, "is_error") || said("subtype").starts_with("error") => {
            let words = if said("result").is_empty() { said("subtype") } else { said("result") };
            parts.push(Part::Error(words));
        }
        "result" => parts.push(Part::Complete(said("result"))),
        // The question as it is pushed, without a message around it.
        "ask_user_question" => {
            let id = word(line, "tool_use_id").unwrap_or_default();
            parts.push(Part::Call { id, name: tool::NAME, input: line });
        }
        _ => block(line, Role::Agent, &mut parts),
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Person,
    Agent,
    /// The program speaks in the person's or the agent's place.
    Program,
    /// The program speaks in the agent's place, of a failure.
    Failing,
}

fn spoken<'a>(line: &'a Value, parts: &mut Vec<Part<'a>>) {
    let message = line.get("message").filter(|message| message.is_object()).unwrap_or(line);
    let role = message.get("role").or_else(|| line.get("type")).and_then(Value::as_str);
    let role = match role {
        _ if flag(line, "isApiErrorMessage") => Role::Failing,
        _ if flag(line, "isMeta") || flag(line, "isCompactSummary") => Role::Program,
        Some("user") => Role::Person,
        _ => Role::Agent,
    };
    // What an ask of ours was asked with stands beside the call.
    if let Some(context) =
        line.get("context").and_then(Value::as_str).filter(|_| line.get("ask_id").is_some())
    {
        parts.push(Part::Text(context));
    }
    match message.get("content") {
        Some(Value::String(text)) => parts.push(text_of(text, role)),
        Some(Value::Array(blocks)) => blocks.iter().for_each(|one| block(one, role, parts)),
        _ => {}
    }
}

fn block<'a>(block: &'a Value, role: Role, parts: &mut Vec<Part<'a>>) {
    let said = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    let first =
        |keys: [&str; 3]| keys.into_iter().find_map(|key| block.get(key)?.as_str()).unwrap_or_default();
    match said("type") {
        "text" => parts.push(text_of(first(["text", "content", "message"]), role)),
        "thinking" => parts.push(Part::Thinking(first(["thinking", "text", "content"]))),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let input = block.get("input").unwrap_or(&Value::Null);
            parts.push(Part::Call { id: said("id"), name: said("name"), input });
        }
        "tool_result" | "mcp_tool_result" => {
            let mut text = String::new();
            flatten(block.get("content").unwrap_or(&Value::Null), &mut text);
            parts.push(Part::Result { id: said("tool_use_id"), text, is_error: flag(block, "is_error") });
        }
        "image" | "document" => parts.push(Part::Notice(medium(block))),
        "error" => parts.push(Part::Error(first(["error", "message", "content"]))),
        "complete" => parts.push(Part::Complete(first(["content", "message", "text"]))),
        "info" => parts.push(Part::Notice(first(["content", "message", "text"]).to_owned())),
        _ => {}
    }
}

/// What the program writes in the person's place begins so.
const PROGRAM: [&str; 5] =
    ["[Request interrupted by user", "<command-", "<local-command-", "<bash-", "<system-reminder>"];

fn text_of(text: &str, role: Role) -> Part<'_> {
    let by_program = || PROGRAM.iter().any(|begins| text.trim_start().starts_with(begins));
    match role {
        Role::Failing => Part::Error(text),
        Role::Program => Part::Notice(text.to_owned()),
        Role::Person if by_program() => Part::Notice(text.to_owned()),
        Role::Person => Part::Prompt(text),
        Role::Agent => Part::Text(text),
    }
}

/// Adds the words of a result: a text, or a list of texts and other media.
fn flatten(content: &Value, text: &mut String) {
    match content {
        Value::String(words) => text.push_str(words),
        Value::Array(blocks) => {
            for block in blocks {
                if !text.is_empty() {
                    text.push('\n');
                }
                match block.get("text").and_then(Value::as_str) {
                    Some(words) => text.push_str(words),
                    None => text.push_str(&medium(block)),
                }
            }
        }
        Value::Null => {}
        other => text.push_str(&other.to_string()),
    }
}

/// Names what is no text: `[image/png]`.
fn medium(block: &Value) -> String {
    let kind = block.get("source").and_then(|source| source.get("media_type")?.as_str());
    let kind = kind.or_else(|| block.get("type")?.as_str()).unwrap_or("?");
    format!("[{}]", kind.chars().take(64).collect::<String>())
}

impl Part<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Self::Prompt(text)
            | Self::Text(text)
            | Self::Thinking(text)
            | Self::Error(text)
            | Self::Complete(text) => text.trim().is_empty(),
            Self::Notice(text) => text.trim().is_empty(),
            Self::Call { .. } | Self::Result { .. } => false,
        }
    }
}
