//! Loads what must be known to decide a command, and nothing else.

use std::sync::Arc;

use askuser_core::command::Command;
use askuser_core::decide::{Refusal, View};
use askuser_core::id::{AskId, SessionId, UserId};
use askuser_core::limits::DeskLimits;

use super::hot::{Hot, HotSession};
use super::session;
use crate::db::{Local, at_once, cells};
use crate::fail::Fail;
use crate::plan::{self, Needed};
use crate::sql::asks::{self, Found};
use crate::sql::sessions::{self, Line};
use crate::sql::tasks;
use crate::{Order, SessionRef};

/// What a command finds.
pub(super) struct Scene {
    pub(super) view: View,
    /// The session's place in the table, and what else is in memory of it. None where there is no
    /// session.
    pub(super) hot: Option<HotSession>,
    /// The view's asks as they were found; new ones come after.
    pub(super) found: Vec<Found>,
    /// What a session must be opened as before the command.
    pub(super) opens: Option<Command>,
    /// A session that ended and gives its name to the one that is opened.
    pub(super) superseded: Option<i64>,
    /// The session that is restored.
    pub(super) from: Option<HotSession>,
}

impl Scene {
    /// Puts asks into view.
    fn show(&mut self, found: Vec<Found>) {
        self.view.asks = found.iter().map(|found| Arc::clone(&found.ask)).collect();
        self.found = found;
    }
}

/// Loads the scene of an order, and puts the right session id into its command.
pub(super) fn load(db: &Local, hot: &mut Hot, limits: DeskLimits, order: &mut Order) -> Result<Scene, Fail> {
    let found = find(db, hot, order)?;
    let creates = plan::makes_session(&order.command);
    let ended = |found: &HotSession| found.is_over(order.now, limits.session_idle);
    let by_name = plan::name(order).is_some();
    let mut scene = Scene {
        view: View { limits, ..View::default() },
        hot: None,
        found: Vec::new(),
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
        scene.show(hot_session.open.clone());
    }
    if let Command::Restore { from, .. } = order.command {
        load_restored(db, hot, &mut scene, from)?;
    }
    let line = match scene.hot.as_ref().or(scene.from.as_ref()) {
        Some(hot) => at_once(sessions::line(db.db(), &hot.session))?,
        None => Line::new(),
    };
    load_named(db, &mut scene, &order.command, (id, &line))?;
    load_conditions(db, &mut scene, &order.command, &line)?;
    let owner = scene.view.session.as_ref().map_or(&order.actor.user, |session| &session.owner).clone();
    load_limits(db, &mut scene, &owner, &order.command, &line)?;
    Ok(scene)
}

fn find(db: &Local, hot: &mut Hot, order: &Order) -> Result<Option<HotSession>, Fail> {
    if let Some((owner, external_id)) = plan::name(order) {
        if let Some(id) = hot.named(owner, external_id) {
            return Ok(hot.take(id));
        }
        let found = at_once(sessions::named(db.db(), owner, external_id))?;
        let found = found.map(|found| whole(db, hot, found)).transpose()?;
        return Ok(found.map(|found| found.holding_name(true)));
    }
    let id = match order.session {
        SessionRef::Id(id) => id,
        SessionRef::OfAsk(ask) => {
            if let Some(id) = hot.session_of(ask) {
                id
            } else {
                let sql = "SELECT session FROM ask WHERE id = ?1";
                let found = at_once(db.db().one(sql, cells![ask], |row| row.get(0)))?;
                found.ok_or(Refusal::AskNotFound)?
            }
        }
        SessionRef::Named { .. } => return Ok(None),
    };
    if hot.has(id) {
        return Ok(hot.take(id));
    }
    at_once(sessions::by_id(db.db(), id))?.map(|found| whole(db, hot, found)).transpose()
}

/// Puts the session that is restored into view, with what is open in it.
fn load_restored(db: &Local, hot: &mut Hot, scene: &mut Scene, from: SessionId) -> Result<(), Fail> {
    let found = match hot.take(from) {
        Some(known) => Some(known),
        None => at_once(sessions::by_id(db.db(), from))?.map(|found| whole(db, hot, found)).transpose()?,
    };
    let Some(found) = found else { return Ok(()) };
    let holder = match &found.session.external_id {
        Some(name) => at_once(sessions::named(db.db(), &found.session.owner, name))?.map(|it| it.session.id),
        None => None,
    };
    let at_work = found.task.as_ref().is_some_and(|task| task.state.is_alive());
    scene.view.restoring = Some(plan::restoring(&found.session, holder == Some(from), at_work));
    scene.show(found.open.clone());
    if holder == Some(from) {
        scene.superseded = Some(found.n);
    }
    scene.from = Some(found);
    Ok(())
}

