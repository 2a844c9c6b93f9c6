//! What the keys do in the panel, as a person sees it.

use serde_json::{Value, json};

use crate::asks::{ASKUSER, COMMAND, ask, database, features, login, pushed, question};
use crate::press::{
    ALT_ENTER, BACK_TAB, BACKSPACE, CTRL_D, DOWN, ENTER, ESC, LEFT, PAGE_DOWN, RIGHT, TAB, UP,
};
use crate::stage::{Ended, Setup, Stage};

fn command(json: &str) -> Stage {
    let stage = Setup::new(COMMAND).arg(json).start();
    stage.sees("Esc leave");
    stage
}

fn push(json: &str) -> Stage {
    let stage = Setup::new(ASKUSER).arg("ask").arg(json).start();
    stage.sees("Esc leave");
    stage
}

fn answers(ended: &Ended) -> Value {
    assert_eq!(ended.code, 0, "{}", ended.screen);
    let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
    reply["answers"].clone()
}

#[test]
fn p14_arrows_j_and_k_move_around_the_ends() {
    let mut stage = command(&database());
    stage.sees("❯ 1 ○ PostgreSQL");
    for (keys, seen) in [
        (DOWN, "❯ 2 ○ MongoDB"),
        ("j", "❯ 3 ○ SQLite"),
        ("j", "❯ 0 ○ Other…"),
        (DOWN, "❯ 1 ○ PostgreSQL"),
        ("k", "❯ 0 ○ Other…"),
        (UP, "❯ 3 ○ SQLite"),
        ("\x1b[H", "❯ 1 ○ PostgreSQL"),
        ("\x1b[F", "❯ 0 ○ Other…"),
    ] {
        stage.does(keys, seen);
    }
    let screen = stage.does("\x1b[H", "❯ 1");
    assert!(!screen.contains('●'), "moving picks nothing (T9): {screen}");
}

#[test]
fn t9_a_digit_picks_and_only_enter_sends() {
    let mut stage = command(&database());
    stage.does("3", "❯ 3 ● SQLite");
    stage.does("2", "❯ 2 ● MongoDB");
    let screen = stage.does("9", "❯ 2 ● MongoDB");
    assert!(!screen.contains("● SQLite"), "one pick only: {screen}");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"Database": "MongoDB"}));
}

#[test]
fn t8_space_picks_and_takes_back() {
    let mut stage = command(&features());
    stage.does(" ", "[x] Caching");
    stage.does(DOWN, "❯ 2");
    stage.does(" ", "[x] Logging");
    stage.does(" ", "[ ] Logging");
    stage.does("3", "[x] Metrics");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"Features": "Caching, Metrics"}));
}

#[test]
fn t8_several_with_nothing_picked_cannot_be_sent() {
    let mut stage = command(&features());
    stage.does(ENTER, "Nothing picked yet: Space picks.");
    stage.does("2", "[x] Logging");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"Features": "Logging"}));
}

#[test]
fn t7_other_stands_last_beside_picks() {
    let mut stage = command(&features());
    stage.does("2", "[x] Logging");
    stage.does("0", "type your answer");
    stage.does("tracing", "tracing");
    stage.does(ENTER, "[x] Other: tracing");
    let ended = stage.types(ENTER).ends();
    assert_eq!(answers(&ended), json!({"Features": "Logging, Other (custom: tracing)"}));
}

#[test]
fn t11_tab_moves_between_questions_and_earlier_answers_can_be_changed() {
    let mut stage = command(&ask(&[
        question("Database", "Which database?", &["PostgreSQL", "SQLite"], false),
        question("Cache", "Which cache?", &["Redis", "None"], false),
    ]));
    stage.sees("question 1 of 2");
    stage.does(TAB, "question 2 of 2");
    stage.does(BACK_TAB, "question 1 of 2");
    stage.does(RIGHT, "question 2 of 2");
    stage.does(LEFT, "question 1 of 2");
    stage.does(BACK_TAB, "There is no other question.");
    stage.does(ENTER, "question 2 of 2");
    let review = stage.does("2\r", "Review");
    assert!(review.contains("PostgreSQL") && review.contains("None") && review.contains("Send"), "{review}");
    // Back from the review to the first, and straight to the review again.
    stage.does("1", "question 1 of 2");
    stage.does("2", "● SQLite");
    let review = stage.does(ENTER, "Review");
    assert!(review.contains("SQLite") && !review.contains("PostgreSQL"), "{review}");
    let ended = stage.types(ENTER).ends();
    assert_eq!(answers(&ended), json!({"Database": "SQLite", "Cache": "None"}));
    assert!(ended.screen.contains("✓ Database: SQLite"), "what was answered stays: {}", ended.screen);
}

#[test]
fn t11_nothing_is_sent_while_an_earlier_question_is_open() {
    let mut stage = command(&ask(&[
        question("One", "First?", &["A", "B"], false),
        question("Two", "Second?", &["C", "D"], false),
    ]));
    stage.does(TAB, "question 2 of 2");
    stage.does("1", "● C");
    stage.does(ENTER, "question 1 of 2");
    let screen = stage.screen().contents();
    assert!(screen.contains('✗'), "it says why: {screen}");
    stage.does("2\r", "Review");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"One": "B", "Two": "C"}));
}

