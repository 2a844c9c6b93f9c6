//! The inbox on a real terminal: several agents ask, several people answer, the desk goes and comes.

use rustix::process::Signal;
use serde_json::json;

use crate::asks::{ASKUSER, ask, database, features, login, question, told};
use crate::home::{Program, TestHome, by_key, eventually};
use crate::press::{CTRL_C, DOWN, ENTER, ESC};
use crate::stage::{Ended, Setup, Stage};

const CLAUDE: [(&str, &str); 2] = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "a")];
const CODEX: [(&str, &str); 2] = [("CODEX_SANDBOX", "seatbelt"), ("CODEX_THREAD_ID", "b")];
const GEMINI: [(&str, &str); 1] = [("GEMINI_CLI", "1")];

/// An agent asks at the desk and waits; returns its program and the id of the ask.
fn agent_asks(home: &TestHome, agent: &[(&str, &str)], json: &str) -> (Program, String) {
    let mut command = home.command(ASKUSER, &["ask", "--where", "desk", json]);
    let program = Program::start(command.envs(agent.iter().copied()));
    let said = program.says("Waiting for an answer");
    let id = said.split_once("(ask_").unwrap().1;
    let id = format!("ask_{}", &id[..26]);
    (program, id)
}

fn inbox_of(home: &TestHome) -> Setup {
    Setup::new(ASKUSER).arg("inbox").var("ASKUSER_HOME", &home.data())
}

/// A daemon of its own, so that none is being started while others look on.
fn desk() -> TestHome {
    let home = TestHome::new();
    home.wakes();
    home
}

/// Checks that the terminal is as a shell expects it, with what stood on it before.
#[track_caller]
fn restored(stage: &Stage, ended: &Ended) {
    assert!(stage.is_cooked() && !stage.is_disturbed(), "{}", ended.screen);
    assert!(!stage.screen().alternate_screen(), "the other screen is gone: {}", ended.screen);
    assert!(ended.screen.starts_with("above"), "what stood there is there: {}", ended.screen);
    assert_eq!(ended.stdout, "");
}

