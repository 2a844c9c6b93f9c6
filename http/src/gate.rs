//! Who comes in: the host they meant, the page they come from, and the key or cookie they show.
//!
//! The host is checked always, against DNS rebinding; the origin where a browser could be made to
//! act for somebody: writes by cookie, and every WebSocket (invariant 12). A cookie counts only under a
//! name that no other server of this machine is opened under: browsers know no ports.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use askuser_words::failed::Failed;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method, Uri, header};

use super::AppState;
use super::failing::{forbidden, no_agents_key, rate_limited, unauthorized};
use askuser_api::cookie::{COOKIE, CookieScope, cookie};
use askuser_api::doorways::McpMessage;
use askuser_api::page::without_secret;
use askuser_api::{Described, Route as _, Who};
use askuser_desk::{Caller, KeyRole};
use askuser_net::url::without_port;
use askuser_watch::security::{Kind, Suspect};
use askuser_wire::failure::{Code, Failure};

/// Names that always lead here and nowhere else.
const OWN_HOSTS: [&str; 4] = ["127.0.0.1", "localhost", "[::1]", "askuser.localhost"];

/// How often a browser's stream on which nothing is said is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Where a connection comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

/// The way a connection came in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Endpoint {
    /// The address of ours that it came to.
    pub(super) to: IpAddr,
    pub(super) tls: bool,
}

/// Checks that the request was meant for us, and says which cookie counts under the name that it came by.
pub(super) fn check_host(
    state: &AppState,
    uri: &Uri,
    headers: &HeaderMap,
    endpoint: Option<Endpoint>,
) -> Result<CookieScope, Failure> {
    let host = host(uri, headers).unwrap_or_default();
    let name = without_port(&host);
    let known = |known: &str| known.eq_ignore_ascii_case(name) || known.eq_ignore_ascii_case(&host);
    if state.options.page_host.as_deref().is_some_and(known) {
        return Ok(CookieScope::Own);
    }
    let is_configured = state.options.hosts.iter().any(|configured| known(configured));
    // No name that somebody else could have pointed at us: the very address that they came to, and over TLS
    // what the certificate is for.
    let is_own_address = |endpoint: Endpoint| name.trim_matches(['[', ']']).parse() == Ok(endpoint.to);
    let of_certificate = || state.options.reach.borrow().hosts.iter().any(|host| known(host));
    let is_reached =
        endpoint.is_some_and(|endpoint| is_own_address(endpoint) || (endpoint.tls && of_certificate()));
    if !(OWN_HOSTS.into_iter().any(known) || is_configured || is_reached) {
        return Err(Failure::new(Code::WrongHost, Failed::wrong_host));
    }
    Ok(if is_shared(name) {
        CookieScope::Shared
    } else if is_https_only(state, name, endpoint) {
        CookieScope::Secure
    } else {
        CookieScope::Network
    })
}

/// Whether every server on this machine may be opened under this name as well.
fn is_shared(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_loopback = |address: IpAddr| address.is_loopback() || address.is_unspecified();
    lower == "localhost"
        || lower.ends_with(".localhost")
        || lower.trim_matches(['[', ']']).parse().is_ok_and(is_loopback)
}

