//! Signing in: a one-time link, a page with one button, a cookie (CONTRACT §4).
//!
//! The link is used up by a POST, so that whatever fetches links ahead does not. The cookie is
//! `HttpOnly` and `SameSite=Strict`; what is stored of it is its hash.

use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, LOCATION, SET_COOKIE};
use axum::response::{Html, IntoResponse, Response};
use serde_json::json;

use super::failing::internal;
use super::gate::{COOKIE, check_origin, cookie, failed};
use super::visit::{Visit, ok, told};
use crate::desk::{COOKIE_FOR, LINK_FOR};
use crate::wire::failure::{Code, Failure};
use crate::wire::language::Language;
use crate::wire::time;

/// `POST /api/login-links`
pub(super) async fn make_link(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let expires_at = visit.desk().now().after(LINK_FOR);
    let link = visit.desk().make_login_link(&actor.user).await?.ok_or_else(internal)?;
    let made =
        json!({"url_path": format!("/login/{}", link.reveal()), "expires_at": time::write(expires_at)});
    Ok(told(StatusCode::CREATED, made))
}

/// `GET /login/{link}`: the same page whatever the link is, so that it tells nothing about it.
pub(super) async fn page(visit: Visit) -> Result<Response, Failure> {
    let words = visit.language.pick(
        ("Sign in to askuser", "This link signs this browser in. It works once.", "Sign in"),
        ("登录 askuser", "此链接用于登录本浏览器，仅可使用一次。", "登录"),
    );
    let (title, text, button) = words;
    let body = format!("<p>{text}</p><form method=\"post\"><button autofocus>{button}</button></form>");
    Ok(html(StatusCode::OK, visit.language, title, &body))
}

/// `POST /login/{link}`
pub(super) async fn use_up(visit: Visit) -> Result<Response, Failure> {
    check_origin(&visit.parts)?;
    let Some(cookie) = visit.desk().use_login_link(visit.param()).await? else {
        let failure = failed(&visit.hall, &visit.parts);
        if failure.code == Code::RateLimited {
            return Err(failure);
        }
        let words = visit.language.pick(
            (
                "Not signed in",
                "This link was used before or is too old. Run <code>askuser open</code> for a new one.",
            ),
            ("未登录", "此链接已被使用或已过期。请运行 <code>askuser open</code> 获取新链接。"),
        );
        return Ok(html(StatusCode::UNAUTHORIZED, visit.language, words.0, &format!("<p>{}</p>", words.1)));
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    let set = set_cookie(cookie.reveal(), COOKIE_FOR.as_secs());
    response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&set).map_err(|_| internal())?);
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("/"));
    Ok(response)
}

/// `POST /api/sign-out`
pub(super) async fn sign_out(visit: Visit) -> Result<Response, Failure> {
    let by_cookie = visit.caller.as_ref().is_some_and(|caller| caller.key.is_none());
    if let (true, Some(secret)) = (by_cookie, cookie(&visit.parts.headers)) {
        visit.desk().revoke_cookie(secret).await?;
    }
    let mut response = ok(json!({"success": true}))?;
    let set = set_cookie("", 0);
    response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&set).map_err(|_| internal())?);
    Ok(response)
}

fn set_cookie(secret: &str, age_s: u64) -> String {
    format!("{COOKIE}={secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age={age_s}")
}

fn html(status: StatusCode, language: Language, title: &str, body: &str) -> Response {
    let tag = language.pick("en", "zh");
    let page = format!(
        "<!doctype html><html lang=\"{tag}\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <main><h1>{title}</h1>{body}</main></html>"
    );
    let mut response = (status, Html(page)).into_response();
    let policy = "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}
