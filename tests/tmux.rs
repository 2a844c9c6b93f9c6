//! A real multiplexer, as a person has it: its server comes from nobody, so that what runs in it stands in a
//! terminal whoever runs the tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

/// A server with an environment of its own. It ends with the test.
pub(crate) struct Tmux {
    folder: tempfile::TempDir,
    n_runs: AtomicU32,
}

/// A command that ran in a window.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Tmux {
    /// Starts a server with these variables and no others.
    #[track_caller]
    pub(crate) fn start(home: &Path, vars: &[(&str, &str)]) -> Self {
        let tmux = Self { folder: tempfile::tempdir().unwrap(), n_runs: AtomicU32::new(0) };
        let mut command = tmux.command(&["new-session", "-d", "-s", "main", "-x", "120", "-y", "40", "sh"]);
        command.env("HOME", home).env("LANG", "C.UTF-8").envs(vars.iter().copied());
        let output = command.current_dir(home).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        tmux
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command.env_clear().env("PATH", "/usr/bin:/bin").arg("-S").arg(self.path("socket"));
        command.args(["-f", "/dev/null"]).args(args);
        command
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Tells the server something and returns what it answers.
    #[track_caller]
    pub(crate) fn tell(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs a line of shell in a window of its own, to its end.
    #[track_caller]
    pub(crate) fn run(&self, line: &str) -> Ran {
        let number = self.n_runs.fetch_add(1, Ordering::Relaxed);
        let file = |name: &str| self.path(&format!("{number}.{name}"));
        let text = format!(
            "( {line}\n) >{out} 2>{err} </dev/tty\necho $? >{new}\nmv {new} {code}\n",
            out = file("out").display(),
            err = file("err").display(),
            new = file("new").display(),
            code = file("code").display(),
        );
        fs::write(file("sh"), text).unwrap();
        self.tell(&["new-window", "-d", "-t", "main", "sh", file("sh").to_str().unwrap()]);
        let until = Instant::now() + PATIENCE;
        let code = loop {
            if let Ok(code) = fs::read_to_string(file("code")) {
                break code;
            }
            assert!(Instant::now() < until, "{line} does not end: {:?}", fs::read_to_string(file("err")));
            std::thread::sleep(Duration::from_millis(5));
        };
        let read = |name: &str| fs::read_to_string(file(name)).unwrap();
        Ran { code: code.trim().parse().unwrap(), stdout: read("out"), stderr: read("err") }
    }

    /// Runs a program in a window of its own, which must end well; returns what it printed.
    #[track_caller]
    pub(crate) fn prints(&self, program: &str, args: &[&str]) -> String {
        let quoted = [&[program], args].concat().iter().map(|word| format!("'{word}'")).collect::<Vec<_>>();
        let ran = self.run(&quoted.join(" "));
        assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
        ran.stdout.trim_end().to_owned()
    }

    /// Types into the first window, as people do: what came up less than 400 ms ago takes no answer.
    #[track_caller]
    pub(crate) fn types(&self, keys: &[&str]) {
        if keys.contains(&"Enter") {
            std::thread::sleep(Duration::from_millis(420));
        }
        self.tell(&[&["send-keys", "-t", "main:0"], keys].concat());
    }

    /// Waits until the first window shows something.
    #[track_caller]
    pub(crate) fn sees(&self, text: &str) {
        self.sees_when(text, |screen| screen.contains(text));
    }

    /// Waits until what the first window shows fits.
    #[track_caller]
    pub(crate) fn sees_when(&self, what: &str, mut fits: impl FnMut(&str) -> bool) {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.tell(&["capture-pane", "-p", "-t", "main:0"]);
            if fits(&screen) {
                return;
            }
            assert!(Instant::now() < until, "never seen: {what}\n{screen}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        // One that is gone cannot be ended again.
        let _ended = self.command(&["kill-server"]).output();
    }
}
