//! `askuser events`: both ends of the event protocol as lines of JSON (E7).

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, database};
use crate::home::{TestHome, eventually, signal};

const PATIENCE: Duration = Duration::from_secs(20);
/// The most that a message may have.
const LINE_BYTES_MAX: usize = 256 * 1024;

/// An end of the line.
struct Talk {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Talk {
    fn open(home: &TestHome, vars: &[(&str, &str)], args: &[&str]) -> Self {
        let args: Vec<&str> = ["events"].into_iter().chain(args.iter().copied()).collect();
        let mut command = home.command(ASKUSER, &args);
        command
            .envs(vars.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    /// One that is given these lines, and then the end of its input.
    fn start(home: &TestHome, vars: &[(&str, &str)], args: &[&str], lines: &[String]) -> Self {
        let mut talk = Self::open(home, vars, args);
        for line in lines {
            talk.say(line);
        }
        talk
    }

    fn say(&mut self, line: &str) {
        // One that was refused may be gone before it is told anything.
        let _told = writeln!(self.stdin, "{line}");
    }

    /// Has it stand still, as a machine that sleeps.
    fn sleeps(&self) {
        signal(self.child.id(), Signal::STOP);
    }

    fn wakes(&self) {
        signal(self.child.id(), Signal::CONT);
    }

    fn hears(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Ends its input and waits for its end; returns its exit code, the messages it printed since
    /// and what it said.
    #[track_caller]
    fn ends(self) -> (Option<i32>, Vec<Value>, String) {
        let Self { mut child, stdin, stdout } = self;
        drop(stdin);
        let until = Instant::now() + PATIENCE;
        while child.try_wait().unwrap().is_none() {
            let late = Instant::now() > until;
            if late {
                child.kill().unwrap();
            }
            assert!(!late, "it waits for ever");
            std::thread::sleep(Duration::from_millis(5));
        }
        let messages = stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), messages, String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn questions() -> Value {
    serde_json::from_str::<Value>(&database()).unwrap()["questions"].clone()
}

/// Waits until this many asks are open; returns their ids.
fn open(home: &TestHome, n_open: usize) -> Vec<String> {
    eventually("the asks", || {
        let told = home.json(&["list", "--json"]);
        let asks = told["asks"].as_array().unwrap();
        let ids = asks.iter().map(|ask| ask["ask_id"].as_str().unwrap().to_owned());
        (asks.len() == n_open).then(|| ids.collect())
    })
}

/// E1, E7: an agent's end, with two agents at once.
#[test]
fn e7_events_are_lines_of_json() {
    let home = TestHome::new();
    home.wakes();
    let request = |agent: &str| {
        json!({"event": "ask:question:request", "data": {"agentId": agent, "questions": questions()}})
            .to_string()
    };
    let talk = Talk::start(&home, &[], &[], &[request("a1"), request("a2")]);
    for id in open(&home, 2) {
        home.prints(&["answer", &id, "--pick", "MongoDB"]);
    }
    let (code, messages, said) = talk.ends();
    assert_eq!(code, Some(0), "{said}");
    let mut agents: Vec<&Value> = messages.iter().map(|message| &message["data"]["agentId"]).collect();
    agents.sort_by_key(ToString::to_string);
    assert_eq!(agents, ["a1", "a2"]);
    for message in &messages {
        assert_eq!(message["event"], "ask:question:response");
        assert_eq!(message["data"]["answers"]["question-0"], "MongoDB");
    }
}

/// E7, O1: a request without a name is given one, so that its response is known; a line that is no
/// message is complained about; and nothing waits for ever.
#[test]
fn e7_a_request_without_a_name_and_a_line_of_nonsense_have_their_answers_too() {
    let home = TestHome::new();
    home.wakes();
    let request = json!({"type": "ask_user", "questions": questions()}).to_string();
    let lines = ["nonsense".to_owned(), request.clone(), request, json!({"type": "ask_user"}).to_string()];
    let talk = Talk::start(&home, &[], &[], &lines);
    // The second joins the first: it is the same question.
    let id = open(&home, 1).remove(0);
    home.prints(&["answer", &id, "--pick", "SQLite"]);
    let (code, messages, said) = talk.ends();
    assert_eq!(code, Some(0), "{said}");
    let of_type = |name: &str| messages.iter().filter(|message| message["type"] == name).collect::<Vec<_>>();
    assert_eq!(of_type("error").len(), 2, "{messages:?}");
    let responses = of_type("ask_user_response");
    assert_eq!(responses.len(), 2, "{messages:?}");
    assert_ne!(responses[0]["opCode"], responses[1]["opCode"]);
    for response in responses {
        assert!(response["opCode"].as_str().is_some_and(|name| !name.is_empty()), "{response}");
        assert_eq!((&response["status"], &response["ask_id"]), (&json!("answered"), &json!(id)));
    }
}

/// E7: a person's end hears what is open, answers it, and hears the close.
#[test]
fn e7_a_persons_end_hears_requests_and_answers_them() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    let mut talk = Talk::open(&home, &[], &["--as", "person"]);
    let request = talk.hears();
    assert_eq!((&request["type"], &request["askId"]), (&json!("ask_user"), &json!(id)));
    talk.say(&json!({"type": "ask_user_response", "opCode": id, "answers": [["MongoDB"]]}).to_string());
    let (code, messages, said) = talk.ends();
    assert_eq!(code, Some(0), "{said}");
    let close = messages.last().unwrap();
    assert_eq!((&close["type"], &close["opCode"]), (&json!("ask_user_response"), &json!(id)));
    assert_eq!(ask.ends(), 0);
    assert!(ask.stdout().contains("MongoDB"), "{}", ask.stdout());
    // What is not there any more is complained about, and that is an answer as well.
    let again = json!({"event": "ask:question:response", "data": {"agentId": "nobody", "answers": {}}});
    let (code, messages, said) = Talk::start(&home, &[], &["--as", "person"], &[again.to_string()]).ends();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(messages[0]["data"]["error"], "ask_not_found");
}

/// E1: the listener gets `data.metadata` as it came.
#[test]
fn e1_metadata_reaches_a_listener_on_lines() {
    let home = TestHome::new();
    home.wakes();
    let metadata = json!({"source": "remember", "n": 1});
    let data = json!({"agentId": "a1", "questions": questions(), "metadata": metadata});
    let line = json!({"event": "ask:question:request", "data": data}).to_string();
    let agent = Talk::start(&home, &[], &[], &[line]);
    let id = open(&home, 1).remove(0);
    let mut listener = Talk::open(&home, &[], &["--as", "person"]);
    assert_eq!(listener.hears()["data"]["metadata"], metadata);
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    assert_eq!((agent.ends().0, listener.ends().0), (Some(0), Some(0)));
}

/// The fence of invariant 6 stands before a person's end too; whoever insists is in the outcome.
#[test]
fn a_persons_end_is_not_for_agents() {
    let home = TestHome::new();
    let (mut ask, id) = home.asks(&[&database()]);
    let answer = json!({"type": "ask_user_response", "opCode": id, "answers": [["MongoDB"]]}).to_string();
    let mark = [("CLAUDECODE", "1")];
    let refused = Talk::start(&home, &mark, &["--as", "person"], std::slice::from_ref(&answer)).ends();
    assert_eq!((refused.0, refused.1.len()), (Some(2), 0), "{}", refused.2);
    assert!(refused.2.contains("CLAUDECODE is set") && !refused.2.contains("--as-person"), "{}", refused.2);
    assert!(ask.is_running());
    // An agent's own end does not answer, whatever it sends.
    let (_, messages, _) = Talk::start(&home, &mark, &[], std::slice::from_ref(&answer)).ends();
    assert_eq!(messages[0]["error"], "forbidden", "{messages:?}");
    assert!(ask.is_running());
    let insists = Talk::start(&home, &mark, &["--as", "person", "--as-person"], &[answer]).ends();
    assert_eq!(insists.0, Some(0), "{}", insists.2);
    assert_eq!(ask.ends(), 0);
    let seen = home.json(&["show", &id, "--json"]);
    let by = &seen["outcome"]["by"];
    assert_eq!((&by["channel"], &by["proof"]), (&json!("api"), &json!("as_person")));
    assert_eq!(by["program"]["mark"], "CLAUDECODE", "as the desk found it");
}

/// E7: an answer that was given while the desk came and went reaches its agent, and nothing is asked twice.
#[test]
fn e7_a_request_that_was_answered_while_the_desk_was_away_is_not_asked_again() {
    let home = TestHome::new();
    home.wakes();
    let request = |agent: &str| {
        json!({"event": "ask:question:request", "data": {"agentId": agent, "questions": questions()}})
            .to_string()
    };
    let events = json!({"type": "ask_user", "questions": questions()}).to_string();
    let talks = [request("a1"), events].map(|line| Talk::start(&home, &[], &[], &[line]));
    let ids = open(&home, 2);
    home.kill();
    // The first of these starts the desk again; the lines come back to it half a second later.
    for id in &ids {
        home.prints(&["answer", id, "--pick", "MongoDB"]);
    }
    for talk in talks {
        let (code, messages, said) = talk.ends();
        assert_eq!((code, messages.len()), (Some(0), 1), "{messages:?} {said}");
        assert!(messages[0].to_string().contains("MongoDB"), "{messages:?}");
    }
    let all = home.json(&["list", "--all", "--json"]);
    assert_eq!(all["asks"].as_array().unwrap().len(), 2, "{all}");
}

/// O6: the variable says what happens at the deadline of requests that do not say it, and of no others.
#[test]
fn o6_the_timeout_policy_of_the_environment_holds_for_requests_without_one() {
    let home = TestHome::new();
    home.wakes();
    let request =
        |id: &str| json!({"type": "ask_user", "eventId": id, "questions": questions(), "timeoutMs": 50});
    let mut cancels = request("own");
    cancels["onTimeout"] = "return_cancel".into();
    let lines = [request("none"), cancels].map(|line| line.to_string());
    let vars = [("ASK_USER_TIMEOUT_POLICY", "abort_task")];
    for (line, aborts) in lines.into_iter().zip([true, false]) {
        let (code, messages, said) = Talk::start(&home, &vars, &[], &[line]).ends();
        assert_eq!((code, messages.len()), (Some(0), 1), "{messages:?} {said}");
        let ask = home.json(&["show", messages[0]["ask_id"].as_str().unwrap(), "--json"]);
        assert_eq!(ask["outcome"]["abort"] == true, aborts, "{ask}");
    }
}

/// A question of its own, so that it joins no other.
fn asking(text: &str) -> Value {
    let mut questions = questions();
    questions[0]["question"] = text.into();
    questions
}

fn keys(message: &Value) -> Vec<&String> {
    let mut keys: Vec<&String> = message.as_object().unwrap().keys().collect();
    keys.sort();
    keys
}

/// Invariant 5, E7: a response by agent is meant for the ask that its sender was told, also where it
/// has to be sent again and another ask of that agent is the oldest by then.
#[test]
fn e7_a_response_by_agent_answers_no_other_ask_after_the_desk_was_away() {
    let home = TestHome::new();
    home.wakes();
    let requests = ["First?", "Second?"].map(|text| {
        let data = json!({"agentId": "a1", "questions": asking(text)});
        json!({"event": "ask:question:request", "data": data}).to_string()
    });
    let agent = Talk::start(&home, &[], &[], &requests);
    open(&home, 2);
    let mut talk = Talk::open(&home, &[], &["--as", "person"]);
    let ids = [talk.hears(), talk.hears()].map(|told| told["data"]["askId"].as_str().unwrap().to_owned());
    // The desk does not hear it any more; the complaint about the next line says that it was sent.
    signal(home.daemon().pid, Signal::STOP);
    let answers = json!({"agentId": "a1", "answers": {"question-0": "MongoDB"}});
    talk.say(&json!({"event": "ask:question:response", "data": answers}).to_string());
    talk.say(&"x".repeat(LINE_BYTES_MAX + 1));
    assert_eq!(talk.hears()["error"], "payload_too_large");
    home.kill();
    talk.sleeps();
    home.prints(&["answer", &ids[0], "--pick", "SQLite"]);
    talk.wakes();
    // What ended meanwhile is told as if it ended now, and what is open is not told again.
    let missed = talk.hears();
    assert_eq!((&missed["data"]["askId"], &missed["data"]["status"]), (&json!(ids[0]), &json!("answered")));
    home.prints(&["answer", &ids[1], "--pick", "SQLite"]);
    let live = talk.hears();
    assert_eq!((&live["event"], &live["data"]["askId"]), (&missed["event"], &json!(ids[1])));
    assert_eq!(live["data"]["answers"]["question-0"], "SQLite", "{live}");
    assert_eq!(live["data"]["answers"], missed["data"]["answers"]);
    assert_eq!(keys(&live["data"]), keys(&missed["data"]));
    let (code, messages, said) = talk.ends();
    assert_eq!((code, messages.len()), (Some(0), 0), "{messages:?} {said}");
    assert_eq!(agent.ends().1.len(), 2);
}

/// E7: a person's line is told what ended while it slept, once, and of no ask twice.
#[test]
fn e7_a_close_that_happened_while_the_line_was_cut_is_told_in_the_shape_of_any_other() {
    let home = TestHome::new();
    let other = json!({ "questions": asking("Another?") }).to_string();
    let (mut first, id) = home.asks(&[&database()]);
    let (mut second, other_id) = home.asks(&[&other]);
    let mut talk = Talk::open(&home, &[], &["--as", "person"]);
    let told = [talk.hears(), talk.hears()];
    assert_eq!(told.each_ref().map(|told| &told["askId"]), [&json!(id), &json!(other_id)]);
    talk.sleeps();
    home.kill();
    home.prints(&["answer", &id, "--pick", "MongoDB"]);
    talk.wakes();
    let missed = talk.hears();
    assert_eq!((&missed["type"], &missed["askId"]), (&json!("ask_user_response"), &json!(id)));
    home.prints(&["answer", &other_id, "--pick", "MongoDB"]);
    let live = talk.hears();
    assert_eq!((&live["type"], &live["askId"]), (&json!("ask_user_response"), &json!(other_id)));
    assert_eq!(keys(&live), keys(&missed));
    assert_eq!(live["answers"][0]["selected"], missed["answers"][0]["selected"]);
    assert_eq!((&live["by"], &live["channel"]), (&missed["by"], &missed["channel"]));
    let (code, messages, said) = talk.ends();
    assert_eq!((code, messages.len()), (Some(0), 0), "{messages:?} {said}");
    assert_eq!((first.ends(), second.ends()), (0, 0));
}

/// E7, D11: what the desk refuses for a moment is sent again later, and nobody is told.
#[test]
fn e7_a_request_that_came_too_fast_is_sent_again() {
    let home = TestHome::new();
    std::fs::create_dir_all(home.home.folder()).unwrap();
    let limits = "ask_user_question: {rate_limit_requests: 2, rate_limit_window: 2}\n";
    std::fs::write(home.home.folder().join("config.yaml"), limits).unwrap();
    home.wakes();
    let began = Instant::now();
    let request = |n: usize| {
        json!({"type": "ask_user", "eventId": format!("e{n}"), "questions": asking(&format!("{n}?")), "timeoutMs": 50})
            .to_string()
    };
    let (code, messages, said) = Talk::start(&home, &[], &[], &[1, 2, 3, 4].map(request)).ends();
    assert_eq!(code, Some(0), "{said}");
    let mut names: Vec<&str> = messages.iter().filter_map(|message| message["opCode"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["e1", "e2", "e3", "e4"], "{messages:?}");
    assert!(messages.iter().all(|message| message["type"] == "ask_user_response"), "{messages:?}");
    assert!(began.elapsed() >= Duration::from_secs(1), "nothing was refused");
}

/// E7: a line that the desk would not take is complained about here, once; the next ones are sent.
#[test]
fn e7_lines_that_are_too_long_or_no_text_are_complained_about() {
    let home = TestHome::new();
    home.wakes();
    let mut talk = Talk::open(&home, &[], &[]);
    let error = |message: &Value| message["error"].as_str().unwrap().to_owned();
    // The longest goes to the desk, which says that it is no message.
    talk.say(&"x".repeat(LINE_BYTES_MAX));
    let from_desk = talk.hears();
    assert_eq!(error(&from_desk), "invalid_request");
    assert!(from_desk.to_string().contains("is not JSON"), "{from_desk}");
    talk.say(&"x".repeat(LINE_BYTES_MAX + 1));
    assert_eq!(error(&talk.hears()), "payload_too_large");
    talk.say(&"x".repeat(5 * LINE_BYTES_MAX));
    assert_eq!(error(&talk.hears()), "payload_too_large");
    talk.stdin.write_all(b"\xff\xfe\n").unwrap();
    let not_text = talk.hears();
    assert!(not_text["message"].as_str().unwrap().contains("UTF-8"), "{not_text}");
    talk.say(&json!({"type": "ask_user", "questions": questions(), "timeoutMs": 50}).to_string());
    let (code, messages, said) = talk.ends();
    assert_eq!((code, messages.len()), (Some(0), 1), "{messages:?} {said}");
    assert_eq!(messages[0]["type"], "ask_user_response");
    assert!(!said.contains("the desk is away"), "{said}");
}

/// O8, D15: an agent that answers itself, and a response that claims to be the system's, are security events
/// of high severity over lines of JSON too.
#[test]
fn o8_a_forged_line_is_a_security_event() {
    let home = TestHome::new();
    home.wakes();
    let mut agent = Talk::open(&home, &[], &[]);
    agent.say(&json!({"type": "ask_user", "eventId": "e1", "questions": asking("Which?")}).to_string());
    open(&home, 1);
    let mut person = Talk::open(&home, &[], &["--as", "person"]);
    assert_eq!(person.hears()["type"], "ask_user");
    agent.say(&json!({"type": "ask_user_response", "opCode": "e1", "answers": {"H": "A"}}).to_string());
    for (talk, reason) in [(&mut agent, "cannot answer"), (&mut person, "only the server")] {
        if reason == "only the server" {
            let claim = json!({"type": "ask_user_response", "opCode": "e1", "status": "timeout", "reason": "timeout"});
            talk.say(&claim.to_string());
        }
        let refused = talk.hears().to_string();
        assert!(refused.contains("forbidden") && refused.contains(reason), "{refused}");
    }
    eventually("the events", || {
        let told = home.json(&["audit", "--security", "--json"]);
        let forged = told["events"].as_array().unwrap().iter();
        let forged =
            forged.filter(|event| event["event_type"] == "forged_response" && event["severity"] == "high");
        (forged.count() == 2).then_some(())
    });
    open(&home, 1);
    signal(agent.child.id(), Signal::TERM);
    signal(person.child.id(), Signal::TERM);
    let _ended = (agent.ends(), person.ends());
}