#[test]
fn p7_follow_ups_open_under_their_choice_and_close_with_it() {
    let mut stage = push(&login());
    let screen = stage.does("1", "└ Which providers?");
    assert!(screen.contains("● OAuth"), "{screen}");
    stage.does(DOWN, "❯ 1 [ ] GitHub");
    stage.does(" ", "└ Which organisation?");
    stage.does(" ", "[ ] GitHub");
    stage.loses("Which organisation?");
    stage.does(" ", "└ Which organisation?");
    // Enter goes on to the follow-up that is open, and from there to the next question.
    stage.does(ENTER, "❯ type your answer");
    stage.does("askuser", "❯ askuser");
    stage.does(ENTER, "What is it called?");
    stage.does(TAB, "Ship it?");
    stage.does("1\r", "Review");
    let ended = stage.types(ENTER).ends();
    assert_eq!(
        answers(&ended),
        json!({"auth": "oauth", "providers": ["gh"], "org": "askuser", "name": null, "ship": true})
    );
}

#[test]
fn p7_the_answers_of_a_branch_not_taken_are_not_sent() {
    let mut stage = push(&login());
    stage.does("1", "Which providers?");
    stage.does(DOWN, "❯ 1 [ ] GitHub");
    stage.does("2", "[x] Google");
    stage.does(BACK_TAB, "❯ 1 ● OAuth");
    stage.does("2", "● JWT");
    let screen = stage.screen().contents();
    assert!(!screen.contains("Which providers?"), "{screen}");
    stage.does(ENTER, "What is it called?");
    stage.does(ENTER, "Ship it?");
    let review = stage.does("2\r", "Review");
    assert!(!review.contains("Google"), "{review}");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"auth": "jwt", "name": null, "ship": false}));
}

#[test]
fn p14_the_round_stands_in_the_title() {
    let stage = push(&login());
    let screen = stage.sees("Round 1/3");
    assert!(screen.contains("question 1 of 3"), "{screen}");
    assert!(screen.contains("The shop needs a login."), "the context is shown: {screen}");
}

#[test]
fn t14_recommended_is_a_mark_and_the_label_comes_back_as_given() {
    let mut stage = command(&ask(&[question("Auth", "Which?", &["OAuth (Recommended)", "JWT"], false)]));
    let screen = stage.sees("★ recommended");
    assert!(!screen.contains("○ OAuth (Recommended)"), "{screen}");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"Auth": "OAuth (Recommended)"}));
}

#[test]
fn d2_a_suggested_default_is_shown_and_sent_only_after_enter() {
    let mut stage =
        push(&pushed(&json!({"question_id": "db", "question_text": "Which?", "type": "multiple_choice",
        "options": [{"id": "a", "label": "Alpha"}, {"id": "b", "label": "Beta", "default": true}]})));
    let screen = stage.sees("❯ 2 ● Beta");
    assert!(screen.contains("suggested"), "{screen}");
    assert_eq!(std::fs::read_to_string(stage.home().join("stdout")).unwrap(), "");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"db": "b"}));
}

#[test]
fn d2_yes_or_no_needs_a_key_of_the_person() {
    let mut stage =
        push(&pushed(&json!({"question_id": "ok", "question_text": "Ship it?", "type": "boolean"})));
    let screen = stage.sees("❯ 1 ○ Yes");
    assert!(screen.contains("2 ○ No") && !screen.contains("Other"), "{screen}");
    stage.does("2", "● No");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"ok": false}));
}

#[test]
fn p12_an_optional_question_may_be_left_out_and_a_required_one_not() {
    let text = |required: bool| {
        pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text", "required": required}))
    };
    let mut stage = push(&text(false));
    stage.sees("(optional)");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": null}));
    let mut stage = push(&text(true));
    stage.does(ENTER, "This needs an answer.");
    stage.does("x", "❯ x");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": "x"}));
}

