//! Asks that want to do harm: to the terminal, to the eye, to the memory.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::process::Command;

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, ask, database, login, question, run, run_bytes, told};
use crate::press::{DOWN, TAB};
use crate::stage::Setup;

/// Everything that acts on a terminal or on the eye, each with a mark behind it.
const NASTY: &str = "\u{1b}[31mA\u{1b}]0;title\u{7}B\u{1b}]8;;http://x\u{1b}\\C\u{9b}2JD\u{90}q\u{9c}E\u{202e}F\u{2066}G\u{200f}H\u{8}\u{8}I\u{7f}J\u{1b}[?1049hK\rL\u{e}M\u{0}N\u{feff}O\u{1b}PQ\u{85}R\u{2028}S";

/// Returns the first escape sequence among the bytes that the program does not send of its own.
fn foreign(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    for (idx, _) in text.match_indices('\u{1b}') {
        let rest: String = text[idx + 1..].chars().take(12).collect();
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        let sequence = &rest[..end];
        let own = [
            "[?2004h", "[?2004l", "[?25h", "[?25l", "[?2026h", "[?2026l", "[?7h", "[?7l", "[J", "[2K", "[B",
            "[A",
        ];
        let moves = sequence.strip_prefix('[').and_then(|rest| rest.strip_suffix(['G', 'A', 'm']));
        let counted = moves.is_some_and(|n| n.chars().all(|c| c.is_ascii_digit()) && !n.is_empty());
        if !own.contains(&sequence) && !counted {
            return Some(format!("ESC {rest}"));
        }
    }
    let acts = |c: &char| {
        matches!(c, '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
            || (c.is_control() && !['\u{1b}', '\r', '\n'].contains(c))
    };
    text.chars().find(acts).map(|c| format!("{c:?}"))
}

/// An ask with something nasty in every text field.
fn nasty() -> String {
    let n = NASTY;
    let letters: Vec<char> = n.chars().collect();
    // A label has 50 characters at most.
    let [first, second] =
        [&letters[..30], &letters[letters.len() - 36..]].map(|part| part.iter().collect::<String>());
    json!({"session_id": n, "total_rounds": 2, "context": n, "asker": {"agent": n, "project": n, "folder": n}, "questions": [
        {"question_id": n, "header": n, "question_text": format!("Q1 {n}"), "description": n, "type": "multiple_choice",
         "options": [{"id": "a", "label": format!("L1 {first} (Recommended)"), "description": n, "default": true},
                     {"id": "b", "label": format!("two\nlines {second}"), "description": n}],
         "follow_up_questions": {"a": [{"question_id": "f", "question_text": format!("F {n}"), "type": "text"}]}},
        {"question_id": "s", "question_text": format!("Q2 {n}"), "type": "checkbox",
         "options": [{"id": "c", "label": format!("L3 {second}")}]},
    ]})
    .to_string()
}

#[test]
fn d10_nothing_of_an_ask_reaches_the_terminal_raw() {
    for (columns, rows) in [(80, 60), (24, 12)] {
        let mut stage = Setup::new(ASKUSER).arg("ask").arg(nasty()).size(columns, rows).start();
        stage.sees("╰");
        let screen = stage.types("1").wait("a pick", |screen| screen.contains('●'));
        if columns == 80 {
            assert!(screen.contains("␛[31mA") && screen.contains("␇B"), "shown as symbols: {screen}");
            stage.does(DOWN, "❯ type");
            stage.does("x", "❯ x");
        } else {
            stage.types(DOWN).types("x");
        }
        stage.reads().types(TAB);
        stage.wait("the second question", |screen| screen.contains("[ ]") || screen.contains('□'));
        stage.types("1");
        stage.wait("a tick", |screen| screen.contains("[x]") || screen.contains('■'));
        stage.reads().does("\r", "Send");
        let ended = stage.types("\r").ends();
        assert_eq!(ended.code, 0, "{}", ended.screen);
        assert_eq!(foreign(&ended.bytes), None);
        let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(reply["answers"][NASTY], json!("a"), "ids come back as they were: {reply}");
    }
}

#[test]
fn d10_nothing_of_an_ask_reaches_a_plain_terminal_raw() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--plain").arg(nasty()).size(80, 60).start();
    stage.sees("Enter number");
    stage.does("1\r", "Enter your answer: ");
    stage.does("x\r", "Enter numbers");
    let ended = stage.types("1\r").ends();
    assert_eq!(ended.code, 0, "{}", ended.screen);
    assert_eq!(foreign(&ended.bytes), None);
}

