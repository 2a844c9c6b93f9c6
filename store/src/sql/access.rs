//! Users, keys, cookies and login links.

use askuser_core::id::UserId;
use askuser_core::outcome::Proof;
use askuser_core::time::Timestamp;

use crate::access::AccessStore;
use crate::db::{Database, Db, Row, cells};
use crate::fail::Fail;
use crate::{
    BrowserChange, BrowserId, KeyId, KeyRole, KeyRow, Later, Pass, SecretHash, SignedIn, StoreError, User,
};

const KEYS: &str = "SELECT k.id, k.hash, k.role, k.person, k.name, k.created_at, k.revoked_at
    FROM access_key k JOIN person p ON p.name = k.person";

const BROWSERS: &str =
    "SELECT c.id, c.person, c.made_with, c.name, c.user_agent, c.created_at, c.last_seen_at,
        c.told_at, c.expires_at
    FROM cookie c JOIN person p ON p.name = c.person WHERE p.disabled_at IS NULL";

impl<D: Database> AccessStore for D {
    fn add_user(&self, user: User) -> Later<'_, bool> {
        self.change(user, |db, user| {
            Box::pin(async move {
                let sql = "INSERT INTO person (name, created_at, disabled_at) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO NOTHING";
                Ok(db.run(sql, cells![&user.id, user.created_at, user.disabled_at]).await? == 1)
            })
        })
    }

    fn users(&self) -> Later<'_, Vec<User>> {
        self.read((), |db, ()| {
            Box::pin(async move {
                // PostgreSQL's column says that names are ordered by their bytes, as everywhere.
                let sql = "SELECT name, created_at, disabled_at FROM person ORDER BY name";
                let read = |row: &Row<'_>| {
                    Ok(User { id: row.get(0)?, created_at: row.get(1)?, disabled_at: row.get(2)? })
                };
                db.rows(sql, &[], read).await
            })
        })
    }

    fn disable_user(&self, user: &UserId, now: Timestamp) -> Later<'_, bool> {
        self.change((user.clone(), now), |db, (user, now)| {
            Box::pin(async move {
                let sql = "UPDATE person SET disabled_at = ?2 WHERE name = ?1 AND disabled_at IS NULL";
                Ok(db.run(sql, cells![user, *now]).await? == 1)
            })
        })
    }

    fn add_key(&self, key: KeyRow) -> Later<'_, bool> {
        self.change(key, |db, key| {
            Box::pin(async move {
                let KeyRow { id, hash, role, user, name, created_at, revoked_at } = key;
                let sql = "INSERT INTO access_key (id, hash, role, person, name, created_at, revoked_at)
                     SELECT ?1, ?2, ?3, name, ?5, ?6, ?7 FROM person WHERE name = ?4 AND disabled_at IS NULL";
                let row = cells![*id, hash, role.name(), user, name, *created_at, *revoked_at];
                Ok(db.run(sql, row).await? == 1)
            })
        })
    }

    fn key_by_hash(&self, hash: SecretHash) -> Later<'_, Option<KeyRow>> {
        self.read(hash, |db, hash| {
            Box::pin(async move {
                let sql =
                    format!("{KEYS} WHERE k.hash = ?1 AND k.revoked_at IS NULL AND p.disabled_at IS NULL");
                db.one(&sql, cells![hash], read_key).await
            })
        })
    }

    fn keys(&self) -> Later<'_, Vec<KeyRow>> {
        self.read((), |db, ()| {
            Box::pin(async move { db.rows(&format!("{KEYS} ORDER BY k.n"), &[], read_key).await })
        })
    }

    fn revoke_key(&self, key: KeyId, now: Timestamp) -> Later<'_, bool> {
        self.change((key, now), |db, (key, now)| {
            Box::pin(async move {
                let sql = "UPDATE access_key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
                Ok(db.run(sql, cells![*key, *now]).await? == 1)
            })
        })
    }

    fn add_cookie(&self, hash: SecretHash, browser: SignedIn, now: Timestamp) -> Later<'_, bool> {
        self.change((hash, browser, now), |db, (hash, browser, now)| {
            Box::pin(add_cookie(db, hash, browser, *now))
        })
    }

    fn cookie(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<SignedIn>> {
        self.read((hash, now), |db, (hash, now)| {
            Box::pin(async move {
                let sql = format!("{BROWSERS} AND c.hash = ?1 AND c.expires_at > ?2");
                db.one(&sql, cells![hash, *now], read_browser).await
            })
        })
    }

    fn signed_in(&self, user: &UserId, now: Timestamp) -> Later<'_, Vec<SignedIn>> {
        self.read((user.clone(), now), |db, (user, now)| {
            Box::pin(async move {
                let sql = format!(
                    "{BROWSERS} AND p.name = ?1 AND c.expires_at > ?2 ORDER BY c.created_at DESC, c.id DESC"
                );
                db.rows(&sql, cells![user, *now], read_browser).await
            })
        })
    }

    fn change_browser(&self, user: &UserId, id: BrowserId, change: BrowserChange) -> Later<'_, bool> {
        self.change((user.clone(), id, change), |db, (user, id, change)| {
            Box::pin(change_browser(db, user, *id, change))
        })
    }

    fn revoke_cookie(&self, hash: SecretHash) -> Later<'_, bool> {
        self.change(hash, |db, hash| {
            Box::pin(
                async move { Ok(db.run("DELETE FROM cookie WHERE hash = ?1", cells![hash]).await? == 1) },
            )
        })
    }

    fn add_login_link(&self, hash: SecretHash, pass: Pass, now: Timestamp) -> Later<'_, bool> {
        self.change((hash, pass, now), |db, (hash, pass, now)| Box::pin(add_login_link(db, hash, pass, *now)))
    }

    fn use_login_link(&self, hash: SecretHash, now: Timestamp) -> Later<'_, Option<Pass>> {
        self.change((hash, now), |db, (hash, now)| Box::pin(use_login_link(db, hash, *now)))
    }
}

