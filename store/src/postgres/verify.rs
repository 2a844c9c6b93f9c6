//! Walks the chain of facts, a part at a time, and has what is served made again from them.

use std::pin::pin;

use askuser_core::id::{AskId, ServerId, SessionId, TaskId};
use deadpool_postgres::Object;
use futures_util::TryStreamExt;
use tokio_postgres::Row;

use super::as_store::{READS_MAX, read};
use super::db::{Db, counted, id_of, rows, signed, the_row};
use super::error::Kind;
use super::{Postgres, fact, session};
use crate::chain::{Chain, Link};
use crate::fail::Fail;
use crate::replay::{AskRow, ClosedBy, Replay, SessionColumns, TaskColumns};
use crate::{Head, Later, Served, Store, StoreError, Subject};

/// Facts that are verified in one reading.
const WALK: usize = 1000;
/// Sessions that are made again in one reading.
const SESSIONS: usize = 200;
/// What no fact tells of is named so many times at most.
const UNTOLD_MAX: i64 = 100;

/// The chain of facts.
pub(super) struct Facts<'a>(pub(super) &'a Postgres);

impl Chain for Facts<'_> {
    async fn head(&self) -> Result<Head, StoreError> {
        self.0.head().await
    }

    async fn before(&self, number: u64) -> Result<Option<Head>, StoreError> {
        let (store, number) = (self.0, number.saturating_sub(1));
        let hash: Later<'_, Option<_>> = read!(store, |db| fact::hash(&db, number));
        Ok(hash.await?.map(|hash| Head { number, hash }))
    }

    async fn links(&self, after: u64, upto: u64) -> Result<Vec<Link>, StoreError> {
        let store = self.0;
        let found: Later<'_, Vec<Link>> = read!(store, |db| fact::links(&db, after, upto, WALK));
        found.await
    }

    async fn beyond(&self) -> Result<Option<u64>, StoreError> {
        let store = self.0;
        let found: Later<'_, Option<u64>> = read!(store, |db| fact::beyond(&db));
        found.await
    }
}

/// Compares everything that is served with its facts, a few sessions at a time.
pub(super) async fn served(store: &Postgres) -> Result<Served, StoreError> {
    let mut replay = Replay::upto(store.head().await?.number);
    let mut after = Some(0);
    while let Some(last) = after {
        let db = store.reader().await?;
        after = at_one_moment(&db, sessions(&db, &mut replay, last)).await.map_err(Fail::told)?;
    }
    let db = store.reader().await?;
    finish(&db, replay).await.map_err(Fail::told)
}

/// Reads rows and facts as they are at one moment, whatever others write meanwhile.
async fn at_one_moment<T>(db: &Db, reading: impl Future<Output = Result<T, Fail>>) -> Result<T, Fail> {
    db.batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let done = reading.await;
    let ended = db.batch_execute("COMMIT").await;
    let done = done?;
    ended?;
    Ok(done)
}

/// Has the next sessions made again. Returns the last of them; none where there are no more.
async fn sessions(db: &Db, replay: &mut Replay, after: i64) -> Result<Option<i64>, Fail> {
    let found = session::next_by_place(db, after, SESSIONS).await?;
    let last = found.last().map(|(n, ..)| *n);
    let ids: Vec<[u8; 16]> = found.iter().map(|(_, id, _)| id.0.to_be_bytes()).collect();
    let ids: Vec<&[u8]> = ids.iter().map(|id| &id[..]).collect();
    let sql = "SELECT session, id, owner, state, server, body FROM task WHERE session = ANY ($1::BYTEA[])";
    let mut tasks = Vec::new();
    for row in rows(db, sql, &[&ids]).await? {
        tasks.push((SessionId(id_of(row.try_get(0)?)?), task(&row)?));
    }
    let mut found = found.into_iter().peekable();
    // Those that come before the one of a fact have none.
    let mut begin = |replay: &mut Replay, upto: Option<i64>| {
        while let Some((_, id, row)) = found.next_if(|(n, ..)| upto.is_none_or(|upto| *n <= upto)) {
            let at = tasks.iter().position(|(session, _)| *session == id);
            let task = at.map(|at| tasks.swap_remove(at).1);
            let columns = row.map(|row| {
                let session::Counted { session, n_open, n_closed } = row;
                SessionColumns { session, n_open, n_closed: Some(n_closed), task }
            });
            replay.session(id, columns);
        }
    };
    let statement = db.prepare_cached(FACTS).await?;
    let mut stream = pin!(db.query_raw(&statement, [&ids]).await?);
    while let Some(row) = stream.try_next().await? {
        begin(replay, Some(row.try_get(7)?));
        let place: Option<&[u8]> = row.try_get(8)?;
        replay.fact(&fact::link(&row)?, place.map(id_of).transpose()?, ask(&row)?);
    }
    begin(replay, None);
    Ok(last)
}

