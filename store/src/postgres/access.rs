//! Users, keys, cookies and login links in SQL. Each change is one statement, and so happens whole.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Db, Params, clean, id_of, row, rows, run};
use super::error::Fail;
use crate::access::proof_of;
use crate::{BrowserChange, BrowserId, KeyId, KeyRole, KeyRow, Pass, SecretHash, SignedIn, StoreError, User};

pub(super) async fn add_user(db: &Db, user: &User) -> Result<bool, Fail> {
    let sql = "INSERT INTO person (name, created_at, disabled_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    let params: &Params<'_> = &[&user.id.as_str(), &user.created_at.0, &user.disabled_at.map(|at| at.0)];
    Ok(run(db, sql, params).await? == 1)
}

pub(super) async fn users(db: &Db) -> Result<Vec<User>, Fail> {
    // By the bytes of the names, as everywhere; a database's own order is that of its language.
    let sql = "SELECT name, created_at, disabled_at FROM person ORDER BY name COLLATE \"C\"";
    let read = |row: &Row| {
        Ok(User {
            id: UserId::new(row.try_get::<_, &str>(0)?),
            created_at: Timestamp(row.try_get(1)?),
            disabled_at: row.try_get::<_, Option<i64>>(2)?.map(Timestamp),
        })
    };
    rows(db, sql, &[]).await?.iter().map(read).collect()
}

pub(super) async fn disable_user(db: &Db, user: &UserId, now: Timestamp) -> Result<bool, Fail> {
    let sql = "UPDATE person SET disabled_at = $2 WHERE name = $1 AND disabled_at IS NULL";
    Ok(run(db, sql, &[&user.as_str(), &now.0]).await? == 1)
}

pub(super) async fn add_key(db: &Db, key: &KeyRow) -> Result<bool, Fail> {
    let sql = "INSERT INTO access_key (id, hash, role, person, name, created_at, revoked_at)
         SELECT $1, $2, $3, name, $5, $6, $7 FROM person WHERE name = $4 AND disabled_at IS NULL";
    let params: &Params<'_> = &[
        &&key.id.0.to_be_bytes()[..],
        &&key.hash[..],
        &key.role.name(),
        &key.user.as_str(),
        &clean(&key.name),
        &key.created_at.0,
        &key.revoked_at.map(|at| at.0),
    ];
    Ok(run(db, sql, params).await? == 1)
}

const KEYS: &str = "SELECT k.id, k.hash, k.role, k.person, k.name, k.created_at, k.revoked_at
    FROM access_key k JOIN person p ON p.name = k.person";

pub(super) async fn key_by_hash(db: &Db, hash: &SecretHash) -> Result<Option<KeyRow>, Fail> {
    let sql = format!("{KEYS} WHERE k.hash = $1 AND k.revoked_at IS NULL AND p.disabled_at IS NULL");
    row(db, &sql, &[&&hash[..]]).await?.as_ref().map(read_key).transpose()
}

pub(super) async fn keys(db: &Db) -> Result<Vec<KeyRow>, Fail> {
    rows(db, &format!("{KEYS} ORDER BY k.n"), &[]).await?.iter().map(read_key).collect()
}

fn read_key(row: &Row) -> Result<KeyRow, Fail> {
    let word: &str = row.try_get(2)?;
    let role = KeyRole::ALL.into_iter().find(|role| role.name() == word);
    let hash: Result<SecretHash, _> = row.try_get::<_, &[u8]>(1)?.try_into();
    let wrong = |what: &str| StoreError::Damaged(format!("a key: {what}"));
    Ok(KeyRow {
        id: KeyId(id_of(row.try_get(0)?)?),
        hash: hash.map_err(|_| wrong("its hash has not 32 bytes"))?,
        role: role.ok_or_else(|| wrong("its role has no such word"))?,
        user: UserId::new(row.try_get::<_, &str>(3)?),
        name: row.try_get(4)?,
        created_at: Timestamp(row.try_get(5)?),
        revoked_at: row.try_get::<_, Option<i64>>(6)?.map(Timestamp),
    })
}

pub(super) async fn revoke_key(db: &Db, key: KeyId, now: Timestamp) -> Result<bool, Fail> {
    let sql = "UPDATE access_key SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    Ok(run(db, sql, &[&&key.0.to_be_bytes()[..], &now.0]).await? == 1)
}

/// Adds a login link, and sweeps out those that are over.
pub(super) async fn add_link(db: &Db, hash: &SecretHash, pass: &Pass, now: Timestamp) -> Result<bool, Fail> {
    run(db, "DELETE FROM login_link WHERE expires_at <= $1", &[&now.0]).await?;
    let sql = "INSERT INTO login_link (hash, person, expires_at, made_with)
         SELECT $1, name, $3, $4 FROM person WHERE name = $2 AND disabled_at IS NULL";
    let params: &Params<'_> = &[&&hash[..], &pass.user.as_str(), &pass.expires_at.0, &pass.made_with.name()];
    Ok(run(db, sql, params).await? == 1)
}

