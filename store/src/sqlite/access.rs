//! Users, keys, cookies and login links in SQL.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::ask::id_of;
use super::error::Fail;
use crate::access::proof_of;
use crate::{BrowserChange, BrowserId, KeyId, KeyRole, KeyRow, Pass, SecretHash, SignedIn, StoreError, User};

pub(super) fn add_user(db: &Connection, user: &User) -> Result<bool, Fail> {
    let sql = "INSERT OR IGNORE INTO user (name, created_at, disabled_at) VALUES (?1, ?2, ?3)";
    let params = (user.id.as_str(), user.created_at.0, user.disabled_at.map(|at| at.0));
    Ok(db.prepare_cached(sql)?.execute(params)? == 1)
}

pub(super) fn users(db: &Connection) -> Result<Vec<User>, Fail> {
    let mut statement = db.prepare_cached("SELECT name, created_at, disabled_at FROM user ORDER BY name")?;
    let rows = statement.query_map([], |row| {
        Ok(User {
            id: UserId::new(row.get::<_, String>(0)?),
            created_at: Timestamp(row.get(1)?),
            disabled_at: row.get::<_, Option<i64>>(2)?.map(Timestamp),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn disable_user(db: &Connection, user: &UserId, now: Timestamp) -> Result<bool, Fail> {
    let sql = "UPDATE user SET disabled_at = ?2 WHERE name = ?1 AND disabled_at IS NULL";
    Ok(db.prepare_cached(sql)?.execute((user.as_str(), now.0))? == 1)
}

/// A user who is not disabled.
fn user_n(db: &Connection, user: &UserId) -> Result<Option<i64>, Fail> {
    let sql = "SELECT n FROM user WHERE name = ?1 AND disabled_at IS NULL";
    Ok(db.prepare_cached(sql)?.query_row([user.as_str()], |row| row.get(0)).optional()?)
}

pub(super) fn add_key(db: &Connection, key: &KeyRow) -> Result<bool, Fail> {
    let Some(user) = user_n(db, &key.user)? else {
        return Ok(false);
    };
    db.prepare_cached(
        "INSERT INTO key (id, hash, role, user, name, created_at, revoked_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        key.id.0.to_be_bytes(),
        key.hash,
        key.role.name(),
        user,
        key.name,
        key.created_at.0,
        key.revoked_at.map(|at| at.0),
    ])?;
    Ok(true)
}

const KEYS: &str = "SELECT k.id, k.hash, k.role, u.name, k.name, k.created_at, k.revoked_at
    FROM key k JOIN user u ON u.n = k.user";

pub(super) fn key_by_hash(db: &Connection, hash: &SecretHash) -> Result<Option<KeyRow>, Fail> {
    let sql = format!("{KEYS} WHERE k.hash = ?1 AND k.revoked_at IS NULL AND u.disabled_at IS NULL");
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query([hash])?;
    rows.next()?.map(read_key).transpose()
}

pub(super) fn keys(db: &Connection) -> Result<Vec<KeyRow>, Fail> {
    let mut statement = db.prepare_cached(&format!("{KEYS} ORDER BY k.n"))?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_key(row)?);
    }
    Ok(found)
}

fn read_key(row: &Row<'_>) -> Result<KeyRow, Fail> {
    let word: String = row.get(2)?;
    let role = KeyRole::ALL.into_iter().find(|role| role.name() == word);
    let hash: Result<SecretHash, _> = row.get::<_, Vec<u8>>(1)?.try_into();
    let wrong = |what: &str| StoreError::Damaged(format!("a key: {what}"));
    Ok(KeyRow {
        id: KeyId(id_of(&row.get::<_, Vec<u8>>(0)?)?),
        hash: hash.map_err(|_| wrong("its hash has not 32 bytes"))?,
        role: role.ok_or_else(|| wrong("its role has no such word"))?,
        user: UserId::new(row.get::<_, String>(3)?),
        name: row.get(4)?,
        created_at: Timestamp(row.get(5)?),
        revoked_at: row.get::<_, Option<i64>>(6)?.map(Timestamp),
    })
}

pub(super) fn revoke_key(db: &Connection, key: KeyId, now: Timestamp) -> Result<bool, Fail> {
    let sql = "UPDATE key SET revoked_at = ?2 WHERE id = ?1 AND revoked_at IS NULL";
    Ok(db.prepare_cached(sql)?.execute((key.0.to_be_bytes(), now.0))? == 1)
}

/// Adds a login link, and sweeps out those that are over.
pub(super) fn add_link(
    db: &Connection,
    hash: &SecretHash,
    pass: &Pass,
    now: Timestamp,
) -> Result<bool, Fail> {
    db.prepare_cached("DELETE FROM login_link WHERE expires_at <= ?1")?.execute([now.0])?;
    let Some(user) = user_n(db, &pass.user)? else {
        return Ok(false);
    };
    let sql = "INSERT INTO login_link (hash, user, expires_at, made_with) VALUES (?1, ?2, ?3, ?4)";
    db.prepare_cached(sql)?.execute(params![hash, user, pass.expires_at.0, pass.made_with.name()])?;
    Ok(true)
}

/// Takes a login link away and returns it, if it was good.
pub(super) fn take_link(db: &Connection, hash: &SecretHash, now: Timestamp) -> Result<Option<Pass>, Fail> {
    let sql = "SELECT u.name, l.expires_at, l.made_with FROM login_link l JOIN user u ON u.n = l.user
         WHERE l.hash = ?1 AND l.expires_at > ?2 AND u.disabled_at IS NULL";
    let mut statement = db.prepare_cached(sql)?;
    let mut rows = statement.query(params![hash, now.0])?;
    let found = rows.next()?.map(|row| -> Result<Pass, Fail> {
        let made_with = proof_of(&row.get::<_, String>(2)?)?;
        let user = UserId::new(row.get::<_, String>(0)?);
        Ok(Pass { user, expires_at: Timestamp(row.get(1)?), made_with })
    });
    let found = found.transpose()?;
    db.prepare_cached("DELETE FROM login_link WHERE hash = ?1")?.execute([hash])?;
    Ok(found)
}

/// Signs a browser in, and sweeps out those whose time is over.
pub(super) fn add_cookie(
    db: &Connection,
    hash: &SecretHash,
    browser: &SignedIn,
    now: Timestamp,
) -> Result<bool, Fail> {
    db.prepare_cached("DELETE FROM cookie WHERE expires_at <= ?1")?.execute([now.0])?;
    let Some(user) = user_n(db, &browser.user)? else {
        return Ok(false);
    };
    db.prepare_cached(
        "INSERT INTO cookie (id, hash, user, made_with, name, user_agent, created_at, last_seen_at, told_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        browser.id.0.to_be_bytes(),
        hash,
        user,
        browser.made_with.name(),
        browser.name,
        browser.user_agent,
        browser.created_at.0,
        browser.last_seen_at.0,
        browser.told_at.0,
        browser.expires_at.0,
    ])?;
    Ok(true)
}

const BROWSERS: &str = "SELECT c.id, u.name, c.made_with, c.name, c.user_agent, c.created_at, c.last_seen_at,
        c.told_at, c.expires_at
    FROM cookie c JOIN user u ON u.n = c.user WHERE u.disabled_at IS NULL";

/// The browser of a cookie that is good now.
pub(super) fn cookie(db: &Connection, hash: &SecretHash, now: Timestamp) -> Result<Option<SignedIn>, Fail> {
    let mut statement = db.prepare_cached(&format!("{BROWSERS} AND c.hash = ?1 AND c.expires_at > ?2"))?;
    let mut rows = statement.query(params![hash, now.0])?;
    rows.next()?.map(read_browser).transpose()
}

pub(super) fn signed_in(db: &Connection, user: &UserId, now: Timestamp) -> Result<Vec<SignedIn>, Fail> {
    let sql = format!("{BROWSERS} AND u.name = ?1 AND c.expires_at > ?2 ORDER BY c.n DESC");
    let mut statement = db.prepare_cached(&sql)?;
    let mut rows = statement.query(params![user.as_str(), now.0])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read_browser(row)?);
    }
    Ok(found)
}

