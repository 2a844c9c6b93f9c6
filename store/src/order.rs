//! What goes into a store and what comes out: orders, and what they led to.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::session::{Origin, Session};
use askuser_core::time::Timestamp;

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
    pub now: Timestamp,
}

/// How a command names its session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionRef {
    /// By our id.
    Id(SessionId),
    /// By the agent's own id or a derived one: made on first use, in the same transaction, by an
    /// `Ask` or an `OpenSession`; for any other command it must be there.
    Named {
        /// The name, unique for its owner among the sessions that hold it now.
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
    /// The session, as it is now; that of the joined ask where one was joined.
    pub session: Option<Arc<Session>>,
    /// Whether the ask had been made before.
    pub joined: bool,
}

/// A fact with its number and what is needed to tell it to the right people.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbered {
    /// Its number: 1, 2, 3, … without gaps, in the order of committing.
    pub number: u64,
    /// When it was committed.
    pub at: Timestamp,
    /// Whom it concerns.
    pub owner: UserId,
    /// The session that it belongs to.
    pub session: SessionId,
    /// Whom the ask that it is about is for, where that is not its owner: as it is when this is told.
    pub people: Option<People>,
    /// The ask that it is about, if it is about one; known even where the fact was erased.
    pub ask: Option<AskId>,
    /// What happened. None where it was erased (retention, secrets): its number and hash stay.
    /// A `Saved` that is read back says *that* a sheet was saved, without its entries: those are
    /// in the ask, and only the latest.
    pub fact: Option<Arc<Fact>>,
}

/// Whom an ask is for, where that is not simply its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum People {
    /// Whoever may come in as a person.
    Anyone,
    /// These.
    Some(Arc<[UserId]>),
}

impl People {
    /// Whether this person is one of them.
    pub fn has(&self, user: &UserId) -> bool {
        match self {
            Self::Anyone => true,
            Self::Some(people) => people.contains(user),
        }
    }
}

/// The latest fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its number; 0 before the first.
    pub number: u64,
    /// Its hash, which stands for everything before it too.
    pub hash: [u8; 32],
}

/// How much is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Asks without an outcome.
    pub open_asks: u64,
    pub facts: u64,
    /// Sessions, ended ones included.
    pub sessions: u64,
}
