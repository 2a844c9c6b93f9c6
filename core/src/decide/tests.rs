//! The rule book, rule by rule, and then any order of commands.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::ask::{Ask, Fingerprint, State};
use crate::asker::{Late, Purpose, Terms, TimeoutPolicy, Timing};
use crate::command::{KnownBy, NewAsk};
use crate::content::Content;
use crate::draft::{DraftKind, DraftQuestion, Given};
use crate::entry::Entry;
use crate::id::SessionId;
use crate::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Proof};
use crate::question::{Condition, Questions};
use crate::session::{Origin, SessionStatus};
use crate::sheet::tests::{question, questions};

mod holding;
mod keeping;
mod missing;
mod naming;
mod people;
mod restoring;
mod ruling;
mod tasks;
mod timing;

fn actor(role: Role, user: &str, proof: Proof) -> Actor {
    let channel = match role {
        Role::Agent => Channel::Agent,
        Role::Person => Channel::Web,
        Role::Server => Channel::Server,
    };
    Actor { role, user: user.into(), by: By::new(Some(user.into()), channel, proof), key: None }
}

fn agent() -> Actor {
    actor(Role::Agent, "ann", Proof::KeyFile)
}
fn person() -> Actor {
    actor(Role::Person, "ann", Proof::Cookie)
}
fn server() -> Actor {
    actor(Role::Server, "server", Proof::Server)
}

/// A desk of one session, driven by commands.
struct Desk {
    view: View,
    now: Timestamp,
}

impl Desk {
    fn new() -> Self {
        let mut desk = Self { view: View::default(), now: Timestamp(1_000) };
        desk.done(
            &agent(),
            &Command::OpenSession {
                session: SessionId(1),
                external_id: Some("mine".to_owned()),
                origin: Origin::Named,
                total_rounds: None,
                timing: Timing::default(),
            },
        );
        desk
    }

    fn tries(&mut self, actor: &Actor, command: &Command) -> Result<Decision, Refusal> {
        let decision = decide(&self.view, actor, command, self.now)?;
        decision.facts.iter().for_each(|fact| self.view.apply(fact, self.now));
        assert_eq!(decision.after, self.view, "what is known after the facts is what they say");
        Ok(decision)
    }

    #[track_caller]
    fn done(&mut self, actor: &Actor, command: &Command) -> Decision {
        self.tries(actor, command).unwrap()
    }

    #[track_caller]
    fn refused(&mut self, actor: &Actor, command: &Command) -> String {
        self.tries(actor, command).unwrap_err().to_string()
    }

    fn state(&self, id: u128) -> &State {
        &self.view.ask(AskId(id)).unwrap().state
    }

    /// Answers the first question of an ask, whoever named it.
    #[track_caller]
    fn answered(&mut self, id: u128, choice: &str) {
        let question = self.view.ask(AskId(id)).unwrap().questions.top()[0].id.clone();
        self.done(&person(), &Command::Answer { ask: AskId(id), entries: vec![(question, entry(choice))] });
    }

    fn later(&mut self, wait: Duration) {
        self.now = self.now.after(wait);
    }
}

/// An ask of its own content, with these questions.
fn asking(id: u128, drafts: Vec<DraftQuestion>, terms: Terms) -> Command {
    let questions: Questions = Arc::unwrap_or_clone(questions(drafts));
    let (mut fingerprint, terms) = ([0; 16], Arc::new(terms));
    fingerprint[..8].copy_from_slice(&id.to_le_bytes()[..8]);
    let (id, session, otherwise) = (AskId(id), SessionId(1), Timing::default());
    Command::Ask(Box::new(NewAsk {
        id,
        session,
        questions,
        terms,
        otherwise,
        fingerprint,
        known_by: KnownBy::Nothing,
    }))
}

fn one(id: u128) -> Command {
    asking(id, vec![question(&format!("q{id}"), DraftKind::OneOf, &["a", "b"])], Terms::default())
}

/// The same questions again in another ask, named by us.
fn same_words(id: u128, terms: Terms) -> Command {
    let mut draft = question("q", DraftKind::OneOf, &["a", "b"]);
    draft.id = Given::Missing;
    let Command::Ask(mut new) = asking(id, vec![draft], Terms::default()) else { unreachable!() };
    new.terms = Arc::new(terms);
    new.fingerprint = digest(&new);
    Command::Ask(new)
}

