//! Nudges and answer links in SQL: each change is one statement, so of many callers one has it.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::as_store::{READS_MAX, change, read};
use super::db::{Db, clean, counted, id_of, row, rows, run, small};
use super::error::{Fail, Kind};
use crate::nudges::{AnswerLink, EndedNudge, NudgeKey, NudgeRow, NudgeState, NudgeStore, links_kept_since};
use crate::{Later, SecretHash, StoreError};

impl NudgeStore for Postgres {
    fn claim_nudge(&self, key: NudgeKey, state: NudgeState, now: Timestamp) -> Later<'_, bool> {
        change!(self, |db| claim(&db, &key, state, now))
    }

    fn move_nudge(&self, key: NudgeKey, from: NudgeState, to: NudgeState) -> Later<'_, bool> {
        change!(self, |db| moved(&db, &key, from, to))
    }

    fn sent_nudge(&self, key: NudgeKey, receipt: String) -> Later<'_, bool> {
        change!(self, |db| sent(&db, &key, &receipt))
    }

    fn end_nudges(&self, ask: AskId) -> Later<'_, Vec<EndedNudge>> {
        change!(self, |db| end(&db, ask, None, None))
    }

    fn end_nudges_of(
        &self,
        ask: AskId,
        person: UserId,
        channel: Option<String>,
    ) -> Later<'_, Vec<EndedNudge>> {
        change!(self, |db| end(&db, ask, Some(&person), channel.as_deref()))
    }

    fn nudges(&self) -> Later<'_, Vec<NudgeRow>> {
        read!(self, |db| all(&db))
    }

    fn add_answer_link(&self, hash: SecretHash, link: AnswerLink, now: Timestamp) -> Later<'_, bool> {
        change!(self, |db| add_link(&db, &hash, &link, now))
    }

    fn answer_link(&self, hash: SecretHash) -> Later<'_, Option<AnswerLink>> {
        read!(self, |db| found_link(&db, &hash))
    }

    fn use_answer_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, bool> {
        change!(self, |db| use_link(&db, &hash, now))
    }
}

async fn claim(db: &Db, key: &NudgeKey, state: NudgeState, now: Timestamp) -> Result<bool, Fail> {
    let sql = "INSERT INTO nudge (ask, person, step, channel, at, state) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING";
    let (ask, step) = (key.ask.0.to_be_bytes(), i64::from(key.step));
    let params: [&(dyn ToSql + Sync); 6] =
        [&&ask[..], &key.person.as_str(), &step, &key.channel, &now.0, &state.name()];
    Ok(run(db, sql, &params).await? == 1)
}

async fn moved(db: &Db, key: &NudgeKey, from: NudgeState, to: NudgeState) -> Result<bool, Fail> {
    let sql = "UPDATE nudge SET state = $6
        WHERE ask = $1 AND person = $2 AND step = $3 AND channel = $4 AND state = $5";
    let (ask, step) = (key.ask.0.to_be_bytes(), i64::from(key.step));
    let params: [&(dyn ToSql + Sync); 6] =
        [&&ask[..], &key.person.as_str(), &step, &key.channel, &from.name(), &to.name()];
    Ok(run(db, sql, &params).await? == 1)
}

async fn sent(db: &Db, key: &NudgeKey, receipt: &str) -> Result<bool, Fail> {
    let sql = "UPDATE nudge SET state = 'sent', receipt = $5
        WHERE ask = $1 AND person = $2 AND step = $3 AND channel = $4";
    let (ask, step, receipt) = (key.ask.0.to_be_bytes(), i64::from(key.step), clean(receipt));
    Ok(run(db, sql, &[&&ask[..], &key.person.as_str(), &step, &key.channel, &&*receipt]).await? == 1)
}

