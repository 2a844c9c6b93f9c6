//! Facts in SQL: added at the head, read by number, walked to verify the chain.

use std::sync::Arc;

use askuser_core::fact::Fact;
use askuser_core::id::{SessionId, UserId};
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Client, Params, counted, run, signed, the_row};
use crate::chain::{self, Hash, Salt};
use crate::fail::Fail;
use crate::{Head, Numbered, People, StoreError, row as shape};

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

pub(super) const LOCK_HEAD: &str = "SELECT number, hash FROM head WHERE id = 1 FOR UPDATE";
pub(super) const SET_HEAD: &str = "UPDATE head SET number = $1, hash = $2 WHERE id = 1";
pub(super) const ADD: &str = "INSERT INTO fact (number, at, kind, session, ask, salt, digest, hash, payload)
    SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[], $4::BYTEA[], $5::BYTEA[], $6::BYTEA[],
        $7::BYTEA[], $8::BYTEA[], $9::TEXT[])";

/// Adds facts after this head and returns the new one, which is written after them.
pub(super) fn add<'a>(
    db: &'a Client,
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

async fn insert(db: &Client, facts: &[NewFact], links: Vec<(Head, Hash)>) -> Result<(), Fail> {
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
pub(super) async fn lock_head(db: &Client) -> Result<Head, Fail> {
    read_head(&the_row(db, LOCK_HEAD, &[]).await?)
}

pub(super) async fn set_head(db: &Client, head: &Head) -> Result<(), Fail> {
    run(db, SET_HEAD, &[&signed(head.number), &&head.hash[..]]).await.map(|_| ())
}

pub(super) fn read_head(row: &Row) -> Result<Head, Fail> {
    Ok(Head { number: counted(row.try_get(0)?), hash: hash_of(row.try_get(1)?)? })
}

fn hash_of(bytes: &[u8]) -> Result<Hash, StoreError> {
    bytes.try_into().map_err(|_| StoreError::Damaged("a hash has not 32 bytes".to_owned()))
}

/// Statements of every batch; prepared before it begins, so that they go out in their turn.
pub(super) const STATEMENTS: [&str; 3] = [LOCK_HEAD, ADD, SET_HEAD];
