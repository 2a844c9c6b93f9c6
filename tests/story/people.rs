//! Asking people by their names: from the command line, at their inboxes, and what is printed of it.

use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, features, told};
use crate::home::{Program, TestHome};
use crate::press::{DOWN, ENTER};
use crate::stage::Setup;

const CLAUDE: [(&str, &str); 2] = [("CLAUDECODE", "1"), ("CLAUDE_CODE_SESSION_ID", "a")];
const CODEX: [(&str, &str); 2] = [("CODEX_SANDBOX", "seatbelt"), ("CODEX_THREAD_ID", "b")];
const GEMINI: [(&str, &str); 1] = [("GEMINI_CLI", "1")];

/// A desk with Ann and Bob, their keys, and a group of both.
fn peopled() -> (TestHome, String, String) {
    let home = TestHome::new();
    std::fs::create_dir_all(home.home.folder()).unwrap();
    std::fs::write(home.home.folder().join("config.yaml"), "groups:\n  ops: [ann, bob]\n").unwrap();
    home.wakes();
    let key = |name: &str| {
        home.prints(&["user", "add", name]);
        home.prints(&["key", "create", "--role", "person", "--user", name]).trim().to_owned()
    };
    let (ann, bob) = (key("ann"), key("bob"));
    (home, ann, bob)
}

/// An agent asks people and waits; returns its program and the id of the ask.
fn agent_asks(home: &TestHome, agent: &[(&str, &str)], words: &[&str], json: &str) -> (Program, String) {
    let words: Vec<&str> = ["ask"].into_iter().chain(words.iter().copied()).chain([json]).collect();
    let mut command = home.command(ASKUSER, &words);
    let program = Program::start(command.envs(agent.iter().copied()));
    let said = program.says("Waiting for an answer");
    let id = said.split_once("(ask_").unwrap().1;
    (program, format!("ask_{}", &id[..26]))
}

/// D19: `askuser ask --for … --quorum 2`: two people answer, and the agent is told what each said.
#[test]
fn d19_two_people_of_a_group_answer_from_the_command_line() {
    let (home, ann, bob) = peopled();
    let words = ["--for-group", "ops", "--quorum", "2", "--reply", "full"];
    let (mut agent, id) = agent_asks(&home, &CLAUDE, &words, &database());
    let by = |key: &str, args: &[&str]| home.run_with(&[("ASKUSER_KEY", key)], args);
    let shown = by(&bob, &["show", &id]);
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(text.contains("2 answers wanted, none so far; waiting for ann and bob"), "{text}");
    // The local person's agent asks, and the local person is not among those who answer.
    assert_eq!(home.prints(&["list"]), "No questions are waiting.");
    let refused = home.run(&["answer", &id, "--pick", "MongoDB"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("for other people"), "{}", told(&refused));
    let first = by(&ann, &["answer", &id, "--pick", "MongoDB"]);
    let text = String::from_utf8_lossy(&first.stdout).into_owned();
    let so_far = "2 answers wanted, 1 so far; waiting for bob";
    assert_eq!(text, format!("{so_far}: Which database? → MongoDB\n"));
    assert!(agent.is_running());
    let second = by(&bob, &["answer", &id, "--pick", "SQLite"]);
    let said = String::from_utf8_lossy(&second.stdout).into_owned();
    assert_eq!(said, "No agreement: Which database? → SQLite\n");
    assert_eq!(agent.ends(), 0);
    let outcome: Value = serde_json::from_str(&agent.stdout()).unwrap();
    assert_eq!((&outcome["agreed"], &outcome["answers"]), (&json!(false), &json!([])));
    let said = |at: usize| outcome["voices"][at]["answers"][0]["selected"][0]["label"].clone();
    assert_eq!((said(0), said(1)), (json!("MongoDB"), json!("SQLite")));
    // Nobody is asked in this terminal for somebody else.
    let wrong = home.run(&["ask", "--where", "terminal", "--for", "ann", &database()]);
    assert_eq!(wrong.status.code(), Some(2), "{}", told(&wrong));
    let nobody = home.run(&["ask", "--for", "nobody", &database()]);
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("no user of this server"), "{}", told(&nobody));
}

/// D19, P15: three agents and two people at their own inboxes; each sees what is theirs.
#[test]
fn d19_p15_three_agents_ask_two_people_at_their_own_inboxes() {
    let (home, ann, bob) = peopled();
    let inbox = |key: &str| {
        Setup::new(ASKUSER)
            .arg("inbox")
            .var("ASKUSER_HOME", &home.data())
            .var("ASKUSER_KEY", key)
            .size(110, 30)
    };
    let (mut anns, mut bobs) = (inbox(&ann).start(), inbox(&bob).start());
    anns.sees("No questions are waiting.");
    bobs.sees("No questions are waiting.");
    let (mut one, _) = agent_asks(&home, &CLAUDE, &["--for", "ann"], &database());
    anns.sees("Inbox 1");
    // Nobody answers this one: it ends with the test.
    let (mut two, _) = agent_asks(&home, &CODEX, &["--for", "bob"], &features());
    bobs.sees("Inbox 1");
    let (mut both, id) = agent_asks(&home, &GEMINI, &["--for-group", "ops", "--quorum", "2"], &database());
    // The list is not as wide as all of it.
    anns.sees("2 answers wanted, none so far; waiting for ann");
    bobs.sees("2 answers wanted, none so far; waiting for ann");
    // Ann answers what is hers, then the one that both are to answer.
    anns.does(ENTER, "1-3 pick");
    anns.does(DOWN, "❯ 2");
    anns.does(ENTER, "✓ Sent. Database: MongoDB");
    assert_eq!(one.ends(), 0);
    // Another key first: an Enter right after an Enter is the same one.
    anns.types(DOWN).does(ENTER, "1-3 pick");
    anns.does(DOWN, "❯ 2");
    anns.does(ENTER, "No questions are waiting.");
    // Bob sees it at once, and that it is up to him.
    bobs.sees("2 answers wanted, 1 so far; waiting for bob");
    assert!(both.is_running());
    bobs.does(DOWN, "❯ Database");
    bobs.does(ENTER, "1-3 pick");
    bobs.does(DOWN, "❯ 2");
    bobs.does(ENTER, "✓ Sent. Database: MongoDB");
    assert_eq!(both.ends(), 0);
    let outcome = home.json(&["show", &id, "--json"])["outcome"].clone();
    assert_eq!((&outcome["agreed"], outcome["voices"].as_array().map(Vec::len)), (&json!(true), Some(2)));
    assert!(both.stdout().contains("\"Database\":\"MongoDB\""), "{}", both.stdout());
    assert!(two.is_running());
    assert_eq!(anns.types("q").ends().code, 0);
    assert_eq!(bobs.types("q").ends().code, 0);
}
