//! Erasing in SQL what an ended ask tells.

use askuser_core::ask::Ask;
use askuser_core::time::Timestamp;
use rusqlite::Connection;

use super::fact::{self, THREAD};
use super::session;
use crate::erase::bare;
use crate::fail::Fail;
use crate::row::{self, Body, OutcomeRow};

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
    let Some(session) = session::by_id(db, ask.session)? else { return Ok(()) };
    // Its first facts are those of the session that it was asked in.
    for (session_n, _) in session::line(db, session.n, &session.session)? {
        db.prepare_cached(&format!(
            "{THREAD} UPDATE fact SET salt = NULL, payload = NULL
             WHERE number IN (SELECT number FROM thread) AND ask = ?3 AND salt IS NOT NULL",
        ))?
        .execute((session_n, fact::NO_NUMBER, n))?;
    }
    Ok(())
}
