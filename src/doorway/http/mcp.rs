//! `ANY /mcp`: who comes by MCP, and where their requests go.

use std::sync::Arc;

use axum::http::header;
use axum::response::Response;

use super::failing::{forbidden, rate_limited, unavailable};
use super::gate::{peer, suspect};
use super::rates::Bucket;
use super::visit::{Visit, whence};
use crate::doorway::mcp::{Full, Guest, Refused, SESSION, SESSIONS_MAX, SESSIONS_PER_KEY_MAX};
use crate::watch::security::Kind;
use crate::wire::failure::{Code, Failure};

/// What an asker tells of itself where many share a key.
const WHENCE: &str = "askuser-whence";

/// `POST /mcp[?hold=SECONDS]`, `GET /mcp`, `DELETE /mcp`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let guest = guest(&visit)?;
    let Visit { hall, caller, parts, body, .. } = visit;
    let (uri, from) = (parts.uri.clone(), peer(&parts.extensions));
    hall.mcp.answer(guest, parts, body).await.map_err(|refused| {
        if refused == Refused::Foreign {
            hall.watch().security(Kind::OtherUser, &suspect(&uri, from, caller.as_ref()));
        }
        failure(refused)
    })
}

/// The session of another key is none at all, for whoever names it.
fn failure(refused: Refused) -> Failure {
    match refused {
        Refused::Foreign | Refused::Unknown => no_such_session(),
        Refused::Full(Full::Key) => Failure::new(
            Code::TooManySessions,
            format!(
                "this key has {SESSIONS_PER_KEY_MAX} MCP sessions and uses all of them, which is the limit: end one with DELETE"
            ),
            format!(
                "此密钥已有 {SESSIONS_PER_KEY_MAX} 个 MCP 会话且都在使用中，已达上限：请用 DELETE 结束一个"
            ),
        ),
        Refused::Full(Full::Desk) => unavailable(
            format!("there are {SESSIONS_MAX} MCP sessions, which is the limit: come back in a while"),
            format!("MCP 会话已达上限 {SESSIONS_MAX} 个，请稍后再来"),
        ),
    }
}

fn no_such_session() -> Failure {
    Failure::new(
        Code::SessionNotFound,
        "there is no such MCP session: begin one with initialize",
        "没有此 MCP 会话：请用 initialize 开始新会话",
    )
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
