//! Our own JSON for what is stored, in both directions.
//!
//! Domain types are not serialisable on purpose: these shapes may stay while those change. Fields
//! that have their usual value are left out, fields that are not known are passed over (a newer
//! version's additions), and what cannot be read is `Damaged`, with the place.

use std::borrow::Cow;

use askuser_core::id::QuestionId;
use serde::{Deserialize, Serialize};

use super::StoreError;

mod words;
mod question;
mod terms;
mod outcome;
mod people;
mod session;
mod ask;
mod task;
mod fact;

pub(super) use ask::{Body, Filled, Sheet, StateWord};
#[cfg(test)]
pub(super) use fact::payload;
pub(super) use fact::{address, is_about, kind, payload_from, read_fact};
pub(super) use outcome::{LateRow, OutcomeRow};
pub(super) use task::TaskRow;

/// A text that is borrowed when it is written.
type Text<'a> = Cow<'a, str>;

/// What is wrong with a row, for the operator.
#[derive(Debug)]
pub(crate) struct Wrong(String);

impl Wrong {
    fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// Says where it stands.
    pub(crate) fn at(self, place: impl std::fmt::Display) -> StoreError {
        StoreError::Damaged(format!("{place}: {}", self.0))
    }
}

impl From<serde_json::Error> for Wrong {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// What most rows fit into, so that the one writer does not make room again and again.
const ROW_BYTES: usize = 1024;

/// Writes a row as JSON.
pub(super) fn write(row: &impl Serialize) -> Result<String, StoreError> {
    let mut written = Vec::with_capacity(ROW_BYTES);
    let done = serde_json::to_writer(&mut written, row).map_err(Wrong::from);
    let text = done.and_then(|()| String::from_utf8(written).map_err(|error| Wrong::new(error.to_string())));
    text.map_err(|wrong| wrong.at("a row to be written"))
}

/// Reads a row, and then what it stands for.
pub(super) fn read<'a, R: Deserialize<'a>, T: TryFrom<R, Error = Wrong>>(text: &'a str) -> Result<T, Wrong> {
    T::try_from(serde_json::from_str::<R>(text)?)
}

/// Writes a list of question ids.
pub(super) fn write_ids<'a>(ids: impl Iterator<Item = &'a QuestionId>) -> Result<String, StoreError> {
    write(&ids.map(QuestionId::as_str).collect::<Vec<_>>())
}

/// Reads a list of question ids.
pub(super) fn read_ids(list: &str) -> Result<Vec<QuestionId>, Wrong> {
    let ids: Vec<Text<'_>> = serde_json::from_str(list)?;
    Ok(ids.into_iter().map(QuestionId::new).collect())
}

fn text(value: &str) -> Text<'_> {
    Cow::Borrowed(value)
}

fn optional(value: Option<&String>) -> Option<Text<'_>> {
    value.map(|value| text(value))
}

fn owned(value: Option<Text<'_>>) -> Option<String> {
    value.map(Cow::into_owned)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests;
