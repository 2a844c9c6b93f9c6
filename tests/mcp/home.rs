//! A data folder of its own for every test, the person who answers there, and a daemon that is gone
//! when the test is.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use askuser_client::home::{Found, Home, Running};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::http;

pub(crate) const ASKUSER: &str = env!("CARGO_BIN_EXE_askuser");
/// Longer than anything takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A home with its person.
pub(crate) struct TestHome {
    folder: tempfile::TempDir,
    pub(crate) home: Home,
}

/// Waits until something is so, bounded.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "waited for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

impl TestHome {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(folder.path().join("desk"));
        Self { folder, home }
    }

    /// A home whose daemon is there already, in the background.
    pub(crate) fn with_daemon() -> Self {
        let home = Self::new();
        home.start();
        home
    }

    /// A home whose daemon is configured to take answers of the agent's own dialog.
    pub(crate) fn start_with_dialogs() -> Self {
        let home = Self::with_dialogs();
        home.start();
        home
    }

    /// The same before anything was started there: no daemon, no key.
    pub(crate) fn with_dialogs() -> Self {
        let home = Self::new();
        std::fs::create_dir_all(home.home.folder()).unwrap();
        std::fs::write(home.home.config(), "mcp:\n  agent_dialog: true\n").unwrap();
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// `askuser` in this home, without anything else in its environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(ASKUSER);
        command.args(args).env_clear().current_dir(self.path()).stdin(Stdio::null());
        command.env("HOME", self.path()).env("ASKUSER_HOME", self.home.folder()).env("PATH", "/usr/bin:/bin");
        command
    }

    /// Starts the daemon on a free port, as its own process.
    pub(crate) fn start(&self) {
        self.start_with(&[]);
    }

    /// The same with variables.
    pub(crate) fn start_with(&self, vars: &[(&str, &str)]) {
        std::fs::create_dir_all(self.home.folder()).unwrap();
        let log = std::fs::File::options().create(true).append(true).open(self.path().join("log")).unwrap();
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.envs(vars.iter().copied()).stdout(Stdio::null()).stderr(log);
        // It is found, and ended, by its lock.
        let child: Child = command.spawn().unwrap();
        std::thread::spawn(move || {
            let mut child = child;
            let _ended = child.wait();
        });
        self.daemon();
    }

    /// The daemon that owns the folder now.
    #[track_caller]
    pub(crate) fn daemon(&self) -> Running {
        eventually("a daemon", || self.home.running())
    }

    /// Kills the daemon as a crash would.
    pub(crate) fn kill(&self) {
        let pid = Pid::from_raw(i32::try_from(self.daemon().pid).unwrap()).unwrap();
        kill_process(pid, Signal::KILL).unwrap();
        eventually("the lock to be free", || (!self.home.is_held()).then_some(()));
    }

    pub(crate) fn key(&self, name: &str) -> String {
        let path = self.home.keys().join(name);
        eventually("a key", || std::fs::read_to_string(&path).ok()).trim().to_owned()
    }

    /// Calls the desk with one of its keys.
    #[track_caller]
    pub(crate) fn call_as(&self, key: &str, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let url = self.daemon().url;
        let address = url.strip_prefix("http://").unwrap();
        eventually("the desk", || http::call(address, method, path, &self.key(key), body))
    }

    /// Calls the desk as its person; none where it is away.
    fn call(&self, method: &str, path: &str, body: Option<&Value>) -> Option<(u16, Value)> {
        let url = self.home.running()?.url;
        http::call(url.strip_prefix("http://")?, method, path, &self.key("person"), body)
    }

    /// What is open.
    pub(crate) fn inbox(&self) -> Vec<Value> {
        let listed = eventually("the inbox", || self.call("GET", "/api/inbox", None));
        listed.1["asks"].as_array().unwrap().clone()
    }

    /// Waits until so many asks are open.
    #[track_caller]
    pub(crate) fn until_open(&self, n_open: usize) -> Vec<Value> {
        eventually(&format!("{n_open} open asks"), || Some(self.inbox()).filter(|asks| asks.len() == n_open))
    }

    /// Waits until the desk has noticed that everybody else has hung up.
    #[track_caller]
    pub(crate) fn until_alone(&self) {
        let url = self.daemon().url;
        let (address, bearer) =
            (url.strip_prefix("http://").unwrap(), format!("Bearer {}", self.key("admin")));
        eventually("the others to be away", || {
            let figures = http::send(address, "GET", "/metrics", &[("Authorization", &bearer)], None)?.text();
            figures.lines().any(|line| line.ends_with("connections 1")).then_some(())
        });
    }

    /// The ask as its person sees it.
    pub(crate) fn ask(&self, id: &str) -> Value {
        eventually("the ask", || self.call("GET", &format!("/api/asks/{id}"), None)).1
    }

    /// The person answers an ask; returns it.
    #[track_caller]
    pub(crate) fn answer(&self, ask: &Value, answers: Value) -> Value {
        let path = format!("/api/asks/{}/answer", ask["ask_id"].as_str().unwrap());
        let (status, told) = self.call("POST", &path, Some(&json!({ "answers": answers }))).unwrap();
        assert_eq!(status, 200, "{told}");
        told
    }

    /// The person answers the one question that is open: a choice, or a text where there is none.
    #[track_caller]
    pub(crate) fn pick(&self, label: &str) -> Value {
        let ask = self.until_open(1).remove(0);
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        self.answer(&ask, json!({ question: label }))
    }

    /// The person declines the one ask that is open.
    pub(crate) fn decline(&self, reason: &str) {
        let ask = self.until_open(1).remove(0);
        let path = format!("/api/asks/{}/cancel", ask["ask_id"].as_str().unwrap());
        let (status, told) = self.call("POST", &path, Some(&json!({ "reason": reason }))).unwrap();
        assert_eq!(status, 200, "{told}");
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        let until = Instant::now() + PATIENCE;
        while self.home.look() == Found::Starting && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Found::Running(running) = self.home.look() {
            let pid = i32::try_from(running.pid).ok().and_then(Pid::from_raw);
            // Whoever holds the lock of this folder is this test's own.
            let _killed = pid.map(|pid| kill_process(pid, Signal::KILL));
        }
        while self.home.is_held() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// One question with two options, as an agent asks it.
pub(crate) fn which(text: &str) -> Value {
    json!({"questions": [{"question": text, "header": "H", "multiSelect": false, "options": [
        {"label": "Alpha", "description": "the first"}, {"label": "Beta", "description": "the second"}]}]})
}
