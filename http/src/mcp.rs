//! `ANY /mcp`: who comes by MCP, and where their requests go.

use std::sync::Arc;

use askuser_words::failed::Failed;
use axum::response::Response;

use super::failing::{forbidden, rate_limited};
use super::gate::{peer, suspect};
use super::serving::Permit;
use super::visit::{Visit, caller_key};
use askuser_api::doorways::McpMessage;
use askuser_api::headers::ASKER;
use askuser_api::query::Seconds;
use askuser_api::{Bucket, Route as _};
use askuser_mcp::{Full, Guest, Handing, Refused, SESSION, SESSIONS_MAX, SESSIONS_PER_KEY_MAX};
use askuser_watch::security::Kind;
use askuser_watch::waits::uncounted;
use askuser_wire::failure::{Code, Failure};

/// `POST /mcp[?hold=SECONDS]`, `GET /mcp`, `DELETE /mcp`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let guest = guest(&visit)?;
    let Visit { state, caller, mut parts, body, .. } = visit;
    // A call keeps its request for as long as it waits, also when its client has hung up: the place of the connection
    // is free by then.
    parts.extensions.remove::<Permit>();
    let (uri, from) = (parts.uri.clone(), peer(&parts.extensions));
    // Its calls are timed one by one: they may outlive this request, and some wait for a person.
    uncounted(Box::pin(state.mcp.answer(guest, parts, body))).await.map_err(|refused| {
        if refused == Refused::Foreign {
            state.watch().security(Kind::OtherUser, &suspect(&uri, from, caller.as_ref()));
        }
        failure(refused)
    })
}

/// The session of another key is none at all, for whoever names it.
fn failure(refused: Refused) -> Failure {
    match refused {
        Refused::Foreign | Refused::Unknown => no_such_session(),
        Refused::Full(Full::Key) => {
            Failure::new(Code::TooManySessions, |said: Failed| said.mcp_full_key(SESSIONS_PER_KEY_MAX))
        }
        Refused::Full(Full::Desk) => Failure::unavailable(|said: Failed| said.mcp_full(SESSIONS_MAX)),
    }
}

fn no_such_session() -> Failure {
    Failure::new(Code::SessionNotFound, Failed::no_mcp_connection)
}

fn guest(visit: &Visit) -> Result<Guest, Failure> {
    let agent = visit.caller.clone().filter(|caller| caller.agent().is_some());
    let caller = agent.ok_or_else(|| forbidden(Failed::agent_only))?;
    let key = caller_key(&caller);
    let timing = Arc::clone(&visit.state);
    let (state, counted) = (Arc::clone(&visit.state), key.clone());
    let counting =
        move |session: &str| state.limits.count(Bucket::Writes, &counted, session).map_err(rate_limited);
    Ok(Guest {
        desk: visit.desk().clone(),
        caller,
        asker_key: format!("{key} {}", visit.header(ASKER).unwrap_or_default()),
        connection: visit.header(SESSION).map(str::to_owned),
        hold: visit.query::<McpMessage>()?.hold.map(|Seconds(hold)| hold),
        counting: Arc::new(counting),
        timing: Arc::new(move |timed| timing.watch().operated(McpMessage::PATH, timed)),
        address: peer(&visit.parts.extensions),
        templates: visit.state.options.templates.clone(),
        handing: Handing::default(),
    })
}
