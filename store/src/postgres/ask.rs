//! Asks in SQL.

use std::sync::Arc;

use askuser_core::answer::Answer;
use askuser_core::ask::Ask;
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::outcome::Outcome;
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Db, Params, clean, id_of, limit, row, rows};
use super::session::Line;
use crate::fail::Fail;
use crate::row::{self as shape, Body, Filled, LateRow, OutcomeRow, Sheet, StateWord};
use crate::{StoreError, plan};

const SELECT: &str = "SELECT a.id, a.state, a.outcome, a.sheet, a.late, a.dropped, b.body, a.closed, a.session \
    FROM ask a JOIN ask_body b ON b.ask = a.id";

/// An ask and what else is stored of it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) ask: Arc<Ask>,
    /// Questions that need not be asked.
    pub(super) dropped: Vec<QuestionId>,
    /// Which of the session's asks it was to end.
    pub(super) closed: Option<i64>,
}

pub(super) async fn by_id(db: &Db, id: AskId) -> Result<Option<Found>, Fail> {
    let found = row(db, &format!("{SELECT} WHERE a.id = $1"), &[&&id.0.to_be_bytes()[..]]).await?;
    found.as_ref().map(read).transpose()
}

/// The open asks of these sessions in the order of asking, and these asks themselves.
pub(super) async fn open_in(db: &Db, sessions: &[SessionId], ids: &[AskId]) -> Result<Vec<Found>, Fail> {
    let sessions: Vec<[u8; 16]> = sessions.iter().map(|id| id.0.to_be_bytes()).collect();
    let ids: Vec<[u8; 16]> = ids.iter().map(|id| id.0.to_be_bytes()).collect();
    let sessions: Vec<&[u8]> = sessions.iter().map(|id| &id[..]).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    select(db, &open_in_sql(), &[&sessions, &ids]).await
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn open_in_sql() -> String {
    format!(
        "{SELECT} WHERE a.id = ANY (ARRAY(
            SELECT id FROM ask WHERE session = ANY ($1::BYTEA[]) AND standing = 0 AND standing < 2
            UNION SELECT unnest($2::BYTEA[])))
         ORDER BY a.session, a.round, a.n"
    )
}

/// The asks of a session whose outcome nobody fetched.
pub(super) async fn unfetched_in(db: &Db, session: SessionId) -> Result<Vec<Found>, Fail> {
    let sql = format!("{SELECT} WHERE a.session = $1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.round");
    select(db, &sql, &[&&session.0.to_be_bytes()[..]]).await
}

/// The latest asks of a session that ended and were never handed over.
pub(super) async fn missed_in(db: &Db, session: SessionId) -> Result<Vec<Found>, Fail> {
    let sql = format!(
        "{SELECT} WHERE a.session = $1 AND a.standing = 1 AND a.standing < 2 ORDER BY a.round DESC LIMIT $2"
    );
    select(db, &sql, &[&&session.0.to_be_bytes()[..], &plan::MISSED_MAX]).await
}

/// The latest ask of a session that has a question of this id.
pub(super) async fn latest_having(
    db: &Db,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Found>, Fail> {
    let found = may_have(db, line, &[question]).await?;
    Ok(found.into_iter().rev().find(|found| found.ask.has(question)))
}

/// The asks of a session that may have one of these questions, in the order of asking; of those that it goes on
/// from what is part of it.
pub(super) async fn may_have(db: &Db, line: &Line, questions: &[&QuestionId]) -> Result<Vec<Found>, Fail> {
    let sql = format!(
        "{SELECT} WHERE a.id = ANY (ARRAY(
            SELECT ask FROM ask_question WHERE session = $1 AND question = ANY ($2::TEXT[])
            UNION SELECT id FROM ask WHERE session = $1 AND round = ANY ($3::BIGINT[])))
         ORDER BY a.round, a.n"
    );
    let names: Vec<_> = questions.iter().map(|question| clean(question.as_str())).collect();
    let rounds: Vec<i64> =
        questions.iter().filter_map(|question| plan::round_said(question)).map(i64::from).collect();
    let mut all = Vec::new();
    for (idx, (session, until)) in line.iter().enumerate().rev() {
        let found = select(db, &sql, &[&&session.0.to_be_bytes()[..], &names, &rounds]).await?;
        all.extend(found.into_iter().filter(|found| idx == 0 || found.ask.has_ended_by(*until)));
    }
    Ok(all)
}

/// The latest answer in a session to a question: that of the ask that ended last.
pub(super) async fn latest_answer(
    db: &Db,
    line: &Line,
    question: &QuestionId,
) -> Result<Option<Answer>, Fail> {
    for (idx, (session, until)) in line.iter().enumerate() {
        let mut found = may_have(db, &vec![(*session, *until)], &[question]).await?;
        found.retain(|found| found.closed.is_some() && (idx == 0 || found.ask.has_ended_by(*until)));
        found.sort_by_key(|found| found.closed);
        let answer = |found: &Found| found.ask.state.outcome()?.answers.to(question).cloned();
        if let Some(answer) = found.iter().rev().find_map(answer) {
            return Ok(Some(answer));
        }
    }
    Ok(None)
}

/// The latest ask that was made with each of these keys of these owners.
pub(super) const WITH_KEYS: &str =
    "SELECT k.owner, k.key, a.id FROM unnest($1::TEXT[], $2::TEXT[]) AS k (owner, key)
    CROSS JOIN LATERAL (SELECT id FROM ask WHERE owner = k.owner AND idempotency_key = k.key
        AND idempotency_key IS NOT NULL ORDER BY n DESC LIMIT 1) a";

