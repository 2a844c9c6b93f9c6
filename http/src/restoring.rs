//! Going back: the versions of a session, and a new session from one of them (D13, P2, P20).

use askuser_core::id::AskId;
use askuser_words::failed::Failed;
use askuser_words::fault::{Wrong, unfit};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;

use super::failing::wrong_field;
use super::visit::{Visit, respond};
use askuser_api::sessions::{Checkpoint, CheckpointState, Checkpoints};
use askuser_desk::Point;
use askuser_wire::failure::{Code, Failure};
use askuser_wire::session::{self, SessionNames};
use askuser_wire::time;

/// `GET /api/sessions/{id}/checkpoints`: readings of the facts, not copies. A version is the number
/// of the fact after which the session stood so.
pub(super) async fn checkpoints(visit: Visit) -> Result<Checkpoints, Failure> {
    let found = visit.desk().session(&visit.reader()?, visit.param()).await?;
    let checkpoints = visit.desk().checkpoints(&found).await?;
    if checkpoints.is_empty() {
        return Err(Failure::new(Code::CheckpointNotFound, Failed::no_checkpoints));
    }
    let session_id = SessionNames::of_session(&found).session_id();
    let versions = checkpoints.into_iter().map(|checkpoint| Checkpoint {
        session_id: session_id.clone(),
        state: CheckpointState {
            status: checkpoint.status.name().to_owned(),
            current_round: checkpoint.round,
            open_asks: checkpoint.open.iter().map(ToString::to_string).collect(),
        },
        timestamp: time::write(checkpoint.at),
        version: checkpoint.version,
    });
    let checkpoints = versions.collect();
    Ok(Checkpoints { id: found.id.to_string(), session_id, checkpoints })
}

/// `POST /api/sessions/{id}/restore {"checkpoint_version":N}` or `{"round":N}`, the latest without either: the
/// answer is the new session, and what it took over.
pub(super) async fn restore(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.person()?;
    let body = visit.fields()?;
    let point = match (number(&body, "checkpoint_version")?, number(&body, "round")?) {
        (None, None) => Point::Latest,
        (Some(version), None) => Point::Version(version),
        (None, Some(round)) => Point::Round(u32::try_from(round).unwrap_or(u32::MAX)),
        (Some(_), Some(_)) => {
            return Err(wrong_field("round", unfit(Wrong::without_version)));
        }
    };
    let reason = match body.get("restore_reason") {
        None | Some(Value::Null) => None,
        Some(Value::String(reason)) => Some(reason.clone()),
        Some(_) => return Err(wrong_field("restore_reason", unfit(Wrong::not_a_text))),
    };
    let from = visit.desk().session(&actor, visit.param()).await?;
    let restored = visit.desk().restore(&actor, &from, point, reason).await?;
    let mut told_of = session::write(&restored.session, &restored.rounds);
    if let Some(fields) = told_of.as_object_mut() {
        let names = |asks: &[AskId]| asks.iter().map(ToString::to_string).collect::<Vec<_>>();
        fields.insert("checkpoint_version".to_owned(), restored.version.into());
        fields.insert("checkpoint_round".to_owned(), restored.round.into());
        fields.insert("moved".to_owned(), names(&restored.moved).into());
        fields.insert("asked_anew".to_owned(), names(&restored.asked_anew).into());
    }
    Ok(respond(StatusCode::CREATED, told_of))
}

fn number(body: &Value, name: &str) -> Result<Option<u64>, Failure> {
    let wrong = || wrong_field(name, unfit(Wrong::not_whole));
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(wrong),
    }
}