/// Faults name what the ask said; it is as hostile there.
#[test]
fn d10_faults_are_told_without_what_acts() {
    let id = "\u{1b}[31mx\u{7}\u{202e}";
    let asks = [
        json!({"questions": [{"question_id": "q", "question_text": "Q?", "type": id}]}),
        json!({"questions": [{"question_id": id, "question_text": "Q?", "type": "text"}, {"question_id": id, "question_text": "Q?", "type": "text"}]}),
        json!({"questions": [{"question_id": "q", "question_text": "Q?", "type": "text", "depends_on": {"question_id": id}}]}),
        json!({"questions": [{"question_id": "q", "question_text": "Q?", "type": "multiple_choice", "options": [{"id": id, "label": "A"}, {"id": id, "label": "B"}],
            "follow_up_questions": {id: [{"question_text": ""}], "\u{1b}]0;t\u{7}": []}}]}),
        json!({"type": "object", "properties": {id: {"type": "string", "format": id}}}),
        json!({"questions": [{"question_text": "Q?", "type": "text"}], "timeoutPolicy": id}),
    ];
    for ask in asks {
        let output = run(ASKUSER, &["ask", "--where", "terminal", &ask.to_string()], &[], "");
        // What fits is asked, and nobody answers.
        assert!([Some(2), Some(6)].contains(&output.status.code()), "{}", told(&output));
        assert_eq!(output.stdout, b"", "{}", told(&output));
        assert_eq!(foreign(&output.stderr), None, "{}", told(&output));
    }
    for args in [
        ["ask", "--dialect", id, "{}"],
        ["ask", "--reply", id, "{}"],
        ["ask", "--timeout", id, "{}"],
        ["ask", "--file", id, "--plain"],
        ["ask", "--on-timeout", id, "{}"],
        ["ask", "--where", id, "{}"],
        ["ask", "{}", id, id],
    ] {
        let output = run(ASKUSER, &args, &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{}",
            told(&output)
        );
        assert_eq!(foreign(&output.stderr), None, "{args:?}: {}", told(&output));
    }
    for name in ["ASKUSER_WHERE", "ASK_MAX_OPTIONS", "ASK_USER_TIMEOUT_POLICY"] {
        let output = run(ASKUSER, &["ask", &database()], &[(name, id)], "");
        assert_eq!(output.status.code(), Some(2), "{}", told(&output));
        assert_eq!(foreign(&output.stderr), None, "{name}: {}", told(&output));
    }
}

#[test]
fn d10_strange_letters_leave_the_borders_in_place() {
    let strange = "👨\u{200d}👩\u{200d}👧\u{200d}👦 🇨🇳 e\u{301}\u{301}\u{301}\u{301} Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ \u{200b}\u{200b}zero 한국어 ﷽ ✈️ 1️⃣";
    let json =
        ask(&[question("框架", strange, &[&strange.chars().take(50).collect::<String>(), "B"], false)]);
    let stage = Setup::new(COMMAND).arg(json).start();
    let screen = stage.sees("Esc leave");
    let cells = stage.screen();
    let rows = u16::try_from(screen.lines().count()).unwrap();
    for row in 0..rows {
        assert!(["╮", "│", "╯"].contains(&cells.cell(row, 79).unwrap().contents()), "{screen}");
    }
}

#[test]
fn the_largest_ask_is_shown_and_a_larger_one_refused() {
    let long = "长".repeat(20_000);
    let json =
        json!({"questions": [{"question": long, "options": [{"label": "A"}, {"label": "B"}]}]}).to_string();
    let mut stage = Setup::new(ASKUSER).arg("ask").arg(json).start();
    stage.sees("more lines");
    stage.does(DOWN, "❯ 2");
    assert_eq!(stage.types("\r").ends().code, 0);
    let large = vec![b' '; 10 * 1024 * 1024];
    let output = run_bytes(ASKUSER, &["ask", "-"], &[], &large);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&output));
    assert!(told(&output).contains("standard input has more than 65536 bytes"), "{}", told(&output));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.json");
    std::fs::write(&path, &large).unwrap();
    let output = run(ASKUSER, &["ask", "--file", path.to_str().unwrap()], &[], "");
    assert!(told(&output).contains("has more than 65536 bytes"), "{}", told(&output));
    let argument = "x".repeat(130_000);
    for (program, args, code) in [(COMMAND, vec![], 1), (ASKUSER, vec!["ask"], 2)] {
        let args: Vec<&str> = args.into_iter().chain([argument.as_str()]).collect();
        let output = run(program, &args, &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(code), &b""[..]),
            "{}",
            told(&output)
        );
        assert!(output.stderr.len() < 1000, "{}", told(&output));
    }
}

#[test]
fn what_is_no_json_or_no_text_is_refused() {
    let deep = "[".repeat(30_000);
    let surrogate = r#"{"questions":[{"question":"\ud800","options":[{"label":"A"},{"label":"B"}]}]}"#;
    for (json, said) in [
        (deep.as_str(), "the questions are not JSON"),
        (surrogate, "the questions are not JSON"),
        ("", "there is no question"),
        ("[]", "invalid question"),
        ("{}", "invalid question"),
    ] {
        let output = run(ASKUSER, &["ask", json], &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{}",
            told(&output)
        );
        assert!(told(&output).contains(said), "{}", told(&output));
    }
    for (program, verb, code) in [(COMMAND, None, 1), (ASKUSER, Some("ask"), 2)] {
        let mut command = Command::new(program);
        command.args(verb).arg(OsString::from_vec(b"{\"questions\":\xff}".to_vec()));
        let output = command.output().unwrap();
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(code), &b""[..]),
            "{}",
            told(&output)
        );
    }
}

