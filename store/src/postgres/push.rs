//! Browsers that asked to be told, and the desk's key for them, in SQL.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use deadpool_postgres::Object;
use tokio_postgres::Row;

use super::Postgres;
use super::as_store::{READS_MAX, change, read};
use super::db::{Db, clean, limit, rows, run, the_row};
use super::error::{Fail, Kind};
use crate::pushes::{Browser, PushStore};
use crate::{Later, SecretHash, StoreError};

impl PushStore for Postgres {
    fn push_key(&self, made: Vec<u8>, now: Timestamp) -> Later<'_, Vec<u8>> {
        change!(self, |db| key(&db, &made, now))
    }

    fn add_browser(&self, hash: SecretHash, browser: Browser, n_max: usize) -> Later<'_, bool> {
        change!(self, |db| add(&db, &hash, &browser, n_max))
    }

    fn remove_browser(&self, hash: SecretHash, person: UserId) -> Later<'_, bool> {
        change!(self, |db| remove(&db, &hash, &person))
    }

    fn browsers(&self, person: Option<UserId>) -> Later<'_, Vec<Browser>> {
        read!(self, |db| browsers(&db, person.as_ref()))
    }
}

async fn key(db: &Db, made: &[u8], now: Timestamp) -> Result<Vec<u8>, Fail> {
    let sql = "INSERT INTO push_key (n, pkcs8, created_at) VALUES (1, $1, $2) ON CONFLICT DO NOTHING";
    run(db, sql, &[&made, &now.0]).await?;
    Ok(the_row(db, "SELECT pkcs8 FROM push_key", &[]).await?.try_get(0)?)
}

async fn add(db: &Db, hash: &SecretHash, browser: &Browser, n_max: usize) -> Result<bool, Fail> {
    let sql = "INSERT INTO browser (hash, person, endpoint, key, auth, language, at)
        SELECT $1, name, $3, $4, $5, $6, $7 FROM person WHERE name = $2 AND disabled_at IS NULL
        ON CONFLICT (hash) DO UPDATE SET person = excluded.person, endpoint = excluded.endpoint,
            key = excluded.key, auth = excluded.auth, language = excluded.language, at = excluded.at";
    let Browser { person, endpoint, key, auth, language, at } = browser;
    let (name, endpoint, language) = (person.as_str(), clean(endpoint), clean(language));
    let added = run(db, sql, &[&&hash[..], &name, &&*endpoint, key, auth, &&*language, &at.0]).await?;
    let sql = "DELETE FROM browser WHERE hash IN
        (SELECT hash FROM browser WHERE person = $1 ORDER BY at DESC, hash OFFSET $2)";
    run(db, sql, &[&name, &limit(n_max)]).await?;
    Ok(added == 1)
}

async fn remove(db: &Db, hash: &SecretHash, person: &UserId) -> Result<bool, Fail> {
    let sql = "DELETE FROM browser WHERE hash = $1 AND person = $2";
    Ok(run(db, sql, &[&&hash[..], &person.as_str()]).await? == 1)
}

async fn browsers(db: &Db, person: Option<&UserId>) -> Result<Vec<Browser>, Fail> {
    let sql = "SELECT b.person, b.endpoint, b.key, b.auth, b.language, b.at FROM browser b
        JOIN person p ON p.name = b.person
        WHERE p.disabled_at IS NULL AND ($1::text IS NULL OR b.person = $1) ORDER BY b.at, b.hash";
    rows(db, sql, &[&person.map(UserId::as_str)]).await?.iter().map(read_row).collect()
}

fn read_row(row: &Row) -> Result<Browser, Fail> {
    Ok(Browser {
        person: UserId::new(row.try_get::<_, &str>(0)?),
        endpoint: row.try_get(1)?,
        key: row.try_get(2)?,
        auth: row.try_get(3)?,
        language: row.try_get(4)?,
        at: Timestamp(row.try_get(5)?),
    })
}
