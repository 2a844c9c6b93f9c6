//! A desk's life, recorded: its first start, what agents ask and people do, what is set, copied and connected, a
//! clean end and one by `kill -9`; with everything that was acknowledged on the way.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use askuser_core::hex::hex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::judge::{ENDED, HOME};
use super::promises::{What, When};
use super::trace::LEFT_OUT;
use crate::http::{Line, Reply};

/// What came of it.
pub(crate) struct Life {
    pub(crate) promises: Vec<(When, What)>,
    pub(crate) tried: HashSet<(String, String)>,
}

/// Asks of one folder: a session may ask so often in a minute.
const ASKS_OF_ONE: usize = 15;

/// A shell that is recorded with everything that it starts.
struct Shell {
    child: Child,
    home: PathBuf,
    commands: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    n_commands: usize,
}

impl Shell {
    fn start(root: &Path, trace: &Path) -> Self {
        let left_out = format!("trace=!{}", LEFT_OUT.replace(' ', ","));
        let mut child = Command::new("strace")
            .args(["--seccomp-bpf", "-f", "-xx", "-s", "67108864", "-e", "signal=none", "-e", &left_out])
            // What was read is not needed, only how much.
            .args(["-e", "raw=read,readv", "-o"])
            .arg(trace)
            .arg("sh")
            .current_dir(root)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", root.join("person"))
            .env("ASKUSER_HOME", root.join(HOME))
            .env("ASKUSER_LANG", "en")
            .env("ASKUSER_KEY_RATE_FACTOR", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(trace.with_extension("log")).unwrap())
            .spawn()
            .unwrap_or_else(|error| panic!("strace is needed, which scripts/test.sh installs: {error}"));
        let (commands, answers) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, home: root.join(HOME), commands, answers, n_commands: 0 }
    }

    fn say(&mut self, command: &str) {
        writeln!(self.commands.as_ref().unwrap(), "{command}").unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Runs the program. Returns when it said that it is done.
    fn run(&mut self, words: &str) -> When {
        self.n_commands += 1;
        let mark = format!("done-{}-with-0", self.n_commands);
        let program = env!("CARGO_BIN_EXE_askuser");
        self.say(&format!("{program} {words} >/dev/null </dev/null; echo done-{}-with-$?", self.n_commands));
        let said = self.line();
        assert_eq!(said, mark, "`askuser {words}` failed; see the log beside the trace");
        When::Said(mark)
    }

    fn end(mut self) {
        self.commands = None;
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Shell {
    /// Where something went wrong, nothing is left running.
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        if let Some(said) = fs::read(self.home.join("daemon.json")).ok()
            && let Ok(said) = serde_json::from_slice::<Value>(&said)
        {
            let _killed = Command::new("kill").args(["-9", &said["pid"].to_string()]).status();
        }
        let _killed = self.child.kill();
    }
}

/// A server in that shell.
struct Server {
    agent: Line,
    person: Line,
    admin: Line,
}

impl Server {
    fn start(shell: &mut Shell, root: &Path, promises: &mut Vec<(When, What)>) -> Self {
        shell.say(&format!("{} serve --listen 127.0.0.1:0 </dev/null &", env!("CARGO_BIN_EXE_askuser")));
        let said = shell.line();
        let address = said.strip_prefix("askuser listening on http://").unwrap().parse().unwrap();
        let keys = ["agent", "person", "admin"];
        for name in keys
            .map(|role| format!("keys/{role}"))
            .iter()
            .map(String::as_str)
            .chain(["askuser.server", "askuser.page-host"])
        {
            promises.push((When::Said(said.clone()), What::File(Path::new(HOME).join(name))));
        }
        let [agent, person, admin] = keys.map(|role| {
            let key = fs::read_to_string(root.join(HOME).join("keys").join(role)).unwrap();
            promises.push((When::Said(said.clone()), key_of(key.trim(), "revoked: false")));
            Line::open(address, key.trim()).unwrap()
        });
        Self { agent, person, admin }
    }
}

fn key_of(key: &str, with: &str) -> What {
    there("key", &hex(&Sha256::digest(key)), with)
}

fn there(kind: &'static str, about: &str, with: &str) -> What {
    What::There { kind, about: about.to_owned(), with: vec![with.to_owned()] }
}

impl Life {
    /// Lives it in a folder that is empty. `n_asks` are asked one after the other before the long pause.
    pub(crate) fn live(root: &Path, trace: &Path, n_asks: usize) -> Self {
        let mut life = Self { promises: Vec::new(), tried: HashSet::new() };
        let mut shell = Shell::start(root, trace);
        life.set(&mut shell, "log.level", "debug");
        life.set(&mut shell, "log.file", "true");
        life.set(&mut shell, "log.file_mb", "1");
        // So that the log moves on soon.
        shell.say(&format!("head -c 1048000 /dev/zero >{HOME}/askuser.log"));
        life.set(&mut shell, "answers.undo_for", "60s");
        let mut server = Server::start(&mut shell, root, &mut life.promises);
        life.look_after(&mut server);
        for number in 0..n_asks {
            life.ask_and_answer(&mut server, number);
        }
        life.connect(&mut shell, root);
        life.copy(&mut shell, root, "early.db");
        // Nobody wants anything: the log is written back, and begun anew with what comes next.
        thread::sleep(Duration::from_millis(400));
        life.crowd(&server);
        life.set(&mut shell, "log.level", "info");
        shell.run("stop");
        life.copy(&mut shell, root, "stopped.db");
        let mut server = Server::start(&mut shell, root, &mut life.promises);
        for number in 0..4 {
            life.ask_and_answer(&mut server, n_asks + number);
        }
        // Nothing is under way: what was recorded is all there is.
        thread::sleep(Duration::from_millis(300));
        let said: Value =
            serde_json::from_slice(&fs::read(root.join(HOME).join("daemon.json")).unwrap()).unwrap();
        shell.say(&format!("kill -9 {}; wait; echo killed", said["pid"]));
        assert_eq!(shell.line(), "killed");
        let mut server = Server::start(&mut shell, root, &mut life.promises);
        for number in 4..8 {
            life.ask_and_answer(&mut server, n_asks + number);
        }
        shell.run("stop");
        shell.say("wait");
        shell.end();
        life
    }

    /// One setting of the configuration.
    fn set(&mut self, shell: &mut Shell, key: &str, value: &str) {
        let done = shell.run(&format!("config set {key} {value}"));
        self.promises.push((done, What::File(Path::new(HOME).join("config.yaml"))));
    }

    /// A copy of the database.
    fn copy(&mut self, shell: &mut Shell, root: &Path, name: &str) {
        let done = shell.run(&format!("backup {}", root.join(name).display()));
        self.promises.push((done, What::File(PathBuf::from(name))));
    }

    /// An agent that is connected: its settings, what they were before, and its own key.
    fn connect(&mut self, shell: &mut Shell, root: &Path) {
        let done = shell.run("install cursor");
        self.promises.push((done.clone(), What::File("person/.cursor/mcp.json".into())));
        for folder in ["installed", "keys/agents"] {
            let folder = Path::new(HOME).join(folder);
            for file in fs::read_dir(root.join(&folder)).unwrap() {
                self.promises.push((done.clone(), What::File(folder.join(file.unwrap().file_name()))));
            }
        }
    }

    /// Calls, and notes what it promises where it was acknowledged.
    fn call(
        &mut self,
        line: &mut Line,
        call: impl FnOnce(&mut Line) -> std::io::Result<Reply>,
        promises: impl FnOnce(&Reply) -> Vec<What>,
    ) -> Reply {
        let (port, from) = line.place().unwrap();
        let reply = call(line).unwrap();
        assert!(reply.is_ok(), "{reply:?}");
        self.promises.extend(promises(&reply).into_iter().map(|what| (When::Told(port, from), what)));
        reply
    }

    /// Users, keys, templates.
    fn look_after(&mut self, server: &mut Server) {
        let Server { admin, person, .. } = server;
        let user = json!({"name": "ana"});
        self.call(admin, |line| line.post("/api/users", &user), |_| vec![there("user", "ana", "disabled")]);
        let key = json!({"role": "agent", "user": "ana", "name": "laptop"});
        let key_of = |reply: &Reply, with: &str| key_of(reply.body["key"].as_str().unwrap(), with);
        let made = self.call(admin, |line| line.post("/api/keys", &key), |made| vec![key_of(made, "laptop")]);
        let path = format!("/api/keys/{}", made.body["key_id"].as_str().unwrap());
        self.call(admin, |line| line.delete(&path), |_| vec![key_of(&made, "revoked: true")]);
        self.call(
            admin,
            |line| line.post("/api/users/ana/disable", &json!({})),
            |_| vec![there("user", "ana", "disabled: true")],
        );
        for text in ["Deploy now?", "Deploy today?"] {
            let text = format!(
                "questions: [{{question: {text}, options: [{{label: a, description: b}}, {{label: c, description: d}}]}}]\n"
            );
            let template = json!({"text": text});
            let file = Path::new(HOME).join("templates/local/deploy.yaml");
            self.call(
                person,
                |line| line.put("/api/templates/deploy", &template),
                |_| vec![What::File(file)],
            );
        }
    }

    fn ask(&mut self, agent: &mut Line, name: &str, folder: &str) -> String {
        let words = format!("Which one of {name}?");
        let option = |id: &str| json!({"id": id, "label": id, "description": format!("take {id}")});
        let body = json!({"asker": {"folder": folder}, "questions": [{"question_id": "q", "question": words,
            "header": "Pick", "options": [option("left"), option("right")], "multiSelect": false}]});
        let reply =
            self.call(agent, |line| line.ask(name, &body), |asked| vec![there("asked", id(asked), &words)]);
        id(&reply).to_owned()
    }

    fn end(&mut self, line: &mut Line, ask: &str, way: &str, body: &Value, ending: &str) {
        self.tried.insert((ask.to_owned(), ending.to_owned()));
        let path = format!("/api/asks/{ask}/{way}");
        self.call(line, |line| line.post(&path, body), |_| vec![there("closed", ask, ending)]);
    }

    /// Everything that can become of an ask, in turn.
    fn ask_and_answer(&mut self, server: &mut Server, number: usize) {
        let Server { agent, person, .. } = server;
        let ask = self.ask(agent, &format!("ask-{number}"), &format!("/shop/{}", number / ASKS_OF_ONE));
        let note = format!("note-{number}.");
        let sheet = json!({"answers": {"q": "left"}, "notes": {"q": note}});
        let path = format!("/api/asks/{ask}/sheet");
        self.call(
            person,
            |line| line.put(&path, &sheet),
            |_| {
                let saved =
                    What::There { kind: "saved", about: ask.clone(), with: vec![note, ENDED.to_owned()] };
                vec![saved, there("fact: saved", &ask, "")]
            },
        );
        let pick = ["left", "right"][number % 2];
        let answer = json!({"answers": {"q": pick}});
        match number % 5 {
            0 => self.end(person, &ask, "cancel", &json!({}), "cancelled"),
            1 => self.end(agent, &ask, "withdraw", &json!({}), "cancelled"),
            2 => {
                let path = format!("/api/asks/{ask}/hold");
                self.call(
                    person,
                    |line| line.post(&path, &answer),
                    |_| {
                        let held = What::There {
                            kind: "held",
                            about: ask.clone(),
                            with: vec![pick.to_owned(), ENDED.to_owned()],
                        };
                        vec![held, there("fact: held", &ask, "")]
                    },
                );
                if number.is_multiple_of(2) {
                    self.call(person, |line| line.delete(&path), |_| vec![there("taken back", &ask, "")]);
                }
                self.end(agent, &ask, "withdraw", &json!({}), "cancelled");
            }
            _ => {
                self.end(person, &ask, "answer", &answer, "answered");
                let path = format!("/api/asks/{ask}/ack");
                self.call(
                    agent,
                    |line| line.post(&path, &json!({})),
                    |_| vec![there("acknowledged", &ask, "")],
                );
            }
        }
        if number % 10 == 3 {
            let rule = json!({"ask_id": ask});
            self.call(person, |line| line.post("/api/rules", &rule), |_| vec![there("rule", "local", &ask)]);
        }
    }

    /// Many at once: their work is committed and flushed together, beside the writer.
    fn crowd(&mut self, server: &Server) {
        let connections: Vec<_> =
            (0..6).map(|_| (server.agent.again().unwrap(), server.person.again().unwrap())).collect();
        let lived = thread::scope(|scope| {
            let living: Vec<_> = connections
                .into_iter()
                .enumerate()
                .map(|(place, (mut agent, mut person))| {
                    scope.spawn(move || {
                        let mut life = Self { promises: Vec::new(), tried: HashSet::new() };
                        for number in 0..6 {
                            let ask = life.ask(
                                &mut agent,
                                &format!("crowd-{place}-{number}"),
                                &format!("/crowd/{place}"),
                            );
                            let answer = json!({"answers": {"q": "right"}});
                            life.end(&mut person, &ask, "answer", &answer, "answered");
                        }
                        life
                    })
                })
                .collect();
            living.into_iter().map(|life| life.join().unwrap()).collect::<Vec<_>>()
        });
        for life in lived {
            self.promises.extend(life.promises);
            self.tried.extend(life.tried);
        }
    }
}

fn id(reply: &Reply) -> &str {
    reply.body["ask_id"].as_str().unwrap()
}
