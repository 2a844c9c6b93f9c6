//! Asks for several people: who may speak, when enough have, and what is then said of them.

use super::*;
use crate::audience::{Audience, Circle, Escalation, Group};
use crate::hearing::Quorum;
use crate::id::UserId;

fn circle(people: &[&str]) -> Circle {
    Circle { people: people.iter().map(|name| (*name).into()).collect(), ..Circle::default() }
}

fn audience(people: &[&str], quorum: u32) -> Terms {
    let audience = Audience { circle: circle(people), quorum, escalation: None };
    Terms { audience: Some(audience), ..Terms::default() }
}

fn escalating(people: &[&str], quorum: u32, after: u64, to: Circle) -> Terms {
    let escalation = Some(Escalation { after: Duration::from_secs(after), to });
    let audience = Audience { circle: circle(people), quorum, escalation };
    Terms { audience: Some(audience), ..Terms::default() }
}

fn asked_for(id: u128, terms: Terms) -> Command {
    asking(id, vec![question(&format!("q{id}"), DraftKind::OneOf, &["a", "b"])], terms)
}

fn some(name: &str) -> Actor {
    actor(Role::Person, name, Proof::Cookie)
}

fn no(id: u128) -> Command {
    Command::Decline { ask: AskId(id), reason: Some("not now".to_owned()) }
}

#[track_caller]
fn outcome(desk: &Desk, id: u128) -> Outcome {
    desk.state(id).outcome().expect("it has not ended").clone()
}

fn still(desk: &Desk, id: u128) -> Vec<String> {
    let ask = desk.view.ask(AskId(id)).unwrap();
    ask.still_to_answer().unwrap().into_iter().map(ToString::to_string).collect()
}

#[test]
fn an_ask_for_somebody_else_is_answered_by_them_and_by_nobody_else() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, audience(&["bob"], 1)));
    // Its owner looks on; for everybody else it is not there; an agent never answers.
    assert_eq!(
        desk.refused(&person(), &answer(1, "a")),
        "this question is for other people: they answer it, and you can watch"
    );
    assert_eq!(
        desk.refused(&person(), &no(1)),
        "this question is for other people: they answer it, and you can watch"
    );
    for command in [answer(1, "a"), no(1), Command::Save { ask: AskId(1), entries: Vec::new() }] {
        assert_eq!(desk.tries(&some("eve"), &command), Err(Refusal::AskNotFound));
        assert!(matches!(desk.tries(&agent(), &command), Err(Refusal::Forbidden(_))));
    }
    let bobs_agent = actor(Role::Agent, "bob", Proof::KeyFile);
    for command in
        [Command::Withdraw { ask: AskId(1), reason: None }, Command::Deliver { asks: vec![AskId(1)] }]
    {
        assert_eq!(desk.tries(&bobs_agent, &command), Err(Refusal::AskNotFound));
    }
    let done = desk.done(&some("bob"), &answer(1, "b"));
    assert!(matches!(&done.facts[..], [Fact::Heard { .. }, Fact::Closed { .. }]));
    let outcome = outcome(&desk, 1);
    assert_eq!((outcome.by.user.clone(), outcome.agreed()), (Some("bob".into()), None));
    assert_eq!(outcome.answers.to(&"q1".into()).unwrap().picked, ["b".into()]);
    desk.done(&agent(), &Command::Acknowledge { ask: AskId(1) });
}

#[test]
fn two_of_three_answer_and_it_says_who_still_has_to() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, audience(&["ann", "bob", "cy"], 2)));
    assert_eq!(still(&desk, 1), ["ann", "bob", "cy"]);
    let first = desk.done(&some("ann"), &answer(1, "a"));
    assert!(matches!(&first.facts[..], [Fact::Heard { .. }]));
    assert_eq!((still(&desk, 1), desk.state(1)), (vec!["bob".to_owned(), "cy".to_owned()], &State::Showing));
    // Nobody is counted twice, whatever they say the second time.
    for again in [answer(1, "a"), answer(1, "b"), no(1), Command::Save { ask: AskId(1), entries: Vec::new() }]
    {
        assert_eq!(desk.tries(&some("ann"), &again), Err(Refusal::AlreadyHeard));
    }
    desk.done(&some("cy"), &answer(1, "a"));
    let outcome = outcome(&desk, 1);
    assert_eq!((outcome.status(), outcome.agreed(), outcome.voices.len()), ("answered", Some(true), 2));
    assert_eq!(outcome.answers.to(&"q1".into()).unwrap().picked, ["a".into()]);
    assert!(matches!(desk.tries(&some("bob"), &answer(1, "b")), Err(Refusal::AlreadyClosed(_))));
}

