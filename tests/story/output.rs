//! What commands print for people under a real terminal: it fits, has colours and a pager; and a pipe gets
//! all of it and no codes.

use askuser_terminal::width::width;
use serde_json::{Value, json};

use crate::asks::{ASKUSER, database, told};
use crate::home::TestHome;
use crate::stage::{Ended, Setup};

/// `askuser` on a terminal of so many columns.
fn on_terminal(home: &TestHome, columns: u16, vars: &[(&str, &str)], args: &[&str]) -> Ended {
    let setup = Setup::new(ASKUSER).size(columns, 60).wiring("").var("ASKUSER_HOME", &home.data());
    let setup = setup.var("PAGER", "cat");
    let setup = vars.iter().fold(setup, |setup, (name, value)| setup.var(name, value));
    args.iter().fold(setup, |setup, arg| setup.arg(*arg)).start().ends()
}

fn long() -> String {
    let question = "May I run the 30-minute integration test-suite against the staging cluster, which will \
                    create and delete about four hundred temporary virtual machines?";
    json!({"asker": {"agent": "gemini", "project": "infra"}, "question_text": question, "type": "boolean"})
        .to_string()
}

/// Each ask was two or three broken lines at 80 columns, and soup at 40.
#[test]
fn a_list_has_one_line_a_question_on_any_terminal() {
    let home = TestHome::new();
    let (_one, id) = home.asks(&["--timeout", "2h", &database()]);
    let (_other, _) = home.asks(&[&long()]);
    let end = &id[id.len() - 4..];
    for language in ["en", "zh"] {
        for columns in [120, 80, 60, 40] {
            let vars = [("ASKUSER_LANG", language), ("NO_COLOR", "1")];
            let seen = on_terminal(&home, columns, &vars, &["list"]);
            assert_eq!(seen.code, 0, "{}", seen.screen);
            assert!(seen.screen.contains(end), "{columns} {language}:\n{}", seen.screen);
            assert!(!seen.screen.contains("virtual machines"), "{columns} {language}:\n{}", seen.screen);
            assert!(seen.screen.contains('…'), "{columns} {language}:\n{}", seen.screen);
            assert!(seen.screen.contains("May I run"), "{columns} {language}:\n{}", seen.screen);
            assert!(!String::from_utf8_lossy(&seen.bytes).contains("\u{1b}["), "no colours were wanted");
        }
    }
    let piped = home.prints(&["list"]);
    assert!(piped.contains("virtual machines?") && !piped.contains('\u{1b}'), "{piped}");
    assert!(piped.contains(" 1 h 59 min left"), "the deadline has its column: {piped}");
    let filtered = home.prints(&["list", "--agent", "gemini", "--project", "infra", "--since", "1h"]);
    assert!(filtered.contains("May I run") && !filtered.contains("database"), "{filtered}");
    assert_eq!(home.prints(&["list", "--agent", "codex"]), "No questions match.");
    let wrong = home.run(&["list", "--since", "soon"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", told(&wrong));
}

/// The table under "name one" was as wide as its longest question.
#[test]
fn what_may_be_meant_has_one_line_a_question_on_any_terminal() {
    let home = TestHome::new();
    let (_one, _) = home.asks(&["--timeout", "2h", &database()]);
    let (_two, _) = home.asks(&[&long()]);
    let (_three, _) = home.asks(&["Ship it now?"]);
    let ids: Vec<String> = home.json(&["list", "--json"])["asks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|ask| ask["short_id"].as_str().unwrap().to_owned())
        .collect();
    for (columns, language, first) in [(80, "en", "3 questions are waiting"), (40, "zh", "有 3 个问题待回答")]
    {
        let vars = [("ASKUSER_LANG", language), ("NO_COLOR", "1")];
        let seen = on_terminal(&home, columns, &vars, &["answer", "--pick", "yes"]);
        assert_eq!(seen.code, 2, "{}", seen.screen);
        assert!(seen.screen.contains(first) && seen.screen.contains('…'), "{}", seen.screen);
        let table: Vec<&str> = seen.screen.lines().skip_while(|line| !line.starts_with("ID")).collect();
        let table = if language == "zh" { seen.screen.lines().skip(1).collect() } else { table };
        for (id, line) in ids.iter().zip(&table[1..4]) {
            assert!(line.starts_with(id.as_str()), "{id} {columns}: {}", seen.screen);
        }
    }
}

/// What the program prints on a terminal of so many columns, in either language, is never wider.
#[test]
fn askuser_alone_config_and_plain_mode_fit_every_terminal() {
    let home = TestHome::new();
    let (_one, _) = home.asks(&[&database()]);
    let fits = |seen: &Ended, columns: u16, what: &str| {
        let text = String::from_utf8(seen.bytes.clone()).unwrap();
        for line in text.lines() {
            assert!(width(line.trim_end()) <= usize::from(columns), "{what} {columns}: {line}\n{text}");
        }
    };
    for columns in [120, 80, 60, 40] {
        for (language, waiting, setting, other) in [
            ("en", "1 question is waiting.", "SETTING", "Other (custom input)"),
            ("zh", "有 1 个问题待回答。", "设置", "0. 其他"),
        ] {
            let vars = [("ASKUSER_LANG", language), ("NO_COLOR", "1")];
            let alone = on_terminal(&home, columns, &vars, &[]);
            assert!(alone.code == 0 && alone.screen.starts_with(waiting), "{}", alone.screen);
            assert!(alone.screen.contains("askuser inbox"), "{}", alone.screen);
            fits(&alone, columns, "askuser");
            let config = on_terminal(&home, columns, &vars, &["config"]);
            let text = String::from_utf8(config.bytes.clone()).unwrap();
            assert!(config.code == 0 && text.contains(setting) && text.contains("log.level"), "{text}");
            fits(&config, columns, "config");
            let setup = Setup::new(ASKUSER).size(columns, 30).var("ASKUSER_HOME", &home.data());
            let setup = setup.var("ASKUSER_LANG", language).arg("ask").arg("--plain").arg("--where");
            let setup = setup.arg("terminal").arg("Which cache?").arg("-o").arg("Redis: one more server");
            let mut plain = setup.arg("-o").arg("None").arg("--output").arg("value").start();
            let screen = plain.wait("the whole box", |screen| screen.contains(other) && screen.contains('└'));
            let (top, bottom) = (screen.find('┌').unwrap(), screen.find('└').unwrap());
            let boxed: Vec<usize> = screen[top..bottom].lines().map(|line| width(line.trim_end())).collect();
            assert!(boxed.iter().all(|wide| *wide == boxed[0] && *wide <= columns.into()), "{screen}");
            let ended = plain.types("1\r").ends();
            assert_eq!((ended.code, ended.stdout.as_str()), (0, "Redis\n"), "{}", ended.screen);
        }
    }
}

/// An error broke in the middle of its words.
#[test]
fn an_error_breaks_between_words_on_a_narrow_terminal() {
    let home = TestHome::new();
    let seen = on_terminal(&home, 40, &[("NO_COLOR", "1")], &["list", "--since", "soon"]);
    let screen = seen.screen.trim_end();
    assert!(
        screen.contains("error: `soon` is not a time\nhint: write how long ago (90m, 8h, 3d),\na day"),
        "{screen}"
    );
}

/// Nothing but the panel was coloured.
#[test]
fn colours_are_for_terminals_and_for_whoever_insists() {
    let home = TestHome::new();
    let (_one, _) = home.asks(&[&database()]);
    let has_codes = |bytes: &[u8]| bytes.windows(2).any(|two| two == b"\x1b[");
    assert!(has_codes(&on_terminal(&home, 80, &[], &["list"]).bytes));
    assert!(!has_codes(&on_terminal(&home, 80, &[], &["list", "--color", "never"]).bytes));
    assert!(has_codes(&on_terminal(&home, 80, &[], &["lst"]).bytes), "errors have them as well");
    assert!(has_codes(&on_terminal(&home, 80, &[], &["--help"]).bytes), "and help");
    assert!(!has_codes(&home.run(&["list"]).stdout) && !has_codes(&home.run(&["lst"]).stderr));
    assert!(!has_codes(&home.run(&["--help"]).stdout));
    assert!(has_codes(&home.run(&["list", "--color=always"]).stdout));
    let nothing_wrong = home.json(&["list", "--json", "--color=always"]);
    assert!(nothing_wrong["asks"].is_array(), "JSON is JSON");
}

/// Long output ran off the top of the terminal.
#[test]
fn long_output_goes_through_the_pager_and_a_missing_one_is_no_failure() {
    let home = TestHome::new();
    let kept = home.path().join("pager");
    let paged = |vars: &[(&str, &str)], args: &[&str]| {
        let setup = Setup::new(ASKUSER).size(80, 20).wiring("").var("ASKUSER_HOME", &home.data());
        let setup = vars.iter().fold(setup, |setup, (name, value)| setup.var(name, value));
        args.iter().fold(setup, |setup, arg| setup.arg(*arg)).start().ends()
    };
    let command = format!("cat >{}", kept.display());
    let seen = paged(&[("ASKUSER_PAGER", &command), ("PAGER", "false")], &["help", "wire"]);
    assert_eq!((seen.code, seen.screen.trim()), (0, ""), "the pager has it");
    let page = std::fs::read_to_string(&kept).unwrap();
    assert!(page.contains("The JSON of questions and answers"), "{page}");
    assert!(!page.contains("\n```"), "Markdown is drawn: {page}");
    for (vars, args) in [
        (&[("PAGER", "askuser-no-such-pager")][..], &["config"][..]),
        (&[("ASKUSER_PAGER", "")], &["config"]),
        (&[("PAGER", &command), ("CLAUDECODE", "1")], &["config"]),
    ] {
        std::fs::write(&kept, "").unwrap();
        let seen = paged(vars, args);
        assert!(seen.code == 0 && seen.screen.contains("runner."), "{vars:?}: {}", seen.screen);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), "", "{vars:?}");
    }
    let short = paged(&[("PAGER", &command)], &["status"]);
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "", "what fits is printed: {}", short.screen);
    assert!(home.prints(&["help", "wire"]).starts_with('#'), "a pipe gets the page as it is");
}

