//! What a person sees when something did not work, and what they can do about it.

use askuser_core::decide::Refusal;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::html;
use serde_json::json;

use super::layout::{Frame, coded, page};
use super::visit::Visit;
use askuser_desk::{DeskError, StoreError};
use askuser_runner::RunnerError;
use askuser_wire::failure::{Code, Failure};
use askuser_words::page::Page;

/// Why a page cannot be shown.
pub(super) enum Mishap {
    /// Nothing is there, or not for this person.
    NotFound,
    /// The desk could not.
    Desk(DeskError),
    /// It is answered already.
    Answered(Box<Response>),
}

impl From<DeskError> for Mishap {
    fn from(error: DeskError) -> Self {
        match error {
            DeskError::Refused(Refusal::AskNotFound | Refusal::SessionNotFound | Refusal::TaskNotFound) => {
                Self::NotFound
            }
            other => Self::Desk(other),
        }
    }
}

impl From<RunnerError> for Mishap {
    fn from(error: RunnerError) -> Self {
        match error {
            // The page that says how to turn it on is that of the tasks.
            RunnerError::Off => Self::NotFound,
            RunnerError::Desk(error) => error.into(),
        }
    }
}

/// What a page comes to.
pub(super) type Shown = Result<Response, Mishap>;

/// Answers with a page, or with why it cannot be shown.
pub(super) fn answered(visit: &Visit, shown: Shown) -> Response {
    match shown {
        Ok(response) => response,
        Err(Mishap::Answered(response)) => *response,
        Err(Mishap::NotFound) => not_found(visit),
        Err(Mishap::Desk(error)) => desk(visit, &error),
    }
}

fn not_found(visit: &Visit) -> Response {
    let words = visit.words();
    error_page(visit, StatusCode::NOT_FOUND, words.not_here(), words.not_here_why())
}

fn desk(visit: &Visit, error: &DeskError) -> Response {
    let words = visit.words();
    match error {
        DeskError::Refused(refusal) | DeskError::Store(StoreError::Refused(refusal)) => {
            let failure = Failure::from(refusal);
            let status = StatusCode::from_u16(failure.code.status()).unwrap_or(StatusCode::BAD_REQUEST);
            error_page(visit, status, words.not_done(), visit.language.of(&failure.message))
        }
        DeskError::Closing => away(visit, words.away_why()),
        DeskError::Store(
            error @ (StoreError::Unavailable(_)
            | StoreError::Unsure(_)
            | StoreError::Full(_)
            | StoreError::NotFlushed(_)),
        ) => {
            tracing::error!("{error}");
            away(visit, remedy(error, words))
        }
        DeskError::Store(StoreError::Damaged(what)) => {
            tracing::error!(what, "The store cannot be read: {what}");
            error_page(visit, StatusCode::INTERNAL_SERVER_ERROR, words.our_fault(), words.our_fault_why())
        }
    }
}

/// What a person can do about a store that is away.
fn remedy<'a>(error: &StoreError, words: Page) -> &'a str {
    match error {
        StoreError::Full(_) => words.full_why(),
        StoreError::NotFlushed(_) => words.not_flushed_why(),
        _ => words.away_why(),
    }
}

fn away(visit: &Visit, why: &str) -> Response {
    let mut response = error_page(visit, StatusCode::SERVICE_UNAVAILABLE, visit.words().away(), why);
    response.headers_mut().insert("retry-after", axum::http::HeaderValue::from_static("1"));
    response
}

/// The form is larger than any form of ours.
pub(super) fn too_large(visit: &Visit) -> Response {
    error_page(visit, StatusCode::PAYLOAD_TOO_LARGE, visit.words().not_done(), visit.words().too_large())
}

/// The form did not arrive.
pub(super) fn wrong_body(visit: &Visit) -> Response {
    error_page(visit, StatusCode::REQUEST_TIMEOUT, visit.words().not_done(), visit.words().away_why())
}

/// No page has this address. Whoever does not want a page is told in the shape of the contract.
pub(super) async fn nothing_here(visit: Visit) -> Response {
    if visit.header(header::ACCEPT).is_some_and(|accept| accept.contains("text/html")) {
        return not_found(&visit);
    }
    let failure = Failure::new(Code::NotFound, Page::not_here);
    (StatusCode::NOT_FOUND, axum::Json(failure.write(visit.language))).into_response()
}

/// Tells in words what did not work.
pub(super) fn error_page(visit: &Visit, status: StatusCode, title: &str, why: &str) -> Response {
    if visit.is_script() {
        return (status, axum::Json(json!({"error": title, "message": why}))).into_response();
    }
    let body = html! {
        section.plain {
            h1 { (title) }
            p { (coded(why)) }
            p { a href="/" { (visit.words().back_to_inbox()) } }
        }
    };
    (status, page(visit, &Frame::plain("error", title), &body)).into_response()
}

#[cfg(test)]
mod tests {
    use askuser_words::Language;

    use super::*;

    #[test]
    fn a_disk_that_fails_says_on_the_page_what_to_do() {
        let what = || "the disk".to_owned();
        for (error, english, chinese) in [
            (StoreError::Unavailable(what()), "try again in a moment.", "请稍后重试。"),
            (StoreError::Full(what()), "free some space, then try again.", "请先腾出磁盘空间，然后重试。"),
            (
                StoreError::NotFlushed(what()),
                "check the disk, then restart askuser.",
                "请先检查磁盘，然后重启 askuser。",
            ),
        ] {
            for (language, said) in [(Language::English, english), (Language::Chinese, chinese)] {
                assert!(remedy(&error, Page(language)).ends_with(said), "{said}");
            }
        }
    }
}
