//! When an ask ends by itself, and what happens then.

use super::*;

#[test]
fn an_ask_never_expires_early_and_ends_once() {
    let mut desk = Desk::new();
    desk.done(
        &agent(),
        &asking(1, vec![question("q1", DraftKind::OneOf, &["a"])], timed(TimeoutPolicy::Cancel)),
    );
    desk.done(&agent(), &one(2));
    let expire = Command::Expire { ask: AskId(1) };
    desk.later(Duration::from_millis(59_999));
    assert_eq!(desk.refused(&server(), &expire), "the deadline has not passed");
    desk.later(Duration::from_millis(1));
    // At the very moment of the deadline an answer may still be first, and then it wins.
    let mut other = Desk { view: desk.view.clone(), now: desk.now };
    other.done(&person(), &answer(1, "a"));
    assert!(other.tries(&server(), &expire).is_err());
    desk.done(&server(), &expire);
    assert!(matches!(desk.tries(&server(), &expire), Err(Refusal::AlreadyClosed(_))));
    assert!(matches!(desk.tries(&person(), &answer(1, "a")), Err(Refusal::AlreadyClosed(_))));
    // Without a deadline an ask waits for ever.
    desk.later(Duration::from_hours(100_000));
    assert_eq!(desk.refused(&server(), &Command::Expire { ask: AskId(2) }), "the deadline has not passed");
}

#[track_caller]
fn expired(policy: TimeoutPolicy, marked: bool, cancel_status: CancelStatus) -> String {
    let mut desk = Desk::new();
    let mut draft = question("q1", DraftKind::OneOf, &["a", "b"]);
    if let Given::Value(choices) = &mut draft.choices {
        choices[1].default = marked;
    }
    desk.done(&agent(), &asking(1, vec![draft], Terms { cancel_status, ..timed(policy) }));
    // What a person has put down is not their answer.
    desk.done(&person(), &Command::Save { ask: AskId(1), entries: vec![("q1".into(), entry("a"))] });
    desk.later(Duration::from_mins(1));
    desk.done(&server(), &Command::Expire { ask: AskId(1) });
    let State::Closed(outcome) = desk.state(1) else { panic!("open") };
    let abort = matches!(outcome.ending, Ending::Expired { abort: true, .. });
    let picked = outcome.answers.0[0].picked.first().map_or("-", |id| id.as_str());
    format!("{} {} {:?} {picked} {abort}", outcome.status(), outcome.reason(), outcome.answered_by())
}

/// O9, O3: at the deadline the asker's rule holds, and what was put down is told apart.
#[test]
fn o9_at_the_deadline_the_askers_rule_holds_and_nobody_is_spoken_for() {
    use CancelStatus::{Cancelled, Timeout};
    assert_eq!(expired(TimeoutPolicy::Cancel, true, Timeout), "timeout timeout None a false");
    assert_eq!(expired(TimeoutPolicy::Cancel, true, Cancelled), "cancelled timeout None a false");
    assert_eq!(expired(TimeoutPolicy::Abort, true, Timeout), "timeout timeout None a true");
    assert_eq!(expired(TimeoutPolicy::Default, true, Timeout), "answered timeout Some(\"default\") b false");
    assert_eq!(expired(TimeoutPolicy::Default, false, Timeout), "timeout timeout None a false");
}

/// O3, O6: what the ask says goes before what its session says, and that before the desk's configuration.
#[test]
fn o6_a_deadline_is_the_asks_own_else_its_sessions_else_the_desks() {
    let timing = |secs, policy| Timing { timeout: Some(Duration::from_secs(secs)), policy };
    let after = |terms: Terms, session: Timing, otherwise: Timing| {
        let mut desk = Desk::new();
        desk.view.session.as_mut().map(Arc::make_mut).unwrap().timing = session;
        let Command::Ask(mut new) = asking(1, vec![question("q1", DraftKind::OneOf, &["a"])], terms) else {
            unreachable!()
        };
        new.otherwise = otherwise;
        desk.done(&agent(), &Command::Ask(new));
        let ask = desk.view.ask(AskId(1)).unwrap();
        assert_eq!(ask.deadline, ask.terms.timeout.map(|timeout| desk.now.after(timeout)));
        ask.terms.timing()
    };
    let (abort, default) = (Some(TimeoutPolicy::Abort), Some(TimeoutPolicy::Default));
    let none = Timing::default();
    assert_eq!(after(Terms::default(), none, none), none);
    assert_eq!(after(Terms::default(), none, timing(3, abort)), timing(3, abort));
    assert_eq!(after(Terms::default(), timing(2, None), timing(3, abort)), timing(2, abort));
    let own = Terms { timeout: Some(Duration::from_secs(1)), ..Terms::default() };
    assert_eq!(after(own, timing(2, default), timing(3, abort)), timing(1, default));
}

#[test]
fn a_late_answer_is_kept_where_the_asker_wants_it_and_the_outcome_stays() {
    let mut desk = Desk::new();
    let terms = Terms { late: Late::Keep, ..timed(TimeoutPolicy::Cancel) };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::OneOf, &["a"])], terms));
    desk.later(Duration::from_mins(1));
    desk.done(&server(), &Command::Expire { ask: AskId(1) });
    desk.done(&person(), &answer(1, "a"));
    assert_eq!(desk.state(1).status(), "timeout");
    assert!(desk.view.ask(AskId(1)).unwrap().late.is_some());
    assert!(matches!(desk.tries(&person(), &answer(1, "a")), Err(Refusal::AlreadyClosed(_))));
}
