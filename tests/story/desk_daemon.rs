//! The daemon's life: one for each folder, found or started, on good days and bad ones.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use askuser_client::home::{Running, ServerState};
use rustix::process::Signal;

use crate::asks::{ASKUSER, database, told};
use crate::home::{TestHome, WAKES, below_a_file, eventually, signal};

/// Both complained of a key file that no server had made yet.
#[test]
fn what_does_not_run_is_neither_stopped_nor_reloaded() {
    let home = TestHome::new();
    let stop = home.run(&["stop"]);
    assert_eq!(stop.status.code(), Some(1));
    assert_eq!(String::from_utf8(stop.stderr).unwrap(), "error: askuser is not running\n");
    assert!(home.prints(&["reload"]).starts_with("askuser is not running"));
    assert!(!home.home.folder().exists(), "nothing was made");
}

#[test]
fn ten_callers_start_one_daemon() {
    let home = TestHome::new();
    let mut callers: Vec<_> = (0..10).map(|_| home.start(ASKUSER, &WAKES)).collect();
    for caller in &mut callers {
        assert_eq!(caller.ends(), 0, "{}", caller.stderr());
        assert!(caller.stdout().starts_with("Nothing to delete"), "{}", caller.stdout());
    }
    assert_eq!(home.log().matches("INFO Listening on").count(), 1, "{}", home.log());
    let status = home.json(&["status", "--json"]);
    assert_eq!(status["pid"], home.daemon().pid);
}

#[test]
fn the_first_start_makes_a_folder_and_keys_for_their_owner_alone() {
    let home = TestHome::new();
    let mut daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let running = home.daemon();
    assert_eq!(daemon.stdout(), format!("askuser listening on {}\n", running.url));
    assert_eq!((running.pid, running.version.as_str()), (daemon.pid(), env!("CARGO_PKG_VERSION")));
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.home.folder()), 0o700);
    for name in ["agent", "person", "admin"] {
        let path = home.home.keys().join(name);
        assert_eq!(mode(&path), 0o600);
        assert_eq!(std::fs::read_to_string(path).unwrap().lines().count(), 1);
    }
    assert_eq!(mode(&home.home.database()), 0o600);
    // A second one is refused, and says by whom.
    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((second.status.code(), second.stdout.as_slice()), (Some(1), &b""[..]), "{}", told(&second));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains(&format!("process {} at {}", running.pid, running.url)), "{said}");
    assert!(said.contains("hint: "), "{said}");
    // A hang-up does not end it; a word from outside ends it in good order.
    signal(daemon.pid(), Signal::HUP);
    daemon.says("settings were reloaded");
    signal(daemon.pid(), Signal::TERM);
    assert_eq!(daemon.ends(), 0, "{}", daemon.stderr());
    assert_eq!(home.home.look(), ServerState::Nobody);
}

#[test]
fn a_port_that_is_taken_is_said_or_gone_around() {
    let home = TestHome::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = home.run(&["serve", "--listen", &address]);
    assert_eq!(refused.status.code(), Some(1), "{}", told(&refused));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains(&address) && said.contains("--listen 127.0.0.1:0"), "{said}");
    assert_eq!(home.home.look(), ServerState::Nobody, "nothing is left behind");
    // In the background the usual port may be anybody's: then another one is taken.
    // Ours while we look, or somebody's for long: a daemon of another test would let it go in between.
    let until = Instant::now() + Duration::from_secs(10);
    let mut usual = TcpListener::bind("127.0.0.1:8275");
    while usual.is_err() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
        usual = TcpListener::bind("127.0.0.1:8275");
    }
    home.wakes();
    assert_ne!(home.daemon().url, "http://127.0.0.1:8275");
}

#[test]
fn a_folder_that_cannot_be_written_is_said_with_a_way_out() {
    let home = TestHome::new();
    let folder = below_a_file(&home);
    let folder = folder.to_str().unwrap();
    let serve = home.run(&["serve", "--data", folder, "--listen", "127.0.0.1:0"]);
    let json = database();
    let ask = home.run_with(&[("ASKUSER_HOME", folder)], &["ask", "--where", "desk", &json]);
    for output in [serve, ask] {
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(1), &b""[..]),
            "{}",
            told(&output)
        );
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(folder) && said.contains("ASKUSER_HOME"), "{said}");
    }
}

