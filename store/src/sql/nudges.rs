//! Nudges and answer links.

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;

use crate::db::{Database, Db, Row, cells};
use crate::fail::Fail;
use crate::nudges::{AnswerLink, EndedNudge, NudgeKey, NudgeRow, NudgeState, NudgeStore, links_kept_since};
use crate::{Later, SecretHash, StoreError};

impl<D: Database> NudgeStore for D {
    fn claim_nudge(&self, key: NudgeKey, state: NudgeState, now: Timestamp) -> Later<'_, bool> {
        self.change((key, state, now), |db, (key, state, now)| {
            Box::pin(async move {
                let NudgeKey { ask, person, step, channel } = key;
                let sql = "INSERT INTO nudge (ask, person, step, channel, at, state)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
                Ok(db.run(sql, cells![*ask, person, *step, channel, *now, state.name()]).await? == 1)
            })
        })
    }

    fn move_nudge(&self, key: NudgeKey, from: NudgeState, to: NudgeState) -> Later<'_, bool> {
        self.change((key, from, to), |db, (key, from, to)| {
            Box::pin(async move {
                let NudgeKey { ask, person, step, channel } = key;
                let sql = "UPDATE nudge SET state = ?6
                     WHERE ask = ?1 AND person = ?2 AND step = ?3 AND channel = ?4 AND state = ?5";
                Ok(db.run(sql, cells![*ask, person, *step, channel, from.name(), to.name()]).await? == 1)
            })
        })
    }

    fn sent_nudge(&self, key: NudgeKey, receipt: String) -> Later<'_, bool> {
        self.change((key, receipt), |db, (key, receipt)| {
            Box::pin(async move {
                let NudgeKey { ask, person, step, channel } = key;
                let sql = "UPDATE nudge SET state = 'sent', receipt = ?5
                     WHERE ask = ?1 AND person = ?2 AND step = ?3 AND channel = ?4";
                Ok(db.run(sql, cells![*ask, person, *step, channel, receipt]).await? == 1)
            })
        })
    }

    fn end_nudges(&self, ask: AskId) -> Later<'_, Vec<EndedNudge>> {
        self.change(ask, |db, ask| Box::pin(end(db, *ask, None, None)))
    }

    fn end_nudges_of(
        &self,
        ask: AskId,
        person: UserId,
        channel: Option<String>,
    ) -> Later<'_, Vec<EndedNudge>> {
        self.change((ask, person, channel), |db, (ask, person, channel)| {
            Box::pin(end(db, *ask, Some(person), channel.as_deref()))
        })
    }

    fn nudges(&self) -> Later<'_, Vec<NudgeRow>> {
        self.read((), |db, ()| {
            Box::pin(async move {
                let sql = "SELECT ask, person, step, channel, state, receipt FROM nudge
                     ORDER BY at, ask, person, step, channel";
                db.rows(sql, &[], read).await
            })
        })
    }

    fn add_answer_link(&self, hash: SecretHash, link: AnswerLink, now: Timestamp) -> Later<'_, bool> {
        self.change((hash, link, now), |db, (hash, link, now)| Box::pin(add_link(db, hash, link, *now)))
    }

    fn answer_link(&self, hash: SecretHash) -> Later<'_, Option<AnswerLink>> {
        self.read(hash, |db, hash| {
            Box::pin(async move {
                let sql = "SELECT l.ask, l.person, l.channel, l.expires_at, l.used_at FROM answer_link l
                     JOIN person p ON p.name = l.person WHERE l.hash = ?1 AND p.disabled_at IS NULL";
                let read = |row: &Row<'_>| {
                    Ok(AnswerLink {
                        ask: row.get(0)?,
                        person: row.get(1)?,
                        channel: row.get(2)?,
                        expires_at: row.get(3)?,
                        used_at: row.get(4)?,
                    })
                };
                db.one(sql, cells![hash], read).await
            })
        })
    }

    fn use_answer_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, bool> {
        self.change((hash, now), |db, (hash, now)| {
            Box::pin(async move {
                let sql = "UPDATE answer_link SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL";
                Ok(db.run(sql, cells![hash, *now]).await? == 1)
            })
        })
    }
}

/// Takes nudges away and returns those that were sent: of many callers one gets each.
async fn end(
    db: Db<'_>,
    ask: AskId,
    person: Option<&UserId>,
    channel: Option<&str>,
) -> Result<Vec<EndedNudge>, Fail> {
    let sql = "DELETE FROM nudge WHERE ask = ?1 AND (CAST(?2 AS TEXT) IS NULL OR person = ?2)
         AND (CAST(?3 AS TEXT) IS NULL OR channel = ?3)
         RETURNING ask, person, step, channel, state, receipt";
    let mut gone = db.rows(sql, cells![ask, person, channel], read).await?;
    gone.sort_by(|a, b| {
        let order = |row: &NudgeRow| (row.key.person.clone(), row.key.step, row.key.channel.clone());
        order(a).cmp(&order(b))
    });
    let mut ended = Vec::new();
    for NudgeRow { key, receipt, .. } in gone {
        let Some(receipt) = receipt else { continue };
        let sql = "SELECT count(*) FROM nudge
             WHERE person = ?1 AND channel = ?2 AND receipt = ?3 AND receipt IS NOT NULL AND ask <> ?4";
        let n_left = db.value(sql, cells![&key.person, &key.channel, &receipt, ask]).await?;
        ended.push(EndedNudge { key, receipt, n_left });
    }
    Ok(ended)
}

fn read(row: &Row<'_>) -> Result<NudgeRow, Fail> {
    let key = NudgeKey { ask: row.get(0)?, person: row.get(1)?, step: row.get(2)?, channel: row.get(3)? };
    let state = NudgeState::of(row.get(4)?);
    let state = state.ok_or_else(|| StoreError::Damaged("a nudge: its state has no such word".to_owned()))?;
    Ok(NudgeRow { key, state, receipt: row.get(5)? })
}

/// Adds a link, and sweeps out those that have been over for long.
async fn add_link(db: Db<'_>, hash: &SecretHash, link: &AnswerLink, now: Timestamp) -> Result<bool, Fail> {
    db.run("DELETE FROM answer_link WHERE expires_at <= ?1", cells![links_kept_since(now)]).await?;
    let sql = "INSERT INTO answer_link (hash, ask, person, channel, expires_at, used_at)
        SELECT ?1, ?2, name, ?4, ?5, ?6 FROM person WHERE name = ?3 AND disabled_at IS NULL";
    let AnswerLink { ask, person, channel, expires_at, used_at } = link;
    Ok(db.run(sql, cells![hash, *ask, person, channel, *expires_at, *used_at]).await? == 1)
}
