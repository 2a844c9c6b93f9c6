//! The way to the page. Who comes is found out here, as for every route; what they see is the page's
//! own business, and it need not know how it is served.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::FutureExt;

use super::failing::{not_found, rate_limited, response};
use super::visit::{caller_key, language};
use super::{AppState, gate};
use askuser_api::Bucket;
use askuser_api::cookie::CookieScope;
use askuser_api::page::{ASSET, LINK, PRESENT, SHEET, is_of};
use askuser_api::route::PREFIX;
use askuser_desk::{Caller, KeyRole, from_address, on_path};
use askuser_watch::security::Kind;
use askuser_watch::waits;
use askuser_wire::failure::{Code, Failure};

/// Lets a request through to the page, with its caller where there is one.
pub(super) async fn let_through(
    State(state): State<Arc<AppState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let language = language(request.headers());
    // A route that is not there is no page either.
    if request.uri().path().starts_with(PREFIX) {
        return response(&not_found(), language);
    }
    let is_write = request.method() != Method::GET && request.method() != Method::HEAD;
    let endpoint = request.extensions().get::<gate::Endpoint>().copied();
    let from = gate::peer(request.extensions());
    let scope = gate::scope(request.extensions());
    // Whoever looks at a link that answers one ask tries it.
    let is_try = is_write || is_of(request.uri().path(), LINK);
    // What the script does by itself counts as reading: it must not use up a person's answers (D11).
    let route = request.extensions().get::<MatchedPath>();
    let by_itself = route.is_some_and(|route| [SHEET, PRESENT].contains(&route.as_str()));
    let bucket = if is_write && !by_itself { Bucket::Answers } else { Bucket::Reads };
    match admit(&state, request.uri(), request.headers(), (is_write, bucket), (endpoint, from, scope)).await {
        Ok(Some(caller)) => {
            request.extensions_mut().insert(caller);
        }
        Ok(None) => {}
        Err(failure) => {
            let kind = match failure.code {
                Code::Forbidden => Some(Kind::WrongOrigin),
                Code::RateLimited => Some(Kind::RateLimit),
                _ => None,
            };
            if let Some(kind) = kind {
                state
                    .watch()
                    .security(kind, &gate::suspect(request.uri(), gate::peer(request.extensions()), None));
            }
            return response(&failure, language);
        }
    }
    let peer = request.extensions().get::<gate::Peer>().copied();
    let address = peer.map(|peer| peer.0.ip());
    let path = gate::path(request.uri());
    let answering = on_path(path, AssertUnwindSafe(next.run(request)).catch_unwind());
    let (answered, timed) = waits::watched(from_address(address, answering)).await;
    state.watch().operated("page", &timed);
    let answered = answered.unwrap_or_else(|_| {
        state.watch().metrics.panics.inc();
        response(&Failure::internal(), language)
    });
    state.watch().requested("page", answered.status().as_u16());
    // A form or a link that was answered with "who are you" is a sign-in that failed. The page of a login link
    // is the same for every link, so looking at that one tries nothing.
    let is_failed_sign_in = is_try && answered.status() == StatusCode::UNAUTHORIZED;
    match is_failed_sign_in.then(|| state.limits.count_failed_sign_in(address)) {
        Some(Err(wait)) => response(&rate_limited(wait), language),
        _ => answered,
    }
}

async fn admit(
    state: &AppState,
    uri: &Uri,
    headers: &HeaderMap,
    (is_write, bucket): (bool, Bucket),
    (endpoint, from, scope): (Option<gate::Endpoint>, Option<IpAddr>, CookieScope),
) -> Result<Option<Caller>, Failure> {
    if is_write {
        gate::check_own_origin(state, uri, headers, endpoint)?;
    }
    if is_of(uri.path(), ASSET) {
        return Ok(None);
    }
    let Some(caller) = gate::caller(state, headers, scope).await? else { return Ok(None) };
    if caller.role != KeyRole::Person {
        // The page is nobody's but a person's: an agent that sends its forms would answer itself.
        if is_write && caller.role == KeyRole::Agent {
            state.watch().security(Kind::ForgedResponse, &gate::suspect(uri, from, Some(&caller)));
        }
        return Ok(None);
    }
    state.limits.count(bucket, &caller_key(&caller), "").map_err(rate_limited)?;
    Ok(Some(caller))
}