#[test]
fn where_people_do_not_agree_no_answer_is_made_up() {
    let mut desk = Desk::new();
    let drafts = vec![
        question("same", DraftKind::OneOf, &["a", "b"]),
        question("other", DraftKind::OneOf, &["a", "b"]),
    ];
    desk.done(&agent(), &asking(1, drafts, audience(&["ann", "bob"], 2)));
    let say = |other: &str, note: &str| Command::Answer {
        ask: AskId(1),
        entries: vec![
            ("same".into(), Entry { note: Some(note.to_owned()), ..entry("a") }),
            ("other".into(), entry(other)),
        ],
    };
    desk.done(&some("ann"), &say("a", "mine"));
    desk.done(&some("bob"), &say("b", "his"));
    let outcome = outcome(&desk, 1);
    assert_eq!((outcome.status(), outcome.agreed()), ("answered", Some(false)));
    // What they agree on is there, without a remark that only one of them made.
    let answers = &outcome.answers;
    assert_eq!((answers.0.len(), answers.to(&"same".into()).unwrap().note.as_deref()), (1, None));
    let said: Vec<_> = outcome
        .voices
        .iter()
        .map(|voice| {
            (
                voice.user.as_str(),
                voice.answers.as_ref().unwrap().to(&"other".into()).unwrap().picked[0].as_str(),
            )
        })
        .collect();
    assert_eq!(said, [("ann", "a"), ("bob", "b")]);
}

#[test]
fn a_no_is_that_persons_and_ends_the_ask_when_too_few_are_left() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, audience(&["ann", "bob", "cy"], 2)));
    desk.done(&some("ann"), &no(1));
    assert_eq!((desk.state(1), still(&desk, 1)), (&State::Showing, vec!["bob".to_owned(), "cy".to_owned()]));
    desk.done(&some("bob"), &answer(1, "a"));
    desk.done(&some("cy"), &no(1));
    let ended = outcome(&desk, 1);
    assert_eq!(
        (ended.ending, ended.comment.as_deref(), ended.agreed()),
        (Ending::Declined, Some("not now"), None)
    );
    let said: Vec<_> =
        ended.voices.iter().map(|voice| (voice.user.as_str(), voice.answers.is_some())).collect();
    assert_eq!(said, [("ann", false), ("bob", true), ("cy", false)]);
    assert!(ended.answers.0.iter().all(|answer| answer.skipped));
    // One of a group that wants one answer: the other may still give it.
    desk.done(&agent(), &asked_for(2, audience(&["ann", "bob"], 1)));
    desk.done(&some("ann"), &no(2));
    desk.done(&some("bob"), &answer(2, "b"));
    assert_eq!(outcome(&desk, 2).status(), "answered");
    // Of anyone nobody knows how many there are: as many noes as answers were wanted.
    let anyone = Circle { anyone: true, ..Circle::default() };
    let terms = Terms {
        audience: Some(Audience { circle: anyone, quorum: 2, escalation: None }),
        ..Terms::default()
    };
    desk.done(&agent(), &asked_for(3, terms));
    assert_eq!(desk.view.ask(AskId(3)).unwrap().still_to_answer(), None);
    desk.done(&some("eve"), &no(3));
    assert!(desk.view.ask(AskId(3)).unwrap().is_open());
    desk.done(&some("ann"), &no(3));
    assert_eq!(outcome(&desk, 3).ending, Ending::Declined);
}

#[test]
fn each_person_has_a_sheet_of_their_own() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, audience(&["ann", "bob"], 2)));
    let save = |choice: &str| Command::Save { ask: AskId(1), entries: vec![("q1".into(), entry(choice))] };
    desk.done(&some("ann"), &save("a"));
    desk.done(&some("bob"), &save("b"));
    let picked = |desk: &Desk, who: &str| {
        let seen = desk.view.ask(AskId(1)).unwrap().seen_by(&who.into());
        assert!(seen.hearing.sheets.is_empty());
        seen.sheet().entry(&"q1".into()).map(|entry| entry.picked.clone())
    };
    assert_eq!(
        (picked(&desk, "ann"), picked(&desk, "bob")),
        (Some(vec!["a".into()]), Some(vec!["b".into()]))
    );
    assert_eq!(picked(&desk, "eve"), Some(Vec::new()));
    // One question at a time, each on their own sheet; what others typed is nobody's answer.
    let one = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("b") };
    desk.done(&some("ann"), &one);
    assert!(matches!(
        desk.tries(&some("ann"), &one),
        Err(Refusal::AlreadyHeard | Refusal::AlreadyAnswered(_))
    ));
    desk.done(&agent(), &Command::Withdraw { ask: AskId(1), reason: None });
    let ended = outcome(&desk, 1);
    assert!(ended.answers.0.iter().all(|answer| answer.skipped) && ended.voices.len() == 1);
}