/// `askuser list` in a new home started a server to say that there was nothing.
#[test]
fn looking_starts_nothing_where_there_is_nothing_and_says_nothing_where_it_must() {
    let home = TestHome::new();
    assert!(home.prints(&[]).starts_with("No questions yet."));
    for args in
        [&["list"][..], &["list", "--all"], &["history"], &["sessions"], &["tasks"], &["audit"], &["stats"]]
    {
        let output = home.run(args);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
        assert!(!home.home.folder().exists(), "{args:?} made a folder");
        let json: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        assert!(home.json(&json).is_object());
    }
    for args in [&["rules", "list"][..], &["key", "list"], &["user", "list"], &["browsers"]] {
        assert_eq!(home.run(args).stderr, b"", "{args:?}");
        let json: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        assert!(home.json(&json).is_object());
    }
    for (args, said) in [
        (&["show"][..], "no questions are waiting"),
        (&["show", "YNQD"], "no question matches `YNQD`"),
        (&["answer", "YNQD", "--pick", "yes"], "no question matches `YNQD`"),
        (&["cancel"], "no questions are waiting"),
        (&["wait"], "no questions are waiting"),
        (&["withdraw", "YNQD"], "no question matches `YNQD`"),
        (&["history", "work"], "no conversation matches `work`"),
        (&["restore"], "no conversations yet"),
        (&["task", "show"], "no tasks yet"),
        (&["task", "stop"], "no tasks are running"),
    ] {
        let output = home.run(args);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && stderr.starts_with(&format!("error: {said}")), "{stderr}");
    }
    assert!(!home.home.folder().exists(), "none of them made a folder");
    let (mut asking, id) = home.asks(&[&database()]);
    assert!(home.prints(&[]).starts_with("1 question is waiting."));
    home.prints(&["cancel", &id]);
    assert_eq!(asking.ends(), 3);
    assert!(home.prints(&[]).starts_with("No questions are waiting."));
    home.prints(&["stop"]);
    assert!(home.prints(&[]).starts_with("askuser is not running."));
    assert!(home.home.running().is_none(), "and that started nothing");
    let history = home.run(&["history"]);
    assert_eq!(history.stderr, b"", "it is started without a word: {}", told(&history));
    assert!(told(&history).contains("Which database?") && told(&history).contains("declined"));
    let agent = home.run_with(&[("CLAUDECODE", "1")], &[]);
    assert!(agent.status.code() == Some(0) && told(&agent).contains("askuser ask"), "{}", told(&agent));
}

