//! Going back: the versions of a session, and a new session from one of them (D13, P2, P20).

use askuser_core::problem::Fault;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::failing::wrong_field;
use super::visit::{Visit, ok, told};
use crate::desk::Point;
use crate::wire::failure::{Code, Failure};
use crate::wire::{session, time};

/// `GET /api/sessions/{id}/checkpoints`: readings of the facts, not copies. A version is the number
/// of the fact after which the session stood so.
pub(super) async fn checkpoints(visit: Visit) -> Result<Response, Failure> {
    let found = visit.desk().session(&visit.reader()?, visit.param()).await?;
    let checkpoints = visit.desk().checkpoints(found.id).await?;
    if checkpoints.is_empty() {
        let (english, chinese) = ("the session has no versions", "此会话没有检查点");
        return Err(Failure::new(Code::CheckpointNotFound, english, chinese));
    }
    let versions: Vec<Value> = checkpoints
        .iter()
        .map(|checkpoint| {
            json!({
                "version": checkpoint.version,
                "created_at": time::write(checkpoint.at),
                "round": checkpoint.round,
                "open_asks": checkpoint.n_open,
            })
        })
        .collect();
    ok(json!({"session_id": found.id.to_string(), "checkpoints": versions}))
}

/// `POST /api/sessions/{id}/restore {"version":N}` or `{"round":N}`, the latest without either: the
/// answer is the new session. Nothing of the old one changes.
pub(super) async fn restore(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let body = visit.fields()?;
    let point = match (number(&body, "version")?, number(&body, "round")?) {
        (None, None) => Point::Latest,
        (Some(version), None) => Point::Version(version),
        (None, Some(round)) => Point::Round(u32::try_from(round).unwrap_or(u32::MAX)),
        (Some(_), Some(_)) => {
            return Err(wrong_field("round", Fault::Other("goes without `version`".to_owned())));
        }
    };
    let reason = match body.get("reason") {
        None | Some(Value::Null) => None,
        Some(Value::String(reason)) => Some(reason.clone()),
        Some(_) => return Err(wrong_field("reason", Fault::Other("is not a text".to_owned()))),
    };
    let from = visit.desk().session(&actor, visit.param()).await?;
    let (restored, asks) = visit.desk().restore(&actor, &from, point, reason).await?;
    Ok(told(StatusCode::CREATED, session::write(&restored, &asks)))
}

fn number(body: &Value, name: &str) -> Result<Option<u64>, Failure> {
    let wrong = || wrong_field(name, Fault::Other("is not a whole number".to_owned()));
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(wrong),
    }
}
