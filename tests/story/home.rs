//! A home of its own for every test: the real programs in a cleared environment, and a daemon that
//! is gone when the test is, however it ended.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::Deref;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use askuser_system::peer::{Standing, ancestors, judge};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::tmux::Tmux;
#[path = "../home.rs"]
mod folder;

use folder::PATIENCE;
pub(crate) use folder::{ASKUSER, eventually, signal};

/// A command that needs a daemon, changes nothing and says so.
pub(crate) const WAKES: [&str; 4] = ["purge", "--older-than", "1d", "--dry-run"];

/// A home. Whatever daemon owns its data folder ends with it.
pub(crate) struct TestHome {
    folder: folder::Folder,
}

impl Deref for TestHome {
    type Target = folder::Folder;

    fn deref(&self) -> &Self::Target {
        &self.folder
    }
}

/// A program that is running away from any terminal, its words in files.
pub(crate) struct Program {
    child: Child,
    files: tempfile::TempDir,
}

/// How the desk knows a person whose command this test starts: by their key, because a test is no terminal
/// that a person opened. Where an agent runs the tests, the desk sees that as well.
pub(crate) fn by_key(channel: &str, program: &str) -> Value {
    let path = std::fs::canonicalize(program).unwrap();
    match judge(&ancestors(std::process::id())) {
        Standing::Marked(mark) => {
            json!({"user": "local", "channel": "api", "proof": "as_person", "program": {"path": path, "mark": mark}})
        }
        Standing::Terminal | Standing::Unproven(_) => {
            json!({"user": "local", "channel": channel, "proof": "key_file", "program": {"path": path}})
        }
    }
}

impl TestHome {
    pub(crate) fn new() -> Self {
        Self { folder: folder::Folder::new(Signal::KILL) }
    }

    /// The data folder, as a variable's value.
    pub(crate) fn data(&self) -> String {
        self.home.folder().to_str().unwrap().to_owned()
    }

    /// A terminal of the person's own: what runs there is theirs, also where an agent runs the tests.
    pub(crate) fn terminal(&self) -> Tmux {
        Tmux::start(self.path(), &[("ASKUSER_HOME", &self.data())])
    }

    /// A command in this home, away from any terminal.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(program).args(args).env_clear();
        command.env("HOME", self.folder.path()).env("ASKUSER_HOME", self.home.folder());
        command.env("LANG", "C.UTF-8").env("PATH", "/usr/bin:/bin").env("TMPDIR", self.folder.path());
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs `askuser` to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(ASKUSER, args).output().unwrap()
    }

    /// Runs `askuser` with variables.
    pub(crate) fn run_with(&self, vars: &[(&str, &str)], args: &[&str]) -> Output {
        self.command(ASKUSER, args).envs(vars.iter().copied()).output().unwrap()
    }

    /// Runs `askuser`, which must end well, and returns what it printed.
    #[track_caller]
    pub(crate) fn prints(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", crate::asks::told(&output));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    /// Starts the daemon in the background, as a command does that needs one.
    #[track_caller]
    pub(crate) fn wakes(&self) {
        self.prints(&WAKES);
    }

    /// Runs `askuser`, which must print JSON.
    #[track_caller]
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.prints(args)).unwrap()
    }

    /// Starts a program and leaves it running.
    pub(crate) fn start(&self, program: &str, args: &[&str]) -> Program {
        Program::start(&mut self.command(program, args))
    }

    /// Starts `askuser ask` at the desk and waits until the desk has the question; returns its id.
    #[track_caller]
    pub(crate) fn asks(&self, args: &[&str]) -> (Program, String) {
        let args: Vec<&str> = ["ask", "--where", "desk"].into_iter().chain(args.iter().copied()).collect();
        let program = self.start(ASKUSER, &args);
        let said = program.says("Waiting for an answer");
        let id = said.split_once("(ask_").unwrap().1;
        let id = format!("ask_{}", &id[..26]);
        (program, id)
    }

    /// Starts a daemon in the foreground and waits for its first line.
    #[track_caller]
    pub(crate) fn serve(&self, args: &[&str]) -> Program {
        let args: Vec<&str> = ["serve"].into_iter().chain(args.iter().copied()).collect();
        // Not through `setsid --wait`: the process must be the daemon itself.
        let program = Program::start(&mut self.program(&args));
        let url = program.prints("askuser listening on http://");
        assert!(url.starts_with("askuser listening on http://127.0.0.1:"), "the first line: {url}");
        program
    }

    /// Kills a daemon that was started by hand, and nobody starts it again: as if it had been stopped.
    pub(crate) fn kill_for_good(&self) {
        self.kill();
        std::fs::remove_file(self.home.daemon_json()).unwrap();
    }

    /// What stands in the log of the daemon in the background.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.home.log()).unwrap_or_default()
    }
}

impl Program {
    /// Starts a command and leaves it running.
    pub(crate) fn start(command: &mut Command) -> Self {
        Self::start_with(command.stdin(Stdio::null()))
    }

    /// Starts a command with its own standard input and leaves it running.
    pub(crate) fn start_with(command: &mut Command) -> Self {
        let files = tempfile::tempdir().unwrap();
        let file = |name: &str| File::create(files.path().join(name)).unwrap();
        let child = command.stdout(file("stdout")).stderr(file("stderr")).spawn().unwrap();
        Self { child, files }
    }

    fn read(&self, name: &str) -> String {
        let mut text = String::new();
        File::open(self.files.path().join(name)).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// What it printed on standard output so far.
    pub(crate) fn stdout(&self) -> String {
        self.read("stdout")
    }

    /// What it said on standard error so far.
    pub(crate) fn stderr(&self) -> String {
        self.read("stderr")
    }

    fn line(&self, name: &str, text: &str) -> String {
        eventually(&format!("{text:?} on {name}"), || {
            let file = BufReader::new(File::open(self.files.path().join(name)).unwrap());
            let mut lines = file.lines().map_while(Result::ok);
            // A line counts when it is whole.
            let found = lines.find(|line| line.contains(text))?;
            self.read(name).contains(&format!("{found}\n")).then_some(found)
        })
    }

    /// Waits until it says something on standard error, and returns that line.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> String {
        self.line("stderr", text)
    }

    /// Waits until it prints something on standard output, and returns that line.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) -> String {
        self.line("stdout", text)
    }

    /// Its standard input, where it was started with a pipe.
    #[track_caller]
    pub(crate) fn take_stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// The process.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it ends; returns its exit code.
    #[track_caller]
    pub(crate) fn ends(&mut self) -> i32 {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(Instant::now() < until, "it does not end: {} {}", self.stdout(), self.stderr());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether it is still running.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A test that failed must not leave its program behind; one that ended cannot be killed.
        let _gone = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// The data folder's path, for those that are not there.
pub(crate) fn below_a_file(home: &TestHome) -> PathBuf {
    let file = home.folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    file.join("desk")
}
