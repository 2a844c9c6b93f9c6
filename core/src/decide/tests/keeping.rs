//! What was acknowledged stays, and nothing is taken for what it only looks like.

use super::*;

/// Three questions, of which the second suggests an answer and the third may be left out.
fn three(policy: Option<TimeoutPolicy>) -> Command {
    let mut suggested = question("second", DraftKind::OneOf, &["a", "b"]);
    if let Given::Value(choices) = &mut suggested.choices {
        choices[1].default = true;
    }
    let mut maybe = question("third", DraftKind::Text, &[]);
    maybe.required = Given::Value(false);
    let first = question("first", DraftKind::OneOf, &["a", "b"]);
    let terms = Terms { timeout: Some(Duration::from_mins(1)), policy, ..Terms::default() };
    asking(1, vec![first, suggested, maybe], terms)
}

fn alone(question: &str, choice: &str) -> Command {
    Command::AnswerOne { ask: None, question: question.into(), entry: entry(choice) }
}

fn picked(desk: &Desk, question: &str) -> Vec<String> {
    let outcome = desk.state(1).outcome().unwrap();
    let answer = outcome.answers.to(&question.into()).unwrap();
    answer.picked.iter().map(|choice| choice.as_str().to_owned()).collect()
}

/// P8, P9: an answer that was acknowledged is neither overwritten by a sheet that is saved after it, nor
/// forgotten by one that does not have it.
#[test]
fn p8_a_sheet_that_is_saved_later_takes_no_answer_back() {
    for saved in [vec![], vec![("first".into(), entry("b"))], vec![("second".into(), entry("b"))]] {
        let mut desk = Desk::new();
        desk.done(&agent(), &three(None));
        desk.done(&person(), &alone("first", "a"));
        desk.done(&person(), &Command::Save { ask: AskId(1), entries: saved });
        assert_eq!(desk.refused(&person(), &alone("first", "b")), "the question `first` is answered already");
        desk.done(&person(), &alone("second", "a"));
        let rest = Command::AnswerOne { ask: None, question: "third".into(), entry: Entry::default() };
        desk.done(&person(), &rest);
        assert_eq!((picked(&desk, "first"), picked(&desk, "second")), (vec!["a".into()], vec!["a".into()]));
    }
}

/// P9: the whole sheet may repeat what was answered, or leave it out, and not change it.
#[test]
fn p9_the_whole_sheet_does_not_change_what_was_answered() {
    let whole = |entries: Vec<(QuestionId, Entry)>| Command::Answer { ask: AskId(1), entries };
    for (first, fits) in [(Some("a"), true), (None, true), (Some("b"), false)] {
        let mut desk = Desk::new();
        desk.done(&agent(), &three(None));
        desk.done(&person(), &alone("first", "a"));
        let sent = first.map(|first| ("first".into(), entry(first)));
        let sent = whole(sent.into_iter().chain([("second".into(), entry("b"))]).collect());
        if fits {
            desk.done(&person(), &sent);
            assert_eq!(picked(&desk, "first"), ["a"]);
        } else {
            assert_eq!(desk.refused(&person(), &sent), "the question `first` is answered already");
        }
    }
}

/// P13: a default is what the asker marked, beside what the person has answered and never in its place.
#[test]
fn p13_a_default_stands_beside_what_was_answered() {
    let expire = |desk: &mut Desk| {
        desk.later(Duration::from_secs(61));
        desk.done(&server(), &Command::Expire { ask: AskId(1) });
    };
    let mut desk = Desk::new();
    desk.done(&agent(), &three(Some(TimeoutPolicy::Default)));
    desk.done(&person(), &alone("first", "a"));
    expire(&mut desk);
    assert_eq!(desk.state(1).outcome().unwrap().answered_by(), Some("default"));
    assert_eq!((picked(&desk, "first"), picked(&desk, "second")), (vec!["a".into()], vec!["b".into()]));
    // What was marked is answered otherwise, and the rest may be left out: nothing is taken by default.
    let mut desk = Desk::new();
    desk.done(&agent(), &three(Some(TimeoutPolicy::Default)));
    desk.done(&person(), &alone("second", "a"));
    desk.done(&person(), &alone("first", "b"));
    expire(&mut desk);
    assert_eq!(desk.state(1).status(), "timeout");
    assert_eq!((picked(&desk, "first"), picked(&desk, "second")), (vec!["b".into()], vec!["a".into()]));
    // Nothing is marked and nothing must be answered: nobody is spoken for.
    let mut maybe = question("first", DraftKind::OneOf, &["a", "b"]);
    maybe.required = Given::Value(false);
    let policy = Some(TimeoutPolicy::Default);
    let terms = Terms { timeout: Some(Duration::from_mins(1)), policy, ..Terms::default() };
    let mut desk = Desk::new();
    desk.done(&agent(), &asking(1, vec![maybe], terms));
    expire(&mut desk);
    assert_eq!(desk.state(1).status(), "timeout");
}

/// Invariant 6: what grants something never joins what only looks like it, nor the other way round.
#[test]
fn a_permission_and_a_decision_in_the_same_words_are_two_asks() {
    let plain = |purpose| Terms { purpose, ..Terms::default() };
    for (before, after) in
        [(Purpose::Decision, Purpose::Permission), (Purpose::Permission, Purpose::Decision)]
    {
        let mut desk = Desk::new();
        desk.done(&agent(), &same_words(1, plain(before)));
        assert!(!desk.done(&agent(), &same_words(2, plain(after))).joined, "{before:?} {after:?}");
        assert!(desk.done(&agent(), &same_words(3, plain(after))).joined, "{after:?}");
    }
}

/// O9: also an ask whose condition did not come true says which of its questions were answered.
#[test]
fn o9_a_condition_that_fails_tells_every_question_as_skipped() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let mut waits = question("later", DraftKind::OneOf, &["a", "b"]);
    waits.depends_on = Given::Value(Condition { question: "q1".into(), choice: Some("b".into()) });
    desk.done(&agent(), &asking(2, vec![waits], Terms::default()));
    desk.answered(1, "a");
    let outcome = desk.state(2).outcome().unwrap();
    assert_eq!((outcome.status(), outcome.answers.0.len()), ("cancelled", 1));
    assert!(outcome.answers.0[0].skipped);
}
