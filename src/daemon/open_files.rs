//! How many files and connections the system lets us have open at once.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

/// What some systems let a process have at most, whatever they say.
const SYSTEM_MAX: u64 = 10_240;

/// Takes as many as we may have: shells and service managers often start a program with far fewer.
pub(super) fn take_all() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current == maximum {
        return;
    }
    let wanted = |current| Rlimit { current, maximum };
    let taken = setrlimit(Resource::Nofile, wanted(maximum));
    // Without a limit of its own, a system may still refuse to go without one.
    let fewer = || setrlimit(Resource::Nofile, wanted(current.max(Some(SYSTEM_MAX))));
    if let Err(error) = taken.or_else(|error| if maximum.is_none() { fewer() } else { Err(error) }) {
        warn!("The limit of open files stays at {current:?}: {error}");
    }
}