#[test]
fn p9_every_fault_names_its_path() {
    let options = json!([{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]);
    let cases = [
        (
            json!({"questions": [{"question_id": "q", "question_text": "1", "type": "text"}, {"question_id": "q", "question_text": "2", "type": "text"}]}),
            "questions[1].question_id",
        ),
        (
            json!({"dialect": "full", "questions": [{"question_id": "q", "question_text": "1", "type": "multiple_choice", "options": options, "follow_up_questions": {"z": [{"question_text": "?", "type": "text"}]}}]}),
            "questions[0].follow_up_questions.z",
        ),
        (
            json!({"questions": [{"question_id": "q", "question_text": "1", "type": "text", "depends_on": {"question_id": "r"}}, {"question_id": "r", "question_text": "2", "type": "text", "depends_on": {"question_id": "q"}}]}),
            "depends_on",
        ),
        (
            json!({"questions": [{"question_id": "q", "question_text": "1", "type": "text", "depends_on": {"question_id": "q"}}]}),
            "questions[0].depends_on",
        ),
        (
            json!({"questions": [{"question_id": "q", "question_text": "1", "type": "multiple_choice"}]}),
            "questions[0].options",
        ),
    ];
    for (ask, path) in cases {
        let output = run(ASKUSER, &["ask", &ask.to_string()], &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{ask}: {}",
            told(&output)
        );
        assert!(told(&output).contains(path), "{path}: {}", told(&output));
    }
    // Without a desk there is no other ask to wait for: told with the rest, before anybody is looked for.
    let astray = json!({"questions": [
        {"question_id": "q", "question_text": "1", "type": "text", "depends_on": {"question_id": "nobody"}},
        {"question_id": "r", "question_text": "", "type": "text"}]});
    let output =
        run(ASKUSER, &["ask", "--where", "terminal", &astray.to_string()], &[("CLAUDECODE", "1")], "");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{}", told(&output));
    for fault in ["- questions[0].depends_on: names the question `nobody`", "- questions[1].question_text: "]
    {
        assert!(told(&output).contains(fault), "{fault}: {}", told(&output));
    }
    let twice =
        ask(&[question("Same", "1?", &["A", "B"], false), question("Same", "2?", &["A", "B"], false)]);
    let output = run(COMMAND, &[&twice], &[], "");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{}", told(&output));
    assert!(told(&output).contains("questions[1].header"), "{}", told(&output));
}

#[test]
fn wrong_options_of_the_command_line_are_told() {
    let json = database();
    for args in [
        ["ask", "--dialect", "klingon", &json],
        ["ask", "--reply", "klingon", &json],
        ["ask", "--timeout", "5", &json],
        ["ask", "--timeout", "0s", &json],
        ["ask", "--on-timeout", "maybe", &json],
        ["ask", "--where", "moon", &json],
    ] {
        let output = run(ASKUSER, &args, &[], "");
        assert_eq!(
            (output.status.code(), output.stdout.as_slice()),
            (Some(2), &b""[..]),
            "{args:?}: {}",
            told(&output)
        );
        assert!(told(&output).contains(args[2]), "it names what is wrong: {}", told(&output));
    }
}

#[test]
fn no_color_means_no_colours() {
    let colours = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let styles = text.split("\x1b[").filter_map(|part| part.split_once('m'));
        styles.filter_map(|(style, _)| style.parse::<u8>().ok()).any(|style| style >= 30)
    };
    for (value, coloured) in [("1", false), ("", true)] {
        let mut stage = Setup::new(ASKUSER).arg("ask").arg(login()).var("NO_COLOR", value).start();
        stage.sees("Esc leave");
        stage.does("1", "Which providers?");
        let ended = stage.types("\x03").ends();
        assert_eq!(colours(&ended.bytes), coloured);
    }
}

#[test]
fn the_words_around_are_in_the_language_of_the_person() {
    for (name, value) in [("ASKUSER_LANG", "zh"), ("LC_ALL", "zh_CN.UTF-8")] {
        let mut stage = Setup::new(COMMAND).arg(database()).var(name, value).start();
        let screen = stage.sees("离开");
        assert!(screen.contains("其他…") && screen.contains("Which database?"), "{screen}");
        let ended = stage.types("\x03").ends();
        assert!(ended.screen.contains("已中断"), "{}", ended.screen);
    }
}

#[test]
fn a_flood_of_random_keys_never_breaks_the_terminal() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg(login()).size(50, 14).start();
    stage.sees("Esc");
    let mut random = 0x2545_f491_4f6c_dd17_u64;
    let mut keys = Vec::new();
    for _ in 0..4000 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let byte = random.to_le_bytes()[0];
        // Not Enter, Ctrl-C, Ctrl-J and Ctrl-Z: they may end it on purpose.
        keys.push(if [0x0d, 0x03, 0x0a, 0x1a].contains(&byte) { b'x' } else { byte });
    }
    stage.types_bytes(&keys);
    stage.types("\x1b[201~\x03");
    let ended = stage.ends();
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""), "{}", ended.screen);
    assert_eq!(foreign(&ended.bytes), None);
    assert!(stage.is_cooked() && !stage.is_disturbed());
}