pub(super) async fn with_keys(
    db: &Db,
    keys: &[(UserId, String)],
) -> Result<Vec<((UserId, String), AskId)>, Fail> {
    let (owners, keys): (Vec<&str>, Vec<&str>) =
        keys.iter().map(|(owner, key)| (owner.as_str(), key.as_str())).unzip();
    let found = rows(db, WITH_KEYS, &[&owners, &keys]).await?;
    let read = |row: &Row| {
        let owner = UserId::new(row.try_get::<_, &str>(0)?);
        Ok(((owner, row.try_get(1)?), AskId(id_of(row.try_get(2)?)?)))
    };
    found.iter().map(read).collect()
}

pub(super) async fn of_session(
    db: &Db,
    session: SessionId,
    after_round: u32,
    most: usize,
) -> Result<Vec<Found>, Fail> {
    let sql = format!("{SELECT} WHERE a.session = $1 AND a.round > $2 ORDER BY a.round, a.n LIMIT $3");
    select(db, &sql, &[&&session.0.to_be_bytes()[..], &i64::from(after_round), &limit(most)]).await
}

pub(super) async fn inbox(db: &Db, user: &UserId, most: usize) -> Result<Vec<Found>, Fail> {
    let sql = format!(
        "{SELECT} WHERE a.id = ANY (ARRAY(
            SELECT id FROM ask WHERE owner = $1 AND standing = 0 AND people IS NULL
            UNION ALL SELECT id FROM ask WHERE standing = 0 AND people IS NOT NULL
                AND (position($2 IN people) > 0 OR people = $3)))
         ORDER BY a.n LIMIT $4"
    );
    let (by_name, anyone) = plan::for_person(user);
    select(db, &sql, &[&user.as_str(), &by_name, &anyone, &limit(most)]).await
}

/// Goes through the index of open asks, which is by owner and then by age.
pub(super) async fn open(db: &Db, after: Option<AskId>, most: usize) -> Result<Vec<Found>, Fail> {
    let Some(after) = after else {
        let sql = format!("{SELECT} WHERE a.standing = 0 ORDER BY a.owner, a.n LIMIT $1");
        return select(db, &sql, &[&limit(most)]).await;
    };
    let sql = format!(
        "{SELECT} WHERE a.standing = 0
         AND (a.owner, a.n) > (SELECT last.owner, last.n FROM ask last WHERE last.id = $1)
         ORDER BY a.owner, a.n LIMIT $2"
    );
    select(db, &sql, &[&&after.0.to_be_bytes()[..], &limit(most)]).await
}

pub(super) async fn due(db: &Db, now: Timestamp, most: usize) -> Result<Vec<AskId>, Fail> {
    let sql = "SELECT id FROM ask WHERE standing = 0 AND deadline IS NOT NULL AND deadline <= $1
         ORDER BY deadline LIMIT $2";
    let found = rows(db, sql, &[&now.0, &limit(most)]).await?;
    found.iter().map(|row| Ok(AskId(id_of(row.try_get(0)?)?))).collect()
}

pub(super) async fn next_deadline(db: &Db) -> Result<Option<Timestamp>, Fail> {
    let sql = "SELECT min(deadline) FROM ask WHERE standing = 0 AND deadline IS NOT NULL";
    let found = super::db::the_row(db, sql, &[]).await?;
    Ok(found.try_get::<_, Option<i64>>(0)?.map(Timestamp))
}

async fn select(db: &Db, sql: &str, params: &Params<'_>) -> Result<Vec<Found>, Fail> {
    rows(db, sql, params).await?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Found, Fail> {
    let id = AskId(id_of(row.try_get(0)?)?);
    let wrong = |wrong: shape::Wrong| wrong.at(format_args!("ask {id}"));
    let mut ask: Ask = shape::read::<Body<'_>, _>(row.try_get(6)?).map_err(wrong)?;
    // Its body says where it was asked: a restored session takes what is open.
    ask.session = SessionId(id_of(row.try_get(8)?)?);
    let word: &str = row.try_get(1)?;
    let word = StateWord::ALL.into_iter().find(|state| state.name() == word);
    let word = word.ok_or_else(|| StoreError::Damaged(format!("ask {id}: its state has no such word")))?;
    let outcome: Option<&str> = row.try_get(2)?;
    let outcome = outcome.map(shape::read::<OutcomeRow<'_>, Outcome>).transpose().map_err(wrong)?;
    ask.state = word.state(outcome).map_err(wrong)?;
    if let Some(sheet) = row.try_get::<_, Option<&str>>(3)? {
        shape::read::<Sheet<'_>, Filled>(sheet).map_err(wrong)?.fill(&mut ask);
    }
    if let Some(late) = row.try_get::<_, Option<&str>>(4)? {
        ask.late = Some(shape::read::<LateRow<'_>, _>(late).map_err(wrong)?);
    }
    let dropped: Option<&str> = row.try_get(5)?;
    let dropped = dropped.map(shape::read_ids).transpose().map_err(wrong)?.unwrap_or_default();
    if !dropped.is_empty() {
        ask.questions = Arc::new(Arc::unwrap_or_clone(ask.questions).without(&dropped));
    }
    Ok(Found { ask: Arc::new(ask), dropped, closed: row.try_get(7)? })
}