#[test]
fn a_database_that_is_damaged_or_newer_is_left_as_it_is() {
    let home = TestHome::new();
    std::fs::create_dir_all(home.home.folder()).unwrap();
    std::fs::write(home.home.database(), "this is no database, whatever else it is".repeat(100)).unwrap();
    let serve = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(serve.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&serve.stderr).contains("is not a database or is damaged"),
        "{}",
        told(&serve)
    );
    // Who needs it started is told the same, out of the log.
    let list = home.run(&["list"]);
    assert_eq!(list.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&list.stderr).contains("is not a database or is damaged"),
        "{}",
        told(&list)
    );
    assert!(std::fs::read_to_string(home.home.database()).unwrap().starts_with("this is no database"));

    let home = TestHome::new();
    home.wakes();
    home.prints(&["stop"]);
    let newer = rusqlite::Connection::open(home.home.database()).unwrap();
    let insert = "INSERT INTO schema_migration (version, name, sha256, applied_at, program) \
                  SELECT 999, 'x', sha256, applied_at, '9.9.9' FROM schema_migration LIMIT 1";
    newer.execute(insert, []).unwrap();
    drop(newer);
    let serve = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(serve.status.code(), Some(1));
    let said = String::from_utf8_lossy(&serve.stderr).into_owned();
    assert!(said.contains("written by askuser 9.9.9") && said.contains("upgrade askuser"), "{said}");
}

/// Whoever waits for a daemon that was killed starts it again where nobody else does; whoever comes
/// back to its ask starts it at once. Both have the answer in the end.
#[test]
fn a_waiter_starts_a_daemon_that_crashed_and_gets_its_answer() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    let first = home.daemon().pid;
    home.kill();
    ask.says("Cannot reach askuser, reconnecting");
    let second = home.daemon().pid;
    assert_ne!(second, first);
    ask.says("Reconnected");
    // It would be quicker than whoever comes now.
    signal(ask.pid(), Signal::STOP);
    home.kill();
    let mut wait = home.start(ASKUSER, &["wait", &id]);
    wait.says("Starting askuser");
    assert_ne!(home.daemon().pid, second);
    signal(ask.pid(), Signal::CONT);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    for waiter in [&mut ask, &mut wait] {
        assert_eq!(waiter.ends(), 0, "{}", waiter.stderr());
        assert_eq!(waiter.stdout(), "{\"answers\":{\"Database\":\"MongoDB\"}}\n");
    }
}

/// What a crash leaves behind, a lock file that nobody holds and the word of a daemon whose process
/// id is somebody else's by now, is taken over.
#[test]
fn a_stale_lock_is_taken_over() {
    let home = TestHome::new();
    home.wakes();
    home.kill();
    // A process that has nothing to do with it.
    let other = home.start("sleep", &["60"]);
    let reused = Running { pid: other.pid(), ..home.home.said().unwrap() };
    std::fs::write(home.home.daemon_json(), reused.write()).unwrap();
    assert_eq!(home.home.look(), ServerState::Crashed);
    let list = home.run(&WAKES);
    assert_eq!(list.status.code(), Some(0), "{}", told(&list));
    assert!(String::from_utf8_lossy(&list.stderr).contains("Starting askuser"), "{}", told(&list));
    assert_ne!(home.daemon().pid, other.pid());
    // Two never own it: a second one is refused, and the first lives on.
    let second = home.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(1), "{}", told(&second));
    assert!(matches!(home.home.look(), ServerState::Running(_)));
}

#[test]
fn a_killed_daemon_loses_no_ask_and_no_waiter() {
    let home = TestHome::new();
    let _before = home.serve(&["--listen", "127.0.0.1:0"]);
    let (mut ask, id) = home.asks(&[&database()]);
    home.kill_for_good();
    ask.says("Cannot reach askuser, reconnecting");
    assert_eq!(home.run(&["status"]).status.code(), Some(1));
    // On another port, as it happens.
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    ask.says("Reconnected");
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0, "{}", ask.stderr());
    assert_eq!(ask.stdout(), "{\"answers\":{\"Database\":\"MongoDB\"}}\n");
    assert!(home.prints(&["audit", "--verify"]).starts_with("Intact: "));
}

#[test]
fn stopping_tells_waiters_to_come_back() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    assert_eq!(
        home.prints(&["stop"]),
        "Stopped askuser. 1 question is still waiting; it is back at the next start."
    );
    ask.says("Cannot reach askuser, reconnecting");
    assert_eq!(home.run(&["stop"]).status.code(), Some(1), "there is nothing to stop");
    // Whoever needs it starts it.
    let listed = home.prints(&["list"]);
    let shown = listed.lines().nth(1).and_then(|line| line.split_whitespace().next());
    assert!(shown.is_some_and(|shown| id.ends_with(shown)), "{listed}");
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0, "{}", ask.stderr());
    // A caller without patience does not wait for it either.
    let (mut ask, _) = home.asks(&["--patience", "2s", &database()]);
    home.prints(&["stop"]);
    assert_eq!(ask.ends(), 5, "{}", ask.stderr());
}

