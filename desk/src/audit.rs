//! What is kept for whoever looks into what happened, and what is erased by age (D15).

use askuser_core::time::Timestamp;

use super::{Desk, DeskError};
use askuser_store::audit::{AuditStore, SecurityEvent, no_audit};
use askuser_store::{Numbered, Served, Verified};

/// What is kept for audits.
#[derive(Clone, Copy)]
pub struct Audit<'a>(&'a Desk);

/// What came of walking through everything that is kept.
#[derive(Debug, Clone)]
pub struct Walked {
    /// The chain of facts.
    pub facts: Verified,
    /// The chain of security events.
    pub events: Verified,
    /// Whether what is served is what the facts say.
    pub served: Served,
}

impl Desk {
    /// Returns what is kept for audits.
    pub fn audit(&self) -> Audit<'_> {
        Audit(self)
    }
}

impl Audit<'_> {
    fn store(&self) -> Result<&dyn AuditStore, DeskError> {
        Ok(self.0.0.store.audit().ok_or_else(no_audit)?)
    }

    /// Adds security events to their chain.
    pub async fn add_events(self, events: Vec<SecurityEvent>) -> Result<(), DeskError> {
        Ok(self.store()?.add_events(events).await?)
    }

    /// Returns the security events after this number, in order.
    pub async fn events(self, after: u64, most: usize) -> Result<Vec<SecurityEvent>, DeskError> {
        Ok(self.store()?.events(after, most).await?)
    }

    /// Returns everybody's facts after this number, in order.
    pub async fn facts_since(self, number: u64, most: usize) -> Result<Vec<Numbered>, DeskError> {
        Ok(self.0.0.store.facts_since(number, most).await?)
    }

    /// Returns where people acted from who made these facts, as far as it is known.
    pub async fn addresses(self, facts: Vec<u64>) -> Result<Vec<(u64, String)>, DeskError> {
        Ok(self.store()?.addresses(facts).await?)
    }

    /// Walks through both chains, and compares what is served with the facts.
    pub async fn verify(self) -> Result<Walked, DeskError> {
        let facts = self.0.0.store.verify(1).await?;
        let audit = self.store()?;
        Ok(Walked { facts, events: audit.verify_events().await?, served: audit.verify_served().await? })
    }

    /// Erases what so many asks tell that ended before this. Returns how many were.
    pub async fn erase_before(self, before: Timestamp, most: usize) -> Result<u64, DeskError> {
        Ok(self.store()?.erase_before(before, most).await?)
    }

    /// Counts the asks that would be erased.
    pub async fn erasable_before(self, before: Timestamp) -> Result<u64, DeskError> {
        Ok(self.store()?.erasable_before(before).await?)
    }
}