/// Whether we are reached over TLS under this name, and not without.
fn is_https_only(state: &AppState, name: &str, endpoint: Option<Endpoint>) -> bool {
    endpoint.is_some_and(|endpoint| endpoint.tls)
        || state.options.https_hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn host(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let mut given = headers.get_all(header::HOST).iter();
    // Two of them, and which one counts depends on who reads.
    let only = given.next().filter(|_| given.next().is_none())?;
    let host = only.to_str().ok()?.to_owned();
    match uri.authority() {
        Some(authority) if !authority.as_str().eq_ignore_ascii_case(&host) => None,
        _ => Some(host),
    }
}

/// Whether a request was made on this machine, as far as can be told: from loopback, to a name of loopback. What
/// a proxy hands on has the name that the proxy is known by.
pub(super) fn is_of_this_machine(parts: &Parts) -> bool {
    let is_near = address(parts).is_none_or(|address| address.is_loopback());
    let host = host(&parts.uri, &parts.headers).unwrap_or_default();
    is_near && OWN_HOSTS.into_iter().any(|own| own.eq_ignore_ascii_case(without_port(&host)))
}

/// Checks that the request comes from our own page.
pub(super) fn check_origin(state: &AppState, parts: &Parts) -> Result<(), Failure> {
    check_own_origin(state, &parts.uri, &parts.headers, parts.extensions.get().copied())
}

/// The same for a request that is not taken apart.
pub(super) fn check_own_origin(
    state: &AppState,
    uri: &Uri,
    headers: &HeaderMap,
    endpoint: Option<Endpoint>,
) -> Result<(), Failure> {
    let mut given = headers.get_all(header::ORIGIN).iter();
    // Two of them, and which one counts depends on who reads.
    let only = given.next().filter(|_| given.next().is_none());
    let origin = only.and_then(|origin| origin.to_str().ok());
    let own = host(uri, headers).zip(origin).is_some_and(|(host, origin)| {
        // Where we are reached over TLS, a page without it under our name is somebody else's: whoever sits on
        // the way could have made it.
        let https_only = is_https_only(state, without_port(&host), endpoint);
        let plain = origin.strip_prefix("http://").filter(|_| !https_only);
        let rest = plain.or_else(|| origin.strip_prefix("https://"));
        rest.is_some_and(|rest| rest.eq_ignore_ascii_case(&host))
    });
    if own {
        return Ok(());
    }
    Err(forbidden(Failed::own_page_only))
}

/// Finds out who comes, and whether this route is for them.
pub(super) async fn let_in(
    state: &AppState,
    parts: &Parts,
    route: &Described,
) -> Result<Option<Caller>, Failure> {
    let who = route.who;
    if who == Who::Anyone {
        return Ok(None);
    }
    let Some(caller) = caller(state, &parts.headers, scope(&parts.extensions)).await? else {
        return Err(failed(state, parts, route));
    };
    let by_cookie = caller.key.is_none();
    if by_cookie && parts.method != Method::GET && parts.method != Method::HEAD {
        check_origin(state, parts)
            .inspect_err(|_| noticed(state, parts, Some(&caller), Kind::WrongOrigin))?;
    }
    let fits = match who {
        Who::Anyone | Who::AnyKey => true,
        Who::Agent => caller.role == KeyRole::Agent,
        Who::Person => caller.role == KeyRole::Person,
        Who::AgentOrPerson => caller.role != KeyRole::Admin,
        Who::PersonOrAdmin => caller.role != KeyRole::Agent,
        Who::Admin => caller.role == KeyRole::Admin,
    };
    if fits {
        return Ok(Some(caller));
    }
    let forges = who == Who::Person && caller.role == KeyRole::Agent && parts.method != Method::GET;
    noticed(state, parts, Some(&caller), if forges { Kind::ForgedResponse } else { Kind::WrongRole });
    Err(wrong_role(who))
}

/// What a long connection came in with: a key that is revoked, a cookie that is taken back or a user
/// who is disabled must end it too.
pub(super) struct Credentials {
    state: Arc<AppState>,
    headers: HeaderMap,
    scope: CookieScope,
    caller: Caller,
}

impl Credentials {
    pub(super) fn of(state: &Arc<AppState>, parts: &Parts, caller: &Caller) -> Self {
        let mut kept = HeaderMap::new();
        for name in [header::AUTHORIZATION, header::COOKIE] {
            for value in parts.headers.get_all(&name) {
                kept.append(name.clone(), value.clone());
            }
        }
        let scope = scope(&parts.extensions);
        Self { state: Arc::clone(state), headers: kept, scope, caller: caller.clone() }
    }

    /// Waits until it is to be looked at although nothing was said: a browser that was signed out must not
    /// stay open because nobody asks anything. Whoever comes with a key learns it with the next word.
    pub(super) async fn due(&self) {
        match self.caller.browser {
            Some(_) => tokio::time::sleep(LOOK_EVERY).await,
            None => std::future::pending().await,
        }
    }

    /// Whether it still opens what it opened. A store that is away for a moment shuts nobody out.
    pub(super) async fn is_good(&self) -> bool {
        match caller(&self.state, &self.headers, self.scope).await {
            Ok(found) => found.as_ref() == Some(&self.caller),
            Err(_) => true,
        }
    }
}

/// Which cookie counts for a request, as was found when its host was checked.
pub(super) fn scope(extensions: &Extensions) -> CookieScope {
    extensions.get().copied().unwrap_or_default()
}

pub(super) async fn caller(
    state: &AppState,
    headers: &HeaderMap,
    scope: CookieScope,
) -> Result<Option<Caller>, Failure> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let key = given.to_str().ok().and_then(|given| {
            let (scheme, key) = given.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
        });
        return match key.filter(|key| !key.is_empty()) {
            Some(key) => Ok(state.desk().access().by_key(key).await?),
            None => Ok(None),
        };
    }
    match scope.cookie(headers) {
        Some(cookie) => Ok(state.desk().access().by_cookie(cookie).await?),
        None => Ok(None),
    }
}

