//! Sessions, their rounds and their messages (P11, P4, P5).

use std::fmt::Write as _;

use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::problem::Fault;
use askuser_core::session::Session;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::failing::wrong_field;
use super::visit::{Visit, ok, told};
use crate::wire::failure::Failure;
use crate::wire::{message, session};

/// `POST /api/sessions {"session_id"?: the agent's own name, "total_rounds"?}`
pub(super) async fn open(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let body = visit.fields()?;
    let name = match body.get("session_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) if (1..=ID_CHARS_MAX).contains(&name.chars().count()) => Some(name.clone()),
        Some(_) => {
            let fault = Fault::Other(format!("is not a text of 1 to {ID_CHARS_MAX} characters"));
            return Err(wrong_field("session_id", fault));
        }
    };
    let total_rounds = match body.get("total_rounds") {
        None | Some(Value::Null) => None,
        Some(value) => {
            let rounds = value.as_u64().and_then(|rounds| u32::try_from(rounds).ok());
            let wrong = || Fault::Other("is not a positive whole number".to_owned());
            Some(rounds.filter(|rounds| *rounds > 0).ok_or_else(|| wrong_field("total_rounds", wrong()))?)
        }
    };
    let opened = visit.desk().open_session(&actor, name, total_rounds).await?;
    Ok(told(StatusCode::CREATED, session::write(&opened, &[])))
}

/// `GET /api/sessions`
pub(super) async fn list(visit: Visit) -> Result<Response, Failure> {
    let sessions = visit.desk().sessions(&visit.reader()?).await?;
    let sessions: Vec<Value> = sessions.iter().map(session::brief).collect();
    ok(json!({ "sessions": sessions }))
}

/// `GET /api/sessions/{id}`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let found = found(&visit).await?;
    let rounds = visit.desk().rounds(found.id).await?;
    ok(session::write(&found, &rounds))
}

/// `GET /api/sessions/{id}/messages`
pub(super) async fn messages(visit: Visit) -> Result<Response, Failure> {
    let found = found(&visit).await?;
    let rounds = visit.desk().rounds(found.id).await?;
    ok(json!({ "messages": message::chain(&found, &rounds) }))
}

/// `GET /api/sessions/{id}/export?format=jsonl`
pub(super) async fn export(visit: Visit) -> Result<Response, Failure> {
    let format = visit.query("format").unwrap_or("jsonl");
    if format != "jsonl" {
        let fault = Fault::NotOneOf { expected: vec!["jsonl".to_owned()], received: format.to_owned() };
        return Err(wrong_field("format", fault));
    }
    let found = found(&visit).await?;
    let rounds = visit.desk().rounds(found.id).await?;
    let mut lines = String::new();
    for message in message::chain(&found, &rounds) {
        // Writing to a text cannot fail.
        let _written = writeln!(lines, "{message}");
    }
    let name = format!("attachment; filename=\"{}.jsonl\"", found.id);
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, lines).into_response())
}

async fn found(visit: &Visit) -> Result<Session, Failure> {
    Ok(visit.desk().session(&visit.reader()?, visit.param()).await?)
}
