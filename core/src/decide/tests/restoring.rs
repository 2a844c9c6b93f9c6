//! Going on from an earlier point (D13), and what an id stands for (P9).

use super::*;

/// A desk that restores another, as a store would load it.
fn restoring(desk: &Desk) -> Desk {
    let mut view = View { limits: desk.view.limits, ..View::default() };
    let session = desk.view.session.clone().unwrap();
    view.restoring = Some(Restoring { session, at_work: false });
    view.asks = desk.view.asks.iter().filter(|ask| ask.is_open()).cloned().collect();
    Desk { view, now: desk.now }
}

fn restore(desk: &Desk, asks: &[Arc<Ask>]) -> Command {
    let asks = asks.iter().map(|ask| (AskId(ask.id.0 + 100), Arc::clone(ask))).collect();
    let (session, from) = (SessionId(9), desk.view.session.as_ref().unwrap().id);
    Command::Restore { session, from, to: Some(desk.now), asks, reason: "wrong turn".to_owned() }
}

/// D13: whoever waits for an ask notices nothing.
#[test]
fn d13_what_is_open_moves_with_its_id_and_its_sheet() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&agent(), &one(2));
    desk.done(&person(), &Command::Save { ask: AskId(2), entries: vec![("q2".into(), entry("b"))] });
    let mut branch = restoring(&desk);
    let command = restore(&desk, &desk.view.asks);
    assert!(matches!(branch.tries(&agent(), &command), Err(Refusal::Forbidden(_))));
    let stranger = actor(Role::Person, "bob", Proof::Cookie);
    assert!(matches!(branch.tries(&stranger, &command), Err(Refusal::SessionNotFound)));
    let done = branch.done(&person(), &command);
    assert!(done.facts.iter().all(|fact| !matches!(fact, Fact::Closed { .. } | Fact::Asked(_))));
    let (from, to) = (SessionId(1), SessionId(9));
    assert!(done.facts.contains(&Fact::Moved { ask: AskId(1), from, to }));
    assert!(done.facts.contains(&Fact::SessionEnded { session: from, status: SessionStatus::Completed }));
    let session = branch.view.session.as_ref().unwrap();
    assert_eq!(
        (session.origin, session.round, session.status),
        (Origin::Restored(from), 2, SessionStatus::Active)
    );
    assert_eq!(session.external_id, desk.view.session.as_ref().unwrap().external_id);
    assert_eq!(session.restore_reason.as_deref(), Some("wrong turn"));
    let moved = branch.view.ask(AskId(2)).unwrap();
    assert_eq!((moved.session, &moved.state, moved.round), (to, &State::Showing, 2));
    assert_eq!(moved.sheet().entry(&"q2".into()).unwrap().picked, ["b".into()]);
}

#[test]
fn d13_what_has_ended_since_is_asked_anew_and_rounds_go_on_after_it() {
    let mut desk = Desk::new();
    for id in 1..=3 {
        desk.done(&agent(), &same_words(id, Terms { tool_use: Some(id.to_string()), ..Terms::default() }));
    }
    let then: Vec<Arc<Ask>> = desk.view.asks.clone();
    desk.answered(1, "a");
    let mut branch = restoring(&desk);
    branch.done(&person(), &restore(&desk, &then));
    let anew = branch.view.ask(AskId(101)).unwrap();
    assert_eq!((anew.reopens, anew.round, &anew.state), (Some(AskId(1)), 1, &State::Showing));
    branch.view.restoring = None;
    let terms = Terms { tool_use: Some("4".to_owned()), ..Terms::default() };
    let Command::Ask(mut next) = same_words(4, terms) else { unreachable!() };
    next.session = SessionId(9);
    branch.done(&agent(), &Command::Ask(next));
    let ids: Vec<&str> = branch.view.open().map(|ask| ask.questions.top()[0].id.as_str()).collect();
    assert_eq!(ids, ["r2q1", "r3q1", "r1q1", "r4q1"]);
}

#[test]
fn d13_a_session_in_which_a_task_is_at_work_is_not_restored() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let mut branch = restoring(&desk);
    branch.view.restoring.as_mut().unwrap().at_work = true;
    let refused = branch.tries(&person(), &restore(&desk, &desk.view.asks));
    assert!(matches!(refused, Err(Refusal::SessionInUse)));
}

#[test]
fn p9_an_id_that_had_its_answer_is_taken_for_good() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.answered(1, "a");
    desk.view.taken = vec!["q1".into()];
    let again = Command::Ask(Box::new(NewAsk { id: AskId(2), ..new_ask(&one(1)) }));
    assert!(
        matches!(desk.tries(&agent(), &again), Err(Refusal::DuplicateQuestionId(id)) if id == "q1".into())
    );
    // Only for this ask, it may be used again.
    let mut here = new_ask(&again);
    here.questions = here.questions.named_here();
    desk.done(&agent(), &Command::Ask(Box::new(here)));
}

/// P9: nobody answers a question by an id that two have.
#[test]
fn p9_an_id_that_two_open_questions_have_answers_neither() {
    let mut desk = Desk::new();
    for (id, label) in [(1, "a"), (2, "b")] {
        let drafts = vec![question("deploy", DraftKind::OneOf, &[label, "c"])];
        let mut new = new_ask(&asking(id, drafts, Terms::default()));
        new.questions = new.questions.named_here();
        new.fingerprint = digest(&new);
        desk.done(&agent(), &Command::Ask(Box::new(new)));
    }
    let by_id = Command::AnswerOne { ask: None, question: "deploy".into(), entry: entry("c") };
    assert!(matches!(desk.tries(&person(), &by_id), Err(Refusal::AmbiguousQuestionId(_))));
    desk.done(&person(), &Command::Answer { ask: AskId(1), entries: vec![("deploy".into(), entry("c"))] });
    desk.done(&person(), &by_id);
}

fn new_ask(command: &Command) -> NewAsk {
    let Command::Ask(new) = command else { unreachable!() };
    NewAsk::clone(new)
}

/// What was a secret is not filled in when it is asked anew (P13).
#[test]
fn p13_a_secret_is_not_carried_over() {
    let mut desk = Desk::new();
    let mut secret = question("s", DraftKind::OneOf, &["a", "b"]);
    secret.secret = Given::Value(true);
    let drafts = vec![question("t", DraftKind::OneOf, &["a", "b"]), secret];
    desk.done(&agent(), &asking(1, drafts, Terms::default()));
    desk.done(&person(), &Command::AnswerOne { ask: None, question: "t".into(), entry: entry("a") });
    let ask = Arc::make_mut(&mut desk.view.asks[0]);
    ask.entries.push(("s".into(), entry("b")));
    desk.done(&person(), &Command::Decline { ask: AskId(1), reason: None });
    desk.done(&person(), &Command::Reopen { ask: AskId(1), as_new: AskId(2) });
    let anew = desk.view.ask(AskId(2)).unwrap();
    assert_eq!(anew.entries, [("t".into(), entry("a"))]);
}
