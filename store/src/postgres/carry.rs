//! Carries out one command on the floor of its batch: look, decide, change.

use std::net::IpAddr;
use std::sync::Arc;

use askuser_core::ask::{Ask, State};
use askuser_core::command::Command;
use askuser_core::decide::{Decision, Refusal, View};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::Session;

use super::db::Client;
use super::fact::NewFact;
use super::floor::{Floor, Held};
use crate::chain::Salts;
use crate::db::Db;
use crate::fail::Fail;
use crate::plan::{self, Needed};
use crate::sql::asks::{self, Found};
use crate::sql::sessions::{self, Line};
use crate::{Committed, Order, SessionRef, StoreError, row};

/// What a command has led to. Its facts have their numbers when the batch has its head.
pub(super) struct Carried {
    pub(super) committed: Committed,
    /// Where its facts stand among those of the batch.
    pub(super) facts: std::ops::Range<usize>,
}

/// What a command finds.
struct Scene {
    view: View,
    found: Option<SessionId>,
    /// An ended session that gives its name to a new one.
    superseded: Option<SessionId>,
    opens: Option<Command>,
    /// The session that is restored.
    from: Option<SessionId>,
}

/// Carries out a command. A refusal has changed nothing.
pub(super) async fn carry_out(
    db: &Client,
    floor: &mut Floor,
    salts: &mut Salts,
    order: &mut Order,
    address: Option<IpAddr>,
) -> Result<Carried, Fail> {
    let scene = load(db, floor, order).await?;
    let decided = plan::decision(&scene.view, scene.opens.as_ref(), order)?;
    let begin = floor.facts.len();
    let committed = if decided.facts.is_empty() || (decided.joined && scene.found.is_none()) {
        unchanged(db, floor, scene, &decided).await?
    } else {
        change(db, floor, salts, scene, (order, address), decided).await?
    };
    Ok(Carried { committed, facts: begin..floor.facts.len() })
}

async fn load(db: &Client, floor: &mut Floor, order: &mut Order) -> Result<Scene, Fail> {
    let mut found = floor.find(order);
    if let (SessionRef::OfAsk(ask), None) = (&order.session, found)
        && !floor.asks.contains_key(ask)
    {
        return Err(Refusal::AskNotFound.into());
    }
    let mut superseded = None;
    let idle_max = floor.limits.session_idle;
    let ended = |id: &SessionId| floor.sessions.get(id).is_some_and(|it| it.is_over(order.now, idle_max));
    if plan::name(order).is_some() && plan::makes_session(&order.command) && found.as_ref().is_some_and(ended)
    {
        superseded = found.take();
    }
    let held = found.and_then(|id| floor.sessions.get(&id));
    let (id, opens) = plan::aim(order, held.map(|held| &*held.session));
    let mut view = View { limits: floor.limits, ..View::default() };
    if let Some(held) = held {
        view.session = Some(held.session.clone());
        view.task.clone_from(&held.task);
        let open = held.open.iter().filter_map(|id| floor.asks.get(id));
        view.asks = open.map(|found| Arc::clone(&found.ask)).collect();
    }
    let mut from = None;
    if let Command::Restore { from: id, .. } = order.command
        && let Some(held) = floor.sessions.get(&id)
    {
        let at_work = held.task.as_ref().is_some_and(|task| task.state.is_alive());
        view.restoring = Some(plan::restoring(&held.session, !held.superseded, at_work));
        let open = held.open.iter().filter_map(|id| floor.asks.get(id));
        view.asks = open.map(|found| Arc::clone(&found.ask)).collect();
        superseded = (!held.superseded).then_some(id);
        from = Some(id);
    }
    let line = match found.or(from).and_then(|id| floor.sessions.get(&id)) {
        Some(held) => sessions::line(Db::Postgres(db), &Arc::clone(&held.session)).await?,
        None => Line::new(),
    };
    if let (Some(_), Some(id)) = (found, id) {
        load_needed(db, floor, &mut view, order, (id, &line)).await?;
    }
    for question in plan::conditions(&view, &order.command) {
        floor.write(db).await?;
        view.answered.extend(asks::latest_answer(Db::Postgres(db), &line, &question).await?);
    }
    let mut scene = Scene { view, found, superseded, opens, from };
    load_limits(db, floor, &mut scene, order, &line).await?;
    Ok(scene)
}

