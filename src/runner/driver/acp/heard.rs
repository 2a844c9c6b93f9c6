//! What an agent of the protocol tells of its work, as messages.

use agent_client_protocol::v1::schema::{
    ContentBlock, Plan, PlanEntryStatus, SessionUpdate, ToolCall, ToolCallContent, ToolCallStatus,
    ToolCallUpdateFields,
};
use askuser_core::message::Said;
use serde_json::Value;

use super::super::super::driver::Stage;

/// Takes in one update. Kinds that say nothing to a person are passed over.
pub(super) fn update(stage: &mut Stage, update: SessionUpdate) {
    match update {
        SessionUpdate::AgentMessageChunk(chunk) => stage.telling.piece(false, &block(&chunk.content)),
        SessionUpdate::AgentThoughtChunk(chunk) => stage.telling.piece(true, &block(&chunk.content)),
        SessionUpdate::ToolCall(call) => called(stage, &call),
        SessionUpdate::ToolCallUpdate(update) => {
            let call = update.tool_call_id.0.to_string();
            returned(stage, call, update.fields.status, &update.fields);
        }
        SessionUpdate::Plan(plan) => {
            stage.telling.end_pieces();
            stage.telling.tell(Said::Notice(steps(&plan)));
        }
        _ => {}
    }
}

fn called(stage: &mut Stage, call: &ToolCall) {
    stage.telling.end_pieces();
    let id = call.tool_call_id.0.to_string();
    let name = call.name.clone().unwrap_or_else(|| call.title.clone());
    let input = call.raw_input.as_ref().map_or_else(|| Value::from(call.title.as_str()), Clone::clone);
    stage.telling.tell(Said::ToolUse { call: id.clone(), name, input: input.to_string() });
    let fields =
        ToolCallUpdateFields::new().content(call.content.clone()).raw_output(call.raw_output.clone());
    returned(stage, id, Some(call.status), &fields);
}

/// A call that is over has its result.
fn returned(stage: &mut Stage, call: String, status: Option<ToolCallStatus>, fields: &ToolCallUpdateFields) {
    let is_error = match status {
        Some(ToolCallStatus::Completed) => false,
        Some(ToolCallStatus::Failed) => true,
        _ => return,
    };
    stage.telling.end_pieces();
    stage.telling.tell(Said::ToolResult { call, text: contents(fields), is_error });
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