fn read_browser(row: &Row<'_>) -> Result<SignedIn, Fail> {
    Ok(SignedIn {
        id: BrowserId(id_of(&row.get::<_, Vec<u8>>(0)?)?),
        user: UserId::new(row.get::<_, String>(1)?),
        made_with: proof_of(&row.get::<_, String>(2)?)?,
        name: row.get(3)?,
        user_agent: row.get(4)?,
        created_at: Timestamp(row.get(5)?),
        last_seen_at: Timestamp(row.get(6)?),
        told_at: Timestamp(row.get(7)?),
        expires_at: Timestamp(row.get(8)?),
    })
}

pub(super) fn change_browser(
    db: &Connection,
    user: &UserId,
    id: BrowserId,
    change: &BrowserChange,
) -> Result<bool, Fail> {
    let whose = "WHERE id = ?1 AND user = (SELECT n FROM user WHERE name = ?2)";
    let (id, user) = (id.0.to_be_bytes(), user.as_str());
    let changed = match change {
        BrowserChange::Seen(at) => {
            let sql = format!("UPDATE cookie SET last_seen_at = max(last_seen_at, ?3) {whose}");
            db.prepare_cached(&sql)?.execute(params![id, user, at.0])?
        }
        BrowserChange::Told(at) => {
            let sql = format!("UPDATE cookie SET told_at = max(told_at, ?3) {whose}");
            db.prepare_cached(&sql)?.execute(params![id, user, at.0])?
        }
        BrowserChange::Named(name) => {
            let sql = format!("UPDATE cookie SET name = ?3 {whose}");
            db.prepare_cached(&sql)?.execute(params![id, user, name])?
        }
        BrowserChange::Revoked => {
            db.prepare_cached(&format!("DELETE FROM cookie {whose}"))?.execute(params![id, user])?
        }
    };
    Ok(changed == 1)
}

pub(super) fn remove_cookie(db: &Connection, hash: &SecretHash) -> Result<bool, Fail> {
    Ok(db.prepare_cached("DELETE FROM cookie WHERE hash = ?1")?.execute([hash])? == 1)
}
