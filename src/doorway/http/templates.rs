//! Question templates of the data folder: listed, read, put, removed (P17).

use std::fs;

use askuser_core::problem::{Fault, Problem};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::failing::{internal, not_found, wrong_field};
use super::visit::{Visit, ok, told};
use crate::client::home::write_private;
use crate::template::{self, Listed, NAME_CHARS_MAX, Nowhere, Shelf, TemplateError, Variables};
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
    template::read(&text).map_err(|faults| faulty(&faults))?;
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

/// Fills a template in where the ask names one: `{"template": …, "vars": {…}}`. What else stands in
/// the ask goes before what stands in the template.
pub(super) fn filled(visit: &Visit, ask: Value) -> Result<Value, Failure> {
    let name = ask.get("template").and_then(Value::as_str).map(str::to_owned);
    let (Some(name), None, Value::Object(mut said)) = (name, ask.get("questions"), ask.clone()) else {
        return Ok(ask);
    };
    let vars = said.shift_remove("vars");
    said.shift_remove("template");
    let given = variables(vars.as_ref())?;
    let filled = shelf(visit)?.ask(&name, &given, &Nowhere);
    let mut filled = filled.map_err(|error| match error {
        TemplateError::Faulty { faults, .. } => faulty(&faults),
        other => Failure::invalid_question(vec![Problem::new("template", Fault::Other(other.to_string()))]),
    })?;
    if let Some(fields) = filled.as_object_mut() {
        fields.extend(said);
    }
    Ok(filled)
}

/// Reads what is put into a template: texts, numbers, true and false.
fn variables(vars: Option<&Value>) -> Result<Variables, Failure> {
    let empty = Map::new();
    let wrong = |path: String, what: &str| {
        Failure::invalid_question(vec![Problem::new(path, Fault::Other(what.to_owned()))])
    };
    let vars = match vars {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(vars)) => vars,
        Some(_) => return Err(wrong("vars".to_owned(), "is not an object")),
    };
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Ok((name.clone(), text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok((name.clone(), value.to_string())),
        _ => Err(wrong(format!("vars.{name}"), "is not a text")),
    };
    vars.iter().map(text).collect()
}

fn shelf(visit: &Visit) -> Result<&Shelf, Failure> {
    visit.hall.door.templates.as_deref().ok_or_else(not_found)
}

fn faulty(faults: &[crate::yaml::Fault]) -> Failure {
    let problem = |fault: &crate::yaml::Fault| {
        let at = format!("line {}, column {}", fault.at.line, fault.at.column);
        Problem::new(at, Fault::Other(fault.what.clone()))
    };
    Failure::invalid_question(faults.iter().map(problem).collect())
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
