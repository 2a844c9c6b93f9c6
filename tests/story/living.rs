//! Living with it: the system's own service, a back-up and the way back, what the doctor finds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::asks::{ASKUSER, database, told};
use crate::home::{TestHome, eventually};

/// A systemctl that writes down what it is called with, and does what the real one would: it starts
/// the program of the unit, and ends it.
const SYSTEMCTL: &str = r#"#!/bin/sh
echo "systemctl $*" >>"$HOME/calls"
case "$*" in
"--user restart askuser.service")
    line=$(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/askuser.service" | sed 's/%%/%/g')
    (eval "exec $line") >/dev/null 2>"$HOME/journal" &
    ;;
"--user disable --now askuser.service")
    kill "$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$ASKUSER_HOME/daemon.json")"
    ;;
"--user is-active askuser.service") cat "$HOME/active" 2>/dev/null || echo active ;;
"--user is-enabled askuser.service") echo enabled ;;
esac
"#;

/// What a machine without a supervisor says.
const NO_BUS: &str = "#!/bin/sh\necho \"${0##*/} $*\" >>\"$HOME/calls\"\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n";

fn fake(home: &TestHome, name: &str, script: &str) -> String {
    let folder = home.path().join("fakes");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), script).unwrap();
    fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:/usr/bin:/bin", folder.display())
}

fn calls(home: &TestHome) -> Vec<String> {
    let text = fs::read_to_string(home.path().join("calls")).unwrap_or_default();
    // What it was called with since the last time.
    let _gone = fs::remove_file(home.path().join("calls"));
    text.lines().map(str::to_owned).collect()
}

fn unit(home: &TestHome) -> PathBuf {
    home.path().join(".config/systemd/user/askuser.service")
}

