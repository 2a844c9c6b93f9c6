//! Tasks in SQL.

use std::sync::Arc;

use askuser_core::id::{MessageId, SessionId, TaskId, UserId};
use askuser_core::task::Task;
use rusqlite::{Connection, Params, Row, params};

use super::ask::id_of;
use crate::fail::Fail;
use crate::row::{self, TaskRow};

pub(super) fn by_id(db: &Connection, id: TaskId) -> Result<Option<Arc<Task>>, Fail> {
    Ok(select(db, "WHERE t.id = ?1", [id.0.to_be_bytes()])?.pop())
}

/// The task whose session this is.
pub(super) fn of_session(db: &Connection, session: SessionId) -> Result<Option<Arc<Task>>, Fail> {
    let tail = "WHERE t.session = (SELECT n FROM session WHERE id = ?1)";
    Ok(select(db, tail, [session.0.to_be_bytes()])?.pop())
}

/// The same by the session's place in the table.
pub(super) fn in_session(db: &Connection, session_n: i64) -> Result<Option<Arc<Task>>, Fail> {
    Ok(select(db, "WHERE t.session = ?1", [session_n])?.pop())
}

pub(super) fn of_user(db: &Connection, owner: &UserId, limit: i64) -> Result<Vec<Arc<Task>>, Fail> {
    select(db, "WHERE t.owner = ?1 ORDER BY t.session DESC LIMIT ?2", (owner.as_str(), limit))
}

/// Every user's tasks that wait for their turn or are at work, in the order in which they were given.
pub(super) fn alive(db: &Connection, limit: i64) -> Result<Vec<Arc<Task>>, Fail> {
    select(db, "WHERE t.state IN ('queued', 'running') ORDER BY t.session LIMIT ?1", [limit])
}

/// Writes a task as it is now; only what changed where it is there.
pub(super) fn put(db: &Connection, session_n: i64, was: Option<&Task>, now: &Task) -> Result<(), Fail> {
    let last = now.last_message.map(|message| message.0.to_be_bytes());
    let server = now.server.map(|server| server.0.to_be_bytes());
    let same = |was: &Task| was == &Task { last_message: was.last_message, ..now.clone() };
    match was {
        Some(was) if same(was) => {
            db.prepare_cached("UPDATE task SET last_message = ?2 WHERE session = ?1")?
                .execute((session_n, last))?;
        }
        Some(_) => {
            db.prepare_cached(
                "UPDATE task SET state = ?2, body = ?3, last_message = ?4, server = ?5 WHERE session = ?1",
            )?
            .execute((
                session_n,
                now.state.name(),
                row::write(&TaskRow::from(now))?,
                last,
                server,
            ))?;
        }
        None => {
            db.prepare_cached(
                "INSERT INTO task (session, id, owner, state, body, last_message, server)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                session_n,
                now.id.0.to_be_bytes(),
                now.owner.as_str(),
                now.state.name(),
                row::write(&TaskRow::from(now))?,
                last,
                server,
            ])?;
        }
    }
    Ok(())
}

fn select(db: &Connection, tail: &str, params: impl Params) -> Result<Vec<Arc<Task>>, Fail> {
    let sql = format!("SELECT t.body, t.last_message, t.session FROM task t {tail}");
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(Arc::new(read(row)?));
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Task, Fail> {
    let body: String = row.get(0)?;
    let last: Option<Vec<u8>> = row.get(1)?;
    let n: i64 = row.get(2)?;
    let task: Task = row::read::<TaskRow<'_>, _>(&body)
        .map_err(|wrong| wrong.at(format_args!("the task of the session in row {n}")))?;
    let last_message = last.as_deref().map(id_of).transpose()?.map(MessageId);
    Ok(Task { last_message, ..task })
}