#[test]
fn d10_letters_in_a_text_field_are_text() {
    let mut stage = push(&pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text"})));
    stage.does("jkn?0 9 O'Brien & <T>", "❯ jkn?0 9 O'Brien & <T>");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": "jkn?0 9 O'Brien & <T>"}));
}

#[test]
fn d10_chinese_and_emoji_are_typed_and_deleted_whole() {
    let mut stage = push(&pushed(&json!({"question_id": "q", "question_text": "名字？", "type": "text"})));
    stage.does("数据库👩\u{200d}👩\u{200d}👧", "数据库");
    stage.does(&format!("{BACKSPACE}e\u{301}x{LEFT}{LEFT}{BACKSPACE}"), "数据e");
    stage.does("\x05!", "x!");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": "数据e\u{301}x!"}));
}

#[test]
fn d10_alt_enter_makes_a_new_line() {
    let mut stage = push(&pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text"})));
    stage.does("one", "❯ one");
    stage.types(ALT_ENTER);
    let screen = stage.does("two", "two");
    let rows: Vec<&str> = screen.lines().collect();
    let one = rows.iter().position(|row| row.contains("❯ one")).unwrap();
    assert!(rows[one + 1].contains("  two"), "{screen}");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": "one\ntwo"}));
}

#[test]
fn m_keeps_a_note_beside_the_answer() {
    let mut stage = Setup::new(ASKUSER).arg("ask").arg("--reply").arg("full").arg(login()).start();
    stage.sees("Which method?");
    stage.does("m", "Enter save note");
    stage.does("ask Ann, n?", "ask Ann, n?");
    stage.does(ENTER, "Note: ask Ann, n?");
    stage.does("2\r", "What is it called?");
    stage.does(ENTER, "Ship it?");
    stage.does("1\r", "Review");
    let ended = stage.types(ENTER).ends();
    assert!(ended.stdout.contains("\"note\":\"ask Ann, n?\""), "{}", ended.stdout);
}

#[test]
fn a_question_mark_explains_the_keys_and_any_key_goes_back() {
    let mut stage = command(&database());
    let help = stage.does("?", "Shift-Tab");
    assert!(!help.contains("Which database?"), "{help}");
    stage.does(ENTER, "Which database?");
    stage.does("0", "type your answer");
    stage.does("\x1bOP", "Alt-Enter");
    stage.does(ESC, "type your answer");
}

#[test]
fn p12_escape_asks_first_and_can_go_back() {
    let mut stage = command(&database());
    stage.does("2", "● MongoDB");
    let screen = stage.does(ESC, "Nothing has been sent.");
    assert!(screen.contains("❯ 1 Go back") && screen.contains("2 Decline"), "{screen}");
    assert!(!screen.contains("Answer later"), "without a daemon only to decline: {screen}");
    stage.does(ESC, "● MongoDB");
    stage.does(CTRL_D, "Nothing has been sent.");
    stage.does(ENTER, "● MongoDB");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"Database": "MongoDB"}));
}

#[test]
fn p12_declining_takes_a_reason() {
    let mut stage = command(&database());
    stage.does(ESC, "2 Decline");
    stage.does(DOWN, "❯ 2 Decline");
    stage.does(ENTER, "Say why");
    stage.does(ESC, "2 Decline");
    stage.does("2", "Say why");
    stage.does("不是现在", "不是现在");
    let ended = stage.types(ENTER).ends();
    assert_eq!(ended.code, 3);
    assert!(ended.screen.contains("✗ Declined: 不是现在"), "{}", ended.screen);
    let reply: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&reply["status"], &reply["comment"]), (&json!("cancelled"), &json!("不是现在")), "{reply}");
}

#[test]
fn previews_are_shown_for_the_choice_at_the_cursor() {
    let json =
        json!({"questions": [{"question": "Which look?", "header": "Look", "multiSelect": false, "options": [
        {"label": "Cards", "description": "c", "preview": "+----+\n| 卡 |\n+----+"},
        {"label": "List", "description": "l", "preview": "<p>one</p><p>two</p>"}]}]})
        .to_string();
    for columns in [80, 120] {
        let mut stage = Setup::new(ASKUSER).arg("ask").arg(json.as_str()).size(columns, 30).start();
        let screen = stage.sees("Preview: Cards");
        assert!(screen.contains("| 卡 |"), "{screen}");
        stage.does(DOWN, "Preview: List");
    }
}

#[test]
fn what_does_not_fit_is_scrolled_to_and_never_cut() {
    let words: Vec<String> = (0..80).map(|n| format!("<{n}>")).collect();
    let json = ask(&[question("Long", &words.join(" "), &["A", "B"], false)]);
    let mut stage = Setup::new(COMMAND).arg(json).size(40, 10).start();
    stage.sees("❯ 1 ○ A");
    stage.does("\x1b[5~\x1b[5~\x1b[5~", "<0>");
    let mut seen = stage.sees("more lines");
    let mut last = seen.clone();
    while !last.contains("❯ 1 ○ A") {
        stage.types(PAGE_DOWN);
        last = stage.wait("the next part", |screen| *screen != last);
        seen.push_str(&last);
    }
    let missing: Vec<&String> = words.iter().filter(|word| !seen.contains(*word)).collect();
    assert!(missing.is_empty(), "never shown: {missing:?}");
}

#[test]
fn fast_typing_loses_nothing_and_sends_nothing_early() {
    let json = pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text"}));
    let mut stage = push(&json);
    let text: String = (0..900).map(|n| char::from(b'a' + u8::try_from(n % 26).unwrap())).collect();
    stage.types(&text);
    stage.sees("900/1000");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({ "q": text }));
}

#[test]
fn p10_a_text_over_its_limit_is_refused_and_not_cut() {
    let json = pushed(&json!({"question_id": "q", "question_text": "Why?", "type": "text"}));
    let mut stage = push(&json);
    stage.types(&"x".repeat(1001));
    stage.sees("1001/1000");
    let screen = stage.does(ENTER, "✗ ");
    assert!(screen.contains("1000"), "it names the limit: {screen}");
    stage.does(BACKSPACE, "1000/1000");
    assert_eq!(answers(&stage.types(ENTER).ends()), json!({"q": "x".repeat(1000)}));
}
