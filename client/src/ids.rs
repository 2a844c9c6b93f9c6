//! Things by a part of their id, and what there is to be meant.

use askuser_core::time::Timestamp;

use super::Client;
use super::error::ClientError;
use askuser_api::asks::{self as told, Ids, Meant};
use askuser_core::command::KeyRole;
use askuser_wire::{check, time};

pub use askuser_api::asks::IdKind;

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

impl From<told::Thing> for Thing {
    fn from(told: told::Thing) -> Self {
        let told::Thing { id, short_id, text, about, at, open } = told;
        Self { id, short_id, text, about, at: time::read(&at), open }
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
    pub async fn meant(&self, who: KeyRole, kind: IdKind, typed: &str) -> Result<Things, ClientError> {
        self.things_of(who, Meant { kind: Some(kind), part: Some(typed.to_owned()), open: None }).await
    }

    /// Returns what there is: what is open first, then the latest; or only what is open.
    pub async fn things(&self, who: KeyRole, kind: IdKind, open: bool) -> Result<Things, ClientError> {
        let meant = Meant { kind: Some(kind), part: None, open: open.then_some(true) };
        let mut found = self.things_of(who, meant).await?;
        // The conversation in which `askuser doctor` asked its test question is nobody's.
        found.things.retain(|thing| thing.text != check::TEXT);
        Ok(found)
    }

    async fn things_of(&self, who: KeyRole, meant: Meant) -> Result<Things, ClientError> {
        let told = self.call::<Ids>(who).query(&meant).send().await?;
        Ok(Things { things: told.ids.into_iter().map(Thing::from).collect(), more: told.more })
    }
}
