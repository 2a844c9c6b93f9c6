//! Line mode, line by line.

use std::sync::Arc;

use askuser_core::draft::{Draft, DraftChoice, DraftFollowUps, DraftKind, DraftQuestion, Given};
use askuser_core::id::ChoiceId;
use askuser_core::limits::Limits;
use askuser_core::question::{Preview, PreviewFormat};

use super::*;
use crate::width::width;

const SOME: DraftKind = DraftKind::SomeOf { min: None, max: None };

fn question(id: &str, kind: DraftKind, labels: &[&str]) -> DraftQuestion {
    let choice =
        |label: &&str| DraftChoice { label: Given::Value((*label).to_owned()), ..DraftChoice::default() };
    DraftQuestion {
        id: Given::Value(id.to_owned()),
        header: Given::Value(id.to_owned()),
        text: Given::Value(format!("{id}?")),
        kind: Given::Value(kind),
        choices: Given::Value(labels.iter().map(choice).collect()),
        ..DraftQuestion::default()
    }
}

fn sheet(drafts: Vec<DraftQuestion>) -> Sheet {
    let draft = Draft { questions: Given::Value(drafts), ..Draft::default() };
    Sheet::suggested(Arc::new(draft.check(&Limits::FOREIGN).unwrap()))
}

/// Plays the lines and tells what was said and what came of it.
fn play(drafts: Vec<DraftQuestion>, purpose: Purpose, lines: &[&str]) -> String {
    let mut plain = Plain::new(sheet(drafts), purpose, None);
    let mut told = String::new();
    for line in lines {
        let reply = plain.line(line);
        told.push_str(&reply.say);
        match reply.next {
            Next::Question | Next::Prompt => {}
            Next::Declined { reason } => return told + &format!("declined {reason:?}"),
            Next::Sent(sheet) => {
                let said = |answer: &askuser_core::answer::Answer| {
                    let picked: Vec<&str> = answer.picked.iter().map(ChoiceId::as_str).collect();
                    let text = answer.text.as_ref().map(|text| format!("+{text}")).unwrap_or_default();
                    let note = answer.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
                    format!("{}={}{text}{note}", answer.question, picked.join("&"))
                };
                let answers = sheet.answers().unwrap();
                return told + &answers.0.iter().map(said).collect::<Vec<_>>().join(" ");
            }
        }
    }
    told + &format!("[{}]", plain.prompt())
}

#[track_caller]
fn one(lines: &[&str], expected: &str) {
    let drafts = vec![question("q", DraftKind::OneOf, &["PostgreSQL", "SQLite", "Redis"])];
    assert_eq!(play(drafts, Purpose::Decision, lines), expected);
}

#[track_caller]
fn some(lines: &[&str], expected: &str) {
    assert_eq!(play(vec![question("q", SOME, &["A", "B", "C"])], Purpose::Decision, lines), expected);
}

#[test]
fn t8_numbers_pick_and_the_first_valid_one_counts_where_one_may_be_picked() {
    one(&["2"], "q=2");
    one(&[" 3 "], "q=3");
    one(&["2,1"], "q=2");
    one(&["9,2"], "q=2");
    one(&["２"], "q=2");
    one(&["SQLite"], "q=2");
    some(&["1,3"], "q=1&3");
    some(&["3, 1 ,3"], "q=1&3");
    some(&["1，3"], "q=1&3");
    some(&["1,7,x"], "7, x are not choices: left out.\nq=1");
}

#[test]
fn t9_a_line_that_is_no_choice_takes_the_first_and_says_so() {
    one(&["7"], "7 is not a choice: took 1. PostgreSQL\nq=1");
    one(&["abc"], "abc is not a choice: took 1. PostgreSQL\nq=1");
    one(&[""], "Nothing typed: took 1. PostgreSQL\nq=1");
    one(&["-1"], "-1 is not a choice: took 1. PostgreSQL\nq=1");
    some(&["9"], "9 is not a choice: took 1. A\nq=1");
    one(&["\u{1b}[2J"], "␛[2J is not a choice: took 1. PostgreSQL\nq=1");
}

#[test]
fn a_permission_and_a_yes_no_question_are_never_taken_for_the_person() {
    let ask = || vec![question("q", DraftKind::OneOf, &["Allow", "Deny"])];
    assert_eq!(play(ask(), Purpose::Permission, &["7", "", "2"]), "7 is not a choice.\nNothing typed.\nq=2");
    let sure = || vec![question("q", DraftKind::YesNo, &[])];
    assert_eq!(
        play(sure(), Purpose::Decision, &["", "maybe", "n"]),
        "Nothing typed.\nmaybe is not a choice.\nq=no"
    );
    assert_eq!(play(sure(), Purpose::Decision, &["1"]), "q=yes");
    assert_eq!(play(sure(), Purpose::Decision, &["0"]), "0 is not a choice.\n[Enter number: ]");
}

