//! Facts in SQL: added at the head, read by number, walked to verify the chain.

use std::sync::Arc;

use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Db, Params, counted, id_of, limit, row, rows, run, signed, the_row};
use crate::chain::{self, Hash, Link, Salt};
use crate::fail::Fail;
use crate::{Head, Numbered, People, StoreError, plan, row as shape};

/// A fact that has no number yet: it gets one when the head is locked.
#[derive(Debug)]
pub(super) struct NewFact {
    pub(super) at: Timestamp,
    pub(super) owner: UserId,
    pub(super) session: SessionId,
    pub(super) salt: Salt,
    pub(super) payload: String,
    pub(super) fact: Arc<Fact>,
    pub(super) people: Option<People>,
}

impl NewFact {
    /// The fact as it is told, under its number.
    pub(super) fn numbered(&self, number: u64) -> Numbered {
        Numbered {
            number,
            at: self.at,
            owner: self.owner.clone(),
            session: self.session,
            people: self.people.clone(),
            ask: self.fact.ask(),
            fact: Some(Arc::clone(&self.fact)),
        }
    }
}

const READ: &str = "SELECT f.number, f.at, f.kind, f.session, s.owner, f.ask, f.salt IS NULL,
    coalesce(f.payload, b.body), a.people
    FROM fact f JOIN session s ON s.id = f.session LEFT JOIN ask a ON a.id = f.ask
    LEFT JOIN ask_body b ON f.kind = 'asked' AND b.ask = f.ask";

pub(super) const LOCK_HEAD: &str = "SELECT number, hash FROM head WHERE id = 1 FOR UPDATE";
pub(super) const SET_HEAD: &str = "UPDATE head SET number = $1, hash = $2 WHERE id = 1";
pub(super) const ADD: &str = "INSERT INTO fact (number, at, kind, session, ask, salt, digest, hash, payload)
    SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::BYTEA[], $5::BYTEA[], $6::BYTEA[],
        $7::BYTEA[], $8::BYTEA[], $9::TEXT[])";

/// Adds facts after this head and returns the new one, which is written after them.
pub(super) fn add<'a>(
    db: &'a Db,
    head: &Head,
    facts: &'a [NewFact],
) -> (Head, impl Future<Output = Result<(), Fail>> + 'a) {
    let mut links: Vec<(Head, Hash)> = Vec::with_capacity(facts.len());
    let mut last = *head;
    for fact in facts {
        let digest = chain::digest(&fact.salt, fact.payload.as_bytes());
        last = chain::next(&last, fact.at, shape::kind(&fact.fact), &digest);
        links.push((last, digest));
    }
    (last, insert(db, facts, links))
}

async fn insert(db: &Db, facts: &[NewFact], links: Vec<(Head, Hash)>) -> Result<(), Fail> {
    let sessions: Vec<[u8; 16]> = facts.iter().map(|fact| fact.session.0.to_be_bytes()).collect();
    let asks: Vec<_> = facts.iter().map(|fact| fact.fact.ask().map(|ask| ask.0.to_be_bytes())).collect();
    // An ask's body is stored with it.
    let payload = |fact: &NewFact| !matches!(&*fact.fact, Fact::Asked(_));
    let payloads: Vec<Option<&str>> =
        facts.iter().map(|fact| payload(fact).then_some(fact.payload.as_str())).collect();
    let params: &Params<'_> = &[
        &links.iter().map(|(head, _)| signed(head.number)).collect::<Vec<_>>(),
        &facts.iter().map(|fact| fact.at.0).collect::<Vec<_>>(),
        &facts.iter().map(|fact| shape::kind(&fact.fact)).collect::<Vec<_>>(),
        &sessions.iter().map(|id| &id[..]).collect::<Vec<_>>(),
        &asks.iter().map(|id| id.as_ref().map(|id| &id[..])).collect::<Vec<_>>(),
        &facts.iter().map(|fact| &fact.salt[..]).collect::<Vec<_>>(),
        &links.iter().map(|(_, digest)| &digest[..]).collect::<Vec<_>>(),
        &links.iter().map(|(head, _)| &head.hash[..]).collect::<Vec<_>>(),
        &payloads,
    ];
    run(db, ADD, params).await.map(|_| ())
}

