//! Loads what must be known to decide a command, and nothing else.

use std::sync::Arc;

use askuser_core::command::{Command, NewAsk};
use askuser_core::condition;
use askuser_core::decide::{Refusal, View};
use askuser_core::id::{AskId, QuestionId, SessionId, UserId};
use askuser_core::limits::DeskLimits;
use askuser_core::session::{Origin, Session, SessionStatus};
use rusqlite::Connection;

use super::error::Fail;
use super::hot::{Hot, HotSession};
use super::{ask, session, task};
use crate::store::{Order, SessionRef};

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
}

/// Loads the scene of an order, and puts the right session id into its command.
pub(super) fn load(
    db: &Connection,
    hot: &mut Hot,
    limits: DeskLimits,
    order: &mut Order,
) -> Result<Scene, Fail> {
    let found = find(db, hot, order)?;
    let creates = matches!(order.command, Command::Ask(_) | Command::OpenSession { .. });
    let ended = |found: &HotSession| found.session.status != SessionStatus::Active;
    let by_name = name(order).is_some();
    let mut scene = Scene {
        view: View { limits, ..View::default() },
        hot: None,
        ns: Vec::new(),
        opens: None,
        superseded: None,
    };
    match found {
        Some(old) if by_name && creates && ended(&old) => {
            scene.superseded = Some(old.n);
            hot.put(old);
        }
        found => scene.hot = found,
    }
    let id = put_in_session(order, &mut scene);
    if let Some(hot_session) = &scene.hot {
        scene.view.session = Some(hot_session.session.clone());
        scene.view.task.clone_from(&hot_session.task);
        let asks = hot_session.open.iter();
        (scene.view.asks, scene.ns) =
            asks.map(|found| (Arc::clone(&found.ask), (found.n, found.bytes))).unzip();
    }
    load_named(db, &mut scene, &order.command, id)?;
    load_conditions(db, &mut scene, &order.command)?;
    let owner = scene.view.session.as_ref().map_or(&order.actor.user, |session| &session.owner).clone();
    load_limits(db, &mut scene, &owner, &order.command)?;
    Ok(scene)
}

/// The name that a command means its session by.
fn name(order: &Order) -> Option<(&UserId, &str)> {
    match (&order.session, &order.command) {
        (SessionRef::Named { external_id, .. }, _) => Some((&order.actor.user, external_id)),
        (SessionRef::Id(_), Command::OpenSession { external_id: Some(external_id), .. }) => {
            Some((&order.actor.user, external_id))
        }
        _ => None,
    }
}

