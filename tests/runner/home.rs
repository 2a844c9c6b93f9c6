//! A data folder of its own for every test, with agents configured, a daemon, and its person.

use std::fmt::Write as _;
use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::http;
use crate::tmux::Tmux;
#[path = "../home.rs"]
mod folder;
#[path = "../server.rs"]
mod server;

pub(crate) use folder::{ASKUSER, PATIENCE, eventually};

/// A home with its person and their agents.
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
    /// A home whose agents play these talks, each under the name of its talk.
    pub(crate) fn with(driver: &str, talks: &[&str]) -> Self {
        Self::with_more("", driver, talks)
    }

    /// The same with more lines under `runner`.
    pub(crate) fn with_more(more: &str, driver: &str, talks: &[&str]) -> Self {
        let home = Self::empty();
        home.configure(more, driver, talks);
        home.start();
        home
    }

    pub(crate) fn empty() -> Self {
        // Gently at the end, so that the server ends what it started.
        let home = Self { folder: folder::Folder::new(Signal::TERM) };
        fs::create_dir_all(home.home.folder()).unwrap();
        fs::create_dir_all(home.work()).unwrap();
        home
    }

    /// The folder in which agents may work, as the system names it.
    pub(crate) fn work(&self) -> PathBuf {
        fs::canonicalize(self.path()).unwrap().join("work")
    }

    /// Writes the configuration: an agent for each talk.
    pub(crate) fn configure(&self, more: &str, driver: &str, talks: &[&str]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner/agent.sh");
        let mut config = format!("runner:\n  folders: [{}]\n{more}agents:\n", self.work().display());
        for name in talks {
            let talk =
                Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/runner/{driver}/{name}.talk"));
            let text = fs::read_to_string(&talk).unwrap();
            let text = text.replace("@FOLDER@", &self.work().display().to_string());
            let text = text.replace("@VERSION@", env!("CARGO_PKG_VERSION")).replace("@PROGRAM@", ASKUSER);
            let text = text.replace("@HOME@", &self.home.folder().display().to_string());
            let own = self.path().join(format!("{name}.talk"));
            fs::write(&own, text).unwrap();
            write!(
                config,
                "  {name}:\n    driver: {driver}\n    command: /bin/sh\n    args: [{}, {}]\n    environment: [PATH, LISTED=yes, ASKUSER={ASKUSER}]\n",
                script.display(),
                own.display()
            )
            .unwrap();
        }
        self.write_config(&config);
    }

    pub(crate) fn write_config(&self, config: &str) {
        fs::write(self.home.folder().join("config.yaml"), config).unwrap();
    }

    /// `askuser` in this home, without anything else in its environment.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.program(args);
        command.current_dir(self.work());
        command.env("SECRET", "not for agents");
        command
    }

    /// Starts the daemon on a free port, as its own process.
    pub(crate) fn start(&self) {
        self.start_server(self.command(&["serve", "--listen", "127.0.0.1:0"]));
    }

    /// The same over a database that others use too.
    pub(crate) fn start_on(&self, database: &str) {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("ASKUSER_DATABASE", database);
        self.start_server(command);
    }

    /// What the daemon wrote into its log.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path().join("log")).unwrap_or_default()
    }

    /// Ends the daemon in good order.
    pub(crate) fn end(&self) {
        self.end_by(Signal::TERM);
    }

    /// Calls the desk with one of the keys.
    #[track_caller]
    pub(crate) fn call_as(&self, key: &str, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let url = self.daemon().url;
        let address = url.strip_prefix("http://").unwrap();
        http::call(address, method, path, &self.key(key), body.as_ref()).unwrap()
    }

    /// Calls the desk as a person who says that they sit at a terminal, which proves nothing.
    #[track_caller]
    pub(crate) fn call(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let url = self.daemon().url;
        let address = url.strip_prefix("http://").unwrap();
        let bearer = format!("Bearer {}", self.key("person"));
        let headers = [("Authorization", bearer.as_str()), ("X-Askuser-Channel", "terminal")];
        let answer = http::send(address, method, path, &headers, body.as_ref()).unwrap();
        let status = answer.status;
        (status, serde_json::from_str(&answer.text()).unwrap())
    }

    /// Gives a task to an agent.
    #[track_caller]
    pub(crate) fn give(&self, agent: &str, text: &str) -> Value {
        let body = json!({"agent": agent, "folder": self.work(), "text": text});
        let (status, task) = self.call("POST", "/api/tasks", Some(body));
        assert_eq!(status, 201, "{task}");
        task
    }

    pub(crate) fn task(&self, task: &Value) -> Value {
        self.call("GET", &format!("/api/tasks/{}", id(task)), None).1
    }

    /// Waits until a task stands so.
    #[track_caller]
    pub(crate) fn until(&self, task: &Value, status: &str) -> Value {
        let mut last = Value::Null;
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            last = self.task(task);
            if last["status"] == status {
                return last;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("waited for {status}: {last}\n{:#?}\n{}", self.told(task), self.log());
    }

    #[track_caller]
    pub(crate) fn stop(&self, task: &Value) {
        let (status, told) = self.call("POST", &format!("/api/tasks/{}/stop", id(task)), None);
        assert_eq!(status, 200, "{told}");
    }

    /// Waits until so many asks are open.
    #[track_caller]
    pub(crate) fn until_open(&self, n_open: usize) -> Vec<Value> {
        eventually(&format!("{n_open} open asks"), || {
            let asks = self.call("GET", "/api/inbox", None).1["asks"].as_array().unwrap().clone();
            (asks.len() == n_open).then_some(asks)
        })
    }

    /// The person answers an ask: the first question of it, by the label or id of a choice.
    #[track_caller]
    pub(crate) fn answer(&self, ask: &Value, answer: &str) {
        let question = ask["questions"][0]["question_id"].as_str().unwrap().to_owned();
        let id = ask["ask_id"].as_str().unwrap();
        let answers = json!({"answers": {question: answer}});
        if ask["purpose"] == "permission" {
            // Only in a terminal of their own, or on the page.
            let data = self.home.folder().to_str().unwrap();
            let terminal = Tmux::start(self.path(), &[("ASKUSER_HOME", data)]);
            let ran = terminal.run(&format!("{ASKUSER} answer {id} --json '{answers}'"));
            assert!(ran.code == 0 && ran.stdout.contains("\"answered\""), "{ran:?}");
            return;
        }
        let (status, told) = self.call("POST", &format!("/api/asks/{id}/answer"), Some(answers));
        assert_eq!(status, 200, "{told}");
    }

    /// The person answers the one ask that is open.
    #[track_caller]
    pub(crate) fn pick(&self, answer: &str) -> Value {
        let ask = self.until_open(1).remove(0);
        self.answer(&ask, answer);
        ask
    }

    /// Everything that was told of a task's session, in order, by the name of its event.
    pub(crate) fn told(&self, task: &Value) -> Vec<(String, Value)> {
        let url = self.daemon().url;
        let address = url.strip_prefix("http://").unwrap();
        let bearer = format!("Bearer {}", self.key("person"));
        let path = format!("/api/events?since=0&session={}", task["session_id"].as_str().unwrap());
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(400))).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {bearer}\r\n\r\n");
        std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
        let mut text = Vec::new();
        // Until nothing more comes.
        let _silent = std::io::Read::read_to_end(&mut stream, &mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut told = Vec::new();
        let mut name = String::new();
        for line in text.lines() {
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ")
                && let Ok(value) = serde_json::from_str(data)
            {
                told.push((name.clone(), value));
            }
        }
        told
    }

    /// The messages of a task, as `kind: text`.
    pub(crate) fn said(&self, task: &Value) -> Vec<String> {
        let told = self.told(task);
        let messages = told.iter().filter(|(name, _)| name == "message");
        messages
            .map(|(_, said)| {
                let word = |key: &str| said[key].as_str().unwrap_or_default();
                format!("{}: {}", word("kind"), word("text"))
            })
            .collect()
    }
}

pub(crate) fn id(task: &Value) -> String {
    task["task_id"].as_str().unwrap().to_owned()
}

/// A pipe through which a test tells the agent of a talk to go on.
pub(crate) fn gate(home: &TestHome, talk: &str) -> PathBuf {
    let path = home.path().join(format!("{talk}.talk.go"));
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success());
    path
}

/// Whether a process is there and not only its remains.
pub(crate) fn lives(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    status.is_ok_and(|stat| !stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')))
}