/// The facts of sessions, ask by ask, and with the first of each the ask's row.
const FACTS: &str = "SELECT f.number, f.at, f.kind, f.salt,
        coalesce(f.payload, CASE WHEN f.salt IS NOT NULL THEN b.body END), f.digest, f.hash, s.n, f.ask,
        a.id, a.session, a.owner, a.round, a.depth, a.standing, a.state, a.deadline, a.idempotency_key, a.closed,
        a.ended_at, a.outcome, a.sheet, a.late, a.dropped, a.erased_at, a.people, b.body
    FROM fact f JOIN session s ON s.id = f.session LEFT JOIN ask a ON f.kind = 'asked' AND a.id = f.ask
    LEFT JOIN ask_body b ON f.kind = 'asked' AND b.ask = f.ask
    WHERE f.session = ANY ($1::BYTEA[]) ORDER BY s.n, f.ask NULLS FIRST, f.number";

fn task(row: &Row) -> Result<TaskColumns, Fail> {
    let server: Option<&[u8]> = row.try_get(4)?;
    Ok(TaskColumns {
        id: TaskId(id_of(row.try_get(1)?)?),
        owner: row.try_get(2)?,
        state: row.try_get(3)?,
        server: server.map(id_of).transpose()?.map(ServerId),
        body: row.try_get(5)?,
    })
}

fn ask(row: &Row) -> Result<Option<AskRow>, Fail> {
    let Some(id) = row.try_get::<_, Option<&[u8]>>(9)? else { return Ok(None) };
    Ok(Some(AskRow {
        id: AskId(id_of(id)?),
        session: Some(SessionId(id_of(row.try_get(10)?)?)),
        owner: row.try_get(11)?,
        round: row.try_get(12)?,
        depth: row.try_get(13)?,
        standing: i64::from(row.try_get::<_, i16>(14)?),
        state: row.try_get(15)?,
        deadline: row.try_get(16)?,
        idempotency_key: row.try_get(17)?,
        closed: row.try_get::<_, Option<i64>>(18)?.map(ClosedBy::Nth),
        ended_at: Some(row.try_get(19)?),
        outcome: row.try_get(20)?,
        sheet: row.try_get(21)?,
        late: row.try_get(22)?,
        dropped: row.try_get(23)?,
        erased_at: row.try_get(24)?,
        people: row.try_get(25)?,
        body: row.try_get::<_, Option<String>>(26)?.unwrap_or_default(),
    }))
}

/// What is there without a fact, and facts without a session.
async fn finish(db: &Db, mut replay: Replay) -> Result<Served, Fail> {
    let sql = "SELECT id FROM ask a WHERE NOT EXISTS
         (SELECT 1 FROM fact f WHERE f.ask = a.id AND f.kind = 'asked') ORDER BY n LIMIT $1";
    for row in rows(db, sql, &[&UNTOLD_MAX]).await? {
        replay.untold(Subject::Ask(AskId(id_of(row.try_get(0)?)?)), "ask");
    }
    let sql = "SELECT count(*) FROM fact WHERE number <= $1";
    let n_facts = the_row(db, sql, &[&signed(replay.last())]).await?.try_get(0)?;
    Ok(replay.end(counted(n_facts)))
}
