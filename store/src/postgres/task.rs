//! Tasks in SQL.

use std::sync::Arc;

use askuser_core::id::SessionId;
use askuser_core::task::Task;

use super::db::{Client, Params, rows, run};
use crate::db::Row;
use crate::fail::Fail;
use crate::row::{self as shape, TaskRow};
use crate::sql::tasks;

/// The tasks whose sessions these are.
pub(super) async fn in_sessions(db: &Client, sessions: &[SessionId]) -> Result<Vec<Arc<Task>>, Fail> {
    let sessions: Vec<[u8; 16]> = sessions.iter().map(|id| id.0.to_be_bytes()).collect();
    let sessions: Vec<&[u8]> = sessions.iter().map(|id| &id[..]).collect();
    let found = rows(db, &in_sessions_sql(), &[&sessions]).await?;
    found.iter().map(|row| tasks::read(&Row::Postgres(row))).collect()
}

/// Prepared before a batch begins, so that it goes out in its turn.
pub(super) fn in_sessions_sql() -> String {
    format!("{} WHERE t.session = ANY ($1::BYTEA[])", tasks::SELECT)
}

const WRITE: &str = "INSERT INTO task (session, id, owner, state, body, last_message, server)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (session) DO UPDATE SET state = excluded.state, body = excluded.body,
        last_message = excluded.last_message, server = excluded.server";

/// Writes tasks as they are now. There are few in a batch.
pub(super) async fn write(db: &Client, tasks: &[Arc<Task>]) -> Result<(), Fail> {
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
