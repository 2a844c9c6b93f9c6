//! How long an agent's calls over MCP are held.
//!
//! Clients give up on a silent server, each in its own way (measured: docs/mcp.md). A call is held a little less
//! than that: one that comes back in time loses nothing, because the question stays open, and the next call goes on
//! waiting.

use std::time::Duration;

/// As long as it takes: more than a day, and less than what any client allows in all.
pub const ENDLESS: Duration = Duration::from_hours(27);
/// For a client that gives up after 600 s.
pub const TEN_MINUTES: Duration = Duration::from_secs(585);
/// For a client that gives up after 300 s.
pub const FIVE_MINUTES: Duration = Duration::from_secs(285);
/// For a client that gives up after 60 s, as most do.
pub const ONE_MINUTE: Duration = Duration::from_secs(50);

/// How long calls are held. Over HTTP without progress it is a minute for every client: nothing is sent then until
/// the end, and many wait no longer for the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Over stdio, without progress.
    pub silent: Duration,
    /// Over stdio, with progress.
    pub with_progress: Duration,
    /// Over HTTP, with progress.
    pub over_http: Duration,
}

impl Patience {
    /// Over stdio and over HTTP, with progress and without.
    pub const fn always(held: Duration) -> Self {
        Self { silent: held, with_progress: held, over_http: held }
    }
}
