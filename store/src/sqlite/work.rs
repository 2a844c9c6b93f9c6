//! What the writer is given to do. Closed words, not closures: a batch can be done over.

use std::net::IpAddr;

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use tokio::sync::oneshot;

use super::nudge::NudgeChange;
use super::push::PushChange;
use super::rule::RuleChange;
use crate::audit::WatchedFile;
use crate::nudges::EndedNudge;
use crate::{
    BrowserChange, BrowserId, Committed, KeyId, KeyRow, Order, Pass, SecretHash, SecurityEvent, SignedIn,
    StoreError, User,
};

/// One piece of work and who waits for it.
pub(super) struct Job {
    pub(super) work: Work,
    pub(super) reply: oneshot::Sender<Result<Done, StoreError>>,
}

/// One piece of work.
pub(super) enum Work {
    /// A command on a session, and the address that it came from.
    Commit(Box<Order>, Option<IpAddr>),
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
    AddCookie(SecretHash, Box<SignedIn>, Timestamp),
    Browser(UserId, BrowserId, BrowserChange),
    RevokeCookie(SecretHash),
    AddLoginLink(SecretHash, Pass, Timestamp),
    UseLoginLink(SecretHash, Timestamp),
    EraseSecrets(AskId),
    AddEvents(Vec<SecurityEvent>),
    NoteFile(WatchedFile, SecurityEvent),
    EraseBefore(Timestamp, usize),
    /// What people are told of open asks, and the links that answer them.
    Nudge(NudgeChange),
    /// The browsers that asked to be told.
    Push(PushChange),
    /// The rules that people made.
    Rule(RuleChange),
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
    LetIn(Option<Pass>),
    Erased(u64),
    Ended(Vec<EndedNudge>),
    Kept(Vec<u8>),
}

pub(super) fn mixed_up() -> StoreError {
    StoreError::Unavailable("the writer answered something else".to_owned())
}
