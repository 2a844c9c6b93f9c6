//! Rules of the person: who may use them, and what they may not answer.

use super::*;
use crate::command::RuleReach;

fn by_rule(id: u128, choice: &str, reach: RuleReach) -> Command {
    let entries = vec![(format!("q{id}").as_str().into(), entry(choice))];
    Command::AnswerByRule { ask: AskId(id), entries, rule: Some("rule: usual".to_owned()), reach }
}

fn confirmed_by(person: &str) -> RuleReach {
    RuleReach::ConfirmedBy(person.into())
}

#[test]
fn only_the_server_answers_by_a_rule_and_the_outcome_says_so() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    for actor in [agent(), person()] {
        let refused = desk.tries(&actor, &by_rule(1, "a", confirmed_by("ann")));
        assert!(matches!(refused, Err(Refusal::Forbidden(_))), "{actor:?}");
    }
    assert!(matches!(
        desk.tries(&server(), &by_rule(1, "z", RuleReach::Decisions)),
        Err(Refusal::UnfitAnswer(_))
    ));
    desk.done(&server(), &by_rule(1, "a", RuleReach::Decisions));
    let outcome = desk.state(1).outcome().unwrap().clone();
    assert_eq!(outcome.ending, Ending::Answered(AnsweredBy::Rule));
    assert_eq!((outcome.by.proof, outcome.by.user), (Proof::Rule, None));
    assert_eq!(outcome.comment.as_deref(), Some("rule: usual"));
    let again = desk.tries(&server(), &by_rule(1, "a", RuleReach::Decisions));
    assert!(matches!(again, Err(Refusal::AlreadyClosed(_))));
}

#[test]
fn a_rule_that_its_person_did_not_confirm_grants_no_permission() {
    let mut desk = Desk::new();
    let terms = Terms { purpose: Purpose::Permission, ..Terms::default() };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::OneOf, &["a", "b"])], terms));
    for reach in [RuleReach::Decisions, confirmed_by("ben")] {
        let refused = desk.tries(&server(), &by_rule(1, "a", reach));
        assert!(matches!(refused, Err(Refusal::Forbidden(_))));
    }
    desk.done(&server(), &by_rule(1, "a", confirmed_by("ann")));
    assert_eq!(desk.state(1).outcome().unwrap().answered_by(), Some("rule"));
}

#[test]
fn an_ask_that_is_taken_back_says_why() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let reason = Some("answered in the agent's own dialog".to_owned());
    desk.done(&agent(), &Command::Withdraw { ask: AskId(1), reason: reason.clone() });
    let outcome = desk.state(1).outcome().unwrap();
    assert_eq!((outcome.ending, &outcome.comment), (Ending::Withdrawn, &reason));
}
