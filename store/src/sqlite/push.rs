//! Browsers that asked to be told, and the desk's key for them, in SQL.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, Row, params};

use super::error::Fail;
use super::work::{Change, Done, Work};
use super::{Sqlite, mixed_up};
use crate::pushes::{Browser, PushStore};
use crate::{Later, SecretHash};

/// What the writer is given to do.
pub(super) enum PushChange {
    Key(Vec<u8>, Timestamp),
    Add(SecretHash, Browser, usize),
    Remove(SecretHash, UserId),
}

impl PushStore for Sqlite {
    fn push_key(&self, made: Vec<u8>, now: Timestamp) -> Later<'_, Vec<u8>> {
        Box::pin(async move {
            match self.work(Work::Change(Change::Push(PushChange::Key(made, now)))).await? {
                Done::Kept(key) => Ok(key),
                _ => Err(mixed_up()),
            }
        })
    }

    fn add_browser(&self, hash: SecretHash, browser: Browser, n_max: usize) -> Later<'_, bool> {
        self.change(Change::Push(PushChange::Add(hash, browser, n_max)))
    }

    fn remove_browser(&self, hash: SecretHash, person: UserId) -> Later<'_, bool> {
        self.change(Change::Push(PushChange::Remove(hash, person)))
    }

    fn browsers(&self, person: Option<UserId>) -> Later<'_, Vec<Browser>> {
        self.read(move |db| browsers(db, person.as_ref()))
    }
}

/// Does a piece of the writer's work.
pub(super) fn change(db: &Connection, change: &PushChange) -> Result<Done, Fail> {
    Ok(Done::Changed(match change {
        PushChange::Key(made, now) => {
            let sql = "INSERT OR IGNORE INTO push_key (n, pkcs8, created_at) VALUES (1, ?1, ?2)";
            db.prepare_cached(sql)?.execute(params![made, now.0])?;
            let kept = db.query_row("SELECT pkcs8 FROM push_key", [], |row| row.get(0))?;
            return Ok(Done::Kept(kept));
        }
        PushChange::Add(hash, browser, n_max) => add(db, hash, browser, *n_max)?,
        PushChange::Remove(hash, person) => {
            let sql = "DELETE FROM browser WHERE hash = ?1 AND user = (SELECT n FROM user WHERE name = ?2)";
            db.prepare_cached(sql)?.execute(params![hash, person.as_str()])? == 1
        }
    }))
}

fn add(db: &Connection, hash: &SecretHash, browser: &Browser, n_max: usize) -> Result<bool, Fail> {
    let sql = "INSERT OR REPLACE INTO browser (hash, user, endpoint, key, auth, language, at)
        SELECT ?1, n, ?3, ?4, ?5, ?6, ?7 FROM user WHERE name = ?2 AND disabled_at IS NULL";
    let Browser { person, endpoint, key, auth, language, at } = browser;
    let row = params![hash, person.as_str(), endpoint, key, auth, language, at.0];
    let added = db.prepare_cached(sql)?.execute(row)? == 1;
    let sql = "DELETE FROM browser WHERE n IN (SELECT b.n FROM browser b JOIN user u ON u.n = b.user
        WHERE u.name = ?1 ORDER BY b.n DESC LIMIT -1 OFFSET ?2)";
    db.prepare_cached(sql)?.execute(params![person.as_str(), n_max])?;
    Ok(added)
}

fn browsers(db: &Connection, person: Option<&UserId>) -> Result<Vec<Browser>, Fail> {
    let sql = "SELECT u.name, b.endpoint, b.key, b.auth, b.language, b.at FROM browser b
        JOIN user u ON u.n = b.user
        WHERE u.disabled_at IS NULL AND (?1 IS NULL OR u.name = ?1) ORDER BY b.n";
    let mut statement = db.prepare_cached(sql)?;
    let found = statement.query_map(params![person.map(UserId::as_str)], read)?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Browser> {
    Ok(Browser {
        person: UserId::new(row.get::<_, String>(0)?),
        endpoint: row.get(1)?,
        key: row.get(2)?,
        auth: row.get(3)?,
        language: row.get(4)?,
        at: Timestamp(row.get(5)?),
    })
}
