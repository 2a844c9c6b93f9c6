//! Processes that a daemon left behind when it was killed: found again by what is on record of them,
//! and ended.
//!
//! A process's number is used again, so it counts only with the moment at which it began; and what
//! carries a task's mark in its environment belongs to that task, wherever it went.

use std::fs;

use askuser_core::id::{ServerId, TaskId};
use askuser_core::task::Child as Process;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::child::{MARK, SERVER};

/// Returns when a process began, as the system counts; none where that cannot be known.
pub(super) fn started(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything; the 22nd field is the 20th after it.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

/// Ends what is left of a task's process and of everything that it started.
pub(super) fn end(process: Process, task: TaskId, server: ServerId) {
    let is_it = started(process.pid).is_some_and(|started| started == process.started);
    if let Some(group) = i32::try_from(process.pid).ok().and_then(Pid::from_raw).filter(|_| is_it) {
        let _ended = kill_process_group(group, Signal::KILL);
    }
    end_marked(task, server);
}

/// Ends every process that carries the task's mark: also one that left its group. What another server
/// on this machine runs of it is that one's.
pub(super) fn end_marked(task: TaskId, server: ServerId) {
    let (mark, own, any) = (format!("{MARK}={task}"), format!("{SERVER}={server}"), format!("{SERVER}="));
    end_where(|environ| {
        let theirs = |variable: &[u8]| variable.starts_with(any.as_bytes()) && variable != own.as_bytes();
        let mut variables = environ.split(|byte| *byte == 0);
        variables.clone().any(|variable| variable == mark.as_bytes()) && !variables.any(theirs)
    });
}

/// Ends every process that runs for any task of this server.
pub(super) fn end_all_of(server: ServerId) {
    let mark = format!("{SERVER}={server}");
    end_where(|environ| environ.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes()));
}

/// Ends every process with such an environment; never our own.
fn end_where(is_meant: impl Fn(&[u8]) -> bool) {
    let own = i32::try_from(std::process::id()).ok();
    let Ok(entries) = fs::read_dir("/proc") else { return };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    for pid in pids.filter(|pid| Some(*pid) != own) {
        // Those of others cannot be read, and are not ours.
        let Ok(environ) = fs::read(format!("/proc/{pid}/environ")) else { continue };
        if let Some(pid) = Pid::from_raw(pid).filter(|_| is_meant(&environ)) {
            let _ended = kill_process(pid, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_when_it_began() {
        let own = std::process::id();
        assert!(started(own).is_some_and(|began| began > 0));
        assert_eq!(started(own), started(own));
        assert_eq!(started(u32::MAX), None);
        // Another that has the number now is let alone: this very test would not end well.
        end(Process { pid: own, started: 1 }, TaskId(1), ServerId(1));
    }
}