/// D19, P15: three agents ask, two people are at their inboxes; the first answer wins, the other is told.
#[test]
fn d19_p15_three_agents_and_two_people() {
    let home = desk();
    let mut ann = inbox_of(&home).size(60, 15).start();
    let mut ben = inbox_of(&home).size(100, 30).start();
    ann.sees("No questions are waiting.");
    ben.sees("No questions are waiting.");
    let (mut claude, first) = agent_asks(&home, &CLAUDE, &database());
    let (mut codex, _) = agent_asks(&home, &CODEX, &features());
    let (mut gemini, third) = agent_asks(&home, &GEMINI, &database());
    for person in [&ann, &ben] {
        let screen = person.wait("three asks", |screen| screen.contains("Inbox 3"));
        for who in ["claude-code · ", "codex · ", "gemini-cli · ", "Round 1", "2 alike"] {
            assert!(screen.contains(who), "{who}: {screen}");
        }
    }
    // Both have the same sheet open; Ben has typed something when Ann is first.
    ann.does(ENTER, "1-3 pick");
    ben.does(ENTER, "1-3 pick");
    ben.does("0", "type your answer");
    ben.does("xq 数据", "xq 数据");
    ann.does(DOWN, "❯ 2");
    ann.does(ENTER, "✓ Sent. Database: MongoDB");
    let way =
        if by_key("terminal", ASKUSER)["channel"] == "api" { "with a command" } else { "in the terminal" };
    let screen = ben.sees(&format!("Answered by local {way}: Database: MongoDB"));
    assert!(screen.contains("What you entered here was not sent."), "{screen}");
    ben.types("xqx").does(ENTER, "❯ Features");
    assert_eq!((claude.ends(), claude.stdout().as_str()), (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n"));
    // Ben declines the one, with a reason; Ann takes her earlier answer for the other.
    ben.looks().does("x", "Say why");
    ben.does("later", "later");
    ben.does(ENTER, "✓ Declined");
    assert_eq!(codex.ends(), 3);
    assert!(codex.stdout().contains("\"comment\":\"later\""), "{}", codex.stdout());
    ann.wait("one ask", |screen| screen.contains("Inbox 1"));
    // The one that ended stays under her cursor until she moves on.
    ann.does("G", "❯ Database");
    ann.looks().does("r", "Filled in with your last answer; nothing is sent yet.");
    ann.sees("● MongoDB");
    assert!(gemini.is_running());
    ann.types("m").sees("Note");
    ann.does("as the other one", "as the other one");
    ann.does(ENTER, "✎ Note: as the other one");
    ann.does(ENTER, "No questions are waiting.");
    assert_eq!(gemini.ends(), 0);
    assert!(gemini.stdout().contains("as the other one"), "{}", gemini.stdout());
    ben.sees("No questions are waiting.");
    for id in [&first, &third] {
        let by = home.json(&["show", id, "--json"])["outcome"]["by"].clone();
        assert_eq!(by, by_key("terminal", ASKUSER));
    }
    assert_eq!(ann.types("q").ends().code, 0);
    assert_eq!(ben.types(CTRL_C).ends().code, 130);
}

/// P15 for the terminal: alike asks are marked and answered in one go.
#[test]
fn p15_alike_asks_are_answered_in_one_go() {
    let home = desk();
    let (mut claude, _) = agent_asks(&home, &CLAUDE, &database());
    let (mut codex, _) = agent_asks(&home, &CODEX, &database());
    let (mut gemini, _) = agent_asks(&home, &GEMINI, &features());
    let mut stage = inbox_of(&home).start();
    stage.sees("Inbox 3");
    stage.does("a", "2 marked");
    stage.does(ENTER, "one answer for 2 questions");
    stage.does(DOWN, "❯ 2");
    stage.does(ENTER, "✓ Sent to 2 questions. Database: MongoDB");
    for agent in [&mut claude, &mut codex] {
        assert_eq!(
            (agent.ends(), agent.stdout().as_str()),
            (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n")
        );
    }
    assert!(gemini.is_running(), "the third one asked something else");
    stage.sees("Inbox 1");
}

/// P15: the history with its search, and the conversation around an ask.
#[test]
fn p15_history_search_and_conversation() {
    let home = desk();
    let asks = |json: &str| {
        let (program, id) = home.asks(&["--session", "work", json]);
        (program, id)
    };
    for (json, pick) in [(database(), "SQLite"), (features(), "Logging")] {
        let (mut ask, id) = asks(&json);
        home.prints(
            &["answer", &id, "--pick", pick, "--note", "r1q1=because"]
                .map(|arg| if arg == "r1q1=because" && pick == "Logging" { "r2q1=because" } else { arg }),
        );
        assert_eq!(ask.ends(), 0);
    }
    let (_waits, _) = asks(&login());
    let mut stage = inbox_of(&home).size(60, 30).start();
    stage.sees("Round 3");
    stage.types("c");
    let screen = stage.sees("Waiting for an answer.");
    for said in ["Round 2", "● Logging", "○ Caching", "✎ because", "Answered by local with a command"] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    stage.types("g");
    let screen = stage.sees("Round 1");
    assert!(screen.contains("● SQLite") && screen.contains("○ PostgreSQL"), "{screen}");
    stage.does(ESC, "Enter open");
    stage.types("h");
    let screen = stage.sees("Features");
    assert!(screen.contains("Database") && screen.contains("SQLite"), "{screen}");
    stage.does("/", "type to search");
    stage.types("sqlite");
    let screen = stage.loses("Features");
    assert!(screen.contains("Which database?"), "{screen}");
    stage.types(ENTER).does(ENTER, "● SQLite");
    stage.does(ESC, "Enter read");
    stage.does(ESC, "Features");
    stage.does(ESC, "Enter open");
}

/// What is typed is kept as it is typed, and the real cursor stands where it is typed, because that is
/// where an input method opens its window.
#[test]
fn what_is_typed_is_kept_and_the_cursor_stands_there() {
    let home = desk();
    let text = ask(&[json!({"question": "名字？", "header": "名字", "type": "text"})]);
    let (_waits, id) = home.asks(&["--dialect", "full", &text]);
    for (columns, rows) in [(60, 15), (100, 30)] {
        let mut stage = inbox_of(&home).size(columns, rows).var("LANG", "zh_CN.UTF-8").start();
        stage.sees("收件箱 1");
        stage.does(ENTER, "Esc 收件箱");
        stage.types("订单q服务");
        stage.wait_cells("the cursor behind the text", |screen| {
            let (row, column) = screen.cursor_position();
            let line: String = screen.rows(0, columns).nth(usize::from(row)).unwrap_or_default();
            !screen.hide_cursor() && line.contains("❯ 订单q服务") && column == 13
        });
        eventually("the sheet at the desk", || {
            let sheet = home.json(&["show", &id, "--json"])["sheet"]["answers"].to_string();
            sheet.contains("订单q服务").then_some(())
        });
        stage.types("\x15").types("");
        eventually("the sheet at the desk", || {
            let sheet = home.json(&["show", &id, "--json"])["sheet"]["answers"].to_string();
            (!sheet.contains("订单q服务")).then_some(())
        });
        assert_eq!(stage.types(CTRL_C).ends().code, 130);
    }
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    let home = desk();
    let (_ask, _) = home.asks(&[&database()]);
    let start = || {
        let stage = inbox_of(&home).before("above\r\n").size(80, 24).start();
        let screen = stage.sees("Which database?");
        assert!(!screen.contains("above") && stage.screen().alternate_screen() && !stage.is_cooked());
        stage
    };
    let mut stage = start();
    let ended = stage.types("q").ends();
    assert_eq!(ended.code, 0);
    restored(&stage, &ended);
    for (signal, code) in [(Signal::TERM, 130), (Signal::INT, 130), (Signal::HUP, 6)] {
        let mut stage = start();
        stage.does(ENTER, "1-3 pick");
        stage.signal(signal);
        let ended = stage.ends();
        assert_eq!(ended.code, code, "{signal:?}");
        restored(&stage, &ended);
    }
}

#[test]
fn it_is_stopped_and_comes_back() {
    let home = desk();
    let (_ask, _) = home.asks(&[&database()]);
    let script = format!("PS1='$ '; set -m; '{ASKUSER}' inbox");
    let setup = Setup::new("/bin/bash").arg("--norc").arg("-i").size(80, 24);
    let mut stage = setup.var("ASKUSER_HOME", &home.data()).wiring("").start();
    stage.does(&format!("{script}\r"), "Which database?");
    stage.does(DOWN, "Inbox 1");
    let screen = stage.does("\x1a", "Stopped");
    assert!(!screen.contains("Which database?"), "{screen}");
    assert!(!stage.screen().alternate_screen());
    stage.does("fg\r", "Which database?");
    stage.resize(100, 30);
    stage.does("?", "mark all identical questions");
    stage.does(ESC, "Which database?");
    stage.types("q").loses("Which database?");
    stage.does("echo code=$? >&2\r", "\ncode=0");
    stage.types("exit\r").ends();
}

#[test]
fn a_desk_that_goes_away_is_waited_for() {
    let home = TestHome::new();
    let _before = home.serve(&["--listen", "127.0.0.1:0"]);
    let (_first, _) = home.asks(&[&database()]);
    let mut stage = inbox_of(&home).start();
    stage.sees("Which database?");
    stage.does(ENTER, "1-3 pick");
    stage.does(DOWN, "❯ 2");
    home.kill_for_good();
    stage.sees("reconnecting…");
    // What is sent meanwhile arrives when it is back, and what was asked meanwhile is there.
    stage.does(ENTER, "sending…");
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    stage.sees("✓ Sent. Database: MongoDB");
    let (_second, _) = home.asks(&[&features()]);
    stage.sees("Which features to enable?");
    stage.loses("reconnecting…");
}

#[test]
fn a_desk_elsewhere_is_reached_by_its_address_and_a_key() {
    let home = desk();
    let (mut ask, _) = home.asks(&[&database()]);
    let key = home.key("person");
    let url = home.daemon().url;
    let setup = Setup::new(ASKUSER).arg("inbox").var("ASKUSER_URL", &url).var("ASKUSER_KEY", &key);
    let mut stage = setup.start();
    let screen = stage.sees("Which database?");
    assert!(screen.contains(&url), "it says where the desk is: {screen}");
    stage.does(ENTER, "1-3 pick");
    stage.does("3", "● SQLite");
    stage.does(ENTER, "No questions are waiting.");
    assert_eq!(ask.ends(), 0);
}

#[test]
fn it_is_for_people_at_a_terminal() {
    let home = desk();
    let output = home.run(&["inbox"]);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&output));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("needs an interactive terminal"),
        "{}",
        told(&output)
    );
    let mut stage = inbox_of(&home).var("TERM", "dumb").start();
    assert_eq!(stage.ends().code, 2);
    let mut stage = inbox_of(&home).var("CLAUDECODE", "1").start();
    let ended = stage.ends();
    assert!(ended.code == 2 && !ended.screen.contains("--as-person"), "{}", ended.screen);
    // A person who insists is let in, and what they do says so.
    let (_ask, id) = home.asks(&[&database()]);
    let mut stage = inbox_of(&home).arg("--as-person").var("CLAUDECODE", "1").start();
    stage.sees("Which database?");
    stage.does(ENTER, "1-3 pick");
    stage.does("2", "● MongoDB");
    stage.does(ENTER, "No questions are waiting.");
    assert_eq!(home.json(&["show", &id, "--json"])["outcome"]["by"]["proof"], "as_person");
}

