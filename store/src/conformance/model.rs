//! Any sequence of commands, against the rule book with everything in view.
//!
//! The model keeps every ask of every session in memory and hands all of it to `core::decide`; a
//! store loads as little as it can. Both must come to the same decisions and the same states.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::{Late, Purpose, Terms};
use askuser_core::command::{Command, KnownBy, NewAsk, Role};
use askuser_core::decide::{Refusal, View, decide};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, QuestionId, SessionId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::{Origin, SessionStatus};
use askuser_core::time::Timestamp;
use proptest::prelude::*;

use super::{START, actor, asking, entry, filled, question, timed, waiting};
use crate::{Order, SessionRef, Store, StoreError, plan};

/// How long an answer is held.
const GRACE: Duration = Duration::from_secs(5);

/// One step: what, about which ask, by whom, where, and how much later.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    what: u8,
    ask: u128,
    /// Which earlier step's ask or session it is about.
    about: u128,
    anew: bool,
    role: u8,
    session: u8,
    wait: u64,
}

pub(crate) fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let about = (0_u128..25, prop::bool::weighted(0.1));
    let step = (0_u8..21, 1_u128..9, about, 0_u8..8, 0_u8..4, 0_u64..30).prop_map(
        |(what, ask, (about, anew), role, session, wait)| Step {
            what,
            ask,
            about,
            anew,
            role,
            session,
            wait,
        },
    );
    prop::collection::vec(step, 1..60)
}

/// Small, so that they are reached.
pub(crate) fn small_limits() -> DeskLimits {
    DeskLimits {
        shown_max: 2,
        active_sessions_max: 2,
        depth_max: 3,
        open_max: 4,
        session_idle: Duration::from_secs(40),
        ..DeskLimits::default()
    }
}

struct Model {
    limits: DeskLimits,
    /// Every session, by id, in the order of beginning.
    views: BTreeMap<SessionId, View>,
    /// Who holds a name.
    names: BTreeMap<String, SessionId>,
    asks: BTreeMap<AskId, SessionId>,
    /// Idempotency keys and what was asked with them last.
    keys: BTreeMap<String, AskId>,
}

impl Model {
    fn new(limits: DeskLimits) -> Self {
        let (views, names, asks, keys) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { limits, views, names, asks, keys }
    }

    /// Decides as the store must; returns the facts, the ask and whether it joined.
    fn commit(&mut self, order: &Order) -> Result<(Vec<Fact>, Option<AskId>, bool), Refusal> {
        let mut command = order.command.clone();
        let creates = matches!(command, Command::Ask(_) | Command::OpenSession { .. });
        let (id, mut name) = self.aim(order, creates)?;
        let mut view = self.views.get(&id).cloned().unwrap_or_default();
        view.limits = self.limits;
        let from = self.look_at_restored(&mut view, &command);
        let earlier = self.earlier(id);
        let n_earlier = earlier.len();
        view.asks.splice(0..0, earlier);
        if let Command::Ask(new) = &mut command {
            new.session = id;
            self.look_at_new(&mut view, new);
        }
        let active = self.views.iter().filter(|(other, view)| {
            let counts = view.session.as_ref().is_some_and(|session| session.origin != Origin::Derived);
            **other != id && Some(**other) != from && counts && view.open().next().is_some()
        });
        view.n_other_active_sessions = active.count();
        let mut facts = Vec::new();
        if let (Some(external_id), Command::Ask(_), SessionRef::Named { origin, .. }) =
            (&name, &command, &order.session)
        {
            let opens = Command::OpenSession {
                session: id,
                external_id: Some(external_id.clone()),
                origin: *origin,
                total_rounds: None,
                timing: askuser_core::asker::Timing::default(),
            };
            facts = decide(&view, &order.actor, &opens, order.now)?.facts;
            for fact in &facts {
                view.apply(fact, order.now);
            }
        }
        let decided = decide(&view, &order.actor, &command, order.now)?;
        if decided.joined && !facts.is_empty() {
            return Ok((Vec::new(), decided.ask, true));
        }
        for fact in &decided.facts {
            view.apply(fact, order.now);
            if let Fact::Asked(ask) = fact {
                self.asks.insert(ask.id, id);
                if let Some(key) = &ask.terms.idempotency_key {
                    self.keys.insert(key.clone(), ask.id);
                }
            }
        }
        facts.extend(decided.facts);
        view.asks.drain(..n_earlier);
        (view.taken, view.missed, view.same_key) = (Vec::new(), Vec::new(), None);
        if let Some(from) = from {
            self.moved_on(&mut view, from, &facts, order.now);
        }
        if !facts.is_empty() {
            self.views.insert(id, view);
            if let Some(external_id) = name.take().filter(|_| creates) {
                self.names.insert(external_id, id);
            }
        }
        Ok((facts, decided.ask, decided.joined))
    }

