//! A data folder of its own for every test, the person who answers there, and a daemon that is gone
//! when the test is.

use std::ops::Deref;
use std::process::Command;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::http;
#[path = "../home.rs"]
mod folder;
#[path = "../server.rs"]
mod server;

pub(crate) use folder::{PATIENCE, eventually};

/// A home with its person.
pub(crate) struct TestHome {
    folder: folder::Folder,
}

impl Deref for TestHome {
    type Target = folder::Folder;

    fn deref(&self) -> &Self::Target {
        &self.folder
    }
}

impl TestHome {
    pub(crate) fn new() -> Self {
        Self { folder: folder::Folder::new(Signal::KILL) }
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

    /// `askuser` in this home, without anything else in its environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.program(args)
    }

    /// Starts the daemon on a free port, as its own process.
    pub(crate) fn start(&self) {
        self.start_with(&[]);
    }

    /// The same with variables.
    pub(crate) fn start_with(&self, vars: &[(&str, &str)]) {
        let mut command = self.program(&["serve", "--listen", "127.0.0.1:0"]);
        command.envs(vars.iter().copied());
        self.start_server(command);
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

/// One question with two options, as an agent asks it.
pub(crate) fn which(text: &str) -> Value {
    json!({"questions": [{"question": text, "header": "H", "multiSelect": false, "options": [
        {"label": "Alpha", "description": "the first"}, {"label": "Beta", "description": "the second"}]}]})
}
