//! Has everything that is served made again from its facts, a few sessions at a time.

use askuser_core::id::SessionId;

use super::{facts, sessions};
use crate::db::{Cell, Database, Db, Row, cells, places};
use crate::fail::Fail;
use crate::replay::{AskRow, Replay, SessionColumns, TaskColumns};
use crate::{Served, StoreError, Subject};

/// Sessions that are made again in one reading.
const SESSIONS: usize = 200;
/// What no fact tells of is named so many times at most.
const UNTOLD_MAX: usize = 100;

/// Compares everything that is served with its facts.
pub(crate) async fn served(database: &impl Database) -> Result<Served, StoreError> {
    let mut replay = Replay::upto(database.read((), |db, ()| Box::pin(facts::head(db))).await?.number);
    let mut after = Some(0);
    while let Some(last) = after {
        // A reading that is done over begins with what was known before it.
        let some = database.read((replay, last), |db, (replay, last)| {
            Box::pin(async move {
                let mut replay = replay.clone();
                let next = db.at_one_moment(sessions_after(db, &mut replay, *last)).await?;
                Ok((replay, next))
            })
        });
        (replay, after) = some.await?;
    }
    database.read(replay, |db, replay| Box::pin(finish(db, replay.clone()))).await
}

/// The same where one stands.
pub(crate) async fn served_here(db: Db<'_>) -> Result<Served, Fail> {
    let mut replay = Replay::upto(facts::head(db).await?.number);
    let mut after = Some(0);
    while let Some(last) = after {
        after = db.at_one_moment(sessions_after(db, &mut replay, last)).await?;
    }
    finish(db, replay).await
}

/// Has the next sessions made again, rows and facts as they are at one moment. Returns the last of them; none
/// where there are no more.
async fn sessions_after(db: Db<'_>, replay: &mut Replay, after: i64) -> Result<Option<i64>, Fail> {
    let sql =
        format!("SELECT {}, n_open, n FROM session WHERE n > ?1 ORDER BY n LIMIT ?2", sessions::COLUMNS);
    let read = |row: &Row<'_>| {
        // What cannot be read is not what happened.
        let session = match sessions::read(row) {
            Ok(found) => Some((found, row.get::<i64>(19)?)),
            Err(Fail::Told(StoreError::Damaged(_))) => None,
            Err(fail) => return Err(fail),
        };
        Ok((row.get::<i64>(20)?, row.get::<SessionId>(0)?, session))
    };
    let found = db.rows(&sql, cells![after, SESSIONS], read).await?;
    let Some((last, ..)) = found.last() else { return Ok(None) };
    let last = *last;
    let mut ids: Vec<Cell<'_>> = found.iter().map(|(_, id, _)| (*id).into()).collect();
    let among = places(1, &mut ids);
    let sql = format!("SELECT session, id, owner, state, server, body FROM task WHERE session IN ({among})");
    let mut tasks = db.rows(&sql, &ids, |row| Ok((row.get::<SessionId>(0)?, task(row)?))).await?;
    let mut found = found.into_iter().peekable();
    // Those that come before the one of a fact have none.
    let mut begin = |replay: &mut Replay, upto: i64| {
        while let Some((_, id, row)) = found.next_if(|(n, ..)| *n <= upto) {
            let at = tasks.iter().position(|(session, _)| *session == id);
            let task = at.map(|at| tasks.swap_remove(at).1);
            let columns = row.map(|(found, n_open)| {
                let sessions::Found { session, n_closed, .. } = found;
                SessionColumns { session, n_open, n_closed, task }
            });
            replay.session(id, columns);
        }
    };
    // The facts, ask by ask, and with the first of each the ask's row.
    let sql = format!(
        "{} SELECT f.number, f.at, f.kind, f.salt,
            coalesce(f.payload, CASE WHEN f.salt IS NOT NULL THEN b.body END), f.digest, f.hash, s.n, f.ask,
            a.id, a.session, a.owner, a.round, a.depth, a.standing, a.state, a.deadline, a.idempotency_key, a.closed,
            a.ended_at, a.outcome, a.sheet, a.late, a.dropped, a.erased_at, a.people, b.body
         FROM {} LEFT JOIN ask a ON f.kind = 'asked' AND a.id = f.ask
         LEFT JOIN ask_body b ON f.kind = 'asked' AND b.ask = f.ask
         WHERE s.id IN ({among}) ORDER BY s.n, f.ask NULLS FIRST, f.number",
        db.threads(&among),
        db.facts_of_sessions()
    );
    let take = |row: &Row<'_>| {
        begin(replay, row.get(7)?);
        replay.fact(&facts::link(row)?, row.get(8)?, ask(row)?);
        Ok(())
    };
    db.each(&sql, &ids, take).await?;
    begin(replay, i64::MAX);
    Ok(Some(last))
}

fn task(row: &Row<'_>) -> Result<TaskColumns, Fail> {
    Ok(TaskColumns {
        id: row.get(1)?,
        owner: row.get(2)?,
        state: row.get(3)?,
        server: row.get(4)?,
        body: row.get(5)?,
    })
}

fn ask(row: &Row<'_>) -> Result<Option<AskRow>, Fail> {
    let Some(id) = row.get(9)? else { return Ok(None) };
    Ok(Some(AskRow {
        id,
        session: row.get(10)?,
        owner: row.get(11)?,
        round: row.get(12)?,
        depth: row.get(13)?,
        standing: row.get(14)?,
        state: row.get(15)?,
        deadline: row.get(16)?,
        idempotency_key: row.get(17)?,
        closed: row.get(18)?,
        ended_at: row.get(19)?,
        outcome: row.get(20)?,
        sheet: row.get(21)?,
        late: row.get(22)?,
        dropped: row.get(23)?,
        erased_at: row.get(24)?,
        people: row.get(25)?,
        body: row.get::<Option<String>>(26)?.unwrap_or_default(),
    }))
}

/// What is there without a fact, and facts without a session.
async fn finish(db: Db<'_>, mut replay: Replay) -> Result<Served, Fail> {
    let sql = "SELECT a.id FROM ask a LEFT JOIN fact f ON f.ask = a.id AND f.kind = 'asked'
         WHERE f.number IS NULL ORDER BY a.n LIMIT ?1";
    for id in db.rows(sql, cells![UNTOLD_MAX], |row| row.get(0)).await? {
        replay.untold(Subject::Ask(id), "ask");
    }
    let n_facts = db.value("SELECT count(*) FROM fact WHERE number <= ?1", cells![replay.last()]).await?;
    Ok(replay.end(n_facts))
}
