//! Processes as `ps` tells of them, where there is no `/proc`.

#[cfg(target_os = "macos")]
use std::process::Command;

use super::Process;

/// Returns what the system knows of a process.
#[cfg(target_os = "macos")]
pub(super) fn process(pid: u32) -> Option<Process> {
    let ps = |columns: &[&str]| {
        let mut command = Command::new("/bin/ps");
        command.env_clear().env("LC_ALL", "C").arg("-ww").args(columns).args(["-p", &pid.to_string()]);
        let output = command.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let mut process = read(pid, &ps(&["-o", "ppid=,tty=,lstart=,comm="])?)?;
    let words = ps(&["-o", "command="]).unwrap_or_default();
    process.words = words.split_whitespace().map(str::to_owned).collect();
    // The arguments and behind them the environment, all in one line.
    let block = ps(&["-E", "-o", "command="]).unwrap_or_default().replace(' ', "\0");
    let environment = crate::environment::Environment::of_block(block.as_bytes());
    (process.mark, process.doubt) = (environment.agent_mark(), environment.agent_doubt());
    Some(process)
}

/// Reads a line: the parent, the terminal, `Tue Nov 17 17:43:10 2026`, and the program's path, which may
/// hold blanks.
fn read(pid: u32, line: &str) -> Option<Process> {
    let mut rest = line.trim();
    let mut word = || {
        let (word, behind) = rest.split_once(char::is_whitespace)?;
        rest = behind.trim_start();
        Some(word)
    };
    let parent = word()?.parse().ok()?;
    let has_terminal = !word()?.starts_with('?');
    let (_weekday, month, day, time, year) = (word()?, word()?, word()?, word()?, word()?);
    let started = started(year, month, day, time)?;
    let program = rest.to_owned();
    let name = super::programs::file_name(&program).to_owned();
    Some(Process { pid, parent, started, program, name, has_terminal, ..Process::default() })
}

/// Makes a number of a time that only has to compare: the later, the larger.
fn started(year: &str, month: &str, day: &str, time: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let number = |text: &str| text.parse::<u64>().ok();
    let month = MONTHS.find(month)? as u64 / 3;
    let mut clock = time.split(':').map(number);
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let days = (number(year)? * 12 + month) * 31 + number(day)?;
    Some(((days * 24 + hour) * 60 + minute) * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_ps_is_read() {
        let line =
            "  501 ttys003  Tue Nov  3 07:43:10 2026     /Applications/My Terminal.app/Contents/Terminal\n";
        let process = read(42, line).unwrap();
        assert_eq!((process.parent, process.has_terminal), (501, true));
        assert_eq!(process.program, "/Applications/My Terminal.app/Contents/Terminal");
        assert_eq!(process.name, "Terminal");
        let later = read(42, "1 ?? Tue Dec  1 00:00:00 2026 login").unwrap();
        assert!(!later.has_terminal && later.started > process.started);
        for broken in
            ["", "x ttys003 Tue Nov 3 07:43:10 2026 sh", "1 ? Tue Nov 3", "1 ? Tue Xyz 3 1:2:3 2026 sh"]
        {
            assert_eq!(read(42, broken), None, "{broken}");
        }
    }
}
