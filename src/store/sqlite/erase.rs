//! Takes out of an ended ask what it tells, and leaves that there was one: who asked, who ended it,
//! where and when. Ids, numbers and hashes stay, so that every reading goes on and the chain verifies.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::{Ask, State};
use askuser_core::question::{Question, Questions};
use askuser_core::time::Timestamp;
use rusqlite::Connection;

use super::error::Fail;
use super::fact::{self, THREAD};
use super::session;
use crate::store::row::{self, Body, OutcomeRow};

/// What stands in place of a text.
const ERASED: &str = "(erased)";

/// Erases an ended ask, and the payloads of its facts.
pub(super) fn ask(db: &Connection, n: i64, ask: &Ask, at: Timestamp) -> Result<(), Fail> {
    let bare = bare(ask);
    let outcome = bare.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?;
    db.prepare_cached(
        "UPDATE ask SET outcome = ?2, sheet = NULL, late = NULL, idempotency_key = NULL, erased_at = ?3 WHERE n = ?1",
    )?
    .execute((n, outcome, at.0))?;
    db.prepare_cached("UPDATE ask_body SET body = ?2 WHERE n = ?1")?
        .execute((n, row::write(&Body::from(&bare))?))?;
    if let Some(session) = session::by_id(db, ask.session)? {
        db.prepare_cached(&format!(
            "{THREAD} UPDATE fact SET salt = NULL, payload = NULL
             WHERE number IN (SELECT number FROM thread) AND ask = ?3 AND salt IS NOT NULL",
        ))?
        .execute((session.n, fact::NO_NUMBER, n))?;
    }
    Ok(())
}

/// Returns the ask without anything that somebody wrote.
fn bare(ask: &Ask) -> Ask {
    let mut bare = ask.clone();
    bare.questions = Arc::new(Questions::remembered(ask.questions.top().iter().map(blank).collect()));
    bare.terms.context = None;
    bare.terms.asker.folder = None;
    bare.terms.idempotency_key = None;
    (bare.entries, bare.submitted, bare.late) = (Vec::new(), Vec::new(), None);
    match &mut bare.state {
        State::Closed(outcome)
        | State::Processing(outcome)
        | State::Completed(outcome)
        | State::Error(outcome) => {
            (outcome.answers, outcome.comment) = (Answers(Vec::new()), None);
        }
        State::Pending | State::Showing => {}
    }
    bare
}

fn blank(question: &Question) -> Question {
    let mut blank = question.clone();
    ERASED.clone_into(&mut blank.text);
    (blank.header, blank.description, blank.collected) = (None, None, None);
    if let Some(free) = &mut blank.free {
        (free.placeholder, free.default) = (None, None);
    }
    for choice in &mut blank.choices {
        ERASED.clone_into(&mut choice.label);
        (choice.description, choice.preview) = (None, None);
        choice.follow_ups = choice.follow_ups.iter().map(self::blank).collect();
    }
    blank
}
