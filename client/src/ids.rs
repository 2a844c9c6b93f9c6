//! Things by a part of their id, and what there is to be meant.

use askuser_core::time::Timestamp;
use hyper::Method;
use serde_json::Value;

use super::Client;
use super::error::ClientError;
use super::keys::KeyFor;
use super::link::escaped;
use askuser_wire::{check, time};

/// What has a short id that the desk finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// An ask.
    Ask,
    /// A session, which also goes by the agent's own name for it.
    Session,
    /// A task.
    Task,
    /// A rule that the person made.
    Rule,
}

impl IdKind {
    fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Session => "session",
            Self::Task => "task",
            Self::Rule => "rule",
        }
    }
}

/// A thing that a person may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thing {
    /// Its whole id.
    pub id: String,
    /// What stands for it.
    pub short_id: String,
    /// What it is about, on one line.
    pub text: String,
    /// Whose it is.
    pub about: String,
    /// Since when it is there.
    pub at: Option<Timestamp>,
    /// Whether it waits, goes on or holds.
    pub open: bool,
}

impl Thing {
    fn read(told: &Value) -> Option<Self> {
        let text = |key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
        Some(Self {
            id: text("id")?,
            short_id: text("short_id")?,
            text: text("text").unwrap_or_default(),
            about: text("about").unwrap_or_default(),
            at: text("at").and_then(|at| time::read(&at)),
            open: told.get("open") == Some(&Value::Bool(true)),
        })
    }
}

/// Things that a person may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Things {
    /// Those that the caller may see.
    pub things: Vec<Thing>,
    /// Whether there are others.
    pub more: bool,
}

impl Client {
    /// Returns what may be meant by what was typed: one thing and no more where it stands for that.
    pub async fn meant(&self, who: KeyFor, kind: IdKind, typed: &str) -> Result<Things, ClientError> {
        self.things_at(who, &format!("/api/ids?kind={}&part={}", kind.name(), escaped(typed))).await
    }

    /// Returns what there is: what is open first, then the latest; or only what is open.
    pub async fn things(&self, who: KeyFor, kind: IdKind, open: bool) -> Result<Things, ClientError> {
        let open = if open { "&open=true" } else { "" };
        let mut found = self.things_at(who, &format!("/api/ids?kind={}{open}", kind.name())).await?;
        // The conversation in which `askuser doctor` asked its test question is nobody's.
        found.things.retain(|thing| thing.text != check::TEXT);
        Ok(found)
    }

    async fn things_at(&self, who: KeyFor, path: &str) -> Result<Things, ClientError> {
        let told = self.plain(Method::GET, path, who, None).await?;
        let things = told.get("ids").and_then(Value::as_array);
        let things = things.into_iter().flatten().filter_map(Thing::read).collect();
        Ok(Things { things, more: told.get("more") == Some(&Value::Bool(true)) })
    }
}