/// Puts the ask into view that the command names, or the one that has its question.
async fn load_needed(
    db: &Client,
    floor: &mut Floor,
    view: &mut View,
    order: &Order,
    (session, line): (SessionId, &Line),
) -> Result<(), Fail> {
    let known = |view: &View, id: AskId| view.asks.iter().any(|ask| ask.id == id);
    let found: Vec<Found> = match plan::needed(&order.command) {
        Needed::Nothing => Vec::new(),
        Needed::Asks(ids) => ids.iter().filter_map(|id| floor.asks.get(id).cloned()).collect(),
        Needed::Having(question) if view.open().any(|ask| ask.has(question)) => Vec::new(),
        Needed::Having(question) => {
            floor.write(db).await?;
            asks::latest_having(Db::Postgres(db), line, question).await?.into_iter().collect()
        }
        Needed::Unfetched => {
            floor.write(db).await?;
            asks::unfetched_in(Db::Postgres(db), session).await?
        }
    };
    // An ask of another session is not there, but for a question that was answered where this one goes on from.
    let by_question = matches!(plan::needed(&order.command), Needed::Having(_));
    for found in found.into_iter().filter(|found| by_question || found.ask.session == session) {
        if !known(view, found.ask.id) {
            view.asks.push(Arc::clone(&found.ask));
            floor.asks.entry(found.ask.id).or_insert(found);
        }
    }
    Ok(())
}

async fn load_limits(
    db: &Client,
    floor: &mut Floor,
    scene: &mut Scene,
    order: &Order,
    line: &Line,
) -> Result<(), Fail> {
    let owner = scene.view.session.as_ref().map_or(&order.actor.user, |session| &session.owner).clone();
    if plan::counts(&scene.view, scene.opens.as_ref(), &order.command) {
        scene.view.n_other_active_sessions =
            floor.n_others_active(db, &owner, scene.found.or(scene.from)).await?;
    }
    if let Command::Ask(new) = &order.command {
        if let Some(key) = &new.terms.idempotency_key
            && let Some(id) = floor.with_key(db, &owner, key).await?
        {
            scene.view.same_key = stored(db, floor, id).await?;
        }
        if let (Some(parent), Some(session)) = (&new.terms.parent_question, scene.found) {
            floor.write(db).await?;
            scene.view.parent_depth = asks::depth_of(Db::Postgres(db), (line, session), parent).await?;
        }
        if let Some(session) = scene.view.session.as_ref().filter(|_| new.may_be_missed()) {
            scene.view.missed = missed(db, floor, session.id).await?;
        }
        let ids = plan::ids_for_session(new, scene.view.session.as_ref());
        // What this batch has ended is not written yet.
        let here = line.first().map(|(session, _)| *session);
        let ended = floor.asks.values().filter(|found| Some(found.ask.session) == here);
        let ended: Vec<Arc<Ask>> = ended.map(|found| Arc::clone(&found.ask)).collect();
        scene.view.taken = asks::taken(Db::Postgres(db), line, &ids, &ended).await?;
    }
    Ok(())
}

/// The latest asks of a session that ended and were never handed over, oldest first. What this batch has changed is
/// not written yet.
async fn missed(db: &Client, floor: &Floor, session: SessionId) -> Result<Vec<Arc<Ask>>, Fail> {
    let stored = asks::missed_in(Db::Postgres(db), session).await?;
    let stored = stored.into_iter().filter(|found| !floor.asks.contains_key(&found.ask.id));
    let own = floor.asks.values().filter(|found| found.ask.session == session).cloned();
    let mut asks: Vec<Arc<Ask>> = stored.chain(own).map(|found| found.ask).collect();
    asks.retain(|ask| matches!(ask.state, State::Closed(_)));
    asks.sort_by_key(|ask| (ask.round, ask.id));
    Ok(asks)
}

/// A command that changed nothing: a repeated ask, an outcome taken twice.
async fn unchanged(db: &Client, floor: &Floor, scene: Scene, decided: &Decision) -> Result<Committed, Fail> {
    let here = decided.ask.and_then(|id| scene.view.asks.iter().find(|ask| ask.id == id).cloned());
    let mut session = scene.view.session;
    let ask = match (here, decided.ask) {
        (Some(ask), _) => Some(ask),
        (None, None) => None,
        // The same key in another session of the owner.
        (None, Some(id)) => {
            let ask = stored(db, floor, id).await?;
            if let Some(ask) = &ask {
                session = session_of(db, floor, ask.session).await?;
            }
            ask
        }
    };
    Ok(Committed { facts: Vec::new(), ask, session, joined: decided.joined })
}

async fn stored(db: &Client, floor: &Floor, id: AskId) -> Result<Option<Arc<Ask>>, Fail> {
    match floor.asks.get(&id) {
        Some(found) => Ok(Some(Arc::clone(&found.ask))),
        None => Ok(asks::by_id(Db::Postgres(db), id).await?.map(|found| found.ask)),
    }
}

async fn session_of(db: &Client, floor: &Floor, id: SessionId) -> Result<Option<Arc<Session>>, Fail> {
    match floor.sessions.get(&id) {
        Some(held) => Ok(Some(held.session.clone())),
        None => Ok(sessions::by_id(Db::Postgres(db), id).await?.map(|found| Arc::new(found.session))),
    }
}

