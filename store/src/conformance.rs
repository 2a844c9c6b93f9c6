//! What every store must do, written once: run against each implementation by `conformance!`.
//!
//! Each function takes an empty store. Nothing here knows SQL.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::asker::{Terms, TimeoutPolicy, Timing};
use askuser_core::command::{Actor, Command, KnownBy, NewAsk, Role};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, QuestionId, SessionId};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::question::{Choice, Condition, Kind, NamedBy, Question, Questions};
use askuser_core::session::Origin;
use askuser_core::time::Timestamp;

use super::{Committed, Order, SessionRef, Store, StoreError};

pub(crate) mod asks;
pub(crate) mod people;
pub(crate) mod joining;
pub(crate) mod sessions;
pub(crate) mod facts;
pub(crate) mod tasks;
pub(crate) mod audit;
pub(crate) mod served;
pub(crate) mod tampering;
pub(crate) mod access;
pub(crate) mod nudges;
pub(crate) mod pushes;
pub(crate) mod rules;
pub(crate) mod ids;
pub(crate) mod model;

/// Makes a test of every function, for a store that `$open` opens.
macro_rules! conformance {
    ($open:expr) => {
        crate::conformance::conformance! { $open,
            asks: [an_ask_is_shown_and_the_first_answer_wins, several_outcomes_are_handed_over_at_once,
                asks_end_in_every_way,
                a_sheet_is_saved_and_comes_back, five_are_shown_and_the_rest_move_up,
                an_ask_waits_for_the_answer_that_it_depends_on, questions_are_answered_one_at_a_time,
                an_ended_ask_is_asked_anew, questions_named_after_their_round_are_found, a_late_answer_is_kept, rounds_build_on_one_another,
                what_belongs_to_another_is_not_there, lists_come_in_their_order]
            people: [an_ask_is_in_the_inbox_of_those_whom_it_is_for, what_each_person_said_is_kept,
                others_are_shown_an_ask_when_it_is_time_and_once, an_answer_is_held_and_final_at_its_time]
            joining: [a_repeated_ask_joins, what_was_missed_is_found_again, a_key_joins_at_any_time_and_in_any_session,
                of_two_at_once_one_wins, any_ending_at_the_same_moment_is_the_only_one]
            sessions: [a_named_session_is_made_once, an_ended_session_gives_its_name_away,
                active_sessions_are_limited, a_session_keeps_what_holds_for_its_asks, idle_sessions_are_found_and_ended, an_idle_session_is_over_before_it_is_noted, a_refused_ask_leaves_no_session, odd_names_are_names_too]
            facts: [facts_are_numbered_without_gaps, the_chain_verifies, secrets_are_erased_and_the_chain_verifies,
                secrets_that_moved_are_erased_wherever_they_were_told,
                a_saved_sheet_is_no_fact]
            tasks: [a_task_is_given_and_moves_on, what_is_said_in_a_task_is_kept_in_order,
                a_session_with_a_task_at_work_is_not_idle, a_task_is_on_a_server_and_interrupted_once]
            audit: [security_events_are_numbered_and_chained, facts_say_where_people_acted_from,
                what_is_old_is_erased_and_the_chain_verifies]
            access: [keys_open_until_they_are_revoked, cookies_open_until_they_expire,
                browsers_are_listed_named_and_sent_away, a_login_link_opens_once, a_closed_store_says_so]
            nudges: [a_nudge_is_claimed_once_and_moves_on, one_message_for_several_asks_goes_with_the_last,
                the_nudges_of_one_person_end_without_those_of_others,
                an_answer_link_is_kept_until_it_expires]
            pushes: [the_key_for_browsers_is_made_once, a_browser_tells_one_person]
            rules: [a_rule_is_kept_until_it_ends_or_is_removed, of_two_rules_the_newest_comes_first,
                a_person_has_so_many_rules_and_no_more, rules_that_ended_go,
                a_rule_is_confirmed_by_each_person_for_themselves, a_file_is_noted_with_the_event_that_says_so]
            ids: [ids_are_found_by_how_they_begin_and_end]
        }
    };
    ($open:expr, $($part:ident: [$($name:ident),+ $(,)?])+) => {$($(
        #[tokio::test]
        async fn $name() {
            let (store, _kept) = $open;
            crate::conformance::$part::$name(std::sync::Arc::clone(&store)).await;
            crate::conformance::served::is_whole(&store).await;
        }
    )+)+};
}
pub(crate) use conformance;

pub(crate) const START: Timestamp = Timestamp(1_000_000);

pub(crate) fn actor(role: Role, user: &str) -> Actor {
    let (channel, proof) = match role {
        Role::Agent => (Channel::Agent, Proof::KeyFile),
        Role::Person => (Channel::Web, Proof::Cookie),
        Role::Server => (Channel::Server, Proof::Server),
    };
    Actor { role, user: user.into(), by: By::new(Some(user.into()), channel, proof), key: None }
}

/// Gives orders to a store.
pub(crate) struct Caller {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) now: Timestamp,
}

