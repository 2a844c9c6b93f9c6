//! Beginning and ending a session.

use std::sync::Arc;

use super::{Barred, Deciding, Refusal, Restoring};
use crate::ask::{Ask, State};
use crate::command::Role;
use crate::entry::note_fault;
use crate::fact::Fact;
use crate::hearing::Hearing;
use crate::id::{AskId, SessionId};
use crate::problem::Problem;
use crate::session::{Origin, Session, SessionStatus};

impl Deciding {
    /// Begins a session. One that is there already and lives is taken as it is.
    pub(super) fn open_session(&mut self, session: Session) -> Result<(), Refusal> {
        if self.view.session.is_some() {
            self.live_session()?;
            return Ok(());
        }
        self.emit(Fact::SessionOpened(Box::new(session)));
        Ok(())
    }

    /// Goes on from an earlier point in a new session (D13), which takes over the name. What is open moves into it as
    /// it is, so that whoever waits notices nothing; what was open at that point and has ended since is asked anew.
    pub(super) fn restore(&mut self, session: Session, asks: &[(AskId, Arc<Ask>)]) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonRestores)?;
        let from = self.view.restoring.clone().filter(|from| self.actor.may_see(&from.session.owner));
        let Restoring { session: from, at_work } = from.ok_or(Refusal::SessionNotFound)?;
        // An agent that is at work goes on in its own session.
        if at_work || self.view.session.is_some() {
            return Err(Refusal::SessionInUse);
        }
        if asks.iter().any(|(_, ask)| ask.owner != from.owner) {
            return Err(Refusal::SessionNotFound);
        }
        if let Some(fault) = session.restore_reason.as_deref().and_then(note_fault) {
            return Err(Refusal::UnfitAnswer(vec![Problem::new("reason", fault)]));
        }
        let open: Vec<AskId> = self.view.open().map(|ask| ask.id).collect();
        // Nobody is asked twice: not what is open, nor what is being asked anew already.
        let is_open =
            |ask: &Ask| self.view.open().any(|open| open.id == ask.id || open.reopens == Some(ask.id));
        let ended: Vec<_> = asks.iter().filter(|(_, ask)| !is_open(ask)).collect();
        let limits = self.view.limits;
        if !(open.is_empty() && ended.is_empty())
            && self.view.n_other_active_sessions >= limits.active_sessions_max
        {
            return Err(Refusal::TooManySessions { max: limits.active_sessions_max });
        }
        if from.status == SessionStatus::Active {
            self.emit(Fact::SessionEnded { session: from.id, status: SessionStatus::Completed });
        }
        // Rounds go on from the last that there ever was: ids that we make say them, and never come again.
        let session = Session {
            external_id: from.external_id.clone(),
            timing: from.timing,
            round: from.round,
            total_rounds: from.total_rounds,
            last_round: from.last_round,
            ..session
        };
        let (id, name) = (session.id, session.given_name().map(Arc::from));
        self.emit(Fact::SessionOpened(Box::new(session)));
        for ask in open {
            self.emit(Fact::Moved { ask, from: from.id, to: id });
        }
        for (as_new, ask) in ended {
            let mut anew = Ask { session: id, session_name: name.clone(), ..self.anew(*as_new, ask) };
            // What was answered then is not what is answered now.
            (anew.entries, anew.hearing) = (Vec::new(), Hearing::default());
            if ask.state != State::Pending {
                // It was shown, so what it waited for had come; here that answer is not known.
                anew.questions = Arc::new(Arc::unwrap_or_clone(anew.questions).settled());
            }
            self.emit(Fact::Asked(Arc::new(anew)));
        }
        Ok(())
    }

    pub(super) fn fresh_session(&self, id: SessionId, origin: Origin) -> Session {
        Session::new(id, self.actor.user.clone(), origin, self.now)
    }

    /// Ends a session, never while an ask in it is open (D5). The agent may at any time; the server
    /// when nothing happened for long enough, and then outcomes nobody fetched become errors.
    pub(super) fn end_session(&mut self, id: SessionId) -> Result<(), Refusal> {
        let is_server = self.actor.role == Role::Server;
        let own = self.view.session.as_ref().filter(|session| self.actor.may_see(&session.owner));
        let own = own.filter(|session| session.status == SessionStatus::Active && session.id == id);
        let is_idle = own.ok_or(Refusal::SessionNotFound)?.is_idle(self.now, self.view.limits.session_idle);
        if self.view.is_in_use() || (is_server && !is_idle) {
            return Err(Refusal::SessionInUse);
        }
        if is_idle && !is_server {
            // Whoever comes after its time finds it ended.
            return Err(Refusal::SessionNotFound);
        }
        let status = if is_server { SessionStatus::Timeout } else { SessionStatus::Completed };
        if status == SessionStatus::Timeout {
            let unfetched: Vec<AskId> = self
                .view
                .asks
                .iter()
                .filter(|ask| matches!(ask.state, State::Closed(_)))
                .map(|ask| ask.id)
                .collect();
            for ask in unfetched {
                self.emit(Fact::Undeliverable { ask });
            }
        }
        self.emit(Fact::SessionEnded { session: id, status });
        Ok(())
    }
}
