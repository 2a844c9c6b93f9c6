//! Waiting for an outcome: misses nothing, survives anything.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::id::AskId;

use super::{Desk, DeskError, PATIENCE_MAX};

/// What came of waiting.
#[derive(Debug, Clone)]
pub enum Waited {
    /// The ask ended.
    Closed(Arc<Ask>),
    /// Not a failure: the ask stays open and the caller may wait again by its id.
    StillOpen(Arc<Ask>),
}

impl Desk {
    /// Waits until the ask ends, the caller's patience does, or the desk closes.
    pub async fn wait(&self, actor: &Actor, id: AskId, patience: Duration) -> Result<Waited, DeskError> {
        // Listen before looking: a close between the two would otherwise be missed.
        let bell = self.0.bulletin.bell(id);
        let ask = match self.ask_of(actor, id).await {
            Ok(ask) if ask.is_open() => ask,
            Ok(ask) => {
                drop(bell);
                self.0.bulletin.forget(id);
                return Ok(Waited::Closed(ask));
            }
            Err(error) => {
                drop(bell);
                self.0.bulletin.forget(id);
                return Err(error);
            }
        };
        let guard = Forget(self, id);
        let rung = tokio::select! {
            rung = bell => rung.is_ok(),
            () = tokio::time::sleep(patience.min(PATIENCE_MAX)) => false,
            () = self.0.stopping.cancelled() => false,
        };
        drop(guard);
        if !rung {
            return Ok(Waited::StillOpen(ask));
        }
        Ok(Waited::Closed(self.ask_of(actor, id).await?))
    }
}

/// A caller that goes away, however it does, leaves no bell behind.
struct Forget<'a>(&'a Desk, AskId);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.0.bulletin.forget(self.1);
    }
}
