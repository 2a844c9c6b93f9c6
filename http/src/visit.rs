//! One request on its way: who it is from, what it says, and what it is answered.

use std::collections::HashMap;
use std::error::Error;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::outcome::{Channel, Proof};
use askuser_core::problem::Problem;
use askuser_words::Language;
use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use axum::body::Body;
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use http_body_util::LengthLimitError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failing::{forbidden, invalid_request, rate_limited, response, wrong};
use super::gate::Peer;
use super::routes::Served;
use super::{AppState, gate, proof};
use askuser_api::headers::{self, BODY_BYTES_MAX, BODY_TIME_MAX};
use askuser_api::query::Query as _;
use askuser_api::{About, Bucket, Described, Route};
use askuser_desk::{Caller, Desk, from_address, on_path};
use askuser_system::peer::Evidence;
use askuser_watch::security::Kind;
use askuser_watch::waits;
use askuser_wire as wire;
use askuser_wire::failure::{Code, Failure};

/// What most answers fit into.
const TOLD_BYTES: usize = 2048;
/// What a route answers, later.
pub(super) type Reply = Pin<Box<dyn Future<Output = Result<Response, Failure>> + Send>>;

/// One request.
pub(super) struct Visit {
    pub(super) state: Arc<AppState>,
    /// Who it is from; none where the route asks nobody.
    pub(super) caller: Option<Caller>,
    /// What was found out about their process; none where they do not come over the Unix socket.
    evidence: Option<Evidence>,
    pub(super) parts: Parts,
    pub(super) language: Language,
    pub(super) body: Vec<u8>,
    route: &'static Described,
    /// What stands in the path in place of `{…}`.
    param: String,
    /// The ask that the path names, where it was looked up for counting.
    ask: Option<Arc<Ask>>,
    query: HashMap<String, String>,
}

/// Takes a request in for a route, and answers it whatever happens.
pub(super) async fn receive(state: Arc<AppState>, served: &'static Served, request: Request) -> Response {
    let language = language(request.headers());
    let from = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let path = gate::path(request.uri());
    // In a place of its own: it is large, and would be moved with everything that is put around it.
    let route = &served.route;
    let answering = Box::pin(answer(Arc::clone(&state), served, request, language));
    let answering = AssertUnwindSafe(answering).catch_unwind();
    let (answered, timed) = waits::watched(from_address(from, on_path(path, answering))).await;
    let answered = answered.unwrap_or_else(|_| {
        state.watch().metrics.panics.inc();
        // The panic's own words are in the log already, by the panic hook.
        tracing::error!(
            method = route.method.name(),
            path = route.path,
            "A request to {} panicked",
            route.path
        );
        Err(Failure::internal())
    });
    let answered = answered.unwrap_or_else(|failure| response(&failure, language));
    state.watch().operated(route.path, &timed);
    state.watch().requested(route.path, answered.status().as_u16());
    answered
}

/// Returns the language that the caller would rather have. Where it named none of ours, `speak` named the
/// server's own.
pub(super) fn language(headers: &HeaderMap) -> Language {
    accepted(headers).unwrap_or_default()
}

/// Has a caller that names no language of ours be spoken to in the server's: by us, and by the page.
pub(super) fn speak(headers: &mut HeaderMap, own: Language) {
    if accepted(headers).is_none() {
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(own.tag()));
    }
}

fn accepted(headers: &HeaderMap) -> Option<Language> {
    headers.get(header::ACCEPT_LANGUAGE).and_then(|header| header.to_str().ok()).and_then(Language::accepted)
}

async fn answer(
    state: Arc<AppState>,
    served: &'static Served,
    request: Request,
    language: Language,
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let route = &served.route;
    let caller = gate::let_in(&state, &parts, route).await?;
    let evidence = proof::evidence(&parts, caller.as_ref()).await;
    if let Some(caller) = &caller {
        proof::note_mark(&state, route, &parts, caller, evidence.as_ref());
    }
    let params = RawPathParams::from_request_parts(&mut parts, &()).await;
    let param = params.ok().and_then(|params| params.iter().next().map(|(_, value)| value.to_owned()));
    let query = match parts.uri.query() {
        None => Ok(HashMap::new()),
        Some(_) => Query::<HashMap<String, String>>::try_from_uri(&parts.uri).map(|query| query.0),
    };
    let query = query.map_err(|_| invalid_request(Failed::query_unreadable))?;
    let body = waits::waiting("the body", read(&parts, body)).await?;
    let param = param.unwrap_or_default();
    let mut visit = Visit { state, caller, evidence, parts, language, body, route, param, query, ask: None };
    let (state, caller) = (Arc::clone(&visit.state), visit.caller.clone());
    let is_a_person = proof::is_a_person(caller.as_ref(), visit.evidence.as_ref());
    let (uri, address) = (visit.parts.uri.clone(), gate::peer(&visit.parts.extensions));
    let answered = async {
        if !served.counts_itself {
            visit.look_up_ask().await;
            visit.count_in(|| visit.session_meant())?;
        }
        (served.run)(visit).await
    }
    .await;
    let code = answered.as_ref().err().map(|failure| failure.code);
    let kind = match code {
        Some(Code::RateLimited) => Some(Kind::RateLimit),
        // A person has several surfaces before them, and the one that they press last comes too late.
        Some(Code::AlreadyAnswered | Code::AlreadyClosed) if !is_a_person => Some(Kind::Replay),
        _ => None,
    };
    if let Some(kind) = kind {
        state.watch().security(kind, &gate::suspect(&uri, address, caller.as_ref()));
    }
    answered
}

