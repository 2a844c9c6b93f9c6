//! What keys do, case by case: a script of keys in, what came of it out.

mod around;
mod reading;

use askuser_core::answer::Answers;
use askuser_core::draft::{DraftQuestion, Given, Other};

use crate::panel::{Mode, Panel, Step};
use crate::samples::{database, deploy, features, name, panel, type_keys};

fn told(answers: &Answers) -> String {
    let parts = answers.0.iter().map(|answer| {
        let mut parts: Vec<String> = answer.picked.iter().map(|id| id.as_str().to_owned()).collect();
        parts.extend(answer.text.iter().map(|text| format!("{text:?}")));
        parts.extend(answer.note.iter().map(|note| format!("note {note:?}")));
        if answer.skipped {
            parts.push("skipped".to_owned());
        }
        format!("{}={}", answer.question, parts.join("+"))
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn state(panel: &Panel) -> String {
    let mode = match &panel.mode {
        Mode::Choosing => "choosing",
        Mode::Typing(_) => "typing",
        Mode::Noting(_) => "noting",
        Mode::Reviewing { .. } => "reviewing",
        Mode::Helping { .. } => "helping",
        Mode::Leaving { .. } => "leaving",
        Mode::Declining { .. } => "declining",
    };
    let message = panel.message.as_deref().map(|message| format!(": {message}"));
    format!("{mode} at {}{}", panel.place.question, message.unwrap_or_default())
}

#[track_caller]
fn check(questions: Vec<DraftQuestion>, script: &str, expected: &str) {
    let mut panel = panel(questions);
    let got = match type_keys(&mut panel, script) {
        Step::Stay => state(&panel),
        Step::Sent(answers) => format!("sent {}", told(&answers)),
        Step::Declined { reason } => format!("declined {reason:?}"),
        other => format!("{other:?}").to_lowercase(),
    };
    assert_eq!(got, expected, "{script}");
}

fn optional(mut question: DraftQuestion) -> DraftQuestion {
    question.required = Given::Value(false);
    question
}

#[test]
fn p14_arrows_numbers_and_enter_answer_a_single_question_at_once() {
    check(vec![database()], "enter", "sent db=pg");
    check(vec![database()], "down enter", "sent db=sqlite");
    check(vec![database()], "j j k enter", "sent db=sqlite");
    check(vec![database()], "up up enter", "sent db=mysql");
    check(vec![database()], "3 enter", "sent db=mysql");
    check(vec![database()], "end up enter", "sent db=mysql");
    check(vec![deploy()], "2 enter", "sent deploy=no");
}

#[test]
fn t9_y_and_n_pick_yes_and_no_and_enter_confirms() {
    check(vec![deploy()], "y enter", "sent deploy=yes");
    check(vec![deploy()], "n enter", "sent deploy=no");
    check(vec![deploy()], "y n n enter", "sent deploy=no");
    check(vec![deploy()], "n", "choosing at deploy");
    check(vec![deploy()], r#"n m "why" enter enter"#, r#"sent deploy=no+note "why""#);
    // Elsewhere they are no keys.
    check(vec![database()], "down n y enter", "sent db=sqlite");
}

/// One key for a note, whatever is asked; where letters are text it is Alt and the same key.
#[test]
fn m3_m_adds_a_note_to_every_kind_of_question() {
    for question in [database(), features(), deploy()] {
        let mut panel = panel(vec![question]);
        type_keys(&mut panel, "m");
        assert!(matches!(panel.mode, Mode::Noting(_)), "{:?}", panel.mode);
    }
    for question in [database(), features(), deploy(), name()] {
        let mut panel = panel(vec![question]);
        type_keys(&mut panel, "note");
        assert!(matches!(panel.mode, Mode::Noting(_)), "{:?}", panel.mode);
    }
}

#[test]
fn t9_nothing_is_picked_without_the_person_confirming() {
    check(vec![database()], "down down up tab j k home", "choosing at db");
    check(vec![database()], "3", "choosing at db");
    check(vec![database()], "9 7 x y", "choosing at db");
    let mut panel = panel(vec![database(), deploy()]);
    type_keys(&mut panel, "down tab down tab");
    assert!(panel.sheet.entries().all(|(_, entry)| entry.is_empty()));
    check(
        vec![database(), deploy()],
        "down tab down tab enter",
        "choosing at db: This needs an answer: Enter picks the choice at ❯.",
    );
}

#[test]
fn t7_other_is_last_and_takes_text_of_ones_own() {
    check(vec![database()], "0", "typing at db");
    check(vec![database()], "up enter", "typing at db");
    check(vec![database()], r#"0 "Redis" enter"#, r#"sent db="Redis""#);
    check(vec![database()], r#"end space "nk?1 Ω" enter"#, r#"sent db="nk?1 Ω""#);
    check(vec![deploy()], "0", "choosing at deploy");
    let mut closed = database();
    closed.other = Other::Closed;
    check(vec![closed.clone()], "0", "choosing at db");
    check(vec![closed], "up enter", "sent db=mysql");
}

#[test]
fn t10_an_empty_other_is_asked_for_again_then_goes_back() {
    let again = "typing at db: Nothing typed yet. Press Enter again to go back to the choices.";
    check(vec![database()], "0 enter", again);
    check(vec![database()], "0 space space enter", again);
    check(vec![database()], "0 enter enter", "choosing at db");
    check(vec![database()], "0 enter enter up enter", "sent db=mysql");
    check(vec![database()], r#"0 "x" esc 0 enter"#, r#"sent db="x""#);
}

#[test]
fn several_may_be_picked_and_enter_only_goes_on() {
    let missing = "choosing at features: Nothing picked yet: Space picks.";
    check(vec![features()], "space enter", missing);
    check(vec![features()], "1 2 3 enter", "sent features=export+share");
    check(vec![features()], "4 2 enter", "sent features=search+export+sync");
    check(vec![features()], r#"0 "PDF" enter enter"#, r#"sent features=search+"PDF""#);
    check(vec![features()], r#"end enter "PDF" enter"#, "choosing at features");
}

#[test]
fn d2_what_the_asker_suggests_is_taken_over_by_going_on() {
    let suggestion = panel(vec![features()]);
    assert!(suggestion.sheet.entries().all(|(_, entry)| entry.suggested));
    check(vec![features()], "enter", "sent features=search");
    let mut panel = panel(vec![features(), deploy()]);
    type_keys(&mut panel, "enter");
    assert!(panel.sheet.entries().all(|(_, entry)| !entry.suggested));
    let mut name = name();
    name.text_rules.default = Some("shop".to_owned());
    check(vec![name.clone()], "enter", r#"sent name="shop""#);
    check(vec![name], r#"clear "till" enter"#, r#"sent name="till""#);
}

#[test]
fn a_letter_typed_in_a_text_field_is_text_and_nothing_else() {
    check(vec![name()], r#""jk n?10 q" enter"#, r#"sent name="jk n?10 q""#);
    check(vec![name()], r#""a" newline "b" enter"#, r#"sent name="a\nb""#);
    check(vec![name()], r#""ab" backspace "你" left "c" enter"#, r#"sent name="ac你""#);
    check(vec![name()], "enter", "typing at name: This needs an answer.");
    check(vec![name()], "space enter", "typing at name: This needs an answer.");
}

#[test]
fn what_does_not_fit_is_said_and_what_was_typed_is_kept() {
    let long = format!(r#""{}" enter"#, "x".repeat(41));
    check(vec![name()], &long, "typing at name: This has 41 characters, 40 at most.");
    check(vec![name()], &format!("{long} backspace enter"), &format!("sent name={:?}", "x".repeat(40)));
    let most = askuser_core::draft::DraftKind::SomeOf { min: Some(2), max: Some(2) };
    let mut two = features();
    two.kind = Given::Value(most);
    check(vec![two.clone()], "enter", "choosing at features: 1 picked, at least 2 needed.");
    check(vec![two], "2 3 enter", "choosing at features: 3 picked, at most 2 allowed. Space unpicks.");
}

#[test]
fn d10_pasted_text_never_counts_as_keys_and_control_characters_are_left_out() {
    let left_out = "typing at name: Left out: 1 control character.";
    check(vec![name()], r"paste:a\e[31m", left_out);
    check(vec![name()], r"paste:a\e[31mb\nc enter", r#"sent name="a[31mb\nc""#);
    check(
        vec![database()],
        r"paste:2\n",
        "choosing at db: Pasted text needs a text field: press 0 for Other first.",
    );
    check(vec![database()], r"end paste:Redis enter", r#"sent db="Redis""#);
}

#[test]
fn t11_several_questions_are_reviewed_before_they_are_sent() {
    check(vec![database(), deploy()], "enter enter", "reviewing at deploy");
    check(vec![database(), deploy()], "enter enter enter", "sent db=pg deploy=yes");
    check(vec![database(), deploy()], "enter enter 1 down enter enter", "sent db=sqlite deploy=yes");
    check(vec![database(), deploy()], "enter enter up enter 2 enter enter", "sent db=pg deploy=no");
    check(vec![database(), deploy()], "enter backtab 3 enter enter enter", "sent db=mysql deploy=yes");
    check(
        vec![database(), deploy()],
        "tab enter",
        "choosing at db: This needs an answer: Enter picks the choice at ❯.",
    );
}

#[test]
fn an_optional_question_can_be_left_out() {
    let both = vec![optional(database()), deploy()];
    check(both, "tab enter enter", "sent db=skipped deploy=yes");
    check(vec![optional(database())], "tab", "reviewing at db");
    check(vec![optional(database())], "tab enter", "sent db=skipped");
    check(vec![optional(database())], "1 1 tab enter", "sent db=skipped");
    check(vec![optional(name())], "enter", "sent name=skipped");
    check(vec![database()], "tab", "choosing at db: There is no other question.");
}
