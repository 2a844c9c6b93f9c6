//! Carries out one command inside the batch's transaction: load, decide, write.

use std::mem;
use std::net::IpAddr;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::decide::Decision;
use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::limits::DeskLimits;
use parking_lot::RwLock;
use rusqlite::Connection;

use super::ask::{self, weight};
use super::fact::{self, NewFact};
use super::hot::{Hot, HotSession};
use super::latest::Changed;
use super::scene::{self, Scene};
use super::{put, session, task};
use crate::chain::Salts;
use crate::fail::Fail;
use crate::{Committed, Figures, Head, Numbered, Order, StoreError, plan, row};

/// What the writer works with besides the connection.
pub(super) struct Desk {
    pub(super) limits: Arc<RwLock<DeskLimits>>,
    pub(super) hot: Hot,
    pub(super) figures: Figures,
    /// Where the command at hand came from.
    pub(super) address: Option<IpAddr>,
    pub(super) salts: Salts,
    /// The head as this transaction sees it.
    pub(super) head: Head,
    /// The asks that this transaction changed, in order.
    pub(super) changed: Vec<Changed>,
    /// The facts that it added, in order.
    pub(super) facts: Vec<Numbered>,
}

/// Reads the limits as they are now. Nothing panics while they are held.
pub(super) fn read(limits: &RwLock<DeskLimits>) -> DeskLimits {
    *limits.read()
}

/// Carries out a command. A refusal has written nothing.
pub(super) fn carry_out(db: &Connection, desk: &mut Desk, order: &mut Order) -> Result<Committed, Fail> {
    let scene = scene::load(db, &mut desk.hot, read(&desk.limits), order)?;
    let decided = plan::decision(&scene.view, scene.opens.as_ref(), order);
    let decided = match decided {
        Ok(decided) => decided,
        Err(refusal) => {
            // Nothing has changed, so what was in memory still holds.
            scene.hot.into_iter().chain(scene.from).for_each(|hot| desk.hot.put(hot));
            return Err(refusal.into());
        }
    };
    if decided.facts.is_empty() || (decided.joined && scene.hot.is_none()) {
        return unchanged(db, desk, scene, &decided);
    }
    write(db, desk, scene, order, decided).map_err(Fail::after_writing)
}

/// A command that changed nothing: a repeated ask, an outcome taken twice.
fn unchanged(db: &Connection, desk: &mut Desk, scene: Scene, decided: &Decision) -> Result<Committed, Fail> {
    let here = decided.ask.and_then(|id| scene.view.asks.iter().find(|ask| ask.id == id).cloned());
    let mut session = scene.view.session;
    scene.hot.into_iter().for_each(|hot| desk.hot.put(hot));
    let ask = match (here, decided.ask) {
        (Some(ask), _) => Some(ask),
        (None, None) => None,
        // The same key in another session of the owner.
        (None, Some(id)) => {
            let ask = ask::by_id(db, id)?.map(|found| found.ask);
            if let Some(ask) = &ask {
                session = session::by_id(db, ask.session)?.map(|found| Arc::new(found.session));
            }
            ask
        }
    };
    Ok(Committed { facts: Vec::new(), ask, session, joined: decided.joined })
}

fn write(
    db: &Connection,
    desk: &mut Desk,
    mut scene: Scene,
    order: &Order,
    decided: Decision,
) -> Result<Committed, Fail> {
    let before = mem::replace(&mut scene.view, decided.after).asks;
    let Some(session) = scene.view.session.clone() else {
        return Err(StoreError::Damaged("a decision about no session".to_owned()).into());
    };
    let n_open = scene.view.open().count();
    let last_fact = desk.head.number + decided.facts.len() as u64;
    let mut from = scene.from.take();
    if let Some(from) = &mut from {
        let ended = plan::restored(Arc::clone(&from.session), order.now);
        let is_its = |fact: &Fact| plan::session_of(fact, session.id) == from.session.id;
        let number = decided.facts.iter().position(is_its).map(|idx| desk.head.number + 1 + idx as u64);
        let last_fact = number.or(from.last_fact).unwrap_or_default();
        session::update(db, from.n, &from.session, &ended, 0, last_fact)?;
        from.moved_on(ended);
    }
    let mut hot = if let Some(hot) = scene.hot.take() {
        session::update(db, hot.n, &hot.session, &session, n_open, last_fact)?;
        hot
    } else {
        if let Some(old) = scene.superseded {
            session::supersede(db, old)?;
        }
        let n = session::insert(db, &session, n_open, last_fact)?;
        HotSession::new(n, session.clone(), None, Vec::new()).holding_name(true)
    };
    if let Some(now) = &scene.view.task
        && hot.task.as_ref().is_none_or(|was| !Arc::ptr_eq(was, now))
    {
        task::put(db, hot.n, hot.task.as_deref(), now)?;
        hot.task = Some(Arc::clone(now));
    }
    let payloads = decided
        .facts
        .iter()
        .map(|fact| row::payload_from(plan::session_of(fact, session.id), fact, desk.address))
        .collect::<Result<Vec<_>, _>>()?;
    put_asks(db, desk.head.number + 1, &before, &mut scene, &mut hot, &decided.facts, &payloads)?;
    for (idx, (now, (_, bytes))) in scene.view.asks.iter().zip(&scene.ns).enumerate() {
        if before.get(idx).is_none_or(|was| !Arc::ptr_eq(was, now)) {
            desk.changed.push((now.id, Some((Arc::clone(now), *bytes))));
        }
    }
    hot.session = session.clone();
    let facts = add_facts(db, desk, &scene, (&mut hot, from.as_mut()), order, decided.facts, &payloads)?;
    let ask = match decided.ask {
        Some(id) => match scene.view.asks.iter().find(|ask| ask.id == id) {
            Some(ask) => Some(Arc::clone(ask)),
            None => ask::by_id(db, id)?.map(|found| found.ask),
        },
        None => None,
    };
    if let Some(from) = from {
        desk.hot.put(from);
    }
    desk.hot.put(hot);
    desk.facts.extend_from_slice(&facts);
    Ok(Committed { facts, ask, session: Some(session), joined: decided.joined })
}

