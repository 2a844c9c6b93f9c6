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
        // Declared before the bell, so that it goes after it, however this ends.
        let forget = Forget(self, id);
        // Listen before looking: a close between the two would otherwise be missed.
        let bell = self.0.bulletin.bell(id);
        let ask = self.ask_of(actor, id).await?;
        if !ask.is_open() {
            return Ok(Waited::Closed(ask));
        }
        tokio::select! {
            _rung = bell => {}
            () = tokio::time::sleep(patience.min(PATIENCE_MAX)) => {}
            () = self.0.stopping.cancelled() => {}
        }
        drop(forget);
        // Whatever ended the wait, what is told is how it is now: it may just have closed.
        match self.ask_of(actor, id).await {
            Ok(ask) if ask.is_open() => Ok(Waited::StillOpen(ask)),
            Ok(ask) => Ok(Waited::Closed(ask)),
            // The store closes with the desk: come back and look there.
            Err(_) if self.0.stopping.is_cancelled() => Ok(Waited::StillOpen(ask)),
            Err(error) => Err(error),
        }
    }
}

/// A caller that goes away, however it does, leaves no bell behind.
struct Forget<'a>(&'a Desk, AskId);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.0.bulletin.forget(self.1);
    }
}