fn configure(home: &TestHome, text: &str) {
    fs::create_dir_all(home.home.folder()).unwrap();
    fs::set_permissions(home.home.folder(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(home.home.config(), text).unwrap();
}

#[track_caller]
fn well(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_system_runs_the_desk_and_lets_it_go_again() {
    let home = TestHome::new();
    configure(&home, "server: {listen: 127.0.0.1:0}\n");
    let path = fake(&home, "systemctl", SYSTEMCTL);
    let run = |args: &[&str]| home.run_with(&[("PATH", &path)], args);
    let shown = well(run(&["service", "install", "--dry-run"]));
    assert!(shown.contains(&format!("ExecStart=\"{ASKUSER}\" serve --data \"{}\"", home.data())), "{shown}");
    assert!(shown.contains("  systemctl --user enable askuser.service\n"), "{shown}");
    assert!(!unit(&home).exists() && calls(&home).is_empty(), "nothing was done");
    let away = run(&["service", "status"]);
    assert!(away.status.code() == Some(1) && told(&away).contains("does not run askuser"), "{}", told(&away));
    // One in the background makes way in good order, and its ask is there again.
    let (mut ask, id) = home.asks(&[&database()]);
    let before = home.daemon().pid;
    let said = well(run(&["service", "install"]));
    let now = home.daemon();
    assert!(now.pid != before && said.contains(&format!("running at {}", now.url)), "{said}");
    assert_eq!(
        calls(&home),
        [
            "systemctl --user daemon-reload",
            "systemctl --user enable askuser.service",
            "systemctl --user restart askuser.service"
        ]
    );
    let text = fs::read_to_string(unit(&home)).unwrap();
    assert!(shown.contains(&text), "the very text that was shown: {text}");
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0, "{}", ask.stderr());
    assert!(well(run(&["service", "status"])).contains("systemd: active, enabled"));
    assert!(well(run(&["doctor"])).contains("ok    service      systemd: active, enabled"));
    fs::write(home.path().join("active"), "failed\n").unwrap();
    assert!(well(run(&["doctor"])).contains("warn  service      systemd: failed, enabled"));
    calls(&home);
    let shown = well(run(&["service", "remove", "--dry-run"]));
    assert!(shown.contains("run systemctl --user disable --now askuser.service\n  remove ~/"), "{shown}");
    assert!(calls(&home).is_empty() && unit(&home).exists());
    well(run(&["service", "remove"]));
    assert_eq!(
        calls(&home),
        ["systemctl --user disable --now askuser.service", "systemctl --user daemon-reload"]
    );
    assert!(!unit(&home).exists());
    eventually("the daemon to be gone", || (!home.home.is_held()).then_some(()));
    assert!(well(run(&["service", "remove"])).contains("nothing changed"));
}

#[test]
fn what_stood_there_before_is_put_back_and_what_was_edited_is_not_lost() {
    let home = TestHome::new();
    configure(&home, "server: {listen: 127.0.0.1:0}\n");
    let path = fake(&home, "systemctl", SYSTEMCTL);
    let run = |args: &[&str]| home.run_with(&[("PATH", &path)], args);
    let theirs = "[Service]\nExecStart=/bin/true\n";
    fs::create_dir_all(unit(&home).parent().unwrap()).unwrap();
    fs::write(unit(&home), theirs).unwrap();
    assert!(well(run(&["service", "install"])).contains("restores it"));
    let first = home.daemon().pid;
    // Once more is no harm, and the way back stays the same. The fake does not end the one before.
    home.kill();
    well(run(&["service", "install"]));
    assert_ne!(home.daemon().pid, first);
    let edited = fs::read_to_string(unit(&home)).unwrap() + "Nice=5\n";
    fs::write(unit(&home), &edited).unwrap();
    let refused = run(&["service", "install"]);
    assert!(
        refused.status.code() == Some(2) && told(&refused).contains("edited by hand"),
        "{}",
        told(&refused)
    );
    assert!(
        well(run(&["service", "remove"])).contains("a copy is kept as ~/.config/systemd/user/askuser.edited")
    );
    assert_eq!(fs::read_to_string(unit(&home)).unwrap(), theirs);
    assert_eq!(fs::read_to_string(unit(&home).with_extension("edited")).unwrap(), edited);
}

#[test]
fn where_the_supervisor_says_no_everything_is_as_it_was() {
    let home = TestHome::new();
    for (by, name) in [("systemd", "systemctl"), ("launchd", "launchctl")] {
        let path = fake(&home, name, NO_BUS);
        let output = home.run_with(&[("PATH", &path)], &["service", "install", "--by", by]);
        assert_eq!(output.status.code(), Some(1), "{}", told(&output));
        assert!(
            told(&output).contains("Failed to connect to bus") && told(&output).contains("askuser serve")
        );
        assert!(calls(&home)[0].starts_with(name));
    }
    assert!(!unit(&home).exists() && !home.path().join("Library/LaunchAgents/askuser.plist").exists());
    assert!(!home.home.folder().join("installed").read_dir().is_ok_and(|mut files| files.next().is_some()));
    // An agent does not have the system run things.
    let agent = home.run_with(&[("CLAUDECODE", "1")], &["service", "install"]);
    assert_eq!(agent.status.code(), Some(2), "{}", told(&agent));
}

#[test]
fn launchd_is_told_in_its_own_words() {
    let home = TestHome::new();
    configure(&home, "server: {listen: 127.0.0.1:0}\n");
    let launchctl = "#!/bin/sh\necho \"launchctl $*\" >>\"$HOME/calls\"\n\
        [ \"$1\" = bootstrap ] && (exec \"$ASKUSER\" serve --data \"$ASKUSER_HOME\" --set log.file=true) >/dev/null 2>&1 &\n\
        [ \"$1\" = print ] && echo 'state = running'\nexit 0\n";
    let path = fake(&home, "launchctl", launchctl);
    let vars = [("PATH", path.as_str()), ("ASKUSER", ASKUSER)];
    let by = ["--by", "launchd"];
    let run = |args: &[&str]| well(home.run_with(&vars, &[args, &by[..]].concat()));
    run(&["service", "install"]);
    let file = home.path().join("Library/LaunchAgents/askuser.plist");
    let user = rustix::process::getuid().as_raw();
    assert_eq!(calls(&home), [format!("launchctl bootstrap gui/{user} {}", file.display())]);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("<string>{}</string>", home.data())), "{text}");
    // launchd keeps no log: the daemon does.
    eventually("the log", || home.log().contains("INFO Listening on").then_some(()));
    assert!(run(&["service", "status"]).contains("launchd: active, enabled"));
    calls(&home);
    run(&["service", "remove"]);
    assert_eq!(calls(&home), [format!("launchctl bootout gui/{user}/askuser")]);
    assert!(!file.exists());
}

/// The unit is one that systemd itself takes, also with odd folders; where systemd is there to ask.
#[test]
fn systemd_takes_the_unit() {
    let home = TestHome::new();
    let odd = home.path().join("100% \"my\" $HOME");
    let shown = well(home.run(&["service", "install", "--dry-run", "--data", odd.to_str().unwrap()]));
    let text = &shown[shown.find("# Written").unwrap()..shown.find("\nand then run").unwrap()];
    let file = home.path().join("askuser.service");
    fs::write(&file, text).unwrap();
    let verified = Command::new("systemd-analyze")
        .args(["--user", "verify"])
        .arg(&file)
        .env("XDG_RUNTIME_DIR", home.path())
        .output();
    let Ok(verified) = verified else { return };
    assert!(verified.status.success() && verified.stderr.is_empty(), "{}", told(&verified));
}