/// Stands in for the digest that whoever keeps asks takes.
fn digest(new: &NewAsk) -> Fingerprint {
    let mut hasher = DefaultHasher::new();
    Content::new(&new.questions, &new.terms).canonical().hash(&mut hasher);
    u128::from(hasher.finish()).to_be_bytes()
}

fn entry(choice: &str) -> Entry {
    Entry { picked: vec![choice.into()], ..Entry::default() }
}

fn answer(id: u128, choice: &str) -> Command {
    Command::Answer { ask: AskId(id), entries: vec![(format!("q{id}").as_str().into(), entry(choice))] }
}

fn timed(policy: TimeoutPolicy) -> Terms {
    Terms { timeout: Some(Duration::from_mins(1)), policy: Some(policy), ..Terms::default() }
}

#[test]
fn an_ask_is_shown_at_once_and_the_first_answer_wins() {
    let mut desk = Desk::new();
    let asked = desk.done(&agent(), &one(1));
    assert!(matches!(&asked.facts[..], [Fact::Asked(_), Fact::Shown { .. }]));
    desk.done(&person(), &answer(1, "a"));
    let State::Closed(outcome) = desk.state(1) else { panic!("open") };
    assert_eq!(
        (outcome.status(), outcome.reason(), outcome.answered_by()),
        ("answered", "user", Some("person"))
    );
    assert_eq!(desk.refused(&person(), &answer(1, "b")), "the ask has ended already: answered by ann (web)");
    assert_eq!(
        desk.refused(&agent(), &Command::Withdraw { ask: AskId(1), reason: None }),
        "the ask has ended already: answered by ann (web)"
    );
}

#[test]
fn an_agent_never_answers_itself_and_a_person_never_asks() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let ask = AskId(1);
    for command in [
        answer(1, "a"),
        Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") },
        Command::Save { ask, entries: vec![] },
        Command::Decline { ask, reason: None },
        Command::Reopen { ask, as_new: AskId(2) },
    ] {
        for role in [agent(), server()] {
            assert!(matches!(desk.tries(&role, &command), Err(Refusal::Forbidden(_))), "{command:?}");
        }
    }
    assert!(matches!(desk.tries(&person(), &one(3)), Err(Refusal::Forbidden(_))));
    assert!(matches!(
        desk.tries(&person(), &Command::Withdraw { ask, reason: None }),
        Err(Refusal::Forbidden(_))
    ));
    // O8: only the server ends an ask at its deadline.
    for role in [agent(), person()] {
        assert!(matches!(desk.tries(&role, &Command::Expire { ask }), Err(Refusal::Forbidden(_))));
    }
}

#[test]
fn another_users_asks_are_not_there() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let stranger = actor(Role::Person, "bob", Proof::Cookie);
    assert_eq!(desk.refused(&stranger, &answer(1, "a")), "there is no such ask");
    let by_question = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") };
    assert_eq!(desk.refused(&stranger, &by_question), "there is no such session, or it has expired");
    let other_agent = actor(Role::Agent, "bob", Proof::KeyFile);
    assert_eq!(desk.refused(&other_agent, &one(2)), "there is no such session, or it has expired");
}

#[test]
fn a_permission_is_granted_only_where_a_program_could_not_do_it_as_easily() {
    let mut desk = Desk::new();
    let terms = Terms { purpose: Purpose::Permission, ..Terms::default() };
    desk.done(&agent(), &asking(1, vec![question("q1", DraftKind::YesNo, &[])], terms));
    for proof in Proof::ALL {
        let who = actor(Role::Person, "ann", proof);
        let mut copy = Desk { view: desk.view.clone(), now: desk.now };
        assert_eq!(
            copy.tries(&who, &answer(1, "yes")).is_ok(),
            matches!(proof, Proof::Cookie | Proof::Terminal)
        );
        // Whoever may not say yes may still say no.
        let no = Command::Decline { ask: AskId(1), reason: None };
        assert!(copy.tries(&who, &no).is_ok() || copy.state(1).status() == "answered");
    }
}

