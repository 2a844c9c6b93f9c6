//! Why the desk could not.

use askuser_core::decide::Refusal;

use askuser_store::StoreError;
use askuser_wire::failure::Failure;

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

/// As every doorway says it.
impl From<DeskError> for Failure {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Refused(refusal) | DeskError::Store(StoreError::Refused(refusal)) => {
                Self::from(&refusal)
            }
            DeskError::Closing => {
                Self::unavailable("the desk is closing: come back in a moment", "服务正在停止，请稍后再来")
            }
            DeskError::Store(StoreError::Unavailable(what)) => {
                tracing::error!(what, "The store is not available: {what}");
                Self::unavailable(
                    "the store is not available: nothing was changed, try again in a moment",
                    "存储暂不可用：没有任何改动，请稍后再试",
                )
            }
            DeskError::Store(StoreError::Full(what)) => {
                tracing::error!(what, "The disk takes no more: {what}");
                Self::unavailable(
                    "the disk takes no more, and nothing was changed: make room on the disk, then try again",
                    "磁盘已写不下，没有任何改动：请先腾出磁盘空间，然后重试",
                )
            }
            DeskError::Store(StoreError::NotFlushed(what)) => {
                tracing::error!(what, "A flush has failed: {what}");
                Self::unavailable(
                    "the disk did not take what was written: look after the disk, then restart askuser",
                    "磁盘未能写入数据：请先检查磁盘，然后重启 askuser",
                )
            }
            DeskError::Store(StoreError::Unsure(what)) => {
                tracing::error!(what, "The store went away in the middle: {what}");
                Self::unavailable(
                    "the store went away before it could say whether this was kept: try again in a moment, and \
                     what was kept is found",
                    "存储在确认之前断开：请稍后重试，已保存的内容会被找到",
                )
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
                "look after the disk, then restart askuser",
                "请先检查磁盘，然后重启 askuser",
            ),
        ] {
            let failure = Failure::from(DeskError::from(error));
            assert_eq!((failure.code, failure.retry_after), (Code::Unavailable, Some(COME_BACK)));
            assert!(failure.english.contains(english), "{}", failure.english);
            assert!(failure.chinese.contains(chinese), "{}", failure.chinese);
        }
    }
}