/// Locks the head until the transaction ends: nobody else gives numbers meanwhile.
pub(super) async fn lock_head(db: &Db) -> Result<Head, Fail> {
    read_head(&the_row(db, LOCK_HEAD, &[]).await?)
}

pub(super) async fn set_head(db: &Db, head: &Head) -> Result<(), Fail> {
    run(db, SET_HEAD, &[&signed(head.number), &&head.hash[..]]).await.map(|_| ())
}

pub(super) async fn head(db: &Db) -> Result<Head, Fail> {
    read_head(&the_row(db, "SELECT number, hash FROM head WHERE id = 1", &[]).await?)
}

pub(super) fn read_head(row: &Row) -> Result<Head, Fail> {
    Ok(Head { number: counted(row.try_get(0)?), hash: hash_of(row.try_get(1)?)? })
}

pub(super) async fn since(db: &Db, number: u64, most: usize) -> Result<Vec<Numbered>, Fail> {
    let sql = format!("{READ} WHERE f.number > $1 ORDER BY f.number LIMIT $2");
    rows(db, &sql, &[&signed(number), &limit(most)]).await?.iter().map(read).collect()
}

pub(super) async fn of_session(
    db: &Db,
    session: SessionId,
    after: u64,
    most: usize,
) -> Result<Vec<Numbered>, Fail> {
    let sql = format!("{READ} WHERE f.session = $1 AND f.number > $2 ORDER BY f.number LIMIT $3");
    let params: &Params<'_> = &[&&session.0.to_be_bytes()[..], &signed(after), &limit(most)];
    rows(db, &sql, params).await?.iter().map(read).collect()
}

/// The last facts of a session before a number, in order.
pub(super) async fn before_in_session(
    db: &Db,
    session: SessionId,
    before: Option<u64>,
    most: usize,
) -> Result<Vec<Numbered>, Fail> {
    let sql = format!("{READ} WHERE f.session = $1 AND f.number < $2 ORDER BY f.number DESC LIMIT $3");
    let before = signed(before.unwrap_or(u64::MAX));
    let found = rows(db, &sql, &[&&session.0.to_be_bytes()[..], &before, &limit(most)]).await?;
    found.iter().rev().map(read).collect()
}

/// Erases what facts about an ask tell of its answers.
pub(super) async fn erase_answers(db: &Db, ask: AskId) -> Result<u64, Fail> {
    let sql = "UPDATE fact SET salt = NULL, payload = NULL
         WHERE session = (SELECT session FROM ask WHERE id = $1) AND ask = $1
         AND kind IN ('submitted', 'heard', 'closed', 'answered_late') AND salt IS NOT NULL";
    run(db, sql, &[&&ask.0.to_be_bytes()[..]]).await
}

/// Erases what facts about an ask tell.
pub(super) async fn erase_all(db: &Db, ask: AskId) -> Result<u64, Fail> {
    let sql = "UPDATE fact SET salt = NULL, payload = NULL
         WHERE session = (SELECT session FROM ask WHERE id = $1) AND ask = $1 AND salt IS NOT NULL";
    run(db, sql, &[&&ask.0.to_be_bytes()[..]]).await
}

/// The payloads of the facts of these numbers, those that are there.
pub(super) async fn payloads(db: &Db, numbers: &[u64]) -> Result<Vec<(u64, String)>, Fail> {
    let sql = "SELECT number, payload FROM fact WHERE number = ANY ($1::BIGINT[]) AND payload IS NOT NULL
         ORDER BY number";
    let numbers: Vec<i64> = numbers.iter().map(|number| signed(*number)).collect();
    let read = |row: &Row| Ok((counted(row.try_get(0)?), row.try_get(1)?));
    rows(db, sql, &[&numbers]).await?.iter().map(read).collect()
}

