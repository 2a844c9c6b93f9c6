//! Signing in: by a one-time link, whose button uses it up so that whatever fetches links ahead does
//! not, or by a key. Signing out takes everything that the browser kept along (CONTRACT §4).

use axum::http::header::{LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::json;

use super::failing::{Mishap, Shown, shown};
use super::layout::{Frame, page};
use super::visit::Visit;
use crate::desk::{COOKIE, COOKIE_FOR, Caller, KeyRole};
use crate::wire::cookie::cookie;

/// What is said when somebody comes who is not signed in.
pub(super) fn asked_for(visit: &Visit) -> Response {
    if visit.is_script() {
        return (StatusCode::UNAUTHORIZED, axum::Json(json!({"error": "signed_out"}))).into_response();
    }
    let words = visit.words();
    (StatusCode::UNAUTHORIZED, drawn(visit, &how(visit, None), words.sign_in)).into_response()
}

/// `GET /sign-in`
pub(super) async fn show(visit: Visit) -> Response {
    if visit.caller.is_some() {
        return see("/");
    }
    drawn(&visit, &how(&visit, None), visit.words().sign_in)
}

/// `POST /sign-in`: a person's key.
pub(super) async fn by_key(visit: Visit) -> Response {
    shown(&visit, try_key(&visit).await)
}

async fn try_key(visit: &Visit) -> Shown {
    let words = visit.words();
    let key = visit.form.get("key").unwrap_or_default().trim();
    let caller = visit.desk().by_key(key).await?.filter(|caller| caller.role == KeyRole::Person);
    let Some(Caller { user, .. }) = caller else {
        let body = how(visit, Some(words.not_a_key));
        return Ok((StatusCode::UNAUTHORIZED, drawn(visit, &body, words.sign_in)).into_response());
    };
    // The way of the link, so that there is one way to a cookie.
    let link = visit.desk().make_login_link(&user).await?;
    let cookie = match link {
        Some(link) => visit.desk().use_login_link(link.reveal()).await?,
        None => None,
    };
    cookie.map(|cookie| signed_in(visit, cookie.reveal())).ok_or(Mishap::NotFound)
}

/// `GET /login/{link}`: the same page whatever the link is, so that it tells nothing about it.
pub(super) async fn show_link(visit: Visit) -> Response {
    let words = visit.words();
    let body = html! {
        p { (words.link_works_once) }
        form method="post" { button.go autofocus { (words.sign_in) } }
    };
    drawn(&visit, &body, words.sign_in_here)
}

/// `POST /login/{link}`
pub(super) async fn by_link(visit: Visit) -> Response {
    shown(&visit, try_link(&visit).await)
}

async fn try_link(visit: &Visit) -> Shown {
    let words = visit.words();
    if let Some(cookie) = visit.desk().use_login_link(visit.param(0)).await? {
        return Ok(signed_in(visit, cookie.reveal()));
    }
    let body = how(visit, Some(words.link_is_old));
    Ok((StatusCode::UNAUTHORIZED, drawn(visit, &body, words.not_signed_in)).into_response())
}

/// `POST /sign-out`
pub(super) async fn sign_out(visit: Visit) -> Response {
    shown(&visit, end(&visit).await)
}

async fn end(visit: &Visit) -> Shown {
    if let Some(secret) = cookie(&visit.headers, COOKIE) {
        visit.desk().revoke_cookie(secret).await?;
    }
    let mut response = see("/sign-in");
    put(&mut response, SET_COOKIE.as_str(), &set_cookie(visit, "", 0));
    // Pages that the browser kept for offline, half-typed answers, the queue: all of it goes.
    put(&mut response, "clear-site-data", "\"cache\", \"storage\"");
    Ok(response)
}

fn signed_in(visit: &Visit, secret: &str) -> Response {
    let mut response = see("/");
    put(&mut response, SET_COOKIE.as_str(), &set_cookie(visit, secret, COOKIE_FOR.as_secs()));
    response
}

fn set_cookie(visit: &Visit, secret: &str, age_s: u64) -> String {
    let secure = visit.secure();
    format!("{COOKIE}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age_s}{secure}")
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
        p { (words.sign_in_how) " " code { "askuser open" } }
        details open[wrong.is_some()] {
            summary { (words.sign_in_by_key) }
            form method="post" action="/sign-in" {
                label { (words.key) input type="password" name="key" autocomplete="off" required; }
                p.dim { (words.key_is_in) " " code { "keys/person" } }
                button.go { (words.sign_in) }
            }
        }
    }
}

fn drawn(visit: &Visit, body: &Markup, title: &str) -> Response {
    let body = html! { section.plain { h1 { (title) } (body) } };
    page(visit, &Frame::plain("sign-in", title), &body)
}