/// Every run of `askuser doctor` left a question in the person's history and figures.
#[test]
fn the_test_question_of_doctor_is_nothing_to_look_back_on() {
    let home = TestHome::new();
    let (mut asking, id) = home.asks(&[&database()]);
    home.prints(&["answer", &id, "--pick", "SQLite"]);
    assert_eq!(asking.ends(), 0);
    for _ in 0..2 {
        // Whatever else it finds on this machine.
        let findings: Value = serde_json::from_slice(&home.run(&["doctor", "--json"]).stdout).unwrap();
        let test =
            findings["findings"].as_array().unwrap().iter().find(|it| it["what"] == "test ask").unwrap();
        assert_eq!(test["verdict"], "ok", "{test}");
    }
    for args in
        [&["history"][..], &["list", "--all"], &["sessions"], &["audit"], &["audit", "--json"], &["stats"]]
    {
        let text = home.prints(args);
        assert!(text.contains("Which database?") || args[0] == "stats", "{args:?}: {text}");
        assert!(!text.contains("doctor") && !text.contains("Test question"), "{args:?}: {text}");
    }
    assert_eq!(home.json(&["stats", "--json"])["outcomes"]["all"], 1);
    assert!(
        home.prints(&["audit", "--agent", "askuser doctor"]).contains("Test question"),
        "it is not hidden"
    );
}

