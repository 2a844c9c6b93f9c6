//! What callers call their sessions, for whoever is told a fact: facts know a session by our id.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::fact::Fact;
use askuser_core::id::SessionId;
use parking_lot::Mutex;

use super::{Desk, DeskError};

/// Names that are kept at hand; the others are read again.
const NAMES_MAX: usize = 10_000;

/// The names that sessions were begun under; none for one that was never named.
#[derive(Default)]
pub(super) struct SessionNames(Mutex<HashMap<SessionId, Option<Arc<str>>>>);

impl Desk {
    /// Returns the name that the caller gave to a session, where it gave one, also after it was handed on.
    pub async fn session_name(&self, id: SessionId) -> Result<Option<Arc<str>>, DeskError> {
        let names = || self.0.session_names.0.lock();
        if let Some(name) = names().get(&id) {
            return Ok(name.clone());
        }
        // By the fact of its beginning: a session that goes on elsewhere has handed its name on, and what
        // happened in it before was said under that name.
        let begun = self.0.store.facts_of(id, 0, 1).await?.pop().and_then(|first| first.fact);
        let name: Option<Arc<str>> = match begun.as_deref() {
            Some(Fact::SessionOpened(session)) => session.given_name().map(Arc::from),
            _ => return Ok(None),
        };
        let mut names = names();
        if names.len() >= NAMES_MAX {
            names.clear();
        }
        names.insert(id, name.clone());
        Ok(name)
    }
}
