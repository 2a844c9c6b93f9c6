//! What was said in a session, as its facts have it.

use askuser_core::id::SessionId;

use super::{Desk, DeskError, LIST_MAX};
use askuser_store::Numbered;

impl Desk {
    /// Returns the last facts of a session before a number, in order; before its end where none is
    /// given.
    pub async fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Numbered>, DeskError> {
        Ok(self.0.store.facts_before(session, before, most.min(LIST_MAX)).await?)
    }

    /// Returns the facts of a session after a number, in order.
    pub async fn facts_after(
        &self,
        session: SessionId,
        after: u64,
        most: usize,
    ) -> Result<Vec<Numbered>, DeskError> {
        Ok(self.0.store.facts_of(session, after, most.min(LIST_MAX)).await?)
    }
}