/// P20: a copy while it runs, checked; the daemon killed, the copy put in its place, and the log of
/// decisions is whole.
#[test]
fn p20_a_back_up_is_made_while_it_runs_and_puts_everything_back() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&["--session", "s", &database()]);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0, "{}", ask.stderr());
    // Nobody waits for this one, who would start a daemon of their own below.
    let ship = r#"{"question_text":"Ship it?","type":"boolean"}"#;
    let (mut open, open_id) = home.asks(&["--session", "s", "--patience", "1s", ship]);
    assert_eq!(open.ends(), 5, "{}", open.stderr());
    let copy = home.path().join("copy.db");
    let copied = home.prints(&["backup", copy.to_str().unwrap()]);
    assert!(copied.contains("checked: the copy is intact") && copied.contains("keys/"), "{copied}");
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    let again = home.run(&["backup", copy.to_str().unwrap()]);
    assert!(again.status.code() == Some(2) && told(&again).contains("exists already"), "{}", told(&again));
    // After the copy: this is lost with the database.
    home.prints(&["answer", &open_id, "--pick", "yes"]);
    home.kill();
    fs::write(home.home.database(), "a disk that went bad".repeat(500)).unwrap();
    // As docs/operating.md says.
    for left in ["askuser.db-wal", "askuser.db-shm"] {
        let _gone = fs::remove_file(home.home.folder().join(left));
    }
    assert_eq!(home.run(&["list"]).status.code(), Some(1), "it is not a database any more");
    fs::copy(&copy, home.home.database()).unwrap();
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
    assert_eq!(
        home.json(&["show", &id, "--json"])["outcome"]["answers"][0]["selected"][0]["label"],
        "MongoDB"
    );
    assert!(home.prints(&["list", "--json"]).contains(&open_id), "open, as it was when the copy was made");
    home.prints(&["answer", &open_id, "--pick", "yes"]);
}

#[test]
fn a_back_up_is_for_people_and_says_where_else_to_go() {
    let home = TestHome::new();
    let file = home.path().join("copy.db");
    let args = ["backup", file.to_str().unwrap()];
    assert!(told(&home.run(&args)).contains("no askuser database in"));
    let agent = home.run_with(&[("CLAUDECODE", "1")], &args);
    assert!(
        agent.status.code() == Some(2) && told(&agent).contains("this command is for people"),
        "{}",
        told(&agent)
    );
    let shared = home.run_with(&[("ASKUSER_DATABASE", "postgres://ann:secret@db/askuser")], &args);
    let said = told(&shared);
    assert!(
        said.contains(&format!("pg_dump --format=custom --file='{}' \"$ASKUSER_DATABASE\"", file.display())),
        "{said}"
    );
    assert!(shared.status.code() == Some(1) && !said.contains("secret"), "{said}");
    let away = home.run_with(&[("ASKUSER_URL", "http://127.0.0.1:9")], &args);
    assert!(told(&away).contains("on its machine"), "{}", told(&away));
    assert!(!file.exists());
}

/// Every finding that is not well says what it means and what to do.
#[test]
fn the_doctor_explains_each_finding_and_what_to_do() {
    let home = TestHome::new();
    home.wakes();
    home.prints(&["stop"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    configure(&home, &format!("server: {{listen: \"{address}\"}}\n"));
    let find = |what: &str| -> Value {
        let output = home.run(&["doctor", "--json"]);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let all = told["findings"].as_array().unwrap();
        for finding in all.iter().filter(|finding| finding["verdict"] != "ok") {
            assert!(finding["means"].is_string() && finding["hint"].is_string(), "{finding}");
        }
        let bad = all
            .iter()
            .filter(|finding| finding["what"] == what)
            .max_by_key(|finding| ["ok", "warn", "fail"].iter().position(|word| finding["verdict"] == *word));
        bad.unwrap_or_else(|| panic!("no {what}: {told}")).clone()
    };
    assert!(find("port")["said"].as_str().unwrap().starts_with(&format!("{address} is in use")));
    assert_eq!(find("database")["verdict"], "ok");
    fs::set_permissions(home.home.database(), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(find("permissions")["verdict"], "warn");
    configure(&home, "server: {lisen: x}\n");
    let config = find("config");
    assert!(
        config["verdict"] == "fail" && config["said"].as_str().unwrap().contains("did you mean `listen`"),
        "{config}"
    );
    configure(&home, "");
    fs::set_permissions(home.home.config(), fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(find("permissions")["verdict"], "fail");
    fs::remove_file(home.home.config()).unwrap();
    // A fact that somebody changed.
    let db = rusqlite::Connection::open(home.home.database()).unwrap();
    home.wakes();
    let (_ask, _) = home.asks(&[&database()]);
    home.prints(&["stop"]);
    db.execute("UPDATE fact SET kind = 'forged' WHERE number = 2", []).unwrap();
    drop(db);
    let found = find("database");
    assert!(found["said"].as_str().unwrap().contains("the chain breaks at fact 2"), "{found}");
    fs::write(home.home.database(), "no database").unwrap();
    assert_eq!(find("database")["verdict"], "fail");
}

/// D19: usage analytics in the terminal.
#[test]
fn d19_stats_say_what_was_asked_and_how_it_ended() {
    let home = TestHome::new();
    assert_eq!(home.prints(&["stats"]), "No question has ended yet.");
    let (mut ask, id) = home.asks(&[&database()]);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0, "{}", ask.stderr());
    let told = home.prints(&["stats"]);
    for part in ["1 question since", "1 answered by you", "Questions per day\n", "Which database?", "█"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(home.json(&["stats", "--json"])["outcomes"]["answered"], 1);
    assert_eq!(home.run_with(&[("CLAUDECODE", "1")], &["stats"]).status.code(), Some(2), "for people");
}
