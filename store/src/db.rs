//! One way to ask either database: SQL is written once, with `?1`, `?2` …, and a row lends what it holds.
//!
//! SQLite answers at once, on the thread that asks, so its futures are always ready. PostgreSQL answers over
//! a connection and calls its parameters `$1`, `$2` …: that is put in when a statement is prepared.

use std::borrow::Cow;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, KeyId, MessageId, ServerId, SessionId, TaskId, UserId};
use askuser_core::time::Timestamp;
use bytes::BytesMut;
use deadpool_postgres::ClientWrapper;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, TryStreamExt};
use parking_lot::{Mutex, ReentrantMutex, ReentrantMutexGuard};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, params_from_iter};
use tokio_postgres::Statement;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::fail::Fail;
use super::rules::AnyRules;
use super::{BrowserId, Later, StoreError};

/// A database that several traits of a store are written over.
pub(crate) trait Database: Send + Sync {
    /// Reads, and gives back what was found once that is certain to stay.
    fn read<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static;

    /// Changes something in one transaction: all of it, or nothing. Done even if whoever wanted it goes away.
    fn change<A, T>(&self, given: A, asking: Asking<A, T>) -> Later<'_, T>
    where
        A: Send + Sync + 'static,
        T: Send + 'static;

    /// Returns an ask as it was last committed, where it is kept in memory.
    fn latest(&self, _ask: AskId) -> Option<Arc<Ask>> {
        None
    }

    /// Returns what is known of whether anybody has a rule; nothing where others may add one unseen.
    fn any_rules(&self) -> Option<&AnyRules> {
        None
    }
}

/// What is asked of a connection, with what it is given. A plain function, so that it can be done over.
pub(crate) type Asking<A, T> = for<'a> fn(Db<'a>, &'a A) -> BoxFuture<'a, Result<T, Fail>>;

/// A connection to either database.
#[derive(Clone, Copy)]
pub(crate) enum Db<'a> {
    Sqlite(&'a Local),
    Postgres(&'a ClientWrapper),
}

/// A connection to SQLite. One thread uses it at a time, so that its lock is always free.
pub(crate) struct Local {
    connection: ReentrantMutex<Connection>,
    /// What was changed behind the back of what is kept in memory.
    stale: Mutex<Vec<(SessionId, AskId)>>,
}

impl Local {
    pub(crate) fn new(connection: Connection) -> Self {
        Self { connection: ReentrantMutex::new(connection), stale: Mutex::default() }
    }

    pub(crate) fn get(&self) -> ReentrantMutexGuard<'_, Connection> {
        self.connection.lock()
    }

    pub(crate) fn into_inner(self) -> Connection {
        self.connection.into_inner()
    }

    /// Returns what memory has to forget since this was asked last.
    pub(crate) fn stale(&self) -> Vec<(SessionId, AskId)> {
        std::mem::take(&mut self.stale.lock())
    }

    /// Returns the way to ask it.
    pub(crate) fn db(&self) -> Db<'_> {
        Db::Sqlite(self)
    }
}

/// Returns what SQLite answered: at once.
pub(crate) fn at_once<T>(answer: impl Future<Output = Result<T, Fail>>) -> Result<T, Fail> {
    let unfinished = || Err(StoreError::Unavailable("SQLite did not answer at once".to_owned()).into());
    answer.now_or_never().unwrap_or_else(unfinished)
}