async fn read(parts: &Parts, body: Body) -> Result<Vec<u8>, Failure> {
    let too_large =
        || Failure::new(Code::PayloadTooLarge, |said: Failed| said.body_too_large(BODY_BYTES_MAX));
    let announced = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if announced.and_then(|length| length.parse::<u64>().ok()).is_some_and(|n| n > BODY_BYTES_MAX as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_TIME_MAX, axum::body::to_bytes(body, BODY_BYTES_MAX)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        Ok(Err(error)) if is_length_limit(&error) => Err(too_large()),
        Ok(Err(_)) => Err(invalid_request(Failed::body_cut_off)),
        Err(_) => Err(invalid_request(Failed::body_too_slow)),
    }
}

fn is_length_limit(error: &axum::Error) -> bool {
    error.source().is_some_and(<dyn Error>::is::<LengthLimitError>)
}

impl Visit {
    pub(super) fn desk(&self) -> &Desk {
        self.state.desk()
    }

    /// Returns the caller as an agent.
    pub(super) fn agent(&self) -> Result<Actor, Failure> {
        let agent = self.caller.as_ref().and_then(Caller::agent);
        agent.ok_or_else(|| forbidden(Failed::agent_only))
    }

    /// Returns the caller as a person. Through what they act they may say themselves; how we know them,
    /// never: a key proves a terminal only where the desk itself found one behind the connection. What
    /// proves less is believed.
    pub(super) fn person(&self) -> Result<Actor, Failure> {
        let person = self.caller.as_ref().and_then(Caller::person);
        let mut person = person.ok_or_else(|| forbidden(Failed::person_only))?;
        // What a browser proves was settled when it signed in: nothing adds to it.
        if person.by.channel == Channel::Web {
            return Ok(person);
        }
        if person.by.proof == Proof::KeyFile {
            proof::establish(
                &mut person.by,
                self.header(headers::CHANNEL),
                self.header(headers::AS_PERSON),
                self.evidence.as_ref(),
            );
        }
        Ok(person)
    }

    /// Returns the caller as whichever of the two they are.
    pub(super) fn reader(&self) -> Result<Actor, Failure> {
        let wrong = |_| forbidden(Failed::agent_or_person);
        self.agent().or_else(|_| self.person()).map_err(wrong)
    }

    /// Returns what stands in the path.
    pub(super) fn param(&self) -> &str {
        &self.param
    }

    /// Returns the ask that the path names. What is no id names no ask.
    pub(super) fn ask_id(&self) -> Result<AskId, Failure> {
        self.param.parse().map_err(|_| Failure::from(&Refusal::AskNotFound))
    }

    /// Reads what stands behind `?` of a route.
    pub(super) fn query<R: Route>(&self) -> Result<R::Query, Failure> {
        R::Query::read(&|name| self.value(name)).map_err(wrong)
    }

