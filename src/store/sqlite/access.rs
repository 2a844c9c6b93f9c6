//! Users, keys, cookies and login links in SQL.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::ask::id_of;
use super::error::Fail;
use crate::store::{KeyId, KeyRole, KeyRow, Pass, SecretHash, StoreError, User};

/// Which list a pass is on.
#[derive(Debug, Clone, Copy)]
pub(super) enum List {
    Cookies,
    LoginLinks,
}

impl List {
    fn table(self) -> &'static str {
        match self {
            Self::Cookies => "cookie",
            Self::LoginLinks => "login_link",
        }
    }
}

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

/// Adds a pass, and sweeps out those that are over.
pub(super) fn add_pass(
    db: &Connection,
    list: List,
    hash: &SecretHash,
    pass: &Pass,
    now: Timestamp,
) -> Result<bool, Fail> {
    let table = list.table();
    db.prepare_cached(&format!("DELETE FROM {table} WHERE expires_at <= ?1"))?.execute([now.0])?;
    let Some(user) = user_n(db, &pass.user)? else {
        return Ok(false);
    };
    let sql = format!("INSERT INTO {table} (hash, user, expires_at) VALUES (?1, ?2, ?3)");
    db.prepare_cached(&sql)?.execute(params![hash, user, pass.expires_at.0])?;
    Ok(true)
}

/// A pass that is good now.
pub(super) fn pass(
    db: &Connection,
    list: List,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<Option<Pass>, Fail> {
    let table = list.table();
    let sql = format!(
        "SELECT u.name, p.expires_at FROM {table} p JOIN user u ON u.n = p.user
         WHERE p.hash = ?1 AND p.expires_at > ?2 AND u.disabled_at IS NULL"
    );
    let mut statement = db.prepare_cached(&sql)?;
    let found = statement.query_row(params![hash, now.0], |row| {
        let user = UserId::new(row.get::<_, String>(0)?);
        Ok(Pass { user, expires_at: Timestamp(row.get(1)?) })
    });
    Ok(found.optional()?)
}

pub(super) fn remove_pass(db: &Connection, list: List, hash: &SecretHash) -> Result<bool, Fail> {
    let sql = format!("DELETE FROM {} WHERE hash = ?1", list.table());
    Ok(db.prepare_cached(&sql)?.execute([hash])? == 1)
}
