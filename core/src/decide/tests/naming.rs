//! The same name is not the same question, another key is another agent, and a secret is its asker's.

use super::*;
use crate::id::KeyId;

/// A name that an asker gives to an ask.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Name {
    Key,
    Call,
    Event,
}

const NAMES: [Name; 3] = [Name::Key, Name::Call, Name::Event];

fn with_key(number: u128) -> Actor {
    Actor { key: Some(KeyId(number)), ..agent() }
}

/// Asks to be allowed to run something, or what to do about it.
fn about(id: u128, what: &str, purpose: Purpose, name: Name) -> Command {
    let given = |wanted| (name == wanted).then(|| "n".to_owned());
    let terms = Terms {
        purpose,
        context: Some(what.to_owned()),
        idempotency_key: given(Name::Key),
        tool_use: given(Name::Call),
        event: given(Name::Event),
        ..Terms::default()
    };
    same_words(id, terms)
}

/// Puts into view what a store would.
fn tries(desk: &mut Desk, who: &Actor, command: &Command) -> Result<Decision, Refusal> {
    if let Command::Ask(new) = command {
        let keyed = |ask: &&Arc<Ask>| {
            new.terms.idempotency_key.is_some() && ask.terms.idempotency_key == new.terms.idempotency_key
        };
        desk.view.same_key = desk.view.asks.iter().rev().find(keyed).cloned();
    }
    desk.tries(who, command)
}

#[test]
fn a_repeated_name_for_another_question_is_refused_and_says_whose_it_is() {
    for (name, called) in NAMES.into_iter().zip(["idempotency key", "tool call id", "event id"]) {
        for purpose in [Purpose::Decision, Purpose::Permission] {
            let mut desk = Desk::new();
            desk.done(&agent(), &about(1, "echo hello", purpose, name));
            let other = tries(&mut desk, &agent(), &about(2, "rm -rf /home", purpose, name));
            assert_eq!(other, Err(Refusal::Conflict { name: called, ask: AskId(1) }));
            let equal = tries(&mut desk, &agent(), &about(3, "echo hello", purpose, name)).unwrap();
            assert_eq!((equal.ask, equal.joined), (Some(AskId(1)), true));
        }
        // What grants something is no other question, whatever the words.
        let mut desk = Desk::new();
        desk.done(&agent(), &about(1, "echo hello", Purpose::Decision, name));
        let grants = tries(&mut desk, &agent(), &about(2, "echo hello", Purpose::Permission, name));
        assert_eq!(grants, Err(Refusal::Conflict { name: called, ask: AskId(1) }));
    }
}

#[test]
fn words_that_are_open_do_not_excuse_the_name_of_another_ask() {
    let mut desk = Desk::new();
    desk.done(&agent(), &about(1, "echo hello", Purpose::Decision, Name::Key));
    desk.done(&agent(), &about(2, "make", Purpose::Decision, Name::Event));
    let other = tries(&mut desk, &agent(), &about(3, "make", Purpose::Decision, Name::Key));
    assert_eq!(other, Err(Refusal::Conflict { name: "idempotency key", ask: AskId(1) }));
}

#[test]
fn p9_a_taken_question_id_is_told_before_a_taken_name() {
    let keyed = |id, text: &str| {
        let mut draft = question("q", DraftKind::OneOf, &["a", "b"]);
        draft.text = Given::Value(text.to_owned());
        asking(id, vec![draft], Terms { idempotency_key: Some("n".into()), ..Terms::default() })
    };
    let mut desk = Desk::new();
    desk.done(&agent(), &keyed(1, "Deploy?"));
    let refused = tries(&mut desk, &agent(), &keyed(2, "Delete everything?"));
    assert_eq!(refused, Err(Refusal::DuplicateQuestionId("q".into())));
}

#[test]
fn a_permission_is_never_joined_by_another_key_nor_after_it_ended() {
    for name in NAMES {
        let mut desk = Desk::new();
        let ask = |id| about(id, "make", Purpose::Permission, name);
        desk.done(&with_key(1), &ask(1));
        assert_eq!(tries(&mut desk, &with_key(1), &ask(2)).unwrap().ask, Some(AskId(1)));
        assert!(!tries(&mut desk, &with_key(2), &ask(3)).unwrap().joined, "another key");
        let yes = Command::Answer { ask: AskId(1), entries: vec![("r1q1".into(), entry("a"))] };
        desk.done(&person(), &yes);
        let decided = tries(&mut desk, &with_key(1), &ask(4)).unwrap();
        assert_ne!(decided.ask, Some(AskId(1)), "an old answer");
    }
}