#[test]
fn after_a_time_others_are_shown_it_too_once() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, escalating(&["ann"], 1, 60, circle(&["bob"]))));
    let escalate = Command::Escalate { ask: AskId(1) };
    assert_eq!(desk.tries(&server(), &escalate), Err(Refusal::TooEarly));
    assert_eq!(desk.tries(&some("bob"), &answer(1, "a")), Err(Refusal::AskNotFound));
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), Some(desk.now.after(Duration::from_mins(1))));
    desk.later(Duration::from_mins(1));
    assert!(matches!(desk.tries(&person(), &escalate), Err(Refusal::Forbidden(_))));
    let facts = desk.done(&server(), &escalate).facts;
    assert_eq!(facts, [Fact::Escalated { ask: AskId(1) }]);
    assert_eq!(desk.tries(&server(), &escalate), Err(Refusal::TooEarly));
    assert_eq!(desk.view.ask(AskId(1)).unwrap().next_alarm(), None);
    assert_eq!(still(&desk, 1), ["ann", "bob"]);
    desk.done(&some("bob"), &answer(1, "a"));
    assert_eq!(outcome(&desk, 1).by.user, Some("bob".into()));
    // Whoever said no before the others came in does not end it for them.
    desk.done(&agent(), &asked_for(2, escalating(&["ann"], 1, 60, circle(&["bob"]))));
    desk.done(&some("ann"), &no(2));
    assert!(desk.view.ask(AskId(2)).unwrap().is_open());
}

#[test]
fn a_permission_of_several_is_granted_by_cookie_or_terminal_only() {
    let mut desk = Desk::new();
    let terms = Terms { purpose: Purpose::Permission, ..audience(&["ann", "bob"], 2) };
    desk.done(&agent(), &asked_for(1, terms));
    desk.done(&some("ann"), &answer(1, "a"));
    for proof in Proof::ALL.into_iter().filter(|proof| !proof.may_grant()) {
        let bob = actor(Role::Person, "bob", proof);
        assert!(matches!(desk.tries(&bob, &answer(1, "a")), Err(Refusal::Forbidden(_))), "{proof:?}");
    }
    desk.done(&actor(Role::Person, "bob", Proof::Terminal), &answer(1, "a"));
    assert_eq!(outcome(&desk, 1).agreed(), Some(true));
}

#[test]
fn a_rule_speaks_for_whoever_wrote_it_alone() {
    let mut desk = Desk::new();
    desk.done(&agent(), &asked_for(1, audience(&["bob"], 1)));
    let rule = Command::AnswerByRule {
        ask: AskId(1),
        entries: vec![("q1".into(), entry("a"))],
        rule: None,
        reach: crate::command::RuleReach::ConfirmedBy("ann".into()),
    };
    assert!(matches!(desk.tries(&server(), &rule), Err(Refusal::Forbidden(_))));
}

#[test]
fn what_nobody_could_answer_is_not_asked_and_the_same_words_to_another_are_another_ask() {
    let mut desk = Desk::new();
    let empty =
        Circle { groups: vec![Group { name: "ops".to_owned(), members: Vec::new() }], ..Circle::default() };
    let terms =
        Terms { audience: Some(Audience { circle: empty, quorum: 1, escalation: None }), ..Terms::default() };
    assert_eq!(
        desk.refused(&agent(), &asked_for(1, terms)),
        "the questions do not fit: for: has nobody who could answer"
    );
    assert!(desk.refused(&agent(), &asked_for(1, audience(&["ann"], 2))).contains("for.quorum"));
    desk.done(&agent(), &same_words(1, audience(&["ann"], 1)));
    assert!(!desk.done(&agent(), &same_words(2, audience(&["bob"], 1))).joined);
    assert!(desk.done(&agent(), &same_words(3, audience(&["bob"], 1))).joined);
}

#[test]
fn an_ask_for_others_is_taken_up_again_by_them_with_everything_still_to_be_said() {
    let mut desk = Desk::new();
    let terms =
        Terms { timeout: Some(Duration::from_secs(30)), ..escalating(&["bob"], 1, 10, circle(&["cy"])) };
    desk.done(&agent(), &asked_for(1, terms));
    desk.later(Duration::from_secs(10));
    desk.done(&server(), &Command::Escalate { ask: AskId(1) });
    desk.done(&some("cy"), &no(1));
    desk.later(Duration::from_secs(20));
    desk.done(&server(), &Command::Expire { ask: AskId(1) });
    assert_eq!(outcome(&desk, 1).voices.len(), 1);
    desk.done(&some("bob"), &Command::Reopen { ask: AskId(1), as_new: AskId(2) });
    let anew = desk.view.ask(AskId(2)).unwrap();
    assert_eq!((anew.hearing.voices.len(), anew.hearing.escalated_at), (0, None));
    assert_eq!(still(&desk, 2), ["bob"]);
}

