//! Long output on a terminal goes through the person's pager, as with git and gh: `ASKUSER_PAGER`, else
//! `PAGER`, else `less`. One that is not there is no failure: the text is printed as it is.

use std::io::Write;
use std::process::{Command, Stdio};

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::signal::unix::{SignalKind, signal};

use askuser_system::environment::Environment;
use askuser_terminal::width::width;

/// What a shell says of a program that is not there.
const NOT_THERE: i32 = 127;
/// The pager of whoever named none.
const USUAL: &str = "less";
/// What `less` and `lv` are told unless their person told them something: leave when it fits, keep colours,
/// leave the text on the screen.
const VARIABLES: [(&str, &str); 3] = [("LESS", "FRX"), ("LESSCHARSET", "utf-8"), ("LV", "-c")];

/// A pager, as its person has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pager {
    command: String,
    /// Variables that it is given because they are not set.
    variables: Vec<(&'static str, &'static str)>,
}

/// Returns the pager that is wanted; none where somebody said so, or where an agent runs this: nobody
/// would ever press `q`.
pub(super) fn wanted(environment: &Environment) -> Option<Pager> {
    if environment.agent_mark().is_some() || environment.get("TERM") == Some("dumb") {
        return None;
    }
    // Set to nothing is a person's word here: no pager.
    let named = ["ASKUSER_PAGER", "PAGER"].into_iter().find(|name| environment.is_set(name));
    let command = named.map_or(Some(USUAL), |name| environment.get(name)).filter(|pager| *pager != "cat")?;
    let variables = VARIABLES.into_iter().filter(|(name, _)| !environment.is_set(name)).collect();
    Some(Pager { command: command.to_owned(), variables })
}

/// Returns the rows that a text takes on a terminal.
pub(super) fn rows(text: &str, columns: usize) -> usize {
    let of = |line: &str| width(&without_codes(line)).div_ceil(columns.max(1)).max(1);
    text.lines().map(of).sum()
}

/// Takes the codes of colours out.
fn without_codes(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}

impl Pager {
    /// Shows a text until its person leaves; false where the program is not there.
    pub(super) fn show(&self, text: &str) -> bool {
        // Ctrl-C is the pager's: we stay until it has left the terminal.
        let runtime = match Handle::try_current() {
            Ok(_) => None,
            Err(_) => Builder::new_current_thread().enable_all().build().ok(),
        };
        let _entered = runtime.as_ref().map(Runtime::enter);
        let Ok(_ours) = signal(SignalKind::interrupt()) else { return false };
        // A shell takes the command apart, as it does for git. The program is looked for first, so that
        // nothing is lost where it is not there.
        let program = first_word(&self.command);
        let line = format!("command -v {program} >/dev/null 2>&1 || exit {NOT_THERE}; {}", self.command);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).envs(self.variables.iter().copied()).stdin(Stdio::piped());
        let Ok(mut child) = command.spawn() else { return false };
        if let Some(mut input) = child.stdin.take() {
            // Whoever leaves before the end has read enough.
            let _read = input.write_all(format!("{text}\n").as_bytes());
        }
        child.wait().is_ok_and(|status| status.code() != Some(NOT_THERE))
    }
}

/// The program of a command line.
fn first_word(command: &str) -> &str {
    command.split_whitespace().find(|word| !word.contains('=')).unwrap_or(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pager_is_the_persons_own_and_never_an_agents() {
        let wanted = |vars: &[(&str, &str)]| wanted(&Environment::of(vars)).map(|pager| pager.command);
        assert_eq!(wanted(&[]).as_deref(), Some("less"));
        assert_eq!(wanted(&[("PAGER", "more")]).as_deref(), Some("more"));
        assert_eq!(wanted(&[("PAGER", "more"), ("ASKUSER_PAGER", "bat -p")]).as_deref(), Some("bat -p"));
        for none in [
            &[("ASKUSER_PAGER", ""), ("PAGER", "more")][..],
            &[("PAGER", "cat")],
            &[("CLAUDECODE", "1")],
            &[("TERM", "dumb")],
        ] {
            assert_eq!(wanted(none), None, "{none:?}");
        }
    }

    #[test]
    fn a_text_takes_the_rows_that_are_seen() {
        assert_eq!(rows("a\nb", 10), 2);
        assert_eq!(rows("0123456789a", 10), 2);
        assert_eq!(rows("\u{1b}[32m0123456789\u{1b}[0m\n", 10), 1);
        assert_eq!(rows("数据库选择", 5), 2);
        assert_eq!(first_word("LESS=R less -S"), "less");
    }

    #[test]
    fn a_pager_that_is_not_there_shows_nothing() {
        let command = "askuser-no-such-pager".to_owned();
        assert!(!Pager { command, variables: Vec::new() }.show("text"));
    }
}
