//! The tool call around an ask, as agents and transcripts write it: the `tool_use` object, the `message`
//! that holds it, the line of a transcript that holds the message, and `{name, input}` (P4, P5, P16).
//!
//! The questions are the call's `input`, in any dialect. The reply is the matching `tool_result`, in the
//! shape that the call came in.

use askuser_core::asker::Terms;
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::Questions;
use serde_json::{Value, json};

use super::dialect::Dialect;
use super::reading::wrong_type;
use super::{claude, result_text, terms, tool};

/// Fields that only an ask without an envelope has at its top.
const OF_AN_ASK: [&str; 5] = ["questions", "question", "question_text", "options", "requestedSchema"];

/// A call taken out of its envelope.
pub(super) struct Opened {
    /// What is asked, with the terms that stood around the call.
    pub(super) input: Value,
    /// Where it stood, as `content[0].input`.
    pub(super) at: String,
    /// Terms that stood around the call: they go before those in it.
    pub(super) around: Vec<&'static str>,
    /// The call's id.
    pub(super) tool_use: Option<String>,
    /// The `uuid` of the transcript's line.
    pub(super) line: Option<String>,
}

/// Which envelope a value is, if it is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `{type: tool_use, id, name, input}`, or only `{name, input}`.
    Call,
    /// `{type: message, role, content: [{type: tool_use, …}]}`.
    Message,
    /// `{type: assistant, message: {role, content: […]}, uuid, parentUuid}`.
    Line,
}

fn shape(value: &Value) -> Option<Shape> {
    let fields = value.as_object()?;
    if OF_AN_ASK.iter().any(|key| fields.contains_key(*key)) {
        return None;
    }
    let word = |key: &str| fields.get(key).and_then(Value::as_str);
    let named = word("name").is_some_and(is_ours);
    match word("type") {
        Some("tool_use") => Some(Shape::Call),
        Some("message") => Some(Shape::Message),
        Some("assistant" | "user") => Some(Shape::Line),
        _ if fields.get("message").is_some_and(Value::is_object) => Some(Shape::Line),
        _ if fields.contains_key("content") && word("role").is_some() => Some(Shape::Message),
        _ if named || fields.contains_key("input") => Some(Shape::Call),
        _ if fields.contains_key("name") && fields.contains_key("arguments") => Some(Shape::Call),
        _ => None,
    }
}

/// Returns the dialect of an envelope; none where the value is no envelope, or one whose reply has no call to
/// name (`{name, input}`), so that the reply is that of its input.
pub(super) fn dialect(value: &Value) -> Option<Dialect> {
    match shape(value)? {
        Shape::Message => Some(Dialect::Message),
        Shape::Line => Some(Dialect::TranscriptLine),
        Shape::Call => {
            let is_tool_use = value.get("type").and_then(Value::as_str) == Some("tool_use");
            (is_tool_use || value.get("id").is_some_and(Value::is_string)).then_some(Dialect::ToolUse)
        }
    }
}

/// Returns the input of a call; none where the value is no envelope.
pub(super) fn input(value: &Value) -> Option<&Value> {
    (shape(value)? == Shape::Call).then(|| arguments(value)).map(|(_, input)| input.unwrap_or(&Value::Null))
}

/// Takes the call out of its envelope, or says what is wrong with it; none where the value is no envelope.
pub(super) fn open(value: &Value) -> Option<Result<Opened, Vec<Problem>>> {
    let opened = match shape(value)? {
        Shape::Call => call("", value),
        Shape::Message => from_message("", value),
        Shape::Line => match value.get("message") {
            None | Some(Value::Null) => Err(vec![Problem::new("message", Fault::Missing)]),
            Some(message) if message.is_object() => from_message("message", message),
            Some(other) => Err(vec![Problem::new("message", wrong_type("object", other))]),
        },
    };
    Some(opened.map(|mut opened| {
        opened.line = value.get("uuid").and_then(Value::as_str).map(str::to_owned);
        take_terms(&mut opened, value);
        opened
    }))
}

/// Puts the terms that whoever carries the call wrote around it into its input.
fn take_terms(opened: &mut Opened, value: &Value) {
    let Some(fields) = opened.input.as_object_mut() else { return };
    for name in terms::NAMES {
        if let Some(given) = value.get(name).filter(|given| !given.is_null()) {
            fields.insert(name.to_owned(), given.clone());
            opened.around.push(name);
        }
    }
}

