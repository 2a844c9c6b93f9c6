//! Asks that ask the same: one answer for all of them (P15).

use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::command::Actor;
use askuser_core::entry::Entry;
use askuser_core::id::{ChoiceId, QuestionId};

use super::form::Entries;
use crate::desk::{Desk, DeskError};

/// Returns the open asks that ask the same as this one.
pub(super) fn others<'a>(asks: &'a [Arc<Ask>], ask: &Ask) -> Vec<&'a Arc<Ask>> {
    let same = |other: &&Arc<Ask>| {
        other.id != ask.id && other.fingerprint == ask.fingerprint && other.state == State::Showing
    };
    asks.iter().filter(same).collect()
}

/// Answers another ask with what was answered to this one. Whoever was faster there keeps the word:
/// that is told, and holds nothing else up.
pub(super) async fn answer(desk: &Desk, person: &Actor, ask: &Ask, other: &Ask, entries: &Entries) -> Result<(), DeskError> {
    match mapped(ask, other, entries) {
        Some(entries) => desk.answer(person, other.id, entries).await.map(|_| ()),
        None => Ok(()),
    }
}

/// The answers to one ask as answers to another, question by question and choice by choice in the
/// same places; nothing where they are not alike.
fn mapped(ask: &Ask, other: &Ask, entries: &Entries) -> Option<Vec<(QuestionId, Entry)>> {
    if ask.fingerprint != other.fingerprint {
        return None;
    }
    let (from, to) = (ask.questions.all(), other.questions.all());
    let entry = |(id, entry): (QuestionId, Entry)| {
        let place = from.iter().position(|question| question.id == id)?;
        let (from, to) = (from.get(place)?, to.get(place)?);
        let same = |choice: &ChoiceId| {
            let place = from.choices.iter().position(|offered| offered.id == *choice)?;
            Some(to.choices.get(place)?.id.clone())
        };
        let picked = entry.picked.iter().map(same).collect::<Option<Vec<_>>>()?;
        Some((to.id.clone(), Entry { picked, ..entry }))
    };
    entries.list().into_iter().map(entry).collect()
}
