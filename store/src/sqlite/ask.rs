//! Asks in SQL.

use std::sync::Arc;

use askuser_core::answer::Answer;
use askuser_core::ask::Ask;
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::outcome::Outcome;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::fact::THREAD;
use super::session::{self, Line};
use crate::fail::Fail;
use crate::row::{self, Body, Filled, LateRow, OutcomeRow, Sheet, StateWord};
use crate::{StoreError, plan};

/// The session beside the body, which says where it was asked: a restored session takes what is open.
const COLUMNS: &str = "a.n, a.state, a.outcome, a.sheet, a.late, a.dropped, b.body, \
    (SELECT s.id FROM session s WHERE s.n = a.session)";

/// An ask and where it stands in the table.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) n: i64,
    pub(super) ask: Arc<Ask>,
    /// About how much memory it takes.
    pub(super) bytes: usize,
}

/// About how much memory an ask takes, given the text it was read from.
pub(super) fn weight(body: &str) -> usize {
    2 * body.len() + 1024
}

pub(super) fn id_of(bytes: &[u8]) -> Result<u128, StoreError> {
    let wrong = |_| StoreError::Damaged(format!("an id has {} bytes, not 16", bytes.len()));
    bytes.try_into().map(u128::from_be_bytes).map_err(wrong)
}

pub(super) fn by_id(db: &Connection, id: AskId) -> Result<Option<Found>, Fail> {
    let found = select(db, "WHERE a.id = ?1", [id.0.to_be_bytes()])?;
    Ok(found.into_iter().next())
}

/// The session of an ask.
pub(super) fn session_of(db: &Connection, id: AskId) -> Result<Option<SessionId>, Fail> {
    let mut statement =
        db.prepare_cached("SELECT s.id FROM ask a JOIN session s ON s.n = a.session WHERE a.id = ?1")?;
    let id: Option<Vec<u8>> = statement.query_row([id.0.to_be_bytes()], |row| row.get(0)).optional()?;
    Ok(id.as_deref().map(id_of).transpose()?.map(SessionId))
}

/// The open asks of a session, in the order of asking.
pub(super) fn open_in(db: &Connection, session_n: i64) -> Result<Vec<Found>, Fail> {
    select(db, "WHERE a.session = ?1 AND a.standing = 0 AND a.standing < 2 ORDER BY a.round", [session_n])
}

/// The asks of a session whose outcome nobody fetched.
pub(super) fn unfetched_in(db: &Connection, session_n: i64) -> Result<Vec<Found>, Fail> {
    select(db, "WHERE a.session = ?1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.round", [session_n])
}

/// The latest asks of a session that ended and were never handed over, oldest first.
pub(super) fn missed_in(db: &Connection, session_n: i64) -> Result<Vec<Arc<Ask>>, Fail> {
    let tail = "WHERE a.session = ?1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.n DESC LIMIT ?2";
    let found = select(db, tail, (session_n, plan::MISSED_MAX))?;
    Ok(found.into_iter().rev().map(|found| found.ask).collect())
}

/// The latest ask of a session that has a question of this id, and is what is looked for.
fn latest(
    db: &Connection,
    line: &Line,
    question: &QuestionId,
    is: impl Fn(&Ask) -> bool,
) -> Result<Option<Found>, Fail> {
    for (idx, (session_n, until)) in line.iter().enumerate() {
        for n in may_have(db, *session_n, question)?.into_iter().rev() {
            let mut found = select(db, "WHERE a.n = ?1", [n])?.into_iter();
            let is_it = |ask: &Ask| ask.has(question) && (idx == 0 || ask.has_ended_by(*until)) && is(ask);
            if let Some(found) = found.find(|found| is_it(&found.ask)) {
                return Ok(Some(found));
            }
        }
    }
    Ok(None)
}

