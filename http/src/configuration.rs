//! The configuration file beside what the server runs with, and reloading it.

use askuser_words::failed::Failed;
use axum::response::Response;
use serde_json::json;

use super::visit::{Visit, ok};
use askuser_config::Difference;
use askuser_wire::failure::{Code, Failure};

/// `GET /api/config`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    difference(&visit, false).await
}

/// `POST /api/config/reload`
pub(super) async fn reload(visit: Visit) -> Result<Response, Failure> {
    difference(&visit, true).await
}

async fn difference(visit: &Visit, reload: bool) -> Result<Response, Failure> {
    let difference = match &visit.hall.door.settings {
        Some(settings) => settings.difference(reload).await.ok_or_else(stopping)?,
        // A server without a file runs with what it was given.
        None => Difference::default(),
    };
    let Difference { file, reload, restart, faults } = difference;
    let faults: Vec<&str> = faults.iter().map(|fault| visit.language.of(fault)).collect();
    let file = file.map(|file| file.display().to_string());
    ok(json!({"file": file, "reload": reload, "restart": restart, "faults": faults}))
}

fn stopping() -> Failure {
    Failure::new(Code::Unavailable, Failed::stopping)
}
