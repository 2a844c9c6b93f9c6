//! Answers by one press: held, taken back, final by themselves, and lost to whoever is faster.

use super::*;
use crate::audience::{Audience, Circle};

const GRACE: Duration = Duration::from_secs(5);

fn hold(id: u128, choice: &str) -> Command {
    let entries = vec![(format!("q{id}").as_str().into(), entry(choice))];
    Command::Hold { ask: AskId(id), entries, grace: GRACE }
}

fn take_back(id: u128) -> Command {
    Command::TakeBack { ask: AskId(id) }
}

fn expire(id: u128) -> Command {
    Command::Expire { ask: AskId(id) }
}

fn picked(desk: &Desk, id: u128) -> Vec<String> {
    let outcome = desk.state(id).outcome().expect("it has not ended");
    outcome.answers.0.iter().flat_map(|answer| &answer.picked).map(ToString::to_string).collect()
}

fn draft(desk: &Desk, id: u128) -> Vec<String> {
    let entries = &desk.view.ask(AskId(id)).unwrap().entries;
    entries.iter().flat_map(|(_, entry)| &entry.picked).map(ToString::to_string).collect()
}

#[test]
fn a_held_answer_becomes_final_by_the_server_and_stays_its_persons() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&person(), &hold(1, "a"));
    assert_eq!(desk.state(1), &State::Showing, "nobody is told yet");
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), Some(desk.now.after(GRACE)));
    desk.later(GRACE.saturating_sub(Duration::from_millis(1)));
    assert_eq!(desk.tries(&server(), &expire(1)), Err(Refusal::TooEarly));
    desk.later(Duration::from_millis(1));
    desk.done(&server(), &expire(1));
    let outcome = desk.state(1).outcome().unwrap();
    assert_eq!(outcome.ending, Ending::Answered(AnsweredBy::Person));
    assert_eq!((outcome.by.clone(), outcome.at), (person().by, desk.now));
    assert_eq!(picked(&desk, 1), ["a"]);
    assert!(desk.view.ask(AskId(1)).unwrap().hearing.held.is_empty());
}

#[test]
fn a_slip_is_taken_back_once_and_by_whom_it_was() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    assert_eq!(desk.tries(&person(), &take_back(1)), Err(Refusal::NothingHeld));
    desk.done(&person(), &hold(1, "a"));
    let stranger = actor(Role::Person, "bob", Proof::Cookie);
    assert_eq!(desk.tries(&stranger, &take_back(1)), Err(Refusal::AskNotFound));
    assert!(matches!(desk.tries(&agent(), &take_back(1)), Err(Refusal::Forbidden(_))));
    desk.done(&person(), &take_back(1));
    assert_eq!(desk.tries(&person(), &take_back(1)), Err(Refusal::NothingHeld));
    desk.later(GRACE * 2);
    assert_eq!(desk.tries(&server(), &expire(1)), Err(Refusal::TooEarly));
    assert_eq!(desk.state(1), &State::Showing);
    // Once it is final it is too late.
    desk.done(&person(), &hold(1, "b"));
    desk.later(GRACE);
    desk.done(&server(), &expire(1));
    assert!(matches!(desk.tries(&person(), &take_back(1)), Err(Refusal::AlreadyClosed(_))));
    assert_eq!(picked(&desk, 1), ["b"]);
}

#[test]
fn the_same_press_twice_is_one_and_another_begins_anew() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&person(), &hold(1, "a"));
    let until = desk.view.ask(AskId(1)).unwrap().next_alarm();
    desk.later(Duration::from_secs(2));
    assert!(desk.done(&person(), &hold(1, "a")).facts.is_empty());
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), until);
    desk.done(&person(), &hold(1, "b"));
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), Some(desk.now.after(GRACE)));
    desk.later(GRACE);
    desk.done(&server(), &expire(1));
    assert_eq!(picked(&desk, 1), ["b"]);
}

#[test]
fn the_deadline_makes_a_held_answer_final_and_not_expired() {
    let mut desk = Desk::new();
    let terms = Terms { timeout: Some(Duration::from_secs(3)), ..timed(TimeoutPolicy::Abort) };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::OneOf, &["a", "b"])], terms));
    desk.later(Duration::from_secs(2));
    desk.done(&person(), &hold(1, "a"));
    assert_eq!(desk.view.ask(AskId(1)).unwrap().held_by(&"ann".into()).unwrap().until, Timestamp(4_000));
    // Also where nobody looked at the clock for an hour: it was answered in time.
    desk.later(Duration::from_hours(1));
    desk.done(&server(), &expire(1));
    assert_eq!(desk.state(1).outcome().unwrap().ending, Ending::Answered(AnsweredBy::Person));
}

