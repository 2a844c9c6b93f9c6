//! Facts in SQL: added at the head, read by number, walked to verify the chain.

use std::sync::Arc;

use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::ask::id_of;
use super::session;
use crate::chain::{self, Hash, Link, Salt};
use crate::fail::Fail;
use crate::{Head, Numbered, StoreError, plan, row as shape};

/// What a fact is written from.
pub(super) struct NewFact<'a> {
    pub(super) at: Timestamp,
    pub(super) kind: &'static str,
    pub(super) session_n: i64,
    /// The fact before it in its session.
    pub(super) before: Option<u64>,
    pub(super) ask_n: Option<i64>,
    pub(super) salt: Salt,
    pub(super) payload: &'a str,
    /// Whether the payload is an ask's body, which is stored there.
    pub(super) is_body: bool,
}

const READ: &str =
    "SELECT f.number, f.at, f.kind, s.id, s.owner, a.id, f.salt IS NULL, coalesce(f.payload, b.body), a.people
    FROM fact f JOIN session s ON s.n = f.session LEFT JOIN ask a ON a.n = f.ask
    LEFT JOIN ask_body b ON f.kind = 'asked' AND b.n = f.ask";

/// The facts of the session in row `?1` after the number `?2`, from its latest back along the thread.
pub(super) const THREAD: &str = "WITH RECURSIVE thread (number, before, kind, ask) AS (
    SELECT f.number, f.before, f.kind, f.ask FROM session s CROSS JOIN fact f ON f.number = s.last_fact
    WHERE s.n = ?1 AND f.number > ?2
    UNION ALL
    SELECT f.number, f.before, f.kind, f.ask FROM thread t CROSS JOIN fact f ON f.number = t.before
    WHERE f.number > ?2)";

/// Before every number.
pub(super) const NO_NUMBER: i64 = 0;

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
        fact.session_n,
        fact.before,
        fact.ask_n,
        fact.salt,
        digest,
        next.hash,
        (!fact.is_body).then_some(fact.payload),
    ])?;
    Ok(next)
}

pub(super) fn head(db: &Connection) -> Result<Head, Fail> {
    let mut statement = db.prepare_cached("SELECT number, hash FROM head WHERE id = 1")?;
    let (number, hash): (u64, Vec<u8>) = statement.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(Head { number, hash: hash_of(hash)? })
}

pub(super) fn set_head(db: &Connection, head: &Head) -> Result<(), Fail> {
    db.prepare_cached("UPDATE head SET number = ?1, hash = ?2 WHERE id = 1")?
        .execute(params![head.number, head.hash])?;
    Ok(())
}

pub(super) fn since(db: &Connection, number: u64, limit: i64) -> Result<Vec<Numbered>, Fail> {
    select(db, "WHERE f.number > ?1 ORDER BY f.number LIMIT ?2", (clamp(number), limit))
}

pub(super) fn of_session(
    db: &Connection,
    session: SessionId,
    after: u64,
    limit: i64,
) -> Result<Vec<Numbered>, Fail> {
    let sql =
        format!("{THREAD} {READ} WHERE f.number IN (SELECT number FROM thread) ORDER BY f.number LIMIT ?3");
    let n = session::n_of(db, session)?;
    read_all(db, &sql, (n, clamp(after), limit))
}

/// The last facts of a session before a number, in order.
pub(super) fn before_in_session(
    db: &Connection,
    session: SessionId,
    before: Option<u64>,
    limit: i64,
) -> Result<Vec<Numbered>, Fail> {
    let sql = format!(
        "{THREAD} {READ} WHERE f.number IN (SELECT number FROM thread WHERE number < ?3 LIMIT ?4)
         ORDER BY f.number"
    );
    let n = session::n_of(db, session)?;
    read_all(db, &sql, (n, 0, clamp(before.unwrap_or(u64::MAX)), limit))
}

/// Erases what facts about an ask tell of its answers.
pub(super) fn erase_answers(db: &Connection, session_n: i64, ask_n: i64) -> Result<u64, Fail> {
    let n_erased = db
        .prepare_cached(&format!(
            "{THREAD} UPDATE fact SET salt = NULL, payload = NULL
             WHERE number IN (SELECT number FROM thread) AND ask = ?3
             AND kind IN ('submitted', 'heard', 'closed', 'answered_late') AND salt IS NOT NULL",
        ))?
        .execute((session_n, 0, ask_n))?;
    Ok(n_erased as u64)
}

/// Where a walk from this number begins: the fact before it.
pub(super) fn before(db: &Connection, from: u64) -> Result<Option<Head>, Fail> {
    let number = from.saturating_sub(1);
    let mut statement = db.prepare_cached("SELECT hash FROM fact WHERE number = ?1")?;
    let hash: Option<Vec<u8>> = statement.query_row([clamp(number)], |row| row.get(0)).optional()?;
    Ok(hash.map(hash_of).transpose()?.map(|hash| Head { number, hash }))
}

