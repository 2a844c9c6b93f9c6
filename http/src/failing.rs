//! The one place where whatever failed becomes a failure of the contract, and that an answer.

use std::time::Duration;

use askuser_core::problem::{Fault, Problem};
use askuser_words::Language;
use askuser_words::failed::Failed;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use askuser_wire::failure::{Code, Failure};

/// The request itself makes no sense.
pub(super) fn invalid_request<S: Into<String>>(say: impl Fn(Failed) -> S) -> Failure {
    Failure::new(Code::InvalidRequest, say)
}

/// One thing is wrong with the request.
pub(super) fn wrong_field(path: &str, fault: Fault) -> Failure {
    wrong(Problem::new(path, fault))
}

/// This is wrong with the request.
pub(super) fn wrong(problem: Problem) -> Failure {
    invalid_request(Failed::unfit_request).with(vec![problem])
}

/// One caller asks too much.
pub(super) fn rate_limited(wait: Duration) -> Failure {
    Failure::new(Code::RateLimited, Failed::too_many_requests).after(wait)
}

/// Nobody knows who this is.
pub(super) fn unauthorized() -> Failure {
    Failure::new(Code::Unauthorized, Failed::needs_valid_key)
}

/// The same where agents come in: which key is needed, and where its owner finds it. Whoever asks may be a
/// stranger, so it says neither a key nor a folder of this machine.
pub(super) fn no_agents_key() -> Failure {
    Failure::new(Code::Unauthorized, Failed::needs_agents_key)
}

/// The caller may not do this.
pub(super) fn forbidden(say: fn(Failed) -> &'static str) -> Failure {
    Failure::new(Code::Forbidden, say)
}

/// Nothing is there.
pub(super) fn not_found() -> Failure {
    Failure::new(Code::NotFound, Failed::nothing_here)
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