fn find(db: &Connection, hot: &mut Hot, order: &Order) -> Result<Option<HotSession>, Fail> {
    if let Some((owner, external_id)) = name(order) {
        if let Some(id) = hot.named(owner, external_id) {
            return Ok(hot.take(id));
        }
        let found = session::named(db, owner, external_id)?;
        return found.map(|found| whole(db, hot, found)).transpose();
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

/// A session with its open asks; the copy in memory where there is one.
fn whole(db: &Connection, hot: &mut Hot, found: session::Found) -> Result<HotSession, Fail> {
    if let Some(known) = hot.take(found.session.id) {
        return Ok(known);
    }
    let open = ask::open_in(db, found.n)?;
    let task = task::in_session(db, found.n)?;
    Ok(HotSession::new(found.n, found.session, found.last_fact, open).with_task(task))
}

/// Puts the session's own id into the command, and prepares the opening of a new one.
fn put_in_session(order: &mut Order, scene: &mut Scene) -> Option<SessionId> {
    let found: Option<&Session> = scene.hot.as_ref().map(|hot| &hot.session);
    let id = match (&order.session, found) {
        (_, Some(found)) => Some(found.id),
        (SessionRef::Named { fresh, .. }, None) => Some(*fresh),
        (SessionRef::Id(id), None) => Some(*id),
        (SessionRef::OfAsk(_), None) => None,
    };
    let is_new = found.is_none();
    if let SessionRef::Named { external_id, origin, fresh } = &order.session {
        match &mut order.command {
            Command::Ask(new) if is_new => {
                scene.opens = Some(Command::OpenSession {
                    session: *fresh,
                    external_id: Some(external_id.clone()),
                    origin: *origin,
                    total_rounds: new.terms.total_rounds,
                });
            }
            Command::OpenSession { external_id: name, origin: wanted, .. } => {
                *name = Some(external_id.clone());
                *wanted = *origin;
            }
            Command::EndSession { session } => *session = id.unwrap_or(*session),
            _ => {}
        }
    }
    if let Some(id) = id {
        match &mut order.command {
            Command::Ask(new) => new.session = id,
            Command::OpenSession { session, .. } => *session = id,
            _ => {}
        }
    }
    id
}

/// Loads the ask that the command names, or the one that has its question.
fn load_named(
    db: &Connection,
    scene: &mut Scene,
    command: &Command,
    session: Option<SessionId>,
) -> Result<(), Fail> {
    let Some(hot) = &scene.hot else { return Ok(()) };
    let known = |id: AskId| hot.open.iter().any(|found| found.ask.id == id);
    let found = match command {
        Command::OpenSession { .. }
        | Command::Ask(_)
        | Command::Restore { .. }
        | Command::StartTask(_)
        | Command::ResumeTask { .. }
        | Command::SayToTask { .. }
        | Command::MoveTask { .. }
        | Command::Tell { .. } => Vec::new(),
        Command::EndSession { .. } => ask::unfetched_in(db, hot.n)?,
        Command::AnswerOne { question, .. } => {
            let open = hot.open.iter().any(|found| found.ask.has(question));
            if open { Vec::new() } else { ask::latest_having(db, hot.n, question)?.into_iter().collect() }
        }
        Command::Save { ask, .. }
        | Command::Answer { ask, .. }
        | Command::Decline { ask, .. }
        | Command::AnswerByRule { ask, .. }
        | Command::Withdraw { ask, .. }
        | Command::Expire { ask }
        | Command::Deliver { ask }
        | Command::Acknowledge { ask }
        | Command::Reopen { ask, .. } => match hot.ask(*ask) {
            Some(_) if known(*ask) => Vec::new(),
            Some(recent) => vec![recent.clone()],
            None => ask::by_id(db, *ask)?.into_iter().collect(),
        },
    };
    // An ask of another session is not there.
    for found in found.into_iter().filter(|found| Some(found.ask.session) == session) {
        scene.view.asks.push(found.ask);
        scene.ns.push((found.n, found.bytes));
    }
    Ok(())
}

/// Loads the answers that pending asks and a new one wait for.
fn load_conditions(db: &Connection, scene: &mut Scene, command: &Command) -> Result<(), Fail> {
    let Some(hot) = &scene.hot else { return Ok(()) };
    let mut named: Vec<QuestionId> = Vec::new();
    for ask in scene.view.open().filter(|ask| ask.state == askuser_core::ask::State::Pending) {
        let others = condition::on_other_asks(&ask.questions);
        named.extend(others.into_iter().map(|(_, condition)| condition.question.clone()));
    }
    if let Command::Ask(new) = command {
        named.extend(conditions(new));
    }
    named.sort();
    named.dedup();
    for question in named {
        scene.view.answered.extend(ask::latest_answer(db, hot.n, &question)?);
    }
    Ok(())
}

/// Every condition of a new ask: ids that we made change their names when the round is known, so
/// which are about other asks is not known yet.
fn conditions(new: &NewAsk) -> Vec<QuestionId> {
    let all = new.questions.all().into_iter();
    all.filter_map(|question| question.depends_on.as_ref()).map(|on| on.question.clone()).collect()
}

fn load_limits(db: &Connection, scene: &mut Scene, owner: &UserId, command: &Command) -> Result<(), Fail> {
    let origin = match (&scene.view.session, &scene.opens) {
        (Some(session), _) => Some(session.origin),
        (None, Some(Command::OpenSession { origin, .. })) => Some(*origin),
        (None, _) if matches!(command, Command::Restore { .. }) => Some(Origin::Named),
        (None, _) => None,
    };
    let counts = matches!(command, Command::Ask(_) | Command::Reopen { .. } | Command::Restore { .. })
        && origin.is_some_and(|origin| origin != Origin::Derived)
        && scene.view.open().next().is_none();
    if counts {
        let max = scene.view.limits.active_sessions_max;
        let n = scene.hot.as_ref().map(|hot| hot.n);
        scene.view.n_other_active_sessions = session::n_others_active(db, owner, n, max)?;
    }
    if let Command::Ask(new) = command {
        if let Some(key) = &new.terms.idempotency_key {
            scene.view.same_key = ask::with_key(db, owner, key)?;
        }
        if let (Some(parent), Some(hot)) = (&new.terms.parent_question, &scene.hot) {
            scene.view.parent_depth = ask::depth_of(db, hot.n, parent)?;
        }
    }
    Ok(())
}
