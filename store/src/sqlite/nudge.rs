//! Nudges and answer links in SQL.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::ask::id_of;
use super::error::Fail;
use super::work::{Change, Done, Work};
use super::{Sqlite, mixed_up};
use crate::nudges::{AnswerLink, EndedNudge, NudgeKey, NudgeRow, NudgeState, NudgeStore, links_kept_since};
use crate::{Later, SecretHash, StoreError};

/// What the writer is given to do.
pub(super) enum NudgeChange {
    Claim(NudgeKey, NudgeState, Timestamp),
    Move(NudgeKey, NudgeState, NudgeState),
    Sent(NudgeKey, String),
    End(AskId, Option<UserId>, Option<String>),
    AddLink(SecretHash, AnswerLink, Timestamp),
    UseLink(SecretHash, Timestamp),
}

impl Sqlite {
    fn change_nudge(&self, change: NudgeChange) -> Later<'_, bool> {
        self.change(Change::Nudge(change))
    }

    fn end(&self, ask: AskId, person: Option<UserId>, channel: Option<String>) -> Later<'_, Vec<EndedNudge>> {
        Box::pin(async move {
            match self.work(Work::Change(Change::Nudge(NudgeChange::End(ask, person, channel)))).await? {
                Done::Ended(ended) => Ok(ended),
                _ => Err(mixed_up()),
            }
        })
    }
}

impl NudgeStore for Sqlite {
    fn claim_nudge(&self, key: NudgeKey, state: NudgeState, now: Timestamp) -> Later<'_, bool> {
        self.change_nudge(NudgeChange::Claim(key, state, now))
    }

    fn move_nudge(&self, key: NudgeKey, from: NudgeState, to: NudgeState) -> Later<'_, bool> {
        self.change_nudge(NudgeChange::Move(key, from, to))
    }

    fn sent_nudge(&self, key: NudgeKey, receipt: String) -> Later<'_, bool> {
        self.change_nudge(NudgeChange::Sent(key, receipt))
    }

    fn end_nudges(&self, ask: AskId) -> Later<'_, Vec<EndedNudge>> {
        self.end(ask, None, None)
    }

    fn end_nudges_of(
        &self,
        ask: AskId,
        person: UserId,
        channel: Option<String>,
    ) -> Later<'_, Vec<EndedNudge>> {
        self.end(ask, Some(person), channel)
    }

    fn nudges(&self) -> Later<'_, Vec<NudgeRow>> {
        self.read(all)
    }

    fn add_answer_link(&self, hash: SecretHash, link: AnswerLink, now: Timestamp) -> Later<'_, bool> {
        self.change_nudge(NudgeChange::AddLink(hash, link, now))
    }

    fn answer_link(&self, hash: SecretHash) -> Later<'_, Option<AnswerLink>> {
        self.read(move |db| link(db, &hash))
    }

    fn use_answer_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, bool> {
        self.change_nudge(NudgeChange::UseLink(hash, now))
    }
}

/// Does a piece of the writer's work.
pub(super) fn change(db: &Connection, change: &NudgeChange) -> Result<Done, Fail> {
    Ok(Done::Changed(match change {
        NudgeChange::Claim(key, state, now) => claim(db, key, *state, *now)?,
        NudgeChange::Move(key, from, to) => {
            let sql = "UPDATE nudge SET state = ?6
                WHERE ask = ?1 AND person = ?2 AND step = ?3 AND channel = ?4 AND state = ?5";
            let ask = key.ask.0.to_be_bytes();
            let place = params![ask, key.person.as_str(), key.step, key.channel, from.name(), to.name()];
            db.prepare_cached(sql)?.execute(place)? == 1
        }
        NudgeChange::Sent(key, receipt) => {
            let sql = "UPDATE nudge SET state = 'sent', receipt = ?5
                WHERE ask = ?1 AND person = ?2 AND step = ?3 AND channel = ?4";
            let ask = key.ask.0.to_be_bytes();
            db.prepare_cached(sql)?.execute(params![
                ask,
                key.person.as_str(),
                key.step,
                key.channel,
                receipt
            ])? == 1
        }
        NudgeChange::End(ask, person, channel) => {
            return Ok(Done::Ended(end(db, *ask, person.as_ref(), channel.as_deref())?));
        }
        NudgeChange::AddLink(hash, link, now) => add_link(db, hash, link, *now)?,
        NudgeChange::UseLink(hash, now) => {
            let sql = "UPDATE answer_link SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL";
            db.prepare_cached(sql)?.execute(params![hash, now.0])? == 1
        }
    }))
}

