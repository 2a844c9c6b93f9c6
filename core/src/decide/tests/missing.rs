//! What was decided while its asker was away: told once, to that asker, and to nobody else.

use super::*;
use crate::id::KeyId;

/// A session that we made, with the ask 1 in it.
fn asked(purpose: Purpose) -> Desk {
    let mut desk = Desk { view: View::default(), now: Timestamp(1_000) };
    let opens = Command::OpenSession {
        session: SessionId(1),
        external_id: None,
        origin: Origin::Derived,
        total_rounds: None,
        timing: Timing::default(),
    };
    desk.done(&agent(), &opens);
    desk.done(&agent(), &by_known(1, purpose));
    desk
}

fn by_known(id: u128, purpose: Purpose) -> Command {
    let terms = Terms { purpose, tool_use: Some(format!("call {id}")), ..Terms::default() };
    let Command::Ask(mut new) = same_words(id, terms) else { unreachable!() };
    new.known_by = KnownBy::Place;
    Command::Ask(new)
}

/// Asks again, with in view what a store puts there; returns which ask it is.
fn again(desk: &mut Desk, who: &Actor, command: &Command) -> u128 {
    let closed = |ask: &&Arc<Ask>| matches!(ask.state, State::Closed(_));
    desk.view.missed = desk.view.asks.iter().filter(closed).cloned().collect();
    let decided = desk.tries(who, command).unwrap();
    desk.view.missed.clear();
    decided.ask.unwrap().0
}

#[test]
fn an_answer_that_was_missed_is_told_to_its_asker_once() {
    let mut desk = asked(Purpose::Decision);
    desk.answered(1, "a");
    desk.later(Duration::from_mins(59));
    assert_eq!(again(&mut desk, &agent(), &by_known(2, Purpose::Decision)), 1);
    assert_eq!(again(&mut desk, &agent(), &by_known(3, Purpose::Decision)), 1, "it did not arrive");
    desk.done(&agent(), &Command::Deliver { asks: vec![AskId(1)] });
    assert_eq!(again(&mut desk, &agent(), &by_known(4, Purpose::Decision)), 4, "that is a new round");
}

#[test]
fn a_no_that_was_missed_is_told_and_silence_is_not() {
    let decline = Command::Decline { ask: AskId(1), reason: None };
    let withdraw = Command::Withdraw { ask: AskId(1), reason: None };
    for (who, ends, expected) in [(person(), decline, 1), (agent(), withdraw, 2)] {
        let mut desk = asked(Purpose::Decision);
        desk.done(&who, &ends);
        assert_eq!(again(&mut desk, &agent(), &by_known(2, Purpose::Decision)), expected, "{ends:?}");
    }
}

#[test]
fn nothing_is_told_to_another_key_nor_after_an_hour_nor_to_nobody_in_particular() {
    let nobody = same_words(2, Terms::default());
    let other = Actor { key: Some(KeyId(7)), ..agent() };
    for (who, command, wait) in [
        (other, by_known(2, Purpose::Decision), Duration::ZERO),
        (agent(), by_known(2, Purpose::Decision), Duration::from_hours(1)),
        (agent(), nobody, Duration::ZERO),
    ] {
        let mut desk = asked(Purpose::Decision);
        desk.answered(1, "a");
        // The session is in use all along.
        desk.view.limits.session_idle = Duration::from_hours(9);
        desk.later(wait);
        assert_eq!(again(&mut desk, &who, &command), 2, "{command:?}");
    }
}

/// Of an agent that names no place only its program is known: another of the same kind may come by.
#[test]
fn an_asker_without_a_place_is_told_for_five_minutes() {
    for (wait, expected) in [(Duration::from_mins(4), 1), (Duration::from_mins(5), 2)] {
        let mut desk = asked(Purpose::Decision);
        desk.answered(1, "a");
        desk.later(wait);
        let Command::Ask(mut new) = by_known(2, Purpose::Decision) else { unreachable!() };
        new.known_by = KnownBy::Program;
        assert_eq!(again(&mut desk, &agent(), &Command::Ask(new)), expected, "after {wait:?}");
    }
}

/// What was granted then is not granted now.
#[test]
fn a_permission_is_never_told_again() {
    let mut desk = asked(Purpose::Permission);
    desk.answered(1, "a");
    assert_eq!(again(&mut desk, &agent(), &by_known(2, Purpose::Permission)), 2);
}

#[test]
fn what_was_taken_up_again_is_not_told_as_it_ended_before() {
    let mut desk = asked(Purpose::Decision);
    desk.done(&person(), &Command::Decline { ask: AskId(1), reason: None });
    desk.done(&person(), &Command::Reopen { ask: AskId(1), as_new: AskId(2) });
    assert_eq!(again(&mut desk, &agent(), &by_known(3, Purpose::Decision)), 3, "another call waits for it");
    desk.done(&agent(), &Command::Withdraw { ask: AskId(2), reason: None });
    desk.done(&agent(), &Command::Withdraw { ask: AskId(3), reason: None });
    assert_eq!(again(&mut desk, &agent(), &by_known(4, Purpose::Decision)), 4);
}
