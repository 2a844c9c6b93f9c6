//! A question in the terminal and at the desk at once: the first answer wins, the other side says so.

use askuser_api::asks::{AnswerQuestion, Hold, TakeBack};
use askuser_client::Client;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;
use rustix::process::Signal;

use serde_json::json;

use crate::asks::{ASKUSER, COMMAND, ask, database, question};
use crate::home::{TestHome, by_key, eventually};
use crate::stage::{Setup, Stage};

const DOWN: &str = "\x1b[B";
const ENTER: &str = "\r";
const ESC: &str = "\x1b";

/// Shows the sample question in a terminal of this home, whose daemon runs, and returns its id.
fn shown(home: &TestHome, setup: Setup) -> (Stage, String) {
    let stage = setup.var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Which database?");
    let id = eventually("the ask", || {
        home.json(&["list", "--json"])["asks"][0]["ask_id"].as_str().map(str::to_owned)
    });
    (stage, id)
}

/// While somebody can still take back what they pressed elsewhere, the panel says that they are answering.
#[test]
fn an_answer_that_is_held_elsewhere_is_seen_in_the_panel() {
    let home = TestHome::new();
    home.wakes();
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg(database()));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = Client::new(&Environment::of(&[]), home.home.clone());
    let question = home.json(&["show", &id, "--json"])["questions"][0]["question_id"].clone();
    let body = json!({"answers": {question.as_str().unwrap(): "MongoDB"}});
    runtime.block_on(client.call::<Hold>(KeyRole::Person).at(&id).json(body.clone()).send()).unwrap();
    stage.sees("Being answered by local");
    runtime.block_on(client.call::<TakeBack>(KeyRole::Person).at(&id).send()).unwrap();
    stage.loses("Being answered by local");
    runtime.block_on(client.call::<Hold>(KeyRole::Person).at(&id).json(body).send()).unwrap();
    // Nobody takes it back, so the desk makes it final.
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n"));
}

#[test]
fn an_answer_elsewhere_closes_the_panel_and_says_by_whom() {
    let home = TestHome::new();
    home.wakes();
    // With a daemon running, both is what happens by itself.
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg(database()));
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n"));
    assert!(ended.screen.contains("Answered by local with a command: Database: MongoDB"), "{}", ended.screen);
    assert!(stage.is_cooked() && !stage.is_disturbed());
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg("--plain").arg(database()));
    home.prints(&["cancel", &id, "--reason", "no time"]);
    let ended = stage.ends();
    assert_eq!(ended.code, 3, "{}", ended.screen);
    assert!(ended.screen.contains("Declined by local with a command: no time"), "{}", ended.screen);
    let (mut stage, id) = shown(&home, Setup::new(ASKUSER).arg("ask").arg(database()));
    home.prints(&["withdraw", &id]);
    let ended = stage.ends();
    assert_eq!(ended.code, 4, "{}", ended.screen);
    assert!(ended.screen.contains("Withdrawn"), "{}", ended.screen);
}

/// P9: what was answered elsewhere for good stays, and the agent goes on waiting for the rest.
#[test]
fn p9_an_answer_that_meets_another_ends_no_waiting_agent() {
    let home = TestHome::new();
    home.wakes();
    let labels = ["one", "two"];
    let both = ask(&[
        question("First", "Which database?", &labels, false),
        question("Second", "And then?", &labels, false),
    ]);
    let (mut stage, id) = shown(&home, Setup::new(ASKUSER).arg("ask").arg(both));
    let session = home.json(&["show", &id, "--json"])["session"].clone();
    let answer = |question: &str, option: &str| {
        let body = json!({"session_id": session, "question_id": question, "answer": option});
        let client = Client::new(&Environment::of(&[]), home.home.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(client.call::<AnswerQuestion>(KeyRole::Person).json(body).send()).unwrap();
    };
    answer("r1q1", "one");
    stage.types("2\r");
    stage.sees("And then?");
    stage.types("2\r");
    stage.sees("❯ Send");
    stage.types(ENTER);
    stage.sees("Not sent");
    stage.sees("What you entered is kept");
    // Nobody was spoken for, and the second is as it was put down.
    let seen = home.json(&["show", &id, "--json"]);
    assert_eq!((&seen["status"], &seen["submitted"]), (&json!("showing"), &json!(["r1q1"])));
    answer("r1q2", "two");
    let ended = stage.ends();
    assert_eq!(
        (ended.code, ended.stdout.as_str()),
        (0, "{\"answers\":{\"First\":\"one\",\"Second\":\"two\"}}\n")
    );
}

#[test]
fn an_answer_in_the_panel_is_the_outcome_everywhere() {
    let home = TestHome::new();
    home.wakes();
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg(database()));
    let mut waits = home.start(ASKUSER, &["wait", &id]);
    stage.types(DOWN);
    stage.sees("❯ 2");
    let ended = stage.types(ENTER).ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n"));
    assert_eq!(waits.ends(), 0);
    assert_eq!(waits.stdout(), ended.stdout);
    let seen = home.json(&["show", &id, "--json"]);
    assert_eq!(seen["outcome"]["by"], by_key("terminal", COMMAND));
}

