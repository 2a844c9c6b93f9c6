//! Completion as people meet it: in bash, zsh and fish, each without a configuration of its own.

use std::path::Path;

use crate::asks::{ASKUSER, ask, question};
use crate::home::TestHome;
use crate::stage::{Setup, Stage};

/// What has a shell complete, in its own words.
const SHELLS: [(&str, &[&str], &str); 3] = [
    ("/usr/bin/bash", &["--norc", "--noprofile", "-i"], "source <(askuser completions bash)"),
    (
        "/usr/bin/zsh",
        &["-f", "-i"],
        "autoload -U compinit; compinit -u -D; source <(askuser completions zsh)",
    ),
    ("/usr/bin/fish", &["--no-config", "-i"], "askuser completions fish | source"),
];

fn shell(home: &TestHome, place: usize, vars: &[(&str, &str)]) -> Stage {
    let (program, args, registered) = SHELLS[place];
    assert!(Path::new(program).exists(), "{program} is needed: scripts/steps.sh installs it");
    let folder = Path::new(ASKUSER).parent().unwrap().to_str().unwrap();
    let setup = Setup::new(program).wiring("").size(120, 30).var("ASKUSER_HOME", &home.data());
    let setup = setup.var("PATH", &format!("{folder}:/usr/bin:/bin"));
    let setup = vars.iter().fold(setup, |setup, (name, value)| setup.var(name, value));
    let mut stage = args.iter().fold(setup, |setup, arg| setup.arg(*arg)).start();
    stage.types(registered).types("; echo rea''dy\r");
    stage.sees("ready");
    stage.types("clear\r");
    stage.loses("ready");
    stage
}

/// A question of this text, and the id that a list shows.
fn asked(home: &TestHome, text: &str) -> (crate::home::Program, String) {
    let (asker, _) = home.asks(&[&ask(&[question("Crate", text, &["Yes", "No"], false)])]);
    let list = home.prints(&["list"]);
    let line = list.lines().find(|line| line.contains(text)).unwrap();
    (asker, line.split_whitespace().next().unwrap().to_owned())
}

#[test]
fn ids_are_completed_with_their_question_in_bash_zsh_and_fish() {
    let home = TestHome::new();
    let (_one, first) = asked(&home, "Rename the crate?");
    let (_other, second) = asked(&home, "Ship it now?");
    for (place, (program, ..)) in SHELLS.iter().enumerate() {
        let screen = shell(&home, place, &[]).does("askuser answer \t\t", &second);
        assert!(screen.contains(&first), "{program}: {screen}");
        // bash has no place for descriptions.
        if !program.ends_with("bash") {
            assert!(
                screen.contains("Rename the crate?") && screen.contains("Ship it now?"),
                "{program}: {screen}"
            );
        }
        // What has been begun is completed to the end, also in small letters.
        let small = second.to_lowercase();
        for (typed, completed) in [
            (format!("askuser show {}", &small[..3]), format!("askuser show {small}")),
            ("askuser unins".to_owned(), "askuser uninstall".to_owned()),
            ("AskUserQuestion --pl".to_owned(), "AskUserQuestion --plain".to_owned()),
        ] {
            // A shell of its own: what is typed while one gives its line up may be lost.
            shell(&home, place, &[]).does(&format!("{typed}\t"), &completed);
        }
    }
}

/// What may stand behind these flags and commands had to be known by heart.
#[test]
fn names_are_completed_wherever_one_may_stand() {
    let home = TestHome::new();
    let ask = serde_json::json!({"asker": {"agent": "gemini", "project": "infra"}, "question_text": "Ship it?", "type": "text"});
    let (mut asking, id) = home.asks(&["--session", "rollout", &ask.to_string()]);
    home.prints(&["user", "add", "ann"]);
    std::fs::write(
        home.home.config(),
        "notify:\n  people:\n    local:\n      channels:\n        phone: {kind: ntfy, topic: quiet-river-81x}\n",
    )
    .unwrap();
    let offered = |words: &[&str]| {
        let line: Vec<&str> = ["--", "askuser"].into_iter().chain(words.iter().copied()).collect();
        let output = home.run_with(&[("ASKUSER_COMPLETE", "fish")], &line);
        String::from_utf8(output.stdout).unwrap()
    };
    for (words, expected) in [
        (&["ask", "--session", ""][..], "rollout"),
        (&["audit", "--agent", ""], "gemini"),
        (&["list", "--project", ""], "infra"),
        (&["user", "disable", ""], "ann"),
        (&["help", "wi"], "wire"),
        (&["help", "ans"], "answer"),
        (&["config", "get", "log.le"], "log.level"),
        (&["config", "set", "log.le"], "log.level"),
        (&["notify", "test", "--channel", ""], "phone"),
    ] {
        let offered = offered(words);
        assert!(
            offered.lines().any(|line| line.split('\t').next() == Some(expected)),
            "{words:?}: {offered}"
        );
    }
    let session = home.json(&["sessions", "--json"])["sessions"][0]["short_id"].as_str().unwrap().to_owned();
    assert!(offered(&["audit", "--session", ""]).contains(&session));
    home.prints(&["answer", &id, "--text", "soon"]);
    assert_eq!(asking.ends(), 0);
    // The test conversation of `askuser doctor` is nobody's.
    home.run(&["doctor"]);
    let restored = offered(&["restore", ""]);
    assert!(restored.contains(&session) && !restored.contains("doctor"), "{restored}");
}

/// What stands beside an option was English only for the one of the two names.
#[test]
fn both_programs_are_completed_in_the_persons_language() {
    let home = TestHome::new();
    for variable in ["ASKUSER_COMPLETE", "ASKUSERQUESTION_COMPLETE"] {
        let mut command = home.command(ASKUSER, &["--", "x", "--"]);
        let output = command.env(variable, "fish").env("ASKUSER_LANG", "zh").output().unwrap();
        let offered = String::from_utf8(output.stdout).unwrap();
        assert!(offered.contains("--help\t显示帮助"), "{offered}");
        let english = |line: &&str| line.is_ascii();
        assert_eq!(offered.lines().find(english), None, "{offered}");
    }
}

#[test]
fn a_shell_that_an_agent_runs_is_told_no_ids() {
    let home = TestHome::new();
    let (_asker, id) = asked(&home, "Rename the crate?");
    let mut stage = shell(&home, 0, &[("CLAUDECODE", "1")]);
    // All that there is begins alike, and is completed as far.
    stage.types("askuser answer \t");
    stage.sees("askuser answer --");
    stage.types("\t\t");
    let screen = stage.sees("--pick");
    assert!(!screen.contains(&id), "{screen}");
}

#[test]
fn completion_starts_no_server_and_says_nothing_where_there_is_none() {
    let home = TestHome::new();
    let output = home.run_with(&[("ASKUSER_COMPLETE", "fish")], &["--", "askuser", "show", ""]);
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("--json") && output.stderr.is_empty() && output.status.success(), "{stdout}");
    assert!(!Path::new(&home.data()).exists(), "nothing was started");
    let output = home.run_with(&[("ASKUSER_COMPLETE", "nosuchshell")], &["--", "askuser", ""]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty() && output.status.success());
}
