//! Taking an answer back that was given by one press, as long as the desk holds it.

use askuser_core::decide::Refusal;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::ask::back;
use super::failing::{Shown, error_page};
use super::sign_in::see;
use super::visit::Visit;
use askuser_desk::DeskError;

/// `POST /asks/{ask}/undo`: takes an answer back that was given by one press.
pub(super) async fn take_back(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    match visit.desk().take_back(&person, ask.id).await {
        Ok(_) if visit.is_script() => Ok(axum::Json(json!({"ok": true})).into_response()),
        Ok(_) => Ok(see(&back(visit, &ask))),
        Err(DeskError::Refused(Refusal::AlreadyClosed(outcome))) => {
            Ok(too_late_to_undo(visit, &visit.language.how_it_ended(&outcome, Some(&person.user))))
        }
        // It counts already, and the ask waits for others; or it was taken back before.
        Err(DeskError::Refused(Refusal::AlreadyHeard)) => {
            Ok(too_late_to_undo(visit, visit.words().card().waiting_for_others()))
        }
        Err(DeskError::Refused(Refusal::NothingHeld)) if !visit.is_script() => Ok(see(&back(visit, &ask))),
        Err(other) => Err(other.into()),
    }
}

fn too_late_to_undo(visit: &Visit, sentence: &str) -> Response {
    let words = visit.words();
    if visit.is_script() {
        let told = format!("{}. {sentence}", words.card().undo_too_late());
        return (StatusCode::CONFLICT, axum::Json(json!({ "closed": told }))).into_response();
    }
    error_page(visit, StatusCode::CONFLICT, words.card().undo_too_late(), sentence)
}