#[test]
fn a_repeated_ask_joins_the_open_one() {
    let keyed = Terms { idempotency_key: Some("k".into()), ..Terms::default() };
    let called = |call: &str| Terms { tool_use: Some(call.into()), ..Terms::default() };
    let mut desk = Desk::new();
    desk.done(&agent(), &same_words(1, Terms::default()));
    let again = desk.done(&agent(), &same_words(2, Terms::default()));
    assert_eq!((again.ask, again.joined, again.facts.len()), (Some(AskId(1)), true, 0));
    // Two tool calls with the same words are two questions; the same call twice is one.
    desk.answered(1, "a");
    assert!(!desk.done(&agent(), &same_words(3, called("x"))).joined);
    assert!(!desk.done(&agent(), &same_words(4, called("y"))).joined);
    assert!(desk.done(&agent(), &same_words(5, called("x"))).joined);
    // The same words under other names are another ask: its answers go back under those names.
    desk.done(&agent(), &one(7));
    let Command::Ask(mut renamed) = one(8) else { unreachable!() };
    renamed.fingerprint = desk.view.ask(AskId(7)).unwrap().fingerprint;
    assert!(!desk.done(&agent(), &Command::Ask(renamed)).joined);
    // Nor are the same words about something else, or ones that must be answered, the same question.
    let about = |what: &str| Terms { context: Some(what.into()), ..Terms::default() };
    desk.done(&agent(), &same_words(9, about("diff A")));
    assert!(!desk.done(&agent(), &same_words(10, about("diff B"))).joined);
    assert_eq!(desk.done(&agent(), &same_words(11, about("diff A"))).ask, Some(AskId(9)));
    let mut optional = question("o", DraftKind::OneOf, &["a", "b"]);
    (optional.id, optional.required) = (Given::Missing, Given::Value(false));
    let Command::Ask(mut optional) = asking(12, vec![optional], about("diff A")) else { unreachable!() };
    optional.fingerprint = digest(&optional);
    assert!(!desk.done(&agent(), &Command::Ask(optional)).joined);
    // By its key an ask is found even after it ended.
    desk.view.same_key = desk.view.asks.iter().find(|ask| ask.id == AskId(1)).cloned();
    assert_eq!(desk.done(&agent(), &same_words(6, keyed)).ask, Some(AskId(1)));
}

/// P3: the eleventh round that builds on the one before is refused; anything else starts anew.
#[test]
fn p3_ten_rounds_may_build_on_one_another_and_the_eleventh_is_refused() {
    let mut desk = Desk::new();
    let round = |desk: &mut Desk, id: u128| {
        desk.done(&agent(), &same_words(id, Terms::default()));
        desk.answered(id, "a");
    };
    for id in 1..=10 {
        round(&mut desk, id);
        assert_eq!(desk.view.ask(AskId(id)).unwrap().depth, u32::try_from(id).unwrap());
    }
    let refused = desk.refused(&agent(), &same_words(11, Terms::default()));
    assert_eq!(
        refused,
        "10 rounds build on one another, which is the limit: finish this conversation, or ask something new"
    );
    // Permission questions never count, other words start at one, and so does waiting.
    let permission = Terms { purpose: Purpose::Permission, ..Terms::default() };
    let mut patient = Desk { view: desk.view.clone(), now: desk.now };
    assert!(desk.tries(&agent(), &same_words(12, permission)).is_ok());
    desk.done(&agent(), &one(13));
    assert_eq!(desk.view.ask(AskId(13)).unwrap().depth, 1);
    patient.later(Duration::from_secs(601));
    patient.done(&agent(), &same_words(14, Terms::default()));
    assert_eq!(patient.view.ask(AskId(14)).unwrap().depth, 1);
    // Naming a parent counts, whatever the words.
    patient.view.parent_depth = Some(10);
    assert!(matches!(patient.tries(&agent(), &one(15)), Err(Refusal::RecursiveLimit { max: 10 })));
}

#[test]
fn d6_five_are_shown_and_the_rest_move_up_in_order() {
    let mut desk = Desk::new();
    for id in 1..=7 {
        desk.done(&agent(), &one(id));
    }
    assert_eq!(
        (desk.state(5), desk.state(6), desk.state(7)),
        (&State::Showing, &State::Pending, &State::Pending)
    );
    assert_eq!(
        desk.refused(&person(), &answer(6, "a")),
        "the question is not shown yet: it waits for its turn"
    );
    let freed = desk.done(&person(), &answer(2, "a"));
    assert!(freed.facts.contains(&Fact::Shown { ask: AskId(6) }));
    assert_eq!(desk.state(7), &State::Pending);
    // Pending ones can be declined and taken back.
    desk.done(&agent(), &Command::Withdraw { ask: AskId(7), reason: None });
    assert_eq!(desk.state(7).status(), "cancelled");
}

