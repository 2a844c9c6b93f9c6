//! Remembers: the only place that speaks SQL.
//!
//! `commit` loads what a command needs, lets `core::decide` decide, and writes facts and rows, all
//! in one transaction; nobody is answered before it is on the disk. Everything else here reads.
//! The words are those of `core`, so that a second implementation has nothing to translate.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::decide::Refusal;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::session::{Origin, Session};
use askuser_core::time::Timestamp;

/// What a store answers, later.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// One command to be carried out.
#[derive(Debug, Clone)]
pub struct Order {
    /// Who wants it.
    pub actor: Actor,
    /// The session that it is about.
    pub session: SessionRef,
    /// What is wanted. The session id inside an `Ask` or `OpenSession` is that of `session`; where
    /// the session is named from outside, the store puts the right one in.
    pub command: Command,
    /// When.
    pub now: Timestamp,
}

/// How a command names its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionRef {
    /// By our id.
    Id(SessionId),
    /// By the agent's own id or a derived one: made on first use, in the same transaction.
    Named {
        /// The name, unique for its owner.
        external_id: String,
        /// What a new one would be.
        origin: Origin,
        /// The id that a new one gets.
        fresh: SessionId,
    },
    /// The session of the ask that the command names.
    OfAsk(AskId),
}

/// What was carried out.
#[derive(Debug, Clone)]
pub struct Committed {
    /// What happened, numbered. Empty where a repeated ask joined an earlier one.
    pub facts: Vec<Numbered>,
    /// The ask that it was about, as it is now.
    pub ask: Option<Arc<Ask>>,
    /// The session, as it is now.
    pub session: Option<Session>,
    /// Whether the ask had been made before.
    pub joined: bool,
}

/// A fact with its number and what is needed to tell it to the right people.
#[derive(Debug, Clone)]
pub struct Numbered {
    /// Its number: 1, 2, 3, … without gaps, in the order of committing.
    pub number: u64,
    /// When it was committed.
    pub at: Timestamp,
    /// Whom it concerns.
    pub owner: UserId,
    /// The session that it belongs to.
    pub session: SessionId,
    /// What happened. None where it was erased (retention, secrets): its number and hash stay.
    pub fact: Option<Arc<Fact>>,
}

/// Why a store could not.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The rule book said no. Nothing was written.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The disk or the database failed; nothing of this command was kept. It may be tried again.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// What is stored cannot be read: a newer program wrote it, or it is damaged.
    #[error("the store cannot be read: {0}")]
    Damaged(String),
}
