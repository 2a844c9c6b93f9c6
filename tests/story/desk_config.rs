//! The configuration of the real programs: the file, the flags, the variables, SIGHUP (D16).

use rustix::process::Signal;
use serde_json::Value;

use crate::asks::told;
use crate::home::{TestHome, eventually, signal};

/// Writes the configuration of a home.
fn configure(home: &TestHome, text: &str) {
    std::fs::create_dir_all(home.home.folder()).unwrap();
    std::fs::write(home.home.config(), text).unwrap();
}

fn setting(home: &TestHome, name: &str) -> (String, String) {
    let told = home.json(&["config", "--json"]);
    let all = told["settings"].as_array().unwrap();
    let found: &Value = all.iter().find(|setting| setting["name"] == name).unwrap();
    (found["value"].as_str().unwrap().to_owned(), found["from"].as_str().unwrap().to_owned())
}

/// D16: `askuser config` prints each value and where it came from, and a sample that it takes itself.
#[test]
fn d16_config_prints_every_value_with_its_source() {
    let home = TestHome::new();
    let name = "ask_user_question.session_timeout";
    assert_eq!(setting(&home, name), ("3600".into(), "default".into()));
    configure(&home, "log: {level: warn}\nask_user_question:\n  session_timeout: 2h\n");
    assert_eq!(setting(&home, name), ("7200".into(), "line 3 of the file".into()));
    let output = home.run_with(&[("ASKUSER_SESSION_TIMEOUT", "60")], &["config"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line.contains("60 ") && line.contains("ASKUSER_SESSION_TIMEOUT"), "{line}");
    let sample = home.prints(&["config", "--sample"]);
    configure(&home, &sample);
    assert_eq!(setting(&home, "log.level"), ("info".into(), "default".into()));
    let other = home.home.folder().join("other.yaml");
    std::fs::write(&other, "log: {level: debug}").unwrap();
    let told = home.json(&["config", "--json", "--config", other.to_str().unwrap()]);
    assert_eq!(told["file"], other.to_str().unwrap());
}

/// D16: what is wrong keeps the daemon from starting, with line, column and the nearest key; also
/// the one that a command starts in the background, and the command says so.
#[test]
fn d16_a_faulty_file_is_told_at_start_with_its_place() {
    let home = TestHome::new();
    configure(&home, "ask_user_question:\n  max_sesions_per_user: 3\n  cache_ttl: [1]\n");
    for args in [&["serve"][..], &["config"][..]] {
        let output = home.run(args);
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("config.yaml: line 2, column 3: `ask_user_question` has no key `max_sesions_per_user`: did you mean `max_sessions_per_user`?"),
            "{said}"
        );
        assert!(
            said.contains("line 3, column 14: `ask_user_question.cache_ttl` is a list, not a number"),
            "{said}"
        );
        assert!(said.contains("hint: `askuser config --sample`"), "{said}");
    }
    let output = home.run(&["ask", "--where", "desk", r#"{"question_text":"Ship it?","type":"boolean"}"#]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() != Some(0) && said.contains("max_sesions_per_user"), "{said}");
    let output = home.run(&["serve", "--set", "log.levle=info", "--set", "nothing"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("--set nothing has no value"));
}

/// D16: `listen` of the file, a flag over a variable, and a daemon in the background that takes no
/// variable of whoever started it.
#[test]
fn d16_flags_go_before_variables_and_variables_before_the_file() {
    let home = TestHome::new();
    configure(&home, "server:\n  listen: 127.0.0.1:0\nlog:\n  level: error\n");
    let daemon = home.serve(&["--set", "log.level=info"]);
    assert!(!home.daemon().url.ends_with(":8275"), "{}", home.daemon().url);
    assert!(daemon.stderr().contains("INFO Listening on"), "{}", daemon.stderr());
    home.kill();
    let daemon = home.serve(&[]);
    assert_eq!(daemon.stderr(), "", "level error says nothing of a good day");
    home.kill();
    let output = home.run_with(&[("ASKUSER_LOG_LEVEL", "info"), ("ASKUSER_LISTEN", "nowhere")], &["list"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(!home.log().contains("INFO"), "{}", home.log());
}

/// D16: a hang-up reads the file anew: what can change does, the rest is named, faults change nothing.
#[test]
fn d16_sighup_reads_the_configuration_anew() {
    let home = TestHome::new();
    configure(&home, "log: {level: warn}\n");
    let daemon = home.serve(&["--set", "server.listen=127.0.0.1:0"]);
    let pid = home.daemon().pid;
    let says = |what: &str| eventually(what, || daemon.stderr().contains(what).then_some(()));
    configure(
        &home,
        "log: {level: info}\ndesk: {memory_mb: 50}\nask_user_question: {max_concurrent_questions: 1}\n",
    );
    signal(pid, Signal::HUP);
    says("WARN desk.memory_mb has changed; it takes effect after a restart");
    says("INFO The settings were reloaded");
    for number in 0..2 {
        let ask = format!(r#"{{"question_text":"Number {number}?","type":"boolean"}}"#);
        home.asks(&["--session", "s", &ask]);
    }
    let listed = home.json(&["list", "--json"]);
    let states: Vec<&str> =
        listed["asks"].as_array().unwrap().iter().map(|ask| ask["status"].as_str().unwrap()).collect();
    assert_eq!(states, ["showing", "pending"]);
    configure(&home, "log: {level: loud}\n");
    signal(pid, Signal::HUP);
    says("ERROR The settings are unchanged: ");
    assert!(home.json(&["status", "--json"])["running"] == true);
}

/// D16: `log.file`, `log.file_mb` and `log.files_kept`: a log that is long enough is moved away, and a
/// few old ones are kept; also when that changes.
#[test]
fn d16_the_log_is_kept_in_the_folder_and_moved_away_when_it_is_long() {
    let home = TestHome::new();
    let old = |n_ago: u32| home.home.folder().join(format!("askuser.log.{n_ago}"));
    configure(&home, "server: {listen: 127.0.0.1:0}\nlog: {file: true, file_mb: 1, files_kept: 2}\n");
    let long = |mark: &str| std::fs::write(home.home.log(), format!("{mark}\n").repeat(600_000)).unwrap();
    let mark = |n_ago: u32| std::fs::read_to_string(old(n_ago)).unwrap()[..1].to_owned();
    for word in ["a", "b", "c"] {
        long(word);
        let daemon = home.serve(&[]);
        eventually("a line in a new log", || home.log().contains("INFO Listening on").then_some(()));
        assert!(
            !home.log().contains(&format!("{word}\n")) && daemon.stderr().is_empty(),
            "{}",
            daemon.stderr()
        );
        home.kill();
    }
    assert_eq!((mark(1), mark(2)), ("c".to_owned(), "b".to_owned()));
    assert!(!old(3).exists());
    // One in the background logs there in any case, and keeps what it is told to from now on.
    configure(&home, "log: {file_mb: 1, files_kept: 1}\n");
    home.wakes();
    eventually("a line", || home.log().contains("INFO Listening on").then_some(()));
    long("d");
    home.kill();
    home.wakes();
    eventually("a line in a new log", || (home.log().len() < 100_000).then_some(()));
    assert_eq!(mark(1), "d");
    assert!(!old(2).exists());
    configure(&home, "log: {file_mb: 100, files_kept: 1}\n");
    signal(home.daemon().pid, Signal::HUP);
    eventually("the news", || home.log().contains("settings were reloaded").then_some(()));
    long("e");
    configure(&home, "log: {file_mb: 1, files_kept: 1}\n");
    signal(home.daemon().pid, Signal::HUP);
    eventually("the news in a new log", || home.log().contains("settings were reloaded").then_some(()));
    assert_eq!(mark(1), "e");
    assert!(home.log().len() < 100_000);
}

/// What in the file is newer than the server is said by every command that is about it, and `reload` applies
/// what can change.
#[test]
fn a_newer_file_is_noticed_and_reloaded() {
    let home = TestHome::new();
    configure(&home, "log: {level: warn}\n");
    let _daemon = home.serve(&["--set", "server.listen=127.0.0.1:0"]);
    assert!(!home.prints(&["status"]).contains("reload"), "nothing has changed");
    assert_eq!(home.prints(&["reload"]), "Nothing has changed.");
    let folder = home.home.folder().display().to_string();
    configure(
        &home,
        &format!(
            "log: {{level: info}}\nrunner: {{folders: [{folder}]}}\nagents:\n  it: {{driver: acp, command: it}}\n"
        ),
    );
    for command in ["status", "config"] {
        let said = home.prints(&[command]);
        assert!(
            said.contains("Changed in the file, not applied yet: log.level (`askuser reload`)"),
            "{said}"
        );
        assert!(said.contains("Needs a restart: runner.folders, agents (`askuser stop`"), "{said}");
    }
    let said = home.run_with(&[("ASKUSER_LANG", "zh")], &["status"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("文件中已更改、尚未生效：log.level（`askuser reload`）"), "{said}");
    let output = home.run(&["run", "Mend it"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("the runner is off") && said.contains("Needs a restart: runner.folders, agents"),
        "{said}"
    );
    let said = home.run(&["doctor"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("config.yaml differs from what askuser runs with"), "{said}");
    assert_eq!(home.json(&["status", "--json"])["config"]["reload"], serde_json::json!(["log.level"]));
    let said = home.prints(&["reload"]);
    assert!(said.starts_with("Applied: log.level\nNeeds a restart: runner.folders, agents"), "{said}");
    // What needs a restart is not forgotten because the rest was applied.
    assert!(home.prints(&["status"]).contains("Needs a restart: runner.folders, agents"));
    configure(&home, "log: {level: loud}\n");
    let output = home.run(&["reload"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("line 1, column 14: `log.level`"), "{said}");
    assert!(home.prints(&["status"]).contains("The configuration cannot be read"));
    let said = told(&home.run(&["run", "Mend it"]));
    assert!(said.contains("the runner is off") && said.contains("line 1, column 14: `log.level`"), "{said}");
    std::fs::remove_file(home.home.config()).unwrap();
    let said = told(&home.run(&["run", "Mend it"]));
    assert!(said.contains("~/desk/config.yaml names no `agents`"), "{said}");
}

/// `config path`, `get` and `set`: one key, with the file's comments kept; not by an agent.
#[test]
fn one_key_is_read_and_set_and_the_comments_stay() {
    let home = TestHome::new();
    assert_eq!(home.json(&["reload", "--json"])["running"], false);
    assert_eq!(home.prints(&["config", "path"]), home.home.config().display().to_string());
    assert_eq!(home.prints(&["config", "get", "log.level"]), "info");
    for args in [&["config", "--json", "get", "log.level"][..], &["config", "get", "log.level", "--json"]] {
        let expected = serde_json::json!({"name": "log.level", "value": "info", "from": "default"});
        assert_eq!(home.json(args), expected, "{args:?}");
    }
    assert_eq!(home.json(&["config", "path", "--json"])["file"], home.home.config().to_str().unwrap());
    assert_eq!(home.json(&["config", "set", "log.level", "debug", "--json"])["value"], "debug");
    assert_eq!(std::fs::read_to_string(home.home.config()).unwrap(), "log:\n  level: debug\n");
    configure(&home, "# mine\nlog:\n  level: debug # for now\n");
    let _daemon = home.serve(&["--set", "server.listen=127.0.0.1:0"]);
    let said = home.prints(&["config", "set", "log.level", "warn"]);
    assert!(said.contains("log.level = warn") && said.contains("(`askuser reload`)"), "{said}");
    assert_eq!(
        std::fs::read_to_string(home.home.config()).unwrap(),
        "# mine\nlog:\n  level: warn # for now\n"
    );
    assert_eq!(home.prints(&["config", "get", "level"]), "warn");
    let refused = |args: &[&str], what: &str| {
        let output = home.run(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(what), "{said}");
    };
    refused(&["config", "set", "log.level", "loud"], "`log.level` is `loud`, not one of error");
    refused(&["config", "set", "log.levle", "info"], "no key `log.levle`: did you mean `log.level`?");
    let output = home.run_with(&[("CLAUDECODE", "1")], &["config", "set", "mcp.agent_dialog", "true"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(!std::fs::read_to_string(home.home.config()).unwrap().contains("agent_dialog"));
}
