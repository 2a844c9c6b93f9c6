//! Writes asks: new ones whole, others only where they changed.

use std::sync::Arc;

use askuser_core::id::QuestionId;
use rusqlite::{Connection, params};

use crate::fail::Fail;
use crate::plan::{self, standing};
use crate::row::{self, LateRow, OutcomeRow, Sheet, StateWord};
use crate::sql::asks::Found;

/// Writes a new ask and returns where.
pub(super) fn insert(db: &Connection, new: &Found, body: &str) -> Result<i64, Fail> {
    let Found { ask, dropped, closed, .. } = new;
    let (id, sheet, outcome) = (ask.id.0.to_be_bytes(), Sheet::of(ask), ask.state.outcome());
    db.prepare_cached(
        "INSERT INTO ask (id, session, owner, round, depth, standing, state, deadline, idempotency_key,
         closed, ended_at, outcome, sheet, dropped, people)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?
    .execute(params![
        id,
        ask.session.0.to_be_bytes(),
        ask.owner.as_str(),
        ask.round,
        ask.depth,
        standing(&ask.state),
        StateWord::of(&ask.state).name(),
        ask.next_alarm().map(|alarm| alarm.0),
        ask.terms.idempotency_key,
        closed,
        outcome.map(|outcome| outcome.at.0),
        outcome.map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?,
        (!sheet.is_empty()).then(|| row::write(&sheet)).transpose()?,
        (!dropped.is_empty()).then(|| row::write_ids(dropped.iter())).transpose()?,
        plan::people(ask),
    ])?;
    let n = db.last_insert_rowid();
    db.prepare_cached("INSERT INTO ask_body (ask, body) VALUES (?1, ?2)")?.execute((id, body))?;
    let mut statement = db.prepare_cached(
        "INSERT INTO ask_question (session, question, ask) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )?;
    for question in ask.questions.all() {
        // Most are named after their round, and a row for each would be a page for each session.
        if plan::says_round(&question.id, ask.round) {
            continue;
        }
        statement.execute((ask.session.0.to_be_bytes(), question.id.as_str(), id))?;
    }
    Ok(n)
}

/// Writes what has changed of an ask and nothing else.
pub(super) fn update(db: &Connection, before: &Found, after: &Found) -> Result<(), Fail> {
    let (n, was, now) = (before.n, &before.ask, &after.ask);
    if was.session != now.session {
        // Its questions are found by the session that it is in.
        db.prepare_cached("UPDATE ask_question SET session = ?3 WHERE session = ?2 AND ask = ?1")?
            .execute((now.id.0.to_be_bytes(), was.session.0.to_be_bytes(), now.session.0.to_be_bytes()))?;
        db.prepare_cached("UPDATE ask SET session = ?2 WHERE n = ?1")?
            .execute((n, now.session.0.to_be_bytes()))?;
    }
    let (had, has) = (StateWord::of(&was.state), StateWord::of(&now.state));
    let mut sheet_changed = Sheet::differs(was, now);
    if was.is_open()
        && let Some(outcome) = now.state.outcome()
    {
        // The sheet along with it, so that the row is written once.
        db.prepare_cached(
            "UPDATE ask SET standing = ?2, state = ?3, outcome = ?4, closed = ?5, ended_at = ?6,
             sheet = coalesce(?7, sheet) WHERE n = ?1",
        )?
        .execute(params![
            n,
            standing(&now.state),
            has.name(),
            row::write(&OutcomeRow::from(outcome))?,
            after.closed,
            outcome.at.0,
            sheet_changed.then(|| row::write(&Sheet::of(now))).transpose()?,
        ])?;
        sheet_changed = false;
    } else if had != has {
        db.prepare_cached("UPDATE ask SET standing = ?2, state = ?3 WHERE n = ?1")?.execute((
            n,
            standing(&now.state),
            has.name(),
        ))?;
    }
    if sheet_changed {
        db.prepare_cached("UPDATE ask SET sheet = ?2 WHERE n = ?1")?
            .execute((n, row::write(&Sheet::of(now))?))?;
    }
    if was.next_alarm() != now.next_alarm() || was.hearing.escalated_at != now.hearing.escalated_at {
        db.prepare_cached("UPDATE ask SET deadline = ?2, people = ?3 WHERE n = ?1")?.execute((
            n,
            now.next_alarm().map(|alarm| alarm.0),
            plan::people(now),
        ))?;
    }
    if let Some((answers, by)) = now.late.as_ref().filter(|_| was.late != now.late) {
        db.prepare_cached("UPDATE ask SET late = ?2 WHERE n = ?1")?
            .execute((n, row::write(&LateRow::new(answers, by))?))?;
    }
    if !Arc::ptr_eq(&was.questions, &now.questions) {
        drop_questions(db, before, after)?;
    }
    Ok(())
}

/// Notes which questions were dropped, and forgets that the ask has them.
fn drop_questions(db: &Connection, before: &Found, after: &Found) -> Result<(), Fail> {
    let all = row::write_ids(after.dropped.iter())?;
    db.prepare_cached("UPDATE ask SET dropped = ?2 WHERE n = ?1")?.execute((before.n, all))?;
    let mut statement =
        db.prepare_cached("DELETE FROM ask_question WHERE session = ?1 AND question = ?2 AND ask = ?3")?;
    let ask = &after.ask;
    let gone = before.ask.questions.all().into_iter().map(|question| &question.id).filter(|id| !ask.has(id));
    for question in gone.map(QuestionId::as_str) {
        statement.execute((ask.session.0.to_be_bytes(), question, ask.id.0.to_be_bytes()))?;
    }
    Ok(())
}