/// A sign-in that failed. A right key is never locked out by wrong ones: everybody on one machine
/// has the same address, and secrets of 256 bits are not guessed.
fn failed(state: &AppState, parts: &Parts, route: &Described) -> Failure {
    // A page from before the page had a name of its own: told so, it forgets nothing that its person wrote.
    if scope(&parts.extensions) == CookieScope::Shared
        && !parts.headers.contains_key(header::AUTHORIZATION)
        && cookie(&parts.headers, COOKIE).is_some()
    {
        return moved();
    }
    let cookie = scope(&parts.extensions).cookie(&parts.headers);
    if parts.headers.contains_key(header::AUTHORIZATION) || cookie.is_some() {
        noticed(state, parts, None, Kind::WrongKey);
    }
    match state.limits.count_failed_sign_in(address(parts)) {
        Ok(()) if route.path == McpMessage::PATH => no_agents_key(),
        Ok(()) => unauthorized(),
        Err(wait) => rate_limited(wait),
    }
}

fn moved() -> Failure {
    Failure::new(Code::WrongHost, Failed::signed_in_elsewhere)
}

/// Notes a security event.
pub(super) fn noticed(state: &AppState, parts: &Parts, caller: Option<&Caller>, kind: Kind) {
    state.watch().security(kind, &suspect(&parts.uri, address(parts), caller));
}

/// What is known of whoever did what they should not. Of an address only the path: the rest may be
/// secret.
pub(super) fn suspect(uri: &Uri, address: Option<IpAddr>, caller: Option<&Caller>) -> Suspect {
    Suspect {
        address,
        user: caller.map(|caller| caller.user.to_string()),
        role: caller.map(|caller| caller.role.name()),
        path: path(uri),
        ..Suspect::default()
    }
}

/// A path as it may be told of.
pub(super) fn path(uri: &Uri) -> String {
    without_secret(uri.path()).chars().take(200).collect()
}

pub(super) fn address(parts: &Parts) -> Option<IpAddr> {
    peer(&parts.extensions)
}

/// Where a request comes from.
pub(super) fn peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<Peer>().map(|peer| peer.0.ip())
}

fn wrong_role(who: Who) -> Failure {
    forbidden(match who {
        Who::Anyone | Who::AnyKey => Failed::not_with_this_key,
        Who::Agent => Failed::agent_only,
        Who::Person => Failed::person_or_page,
        Who::AgentOrPerson => Failed::agent_or_person,
        Who::PersonOrAdmin => Failed::person_or_admin,
        Who::Admin => Failed::admin_only,
    })
}
