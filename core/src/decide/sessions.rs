//! Beginning and ending a session.

use std::sync::Arc;

use super::{Deciding, Refusal};
use crate::ask::{Ask, State};
use crate::asker::Timing;
use crate::command::Role;
use crate::entry::note_fault;
use crate::fact::Fact;
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

    /// Goes on from an earlier point in a new session (D13): what was open then is asked anew with
    /// its latest sheet, what was closed stays closed, and nothing of the old one changes.
    pub(super) fn restore(&mut self, session: Session, asks: &[(AskId, Arc<Ask>)]) -> Result<(), Refusal> {
        self.only(&[Role::Person], "only a person goes back to an earlier point")?;
        if self.view.session.is_some() {
            return Err(Refusal::SessionInUse);
        }
        if asks.iter().any(|(_, ask)| !self.actor.may_see(&ask.owner)) {
            return Err(Refusal::SessionNotFound);
        }
        if let Some(fault) = session.restore_reason.as_deref().and_then(note_fault) {
            return Err(Refusal::UnfitAnswer(vec![Problem::new("reason", fault)]));
        }
        let limits = self.view.limits;
        if !asks.is_empty() && self.view.n_other_active_sessions >= limits.active_sessions_max {
            return Err(Refusal::TooManySessions { max: limits.active_sessions_max });
        }
        let id = session.id;
        self.emit(Fact::SessionOpened(Box::new(session)));
        // In the rounds in which they were asked: ids that we made say them, and stay free for no other.
        for (as_new, ask) in asks {
            let mut anew = Ask { session: id, ..self.anew(*as_new, ask) };
            if ask.state != State::Pending {
                // It was shown, so what it waited for had come; here that answer is not known.
                anew.questions = Arc::new(Arc::unwrap_or_clone(anew.questions).settled());
            }
            self.emit(Fact::Asked(Arc::new(anew)));
        }
        Ok(())
    }

    pub(super) fn fresh_session(&self, id: SessionId, origin: Origin) -> Session {
        Session {
            id,
            owner: self.actor.user.clone(),
            external_id: None,
            origin,
            status: SessionStatus::Active,
            round: 0,
            total_rounds: None,
            timing: Timing::default(),
            created_at: self.now,
            last_activity: self.now,
            restore_reason: None,
            last_round: None,
        }
    }

    /// Ends a session, never while an ask in it is open (D5). The agent may at any time; the server
    /// when nothing happened for long enough, and then outcomes nobody fetched become errors.
    pub(super) fn end_session(&mut self, id: SessionId) -> Result<(), Refusal> {
        let session = self.live_session()?;
        if session.id != id {
            return Err(Refusal::SessionNotFound);
        }
        let at_work = self.view.task.as_ref().is_some_and(|task| task.state.is_alive());
        if at_work || self.view.open().next().is_some() {
            return Err(Refusal::SessionInUse);
        }
        let status = match self.actor.role {
            Role::Agent | Role::Person => SessionStatus::Completed,
            Role::Server if self.now.since(session.last_activity) < self.view.limits.session_idle => {
                return Err(Refusal::SessionInUse);
            }
            Role::Server => SessionStatus::Timeout,
        };
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