#[test]
fn d5_the_eleventh_active_session_is_refused_and_derived_ones_do_not_count() {
    let mut desk = Desk::new();
    desk.view.n_other_active_sessions = 10;
    assert_eq!(
        desk.refused(&agent(), &one(1)),
        "10 sessions have open asks, which is the limit: answer or withdraw one first"
    );
    desk.view.session.as_mut().map(Arc::make_mut).unwrap().origin = Origin::Derived;
    desk.done(&agent(), &one(1));
}

#[test]
fn d5_a_session_ends_when_idle_but_never_while_an_ask_is_open() {
    let mut desk = Desk::new();
    let end = Command::EndSession { session: SessionId(1) };
    desk.done(&agent(), &one(1));
    desk.later(Duration::from_hours(2));
    assert_eq!(desk.refused(&server(), &end), "the session is still in use");
    desk.done(&person(), &answer(1, "a"));
    assert_eq!(desk.refused(&server(), &end), "the session is still in use");
    desk.later(Duration::from_hours(1));
    desk.done(&server(), &end);
    // D4: an outcome that nobody fetched in time is an error.
    assert_eq!(desk.state(1).status(), "error");
    assert_eq!(desk.view.session.as_ref().unwrap().status, SessionStatus::Timeout);
    assert_eq!(desk.refused(&agent(), &one(2)), "there is no such session, or it has expired");
}

#[test]
fn p9_question_ids_are_unique_in_a_session() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    let twin = asking(2, vec![question("q1", DraftKind::OneOf, &["x"])], Terms::default());
    assert_eq!(
        desk.refused(&agent(), &twin),
        "the question id `q1` is taken in this session: give the question a new id"
    );
    desk.done(&person(), &answer(1, "a"));
    desk.done(&agent(), &twin);
}

#[test]
fn p8_questions_answered_one_at_a_time_close_the_ask_with_the_last() {
    let mut desk = Desk::new();
    let follow = crate::sheet::tests::under(
        question("first", DraftKind::OneOf, &["a", "b"]),
        "b",
        vec![question("more", DraftKind::OneOf, &["c"])],
    );
    let mut maybe = question("maybe", DraftKind::Text, &[]);
    maybe.required = Given::Value(false);
    desk.done(&agent(), &asking(1, vec![follow, maybe], Terms::default()));
    let one = |id: &str, entry: Entry| Command::AnswerOne { ask: None, question: id.into(), entry };
    assert_eq!(
        desk.refused(&person(), &one("nope", entry("a"))),
        "there is no question `nope` in this session"
    );
    assert_eq!(
        desk.refused(&person(), &one("more", entry("c"))),
        "the question is not shown yet: it waits for its turn"
    );
    assert_eq!(
        desk.refused(&person(), &one("first", entry("z"))),
        "the answer does not fit: first: names the choice `z`, which is not offered"
    );
    assert_eq!(
        desk.refused(&person(), &one("first", Entry::default())),
        "the answer does not fit: first: is missing"
    );
    desk.done(&person(), &one("first", entry("b")));
    assert_eq!(
        desk.refused(&person(), &one("first", entry("a"))),
        "the question `first` is answered already"
    );
    desk.done(&person(), &one("more", entry("c")));
    assert_eq!(desk.state(1), &State::Showing);
    desk.done(&person(), &one("maybe", Entry::default()));
    let State::Closed(outcome) = desk.state(1) else { panic!("open") };
    assert_eq!(outcome.answers.0.iter().filter(|answer| !answer.skipped).count(), 2);
    // An answer that was read for one ask is not for another that reuses the id.
    desk.done(&agent(), &asking(2, vec![question("first", DraftKind::OneOf, &["a", "b"])], Terms::default()));
    let for_the_old = Command::AnswerOne { ask: Some(AskId(1)), question: "first".into(), entry: entry("b") };
    assert_eq!(desk.refused(&person(), &for_the_old), "the question `first` is answered already");
    let entries = vec![("first".into(), entry("a"))];
    desk.done(&person(), &Command::Answer { ask: AskId(2), entries });
    // P9: once the ask has ended, the same question again is a replay.
    assert_eq!(
        desk.refused(&person(), &one("first", entry("b"))),
        "the question `first` is answered already"
    );
}