impl Db<'_> {
    /// What is added to a query whose rows nobody else may change before the transaction ends. SQLite has one
    /// writer.
    pub(crate) fn for_update(self) -> &'static str {
        match self {
            Self::Sqlite(_) => "",
            Self::Postgres(_) => " FOR UPDATE",
        }
    }

    /// Says that an ask was changed behind the back of what is kept in memory.
    pub(crate) fn forget(self, session: SessionId, ask: AskId) {
        if let Self::Sqlite(local) = self {
            local.stale.lock().push((session, ask));
        }
    }

    /// Reads as everything is at one moment, whatever others write meanwhile.
    pub(crate) async fn at_one_moment<T: Send>(
        self,
        reading: impl Future<Output = Result<T, Fail>> + Send,
    ) -> Result<T, Fail> {
        let begin = match self {
            Self::Sqlite(_) => "BEGIN",
            Self::Postgres(_) => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        self.batch(begin).await?;
        let done = reading.await;
        let ended = self.batch("COMMIT").await;
        let done = done?;
        ended?;
        Ok(done)
    }

    async fn batch(self, sql: &str) -> Result<(), Fail> {
        match self {
            Self::Sqlite(local) => Ok(local.get().execute_batch(sql)?),
            Self::Postgres(client) => Ok(client.batch_execute(sql).await?),
        }
    }

    /// Carries a statement out and returns how many rows it touched.
    pub(crate) async fn run(self, sql: &str, params: &[Cell<'_>]) -> Result<u64, Fail> {
        match self {
            Self::Sqlite(local) => {
                let db = local.get();
                Ok(db.prepare_cached(sql)?.execute(params_from_iter(params))? as u64)
            }
            Self::Postgres(client) => {
                let statement = prepare(client, sql).await?;
                Ok(client.execute(&statement, &all(params)).await?)
            }
        }
    }

    /// Takes in every row that a statement finds, one after the other. Nothing else may be asked meanwhile.
    pub(crate) async fn each(
        self,
        sql: &str,
        params: &[Cell<'_>],
        mut take: impl FnMut(&Row<'_>) -> Result<(), Fail> + Send,
    ) -> Result<(), Fail> {
        match self {
            Self::Sqlite(local) => {
                let db = local.get();
                let mut statement = db.prepare_cached(sql)?;
                let mut rows = statement.query(params_from_iter(params))?;
                while let Some(row) = rows.next()? {
                    take(&Row::Sqlite(row))?;
                }
            }
            Self::Postgres(client) => {
                let statement = prepare(client, sql).await?;
                let mut rows = pin!(client.query_raw(&statement, params).await?);
                while let Some(row) = rows.try_next().await? {
                    take(&Row::Postgres(&row))?;
                }
            }
        }
        Ok(())
    }

    /// Returns every row that a statement finds, as it is read.
    pub(crate) async fn rows<T: Send>(
        self,
        sql: &str,
        params: &[Cell<'_>],
        mut read: impl FnMut(&Row<'_>) -> Result<T, Fail> + Send,
    ) -> Result<Vec<T>, Fail> {
        let mut found = Vec::new();
        let take = |row: &Row<'_>| {
            found.push(read(row)?);
            Ok(())
        };
        self.each(sql, params, take).await?;
        Ok(found)
    }

    /// Returns the row that a statement finds, if it finds one.
    pub(crate) async fn one<T: Send>(
        self,
        sql: &str,
        params: &[Cell<'_>],
        read: impl FnMut(&Row<'_>) -> Result<T, Fail> + Send,
    ) -> Result<Option<T>, Fail> {
        Ok(self.rows(sql, params, read).await?.into_iter().next())
    }

    /// Returns the first column of the row that a statement always finds.
    pub(crate) async fn value<T>(self, sql: &str, params: &[Cell<'_>]) -> Result<T, Fail>
    where
        T: for<'c> Column<'c> + Send,
    {
        let found = self.one(sql, params, |row| row.get(0)).await?;
        found.ok_or_else(|| StoreError::Damaged("a row that is always there is missing".to_owned()).into())
    }
}

async fn prepare(client: &ClientWrapper, sql: &str) -> Result<Statement, Fail> {
    Ok(client.prepare_cached(&sql.replace('?', "$")).await?)
}

fn all<'a>(params: &'a [Cell<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|cell| cell as _).collect()
}

/// So many places for values from the parameter `first` on, and a list filled up to that number: few
/// different statements for lists of any length.
pub(crate) fn places(first: usize, list: &mut Vec<Cell<'_>>) -> String {
    let n_places = list.len().next_power_of_two();
    list.resize(n_places, list.last().copied().unwrap_or(Cell::Null));
    (first..first + n_places).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ")
}

/// What a statement is given, or a row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
    Id([u8; 16]),
}

/// What a statement is given, each as a cell.
macro_rules! cells {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Cell::from($value)),*] };
}
pub(crate) use cells;

macro_rules! from {
    ($($given:ty => |$value:ident| $cell:expr;)+) => {$(
        impl<'a> From<$given> for Cell<'a> {
            fn from($value: $given) -> Self {
                $cell
            }
        }
    )+};
}

from! {
    i64 => |number| Self::Int(number);
    u32 => |number| Self::Int(number.into());
    // The integers of SQL have a sign.
    u64 => |number| Self::Int(i64::try_from(number).unwrap_or(i64::MAX));
    usize => |number| Self::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Timestamp => |at| Self::Int(at.0);
    &'a str => |text| Self::Text(text);
    &'a String => |text| Self::Text(text);
    &'a UserId => |user| Self::Text(user.as_str());
    &'a [u8] => |bytes| Self::Bytes(bytes);
    &'a Vec<u8> => |bytes| Self::Bytes(bytes);
    u128 => |id| Self::Id(id.to_be_bytes());
    AskId => |id| id.0.into();
    SessionId => |id| id.0.into();
    TaskId => |id| id.0.into();
    KeyId => |id| id.0.into();
    BrowserId => |id| id.0.into();
}

impl<'a, const N: usize> From<&'a [u8; N]> for Cell<'a> {
    fn from(bytes: &'a [u8; N]) -> Self {
        Self::Bytes(bytes)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl rusqlite::ToSql for Cell<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Id(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl ToSql for Cell<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) if *ty == Type::BOOL => (*number != 0).to_sql(ty, out),
            Self::Int(number) if *ty == Type::INT2 => i16::try_from(*number)?.to_sql(ty, out),
            Self::Int(number) => number.to_sql(ty, out),
            Self::Text(text) => (&*clean(text)).to_sql(ty, out),
            Self::Bytes(bytes) => bytes.to_sql(ty, out),
            Self::Id(bytes) => (&bytes[..]).to_sql(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Cell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *ty {
            Type::INT8 => Self::Int(i64::from_sql(ty, raw)?),
            Type::INT2 => Self::Int(i16::from_sql(ty, raw)?.into()),
            Type::INT4 => Self::Int(i32::from_sql(ty, raw)?.into()),
            Type::BOOL => Self::Int(bool::from_sql(ty, raw)?.into()),
            Type::BYTEA => Self::Bytes(raw),
            _ => Self::Text(<&str>::from_sql(ty, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// A text as PostgreSQL takes it: the one character that it refuses is shown as one that is missing. In
/// what is JSON it is escaped, and stays.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// A row that was found.
pub(crate) enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl<'a> Row<'a> {
    /// Returns what a column holds.
    pub(crate) fn get<T: Column<'a>>(&self, column: usize) -> Result<T, Fail> {
        let cell = self.cell(column)?;
        T::read(cell).ok_or_else(|| {
            let kind = match cell {
                Cell::Null => "nothing".to_owned(),
                Cell::Int(number) => format!("the number {number}"),
                Cell::Text(_) => "another text".to_owned(),
                Cell::Bytes(bytes) => format!("{} bytes", bytes.len()),
                Cell::Id(_) => "an id".to_owned(),
            };
            StoreError::Damaged(format!("column {} holds {kind}, not {}", column + 1, T::WHAT)).into()
        })
    }

    /// Returns a column as it is.
    pub(crate) fn cell(&self, column: usize) -> Result<Cell<'a>, Fail> {
        Ok(match self {
            Self::Postgres(row) => row.try_get(column)?,
            Self::Sqlite(row) => {
                let value = row.get_ref(column)?;
                match value {
                    ValueRef::Null => Cell::Null,
                    ValueRef::Integer(number) => Cell::Int(number),
                    ValueRef::Text(_) => Cell::Text(value.as_str().map_err(rusqlite::Error::from)?),
                    ValueRef::Blob(bytes) => Cell::Bytes(bytes),
                    ValueRef::Real(_) => {
                        return Err(StoreError::Damaged("a number with a fraction".to_owned()).into());
                    }
                }
            }
        })
    }
}

/// What a column is read as.
pub(crate) trait Column<'a>: Sized {
    /// What it should have held.
    const WHAT: &'static str;
    fn read(cell: Cell<'a>) -> Option<Self>;
}

macro_rules! columns {
    ($($read:ty, $what:literal, $($cell:pat => $value:expr),+;)+) => {$(
        impl<'a> Column<'a> for $read {
            const WHAT: &'static str = $what;
            fn read(cell: Cell<'a>) -> Option<Self> {
                match cell {
                    $($cell => $value,)+
                    _ => None,
                }
            }
        }
    )+};
}

columns! {
    i64, "a number", Cell::Int(number) => Some(number);
    u32, "a small number", Cell::Int(number) => number.try_into().ok();
    u64, "a number", Cell::Int(number) => number.try_into().ok();
    bool, "yes or no", Cell::Int(number) => Some(number != 0);
    Timestamp, "a time", Cell::Int(millis) => Some(Self(millis));
    &'a str, "a text", Cell::Text(text) => Some(text);
    String, "a text", Cell::Text(text) => Some(text.to_owned());
    UserId, "a name", Cell::Text(text) => Some(Self::new(text));
    &'a [u8], "bytes", Cell::Bytes(bytes) => Some(bytes);
    Vec<u8>, "bytes", Cell::Bytes(bytes) => Some(bytes.to_vec());
    u128, "an id of 16 bytes", Cell::Bytes(bytes) => bytes.try_into().ok().map(Self::from_be_bytes);
}

impl<'a, const N: usize> Column<'a> for [u8; N] {
    const WHAT: &'static str = "so many bytes as it should";
    fn read(cell: Cell<'a>) -> Option<Self> {
        <&[u8]>::read(cell)?.try_into().ok()
    }
}

impl<'a, T: Column<'a>> Column<'a> for Option<T> {
    const WHAT: &'static str = T::WHAT;
    fn read(cell: Cell<'a>) -> Option<Self> {
        if cell == Cell::Null { Some(None) } else { T::read(cell).map(Some) }
    }
}

macro_rules! ids {
    ($($id:ty)+) => {$(
        impl<'a> Column<'a> for $id {
            const WHAT: &'static str = u128::WHAT;
            fn read(cell: Cell<'a>) -> Option<Self> {
                u128::read(cell).map(Self)
            }
        }
    )+};
}

ids! { AskId SessionId TaskId ServerId MessageId KeyId BrowserId }
