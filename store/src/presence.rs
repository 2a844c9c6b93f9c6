//! Which servers are there: each says so now and then, to the store that they share.

use std::time::Duration;

use askuser_core::id::ServerId;

/// A server that says that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Present {
    /// Its name.
    pub server: ServerId,
    /// Which of its starts: a number that no other start has.
    pub start: u128,
    /// For how long others wait for it before they hold it for gone.
    pub patience: Duration,
}
