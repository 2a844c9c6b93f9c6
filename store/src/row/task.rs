//! A task and a message as they are stored.

use askuser_core::id::{MessageId, UserId};
use askuser_core::message::{Message, Said, Speaker};
use askuser_core::task::{Child, Task};
use askuser_core::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::ask::id;
use super::words::{SpeakerWord, TaskStateWord};
use super::{Text, Wrong, is_false, optional, owned, text};

/// A task. Without its latest message, which changes with every one.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TaskRow<'a> {
    task: String,
    session: String,
    #[serde(borrow)]
    owner: Text<'a>,
    agent: Text<'a>,
    folder: Text<'a>,
    text: Text<'a>,
    state: TaskStateWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<Text<'a>>,
    n_runs: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_session: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    stop_wanted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pid: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pid_started: Option<u64>,
    created_at: i64,
    changed_at: i64,
}

impl<'a> From<&'a Task> for TaskRow<'a> {
    fn from(task: &'a Task) -> Self {
        Self {
            task: task.id.to_string(),
            session: task.session.to_string(),
            owner: text(task.owner.as_str()),
            agent: text(&task.agent),
            folder: text(&task.folder),
            text: text(&task.text),
            state: task.state.into(),
            reason: optional(task.reason.as_ref()),
            n_runs: task.n_runs,
            agent_session: optional(task.agent_session.as_ref()),
            server: task.server.map(|server| server.to_string()),
            stop_wanted: task.stop_wanted,
            pid: task.child.map(|child| child.pid),
            pid_started: task.child.map(|child| child.started),
            created_at: task.created_at.0,
            changed_at: task.changed_at.0,
        }
    }
}

impl TryFrom<TaskRow<'_>> for Task {
    type Error = Wrong;
    fn try_from(row: TaskRow<'_>) -> Result<Self, Wrong> {
        let child = row.pid.zip(row.pid_started).map(|(pid, started)| Child { pid, started });
        Ok(Self {
            id: id(&row.task)?,
            session: id(&row.session)?,
            owner: UserId::new(row.owner),
            agent: row.agent.into_owned(),
            folder: row.folder.into_owned(),
            text: row.text.into(),
            state: row.state.into(),
            reason: owned(row.reason),
            n_runs: row.n_runs,
            agent_session: owned(row.agent_session),
            server: row.server.as_deref().map(id).transpose()?,
            stop_wanted: row.stop_wanted,
            child,
            last_message: None,
            created_at: Timestamp(row.created_at),
            changed_at: Timestamp(row.changed_at),
        })
    }
}

/// A message. Its moment is that of its fact as well.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MessageRow<'a> {
    pub(super) session: String,
    uuid: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<String>,
    round: u32,
    at: i64,
    #[serde(borrow)]
    kind: Text<'a>,
    text: Text<'a>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<SpeakerWord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<Text<'a>>,
    #[serde(default, skip_serializing_if = "is_false")]
    is_error: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole_bytes: Option<u64>,
}

impl<'a> MessageRow<'a> {
    pub(super) fn new(session: String, message: &'a Message) -> Self {
        let mut row = Self {
            session,
            uuid: message.id.to_string(),
            parent: message.parent.map(|parent| parent.to_string()),
            round: message.round,
            at: message.at.0,
            kind: text(message.said.kind()),
            text: text(message.said.text()),
            by: None,
            call: None,
            name: None,
            is_error: false,
            whole_bytes: message.whole_bytes,
        };
        match &message.said {
            Said::Text { by, .. } => row.by = Some((*by).into()),
            Said::ToolUse { call, name, .. } => (row.call, row.name) = (Some(text(call)), Some(text(name))),
            Said::ToolResult { call, is_error, .. } => {
                (row.call, row.is_error) = (Some(text(call)), *is_error);
            }
            Said::Ask { call, .. } => row.call = Some(text(call)),
            Said::Thinking(_) | Said::Error(_) | Said::Complete(_) | Said::Notice(_) => {}
        }
        row
    }
}

impl TryFrom<MessageRow<'_>> for Message {
    type Error = Wrong;
    fn try_from(row: MessageRow<'_>) -> Result<Self, Wrong> {
        let words = row.text.into_owned();
        let call = owned(row.call).unwrap_or_default();
        let said = match &*row.kind {
            "text" => Said::Text { by: row.by.map_or(Speaker::Agent, Into::into), text: words },
            "thinking" => Said::Thinking(words),
            "tool_use" => Said::ToolUse { call, name: owned(row.name).unwrap_or_default(), input: words },
            "tool_result" => Said::ToolResult { call, text: words, is_error: row.is_error },
            "error" => Said::Error(words),
            "complete" => Said::Complete(words),
            "info" => Said::Notice(words),
            "ask_user_question" => Said::Ask { call, input: words },
            other => return Err(Wrong::new(format!("`{other}` is not a kind of message"))),
        };
        Ok(Self {
            id: message_id(&row.uuid)?,
            parent: row.parent.as_deref().map(message_id).transpose()?,
            round: row.round,
            at: Timestamp(row.at),
            said,
            whole_bytes: row.whole_bytes,
        })
    }
}

fn message_id(text: &str) -> Result<MessageId, Wrong> {
    text.parse().map_err(|_| Wrong::new(format!("`{text}` does not name a message")))
}