/// Invariant 5: what was marked does not go before what somebody said, though more were wanted.
#[test]
fn a_default_is_not_put_in_the_place_of_what_somebody_said() {
    let marked = || {
        let mut draft = question("q1", DraftKind::OneOf, &["a", "b"]);
        if let Given::Value(choices) = &mut draft.choices {
            choices[1].default = true;
        }
        let audience = audience(&["ann", "bob", "cy"], 2).audience;
        let terms = Terms { audience, ..timed(TimeoutPolicy::Default) };
        let mut desk = Desk::new();
        let mut second = question("second", DraftKind::OneOf, &["a", "b"]);
        second.required = Given::Value(false);
        desk.done(&agent(), &asking(1, vec![draft, second], terms));
        desk
    };
    let expired = |mut desk: Desk| {
        desk.later(Duration::from_mins(1));
        desk.done(&server(), &Command::Expire { ask: AskId(1) });
        outcome(&desk, 1)
    };
    assert_eq!(expired(marked()).answered_by(), Some("default"), "nobody said anything");
    let mut said = marked();
    said.done(&some("ann"), &answer(1, "a"));
    let ended = expired(said);
    assert_eq!((ended.status(), ended.voices.len()), ("timeout", 1));
    let mut begun = marked();
    begun.done(&some("ann"), &Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") });
    assert_eq!(expired(begun).status(), "timeout");
}

proptest! {
    /// Any people doing anything in any order: one outcome, one voice a person, never an agent's, and
    /// answered exactly when as many different people have answered as were wanted.
    #[test]
    fn any_order_of_people_keeps_the_rules(
        quorum in 1_u32..4,
        anyone in prop::bool::weighted(0.2),
        deeds in prop::collection::vec((0_u8..8, 0_usize..5, 0_u64..30), 1..40),
    ) {
        let mut desk = Desk::new();
        let mut terms = escalating(&["ann", "bob", "cy"], quorum, 60, circle(&["dan"]));
        terms.audience.as_mut().unwrap().circle.anyone = anyone;
        terms.timeout = Some(Duration::from_secs(200));
        desk.done(&agent(), &asked_for(1, terms));
        let mut n_closed = 0;
        for (what, who, wait) in deeds {
            desk.later(Duration::from_secs(wait));
            let name = ["ann", "bob", "cy", "dan", "eve"][who];
            let ask = AskId(1);
            let (actor, command) = match what {
                0 => (some(name), answer(1, "a")),
                1 => (some(name), answer(1, "b")),
                2 => (some(name), no(1)),
                3 => (some(name), Command::Save { ask, entries: vec![("q1".into(), entry("a"))] }),
                4 => (actor(Role::Agent, name, Proof::KeyFile), answer(1, "a")),
                5 => (actor(Role::Agent, name, Proof::KeyFile), no(1)),
                6 => (server(), Command::Escalate { ask }),
                _ => (server(), Command::Expire { ask }),
            };
            let was_for = desk.view.ask(ask).unwrap().is_for(&name.into());
            let had = desk.state(1).outcome().cloned();
            let result = desk.tries(&actor, &command);
            let facts: Vec<&Fact> = result.iter().flat_map(|decision| &decision.facts).collect();
            let heard = facts.iter().any(|fact| matches!(fact, Fact::Heard { .. }));
            prop_assert!(!heard || (actor.role == Role::Person && was_for));
            n_closed += facts.iter().filter(|fact| matches!(fact, Fact::Closed { .. })).count();
            prop_assert!(n_closed <= 1);
            if had.is_some() {
                prop_assert_eq!(had.as_ref(), desk.state(1).outcome());
            }
            let asked = desk.view.ask(ask).unwrap();
            let mut speakers: Vec<&UserId> = asked.hearing.voices.iter().map(|voice| &voice.user).collect();
            speakers.sort();
            speakers.dedup();
            prop_assert_eq!(speakers.len(), asked.hearing.voices.len());
            let wanted = usize::try_from(quorum).unwrap();
            match asked.state.outcome().map(|outcome| outcome.ending) {
                None => prop_assert_eq!(asked.quorum(), Quorum::Open),
                Some(Ending::Answered(by)) => {
                    prop_assert_eq!(by, AnsweredBy::Person);
                    prop_assert_eq!(asked.hearing.n_answered(), wanted);
                }
                Some(Ending::Declined) => prop_assert!(asked.hearing.n_answered() < wanted),
                Some(_) => {}
            }
            if let Some(outcome) = asked.state.outcome() {
                prop_assert_eq!(&outcome.voices, &asked.hearing.voices);
            }
        }
    }
}