/// Finds the one call of our tool among the blocks of a message.
fn from_message(at: &str, message: &Value) -> Result<Opened, Vec<Problem>> {
    let at = super::reading::under(at, "content");
    let fault = |fault| Err(vec![Problem::new(at.clone(), fault)]);
    let blocks = match message.get("content") {
        None | Some(Value::Null) => return fault(Fault::Missing),
        Some(Value::Array(blocks)) => blocks,
        Some(other) => return fault(wrong_type("array", other)),
    };
    let is_call = |block: &Value| block.get("type").and_then(Value::as_str) == Some("tool_use");
    let calls: Vec<(usize, &Value)> = blocks.iter().enumerate().filter(|(_, block)| is_call(block)).collect();
    let name_is_ours = |block: &Value| block.get("name").and_then(Value::as_str).is_some_and(is_ours);
    let ours: Vec<&(usize, &Value)> = calls.iter().filter(|(_, block)| name_is_ours(block)).collect();
    match (calls.as_slice(), ours.as_slice()) {
        // What is wrong with the only call there is, is told of it.
        ([(idx, block)], _) | (_, [(idx, block)]) => call(&format!("{at}[{idx}]"), block),
        (_, []) => fault(Fault::NoToolCall { tool: tool::NAME }),
        (_, several) => fault(Fault::SeveralToolCalls { tool: tool::NAME, got: several.len() }),
    }
}

/// Reads one call. In a `tool_use` the id is demanded: the result could not name it otherwise.
fn call(at: &str, block: &Value) -> Result<Opened, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut text = |key: &str, is_demanded: bool| match block.get(key) {
        Some(Value::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(Value::String(_) | Value::Null) | None => {
            if is_demanded {
                problems.push(Problem::new(super::reading::under(at, key), Fault::Missing));
            }
            None
        }
        Some(other) => {
            problems.push(Problem::new(super::reading::under(at, key), wrong_type("string", other)));
            None
        }
    };
    let is_tool_use = block.get("type").and_then(Value::as_str) == Some("tool_use");
    let tool_use = text("id", is_tool_use);
    let name = text("name", true);
    if let Some(name) = name.filter(|name| !is_ours(name)) {
        let expected = tool::NAMES.map(str::to_owned).to_vec();
        let fault = Fault::NotOneOf { expected, received: name };
        problems.push(Problem::new(super::reading::under(at, "name"), fault));
    }
    let (key, input) = arguments(block);
    let at = super::reading::under(at, key);
    let input = match input {
        Some(input) if input.is_object() => input.clone(),
        None | Some(Value::Null) => {
            problems.push(Problem::new(at, Fault::Missing));
            return Err(problems);
        }
        Some(other) => {
            problems.push(Problem::new(at, wrong_type("object", other)));
            return Err(problems);
        }
    };
    if problems.is_empty() {
        Ok(Opened { input, at, around: Vec::new(), tool_use, line: None })
    } else {
        Err(problems)
    }
}

/// What a call is made with: `input` as the source documents have it, `arguments` as MCP calls it.
fn arguments(call: &Value) -> (&'static str, Option<&Value>) {
    match (call.get("input"), call.get("arguments")) {
        (None, Some(arguments)) => ("arguments", Some(arguments)),
        (input, _) => ("input", input),
    }
}

fn is_ours(name: &str) -> bool {
    tool::is_ours(name) || tool::is_ours_of_server(name)
}

/// Writes `{"type":"tool_result","tool_use_id":…,"content":…}`; where nobody answered, `is_error` too.
pub(super) fn tool_result(questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    let result = result_text::write(questions, outcome);
    let mut block = json!({"type": "tool_result", "tool_use_id": terms.tool_use, "content": result.text});
    if let (true, Some(fields)) = (result.is_error, block.as_object_mut()) {
        fields.insert("is_error".to_owned(), true.into());
    }
    block
}

/// Writes the message that holds the result.
pub(super) fn message(questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    json!({"type": "message", "role": "user", "content": [tool_result(questions, terms, outcome)]})
}

/// Writes the line that follows the call's; whoever keeps the transcript names it.
pub(super) fn transcript_line(questions: &Questions, terms: &Terms, outcome: &Outcome) -> Value {
    json!({
        "type": "user",
        "message": {"role": "user", "content": [tool_result(questions, terms, outcome)]},
        "parentUuid": terms.event,
        "toolUseResult": claude::write(questions, outcome),
    })
}
