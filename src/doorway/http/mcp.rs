//! `ANY /mcp`: who comes by MCP, and where their requests go.

use std::sync::Arc;

use axum::http::header;
use axum::response::Response;

use super::failing::{forbidden, rate_limited};
use super::rates::Bucket;
use super::visit::{Visit, whence};
use crate::doorway::mcp::Guest;
use crate::wire::failure::Failure;

/// What an asker tells of itself where many share a key.
const WHENCE: &str = "askuser-whence";
/// How older clients name their connection.
const SESSION: &str = "mcp-session-id";

/// `POST /mcp[?hold=SECONDS]`, `GET /mcp`, `DELETE /mcp`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let guest = guest(&visit)?;
    let hall = Arc::clone(&visit.hall);
    Ok(hall.mcp.answer(guest, visit.parts, visit.body).await)
}

fn guest(visit: &Visit) -> Result<Guest, Failure> {
    let agent = visit.caller.clone().filter(|caller| caller.agent().is_some());
    let caller = agent.ok_or_else(|| forbidden("this needs an agent's key", "需要智能体密钥"))?;
    let key = whence(&caller);
    let (hall, counted) = (Arc::clone(&visit.hall), key.clone());
    let counting =
        move |session: &str| hall.limits.count(Bucket::Writes, &counted, session).map_err(rate_limited);
    let host = visit.header(header::HOST.as_str()).unwrap_or_default();
    Ok(Guest {
        desk: visit.desk().clone(),
        caller,
        whence: format!("{key} {}", visit.header(WHENCE).unwrap_or_default()),
        connection: visit.header(SESSION).map(str::to_owned),
        url: format!("http://{host}"),
        hold: visit.seconds("hold")?,
        counting: Arc::new(counting),
        templates: visit.hall.door.templates.clone(),
    })
}