async fn change(
    db: &Client,
    floor: &mut Floor,
    salts: &mut Salts,
    scene: Scene,
    (order, address): (&Order, Option<IpAddr>),
    decided: Decision,
) -> Result<Committed, Fail> {
    let Scene { view: View { asks: before, .. }, found, superseded, from, .. } = scene;
    let view = decided.after;
    let Some(session) = view.session.clone() else {
        return Err(StoreError::Damaged("a decision about no session".to_owned()).into());
    };
    // Whatever can fail comes before the first change.
    let facts = new_facts(salts, &view, &session, (order, address), decided.facts)?;
    let ask = match decided.ask {
        Some(id) => match view.asks.iter().find(|ask| ask.id == id) {
            Some(ask) => Some(Arc::clone(ask)),
            None => stored(db, floor, id).await?,
        },
        None => None,
    };
    if let Some(old) = superseded {
        floor.supersede(old);
    }
    let held = found.and_then(|id| floor.sessions.get(&id));
    let mut held = Held {
        session: session.clone(),
        superseded: held.is_some_and(|held| held.superseded),
        task: view.task.clone(),
        open: view.open().map(|ask| ask.id).collect(),
        n_closed: held.map_or(0, |held| held.n_closed),
    };
    let same = |was: &Held| match (&was.task, &held.task) {
        (Some(was), Some(now)) => Arc::ptr_eq(was, now),
        (was, now) => was.is_none() && now.is_none(),
    };
    if !found.and_then(|id| floor.sessions.get(&id)).map_or(held.task.is_none(), same) {
        floor.changed.tasks.push(session.id);
    }
    if let Some(mut held) = from.and_then(|id| floor.sessions.get(&id).cloned()) {
        floor.changed.moved.append(&mut held.open.clone());
        held.open.clear();
        held.session = plan::restored(held.session, order.now);
        floor.put_session(held);
    }
    put_asks(floor, &mut held, &before, &view, &facts);
    floor.put_session(held);
    floor.facts.extend(facts);
    Ok(Committed { facts: Vec::new(), ask, session: Some(session), joined: decided.joined })
}

/// Takes in the asks that changed or are new.
fn put_asks(floor: &mut Floor, held: &mut Held, before: &[Arc<Ask>], view: &View, facts: &[NewFact]) {
    let closed = facts.iter().filter_map(|new| match &*new.fact {
        Fact::Closed { ask, .. } => Some(*ask),
        _ => None,
    });
    let closed: Vec<(AskId, i64)> = closed.zip(held.n_closed + 1..).collect();
    held.n_closed += i64::try_from(closed.len()).unwrap_or(0);
    for (idx, now) in view.asks.iter().enumerate() {
        let was = before.get(idx);
        // What has not been touched is still the same copy.
        if was.is_some_and(|was| Arc::ptr_eq(was, now)) {
            continue;
        }
        let known = floor.asks.get(&now.id);
        let mut dropped = known.map(|found| found.dropped.clone()).unwrap_or_default();
        for fact in facts {
            if let Fact::Settled { ask, dropped: more } = &*fact.fact
                && *ask == now.id
            {
                dropped.extend(more.iter().cloned());
            }
        }
        let ended = closed.iter().find(|(id, _)| *id == now.id).map(|(_, nth)| *nth);
        let closed = ended.or(known.and_then(|found| found.closed));
        if let Some(was) = was {
            let all = was.questions.all().into_iter().map(|question| &question.id);
            let gone = all.filter(|id| !now.has(id)).map(|id| (now.id, id.clone()));
            floor.changed.gone.extend(gone);
        }
        let body = facts.iter().find_map(|new| match &*new.fact {
            Fact::Asked(ask) if ask.id == now.id => Some(new.payload.clone()),
            _ => None,
        });
        let (n, bytes) = known.map_or((0, 0), |found| (found.n, found.bytes));
        floor.put_ask(Found { n, ask: Arc::clone(now), dropped, closed, bytes }, body);
    }
}

fn new_facts(
    salts: &mut Salts,
    view: &View,
    session: &Session,
    (order, address): (&Order, Option<IpAddr>),
    facts: Vec<Fact>,
) -> Result<Vec<NewFact>, StoreError> {
    let no_salt = |error| StoreError::Unavailable(format!("the system has no random numbers: {error}"));
    let new = |fact: Fact| {
        let people = fact.ask().and_then(|ask| view.ask(ask)).and_then(plan::people);
        Ok(NewFact {
            people: plan::read_people(people.as_deref()),
            at: order.now,
            owner: session.owner.clone(),
            session: plan::session_of(&fact, session.id),
            salt: salts.draw().map_err(no_salt)?,
            payload: row::payload_from(plan::session_of(&fact, session.id), &fact, address)?,
            fact: Arc::new(fact),
        })
    };
    facts.into_iter().map(new).collect()
}
