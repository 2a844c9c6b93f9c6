//! Why the desk could not.

use askuser_core::decide::Refusal;

use crate::store::StoreError;

/// Why the desk could not.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DeskError {
    /// The rules say no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
    /// The desk is closing and takes no new asks.
    #[error("the desk is closing: come back in a moment")]
    Closing,
}

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Store(other),
        }
    }
}
