//! The agent's own dialog, told of by a program that the agent started: with the agent's key, and as such.

use askuser_words::failed::Failed;
use axum::response::Response;
use serde_json::Value;

use super::failing::forbidden;
use super::person::entries;
use super::visit::{Visit, ok};
use askuser_wire::answers::read_answers;
use askuser_wire::ask::{Reader, ask_view};
use askuser_wire::failure::Failure;

/// `POST /api/asks/{id}/dialog {"answers":{…},"notes":{…},"client":"NAME VERSION"}`
pub(super) async fn answer(visit: Visit) -> Result<Response, Failure> {
    let agent = visit.agent()?;
    let Some(caller) = &visit.caller else {
        return Err(forbidden(Failed::agent_only));
    };
    let ask = visit.ask_of(&agent).await?;
    let entries = entries(&visit, &ask, read_answers)?;
    let body = visit.fields()?;
    let client = body.get("client").and_then(Value::as_str);
    let ask = visit.desk().answer_in_dialog(caller, client, ask.id, entries).await?;
    ok(ask_view(&ask, Reader::Asker))
}
