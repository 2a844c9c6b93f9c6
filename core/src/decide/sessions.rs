//! Beginning and ending a session.

use super::{Deciding, Refusal};
use crate::ask::State;
use crate::command::Role;
use crate::fact::Fact;
use crate::id::{AskId, SessionId};
use crate::session::{Origin, Session, SessionStatus};

impl Deciding<'_> {
    /// Begins a session. One that is there already and lives is taken as it is.
    pub(super) fn open_session(
        &mut self,
        id: SessionId,
        external_id: Option<String>,
        origin: Origin,
        total_rounds: Option<u32>,
    ) -> Result<(), Refusal> {
        if self.view.session.is_some() {
            self.live_session()?;
            return Ok(());
        }
        let session = Session {
            id,
            owner: self.actor.user.clone(),
            external_id,
            origin,
            status: SessionStatus::Active,
            round: 0,
            total_rounds,
            created_at: self.now,
            last_activity: self.now,
            last_round: None,
        };
        self.emit(Fact::SessionOpened(Box::new(session)));
        Ok(())
    }

    /// Ends a session, never while an ask in it is open (D5). The agent may at any time; the server
    /// when nothing happened for long enough, and then outcomes nobody fetched become errors.
    pub(super) fn end_session(&mut self, id: SessionId) -> Result<(), Refusal> {
        let session = self.live_session()?;
        if session.id != id {
            return Err(Refusal::SessionNotFound);
        }
        if self.view.open().next().is_some() {
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
