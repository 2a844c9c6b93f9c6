//! What Claude Code tells of its work, as messages.

use std::collections::HashMap;

use askuser_core::message::Said;
use serde_json::Value;

use super::Stage;
use crate::REASONS;
use askuser_wire::tool;

/// Calls of its question tool: shown as the question that is asked here, or, where it never is, as
/// what they are.
#[derive(Default)]
pub(super) struct Held {
    /// By the name of the call: the input, and whether it was asked here.
    calls: HashMap<String, (String, bool)>,
}

impl Held {
    /// Notes that a call became a question of this task.
    pub(super) fn is_asked(&mut self, call: Option<&str>) {
        if let Some((_, asked)) = call.and_then(|call| self.calls.get_mut(call)) {
            *asked = true;
        }
    }

    /// What the agent says and which tools it calls.
    pub(super) fn assistant(&mut self, stage: &mut Stage, value: &Value) {
        for block in value["message"]["content"].as_array().into_iter().flatten() {
            let word = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
            match block["type"].as_str().unwrap_or_default() {
                "text" => stage.writer.write_whole(false, word("text")),
                "thinking" => stage.writer.write_whole(true, word("thinking")),
                "tool_use" => {
                    let (call, name, input) = (word("id"), word("name"), block["input"].to_string());
                    let of_server = tool::is_ours_of_server(&name);
                    if tool::is_ours(&name) || (of_server && stage.asks_here()) {
                        // Through a server of ours it is asked in this very session.
                        self.calls.insert(call, (input, of_server));
                    } else if of_server {
                        stage.writer.write(Said::Ask { call, input });
                    } else {
                        stage.writer.write(Said::ToolUse { call, name, input });
                    }
                }
                _ => {}
            }
        }
    }

    /// What the tools returned.
    pub(super) fn user(&mut self, stage: &mut Stage, value: &Value) {
        for block in value["message"]["content"].as_array().into_iter().flatten() {
            if block["type"].as_str() != Some("tool_result") {
                continue;
            }
            let call = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
            match self.calls.remove(&call) {
                // The outcome of the question says it.
                Some((_, true)) if block["is_error"].as_bool() != Some(true) => continue,
                Some((input, false)) => stage.writer.write(Said::Ask { call: call.clone(), input }),
                Some((_, true)) | None => {}
            }
            let is_error = block["is_error"].as_bool() == Some(true);
            stage.writer.write(Said::ToolResult { call, text: content(&block["content"]), is_error });
        }
    }
}

/// Text, or a list of parts of which some are text.
fn content(value: &Value) -> String {
    if let Some(text) = value.as_str() {
        return text.to_owned();
    }
    let part = |part: &Value| match part["text"].as_str() {
        Some(text) => text.to_owned(),
        None => format!("[{}]", part["type"].as_str().unwrap_or("something")),
    };
    value.as_array().into_iter().flatten().map(part).collect::<Vec<_>>().join("\n")
}

/// A piece of what is being written.
pub(super) fn piece(stage: &mut Stage, value: &Value) {
    // What its helpers write comes as a whole.
    if !value["parent_tool_use_id"].is_null() {
        return;
    }
    let delta = &value["event"]["delta"];
    if let Some(text) = delta["text"].as_str() {
        stage.writer.piece(false, text);
    } else if let Some(text) = delta["thinking"].as_str() {
        stage.writer.piece(true, text);
    }
}

/// Remarks of the program itself.
pub(super) async fn system(stage: &mut Stage, value: &Value) {
    match value["subtype"].as_str().unwrap_or_default() {
        "init" => {
            if let Some(session) = value["session_id"].as_str() {
                // Whoever listens is there as long as we are.
                let _told = stage.named.send(session.to_owned()).await;
            }
        }
        "compact_boundary" => {
            stage.writer.write(Said::Notice(REASONS.summarized().to_owned()));
        }
        _ => {}
    }
}

/// What it says at the end of a turn.
pub(super) fn result_text(value: &Value) -> String {
    if let Some(text) = value["result"].as_str().filter(|text| !text.is_empty()) {
        return text.to_owned();
    }
    let errors = value["errors"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let errors: Vec<&str> = errors.collect();
    let subtype = value["subtype"].as_str().unwrap_or("no result");
    if errors.is_empty() { subtype.to_owned() } else { errors.join("; ") }
}