impl Caller {
    pub(crate) fn new(store: &Arc<dyn Store>) -> Self {
        Self { store: Arc::clone(store), now: START }
    }

    pub(crate) fn later(&mut self, wait: Duration) {
        self.now = self.now.after(wait);
    }

    pub(crate) async fn tries(
        &self,
        role: Role,
        session: SessionRef,
        command: Command,
    ) -> Result<Committed, StoreError> {
        let order = Order { actor: actor(role, "ann"), session, command, now: self.now };
        self.store.commit(order).await
    }

    /// Asks in the session of that name, which counts towards the limit.
    pub(crate) async fn ask(&self, session: &str, new: NewAsk) -> Committed {
        self.tries(Role::Agent, named(session), Command::Ask(Box::new(new))).await.unwrap()
    }

    /// A command of a person on an ask, carried out.
    pub(crate) async fn person(&self, ask: u128, command: Command) -> Committed {
        self.tries(Role::Person, SessionRef::OfAsk(AskId(ask)), command).await.unwrap()
    }

    pub(crate) async fn agent(&self, ask: u128, command: Command) -> Committed {
        self.tries(Role::Agent, SessionRef::OfAsk(AskId(ask)), command).await.unwrap()
    }

    pub(crate) async fn server(&self, ask: u128, command: Command) -> Committed {
        self.tries(Role::Server, SessionRef::OfAsk(AskId(ask)), command).await.unwrap()
    }

    /// What a command is refused with.
    pub(crate) async fn refused(&self, role: Role, session: SessionRef, command: Command) -> String {
        self.tries(role, session, command).await.unwrap_err().to_string()
    }

    pub(crate) async fn stored(&self, ask: u128) -> Arc<Ask> {
        self.store.ask(AskId(ask)).await.unwrap().unwrap()
    }

    pub(crate) async fn status(&self, ask: u128) -> &'static str {
        self.stored(ask).await.state.status()
    }
}

/// The session of that name; a new one gets an id of its own.
pub(crate) fn named(name: &str) -> SessionRef {
    let fresh = name.bytes().fold(7_u128, |sum, byte| sum * 257 + u128::from(byte));
    SessionRef::Named { external_id: name.to_owned(), origin: Origin::Named, fresh: SessionId(fresh) }
}

pub(crate) fn derived(name: &str) -> SessionRef {
    match named(name) {
        SessionRef::Named { external_id, fresh, .. } => {
            SessionRef::Named { external_id, origin: Origin::Derived, fresh }
        }
        other => other,
    }
}

pub(crate) fn question(id: &str) -> Question {
    let choice = |id: &str| Choice {
        id: id.into(),
        label: id.to_uppercase(),
        description: None,
        preview: None,
        running: None,
        default: false,
        recommended: false,
        follow_ups: Vec::new(),
    };
    Question {
        id: id.into(),
        named_by: NamedBy::Asker,
        header: None,
        text: format!("{id}?"),
        description: None,
        kind: Kind::OneOf,
        choices: vec![choice("a"), choice("b")],
        free: None,
        required: true,
        secret: false,
        depends_on: None,
        collected: None,
    }
}

/// A question that waits for an answer.
pub(crate) fn waiting(id: &str, on: &str, choice: &str) -> Question {
    let depends_on = Some(Condition { question: on.into(), choice: Some(choice.into()) });
    Question { depends_on, ..question(id) }
}

/// An ask of its own content. The session is put in by the store.
pub(crate) fn asking(id: u128, questions: Vec<Question>, terms: Terms) -> NewAsk {
    let (questions, terms) = (Questions::remembered(questions), Arc::new(terms));
    let (session, otherwise) = (SessionId(0), Timing::default());
    let fingerprint = id.to_be_bytes();
    NewAsk { id: AskId(id), session, questions, terms, otherwise, fingerprint, known_by: KnownBy::Nothing }
}

/// An ask with one question, `q` and the number.
pub(crate) fn one(id: u128) -> NewAsk {
    asking(id, vec![question(&format!("q{id}"))], Terms::default())
}

pub(crate) fn timed(secs: u64) -> Terms {
    Terms {
        timeout: Some(Duration::from_secs(secs)),
        policy: Some(TimeoutPolicy::Cancel),
        ..Terms::default()
    }
}

pub(crate) fn entry(choice: &str) -> Entry {
    Entry { picked: vec![choice.into()], ..Entry::default() }
}

pub(crate) fn filled(entries: &[(&str, &str)]) -> Vec<(QuestionId, Entry)> {
    entries.iter().map(|(id, choice)| ((*id).into(), entry(choice))).collect()
}

pub(crate) fn answer(id: u128, choice: &str) -> Command {
    Command::Answer { ask: AskId(id), entries: filled(&[(&format!("q{id}"), choice)]) }
}

/// The words for what happened, in order.
pub(crate) fn kinds(committed: &Committed) -> Vec<&'static str> {
    let facts = committed.facts.iter().filter_map(|numbered| numbered.fact.as_deref());
    facts.map(super::row::kind).collect()
}

pub(crate) fn is_closed(fact: &Fact) -> bool {
    matches!(fact, Fact::Closed { .. })
}