/// The latest ask of a session that has a question of this id.
pub(super) fn latest_having(
    db: &Connection,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Found>, Fail> {
    latest(db, line, question, |_| true)
}

/// Whether an ended question of the session has this id for good.
pub(super) fn is_taken(db: &Connection, line: &Line, id: &QuestionId) -> Result<bool, Fail> {
    Ok(latest(db, line, id, |ask| plan::holds(ask, id))?.is_some())
}

/// How deep the round is that another names as its parent: the latest that has this question, else the one
/// whose message it is.
pub(super) fn depth_of(
    db: &Connection,
    (line, session): (&Line, SessionId),
    parent: &QuestionId,
) -> Result<Option<u32>, Fail> {
    let mut found = latest_having(db, line, parent)?;
    for id in plan::asks_of_message(parent) {
        if found.is_none() {
            found = by_id(db, id)?.filter(|found| found.ask.session == session);
        }
    }
    Ok(found.map(|found| found.ask.depth))
}

/// Where the asks of a session stand that may have this question, in the order of asking.
fn may_have(db: &Connection, session_n: i64, question: &QuestionId) -> Result<Vec<i64>, Fail> {
    let sql = "SELECT ask FROM ask_question WHERE session = ?1 AND question = ?2";
    let mut ns = rows(db, sql, (session_n, question.as_str()))?;
    if let Some(round) = plan::round_said(question) {
        let sql = format!(
            "{THREAD} SELECT a.n FROM thread t CROSS JOIN ask a ON a.n = t.ask
             WHERE t.kind IN ('asked', 'moved') AND a.round = ?3 AND a.session = ?1"
        );
        ns.extend(rows(db, &sql, (session_n, 0, round))?);
    }
    ns.sort_unstable();
    ns.dedup();
    Ok(ns)
}

fn rows(db: &Connection, sql: &str, params: impl Params) -> Result<Vec<i64>, Fail> {
    let mut statement = db.prepare_cached(sql)?;
    let found = statement.query_map(params, |row| row.get(0))?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The latest answer in a session to a question: that of the ask that ended last.
pub(super) fn latest_answer(
    db: &Connection,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Answer>, Fail> {
    for (session_n, until) in line {
        if let Some(answer) = latest_answer_in(db, *session_n, *until, question)? {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

fn latest_answer_in(
    db: &Connection,
    session_n: i64,
    until: Timestamp,
    question: &QuestionId,
) -> Result<Option<Answer>, Fail> {
    let mut latest: Option<(u64, Answer)> = None;
    let mut statement =
        db.prepare_cached("SELECT n, outcome, closed FROM ask WHERE n = ?1 AND closed IS NOT NULL")?;
    for n in may_have(db, session_n, question)? {
        let mut rows = statement.query([n])?;
        let Some(row) = rows.next()? else { continue };
        let closed: u64 = row.get(2)?;
        if latest.as_ref().is_some_and(|(last, _)| *last > closed) {
            continue;
        }
        let outcome: Outcome =
            row::read::<OutcomeRow<'_>, _>(text(row, 1)?).map_err(|wrong| at(row, wrong))?;
        if outcome.at > until {
            continue;
        }
        latest = outcome.answers.to(question).map(|answer| (closed, answer.clone())).or(latest);
    }
    Ok(latest.map(|(_, answer)| answer))
}

/// The latest ask that was made with this key.
pub(super) fn with_key(db: &Connection, owner: &UserId, key: &str) -> Result<Option<Found>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM ask WHERE owner = ?1 AND idempotency_key = ?2 ORDER BY n DESC LIMIT 1",
    )?;
    let id: Option<Vec<u8>> = statement.query_row((owner.as_str(), key), |row| row.get(0)).optional()?;
    match id.as_deref().map(id_of).transpose()? {
        Some(id) => by_id(db, AskId(id)),
        None => Ok(None),
    }
}

pub(super) fn of_session(
    db: &Connection,
    session: SessionId,
    after_round: u32,
    limit: i64,
) -> Result<Vec<Found>, Fail> {
    let sql = format!(
        "{THREAD} SELECT {COLUMNS} FROM thread t CROSS JOIN ask a ON a.n = t.ask JOIN ask_body b ON b.n = a.n
         WHERE t.kind IN ('asked', 'moved') AND a.session = ?1 AND a.round > ?3
         ORDER BY a.round, a.n LIMIT ?4"
    );
    read_all(db, &sql, (session::n_of(db, session)?, 0, after_round, limit))
}

pub(super) fn inbox(db: &Connection, user: &UserId, limit: i64) -> Result<Vec<Found>, Fail> {
    let tail = "WHERE a.n IN (
            SELECT n FROM ask WHERE owner = ?1 AND standing = 0 AND people IS NULL
            UNION ALL SELECT n FROM ask WHERE standing = 0 AND people IS NOT NULL
                AND (instr(people, ?2) > 0 OR people = ?3))
         ORDER BY a.n LIMIT ?4";
    let (by_name, anyone) = plan::for_person(user);
    select(db, tail, (user.as_str(), by_name, anyone, limit))
}

/// Goes through the index of open asks, which is by owner and then by age.
pub(super) fn open(db: &Connection, after: Option<AskId>, limit: i64) -> Result<Vec<Found>, Fail> {
    let Some(after) = after else {
        return select(db, "WHERE a.standing = 0 ORDER BY a.owner, a.n LIMIT ?1", [limit]);
    };
    let mut statement = db.prepare_cached("SELECT owner, n FROM ask WHERE id = ?1")?;
    let last: Option<(String, i64)> =
        statement.query_row([after.0.to_be_bytes()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((owner, n)) = last else {
        return Ok(Vec::new());
    };
    let tail = "WHERE a.standing = 0 AND (a.owner, a.n) > (?1, ?2) ORDER BY a.owner, a.n LIMIT ?3";
    select(db, tail, (owner, n, limit))
}

pub(super) fn due(db: &Connection, now: Timestamp, limit: i64) -> Result<Vec<AskId>, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM ask WHERE standing = 0 AND deadline IS NOT NULL AND deadline <= ?1
         ORDER BY deadline LIMIT ?2",
    )?;
    let mut rows = statement.query((now.0, limit))?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(AskId(id_of(&row.get::<_, Vec<u8>>(0)?)?));
    }
    Ok(found)
}

pub(super) fn next_deadline(db: &Connection) -> Result<Option<Timestamp>, Fail> {
    let sql = "SELECT min(deadline) FROM ask WHERE standing = 0 AND deadline IS NOT NULL";
    let deadline: Option<i64> = db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
    Ok(deadline.map(Timestamp))
}

fn select(db: &Connection, tail: &str, params: impl Params) -> Result<Vec<Found>, Fail> {
    let sql = format!("SELECT {COLUMNS} FROM ask a JOIN ask_body b ON b.n = a.n {tail}");
    read_all(db, &sql, params)
}

fn read_all(db: &Connection, sql: &str, params: impl Params) -> Result<Vec<Found>, Fail> {
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Found, Fail> {
    let body = text(row, 6)?;
    let wrong = |wrong| at(row, wrong);
    let mut ask: Ask = row::read::<Body<'_>, _>(body).map_err(wrong)?;
    if let Some(session) = row.get_ref(7)?.as_blob_or_null().map_err(rusqlite::Error::from)? {
        ask.session = SessionId(id_of(session)?);
    }
    let word = text(row, 1)?;
    let word = StateWord::ALL.into_iter().find(|state| state.name() == word);
    let word =
        word.ok_or_else(|| StoreError::Damaged(format!("ask {}: its state has no such word", ask.id)))?;
    let outcome = optional(row, 2)?.map(row::read::<OutcomeRow<'_>, Outcome>).transpose().map_err(wrong)?;
    ask.state = word.state(outcome).map_err(wrong)?;
    if let Some(sheet) = optional(row, 3)? {
        row::read::<Sheet<'_>, Filled>(sheet).map_err(wrong)?.fill(&mut ask);
    }
    if let Some(late) = optional(row, 4)? {
        ask.late = Some(row::read::<LateRow<'_>, _>(late).map_err(wrong)?);
    }
    if let Some(dropped) = optional(row, 5)? {
        let dropped = row::read_ids(dropped).map_err(wrong)?;
        ask.questions = Arc::new(Arc::unwrap_or_clone(ask.questions).without(&dropped));
    }
    Ok(Found { n: row.get(0)?, bytes: weight(body), ask: Arc::new(ask) })
}

/// Says which row it was.
fn at(row: &Row<'_>, wrong: row::Wrong) -> StoreError {
    wrong.at(format_args!("ask in row {}", row.get::<_, i64>(0).unwrap_or_default()))
}

fn text<'a>(row: &'a Row<'_>, column: usize) -> Result<&'a str, Fail> {
    Ok(row.get_ref(column)?.as_str().map_err(rusqlite::Error::from)?)
}

fn optional<'a>(row: &'a Row<'_>, column: usize) -> Result<Option<&'a str>, Fail> {
    Ok(row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from)?)
}
