//! One-time login links, and the end of a cookie. The page uses the links up.

use axum::http::header::{HeaderValue, SET_COOKIE};
use axum::response::Response;

use super::gate::scope;
use super::visit::{Visit, ok};
use askuser_api::Done;
use askuser_api::browsers::LoginLink;
use askuser_api::page::LOGIN;
use askuser_api::route::filled;
use askuser_desk::LINK_FOR;
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `POST /api/login-links`: with the page's own name on this machine, which only a person is told.
pub(super) async fn make_link(visit: Visit) -> Result<LoginLink, Failure> {
    let actor = visit.person()?;
    let expires_at = visit.desk().now().after(LINK_FOR);
    let link = visit.desk().access().make_login_link(&actor).await?.ok_or_else(Failure::internal)?;
    Ok(LoginLink {
        url_path: filled(LOGIN, link.reveal()),
        page_host: visit.state.options.page_host.clone(),
        expires_at: time::write(expires_at),
    })
}

/// `POST /api/sign-out`
pub(super) async fn sign_out(visit: Visit) -> Result<Response, Failure> {
    let scope = scope(&visit.parts.extensions);
    let by_cookie = visit.caller.as_ref().is_some_and(|caller| caller.browser.is_some());
    if let (true, Some(secret)) = (by_cookie, scope.cookie(&visit.parts.headers)) {
        visit.desk().access().revoke_cookie(secret).await?;
    }
    let mut response = ok(Done::YES)?;
    if let Some(set) = scope.set(&visit.parts.headers, "", 0) {
        response
            .headers_mut()
            .insert(SET_COOKIE, HeaderValue::from_str(&set).map_err(|_| Failure::internal())?);
    }
    Ok(response)
}