/// Writes the asks that changed or are new.
fn put_asks(
    db: &Connection,
    first_number: u64,
    before: &[Arc<Ask>],
    scene: &mut Scene,
    hot: &mut HotSession,
    facts: &[Fact],
    payloads: &[String],
) -> Result<(), Fail> {
    for (idx, now) in scene.view.asks.iter().enumerate() {
        let closed = position(facts, now.id, |fact| matches!(fact, Fact::Closed { .. }));
        let closed = closed.map(|idx| first_number + idx as u64);
        if let (Some(was), Some((n, bytes))) = (before.get(idx), scene.ns.get(idx)) {
            // What has not been touched is still the same copy.
            if !Arc::ptr_eq(was, now) {
                put::update(db, *n, hot.n, was, now, closed)?;
                hot.put(*n, now, *bytes);
            }
        } else {
            let asked = position(facts, now.id, |fact| matches!(fact, Fact::Asked(_)));
            let body = asked.and_then(|idx| payloads.get(idx)).map_or("", String::as_str);
            let n = put::insert(db, hot.n, now, body, &plan::dropped(facts, now.id), closed)?;
            hot.put(n, now, weight(body));
            scene.ns.push((n, weight(body)));
        }
    }
    Ok(())
}

fn add_facts(
    db: &Connection,
    desk: &mut Desk,
    scene: &Scene,
    (hot, mut from): (&mut HotSession, Option<&mut HotSession>),
    order: &Order,
    facts: Vec<Fact>,
    payloads: &[String],
) -> Result<Vec<Numbered>, Fail> {
    let mut numbered = Vec::with_capacity(facts.len());
    for (fact, payload) in facts.into_iter().zip(payloads) {
        let ask = fact.ask();
        let id = plan::session_of(&fact, hot.session.id);
        let home = match &mut from {
            Some(from) if from.session.id == id => &mut **from,
            _ => &mut *hot,
        };
        let place = ask.and_then(|id| scene.view.asks.iter().position(|ask| ask.id == id));
        let no_salt = |error| StoreError::Unavailable(format!("the system has no random numbers: {error}"));
        let people = place.and_then(|idx| scene.view.asks.get(idx)).and_then(|ask| plan::people(ask));
        let new = NewFact {
            at: order.now,
            kind: row::kind(&fact),
            session_n: home.n,
            before: home.last_fact,
            ask_n: place.and_then(|idx| scene.ns.get(idx)).map(|(n, _)| *n),
            salt: desk.salts.draw().map_err(no_salt)?,
            payload,
            is_body: matches!(fact, Fact::Asked(_)),
        };
        desk.head = fact::add(db, &desk.head, &new)?;
        home.last_fact = Some(desk.head.number);
        numbered.push(Numbered {
            number: desk.head.number,
            at: order.now,
            owner: home.session.owner.clone(),
            session: home.session.id,
            people: plan::read_people(people.as_deref()),
            ask,
            fact: Some(Arc::new(fact)),
        });
    }
    Ok(numbered)
}

/// Where among the facts of a decision one about this ask stands.
fn position(facts: &[Fact], ask: AskId, is: impl Fn(&Fact) -> bool) -> Option<usize> {
    facts.iter().position(|fact| is(fact) && fact.ask() == Some(ask))
}
