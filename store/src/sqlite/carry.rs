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

use super::fact::{self, NewFact};
use super::hot::{Hot, HotSession};
use super::latest;
use super::scene::{self, Scene};
use super::session::Counted;
use super::{put, session, task};
use crate::chain::Salts;
use crate::db::{Local, at_once};
use crate::fail::Fail;
use crate::sql::asks::{self, Found};
use crate::sql::sessions;
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
    pub(super) changed: Vec<latest::Changed>,
    /// The facts that it added, in order.
    pub(super) facts: Vec<Numbered>,
}

/// Reads the limits as they are now. Nothing panics while they are held.
pub(super) fn read(limits: &RwLock<DeskLimits>) -> DeskLimits {
    *limits.read()
}

/// Carries out a command. A refusal has written nothing.
pub(super) fn carry_out(db: &Local, desk: &mut Desk, order: &mut Order) -> Result<Committed, Fail> {
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
fn unchanged(db: &Local, desk: &mut Desk, scene: Scene, decided: &Decision) -> Result<Committed, Fail> {
    let here = decided.ask.and_then(|id| scene.view.asks.iter().find(|ask| ask.id == id).cloned());
    let mut session = scene.view.session;
    scene.hot.into_iter().for_each(|hot| desk.hot.put(hot));
    let ask = match (here, decided.ask) {
        (Some(ask), _) => Some(ask),
        (None, None) => None,
        // The same key in another session of the owner.
        (None, Some(id)) => {
            let ask = at_once(asks::by_id(db.db(), id))?.map(|found| found.ask);
            if let Some(ask) = &ask {
                session =
                    at_once(sessions::by_id(db.db(), ask.session))?.map(|found| Arc::new(found.session));
            }
            ask
        }
    };
    Ok(Committed { facts: Vec::new(), ask, session, joined: decided.joined })
}

fn write(
    db: &Local,
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
        let counted = Counted { n_open: 0, n_closed: from.n_closed, last_fact };
        session::update(&db.get(), from.n, &from.session, &ended, counted)?;
        from.moved_on(ended);
    }
    let n_closed = scene.hot.as_ref().map_or(0, |hot| hot.n_closed);
    let closed = endings(&decided.facts, n_closed);
    let n_closed = closed.last().map_or(n_closed, |(_, nth)| *nth);
    let counted = Counted { n_open, n_closed, last_fact };
    let mut hot = if let Some(hot) = scene.hot.take() {
        session::update(&db.get(), hot.n, &hot.session, &session, counted)?;
        hot
    } else {
        if let Some(old) = scene.superseded {
            session::supersede(&db.get(), old)?;
        }
        let n = session::insert(&db.get(), &session, counted)?;
        HotSession::new(n, session.clone(), None, Vec::new()).holding_name(true)
    };
    hot.n_closed = n_closed;
    if let Some(now) = &scene.view.task
        && hot.task.as_ref().is_none_or(|was| !Arc::ptr_eq(was, now))
    {
        task::put(&db.get(), hot.task.as_deref(), now)?;
        hot.task = Some(Arc::clone(now));
    }
    let payloads = decided
        .facts
        .iter()
        .map(|fact| row::payload_from(plan::session_of(fact, session.id), fact, desk.address))
        .collect::<Result<Vec<_>, _>>()?;
    for found in changed_asks(&before, &scene, &closed, &decided.facts, &payloads) {
        let found = put_ask(&db.get(), &mut scene, found)?;
        desk.changed.push((found.ask.id, Some((Arc::clone(&found.ask), found.bytes))));
        hot.put(found);
    }
    hot.session = session.clone();
    let facts = add_facts(db, desk, &scene, (&mut hot, from.as_mut()), order, decided.facts, &payloads)?;
    let ask = match decided.ask {
        Some(id) => match scene.view.asks.iter().find(|ask| ask.id == id) {
            Some(ask) => Some(Arc::clone(ask)),
            None => at_once(asks::by_id(db.db(), id))?.map(|found| found.ask),
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

/// The asks that a decision ends, each with which of the session's asks it is to end.
fn endings(facts: &[Fact], n_closed: i64) -> Vec<(AskId, i64)> {
    let ended = facts.iter().filter_map(|fact| match fact {
        Fact::Closed { ask, .. } => Some(*ask),
        _ => None,
    });
    ended.zip(n_closed + 1..).collect()
}

/// An ask that changed or is new, with where it stands among those in view, and its body where it is new.
struct Changed<'a> {
    idx: usize,
    after: Found,
    body: Option<&'a str>,
}

/// The asks that changed or are new.
fn changed_asks<'a>(
    before: &[Arc<Ask>],
    scene: &Scene,
    closed: &[(AskId, i64)],
    facts: &[Fact],
    payloads: &'a [String],
) -> Vec<Changed<'a>> {
    let mut changed = Vec::new();
    for (idx, now) in scene.view.asks.iter().enumerate() {
        // What has not been touched is still the same copy.
        if before.get(idx).is_some_and(|was| Arc::ptr_eq(was, now)) {
            continue;
        }
        let was = scene.found.get(idx);
        let asked = facts.iter().position(|fact| matches!(fact, Fact::Asked(ask) if ask.id == now.id));
        let body = asked.filter(|_| was.is_none()).and_then(|idx| payloads.get(idx)).map(String::as_str);
        let mut dropped = was.map(|was| was.dropped.clone()).unwrap_or_default();
        dropped.extend(plan::dropped(facts, now.id));
        let ended = closed.iter().find(|(id, _)| *id == now.id).map(|(_, nth)| *nth);
        let after = Found {
            n: was.map_or(0, |was| was.n),
            ask: Arc::clone(now),
            dropped,
            closed: ended.or(was.and_then(|was| was.closed)),
            bytes: was.map_or_else(|| asks::weight(body.unwrap_or_default()), |was| was.bytes),
        };
        changed.push(Changed { idx, after, body });
    }
    changed
}

/// Writes an ask that changed or is new.
fn put_ask(db: &Connection, scene: &mut Scene, changed: Changed<'_>) -> Result<Found, Fail> {
    let Changed { idx, mut after, body } = changed;
    if let Some(was) = scene.found.get(idx) {
        put::update(db, was, &after)?;
    } else {
        after.n = put::insert(db, &after, body.unwrap_or_default())?;
    }
    Ok(after)
}

fn add_facts(
    db: &Local,
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
        let no_salt = |error| StoreError::Unavailable(format!("the system has no random numbers: {error}"));
        let people = ask.and_then(|ask| scene.view.ask(ask)).and_then(plan::people);
        let new = NewFact {
            at: order.now,
            kind: row::kind(&fact),
            session: id,
            before: home.last_fact,
            ask,
            salt: desk.salts.draw().map_err(no_salt)?,
            payload,
            is_body: matches!(fact, Fact::Asked(_)),
        };
        desk.head = fact::add(&db.get(), &desk.head, &new)?;
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
