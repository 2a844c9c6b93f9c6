//! Tasks in SQL.

use std::sync::Arc;

use askuser_core::id::{MessageId, SessionId, TaskId, UserId};
use askuser_core::task::Task;
use tokio_postgres::Row;

use super::db::{Db, Params, id_of, limit, rows, run};
use crate::fail::Fail;
use crate::row::{self as shape, TaskRow};

pub(super) const SELECT: &str = "SELECT t.session, t.body, t.last_message FROM task t";

pub(super) async fn by_id(db: &Db, id: TaskId) -> Result<Option<Arc<Task>>, Fail> {
    Ok(select(db, &format!("{SELECT} WHERE t.id = $1"), &[&&id.0.to_be_bytes()[..]]).await?.pop())
}

/// The task whose session this is.
pub(super) async fn of_session(db: &Db, session: SessionId) -> Result<Option<Arc<Task>>, Fail> {
    Ok(in_sessions(db, &[session]).await?.pop())
}

/// The tasks whose sessions these are.
pub(super) async fn in_sessions(db: &Db, sessions: &[SessionId]) -> Result<Vec<Arc<Task>>, Fail> {
    let sessions: Vec<[u8; 16]> = sessions.iter().map(|id| id.0.to_be_bytes()).collect();
    let sessions: Vec<&[u8]> = sessions.iter().map(|id| &id[..]).collect();
    select(db, &in_sessions_sql(), &[&sessions]).await
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn in_sessions_sql() -> String {
    format!("{SELECT} WHERE t.session = ANY ($1::BYTEA[])")
}

pub(super) async fn of_user(db: &Db, owner: &UserId, most: usize) -> Result<Vec<Arc<Task>>, Fail> {
    let sql = format!("{SELECT} WHERE t.owner = $1 ORDER BY t.n DESC LIMIT $2");
    select(db, &sql, &[&owner.as_str(), &limit(most)]).await
}

/// Every user's tasks that wait for their turn or are at work, in the order in which they were given.
pub(super) async fn alive(db: &Db, most: usize) -> Result<Vec<Arc<Task>>, Fail> {
    let sql = format!("{SELECT} WHERE t.state IN ('queued', 'running') ORDER BY t.n LIMIT $1");
    select(db, &sql, &[&limit(most)]).await
}

const WRITE: &str = "INSERT INTO task (session, id, owner, state, body, last_message, server)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (session) DO UPDATE SET state = excluded.state, body = excluded.body,
        last_message = excluded.last_message, server = excluded.server";

/// Writes tasks as they are now. There are few in a batch.
pub(super) async fn write(db: &Db, tasks: &[Arc<Task>]) -> Result<(), Fail> {
    for task in tasks {
        let last = task.last_message.map(|message| message.0.to_be_bytes());
        let server = task.server.map(|server| server.0.to_be_bytes());
        let params: &Params<'_> = &[
            &&task.session.0.to_be_bytes()[..],
            &&task.id.0.to_be_bytes()[..],
            &task.owner.as_str(),
            &task.state.name(),
            &shape::write(&TaskRow::from(&**task))?,
            &last.as_ref().map(|last| &last[..]),
            &server.as_ref().map(|server| &server[..]),
        ];
        run(db, WRITE, params).await?;
    }
    Ok(())
}

pub(super) async fn select(db: &Db, sql: &str, params: &Params<'_>) -> Result<Vec<Arc<Task>>, Fail> {
    rows(db, sql, params).await?.iter().map(read).collect()
}

fn read(row: &Row) -> Result<Arc<Task>, Fail> {
    let session = SessionId(id_of(row.try_get(0)?)?);
    let task: Task = shape::read::<TaskRow<'_>, _>(row.try_get(1)?)
        .map_err(|wrong| wrong.at(format_args!("the task of session {session}")))?;
    let last: Option<&[u8]> = row.try_get(2)?;
    let last_message = last.map(id_of).transpose()?.map(MessageId);
    Ok(Arc::new(Task { last_message, ..task }))
}