    /// The session that an order means, and the name that a new one gets.
    fn aim(&self, order: &Order, creates: bool) -> Result<(SessionId, Option<String>), Refusal> {
        Ok(match &order.session {
            SessionRef::Id(id) => (*id, None),
            SessionRef::OfAsk(ask) => (*self.asks.get(ask).ok_or(Refusal::AskNotFound)?, None),
            SessionRef::Named { external_id, fresh, .. } => {
                let holder = self.names.get(external_id).copied();
                let lives = |view: &View| {
                    let session = view.session.as_ref().unwrap();
                    let is_idle = session.is_idle(order.now, self.limits.session_idle);
                    session.status == SessionStatus::Active && (!is_idle || view.is_in_use())
                };
                let live = holder.filter(|id| !creates || lives(&self.views[id]));
                (live.unwrap_or(*fresh), live.is_none().then(|| external_id.clone()))
            }
        })
    }

    /// Puts into view what a new ask has to know.
    fn look_at_new(&self, view: &mut View, new: &NewAsk) {
        let key = new.terms.idempotency_key.as_ref();
        let same_key = key.and_then(|key| self.keys.get(key)).copied();
        view.same_key =
            same_key.and_then(|id| self.views[&self.asks[&id]].asks.iter().find(|ask| ask.id == id).cloned());
        let is_own = |ask: &&Arc<Ask>| Some(ask.session) == view.session.as_ref().map(|session| session.id);
        let missed = view.asks.iter().filter(|ask| matches!(ask.state, State::Closed(_))).filter(is_own);
        view.missed = missed.cloned().collect();
        let having = |parent| view.asks.iter().rev().find(|ask: &&Arc<Ask>| ask.has(parent));
        let parent = new.terms.parent_question.as_ref().and_then(having);
        view.parent_depth = parent.map(|ask| ask.depth);
        let holds = |id: &QuestionId| view.asks.iter().any(|ask| plan::holds(ask, id));
        let session = view.session.as_ref();
        view.taken =
            plan::ids_for_session(new, session).into_iter().filter(|id| holds(id)).cloned().collect();
    }

    /// Puts into view what a restore has to know, and returns from what.
    fn look_at_restored(&self, view: &mut View, command: &Command) -> Option<SessionId> {
        let Command::Restore { from, .. } = command else { return None };
        let from = *from;
        let Some(restored) = self.views.get(&from) else { return Some(from) };
        let Some(session) = &restored.session else { return Some(from) };
        let holder = session.external_id.as_ref().and_then(|name| self.names.get(name));
        view.restoring = Some(plan::restoring(session, holder == Some(&from), false));
        view.asks = restored.asks.iter().filter(|ask| ask.is_open()).cloned().collect();
        view.answered.clone_from(&restored.answered);
        Some(from)
    }

    /// What ended in the sessions that one goes on from, as far as it is part of it.
    fn earlier(&self, id: SessionId) -> Vec<Arc<Ask>> {
        let session = self.views.get(&id).and_then(|view| view.session.as_ref());
        let Some((from, to)) = session.and_then(|session| session.goes_on_from()) else { return Vec::new() };
        let mut asks = self.earlier(from);
        asks.extend(self.views[&from].asks.iter().cloned());
        asks.retain(|ask| ask.has_ended_by(to));
        asks
    }

    /// Lets the session go that another goes on from.
    fn moved_on(&mut self, view: &mut View, from: SessionId, facts: &[Fact], now: Timestamp) {
        view.restoring = None;
        let Some(session) = view.session.as_ref() else { return };
        if let Some(name) = &session.external_id {
            self.names.insert(name.clone(), session.id);
        }
        for ask in &view.asks {
            self.asks.insert(ask.id, session.id);
        }
        let Some(old) = self.views.get_mut(&from) else { return };
        old.asks.retain(|ask| !ask.is_open());
        for fact in facts.iter().filter(|fact| matches!(fact, Fact::SessionEnded { .. })) {
            old.apply(fact, now);
        }
    }
}

fn by_question(question: &str) -> Command {
    Command::AnswerOne { ask: None, question: question.into(), entry: entry("a") }
}

/// Restores any session that an earlier step made, restored ones included.
fn restores(step: &Step, at: usize) -> (Role, SessionRef, Command) {
    let from = SessionId(step.about + if step.anew { 20_000 } else { 10_000 });
    let (session, reason) = (SessionId(20_000 + at as u128), "again".to_owned());
    let restore = Command::Restore { session, from, to: None, asks: Vec::new(), reason };
    (Role::Person, SessionRef::Id(session), restore)
}