fn claim(db: &Connection, key: &NudgeKey, state: NudgeState, now: Timestamp) -> Result<bool, Fail> {
    let sql =
        "INSERT OR IGNORE INTO nudge (ask, person, step, channel, at, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let ask = key.ask.0.to_be_bytes();
    let row = params![ask, key.person.as_str(), key.step, key.channel, now.0, state.name()];
    Ok(db.prepare_cached(sql)?.execute(row)? == 1)
}

fn end(
    db: &Connection,
    ask: AskId,
    person: Option<&UserId>,
    channel: Option<&str>,
) -> Result<Vec<EndedNudge>, Fail> {
    let (ask, person) = (ask.0.to_be_bytes(), person.map(UserId::as_str));
    let whose = params![ask, person, channel];
    let sql = "SELECT e.ask, e.person, e.step, e.channel, e.state, e.receipt,
            (SELECT count(*) FROM nudge o WHERE o.person = e.person AND o.channel = e.channel
             AND o.receipt = e.receipt AND o.ask <> e.ask)
        FROM nudge e WHERE e.ask = ?1 AND (?2 IS NULL OR e.person = ?2) AND (?3 IS NULL OR e.channel = ?3)
        ORDER BY e.n";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(whose)?;
    let mut ended = Vec::new();
    while let Some(row) = rows.next()? {
        let NudgeRow { key, receipt, .. } = read(row)?;
        if let Some(receipt) = receipt {
            ended.push(EndedNudge { key, receipt, n_left: row.get(6)? });
        }
    }
    let sql =
        "DELETE FROM nudge WHERE ask = ?1 AND (?2 IS NULL OR person = ?2) AND (?3 IS NULL OR channel = ?3)";
    db.prepare_cached(sql)?.execute(whose)?;
    Ok(ended)
}

fn all(db: &Connection) -> Result<Vec<NudgeRow>, Fail> {
    let sql = "SELECT ask, person, step, channel, state, receipt FROM nudge ORDER BY n";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<NudgeRow, Fail> {
    let key = NudgeKey {
        ask: AskId(id_of(&row.get::<_, Vec<u8>>(0)?)?),
        person: UserId::new(row.get::<_, String>(1)?),
        step: row.get(2)?,
        channel: row.get(3)?,
    };
    let state = NudgeState::of(&row.get::<_, String>(4)?);
    let state = state.ok_or_else(|| StoreError::Damaged("a nudge: its state has no such word".to_owned()))?;
    Ok(NudgeRow { key, state, receipt: row.get(5)? })
}

/// Adds a link, and sweeps out those that have been over for long.
fn add_link(db: &Connection, hash: &SecretHash, link: &AnswerLink, now: Timestamp) -> Result<bool, Fail> {
    db.prepare_cached("DELETE FROM answer_link WHERE expires_at <= ?1")?
        .execute([links_kept_since(now).0])?;
    let sql = "INSERT INTO answer_link (hash, ask, user, channel, expires_at, used_at)
        SELECT ?1, ?2, n, ?4, ?5, ?6 FROM user WHERE name = ?3 AND disabled_at IS NULL";
    let ask = link.ask.0.to_be_bytes();
    let (expires_at, used_at) = (link.expires_at.0, link.used_at.map(|at| at.0));
    let row = params![hash, ask, link.person.as_str(), link.channel, expires_at, used_at];
    Ok(db.prepare_cached(sql)?.execute(row)? == 1)
}

fn link(db: &Connection, hash: &SecretHash) -> Result<Option<AnswerLink>, Fail> {
    let sql = "SELECT l.ask, u.name, l.channel, l.expires_at, l.used_at FROM answer_link l
        JOIN user u ON u.n = l.user WHERE l.hash = ?1 AND u.disabled_at IS NULL";
    let mut statement = db.prepare_cached(sql)?;
    let found = statement
        .query_row([hash], |row| {
            Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })
        .optional()?;
    let Some((ask, person, channel, expires_at, used_at)) = found else { return Ok(None) };
    Ok(Some(AnswerLink {
        ask: AskId(id_of(&ask)?),
        person: UserId::new(person),
        channel,
        expires_at: Timestamp(expires_at),
        used_at: Option::<i64>::map(used_at, Timestamp),
    }))
}
