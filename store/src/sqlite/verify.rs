//! Walks the chain of facts, a part at a time, so that nobody waits long for a connection; and has what is
//! served made again from them.

use std::sync::Arc;

use askuser_core::id::{AskId, ServerId, SessionId, TaskId};
use futures_util::FutureExt;
use rusqlite::{Connection, Row};

use super::ask::id_of;
use super::fact::{self, THREAD};
use super::read::Readers;
use super::session;
use crate::chain::{self, Chain, Link};
use crate::db::Local;
use crate::fail::Fail;
use crate::replay::{AskRow, ClosedBy, Replay, SessionColumns, TaskColumns};
use crate::{Head, Served, StoreError, Subject, Verified};

/// Facts that are verified in one reading.
const WALK: i64 = 1000;
/// Sessions that are made again in one reading.
const SESSIONS: i64 = 200;
/// What no fact tells of is named so many times at most.
const UNTOLD_MAX: i64 = 100;

/// The chain of facts beside the writer.
pub(super) struct Facts<'a>(pub(super) &'a Arc<Readers>);

impl Chain for Facts<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.read(|db: &Local| fact::head(&db.get())).await
    }

    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError> {
        self.0.read(move |db: &Local| fact::before(&db.get(), number)).await
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        self.0.read(move |db: &Local| fact::links(&db.get(), after, upto, WALK)).await
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        self.0.read(|db: &Local| fact::beyond(&db.get())).await
    }
}

/// The chain of facts in a file, without a desk.
struct File<'a>(&'a Connection);

impl Chain for File<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        fact::head(self.0).map_err(Fail::told)
    }

    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError> {
        fact::before(self.0, number).map_err(Fail::told)
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        fact::links(self.0, after, upto, WALK).map_err(Fail::told)
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        fact::beyond(self.0).map_err(Fail::told)
    }
}

/// Walks the chain of facts in a file.
pub(super) fn file(db: &Connection) -> Result<Verified, StoreError> {
    // A file is read where one stands: it is done at once.
    let unfinished = || Err(StoreError::Unavailable("the chain was not walked to its end".to_owned()));
    chain::verify(&File(db), 1).now_or_never().unwrap_or_else(unfinished)
}

/// Compares everything that is served with its facts, a few sessions at a time.
pub(super) async fn served(readers: &Arc<Readers>) -> Result<Served, StoreError> {
    let mut replay = Replay::upto(readers.read(|db: &Local| fact::head(&db.get())).await?.number);
    let mut after = Some(0);
    while let Some(n) = after {
        let some = move |db: &Local| {
            let next = sessions(&db.get(), &mut replay, n)?;
            Ok((replay, next))
        };
        (replay, after) = readers.read(some).await?;
    }
    readers.read(move |db: &Local| finish(&db.get(), replay)).await
}

/// The same in a file.
pub(super) fn served_in_file(db: &Connection) -> Result<Served, Fail> {
    let mut replay = Replay::upto(fact::head(db)?.number);
    let mut after = Some(0);
    while let Some(n) = after {
        after = sessions(db, &mut replay, n)?;
    }
    finish(db, replay)
}

/// Has the next sessions made again, rows and facts as they are at one moment. Returns the last of them;
/// none where there are no more.
fn sessions(db: &Connection, replay: &mut Replay, after: i64) -> Result<Option<i64>, Fail> {
    let _moment = db.unchecked_transaction()?;
    let mut statement = db.prepare_cached(
        "SELECT s.n, s.id, s.n_open, t.id, t.owner, t.state, t.server, t.body
         FROM session s LEFT JOIN task t ON t.session = s.n WHERE s.n > ?1 ORDER BY s.n LIMIT ?2",
    )?;
    let mut rows = statement.query((after, SESSIONS))?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let n: i64 = row.get(0)?;
        last = Some(n);
        let id = SessionId(id_of(&row.get::<_, Vec<u8>>(1)?)?);
        let session = match session::at(db, n) {
            Ok(found) => found,
            // What cannot be read is not what happened.
            Err(Fail::Told(StoreError::Damaged(_))) => None,
            Err(fail) => return Err(fail),
        };
        let columns = session.map(|found| {
            Ok::<_, Fail>(SessionColumns {
                session: found.session,
                n_open: row.get(2)?,
                n_closed: None,
                task: task(row)?,
            })
        });
        replay.session(id, columns.transpose()?);
        facts(db, replay, n)?;
    }
    Ok(last)
}

