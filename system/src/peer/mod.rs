//! Which process speaks over the Unix socket, and what that proves of a person (invariant 6).
//!
//! The system says who connected (`SO_PEERCRED`, `LOCAL_PEERPID`); the process and its ancestors are
//! looked at here, never asked. It is a fence and no wall: a program that runs under the same user id
//! can take away its marks, and can type into a terminal of that user.

mod chain;
mod programs;
#[cfg(target_os = "linux")]
mod proc;
#[cfg(any(target_os = "macos", test))]
mod ps;

use tokio::net::UnixStream;
use tokio::sync::OnceCell;

pub use self::chain::{Evidence, Process, Standing, judge};

#[cfg(target_os = "linux")]
use self::proc as system;
#[cfg(target_os = "macos")]
use self::ps as system;

/// More ancestors than any shell has.
const ANCESTORS_MAX: usize = 64;

/// The process at the other end of a connection, as the system named it when it connected.
#[derive(Debug)]
pub struct Peer {
    /// Its id; none where the system does not say, or it lives in another namespace.
    pid: Option<u32>,
    /// When it was started, read at once: a later process of the same id is another.
    started: Option<u64>,
    evidence: OnceCell<Evidence>,
}

impl Peer {
    /// Returns who is at the other end.
    pub fn of(stream: &UnixStream) -> Self {
        let own = rustix::process::geteuid().as_raw();
        let credentials = stream.peer_cred().ok().filter(|credentials| credentials.uid() == own);
        let pid = credentials.and_then(|credentials| u32::try_from(credentials.pid()?).ok());
        Self::new(pid.filter(|pid| *pid != 0))
    }

    fn new(pid: Option<u32>) -> Self {
        let started = pid.and_then(|pid| Some(system::process(pid)?.started));
        Self { pid, started, evidence: OnceCell::new() }
    }

    /// Looks at the process and its ancestors: once for a connection, at the first request that wants to
    /// know.
    pub async fn evidence(&self) -> &Evidence {
        self.evidence
            .get_or_init(|| async {
                let (pid, started) = (self.pid, self.started);
                let looking = tokio::task::spawn_blocking(move || evidence_of(pid, started));
                looking.await.unwrap_or_default()
            })
            .await
    }
}

/// Returns what is known of a process.
pub fn evidence_of(pid: Option<u32>, started: Option<u64>) -> Evidence {
    let chain = pid.map(ancestors).unwrap_or_default();
    match chain.first() {
        Some(peer) if Some(peer.started) == started => {
            Evidence { program: Some(peer.program.clone()), standing: judge(&chain) }
        }
        _ => Evidence::default(),
    }
}

/// Returns a process and its ancestors, the nearest first, up to the first process of the system, or to
/// where the chain breaks off.
pub fn ancestors(pid: u32) -> Vec<Process> {
    let mut chain: Vec<Process> = Vec::new();
    let mut next = pid;
    while next != 0 && chain.len() < ANCESTORS_MAX {
        let Some(process) = system::process(next) else { break };
        // A parent is older than its child. A younger one took the id of one that is gone.
        if chain.last().is_some_and(|child| child.started < process.started) {
            break;
        }
        next = process.parent;
        chain.push(process);
    }
    chain
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod system {
    use super::Process;

    /// Nothing is known of processes here, so nothing is proven.
    pub(super) fn process(_: u32) -> Option<Process> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_other_end_of_a_socket_is_known_and_its_ancestors_are_looked_at() {
        let (here, _there) = UnixStream::pair().unwrap();
        let peer = Peer::of(&here);
        assert_eq!(peer.pid, Some(std::process::id()));
        let evidence = peer.evidence().await;
        let own = std::env::current_exe().unwrap();
        assert_eq!(evidence.program.as_deref(), own.to_str());
        // This test is no command of ours, whatever started it.
        assert_ne!(evidence.standing, Standing::Terminal);
    }

    #[test]
    fn another_process_under_the_same_id_proves_nothing() {
        let own = std::process::id();
        let started = system::process(own).unwrap().started;
        assert!(evidence_of(Some(own), Some(started)).program.is_some());
        for (pid, started) in [(Some(own), Some(started + 1)), (Some(own), None), (None, Some(started))] {
            assert_eq!(evidence_of(pid, started), Evidence::default());
        }
    }

    #[test]
    fn a_chain_leads_from_a_process_to_its_oldest_ancestor() {
        let chain = ancestors(std::process::id());
        assert!(chain.len() > 1, "{chain:?}");
        assert!(chain.windows(2).all(|pair| pair[0].parent == pair[1].pid));
    }
}