fn order(step: &Step, at: usize, now: Timestamp) -> Order {
    let q = format!("q{}", step.ask);
    let place = format!("s{}", step.session);
    let origin = if step.session == 3 { Origin::Derived } else { Origin::Named };
    let fresh = SessionId(10_000 + at as u128);
    let named = SessionRef::Named { external_id: place, origin, fresh };
    let asks = |questions, terms| {
        // Fresh ids, as the desk hands them out; the content is one of a few.
        let mut new = asking(1000 + at as u128, questions, terms);
        new.fingerprint = [u8::try_from(step.ask % 5).unwrap_or(0); 16];
        new.known_by = if step.ask.is_multiple_of(2) { KnownBy::Place } else { KnownBy::Nothing };
        Command::Ask(Box::new(new))
    };
    let before = format!("q{}", step.ask.saturating_sub(1));
    // An ask that was made in an earlier step, if that step made one.
    let made = AskId(step.about + if step.anew { 5000 } else { 1000 });
    let of_made = SessionRef::OfAsk(made);
    let either = filled(&[(&q, ["a", "b"][usize::from(step.session % 2)])]);
    let (usual, session, command) = match step.what {
        0 => (Role::Agent, named, asks(vec![question(&q)], Terms::default())),
        1 => (Role::Agent, named, asks(vec![question(&q), question(&before)], timed(20))),
        2 => (Role::Agent, named, asks(vec![waiting(&q, &before, "a"), question("w")], Terms::default())),
        3 => (
            Role::Agent,
            named,
            asks(vec![waiting(&q, &before, "b")], Terms { late: Late::Keep, ..timed(5) }),
        ),
        4 => {
            let terms = Terms { parent_question: Some(before.as_str().into()), ..Terms::default() };
            (Role::Agent, named, asks(vec![question(&q)], terms))
        }
        5 => {
            let terms = Terms {
                idempotency_key: Some(format!("k{}", step.ask % 3)),
                purpose: Purpose::Permission,
                ..Terms::default()
            };
            (Role::Agent, named, asks(vec![question(&q)], terms))
        }
        6 => {
            let tool_use = Some(format!("t{}", step.ask % 3));
            (Role::Agent, named, asks(vec![question(&q)], Terms { tool_use, ..Terms::default() }))
        }
        7 | 8 => (Role::Person, named, by_question(&q)),
        9 => (Role::Person, of_made, Command::Answer { ask: made, entries: either }),
        10 => (Role::Person, of_made, Command::Save { ask: made, entries: filled(&[(&q, "b")]) }),
        11 => (Role::Person, of_made, Command::Decline { ask: made, reason: None }),
        12 => (Role::Server, of_made, Command::Expire { ask: made }),
        13 => (Role::Agent, of_made, Command::Acknowledge { ask: made }),
        14 => (Role::Person, of_made, Command::Reopen { ask: made, as_new: AskId(5000 + at as u128) }),
        15 => (Role::Agent, of_made, Command::Withdraw { ask: made, reason: None }),
        16 => (Role::Agent, of_made, Command::Deliver { asks: vec![made] }),
        17 => (Role::Person, of_made, Command::Hold { ask: made, entries: either, grace: GRACE }),
        18 => (Role::Person, of_made, Command::TakeBack { ask: made }),
        19 => restores(step, at),
        _ => {
            let session = SessionId(10_000 + step.about);
            (Role::Server, SessionRef::Id(session), Command::EndSession { session })
        }
    };
    // Mostly whoever may, sometimes anybody.
    let role = match step.role {
        0 => Role::Agent,
        1 => Role::Person,
        2 => Role::Server,
        _ => usual,
    };
    Order { actor: actor(role, "ann"), session, command, now }
}

/// Runs the steps on both and compares every decision, and in the end every ask and session.
pub(crate) async fn agree(store: &Arc<dyn Store>, limits: DeskLimits, steps: &[Step]) {
    let mut model = Model::new(limits);
    let mut now = START;
    for (at, step) in steps.iter().enumerate() {
        now = now.after(Duration::from_secs(step.wait));
        let order = order(step, at, now);
        let expected = model.commit(&order);
        let got = store.commit(order.clone()).await;
        match (expected, got) {
            (Ok((facts, ask, joined)), Ok(committed)) => {
                let told: Vec<Fact> =
                    committed.facts.iter().map(|fact| (**fact.fact.as_ref().unwrap()).clone()).collect();
                assert_eq!(told, facts, "{order:?}");
                assert_eq!((committed.ask.map(|ask| ask.id), committed.joined), (ask, joined), "{order:?}");
            }
            (Err(expected), Err(StoreError::Refused(got))) => assert_eq!(got, expected, "{order:?}"),
            (expected, got) => panic!("{order:?}\n expected {expected:?}\n got {got:?}"),
        }
    }
    same(store, &model).await;
}

async fn same(store: &Arc<dyn Store>, model: &Model) {
    for (id, view) in &model.views {
        assert_eq!(store.session(*id).await.unwrap().as_ref(), view.session.as_deref());
        assert_eq!(store.asks_of(*id, 0, 1000).await.unwrap(), view.asks);
    }
    let open: usize = model.views.values().map(|view| view.open().count()).sum();
    assert_eq!(store.open_asks(None, 1000).await.unwrap().len(), open);
    assert_eq!(store.counts().await.unwrap().open_asks, open as u64);
    super::served::is_whole(store).await;
    let verified = store.verify(1).await.unwrap();
    assert_eq!((verified.broken, verified.upto), (None, store.head().await.unwrap()));
}
