//! Users, keys, cookies and login links in SQL. Each change is one statement, and so happens whole.

use askuser_core::id::UserId;
use askuser_core::time::Timestamp;
use tokio_postgres::Row;

use super::db::{Db, Params, clean, id_of, row, rows, run};
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

/// Adds a pass, and sweeps out those that are over.
pub(super) async fn add_pass(
    db: &Db,
    list: List,
    hash: &SecretHash,
    pass: &Pass,
    now: Timestamp,
) -> Result<bool, Fail> {
    let table = list.table();
    run(db, &format!("DELETE FROM {table} WHERE expires_at <= $1"), &[&now.0]).await?;
    let sql = format!(
        "INSERT INTO {table} (hash, person, expires_at)
         SELECT $1, name, $3 FROM person WHERE name = $2 AND disabled_at IS NULL"
    );
    Ok(run(db, &sql, &[&&hash[..], &pass.user.as_str(), &pass.expires_at.0]).await? == 1)
}

/// A pass that is good now.
pub(super) async fn pass(
    db: &Db,
    list: List,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<Option<Pass>, Fail> {
    let sql = format!(
        "SELECT p.name, l.expires_at FROM {} l JOIN person p ON p.name = l.person
         WHERE l.hash = $1 AND l.expires_at > $2 AND p.disabled_at IS NULL",
        list.table()
    );
    row(db, &sql, &[&&hash[..], &now.0]).await?.as_ref().map(read_pass).transpose()
}

/// Takes a pass away and returns it, if it was good: of many callers one gets it.
pub(super) async fn take_pass(
    db: &Db,
    list: List,
    hash: &SecretHash,
    now: Timestamp,
) -> Result<Option<Pass>, Fail> {
    let sql = format!(
        "WITH gone AS (DELETE FROM {} WHERE hash = $1 RETURNING person, expires_at)
         SELECT p.name, gone.expires_at FROM gone JOIN person p ON p.name = gone.person
         WHERE gone.expires_at > $2 AND p.disabled_at IS NULL",
        list.table()
    );
    row(db, &sql, &[&&hash[..], &now.0]).await?.as_ref().map(read_pass).transpose()
}

fn read_pass(row: &Row) -> Result<Pass, Fail> {
    let user = UserId::new(row.try_get::<_, &str>(0)?);
    Ok(Pass { user, expires_at: Timestamp(row.try_get(1)?) })
}

pub(super) async fn remove_pass(db: &Db, list: List, hash: &SecretHash) -> Result<bool, Fail> {
    let sql = format!("DELETE FROM {} WHERE hash = $1", list.table());
    Ok(run(db, &sql, &[&&hash[..]]).await? == 1)
}
