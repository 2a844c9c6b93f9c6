//! Tasks.

use std::sync::Arc;

use askuser_core::id::{SessionId, TaskId, UserId};
use askuser_core::task::Task;

use crate::db::{Cell, Database, Db, Row, cells};
use crate::fail::Fail;
use crate::row::{self, TaskRow};
use crate::{Later, TaskStore};

/// What a task is read from.
pub(crate) const SELECT: &str = "SELECT t.session, t.body, t.last_message FROM task t";

impl<D: Database> TaskStore for D {
    fn task(&self, id: TaskId) -> Later<'_, Option<Arc<Task>>> {
        self.read(id, |db, id| {
            Box::pin(async move { Ok(select(db, "WHERE t.id = ?1", cells![*id]).await?.pop()) })
        })
    }

    fn task_of(&self, session: SessionId) -> Later<'_, Option<Arc<Task>>> {
        self.read(session, |db, session| Box::pin(in_session(db, *session)))
    }

    fn tasks(&self, user: &UserId, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        self.read((user.clone(), limit), |db, (user, limit)| {
            Box::pin(async move {
                select(db, "WHERE t.owner = ?1 ORDER BY t.n DESC LIMIT ?2", cells![user, *limit]).await
            })
        })
    }

    fn tasks_alive(&self, limit: usize) -> Later<'_, Vec<Arc<Task>>> {
        self.read(limit, |db, limit| {
            Box::pin(async move {
                let tail = "WHERE t.state IN ('queued', 'running') ORDER BY t.n LIMIT ?1";
                select(db, tail, cells![*limit]).await
            })
        })
    }
}

/// The task whose session this is.
pub(crate) async fn in_session(db: Db<'_>, session: SessionId) -> Result<Option<Arc<Task>>, Fail> {
    Ok(select(db, "WHERE t.session = ?1", cells![session]).await?.pop())
}

pub(crate) async fn select(db: Db<'_>, tail: &str, params: &[Cell<'_>]) -> Result<Vec<Arc<Task>>, Fail> {
    db.rows(&format!("{SELECT} {tail}"), params, read).await
}

/// Reads a task from the columns of `SELECT`.
pub(crate) fn read(row: &Row<'_>) -> Result<Arc<Task>, Fail> {
    let session: SessionId = row.get(0)?;
    let task: Task = row::read::<TaskRow<'_>, _>(row.get(1)?)
        .map_err(|wrong| wrong.at(format_args!("the task of session {session}")))?;
    Ok(Arc::new(Task { last_message: row.get(2)?, ..task }))
}