fn read_key(row: &Row<'_>) -> Result<KeyRow, Fail> {
    let word: &str = row.get(2)?;
    let role = KeyRole::ALL.into_iter().find(|role| role.name() == word);
    Ok(KeyRow {
        id: row.get(0)?,
        hash: row.get(1)?,
        role: role.ok_or_else(|| StoreError::Damaged(format!("no role is called `{word}`")))?,
        user: row.get(3)?,
        name: row.get(4)?,
        created_at: row.get(5)?,
        revoked_at: row.get(6)?,
    })
}

/// Signs a browser in, and sweeps out those whose time is over.
async fn add_cookie(db: Db<'_>, hash: &SecretHash, browser: &SignedIn, now: Timestamp) -> Result<bool, Fail> {
    db.run("DELETE FROM cookie WHERE expires_at <= ?1", cells![now]).await?;
    let sql = "INSERT INTO cookie (hash, id, person, made_with, name, user_agent, created_at, last_seen_at,
            told_at, expires_at)
         SELECT ?1, ?2, name, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM person
         WHERE name = ?3 AND disabled_at IS NULL";
    let SignedIn { id, user, made_with, name, user_agent, created_at, last_seen_at, told_at, expires_at } =
        browser;
    let (made_with, seen_at) = (made_with.name(), *last_seen_at);
    let row =
        cells![hash, *id, user, made_with, name, user_agent, *created_at, seen_at, *told_at, *expires_at];
    Ok(db.run(sql, row).await? == 1)
}

fn read_browser(row: &Row<'_>) -> Result<SignedIn, Fail> {
    Ok(SignedIn {
        id: row.get(0)?,
        user: row.get(1)?,
        made_with: proof(row.get(2)?)?,
        name: row.get(3)?,
        user_agent: row.get(4)?,
        created_at: row.get(5)?,
        last_seen_at: row.get(6)?,
        told_at: row.get(7)?,
        expires_at: row.get(8)?,
    })
}

async fn change_browser(
    db: Db<'_>,
    user: &UserId,
    id: BrowserId,
    change: &BrowserChange,
) -> Result<bool, Fail> {
    const SEEN: &str =
        "UPDATE cookie SET last_seen_at = CASE WHEN last_seen_at > ?3 THEN last_seen_at ELSE ?3 END
         WHERE id = ?1 AND person = ?2";
    const TOLD: &str = "UPDATE cookie SET told_at = CASE WHEN told_at > ?3 THEN told_at ELSE ?3 END
         WHERE id = ?1 AND person = ?2";
    const NAMED: &str = "UPDATE cookie SET name = ?3 WHERE id = ?1 AND person = ?2";
    const REVOKED: &str = "DELETE FROM cookie WHERE id = ?1 AND person = ?2";
    let n_changed = match change {
        BrowserChange::Seen(at) => db.run(SEEN, cells![id, user, *at]).await?,
        BrowserChange::Told(at) => db.run(TOLD, cells![id, user, *at]).await?,
        BrowserChange::Named(name) => db.run(NAMED, cells![id, user, name]).await?,
        BrowserChange::Revoked => db.run(REVOKED, cells![id, user]).await?,
    };
    Ok(n_changed == 1)
}

/// Adds a login link, and sweeps out those that are over.
async fn add_login_link(db: Db<'_>, hash: &SecretHash, pass: &Pass, now: Timestamp) -> Result<bool, Fail> {
    db.run("DELETE FROM login_link WHERE expires_at <= ?1", cells![now]).await?;
    let sql = "INSERT INTO login_link (hash, person, expires_at, made_with)
         SELECT ?1, name, ?3, ?4 FROM person WHERE name = ?2 AND disabled_at IS NULL";
    let Pass { user, expires_at, made_with } = pass;
    Ok(db.run(sql, cells![hash, user, *expires_at, made_with.name()]).await? == 1)
}

/// Takes a login link away and returns what it lets in, if it was good: of many callers one gets it.
async fn use_login_link(db: Db<'_>, hash: &SecretHash, now: Timestamp) -> Result<Option<Pass>, Fail> {
    let sql = "DELETE FROM login_link WHERE hash = ?1 RETURNING person, expires_at, made_with";
    let read = |row: &Row<'_>| {
        Ok(Pass { user: row.get(0)?, expires_at: row.get(1)?, made_with: proof(row.get(2)?)? })
    };
    let Some(pass) = db.one(sql, cells![hash], read).await?.filter(|pass| pass.expires_at > now) else {
        return Ok(None);
    };
    let sql = "SELECT count(*) FROM person WHERE name = ?1 AND disabled_at IS NULL";
    let n_enabled: i64 = db.value(sql, cells![&pass.user]).await?;
    Ok((n_enabled == 1).then_some(pass))
}

/// Reads the stored word of a proof.
fn proof(word: &str) -> Result<Proof, StoreError> {
    let known = Proof::ALL.into_iter().find(|proof| proof.name() == word);
    known.ok_or_else(|| StoreError::Damaged(format!("no proof is called `{word}`")))
}