/// The same in tmux, where many work: over SSH, on sixty columns and fifteen rows.
#[test]
fn it_works_in_tmux_on_sixty_columns_and_fifteen_rows() {
    let home = desk();
    let json = ask(&[question("数据库", "这个服务应该使用哪个数据库？", &["PostgreSQL", "SQLite"], false)]);
    let (mut waits, _) = home.asks(&[&json]);
    let socket = format!("{}/tmux.sock", home.data());
    let tmux = |args: &[&str]| {
        let args: Vec<&str> =
            ["-u", "-f", "/dev/null", "-S", &socket].into_iter().chain(args.iter().copied()).collect();
        let output = home.command("tmux", &args).env("TERM", "xterm-256color").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let run = format!("exec env LANG=zh_CN.UTF-8 {ASKUSER} inbox");
    tmux(&["new-session", "-d", "-x", "60", "-y", "15", &run]);
    let sees = |text: &str| {
        eventually(text, || Some(tmux(&["capture-pane", "-p"])).filter(|screen| screen.contains(text)))
    };
    let screen = sees("这个服务应该使用哪个数据库？");
    assert!(screen.lines().count() <= 15 && screen.contains("收件箱 1"), "{screen}");
    // What came up less than 400 ms ago is neither opened nor answered.
    let look = || std::thread::sleep(std::time::Duration::from_millis(420));
    look();
    tmux(&["send-keys", "Enter"]);
    sees("╭ 数据库 ");
    tmux(&["send-keys", "0"]);
    sees("写下你的答案");
    tmux(&["send-keys", "-l", "都可以q"]);
    sees("都可以q");
    let cursor = tmux(&["display-message", "-p", "#{cursor_flag} #{cursor_x} #{alternate_on}"]);
    assert!(cursor.starts_with("1 ") && cursor.trim_end().ends_with(" 1"), "{cursor}");
    look();
    tmux(&["send-keys", "Enter"]);
    sees("没有待回答的问题。");
    assert_eq!(waits.ends(), 0);
    assert!(waits.stdout().contains("都可以q"), "{}", waits.stdout());
    tmux(&["kill-server"]);
}
