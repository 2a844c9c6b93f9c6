//! Question templates of the data folder: listed, read, put, removed (P17).

use std::fs;

use askuser_core::problem::Fault;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::failing::{internal, not_found, wrong_field};
use super::visit::{Visit, ok, told};
use crate::client::home::write_private;
use crate::template::{self, Listed, NAME_CHARS_MAX, Named, Nowhere, Shelf};
use crate::wire::failure::Failure;

/// `GET /api/templates`
pub(super) async fn list(visit: Visit) -> Result<Response, Failure> {
    let listed: Vec<Value> = shelf(&visit)?.list().iter().map(written).collect();
    ok(json!({ "templates": listed }))
}

/// `GET /api/templates/{name}`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let found = shelf(&visit)?.list().into_iter().find(|listed| listed.name == visit.param());
    let found = found.ok_or_else(not_found)?;
    let mut shown = written(&found);
    shown["text"] = fs::read_to_string(&found.path).map_err(|_| not_found())?.into();
    ok(shown)
}

/// `PUT /api/templates/{name}`: `{"text": "<YAML>"}`, or the template itself as JSON.
pub(super) async fn put(visit: Visit) -> Result<Response, Failure> {
    let shelf = shelf(&visit)?;
    let wrong_name = || {
        let what = format!("is no name: letters, digits, `_` and `-`, {NAME_CHARS_MAX} at most");
        wrong_field("name", Fault::Other(what))
    };
    let path = shelf.own_file(visit.param()).ok_or_else(wrong_name)?;
    let body = visit.fields()?;
    let text = match body.get("text").and_then(Value::as_str) {
        Some(text) if body.get("questions").is_none() => text.to_owned(),
        // JSON is YAML.
        _ => format!("{body:#}\n"),
    };
    let sound = template::read(&text);
    sound.map_err(|faults| Failure::invalid_question(faults.iter().map(template::problem).collect()))?;
    let is_new = !path.exists();
    let kept = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_private(&path, &text));
    kept.map_err(|error| {
        tracing::error!("A template cannot be written: {error}");
        internal()
    })?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(told(status, json!({"success": true, "name": visit.param()})))
}

/// `DELETE /api/templates/{name}`
pub(super) async fn remove(visit: Visit) -> Result<Response, Failure> {
    let path = shelf(&visit)?.own_file(visit.param()).ok_or_else(not_found)?;
    fs::remove_file(path).map_err(|_| not_found())?;
    ok(json!({"success": true}))
}

/// Fills a template in where the ask names one: `{"template": …, "vars": {…}}`.
pub(super) fn filled(visit: &Visit, ask: Value) -> Result<Value, Failure> {
    let Some(named) = Named::read(&ask).map_err(Failure::invalid_question)? else { return Ok(ask) };
    let filled = named.fill(shelf(visit)?, &Nowhere);
    filled.map_err(|error| Failure::invalid_question(error.problems()))
}

fn shelf(visit: &Visit) -> Result<&Shelf, Failure> {
    visit.hall.door.templates.as_deref().ok_or_else(not_found)
}

fn written(listed: &Listed) -> Value {
    let mut written = json!({"name": listed.name, "hits": listed.hits});
    match &listed.template {
        Ok(template) => {
            let variables = template.variables.iter().map(|variable| {
                json!({"name": variable.name, "description": variable.description, "default": variable.default})
            });
            written["description"] = json!(template.description);
            written["variables"] = variables.collect();
            written["ask"] = template.json();
        }
        Err(error) => written["faults"] = error.to_string().into(),
    }
    written
}