#[test]
fn what_is_picked_is_kept_and_the_ask_can_be_left_open() {
    let home = TestHome::new();
    // Asked for, the desk is found or started.
    let (mut stage, id) =
        shown(&home, Setup::new(ASKUSER).arg("ask").arg("--where").arg("both").arg(database()));
    stage.types(DOWN).types(DOWN).types(" ");
    stage.types(ESC);
    stage.sees("Answer later");
    stage.types(DOWN).types(DOWN);
    stage.sees("❯ 3 Answer later");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 5, "{}", ended.screen);
    let told: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&told["status"], &told["ask_id"]), (&json!("pending"), &json!(id)));
    assert!(ended.screen.contains(&format!("`askuser wait {id}`")), "{}", ended.screen);
    let seen = home.json(&["show", &id, "--json"]);
    assert_eq!(seen["sheet"]["answers"]["r1q1"]["selected"], json!(["3"]), "{seen}");
    // The person comes back to it, finds what was picked, and sends it.
    let mut waits = home.start(ASKUSER, &["wait", &id]);
    let mut stage = Setup::new(ASKUSER).arg("answer").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("●");
    let ended = stage.types(ENTER).ends();
    assert_eq!((ended.code, ended.stdout), (0, "Answered: Which database? → SQLite\n".to_owned()));
    assert_eq!(waits.ends(), 0);
    assert_eq!(waits.stdout(), "{\"answers\":{\"Database\":\"SQLite\"}}\n");
}

#[test]
fn interrupting_the_panel_leaves_the_ask_open() {
    let home = TestHome::new();
    home.wakes();
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg(database()));
    let ended = stage.types("\x03").ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""));
    assert!(ended.screen.contains(&format!("`askuser wait {id}`")), "{}", ended.screen);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!(home.prints(&["wait", &id]), "{\"answers\":{\"Database\":\"MongoDB\"}}");
}

#[test]
fn patience_and_deadlines_end_the_panel() {
    let home = TestHome::new();
    home.wakes();
    let ask = |flag: &str, time: &str| {
        let setup = Setup::new(ASKUSER).arg("ask").arg(flag).arg(time).arg(database());
        setup.var("ASKUSER_HOME", &home.data()).start().ends()
    };
    let ended = ask("--patience", "500ms");
    assert_eq!(ended.code, 5, "{}", ended.screen);
    let id = home.json(&["list", "--json"])["asks"][0]["ask_id"].as_str().unwrap().to_owned();
    home.prints(&["cancel", &id]);
    let ended = ask("--timeout", "500ms");
    assert_eq!(ended.code, 124, "{}", ended.screen);
    assert!(ended.screen.contains("Timed out"), "{}", ended.screen);
}