/// P19: an ask waits for an answer of another ask, and is skipped when it turns out otherwise.
#[test]
fn p19_an_ask_waits_for_the_answer_that_it_depends_on() {
    let waiting = |id: u128, choice: &str| {
        let mut draft = question(&format!("q{id}"), DraftKind::OneOf, &["a", "b"]);
        draft.depends_on = Given::Value(Condition { question: "q1".into(), choice: Some(choice.into()) });
        asking(id, vec![draft], Terms::default())
    };
    let mut desk = Desk::new();
    assert_eq!(
        desk.refused(&agent(), &waiting(2, "a")),
        "the questions do not fit: questions[0].depends_on: names the question `q1`, which is not there"
    );
    desk.done(&agent(), &one(1));
    assert!(desk.refused(&agent(), &waiting(9, "z")).ends_with("names the choice `z`, which is not offered"));
    desk.done(&agent(), &waiting(2, "a"));
    desk.done(&agent(), &waiting(3, "b"));
    assert_eq!((desk.state(2), desk.state(3)), (&State::Pending, &State::Pending));
    let decision = desk.done(&person(), &answer(1, "a"));
    assert_eq!(decision.ask, Some(AskId(1)), "the command was about the one that was answered");
    assert_eq!(desk.state(2), &State::Showing);
    let State::Closed(outcome) = desk.state(3) else { panic!("open") };
    // The system took it back, not the person who answered the other.
    assert_eq!((&outcome.by.user, outcome.by.proof), (&None, Proof::Server));
    assert_eq!((outcome.status(), outcome.reason()), ("cancelled", "system"));
    assert_eq!(outcome.comment.as_deref(), Some("its condition did not hold"));
    // Known already: shown at once.
    desk.done(&agent(), &waiting(4, "a"));
    assert_eq!(desk.state(4), &State::Showing);
}

/// P19: a later ask that takes up the name of a question that was answered holds nobody up.
#[test]
fn p19_two_asks_never_wait_for_each_other() {
    let on = |id: &str, question_id: &str| {
        let mut draft = question(id, DraftKind::OneOf, &["a", "b"]);
        draft.depends_on = Given::Value(Condition { question: question_id.into(), choice: None });
        draft
    };
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    desk.done(&person(), &answer(1, "a"));
    desk.done(&agent(), &one(3));
    desk.done(&agent(), &asking(2, vec![on("q2", "q1"), on("q4", "q3")], Terms::default()));
    desk.done(&agent(), &asking(5, vec![on("q1", "q2")], Terms::default()));
    assert_eq!((desk.state(2), desk.state(5)), (&State::Pending, &State::Pending));
    desk.done(&person(), &answer(3, "a"));
    assert_eq!((desk.state(2), desk.state(5)), (&State::Showing, &State::Pending));
}

#[test]
fn p13_a_timed_out_ask_is_asked_anew_with_what_was_put_down() {
    let mut desk = Desk::new();
    desk.done(
        &agent(),
        &asking(1, vec![question("q1", DraftKind::OneOf, &["a", "b"])], timed(TimeoutPolicy::Cancel)),
    );
    let reopen = Command::Reopen { ask: AskId(1), as_new: AskId(2) };
    assert!(matches!(desk.tries(&person(), &reopen), Err(Refusal::NotReopenable)));
    desk.done(&person(), &Command::Save { ask: AskId(1), entries: vec![("q1".into(), entry("b"))] });
    desk.later(Duration::from_mins(1));
    desk.done(&server(), &Command::Expire { ask: AskId(1) });
    desk.done(&person(), &reopen);
    let anew = desk.view.ask(AskId(2)).unwrap();
    assert_eq!((anew.round, anew.reopens, &anew.state), (2, Some(AskId(1)), &State::Showing));
    assert_eq!(anew.sheet().entry(&"q1".into()).unwrap().picked, ["b".into()]);
    assert!(matches!(
        desk.tries(&person(), &Command::Reopen { ask: AskId(1), as_new: AskId(3) }),
        Err(Refusal::NotReopenable)
    ));
    let by_question = Command::AnswerOne { ask: None, question: "q1".into(), entry: entry("a") };
    desk.done(&person(), &by_question);
    assert_eq!(desk.state(2).status(), "answered");
}

#[test]
fn d4_an_outcome_is_handed_over_and_acknowledged() {
    let mut desk = Desk::new();
    desk.done(&agent(), &one(1));
    assert_eq!(desk.refused(&agent(), &Command::Deliver { asks: vec![AskId(1)] }), "the ask is still open");
    desk.done(&person(), &Command::Decline { ask: AskId(1), reason: Some("not now".into()) });
    desk.done(&agent(), &Command::Deliver { asks: vec![AskId(1)] });
    assert_eq!(desk.state(1).status(), "processing");
    assert!(desk.done(&agent(), &Command::Deliver { asks: vec![AskId(1)] }).facts.is_empty());
    desk.done(&agent(), &Command::Acknowledge { ask: AskId(1) });
    assert_eq!(desk.state(1).status(), "completed");
    assert_eq!(desk.state(1).outcome().unwrap().comment.as_deref(), Some("not now"));
    let long = Some("x".repeat(1001));
    desk.done(&agent(), &one(2));
    assert!(matches!(
        desk.tries(&person(), &Command::Decline { ask: AskId(2), reason: long }),
        Err(Refusal::UnfitAnswer(_))
    ));
}

