//! Why the desk could not.

use askuser_core::decide::Refusal;

use askuser_store::StoreError;
use askuser_wire::failure::Failure;
use askuser_words::failed::Failed;

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

impl DeskError {
    /// No secret can be made up now.
    pub(crate) fn no_randomness() -> Self {
        Self::Store(StoreError::Unavailable("the system has no randomness".to_owned()))
    }
}

impl From<StoreError> for DeskError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Store(other),
        }
    }
}

/// As every doorway says it.
impl From<DeskError> for Failure {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Refused(refusal) | DeskError::Store(StoreError::Refused(refusal)) => {
                Self::from(&refusal)
            }
            DeskError::Closing => Self::unavailable(Failed::closing),
            DeskError::Store(StoreError::Unavailable(what)) => {
                tracing::error!(what, "The store is not available: {what}");
                Self::unavailable(Failed::store_away)
            }
            DeskError::Store(StoreError::Full(what)) => {
                tracing::error!(what, "The disk takes no more: {what}");
                Self::unavailable(Failed::disk_full)
            }
            DeskError::Store(StoreError::NotFlushed(what)) => {
                tracing::error!(what, "A flush has failed: {what}");
                Self::unavailable(Failed::not_flushed)
            }
            DeskError::Store(StoreError::Unsure(what)) => {
                tracing::error!(what, "The store went away in the middle: {what}");
                Self::unavailable(Failed::unsure)
            }
            DeskError::Store(StoreError::Damaged(what)) => {
                tracing::error!(what, "The store cannot be read: {what}");
                Self::internal()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use askuser_wire::failure::{COME_BACK, Code};

    use super::*;

    #[test]
    fn a_disk_that_fails_says_what_to_do_in_both_languages() {
        let what = || "the disk".to_owned();
        for (error, english, chinese) in [
            (StoreError::Unavailable(what()), "try again in a moment", "请稍后再试"),
            (StoreError::Full(what()), "make room on the disk, then try again", "请先腾出磁盘空间，然后重试"),
            (
                StoreError::NotFlushed(what()),
                "check the disk, then restart askuser",
                "请先检查磁盘，然后重启 askuser",
            ),
        ] {
            let failure = Failure::from(DeskError::from(error));
            assert_eq!((failure.code, failure.retry_after), (Code::Unavailable, Some(COME_BACK)));
            assert!(failure.message.english.contains(english), "{}", failure.message.english);
            assert!(failure.message.chinese.contains(chinese), "{}", failure.message.chinese);
        }
    }
}
