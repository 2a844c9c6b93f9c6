//! Loads what must be known to decide a command, and nothing else.

use std::sync::Arc;

use askuser_core::command::Command;
use askuser_core::decide::{Refusal, View};
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::limits::DeskLimits;
use rusqlite::Connection;

use super::hot::{Hot, HotSession};
use super::session::Line;
use super::{ask, session, task};
use crate::fail::Fail;
use crate::plan::{self, Needed};
use crate::{Order, SessionRef};

/// What a command finds.
pub(super) struct Scene {
    pub(super) view: View,
    /// The session's place in the table, and what else is in memory of it. None where there is no
    /// session.
    pub(super) hot: Option<HotSession>,
    /// The places of the view's asks in the table, as far as they have one; new ones come after.
    pub(super) ns: Vec<(i64, usize)>,
    /// What a session must be opened as before the command.
    pub(super) opens: Option<Command>,
    /// A session that ended and gives its name to the one that is opened.
    pub(super) superseded: Option<i64>,
    /// The session that is restored.
    pub(super) from: Option<HotSession>,
}

/// Loads the scene of an order, and puts the right session id into its command.
pub(super) fn load(
    db: &Connection,
    hot: &mut Hot,
    limits: DeskLimits,
    order: &mut Order,
) -> Result<Scene, Fail> {
    let found = find(db, hot, order)?;
    let creates = plan::makes_session(&order.command);
    let ended = |found: &HotSession| found.is_over(order.now, limits.session_idle);
    let by_name = plan::name(order).is_some();
    let mut scene = Scene {
        view: View { limits, ..View::default() },
        hot: None,
        ns: Vec::new(),
        opens: None,
        superseded: None,
        from: None,
    };
    match found {
        Some(old) if by_name && creates && ended(&old) => {
            scene.superseded = Some(old.n);
            hot.put(old.holding_name(false));
        }
        found => scene.hot = found,
    }
    let id;
    (id, scene.opens) = plan::aim(order, scene.hot.as_ref().map(|hot| &*hot.session));
    if let Some(hot_session) = &scene.hot {
        scene.view.session = Some(Arc::clone(&hot_session.session));
        scene.view.task.clone_from(&hot_session.task);
        let asks = hot_session.open.iter();
        (scene.view.asks, scene.ns) =
            asks.map(|found| (Arc::clone(&found.ask), (found.n, found.bytes))).unzip();
    }
    if let Command::Restore { from, .. } = order.command {
        load_restored(db, hot, &mut scene, from)?;
    }
    let line = match scene.hot.as_ref().or(scene.from.as_ref()) {
        Some(hot) => session::line(db, hot.n, &hot.session)?,
        None => Line::new(),
    };
    load_named(db, &mut scene, &order.command, (id, &line))?;
    load_conditions(db, &mut scene, &order.command, &line)?;
    let owner = scene.view.session.as_ref().map_or(&order.actor.user, |session| &session.owner).clone();
    load_limits(db, &mut scene, &owner, &order.command, &line)?;
    Ok(scene)
}

fn find(db: &Connection, hot: &mut Hot, order: &Order) -> Result<Option<HotSession>, Fail> {
    if let Some((owner, external_id)) = plan::name(order) {
        if let Some(id) = hot.named(owner, external_id) {
            return Ok(hot.take(id));
        }
        let found = session::named(db, owner, external_id)?;
        let found = found.map(|found| whole(db, hot, found)).transpose()?;
        return Ok(found.map(|found| found.holding_name(true)));
    }
    let id = match order.session {
        SessionRef::Id(id) => id,
        SessionRef::OfAsk(ask) => match hot.session_of(ask) {
            Some(id) => id,
            None => ask::session_of(db, ask)?.ok_or(Refusal::AskNotFound)?,
        },
        SessionRef::Named { .. } => return Ok(None),
    };
    if hot.has(id) {
        return Ok(hot.take(id));
    }
    session::by_id(db, id)?.map(|found| whole(db, hot, found)).transpose()
}

