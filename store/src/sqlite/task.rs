//! Writes tasks.

use askuser_core::task::Task;
use rusqlite::{Connection, params};

use crate::fail::Fail;
use crate::row::{self, TaskRow};

/// Writes a task as it is now; only what changed where it is there.
pub(super) fn put(db: &Connection, was: Option<&Task>, now: &Task) -> Result<(), Fail> {
    let session = now.session.0.to_be_bytes();
    let last = now.last_message.map(|message| message.0.to_be_bytes());
    let server = now.server.map(|server| server.0.to_be_bytes());
    let same = |was: &Task| was == &Task { last_message: was.last_message, ..now.clone() };
    match was {
        Some(was) if same(was) => {
            db.prepare_cached("UPDATE task SET last_message = ?2 WHERE session = ?1")?
                .execute((session, last))?;
        }
        Some(_) => {
            db.prepare_cached(
                "UPDATE task SET state = ?2, body = ?3, last_message = ?4, server = ?5 WHERE session = ?1",
            )?
            .execute((
                session,
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
                session,
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