#[test]
fn t10_other_asks_for_text_and_an_empty_one_is_never_an_answer() {
    one(&["0", "CockroachDB"], "q=+CockroachDB");
    one(&["OTHER", "O'Brien & <T>"], "q=+O'Brien & <T>");
    one(&["0"], "[Enter your answer: ]");
    let again = "Nothing typed. Type your answer, or leave it empty again to go back.\n";
    one(&["0", " ", "mine"], &format!("{again}q=+mine"));
    let back = "Nothing typed: back to the choices.\n";
    one(&["0", "", ""], &format!("{again}{back}[Enter number or 0 for custom: ]"));
    one(&["0", "", "", "2"], &format!("{again}{back}q=2"));
    some(&["1,0", "mine"], "q=1+mine");
    some(&["0", "mine"], "q=+mine");
}

#[test]
fn p10_a_text_that_is_too_long_is_asked_for_again() {
    let long = "x".repeat(1001);
    one(&["0", &long, "short"], "That has 1001 characters, 1000 at most.\nq=+short");
    one(&["0", "a\u{7}", "b"], "That contains the control character U+0007.\nq=+b");
}

#[test]
fn t11_a_person_can_go_back_and_change_an_earlier_answer() {
    let ask =
        || vec![question("a", DraftKind::OneOf, &["x", "y"]), question("b", DraftKind::OneOf, &["x", "y"])];
    assert_eq!(play(ask(), Purpose::Decision, &["1", "2"]), "a=1 b=2");
    assert_eq!(play(ask(), Purpose::Decision, &["1", "b", "2", "2"]), "a=2 b=2");
    assert_eq!(play(ask(), Purpose::Decision, &["/back", "1", "2"]), "This is the first question.\na=1 b=2");
    let text = || vec![question("a", DraftKind::OneOf, &["x", "y"]), question("t", DraftKind::Text, &[])];
    assert_eq!(play(text(), Purpose::Decision, &["1", "/back", "2", "back"]), "a=2 t=+back");
}

#[test]
fn p7_follow_ups_are_asked_under_the_choice_that_opens_them() {
    let ask = || {
        let mut parent = question("a", DraftKind::OneOf, &["x", "y"]);
        parent.follow_ups = vec![DraftFollowUps {
            choice: "x".into(),
            at: String::new(),
            questions: Given::Value(vec![question("more", SOME, &["m", "n"])]),
        }];
        vec![parent, question("b", DraftKind::OneOf, &["x", "y"])]
    };
    assert_eq!(play(ask(), Purpose::Decision, &["1", "1,2", "2"]), "a=1 more=1&2 b=2");
    assert_eq!(play(ask(), Purpose::Decision, &["2", "2"]), "a=2 b=2");
    // Back to the parent and off the branch: its answer is gone.
    assert_eq!(play(ask(), Purpose::Decision, &["1", "1", "b", "b", "2", "1"]), "a=2 b=1");
}

#[test]
fn d2_a_suggestion_is_taken_by_an_empty_line_and_an_optional_question_skipped() {
    let mut marked = question("q", DraftKind::OneOf, &["x", "y"]);
    if let Given::Value(choices) = &mut marked.choices {
        choices[1].default = true;
    }
    assert_eq!(play(vec![marked], Purpose::Decision, &[""]), "q=2");
    let mut optional = question("q", DraftKind::OneOf, &["x", "y"]);
    optional.required = Given::Value(false);
    assert_eq!(play(vec![optional], Purpose::Decision, &[""]), "Skipped.\nq=");
}

#[test]
fn a_note_and_a_reason_can_be_given_and_text_is_text() {
    one(&["/note prefer managed", "1"], "Note: prefer managed\nq=1 (prefer managed)");
    one(&["cancel too early"], "declined Some(\"too early\")");
    one(&["/cancel"], "declined None");
    let text = || vec![question("t", DraftKind::Text, &[])];
    assert_eq!(play(text(), Purpose::Decision, &["cancel"]), "t=+cancel");
    assert_eq!(play(text(), Purpose::Decision, &["/cancel no"]), "declined Some(\"no\")");
}