/// Puts the session that is restored into view, with what is open in it.
fn load_restored(db: &Connection, hot: &mut Hot, scene: &mut Scene, from: SessionId) -> Result<(), Fail> {
    let found = match hot.take(from) {
        Some(known) => Some(known),
        None => session::by_id(db, from)?.map(|found| whole(db, hot, found)).transpose()?,
    };
    let Some(found) = found else { return Ok(()) };
    let holder = match &found.session.external_id {
        Some(name) => session::named(db, &found.session.owner, name)?.map(|holder| holder.session.id),
        None => None,
    };
    let at_work = found.task.as_ref().is_some_and(|task| task.state.is_alive());
    scene.view.restoring = Some(plan::restoring(&found.session, holder == Some(from), at_work));
    (scene.view.asks, scene.ns) =
        found.open.iter().map(|found| (Arc::clone(&found.ask), (found.n, found.bytes))).unzip();
    if holder == Some(from) {
        scene.superseded = Some(found.n);
    }
    scene.from = Some(found);
    Ok(())
}

/// A session with its open asks; the copy in memory where there is one.
fn whole(db: &Connection, hot: &mut Hot, found: session::Found) -> Result<HotSession, Fail> {
    if let Some(known) = hot.take(found.session.id) {
        return Ok(known);
    }
    let open = ask::open_in(db, found.n)?;
    let task = task::in_session(db, found.n)?;
    Ok(HotSession::new(found.n, Arc::new(found.session), found.last_fact, open).with_task(task))
}

/// Loads the ask that the command names, or the one that has its question.
fn load_named(
    db: &Connection,
    scene: &mut Scene,
    command: &Command,
    (session, line): (Option<SessionId>, &Line),
) -> Result<(), Fail> {
    let Some(hot) = &scene.hot else { return Ok(()) };
    let known = |id: AskId| hot.open.iter().any(|found| found.ask.id == id);
    let found = match plan::needed(command) {
        Needed::Nothing => Vec::new(),
        Needed::Unfetched => ask::unfetched_in(db, hot.n)?,
        Needed::Having(question) => {
            let open = hot.open.iter().any(|found| found.ask.has(question));
            if open { Vec::new() } else { ask::latest_having(db, line, question)?.into_iter().collect() }
        }
        Needed::Asks(asks) => {
            let mut found = Vec::with_capacity(asks.len());
            for ask in asks.iter().copied().filter(|ask| !known(*ask)) {
                match hot.ask(ask) {
                    Some(recent) => found.push(recent.clone()),
                    None => found.extend(ask::by_id(db, ask)?),
                }
            }
            found
        }
    };
    // An ask of another session is not there, but for a question that was answered where this one goes on from.
    let by_question = matches!(plan::needed(command), Needed::Having(_));
    for found in found.into_iter().filter(|found| by_question || Some(found.ask.session) == session) {
        scene.view.asks.push(found.ask);
        scene.ns.push((found.n, found.bytes));
    }
    Ok(())
}

/// Loads the answers that pending asks and a new one wait for.
fn load_conditions(db: &Connection, scene: &mut Scene, command: &Command, line: &Line) -> Result<(), Fail> {
    for question in plan::conditions(&scene.view, command) {
        scene.view.answered.extend(ask::latest_answer(db, line, &question)?);
    }
    Ok(())
}

fn load_limits(
    db: &Connection,
    scene: &mut Scene,
    owner: &UserId,
    command: &Command,
    line: &Line,
) -> Result<(), Fail> {
    if plan::counts(&scene.view, scene.opens.as_ref(), command) {
        let max = scene.view.limits.active_sessions_max;
        let n = scene.hot.as_ref().or(scene.from.as_ref()).map(|hot| hot.n);
        scene.view.n_other_active_sessions = session::n_others_active(db, owner, n, max)?;
    }
    if let Command::Ask(new) = command {
        if let Some(key) = &new.terms.idempotency_key {
            scene.view.same_key = ask::with_key(db, owner, key)?.map(|found| found.ask);
        }
        if let (Some(parent), Some(hot)) = (&new.terms.parent_question, &scene.hot) {
            scene.view.parent_depth = ask::depth_of(db, (line, hot.session.id), parent)?;
        }
        if let Some(hot) = scene.hot.as_ref().filter(|_| new.may_be_missed()) {
            scene.view.missed = ask::missed_in(db, hot.n)?;
        }
        for id in plan::ids_for_session(new, scene.view.session.as_ref()) {
            if ask::is_taken(db, line, id)? {
                scene.view.taken.push(id.clone());
            }
        }
    }
    Ok(())
}
