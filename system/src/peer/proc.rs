//! Processes as Linux tells of them, in `/proc`.

use std::fs;

use super::Process;
use crate::environment::Environment;

/// Where in `/proc/PID/stat` something stands, counted from behind the name.
const PARENT: usize = 1;
const TERMINAL: usize = 4;
const STARTED: usize = 19;

/// Returns what the system knows of a process; none where there is none, or it is hidden from us.
pub(super) fn process(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut process = read(pid, &stat)?;
    if let Ok(path) = fs::read_link(format!("/proc/{pid}/exe")) {
        let path = path.to_string_lossy();
        // It was replaced while it ran.
        path.strip_suffix(" (deleted)").unwrap_or(&path).clone_into(&mut process.program);
    }
    // Another user's are not shown to us: then its program has to say enough.
    let environment = Environment::of_block(&fs::read(format!("/proc/{pid}/environ")).unwrap_or_default());
    (process.mark, process.doubt) = (environment.agent_mark(), environment.agent_doubt());
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    process.words = words.collect();
    Some(process)
}

/// Reads `/proc/PID/stat`: `42 (a name) S 1 …`. A name may hold brackets and blanks.
fn read(pid: u32, stat: &str) -> Option<Process> {
    let (before, after) = stat.rsplit_once(')')?;
    let name = before.split_once('(')?.1.to_owned();
    let fields: Vec<&str> = after.split_whitespace().collect();
    Some(Process {
        pid,
        parent: fields.get(PARENT)?.parse().ok()?,
        started: fields.get(STARTED)?.parse().ok()?,
        has_terminal: *fields.get(TERMINAL)? != "0",
        program: name.clone(),
        name,
        ..Process::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_is_read_whatever_the_process_calls_itself() {
        let rest = "S 7 42 42 34816 42 4194560 1 0 0 0 0 0 0 0 20 0 1 0 84119 1 2";
        for name in ["bash", "tmux: server", "a) S 1 (b", ""] {
            let process = read(42, &format!("42 ({name}) {rest}\n")).unwrap();
            assert_eq!((process.name.as_str(), process.parent, process.started), (name, 7, 84119));
            assert!(process.has_terminal);
        }
        assert!(!read(42, "42 (x) S 7 42 42 0 -1 0 1 0 0 0 0 0 0 0 20 0 1 0 5 1").unwrap().has_terminal);
        for broken in ["", "42 (x", "42 (x) S 7"] {
            assert_eq!(read(42, broken), None);
        }
    }

    #[test]
    fn our_own_process_is_found() {
        let own = process(std::process::id()).unwrap();
        assert_eq!(own.program, std::env::current_exe().unwrap().to_string_lossy());
        assert_eq!(process(u32::MAX), None);
    }
}