fn task(row: &Row<'_>) -> Result<Option<TaskColumns>, Fail> {
    let Some(id) = row.get::<_, Option<Vec<u8>>>(3)? else { return Ok(None) };
    let server: Option<Vec<u8>> = row.get(6)?;
    Ok(Some(TaskColumns {
        id: TaskId(id_of(&id)?),
        owner: row.get(4)?,
        state: row.get(5)?,
        server: server.as_deref().map(id_of).transpose()?.map(ServerId),
        body: row.get(7)?,
    }))
}

/// The facts of a session, ask by ask, and with the first of each the ask's row.
fn facts(db: &Connection, replay: &mut Replay, session_n: i64) -> Result<(), Fail> {
    let mut statement = db.prepare_cached(&format!(
        "{THREAD} SELECT f.number, f.at, f.kind, f.salt,
            coalesce(f.payload, CASE WHEN f.salt IS NOT NULL THEN b.body END), f.digest, f.hash, f.ask,
            a.id, (SELECT id FROM session WHERE n = a.session), a.owner, a.round, a.depth, a.standing, a.state,
            a.deadline, a.idempotency_key, a.closed, a.outcome, a.sheet, a.late, a.dropped, a.erased_at,
            a.people, b.body
         FROM fact f LEFT JOIN ask a ON f.kind = 'asked' AND a.n = f.ask
         LEFT JOIN ask_body b ON f.kind = 'asked' AND b.n = f.ask
         WHERE f.number IN (SELECT number FROM thread) ORDER BY f.ask, f.number"
    ))?;
    let mut rows = statement.query((session_n, fact::NO_NUMBER))?;
    while let Some(row) = rows.next()? {
        let place: Option<i64> = row.get(7)?;
        let place = place.map(|n| u128::from(n.cast_unsigned()));
        replay.fact(&fact::link(row)?, place, ask(row)?);
    }
    Ok(())
}

fn ask(row: &Row<'_>) -> Result<Option<AskRow>, Fail> {
    let Some(id) = row.get::<_, Option<Vec<u8>>>(8)? else { return Ok(None) };
    let session: Option<Vec<u8>> = row.get(9)?;
    let closed: Option<i64> = row.get(17)?;
    Ok(Some(AskRow {
        id: AskId(id_of(&id)?),
        session: session.as_deref().map(id_of).transpose()?.map(SessionId),
        owner: row.get(10)?,
        round: row.get(11)?,
        depth: row.get(12)?,
        standing: row.get(13)?,
        state: row.get(14)?,
        deadline: row.get(15)?,
        idempotency_key: row.get(16)?,
        closed: closed.map(ClosedBy::Fact),
        ended_at: None,
        outcome: row.get(18)?,
        sheet: row.get(19)?,
        late: row.get(20)?,
        dropped: row.get(21)?,
        erased_at: row.get(22)?,
        people: row.get(23)?,
        body: row.get::<_, Option<String>>(24)?.unwrap_or_default(),
    }))
}

/// What is there without a fact, and facts without a session.
fn finish(db: &Connection, mut replay: Replay) -> Result<Served, Fail> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM ask WHERE n NOT IN (SELECT ask FROM fact WHERE kind = 'asked' AND ask IS NOT NULL)
         ORDER BY n LIMIT ?1",
    )?;
    let mut rows = statement.query([UNTOLD_MAX])?;
    while let Some(row) = rows.next()? {
        replay.untold(Subject::Ask(AskId(id_of(&row.get::<_, Vec<u8>>(0)?)?)), "ask");
    }
    let n_facts = fact::count(db, replay.last())?;
    Ok(replay.end(n_facts))
}