/// A session with its open asks; the copy in memory where there is one.
fn whole(db: &Local, hot: &mut Hot, found: sessions::Found) -> Result<HotSession, Fail> {
    if let Some(known) = hot.take(found.session.id) {
        return Ok(known);
    }
    let id = found.session.id;
    let (n, last_fact) = session::place(&db.get(), id)?;
    let open = at_once(asks::open_in(db.db(), id))?;
    let task = at_once(tasks::in_session(db.db(), id))?;
    Ok(HotSession::new(n, Arc::new(found.session), last_fact, open).with(found.n_closed, task))
}

/// Loads the ask that the command names, or the one that has its question.
fn load_named(
    db: &Local,
    scene: &mut Scene,
    command: &Command,
    (session, line): (Option<SessionId>, &Line),
) -> Result<(), Fail> {
    let Some(hot) = &scene.hot else { return Ok(()) };
    let known = |id: AskId| hot.open.iter().any(|found| found.ask.id == id);
    let found = match plan::needed(command) {
        Needed::Nothing => Vec::new(),
        Needed::Unfetched => at_once(asks::unfetched_in(db.db(), hot.session.id))?,
        Needed::Having(question) => {
            let open = hot.open.iter().any(|found| found.ask.has(question));
            if open {
                Vec::new()
            } else {
                at_once(asks::latest_having(db.db(), line, question))?.into_iter().collect()
            }
        }
        Needed::Asks(asks) => {
            let mut found = Vec::with_capacity(asks.len());
            for ask in asks.iter().copied().filter(|ask| !known(*ask)) {
                match hot.ask(ask) {
                    Some(recent) => found.push(recent.clone()),
                    None => found.extend(at_once(asks::by_id(db.db(), ask))?),
                }
            }
            found
        }
    };
    // An ask of another session is not there, but for a question that was answered where this one goes on from.
    let by_question = matches!(plan::needed(command), Needed::Having(_));
    for found in found.into_iter().filter(|found| by_question || Some(found.ask.session) == session) {
        scene.view.asks.push(Arc::clone(&found.ask));
        scene.found.push(found);
    }
    Ok(())
}

/// Loads the answers that pending asks and a new one wait for.
fn load_conditions(db: &Local, scene: &mut Scene, command: &Command, line: &Line) -> Result<(), Fail> {
    for question in plan::conditions(&scene.view, command) {
        scene.view.answered.extend(at_once(asks::latest_answer(db.db(), line, &question))?);
    }
    Ok(())
}

fn load_limits(
    db: &Local,
    scene: &mut Scene,
    owner: &UserId,
    command: &Command,
    line: &Line,
) -> Result<(), Fail> {
    if plan::counts(&scene.view, scene.opens.as_ref(), command) {
        let max = scene.view.limits.active_sessions_max;
        let n = scene.hot.as_ref().or(scene.from.as_ref()).map(|hot| hot.n);
        scene.view.n_other_active_sessions = session::n_others_active(&db.get(), owner, n, max)?;
    }
    if let Command::Ask(new) = command {
        if let Some(key) = &new.terms.idempotency_key {
            let sql =
                "SELECT id FROM ask WHERE owner = ?1 AND idempotency_key = ?2 AND idempotency_key IS NOT NULL
                 ORDER BY n DESC LIMIT 1";
            if let Some(id) = at_once(db.db().one(sql, cells![owner, key], |row| row.get(0)))? {
                scene.view.same_key = at_once(asks::by_id(db.db(), id))?.map(|found| found.ask);
            }
        }
        if let (Some(parent), Some(hot)) = (&new.terms.parent_question, &scene.hot) {
            scene.view.parent_depth = at_once(asks::depth_of(db.db(), (line, hot.session.id), parent))?;
        }
        if let Some(hot) = scene.hot.as_ref().filter(|_| new.may_be_missed()) {
            let found = at_once(asks::missed_in(db.db(), hot.session.id))?;
            scene.view.missed = found.into_iter().map(|found| found.ask).collect();
        }
        let ids = plan::ids_for_session(new, scene.view.session.as_ref());
        scene.view.taken = at_once(asks::taken(db.db(), line, &ids, &[]))?;
    }
    Ok(())
}
