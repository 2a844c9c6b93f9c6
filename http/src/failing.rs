//! The one place where whatever failed becomes a failure of the contract, and that an answer.

use std::time::Duration;

use askuser_core::problem::{Fault, Problem};
use askuser_words::Language;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use askuser_wire::failure::{Code, Failure};

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