async fn end(
    db: &Db,
    ask: AskId,
    person: Option<&UserId>,
    channel: Option<&str>,
) -> Result<Vec<EndedNudge>, Fail> {
    let sql = "WITH gone AS (DELETE FROM nudge
            WHERE ask = $1 AND ($2::TEXT IS NULL OR person = $2) AND ($3::TEXT IS NULL OR channel = $3)
            RETURNING ask, person, step, channel, state, receipt)
        SELECT g.ask, g.person, g.step, g.channel, g.state, g.receipt,
            (SELECT count(*) FROM nudge o WHERE o.person = g.person AND o.channel = g.channel
             AND o.receipt = g.receipt AND o.ask <> $1)
        FROM gone g WHERE g.receipt IS NOT NULL ORDER BY g.person, g.step, g.channel";
    let found = rows(db, sql, &[&&ask.0.to_be_bytes()[..], &person.map(UserId::as_str), &channel]).await?;
    let ended = |row: &Row| {
        let NudgeRow { key, receipt, .. } = read_row(row)?;
        Ok(EndedNudge { key, receipt: receipt.unwrap_or_default(), n_left: counted(row.try_get(6)?) })
    };
    found.iter().map(ended).collect()
}

async fn all(db: &Db) -> Result<Vec<NudgeRow>, Fail> {
    let sql = "SELECT ask, person, step, channel, state, receipt FROM nudge ORDER BY at, ask, person, step";
    rows(db, sql, &[]).await?.iter().map(read_row).collect()
}

fn read_row(row: &Row) -> Result<NudgeRow, Fail> {
    let key = NudgeKey {
        ask: AskId(id_of(row.try_get(0)?)?),
        person: UserId::new(row.try_get::<_, &str>(1)?),
        step: small(row.try_get(2)?)?,
        channel: row.try_get(3)?,
    };
    let state = NudgeState::of(row.try_get(4)?);
    let state = state.ok_or_else(|| StoreError::Damaged("a nudge: its state has no such word".to_owned()))?;
    Ok(NudgeRow { key, state, receipt: row.try_get(5)? })
}

/// Adds a link, and sweeps out those that have been over for long.
async fn add_link(db: &Db, hash: &SecretHash, link: &AnswerLink, now: Timestamp) -> Result<bool, Fail> {
    run(db, "DELETE FROM answer_link WHERE expires_at <= $1", &[&links_kept_since(now).0]).await?;
    let sql = "INSERT INTO answer_link (hash, ask, person, channel, expires_at, used_at)
        SELECT $1, $2, name, $4, $5, $6 FROM person WHERE name = $3 AND disabled_at IS NULL";
    let (ask, used_at) = (link.ask.0.to_be_bytes(), link.used_at.map(|at| at.0));
    let person = link.person.as_str();
    let added =
        run(db, sql, &[&&hash[..], &&ask[..], &person, &link.channel, &link.expires_at.0, &used_at]).await?;
    Ok(added == 1)
}

async fn found_link(db: &Db, hash: &SecretHash) -> Result<Option<AnswerLink>, Fail> {
    let sql = "SELECT l.ask, l.person, l.channel, l.expires_at, l.used_at FROM answer_link l
        JOIN person p ON p.name = l.person WHERE l.hash = $1 AND p.disabled_at IS NULL";
    let Some(row) = row(db, sql, &[&&hash[..]]).await? else { return Ok(None) };
    Ok(Some(AnswerLink {
        ask: AskId(id_of(row.try_get(0)?)?),
        person: UserId::new(row.try_get::<_, &str>(1)?),
        channel: row.try_get(2)?,
        expires_at: Timestamp(row.try_get(3)?),
        used_at: row.try_get::<_, Option<i64>>(4)?.map(Timestamp),
    }))
}

async fn use_link(db: &Db, hash: &SecretHash, now: Timestamp) -> Result<bool, Fail> {
    let sql = "UPDATE answer_link SET used_at = $2 WHERE hash = $1 AND used_at IS NULL";
    Ok(run(db, sql, &[&&hash[..], &now.0]).await? == 1)
}
