//! The one place where whatever failed becomes a failure of the contract, and that an answer.

use std::time::Duration;

use askuser_core::problem::{Fault, Problem};
use askuser_words::Language;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::desk::{DeskError, StoreError};
use crate::wire::failure::{Code, Failure};

/// When to come back where the store is away or the desk is closing.
const COME_BACK: Duration = Duration::from_secs(1);

impl From<DeskError> for Failure {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Refused(refusal) | DeskError::Store(StoreError::Refused(refusal)) => {
                Self::from(&refusal)
            }
            DeskError::Closing => {
                unavailable("the desk is closing: come back in a moment", "服务正在停止，请稍后再来")
            }
            DeskError::Store(StoreError::Unavailable(what)) => {
                tracing::error!(what, "The store is not available: {what}");
                unavailable(
                    "the store is not available: nothing was changed, try again in a moment",
                    "存储暂不可用：没有任何改动，请稍后再试",
                )
            }
            DeskError::Store(StoreError::Full(what)) => {
                tracing::error!(what, "The disk takes no more: {what}");
                unavailable(
                    "the disk takes no more, and nothing was changed: make room on the disk, then try again",
                    "磁盘已写不下，没有任何改动：请先腾出磁盘空间，然后重试",
                )
            }
            DeskError::Store(StoreError::NotFlushed(what)) => {
                tracing::error!(what, "A flush has failed: {what}");
                unavailable(
                    "the disk did not take what was written: look after the disk, then restart askuser",
                    "磁盘未能写入数据：请先检查磁盘，然后重启 askuser",
                )
            }
            DeskError::Store(StoreError::Unsure(what)) => {
                tracing::error!(what, "The store went away in the middle: {what}");
                unavailable(
                    "the store went away before it could say whether this was kept: try again in a moment, and \
                     what was kept is found",
                    "存储在确认之前断开：请稍后重试，已保存的内容会被找到",
                )
            }
            DeskError::Store(StoreError::Damaged(what)) => {
                tracing::error!(what, "The store cannot be read: {what}");
                internal()
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        DeskError::from(error).into()
    }
}

/// Not now.
pub(super) fn unavailable(english: impl Into<String>, chinese: impl Into<String>) -> Failure {
    Failure::new(Code::Unavailable, english, chinese).after(COME_BACK)
}

/// Our fault; what it was is in the log.
pub(super) fn internal() -> Failure {
    Failure::new(
        Code::InternalError,
        "something went wrong on our side; it is in the log, and no session is lost",
        "内部错误，已记录到日志，会话没有丢失",
    )
}

/// The request itself makes no sense.
pub(super) fn invalid_request(english: impl Into<String>, chinese: impl Into<String>) -> Failure {
    Failure::new(Code::InvalidRequest, english, chinese)
}

/// One thing is wrong with the request.
pub(super) fn wrong_field(path: &str, fault: Fault) -> Failure {
    invalid_request("the request does not fit", "请求不符合要求").with(vec![Problem::new(path, fault)])
}

/// One caller asks too much.
pub(super) fn rate_limited(wait: Duration) -> Failure {
    Failure::new(Code::RateLimited, "too many requests: wait a moment", "请求过于频繁，请稍后再试")
        .after(wait)
}

/// Nobody knows who this is.
pub(super) fn unauthorized() -> Failure {
    Failure::new(Code::Unauthorized, "a key is needed, and this is none", "需要有效的密钥")
}

/// The same where agents come in: which key is needed, and where its owner finds it. Whoever asks may be a
/// stranger, so it says neither a key nor a folder of this machine.
pub(super) fn no_agents_key() -> Failure {
    Failure::new(
        Code::Unauthorized,
        "an agent's key is needed: send `Authorization: Bearer KEY` with the key in `keys/agents/NAME` of askuser's data folder, or in `keys/agent` there if the agent has none of its own",
        "需要智能体密钥：请发送 `Authorization: Bearer 密钥`，密钥在 askuser 数据目录的 `keys/agents/名称` 文件中；若该智能体没有自己的密钥，则在 `keys/agent` 中",
    )
}

/// The caller may not do this.
pub(super) fn forbidden(english: &str, chinese: &str) -> Failure {
    Failure::new(Code::Forbidden, english, chinese)
}

/// Nothing is there.
pub(super) fn not_found() -> Failure {
    Failure::new(Code::NotFound, "there is nothing here", "此处没有内容")
}

/// Answers with a failure, in the caller's language.
pub(super) fn response(failure: &Failure, language: Language) -> Response {
    let status = StatusCode::from_u16(failure.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, axum::Json(failure.write(language))).into_response();
    let mut put = |name: HeaderName, value: HeaderValue| response.headers_mut().insert(name, value);
    if let Some(wait) = failure.retry_after {
        put(
            header::RETRY_AFTER,
            HeaderValue::from(wait.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX)),
        );
    }
    if failure.code == Code::Unauthorized {
        put(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
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
            let failure = Failure::from(error);
            assert_eq!((failure.code, failure.retry_after), (Code::Unavailable, Some(COME_BACK)));
            assert!(failure.english.contains(english), "{}", failure.english);
            assert!(failure.chinese.contains(chinese), "{}", failure.chinese);
        }
    }
}