#[test]
fn an_agent_takes_back_and_acknowledges_only_what_it_asked_itself() {
    let mut desk = Desk::new();
    desk.done(&with_key(1), &one(1));
    let withdraw = Command::Withdraw { ask: AskId(1), reason: None };
    assert!(matches!(desk.tries(&with_key(2), &withdraw), Err(Refusal::Forbidden(_))));
    assert!(matches!(desk.tries(&agent(), &withdraw), Err(Refusal::Forbidden(_))));
    desk.answered(1, "a");
    let seen = desk.done(&with_key(2), &Command::Deliver { asks: vec![AskId(1)] });
    assert!(seen.facts.is_empty(), "another key that looks has not told the asker");
    let acknowledge = Command::Acknowledge { ask: AskId(1) };
    assert!(matches!(desk.tries(&with_key(2), &acknowledge), Err(Refusal::Forbidden(_))));
    desk.done(&with_key(1), &acknowledge);
    assert_eq!(desk.state(1).status(), "completed");
}

#[test]
fn a_half_filled_sheet_keeps_no_secret() {
    let mut secret = question("pw", DraftKind::Text, &[]);
    secret.secret = Given::Value(true);
    let mut desk = Desk::new();
    desk.done(
        &agent(),
        &asking(1, vec![question("q", DraftKind::OneOf, &["a", "b"]), secret], Terms::default()),
    );
    let typed = Entry { text: Some("hunter2".to_owned()), ..Entry::default() };
    let entries = vec![("q".into(), entry("a")), ("pw".into(), typed)];
    let saved = desk.done(&person(), &Command::Save { ask: AskId(1), entries: entries.clone() });
    assert!(!format!("{:?}", saved.facts).contains("hunter2"));
    assert_eq!(desk.view.ask(AskId(1)).unwrap().entries.len(), 1);
    // What is answered is, and goes to whoever asked.
    let answered = desk.done(&person(), &Command::Answer { ask: AskId(1), entries });
    assert!(format!("{:?}", answered.facts).contains("hunter2"));
}

#[test]
fn what_comes_through_the_agents_own_dialog_is_not_the_persons_answer() {
    let by = By::new(Some("ann".into()), Channel::AgentDialog, Proof::AgentDialog);
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&Actor { by, ..person() }, &answer(1, "a"));
    let outcome = desk.state(1).outcome().cloned().unwrap();
    assert_eq!((outcome.answered_by(), outcome.reason()), (Some("agent_dialog"), "user"));
}

/// One try of somebody to ask something under some name.
fn any_try() -> impl Strategy<Value = (u128, u8, bool, usize)> {
    (0_u128..3, 0_u8..3, any::<bool>(), 0_usize..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any asks under the same names, any answers between them: an outcome is only ever that of an ask with
    /// the same content, and a permission's is exactly what its caller asked to run.
    #[test]
    fn asks_with_the_same_name_and_other_content_never_share_an_outcome(
        tried in proptest::collection::vec((any_try(), any::<bool>()), 1..24),
    ) {
        let mut desk = Desk::new();
        for (place, ((key, what, grants, name), answers)) in tried.into_iter().enumerate() {
            let purpose = if grants { Purpose::Permission } else { Purpose::Decision };
            let what = format!("run {what}");
            let id = 100 + place as u128;
            let command = about(id, &what, purpose, NAMES[name]);
            let Ok(decided) = tries(&mut desk, &with_key(key), &command) else { continue };
            let ask = desk.view.ask(decided.ask.unwrap()).unwrap().clone();
            prop_assert_eq!(ask.terms.context.as_deref(), Some(what.as_str()));
            prop_assert_eq!(ask.terms.purpose, purpose);
            if purpose == Purpose::Permission {
                prop_assert!(ask.is_open() && ask.asked_by == Some(KeyId(key)));
            }
            if answers && ask.state == State::Showing {
                let question = ask.questions.top()[0].id.clone();
                let entries = vec![(question, entry("a"))];
                desk.done(&person(), &Command::Answer { ask: ask.id, entries });
            }
        }
    }
}

/// An agent that keeps as much open as it may costs whoever comes next little. Counted, not timed: the figure
/// is in `benches/`.
#[test]
fn what_ended_sets_free_whoever_waited_for_it_however_long_the_chain() {
    let mut desk = Desk::new();
    desk.view.limits.open_max = 600;
    desk.view.limits.depth_max = 600;
    desk.done(&agent(), &one(1));
    for id in 2..=500_u128 {
        let mut draft = question(&format!("q{id}"), DraftKind::OneOf, &["a", "b"]);
        let choice = Some("b".into());
        let on = Condition { question: format!("q{}", id - 1).as_str().into(), choice };
        draft.depends_on = Given::Value(on);
        desk.done(&agent(), &asking(id, vec![draft], Terms::default()));
        assert_eq!(desk.state(id).status(), "pending");
    }
    let decided = desk.done(&person(), &answer(1, "a"));
    let n_closed = decided.facts.iter().filter(|fact| matches!(fact, Fact::Closed { .. })).count();
    assert_eq!(n_closed, 500, "each waited for the one before, and none was answered so");
}