/// The hash of the fact of this number.
pub(super) async fn hash(db: &Db, number: u64) -> Result<Option<Hash>, Fail> {
    let found = row(db, "SELECT hash FROM fact WHERE number = $1", &[&signed(number)]).await?;
    found.map(|row| Ok(hash_of(row.try_get(0)?)?)).transpose()
}

/// The next facts after this number, as the chain sees them.
pub(super) async fn links(db: &Db, after: u64, upto: u64, most: usize) -> Result<Vec<Link>, Fail> {
    let sql =
        "SELECT f.number, f.at, f.kind, f.salt, coalesce(f.payload, b.body), f.digest, f.hash, f.session, f.ask
         FROM fact f
         LEFT JOIN ask_body b ON f.kind = 'asked' AND f.salt IS NOT NULL AND b.ask = f.ask
         WHERE f.number > $1 AND f.number <= $2 ORDER BY f.number LIMIT $3";
    let read = |row: &Row| {
        let id = |column: usize| {
            let bytes: Option<&[u8]> = row.try_get(column)?;
            Ok::<_, Fail>(bytes.map(id_of).transpose()?)
        };
        let (session, ask) = (id(7)?.map(SessionId), id(8)?.map(AskId));
        let mut link = link(row)?;
        link.is_in_place = link.payload.as_ref().is_none_or(|(_, text)| shape::is_about(text, session, ask));
        Ok(link)
    };
    rows(db, sql, &[&signed(after), &signed(upto), &limit(most)]).await?.iter().map(read).collect()
}

/// Reads a fact as the chain sees it, from the first seven columns.
pub(super) fn link(row: &Row) -> Result<Link, Fail> {
    let salt: Option<Vec<u8>> = row.try_get(3)?;
    let payload: Option<String> = row.try_get(4)?;
    // One that went without the other was not erased but lost.
    let is_erased = salt.is_none() && payload.is_none();
    Ok(Link {
        number: counted(row.try_get(0)?),
        at: Timestamp(row.try_get(1)?),
        kind: row.try_get(2)?,
        payload: (!is_erased).then(|| (salt.unwrap_or_default(), payload.unwrap_or_default())),
        is_in_place: true,
        digest: row.try_get(5)?,
        hash: row.try_get(6)?,
    })
}

/// A fact that stands after the head.
pub(super) async fn beyond(db: &Db) -> Result<Option<u64>, Fail> {
    let sql = "SELECT min(number) FROM fact WHERE number > (SELECT number FROM head WHERE id = 1)";
    Ok(the_row(db, sql, &[]).await?.try_get::<_, Option<i64>>(0)?.map(counted))
}

fn read(row: &Row) -> Result<Numbered, Fail> {
    let number = counted(row.try_get(0)?);
    let session = SessionId(id_of(row.try_get(3)?)?);
    let ask: Option<&[u8]> = row.try_get(5)?;
    let place = || format!("fact {number}");
    let fact = if row.try_get(6)? {
        None
    } else {
        let payload: Option<&str> = row.try_get(7)?;
        let (told, fact) = shape::read_fact(row.try_get(2)?, payload.unwrap_or_default())
            .map_err(|wrong| wrong.at(place()))?;
        if told != session {
            return Err(StoreError::Damaged(format!("{}: is of {told}, not of {session}", place())).into());
        }
        Some(Arc::new(fact))
    };
    Ok(Numbered {
        number,
        at: Timestamp(row.try_get(1)?),
        owner: UserId::new(row.try_get::<_, &str>(4)?),
        session,
        people: plan::read_people(row.try_get(8)?),
        ask: ask.map(id_of).transpose()?.map(AskId),
        fact,
    })
}

fn hash_of(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Damaged("a hash has not 32 bytes".to_owned()))
}

/// Statements of every batch; prepared before it begins, so that they go out in their turn.
pub(super) const STATEMENTS: [&str; 3] = [LOCK_HEAD, ADD, SET_HEAD];