/// Takes a login link away and returns it, if it was good: of many callers one gets it.
pub(super) async fn take_link(db: &Db, hash: &SecretHash, now: Timestamp) -> Result<Option<Pass>, Fail> {
    let sql = "WITH gone AS (DELETE FROM login_link WHERE hash = $1 RETURNING person, expires_at, made_with)
         SELECT p.name, gone.expires_at, gone.made_with FROM gone JOIN person p ON p.name = gone.person
         WHERE gone.expires_at > $2 AND p.disabled_at IS NULL";
    let read = |row: &Row| -> Result<Pass, Fail> {
        Ok(Pass {
            user: UserId::new(row.try_get::<_, &str>(0)?),
            expires_at: Timestamp(row.try_get(1)?),
            made_with: proof_of(row.try_get(2)?)?,
        })
    };
    row(db, sql, &[&&hash[..], &now.0]).await?.as_ref().map(read).transpose()
}

/// Signs a browser in, and sweeps out those whose time is over.
pub(super) async fn add_cookie(
    db: &Db,
    hash: &SecretHash,
    browser: &SignedIn,
    now: Timestamp,
) -> Result<bool, Fail> {
    run(db, "DELETE FROM cookie WHERE expires_at <= $1", &[&now.0]).await?;
    let sql = "INSERT INTO cookie (hash, id, person, made_with, name, user_agent, created_at, last_seen_at,
            told_at, expires_at)
         SELECT $1, $2, name, $4, $5, $6, $7, $8, $9, $10 FROM person
         WHERE name = $3 AND disabled_at IS NULL";
    let params: &Params<'_> = &[
        &&hash[..],
        &&browser.id.0.to_be_bytes()[..],
        &browser.user.as_str(),
        &browser.made_with.name(),
        &clean(&browser.name),
        &clean(&browser.user_agent),
        &browser.created_at.0,
        &browser.last_seen_at.0,
        &browser.told_at.0,
        &browser.expires_at.0,
    ];
    Ok(run(db, sql, params).await? == 1)
}

const BROWSERS: &str =
    "SELECT c.id, c.person, c.made_with, c.name, c.user_agent, c.created_at, c.last_seen_at,
        c.told_at, c.expires_at
    FROM cookie c JOIN person p ON p.name = c.person WHERE p.disabled_at IS NULL";

/// The browser of a cookie that is good now.
pub(super) async fn cookie(db: &Db, hash: &SecretHash, now: Timestamp) -> Result<Option<SignedIn>, Fail> {
    let sql = format!("{BROWSERS} AND c.hash = $1 AND c.expires_at > $2");
    row(db, &sql, &[&&hash[..], &now.0]).await?.as_ref().map(read_browser).transpose()
}

pub(super) async fn signed_in(db: &Db, user: &UserId, now: Timestamp) -> Result<Vec<SignedIn>, Fail> {
    let sql =
        format!("{BROWSERS} AND p.name = $1 AND c.expires_at > $2 ORDER BY c.created_at DESC, c.id DESC");
    rows(db, &sql, &[&user.as_str(), &now.0]).await?.iter().map(read_browser).collect()
}

fn read_browser(row: &Row) -> Result<SignedIn, Fail> {
    Ok(SignedIn {
        id: BrowserId(id_of(row.try_get(0)?)?),
        user: UserId::new(row.try_get::<_, &str>(1)?),
        made_with: proof_of(row.try_get(2)?)?,
        name: row.try_get(3)?,
        user_agent: row.try_get(4)?,
        created_at: Timestamp(row.try_get(5)?),
        last_seen_at: Timestamp(row.try_get(6)?),
        told_at: Timestamp(row.try_get(7)?),
        expires_at: Timestamp(row.try_get(8)?),
    })
}

pub(super) async fn change_browser(
    db: &Db,
    user: &UserId,
    id: BrowserId,
    change: &BrowserChange,
) -> Result<bool, Fail> {
    let (bytes, user) = (id.0.to_be_bytes(), user.as_str());
    let (id, whose) = (&bytes[..], "WHERE id = $1 AND person = $2");
    let changed = match change {
        BrowserChange::Seen(at) => {
            let sql = format!("UPDATE cookie SET last_seen_at = greatest(last_seen_at, $3) {whose}");
            run(db, &sql, &[&id, &user, &at.0]).await?
        }
        BrowserChange::Told(at) => {
            let sql = format!("UPDATE cookie SET told_at = greatest(told_at, $3) {whose}");
            run(db, &sql, &[&id, &user, &at.0]).await?
        }
        BrowserChange::Named(name) => {
            let sql = format!("UPDATE cookie SET name = $3 {whose}");
            run(db, &sql, &[&id, &user, &clean(name)]).await?
        }
        BrowserChange::Revoked => run(db, &format!("DELETE FROM cookie {whose}"), &[&id, &user]).await?,
    };
    Ok(changed == 1)
}

pub(super) async fn remove_cookie(db: &Db, hash: &SecretHash) -> Result<bool, Fail> {
    Ok(run(db, "DELETE FROM cookie WHERE hash = $1", &[&&hash[..]]).await? == 1)
}