#[test]
fn t7_the_texts_of_the_source_document_are_kept() {
    let mut draft = question("q", DraftKind::OneOf, &["OAuth 2.0 (Recommended)", "JWT"]);
    draft.header = Given::Value("Auth method".into());
    draft.text = Given::Value("Which authentication method should we use?".into());
    if let Given::Value(choices) = &mut draft.choices {
        choices[1].description = Given::Value("Stateless tokens,\nmade for \u{1b}[31mAPIs".into());
    }
    let plain = Plain::new(sheet(vec![draft]), Purpose::Decision, Some("Round 1/3".into()));
    let expected = "
Round 1/3

┌─ Auth method ───────────────────────────────────┐
│ Which authentication method should we use?      │
│                                                 │
│  1. OAuth 2.0  ★ recommended                    │
│  2. JWT                                         │
│     Stateless tokens,                           │
│     made for ␛[31mAPIs                          │
│  0. Other (custom input)                        │
└─────────────────────────────────────────────────┘
";
    assert_eq!(plain.question(), expected);
    assert_eq!(plain.prompt(), "Enter number or 0 for custom: ");
    let several = Plain::new(sheet(vec![question("q", SOME, &["A", "B"])]), Purpose::Decision, None);
    assert_eq!(several.prompt(), "Enter numbers (e.g., 1,3) or 0 for custom: ");
}

/// Every box closes: both edges as long as the widest row, whatever is in it and however narrow the terminal is.
#[test]
fn m16_the_box_closes_at_every_width_in_both_languages() {
    let mut draft = question(
        "q",
        DraftKind::OneOf,
        &["数据库迁移", "A label that is rather long for a box of forty columns"],
    );
    draft.header = Given::Value("部署 Deploy".into());
    if let Given::Value(choices) = &mut draft.choices {
        choices[0].preview = Some(Preview {
            format: PreviewFormat::Markdown,
            text: "```diff\n-old\n+new\n```\n\n| a | 备注 |\n|---|---|\n| 1 | 夜间 |".into(),
        });
    }
    let mut parts = Vec::new();
    for language in [Language::English, Language::Chinese] {
        let drafts =
            vec![draft.clone(), question("go", DraftKind::YesNo, &[]), question("t", DraftKind::Text, &[])];
        let mut plain = Plain::new(sheet(drafts), Purpose::Decision, None)
            .about(Some("# Why\n\nIt is **slow**: `SELECT *`.".into()), None)
            .in_language(language);
        for line in ["9", "maybe", "1", "/back", "2", ""] {
            parts.push(format!("{}{}{line}", plain.question(), plain.prompt()));
            parts.push(plain.line(line).say);
        }
        for columns in [120, 60, 40, 20, 4] {
            let mut plain =
                Plain::new(sheet(vec![draft.clone()]), Purpose::Decision, None).in_language(language);
            plain.fit(columns);
            let printed = plain.question();
            let widths: Vec<usize> = printed.trim().lines().map(width).collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{printed}");
            assert!(widths[0] <= columns.max(12), "{printed}");
            parts.push(printed);
        }
    }
    insta::assert_snapshot!("boxes", parts.join("\n"));
}

/// What a screen reader is given has no character that only draws.
#[test]
fn m16_a_list_has_no_box_characters() {
    let mut draft = question("q", SOME, &["A (Recommended)", "B"]);
    draft.description = Given::Value("more".into());
    if let Given::Value(choices) = &mut draft.choices {
        choices[0].preview =
            Some(Preview { format: PreviewFormat::Markdown, text: "|a|b|\n|-|-|\n|1|2|\n\n---\n> q".into() });
    }
    for language in [Language::English, Language::Chinese] {
        let plain = Plain::new(sheet(vec![draft.clone()]), Purpose::Decision, None)
            .about(Some("- one\n- two\n\n```\ncode\n```".into()), None)
            .in_language(language)
            .as_list(Round { number: 1, total: Some(2) });
        let printed = plain.question();
        assert!(!printed.chars().any(|letter| ('\u{2500}'..='\u{259f}').contains(&letter)), "{printed}");
        assert!(printed.contains("a: 1\n   b: 2"), "{printed}");
    }
}

/// A line of a pipe that names no choice is nobody's answer: it may be a line of a loop's list.
#[test]
fn t9_a_strict_line_that_names_no_choice_is_asked_again() {
    let questions = || sheet(vec![question("db", DraftKind::OneOf, &["Postgres", "SQLite"])]);
    let mut plain = Plain::new(questions(), Purpose::Decision, None).strict();
    for line in ["web-3", "", "9"] {
        let reply = plain.line(line);
        assert_eq!(reply.next, Next::Prompt, "{line}: {}", reply.say);
    }
    assert!(matches!(plain.line("SQLite").next, Next::Sent(_)));
    let mut lenient = Plain::new(questions(), Purpose::Decision, None);
    assert!(matches!(lenient.line("web-3").next, Next::Sent(_)));
}
