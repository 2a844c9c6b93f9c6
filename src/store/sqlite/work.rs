//! What the writer is given to do. Closed words, not closures: a batch can be done over.

use std::time::Duration;

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::{SendTimeoutError, TrySendError};
use tokio::sync::oneshot;

use super::read::closed;
use crate::store::waits::waiting;
use crate::store::{Committed, KeyId, KeyRow, Order, Pass, SecretHash, SecurityEvent, StoreError, User};

/// How long a caller waits to hand its work in; then it is told to come back.
const HAND_IN_MAX: Duration = Duration::from_secs(2);

/// One piece of work and who waits for it.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) reply: oneshot::Sender<Result<Done, StoreError>>,
}

/// One piece of work.
pub(super) enum Work {
    /// A command on a session, and the address that it came from.
    Commit(Box<Order>, Option<String>),
    /// Who may come in, and what else is not a command.
    Change(Change),
    /// Finish, flush, close.
    Close,
}

pub(super) enum Change {
    AddUser(User),
    DisableUser(UserId, Timestamp),
    AddKey(KeyRow),
    RevokeKey(KeyId, Timestamp),
    AddCookie(SecretHash, Pass, Timestamp),
    RevokeCookie(SecretHash),
    AddLoginLink(SecretHash, Pass, Timestamp),
    UseLoginLink(SecretHash, Timestamp),
    EraseSecrets(AskId),
    AddEvents(Vec<SecurityEvent>),
    EraseBefore(Timestamp, usize),
    /// Writes what is there already.
    Probe,
    /// Lets the file grow to so many pages and no further: a full disk, for tests.
    #[cfg(test)]
    Quota(u32),
}

/// What came of it.
#[derive(Debug)]
pub(super) enum Done {
    Committed(Box<Committed>),
    /// Whether it changed anything.
    Changed(bool),
    LetIn(Option<UserId>),
    Erased(u64),
}

/// Hands work to the writer. Most find room at once, and need no alarm for it.
pub(super) async fn hand_in(queue: &Sender<Job>, job: Job) -> Result<(), StoreError> {
    let job = match queue.try_send(job) {
        Ok(()) => return Ok(()),
        Err(TrySendError::Full(job)) => job,
        Err(TrySendError::Closed(_)) => return Err(closed()),
    };
    let handing_in = queue.send_timeout(job, HAND_IN_MAX);
    waiting("the store's queue", handing_in).await.map_err(|error| match error {
        SendTimeoutError::Timeout(_) => StoreError::Unavailable("too much is asked of it at once".to_owned()),
        SendTimeoutError::Closed(_) => closed(),
    })
}
