//! What everybody who looks at the desk should know: alerts that fire now (D17).

use std::sync::Arc;

use askuser_core::time::Timestamp;

use super::{Clock, Desk};

/// An alert that fires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Its name.
    pub alert: String,
    /// Since when.
    pub since: Timestamp,
}

impl Desk {
    /// Says what people should know from now on.
    pub fn set_notices(&self, notices: Vec<Notice>) {
        *self.0.notices.write() = notices.into();
    }

    /// Returns what people should know.
    pub fn notices(&self) -> Arc<[Notice]> {
        Arc::clone(&self.0.notices.read())
    }

    /// Returns the clock of the wall.
    pub fn clock(&self) -> Clock {
        Arc::clone(&self.0.clock)
    }
}