#[test]
fn purge_says_how_many_and_asks_once_more_on_a_terminal() {
    let home = TestHome::new();
    let (mut asking, id) = home.asks(&[&database()]);
    home.prints(&["answer", &id, "--pick", "SQLite"]);
    assert_eq!(asking.ends(), 0);
    crate::home::eventually("the acknowledgement", || {
        (home.json(&["purge", "--older-than", "1s", "--dry-run", "--json"])["would_erase"] == 1).then_some(())
    });
    let purge = |args: &[&str]| {
        let setup = Setup::new(ASKUSER).wiring("").var("ASKUSER_HOME", &home.data());
        let setup = setup.arg("purge").arg("--older-than").arg("1s");
        args.iter().fold(setup, |setup, arg| setup.arg(*arg)).start()
    };
    let mut asks = purge(&[]);
    asks.sees("Delete the text of 1 question that ended more than 1s ago? This cannot be undone. [y/N]");
    asks.types("n\r");
    let refused = asks.ends();
    assert!(refused.code == 3 && refused.screen.contains("Nothing was deleted."), "{}", refused.screen);
    assert!(home.prints(&["history"]).contains("Which database?"));
    // A script says so beforehand.
    let refused = home.run(&["purge", "--older-than", "1s"]);
    assert!(refused.status.code() == Some(2) && told(&refused).contains("add --yes"), "{}", told(&refused));
    assert!(home.prints(&["history"]).contains("Which database?"));
    let done = purge(&["--yes"]).ends();
    assert!(done.code == 0 && done.screen.contains("Deleted the text of 1 question."), "{}", done.screen);
    assert!(!home.prints(&["history"]).contains("Which database?"));
}