#[test]
fn a_newer_program_replaces_an_idle_older_daemon_and_no_other() {
    let home = TestHome::new();
    home.wakes();
    let older = |home: &TestHome| {
        let running = home.daemon();
        let older = Running { version: "0.0.1".into(), ..running.clone() };
        std::fs::write(home.home.daemon_json(), older.write()).unwrap();
        running
    };
    let before = older(&home);
    let list = home.run(&["list"]);
    assert_eq!(list.status.code(), Some(0), "{}", told(&list));
    assert!(String::from_utf8_lossy(&list.stderr).contains("Restarting askuser: version 0.0.1 was running"));
    assert_ne!(home.daemon().pid, before.pid);
    // An agent may not stop a daemon, and its question replaces one all the same.
    let before = older(&home);
    let json = database();
    let args = ["ask", "--where", "desk", "--patience", "1s", &json];
    let asked = home.run_with(&[("CLAUDECODE", "1")], &args);
    assert_eq!(asked.status.code(), Some(5), "{}", told(&asked));
    assert!(told(&asked).contains("Restarting askuser: version 0.0.1 was running"), "{}", told(&asked));
    assert_ne!(home.daemon().pid, before.pid);
    home.prints(&["answer", "--pick", "MongoDB"]);
    let (mut ask, id) = home.asks(&[&database()]);
    let before = older(&home);
    let list = home.run(&["list"]);
    assert!(
        String::from_utf8_lossy(&list.stderr).contains("goes on running while 1 question is waiting"),
        "{}",
        told(&list)
    );
    assert_eq!(home.daemon().pid, before.pid);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(ask.ends(), 0);
}

/// One that somebody started with words of their own is theirs: what we would start is not what it was.
#[test]
fn a_newer_program_leaves_a_daemon_alone_that_somebody_runs() {
    let config = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(config.path(), "ask_user_question: {session_timeout: 7200}\n").unwrap();
    let config = config.path().to_str().unwrap();
    for args in [
        &["--listen", "127.0.0.1:0"][..],
        &["--background", "--set", "ask_user_question.session_timeout=7200"],
        &["--background", "--config", config],
    ] {
        let home = TestHome::new();
        let mut daemon = home.serve(args);
        let before = home.daemon();
        assert!(!before.by_itself, "{args:?}");
        let older = Running { version: "0.0.1".into(), ..before.clone() };
        std::fs::write(home.home.daemon_json(), older.write()).unwrap();
        let list = home.run(&["list"]);
        assert_eq!(list.status.code(), Some(0), "{}", told(&list));
        assert!(told(&list).contains("askuser 0.0.1 is running, started by hand"), "{}", told(&list));
        assert!(daemon.is_running() && home.daemon().pid == before.pid, "{args:?}");
    }
}

#[test]
fn a_daemon_that_others_can_reach_says_so_loudly() {
    let home = TestHome::new();
    let daemon = home.start(ASKUSER, &["serve", "--listen", "0.0.0.0:0"]);
    daemon.says("IS REACHABLE FROM OTHER MACHINES");
    daemon.prints("askuser listening on http://0.0.0.0:");
    eventually("the daemon", || home.home.running());
}

#[test]
fn the_demo_without_a_terminal_plays_both_and_leaves_nothing() {
    let home = TestHome::new();
    let begun = Instant::now();
    let told_all = home.prints(&["demo"]);
    assert!(begun.elapsed().as_secs() < 20);
    assert!(told_all.starts_with("No terminal here, so this demo plays you too"), "{told_all}");
    assert!(told_all.contains("agent: Done, and every decision was yours."), "{told_all}");
    assert!(told_all.contains("Next, connect your own agent:\n  askuser setup"), "{told_all}");
    assert!(!told_all.contains("does without one"), "{told_all}");
    assert!(!home.home.folder().exists(), "the person's own folder is untouched");
    let left = std::fs::read_dir(home.home.folder().parent().unwrap()).unwrap();
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_demo_speaks_the_persons_language_throughout() {
    let home = TestHome::new();
    let output = home.run_with(&[("ASKUSER_LANG", "zh")], &["demo"]);
    let told_all = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told_all.contains("输入编号") && told_all.contains("第 3/3 轮"), "{told_all}");
    assert!(told_all.contains("下一步，接入你自己的智能体："), "{told_all}");
    // What is left in Latin letters is what agents send and what is typed: JSON, names, commands.
    for english in ["Enter", "question", "Other", "Round", "agent:", "Yes", "custom"] {
        assert!(!told_all.contains(english), "{english}: {told_all}");
    }
}

/// A shell that lets a program have few files open lets it have more when it asks; where it does not,
/// the doctor says so.
#[test]
fn a_daemon_takes_all_the_files_it_may_have_and_too_few_are_said() {
    let home = TestHome::new();
    let limited = "ulimit -Sn 200 && ulimit -Hn 600 && exec \"$0\" serve --listen 127.0.0.1:0";
    let daemon = home.start("sh", &["-c", limited, ASKUSER]);
    daemon.prints("askuser listening on");
    assert_eq!(home.json(&["status", "--json"])["open_files_max"], 600);
    let doctor = home.prints(&["doctor"]);
    assert!(doctor.contains("warn  open files   askuser may have 600 open: too few"), "{doctor}");
    assert!(doctor.contains("ulimit -Hn 12100"), "{doctor}");
}
