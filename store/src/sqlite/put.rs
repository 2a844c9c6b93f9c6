//! Writes asks: new ones whole, others only where they changed.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::decide::Refusal;
use askuser_core::id::{AskId, QuestionId};
use rusqlite::{Connection, OptionalExtension, params};

use super::ask;
use super::hot::Hot;
use super::{fact, session};
use crate::fail::Fail;
use crate::plan::{self, standing};
use crate::row::{self, LateRow, OutcomeRow, Sheet, StateWord};

/// Writes a new ask and returns where.
pub(super) fn insert(
    db: &Connection,
    session_n: i64,
    ask: &Ask,
    body: &str,
    dropped: &[QuestionId],
    closed: Option<u64>,
) -> Result<i64, Fail> {
    let sheet = Sheet::of(ask);
    db.prepare_cached(
        "INSERT INTO ask (id, session, owner, round, depth, standing, state, deadline, idempotency_key,
         closed, outcome, sheet, dropped, people)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?
    .execute(params![
        ask.id.0.to_be_bytes(),
        session_n,
        ask.owner.as_str(),
        ask.round,
        ask.depth,
        standing(&ask.state),
        StateWord::of(&ask.state).name(),
        ask.next_alarm().map(|alarm| alarm.0),
        ask.terms.idempotency_key,
        closed,
        ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?,
        (!sheet.is_empty()).then(|| row::write(&sheet)).transpose()?,
        (!dropped.is_empty()).then(|| row::write_ids(dropped.iter())).transpose()?,
        plan::people(ask),
    ])?;
    let n = db.last_insert_rowid();
    db.prepare_cached("INSERT INTO ask_body (n, body) VALUES (?1, ?2)")?.execute((n, body))?;
    let mut statement =
        db.prepare_cached("INSERT OR IGNORE INTO ask_question (session, question, ask) VALUES (?1, ?2, ?3)")?;
    for question in ask.questions.all() {
        // Most are named after their round, and a row for each would be a page for each session.
        if plan::says_round(&question.id, ask.round) {
            continue;
        }
        statement.execute((session_n, question.id.as_str(), n))?;
    }
    Ok(n)
}

/// Writes what has changed of an ask and nothing else.
pub(super) fn update(
    db: &Connection,
    n: i64,
    session_n: i64,
    was: &Ask,
    now: &Ask,
    closed: Option<u64>,
) -> Result<(), Fail> {
    if was.session != now.session {
        move_to(db, n, session_n)?;
    }
    let (had, has) = (StateWord::of(&was.state), StateWord::of(&now.state));
    let mut sheet_changed = Sheet::differs(was, now);
    if was.is_open()
        && let Some(outcome) = now.state.outcome()
    {
        // The sheet along with it, so that the row is written once.
        db.prepare_cached(
            "UPDATE ask SET standing = ?2, state = ?3, outcome = ?4, closed = ?5, sheet = coalesce(?6, sheet)
             WHERE n = ?1",
        )?
        .execute(params![
            n,
            standing(&now.state),
            has.name(),
            row::write(&OutcomeRow::from(outcome))?,
            closed,
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
        write_sheet(db, n, now)?;
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
        drop_questions(db, n, session_n, was, now)?;
    }
    Ok(())
}

/// Puts an ask into another session.
fn move_to(db: &Connection, n: i64, session_n: i64) -> Result<(), Fail> {
    // Its questions are found by the session that it was in.
    db.prepare_cached(
        "UPDATE ask_question SET session = ?2 WHERE ask = ?1 AND session = (SELECT session FROM ask WHERE n = ?1)",
    )?
    .execute((n, session_n))?;
    db.prepare_cached("UPDATE ask SET session = ?2 WHERE n = ?1")?.execute((n, session_n))?;
    Ok(())
}

fn write_sheet(db: &Connection, n: i64, ask: &Ask) -> Result<(), Fail> {
    db.prepare_cached("UPDATE ask SET sheet = ?2 WHERE n = ?1")?
        .execute((n, row::write(&Sheet::of(ask))?))?;
    Ok(())
}

/// Notes which questions were dropped, and forgets that the ask has them.
fn drop_questions(db: &Connection, n: i64, session_n: i64, was: &Ask, now: &Ask) -> Result<(), Fail> {
    let gone = was.questions.all().into_iter().map(|question| &question.id).filter(|id| !now.has(id));
    let gone: Vec<&QuestionId> = gone.collect();
    let earlier: Option<Option<String>> = db
        .prepare_cached("SELECT dropped FROM ask WHERE n = ?1")?
        .query_row([n], |row| row.get(0))
        .optional()?;
    let earlier = earlier.flatten().map(|list| row::read_ids(&list)).transpose();
    let earlier = earlier.map_err(|wrong| wrong.at(format_args!("ask {}", now.id)))?.unwrap_or_default();
    let all = row::write_ids(earlier.iter().chain(gone.iter().copied()))?;
    db.prepare_cached("UPDATE ask SET dropped = ?2 WHERE n = ?1")?.execute((n, all))?;
    let mut statement =
        db.prepare_cached("DELETE FROM ask_question WHERE session = ?1 AND question = ?2 AND ask = ?3")?;
    for question in gone {
        statement.execute((session_n, question.as_str(), n))?;
    }
    Ok(())
}

/// Erases what was answered to the secret questions of an ended ask.
pub(super) fn erase_secrets(db: &Connection, hot: &mut Hot, id: AskId) -> Result<u64, Fail> {
    let Some(found) = ask::by_id(db, id)? else {
        return Err(Refusal::AskNotFound.into());
    };
    let mut ask = (*found.ask).clone();
    if !plan::erase(&mut ask)? {
        return Ok(0);
    }
    hot.forget(ask.session);
    write_erased(db, found.n, &ask).map_err(Fail::after_writing)
}

fn write_erased(db: &Connection, n: i64, ask: &Ask) -> Result<u64, Fail> {
    write_sheet(db, n, ask)?;
    let outcome = ask.state.outcome().map(|outcome| row::write(&OutcomeRow::from(outcome))).transpose()?;
    let late = ask.late.as_ref().map(|(answers, by)| row::write(&LateRow::new(answers, by))).transpose()?;
    db.prepare_cached("UPDATE ask SET outcome = ?2, late = ?3 WHERE n = ?1")?.execute((n, outcome, late))?;
    let Some(session) = session::by_id(db, ask.session)? else { return Ok(0) };
    let mut n_erased = 0;
    for (session_n, _) in session::line(db, session.n, &session.session)? {
        n_erased += fact::erase_answers(db, session_n, n)?;
    }
    Ok(n_erased)
}
