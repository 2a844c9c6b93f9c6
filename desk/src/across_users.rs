//! What belongs to any user, for the parts of the program that serve all of them: figures, notifications, the
//! runner. Nobody is shown it without being asked who they are.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, SessionId};
use askuser_core::session::Session;
use askuser_core::task::Task;

use super::{Desk, DeskError};
use askuser_store::{Counts, Figures};

/// Reads what belongs to any user.
#[derive(Clone, Copy)]
pub struct AcrossUsers<'a>(&'a Desk);

impl Desk {
    /// Reads what belongs to any user.
    pub fn across_users(&self) -> AcrossUsers<'_> {
        AcrossUsers(self)
    }

    /// Writes something that changes nothing, to know that writing works.
    pub async fn check_writable(&self) -> Result<(), DeskError> {
        Ok(self.0.store.check_writable().await?)
    }

    /// Returns what the store tells of its own work, as it is now.
    pub fn store_figures(&self) -> Figures {
        self.0.store.figures()
    }
}

impl AcrossUsers<'_> {
    /// Returns an ask, open or ended.
    pub async fn ask(self, id: AskId) -> Result<Option<Arc<Ask>>, DeskError> {
        Ok(self.0.0.store.ask(id).await?)
    }

    /// Returns open asks, each once; goes on after the ask that came last.
    pub async fn open_asks(self, after: Option<AskId>, most: usize) -> Result<Vec<Arc<Ask>>, DeskError> {
        Ok(self.0.0.store.open_asks(after, most).await?)
    }

    /// Returns a session, active or ended.
    pub async fn session(self, id: SessionId) -> Result<Option<Session>, DeskError> {
        Ok(self.0.0.store.session(id).await?)
    }

    /// Returns the tasks that wait for their turn or are at work, in the order in which they were given.
    pub async fn tasks_alive(self, most: usize) -> Result<Vec<Arc<Task>>, DeskError> {
        Ok(self.0.0.store.tasks_alive(most).await?)
    }

    /// Returns how much is stored.
    pub async fn counts(self) -> Result<Counts, DeskError> {
        Ok(self.0.0.store.counts().await?)
    }
}