    /// Returns one value of it; an empty one is none.
    fn value(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Returns a header that is text.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.parts.headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty())
    }

    /// Reads the body as JSON; `{}` where there is none.
    pub(super) fn json(&self) -> Result<Value, Problem> {
        if self.body.is_empty() {
            return Ok(Value::Object(serde_json::Map::new()));
        }
        serde_json::from_slice(&self.body)
            .map_err(|error| wire::not_json(&self.body, &error))
            .map_err(|why| Problem::new("", unfit(|said| said.not_json(&why))))
    }

    /// Reads the body as a JSON object.
    pub(super) fn fields(&self) -> Result<Value, Failure> {
        let value = self.json().map_err(wrong)?;
        if value.is_object() {
            return Ok(value);
        }
        Err(wrong(Problem::new("", unfit(Wrong::not_an_object))))
    }

    /// Reads the body of a route.
    pub(super) fn body<R: Route>(&self) -> Result<R::Body, Failure>
    where
        R::Body: DeserializeOwned,
    {
        let unread = |_| wrong(Problem::new("", unfit(Wrong::not_an_object)));
        serde_json::from_value(self.fields()?).map_err(unread)
    }

    /// Counts this request for the caller in a session (D11).
    pub(super) fn count(&self, session: &str) -> Result<(), Failure> {
        self.count_in(|| session.to_owned())
    }

    /// The same; which session it is, is only looked at where requests are counted.
    fn count_in(&self, session: impl FnOnce() -> String) -> Result<(), Failure> {
        let Some(caller) = self.caller.as_ref().filter(|_| self.state.limits.counts(self.route.bucket))
        else {
            return Ok(());
        };
        self.state.limits.count(self.route.bucket, &caller_key(caller), &session()).map_err(rate_limited)
    }

    /// Returns the ask that the path names, if this actor may see it.
    pub(super) async fn ask_of(&self, actor: &Actor) -> Result<Arc<Ask>, Failure> {
        match &self.ask {
            Some(ask) => Ok(Arc::clone(ask)),
            None => Ok(self.desk().ask_of(actor, self.ask_id()?).await?),
        }
    }

    /// Looks up the ask that the path names, to know in which session the request counts. One that
    /// is not there, or not the caller's, counts in none; what is wrong with it the route says.
    async fn look_up_ask(&mut self) {
        if self.route.about() != About::Ask || !self.state.limits.counts(self.route.bucket) {
            return;
        }
        if let (Ok(actor), Ok(id)) = (self.reader(), self.ask_id()) {
            self.ask = self.desk().ask_of(&actor, id).await.ok();
        }
    }

    /// The session in which the request counts: of the ask in its path, named in its path or in its
    /// query; nothing where there is none.
    fn session_meant(&self) -> String {
        if let Some(ask) = &self.ask {
            // An asker's own name for it, as when it asked: so both count together.
            let named = ask.terms.session.clone().filter(|_| self.route.bucket == Bucket::Writes);
            return named.unwrap_or_else(|| ask.session.to_string());
        }
        if self.route.about() == About::Session {
            return self.param.clone();
        }
        // Whichever route it is, and whether or not the rest of its query fits.
        self.value("session").unwrap_or_default().to_owned()
    }
}

/// What tells a caller from others: its key, or whose cookie it is.
pub(super) fn caller_key(caller: &Caller) -> String {
    match caller.key {
        Some(key) => format!("{:032x}", key.0),
        None => format!("cookie of {}", caller.user),
    }
}

/// Answers with JSON.
pub(super) fn respond(status: StatusCode, value: impl Serialize) -> Response {
    let mut written = Vec::with_capacity(TOLD_BYTES);
    match serde_json::to_writer(&mut written, &value) {
        Ok(()) => (status, [(header::CONTENT_TYPE, "application/json")], written).into_response(),
        Err(error) => {
            tracing::error!("A response could not be written: {error}");
            response(&Failure::internal(), Language::default())
        }
    }
}

/// Answers with JSON and 200.
#[expect(clippy::unnecessary_wraps, reason = "so that a route can end in it")]
pub(super) fn ok(value: impl Serialize) -> Result<Response, Failure> {
    Ok(respond(StatusCode::OK, value))
}

#[cfg(test)]
mod tests {
    use askuser_core::limits::DeskLimits;
    use askuser_core::time::Timestamp;
    use askuser_store::sqlite::{Options, Sqlite};

    use super::*;
    use crate::ServerOptions;
    use askuser_api::Described;
    use askuser_api::operating::IsAlive;

    static BROKEN: Served = Served {
        route: Described { path: "/broken", ..Described::of::<IsAlive>() },
        counts_itself: false,
        run: |_| Box::pin(async { panic!("on purpose") }),
    };

    /// D12: an error that nobody foresaw is told as such, and the next request is served.
    #[tokio::test]
    async fn d12_a_panic_ends_one_request_only() {
        let store = Sqlite::in_memory(&Options::new(DeskLimits::default(), Timestamp(0))).unwrap();
        let desk = Desk::open(Arc::new(store), Arc::new(askuser_system::clock::now)).await.unwrap();
        let state = Arc::new(AppState::new(ServerOptions::new(desk)));
        for _ in 0..2 {
            let answered = receive(Arc::clone(&state), &BROKEN, Request::new(Body::empty())).await;
            assert_eq!(answered.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let body = axum::body::to_bytes(answered.into_body(), 10_000).await.unwrap();
            let told: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!((&told["error"], &told["status"]), (&"internal_error".into(), &"error".into()));
            assert_eq!(told["recovery_action"], "restart_session");
        }
        let figures = state.watch().exposition();
        assert!(figures.contains("askuser_panics_total 2\n"), "{figures}");
        assert!(figures.contains("askuser_errors_total{status=\"500\"} 2\n"), "{figures}");
    }
}