/// The next facts after this number, as the chain sees them.
pub(super) fn links(db: &Connection, after: u64, upto: u64, limit: i64) -> Result<Vec<Link>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT f.number, f.at, f.kind, f.salt, coalesce(f.payload, b.body), f.digest, f.hash, s.id, a.id
         FROM fact f LEFT JOIN session s ON s.n = f.session LEFT JOIN ask a ON a.n = f.ask
         LEFT JOIN ask_body b ON f.kind = 'asked' AND f.salt IS NOT NULL AND b.n = f.ask
         WHERE f.number > ?1 AND f.number <= ?2 ORDER BY f.number LIMIT ?3",
    )?;
    let mut rows = statement.query((clamp(after), clamp(upto), limit))?;
    let mut links = Vec::new();
    while let Some(row) = rows.next()? {
        let id = |column: usize| {
            let bytes: Option<Vec<u8>> = row.get(column)?;
            Ok::<_, Fail>(bytes.as_deref().map(id_of).transpose()?)
        };
        let (session, ask) = (id(7)?.map(SessionId), id(8)?.map(AskId));
        let mut link = link(row)?;
        link.is_in_place = link.payload.as_ref().is_none_or(|(_, text)| shape::is_about(text, session, ask));
        links.push(link);
    }
    Ok(links)
}

/// Reads a fact as the chain sees it, from the first seven columns.
pub(super) fn link(row: &Row<'_>) -> Result<Link, Fail> {
    let salt: Option<Vec<u8>> = row.get(3)?;
    let payload: Option<String> = row.get(4)?;
    // One that went without the other was not erased but lost.
    let is_erased = salt.is_none() && payload.is_none();
    Ok(Link {
        number: row.get(0)?,
        at: Timestamp(row.get(1)?),
        kind: row.get(2)?,
        payload: (!is_erased).then(|| (salt.unwrap_or_default(), payload.unwrap_or_default())),
        is_in_place: true,
        digest: row.get(5)?,
        hash: row.get(6)?,
    })
}

/// How many there are up to this number.
pub(super) fn count(db: &Connection, upto: u64) -> Result<u64, Fail> {
    let mut statement = db.prepare_cached("SELECT count(*) FROM fact WHERE number <= ?1")?;
    Ok(statement.query_row([clamp(upto)], |row| row.get(0))?)
}

/// When the latest fact came to be.
pub(super) fn latest(db: &Connection) -> Result<Option<Timestamp>, Fail> {
    let mut statement = db.prepare_cached("SELECT at FROM fact ORDER BY number DESC LIMIT 1")?;
    Ok(statement.query_row([], |row| row.get(0)).optional()?.map(Timestamp))
}

/// A fact that stands after the head.
pub(super) fn beyond(db: &Connection) -> Result<Option<u64>, Fail> {
    let sql = "SELECT min(number) FROM fact WHERE number > (SELECT number FROM head WHERE id = 1)";
    Ok(db.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
}

fn select(db: &Connection, tail: &str, params: impl Params) -> Result<Vec<Numbered>, Fail> {
    read_all(db, &format!("{READ} {tail}"), params)
}

fn read_all(db: &Connection, sql: &str, params: impl Params) -> Result<Vec<Numbered>, Fail> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Numbered, Fail> {
    let number: u64 = row.get(0)?;
    let session = SessionId(id_of(&row.get::<_, Vec<u8>>(3)?)?);
    let ask: Option<Vec<u8>> = row.get(5)?;
    let place = || format!("fact {number}");
    let erased: bool = row.get(6)?;
    let fact = if erased {
        None
    } else {
        let payload: Option<String> = row.get(7)?;
        let kind: String = row.get(2)?;
        let (told, fact) =
            shape::read_fact(&kind, &payload.unwrap_or_default()).map_err(|wrong| wrong.at(place()))?;
        if told != session {
            return Err(StoreError::Damaged(format!("{}: is of {told}, not of {session}", place())).into());
        }
        Some(Arc::new(fact))
    };
    Ok(Numbered {
        number,
        at: Timestamp(row.get(1)?),
        owner: UserId::new(row.get::<_, String>(4)?),
        session,
        people: plan::read_people(row.get_ref(8)?.as_str_or_null().map_err(rusqlite::Error::from)?),
        ask: ask.as_deref().map(id_of).transpose()?.map(AskId),
        fact,
    })
}

fn hash_of(bytes: Vec<u8>) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Damaged("a hash has not 32 bytes".to_owned()))
}

fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
