//! Signing in: by a one-time link, whose button uses it up so that whatever fetches links ahead does
//! not, or by a key. Only under a name that no other server of this machine shares: elsewhere no cookie is
//! set, no link used up, and the person is told what to run instead. Signing out takes everything that the browser kept along.

use axum::http::header::{LOCATION, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::json;

use super::failing::{Mishap, Shown};
use super::layout::{Frame, MOVED, page};
use super::visit::Visit;
use askuser_api::cookie::CookieScope;
use askuser_desk::{COOKIE_FOR, Caller, KeyRole};

/// What is said when somebody comes who is not signed in.
pub(super) fn asked_for(visit: &Visit) -> Response {
    if let Some(elsewhere) = elsewhere(visit) {
        return elsewhere;
    }
    if visit.is_script() {
        return (StatusCode::UNAUTHORIZED, axum::Json(json!({"error": "signed_out"}))).into_response();
    }
    let words = visit.words();
    (StatusCode::UNAUTHORIZED, drawn(visit, &how(visit, None), words.signing_in().sign_in())).into_response()
}

/// What is said under a name that every server of this machine may be opened under. It does not say where
/// the page is: whoever asks may be anybody.
fn elsewhere(visit: &Visit) -> Option<Response> {
    if visit.scope != CookieScope::Shared {
        return None;
    }
    let words = visit.words();
    if visit.is_script() {
        // An older page of ours takes anything but a desk that is away for a last word on what it wants to send.
        let told = axum::Json(json!({"error": "moved", "message": words.signing_in().how()}));
        return Some((StatusCode::SERVICE_UNAVAILABLE, told).into_response());
    }
    let body = html! {
        section.plain {
            h1 { (words.signing_in().moved()) }
            p { (words.signing_in().how()) " " code { "askuser open" } }
            p.dim { (words.signing_in().moved_why()) }
            div #left hidden data-title=(words.signing_in().moved_left()) data-why=(words.signing_in().moved_left_why()) data-copy=(words.script().kept_copy())
                data-drop=(words.script().kept_drop()) {}
        }
    };
    Some(
        (
            StatusCode::MISDIRECTED_REQUEST,
            page(visit, &Frame::plain(MOVED, words.signing_in().moved()), &body),
        )
            .into_response(),
    )
}

/// Goes on only under a name where a cookie of ours is the page's alone.
fn check_name(visit: &Visit) -> Result<(), Mishap> {
    elsewhere(visit).map_or(Ok(()), |response| Err(Mishap::Answered(Box::new(response))))
}

/// `GET /sign-in`
pub(super) async fn show(visit: &Visit) -> Shown {
    if visit.caller.is_some() {
        return Ok(see("/"));
    }
    check_name(visit)?;
    let mut response = drawn(visit, &how(visit, None), visit.words().signing_in().sign_in());
    if visit.scope.cookie(&visit.headers).is_some() {
        // It is nobody's any more: signed out elsewhere, or the reply that took it away was lost.
        set_cookie(visit, &mut response, "", 0);
    }
    Ok(response)
}

/// `POST /sign-in`: a person's key.
pub(super) async fn by_key(visit: &Visit) -> Shown {
    check_name(visit)?;
    let words = visit.words();
    let key = visit.form.get("key").unwrap_or_default().trim();
    let caller = visit.desk().access().by_key(key).await?.filter(|caller| caller.role == KeyRole::Person);
    let Some(person) = caller.as_ref().and_then(Caller::person) else {
        let body = how(visit, Some(words.signing_in().not_a_key()));
        return Ok(
            (StatusCode::UNAUTHORIZED, drawn(visit, &body, words.signing_in().sign_in())).into_response()
        );
    };
    // The way of the link, so that there is one way to a cookie; it proves no more than the key did.
    match visit.desk().access().make_login_link(&person).await? {
        Some(link) => use_up(visit, link.reveal()).await?.ok_or(Mishap::NotFound),
        None => Err(Mishap::NotFound),
    }
}

/// `GET /login/{link}`: the same page whatever the link is, so that it tells nothing about it.
pub(super) async fn show_link(visit: &Visit) -> Shown {
    check_name(visit)?;
    let words = visit.words();
    let body = html! {
        p { (words.signing_in().link_works_once()) }
        form method="post" { button.go autofocus { (words.signing_in().sign_in()) } }
    };
    Ok(drawn(visit, &body, words.signing_in().sign_in_here()))
}

/// `POST /login/{link}`
pub(super) async fn by_link(visit: &Visit) -> Shown {
    check_name(visit)?;
    let words = visit.words();
    if let Some(signed_in) = use_up(visit, visit.param(0)).await? {
        return Ok(signed_in);
    }
    let body = how(visit, Some(words.signing_in().link_is_old()));
    Ok((StatusCode::UNAUTHORIZED, drawn(visit, &body, words.signing_in().not_signed_in())).into_response())
}

/// `POST /sign-out`
pub(super) async fn sign_out(visit: &Visit) -> Shown {
    if let Some(secret) = visit.scope.cookie(&visit.headers) {
        visit.desk().access().revoke_cookie(secret).await?;
    }
    let mut response = see("/sign-in");
    set_cookie(visit, &mut response, "", 0);
    // Pages that the browser kept for offline, half-typed answers, the queue: all of it goes.
    put(&mut response, "clear-site-data", "\"cache\", \"storage\"");
    Ok(response)
}

/// Uses a link up and signs this browser in; none where the link is no good.
async fn use_up(visit: &Visit, link: &str) -> Result<Option<Response>, Mishap> {
    let user_agent = visit.header(USER_AGENT).unwrap_or_default();
    let Some(cookie) = visit.desk().access().use_login_link(link, user_agent).await? else { return Ok(None) };
    // One that this browser had before would stay in the list as another browser.
    if let Some(before) = visit.scope.cookie(&visit.headers) {
        visit.desk().access().revoke_cookie(before).await?;
    }
    let mut response = see("/");
    set_cookie(visit, &mut response, cookie.reveal(), COOKIE_FOR.as_secs());
    Ok(Some(response))
}

fn set_cookie(visit: &Visit, response: &mut Response, secret: &str, age_s: u64) {
    if let Some(set) = visit.scope.set(&visit.headers, secret, age_s) {
        put(response, SET_COOKIE.as_str(), &set);
    }
}

/// Sends the browser to another page.
pub(super) fn see(path: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    put(&mut response, LOCATION.as_str(), path);
    response
}

fn put(response: &mut Response, name: &'static str, value: &str) {
    // Our own values are all of the characters that a header takes.
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

fn how(visit: &Visit, wrong: Option<&str>) -> Markup {
    let words = visit.words();
    html! {
        @if let Some(wrong) = wrong { p.fault role="alert" { (wrong) } }
        p { (words.signing_in().how()) " " code { "askuser open" } }
        details open[wrong.is_some()] {
            summary { (words.signing_in().by_key()) }
            form method="post" action="/sign-in" {
                label { (words.signing_in().key()) input type="password" name="key" autocomplete="off" required; }
                p.dim { (words.signing_in().key_is_in()) " " code { "keys/person" } }
                button.go { (words.signing_in().sign_in()) }
            }
        }
    }
}

fn drawn(visit: &Visit, body: &Markup, title: &str) -> Response {
    let body = html! { section.plain { h1 { (title) } (body) } };
    page(visit, &Frame::plain("sign-in", title), &body)
}