fn any_command() -> impl Strategy<Value = (u8, u128, u8, u64)> {
    (0u8..14, 1u128..9, 0u8..3, 0u64..40)
}

proptest! {
    /// Any sequence of commands by anybody: one outcome each, only allowed moves, never more shown
    /// than may be, and nobody but a person answers.
    #[test]
    fn any_order_of_commands_keeps_the_rules(commands in prop::collection::vec(any_command(), 1..60)) {
        let mut desk = Desk::new();
        for (what, id, who, wait) in commands {
            desk.later(Duration::from_secs(wait));
            let who = [agent(), person(), server()][usize::from(who)].clone();
            let ask = AskId(id);
            let command = match what {
                0..=2 => asking(id, vec![question(&format!("q{id}"), DraftKind::OneOf, &["a", "b"])],
                    Terms { timeout: Some(Duration::from_secs(wait)), ..timed(TimeoutPolicy::Default) }),
                3 => one(id),
                4 => answer(id, "a"),
                5 => Command::AnswerOne { ask: None, question: format!("q{id}").as_str().into(), entry: entry("b") },
                6 => Command::Decline { ask, reason: None },
                7 => Command::Withdraw { ask, reason: None },
                8 => Command::Expire { ask },
                9 => Command::Acknowledge { ask },
                10 => Command::Reopen { ask, as_new: AskId(id + 100) },
                11 => {
                    let entries = vec![(format!("q{id}").as_str().into(), entry("b"))];
                    Command::Hold { ask, entries, grace: Duration::from_secs(5) }
                }
                12 => Command::TakeBack { ask },
                _ => Command::EndSession { session: SessionId(1) },
            };
            // The desk hands out a fresh id for each ask, so one that is taken does not come again.
            let taken = matches!(&command, Command::Ask(new) if desk.view.ask(new.id).is_some())
                || matches!(&command, Command::Reopen { as_new, .. } if desk.view.ask(*as_new).is_some());
            if taken {
                continue;
            }
            let before: Vec<Arc<Ask>> = desk.view.asks.clone();
            let result = desk.tries(&who, &command);
            for (had, has) in before.iter().zip(&desk.view.asks) {
                let steps = [&had.state, &has.state];
                let moved = had.state != has.state;
                let direct = had.state.may_become(&has.state);
                // Two moves in one decision: shown and closed, or delivered and acknowledged.
                let twice = had.state.status() == "pending" && !has.is_open()
                    || matches!(steps, [State::Closed(a), State::Completed(b)] if a == b);
                prop_assert!(!moved || direct || twice, "{steps:?}");
                if let (Some(old), new) = (had.state.outcome(), has.state.outcome()) {
                    prop_assert_eq!(Some(old), new);
                }
            }
            let is_let_go = |ask: &&Arc<Ask>| ask.is_open() || ask.hearing.held.is_empty();
            prop_assert!(desk.view.asks.iter().all(|ask| is_let_go(&ask)), "nothing is held of an ended ask");
            let n_shown = desk.view.asks.iter().filter(|ask| ask.state == State::Showing).count();
            prop_assert!(n_shown <= desk.view.limits.shown_max);
            for fact in result.iter().flat_map(|decision| &decision.facts) {
                if let Fact::Closed { outcome, .. } = fact {
                    let person = outcome.ending == Ending::Answered(AnsweredBy::Person);
                    let held = |had: &Arc<Ask>| had.id == ask && !had.hearing.held.is_empty();
                    prop_assert!(!person || who.role == Role::Person || before.iter().any(held));
                    prop_assert!(!person || outcome.by.user == Some("ann".into()));
                    let default = outcome.ending == Ending::Answered(AnsweredBy::Default);
                    prop_assert!(!default, "nothing was marked as default");
                }
            }
            if desk.view.open().next().is_some() {
                prop_assert!(desk.view.session.as_ref().unwrap().status == SessionStatus::Active);
            }
        }
    }
}
