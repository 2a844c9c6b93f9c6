//! What an agent of the protocol tells of its work, as messages.

use std::collections::HashMap;

use agent_client_protocol::v1::schema::{
    ContentBlock, Plan, PlanEntryStatus, SessionUpdate, ToolCall, ToolCallContent, ToolCallStatus,
    ToolCallUpdateFields,
};
use askuser_core::message::Said;
use serde_json::Value;

use super::super::Stage;
use askuser_wire::tool;

/// Calls of tools that may be at work at once; more are told as they come.
const CALLS_MAX: usize = 1000;

/// Calls of tools that have begun. Some agents name a call first and say later what it is about.
#[derive(Default)]
pub(super) struct Calls(HashMap<String, Call>);

struct Call {
    name: String,
    input: Option<Value>,
    told: bool,
}

impl Calls {
    /// Takes in one update. Kinds that say nothing to a person are passed over.
    pub(super) fn update(&mut self, stage: &mut Stage, update: SessionUpdate) {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => stage.writer.piece(false, &block(&chunk.content)),
            SessionUpdate::AgentThoughtChunk(chunk) => stage.writer.piece(true, &block(&chunk.content)),
            SessionUpdate::ToolCall(call) => self.begun(stage, call),
            SessionUpdate::ToolCallUpdate(update) => {
                self.gone_on(stage, &update.tool_call_id.0, &update.fields);
            }
            SessionUpdate::Plan(plan) => {
                stage.writer.end_pieces();
                stage.writer.write(Said::Notice(steps(&plan)));
            }
            _ => {}
        }
    }

    fn begun(&mut self, stage: &mut Stage, call: ToolCall) {
        let id = call.tool_call_id.0.to_string();
        if self.0.len() >= CALLS_MAX {
            self.0.clear();
        }
        let name = call.name.clone().unwrap_or(call.title);
        self.0.insert(id.clone(), Call { name, input: None, told: false });
        let fields = ToolCallUpdateFields::new()
            .status(call.status)
            .content(call.content)
            .raw_input(call.raw_input)
            .raw_output(call.raw_output);
        self.gone_on(stage, &id, &fields);
    }

    fn gone_on(&mut self, stage: &mut Stage, id: &str, fields: &ToolCallUpdateFields) {
        let ended = match fields.status {
            Some(ToolCallStatus::Completed) => Some(false),
            Some(ToolCallStatus::Failed) => Some(true),
            _ => None,
        };
        let unnamed = || Call { name: "a tool".to_owned(), input: None, told: true };
        let call = self.0.entry(id.to_owned()).or_insert_with(unnamed);
        let said = fields.raw_input.clone().filter(|input| !is_empty(input));
        call.input = said.or(call.input.take());
        // A question that is asked in this very session is seen there, with its outcome.
        let is_ask = stage.asks_here() && is_ask(&call.name);
        let works = ended.is_some() || fields.status == Some(ToolCallStatus::InProgress);
        if !call.told && !is_ask && (call.input.is_some() || works) {
            call.told = true;
            stage.writer.end_pieces();
            stage.writer.write(used(id, call));
        }
        let Some(is_error) = ended else { return };
        self.0.remove(id);
        if !is_ask || is_error {
            stage.writer.end_pieces();
            stage.writer.write(Said::ToolResult { call: id.to_owned(), text: contents(fields), is_error });
        }
    }
}

fn used(id: &str, call: &Call) -> Said {
    let (id, name) = (id.to_owned(), call.name.clone());
    let input = call.input.as_ref().map_or_else(|| "{}".to_owned(), Value::to_string);
    if is_ask(&name) { Said::Ask { call: id, input } } else { Said::ToolUse { call: id, name, input } }
}

/// Whether it is our own question under one of its names (D3).
fn is_ask(name: &str) -> bool {
    tool::is_ours(name) || tool::is_ours_of_server(name)
}

fn is_empty(input: &Value) -> bool {
    input.is_null() || input.as_object().is_some_and(serde_json::Map::is_empty)
}

fn contents(fields: &ToolCallUpdateFields) -> String {
    let parts: Vec<String> = fields.content.iter().flatten().map(content).collect();
    match (&fields.raw_output, parts.is_empty()) {
        (Some(Value::String(text)), true) => text.clone(),
        (Some(output), true) => output.to_string(),
        _ => parts.join("\n"),
    }
}

fn content(content: &ToolCallContent) -> String {
    match content {
        ToolCallContent::Content(content) => block(&content.content),
        ToolCallContent::Diff(diff) => {
            let was = diff.old_text.as_deref().unwrap_or_default().lines().map(|line| format!("-{line}"));
            let now = diff.new_text.lines().map(|line| format!("+{line}"));
            let lines: Vec<String> = was.chain(now).collect();
            format!("{}\n{}", diff.path.display(), lines.join("\n"))
        }
        _ => String::new(),
    }
}

fn block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        ContentBlock::Image(_) => "[image]".to_owned(),
        ContentBlock::Audio(_) => "[audio]".to_owned(),
        _ => "[something]".to_owned(),
    }
}

fn steps(plan: &Plan) -> String {
    let step = |status: &PlanEntryStatus, text: &str| match status {
        PlanEntryStatus::Completed => format!("- [x] {text}"),
        _ => format!("- [ ] {text}"),
    };
    let steps: Vec<String> = plan.entries.iter().map(|entry| step(&entry.status, &entry.content)).collect();
    steps.join("\n")
}

/// What a permission is about, to the letter.
pub(super) fn shown(fields: &ToolCallUpdateFields) -> String {
    let input = fields.raw_input.as_ref().map(|input| format!("{input:#}"));
    let content = Some(contents(fields)).filter(|text| !text.is_empty());
    let parts: Vec<String> = input.into_iter().chain(content).collect();
    if parts.is_empty() { "(the agent does not say more)".to_owned() } else { parts.join("\n\n") }
}