#[test]
fn an_answer_sent_while_the_desk_is_away_arrives_when_it_is_back() {
    let home = TestHome::new();
    let _before = home.serve(&["--listen", "127.0.0.1:0"]);
    let (mut stage, id) = shown(&home, Setup::new(COMMAND).arg(database()));
    home.kill_for_good();
    stage.types(DOWN);
    stage.sees("❯ 2");
    stage.types(ENTER);
    stage.sees("Cannot reach askuser; your answer is sent");
    let _daemon = home.serve(&["--listen", "127.0.0.1:0"]);
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (0, "{\"answers\":{\"Database\":\"MongoDB\"}}\n"));
    let by = home.json(&["show", &id, "--json"])["outcome"]["by"].clone();
    assert_eq!(by, by_key("terminal", COMMAND));
}

/// The demo has a desk of its own, which a second terminal finds, and which ends with it even where
/// it is killed.
#[test]
fn the_demo_can_be_answered_elsewhere_and_takes_its_desk_along() {
    let home = TestHome::new();
    let mut stage = Setup::new(ASKUSER).arg("demo").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Which authentication method");
    let said = std::fs::read_to_string(stage.home().join("stdout")).unwrap();
    let folder = format!("{}-demo", home.data());
    assert!(said.contains(&format!("ASKUSER_HOME={folder} askuser answer")), "{said}");
    assert!(said.contains("In the browser:\n  http://askuser-"), "{said}");
    stage.types("2\r");
    stage.sees("Round 2/3");
    let desk = askuser_client::home::Home::new(&folder);
    let vars = [("ASKUSER_HOME", folder.as_str())];
    let cancel = |id: &str| home.run_with(&vars, &["cancel", id]);
    let list = eventually("the second round", || {
        let list: serde_json::Value =
            serde_json::from_slice(&home.run_with(&vars, &["list", "--json"]).stdout).ok()?;
        list["asks"][0]["ask_id"].as_str().map(str::to_owned)
    });
    assert_eq!(cancel(&list).status.code(), Some(0));
    let ended = stage.ends();
    assert_eq!(ended.code, 3, "{}", ended.screen);
    assert!(!desk.folder().exists());
    let stage = Setup::new(ASKUSER).arg("demo").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Which authentication method");
    assert!(desk.is_held());
    drop(stage);
    eventually("the demo's desk to go", || (!desk.folder().exists()).then_some(()));
}

/// The demo's desk is gone with it, so there is nothing to come back to.
#[test]
fn a_demo_that_is_broken_off_names_no_way_back() {
    let home = TestHome::new();
    let mut stage = Setup::new(ASKUSER).arg("demo").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Which authentication method");
    let ended = stage.types("\x03").ends();
    assert_eq!(ended.code, 130, "{}", ended.screen);
    assert!(
        !ended.screen.contains("askuser wait") && !ended.screen.contains("askuser open"),
        "{}",
        ended.screen
    );
}

/// The terminal writes `^C` where the cursor is; what is said then begins a line of its own.
#[test]
fn breaking_off_a_wait_begins_a_new_line() {
    let home = TestHome::new();
    let (_asks, id) = home.asks(&[&database()]);
    let mut stage = Setup::new(ASKUSER).arg("wait").arg(&id).var("ASKUSER_HOME", &home.data()).start();
    let status = format!("/proc/{}/status", stage.pid());
    eventually("it to hear signals", || {
        // The shell that starts it hears that signal too.
        let status =
            std::fs::read_to_string(&status).ok().filter(|status| status.starts_with("Name:\taskuser\n"))?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        let caught = u64::from_str_radix(caught.trim(), 16).ok()?;
        // Signal 2 is that of Ctrl-C.
        (caught & 0b10 != 0).then_some(())
    });
    let ended = stage.does("\x03", "Not answered yet");
    assert!(ended.contains("^C\nNot answered yet: `askuser answer`"), "{ended}");
}

/// Without its terminal nobody sees the demo: it ends, and does not wait for the browser.
#[test]
fn the_demo_ends_with_its_terminal() {
    let home = TestHome::new();
    let mut stage = Setup::new(ASKUSER).arg("demo").var("ASKUSER_HOME", &home.data()).start();
    stage.sees("Which authentication method");
    stage.signal(Signal::HUP);
    let ended = stage.ends();
    assert_eq!(ended.code, 130, "{}", ended.screen);
    assert!(!std::path::Path::new(&format!("{}-demo", home.data())).exists());
}