#[test]
fn whoever_is_first_wins_and_a_held_answer_that_lost_is_the_draft() {
    let withdraw = Command::Withdraw { ask: AskId(1), reason: None };
    let endings = [(agent(), withdraw), (person(), answer(1, "b"))];
    for (who, command) in endings {
        let mut desk = Desk::new();
        desk.done(&agent(), &one(1));
        desk.done(&person(), &hold(1, "a"));
        desk.done(&who, &command);
        let outcome = desk.state(1).outcome().unwrap().clone();
        let said = outcome.answers.0.iter().flat_map(|answer| &answer.picked).any(|id| id.as_str() == "a");
        assert!(!said, "what was held and lost is not told: {outcome:?}");
        assert_eq!(draft(&desk, 1), ["a"]);
        assert!(desk.view.ask(AskId(1)).unwrap().hearing.held.is_empty());
    }
}

/// The question itself was answered otherwise meanwhile: what was said for good stays on the sheet.
#[test]
fn a_held_answer_that_lost_replaces_nothing_that_was_answered_for_good() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&person(), &hold(1, "a"));
    desk.done(&person(), &Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("b") });
    assert_eq!((picked(&desk, 1), draft(&desk, 1)), (vec!["b".to_owned()], vec!["b".to_owned()]));
}

#[test]
fn nothing_is_held_that_could_not_be_answered() {
    let mut desk = Desk::new();
    desk.view.limits.shown_max = 1;
    desk.done(&agent(), &one(1));
    desk.done(&agent(), &one(2));
    assert_eq!(desk.tries(&person(), &hold(2, "a")), Err(Refusal::NotShowing));
    assert!(matches!(desk.tries(&person(), &hold(1, "c")), Err(Refusal::UnfitAnswer(_))));
    for nobody in [agent(), server()] {
        assert!(matches!(desk.tries(&nobody, &hold(1, "a")), Err(Refusal::Forbidden(_))));
    }
    let dialog = actor(Role::Person, "ann", Proof::AgentDialog);
    assert!(matches!(desk.tries(&dialog, &hold(1, "a")), Err(Refusal::Forbidden(_))));
    let mut desk = Desk::new();
    let grant = Terms { purpose: Purpose::Permission, ..Terms::default() };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::OneOf, &["a", "b"])], grant));
    let by_key = actor(Role::Person, "ann", Proof::KeyFile);
    assert!(matches!(desk.tries(&by_key, &hold(1, "a")), Err(Refusal::Forbidden(_))));
    let mut desk = Desk::new();
    let mut secret = question("q1", DraftKind::Text, &[]);
    secret.secret = Given::Value(true);
    desk.done(&agent(), &asking(1, vec![secret], Terms::default()));
    let typed = Entry { text: Some("hunter2".to_owned()), ..Entry::default() };
    let held = Command::Hold { ask: AskId(1), entries: vec![("q1".into(), typed)], grace: GRACE };
    assert!(matches!(desk.tries(&person(), &held), Err(Refusal::Forbidden(_))));
}

#[test]
fn of_several_people_each_holds_their_own_and_sees_only_that_others_do() {
    let mut desk = Desk::new();
    let people = Circle { people: vec!["ann".into(), "bob".into()], ..Circle::default() };
    let audience = Some(Audience { circle: people, quorum: 2, escalation: None });
    let terms = Terms { audience, ..Terms::default() };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::OneOf, &["a", "b"])], terms));
    let bob = actor(Role::Person, "bob", Proof::Cookie);
    desk.done(&person(), &hold(1, "a"));
    desk.later(Duration::from_secs(1));
    desk.done(&bob, &hold(1, "a"));
    let seen = desk.view.ask(AskId(1)).unwrap().seen_by(&"bob".into());
    assert!(seen.held_by(&"ann".into()).unwrap().entries.is_empty());
    assert!(!seen.held_by(&"bob".into()).unwrap().entries.is_empty());
    desk.later(Duration::from_secs(4));
    desk.done(&server(), &expire(1));
    assert_eq!(desk.state(1), &State::Showing, "bob's is still held");
    assert!(desk.view.ask(AskId(1)).unwrap().hearing.has_heard(&"ann".into()));
    desk.later(Duration::from_secs(1));
    desk.done(&server(), &expire(1));
    assert_eq!(desk.state(1).outcome().unwrap().agreed(), Some(true));
}

#[test]
fn what_is_no_answer_any_more_is_let_go_and_not_held_for_ever() {
    let mut desk = Desk::new();
    let two = ["q1", "q2"].map(|id| question(id, DraftKind::OneOf, &["a", "b"]));
    desk.done(&agent(), &asking(1, two.to_vec(), Terms::default()));
    let entries = ["q1", "q2"].map(|id| (id.into(), entry("a"))).to_vec();
    desk.done(&person(), &Command::Hold { ask: AskId(1), entries, grace: GRACE });
    let other = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("b") };
    desk.done(&person(), &other);
    desk.later(GRACE);
    desk.done(&server(), &expire(1));
    assert_eq!(desk.state(1), &State::Showing);
    assert!(desk.view.ask(AskId(1)).unwrap().hearing.held.is_empty());
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), None);
}
