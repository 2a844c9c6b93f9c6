//! Browsers that asked to be told, and the desk's key for them.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;

use crate::db::{Database, Db, Row, cells};
use crate::fail::Fail;
use crate::pushes::{Browser, PushStore};
use crate::{Later, SecretHash};

impl<D: Database> PushStore for D {
    fn push_key(&self, made: Vec<u8>, now: Timestamp) -> Later<'_, Vec<u8>> {
        self.change((made, now), |db, (made, now)| {
            Box::pin(async move {
                let sql = "INSERT INTO push_key (n, pkcs8, created_at) VALUES (1, ?1, ?2)
                     ON CONFLICT DO NOTHING";
                db.run(sql, cells![made, *now]).await?;
                db.value("SELECT pkcs8 FROM push_key", &[]).await
            })
        })
    }

    fn add_browser(&self, hash: SecretHash, browser: Browser, n_max: usize) -> Later<'_, bool> {
        self.change((hash, browser, n_max), |db, (hash, browser, n_max)| {
            Box::pin(add(db, hash, browser, *n_max))
        })
    }

    fn remove_browser(&self, hash: SecretHash, person: UserId) -> Later<'_, bool> {
        self.change((hash, person), |db, (hash, person)| {
            Box::pin(async move {
                let sql = "DELETE FROM browser WHERE hash = ?1 AND person = ?2";
                Ok(db.run(sql, cells![hash, person]).await? == 1)
            })
        })
    }

    fn browsers(&self, person: Option<UserId>) -> Later<'_, Vec<Browser>> {
        self.read(person, |db, person| {
            Box::pin(async move {
                let sql = "SELECT b.person, b.endpoint, b.key, b.auth, b.language, b.at FROM browser b
                     JOIN person p ON p.name = b.person
                     WHERE p.disabled_at IS NULL AND (CAST(?1 AS TEXT) IS NULL OR b.person = ?1)
                     ORDER BY b.at, b.hash";
                let read = |row: &Row<'_>| {
                    Ok(Browser {
                        person: row.get(0)?,
                        endpoint: row.get(1)?,
                        key: row.get(2)?,
                        auth: row.get(3)?,
                        language: row.get(4)?,
                        at: row.get(5)?,
                    })
                };
                db.rows(sql, cells![person.as_ref()], read).await
            })
        })
    }
}

async fn add(db: Db<'_>, hash: &SecretHash, browser: &Browser, n_max: usize) -> Result<bool, Fail> {
    let sql = "INSERT INTO browser (hash, person, endpoint, key, auth, language, at)
        SELECT ?1, name, ?3, ?4, ?5, ?6, ?7 FROM person WHERE name = ?2 AND disabled_at IS NULL
        ON CONFLICT (hash) DO UPDATE SET person = excluded.person, endpoint = excluded.endpoint,
            key = excluded.key, auth = excluded.auth, language = excluded.language, at = excluded.at";
    let Browser { person, endpoint, key, auth, language, at } = browser;
    let added = db.run(sql, cells![hash, person, endpoint, key, auth, language, *at]).await? == 1;
    let sql = "DELETE FROM browser WHERE person = ?1 AND hash NOT IN
        (SELECT hash FROM browser WHERE person = ?1 ORDER BY at DESC, hash LIMIT ?2)";
    db.run(sql, cells![person, n_max]).await?;
    Ok(added)
}
