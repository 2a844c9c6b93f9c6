//! Adds facts at the head.

use askuser_core::id::{AskId, SessionId};
use askuser_core::time::Timestamp;
use rusqlite::{Connection, params};

use crate::Head;
use crate::chain::{self, Salt};
use crate::fail::Fail;

/// What a fact is written from.
pub(super) struct NewFact<'a> {
    pub(super) at: Timestamp,
    pub(super) kind: &'static str,
    pub(super) session: SessionId,
    /// The fact before it in its session.
    pub(super) before: Option<u64>,
    pub(super) ask: Option<AskId>,
    pub(super) salt: Salt,
    pub(super) payload: &'a str,
    /// Whether the payload is an ask's body, which is stored there.
    pub(super) is_body: bool,
}

/// Adds a fact and returns the new head, which is written at the end of the batch.
pub(super) fn add(db: &Connection, head: &Head, fact: &NewFact<'_>) -> Result<Head, Fail> {
    let digest = chain::digest(&fact.salt, fact.payload.as_bytes());
    let next = chain::next(head, fact.at, fact.kind, &digest);
    db.prepare_cached(
        "INSERT INTO fact (number, at, kind, session, before, ask, salt, digest, hash, payload)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        next.number,
        fact.at.0,
        fact.kind,
        fact.session.0.to_be_bytes(),
        fact.before,
        fact.ask.map(|ask| ask.0.to_be_bytes()),
        fact.salt,
        digest,
        next.hash,
        (!fact.is_body).then_some(fact.payload),
    ])?;
    Ok(next)
}

pub(super) fn set_head(db: &Connection, head: &Head) -> Result<(), Fail> {
    db.prepare_cached("UPDATE head SET number = ?1, hash = ?2 WHERE id = 1")?
        .execute(params![head.number, head.hash])?;
    Ok(())
}
