//! Question templates of the data folder: listed, read, put, removed (P17). A person's own are theirs
//! alone; those of the desk are for everybody's agents, and only an admin changes them.

use std::fs;
use std::path::Path;

use askuser_words::Language;
use askuser_words::failed::Failed;
use askuser_words::fault::unfit;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::failing::{forbidden, not_found, wrong_field};
use super::visit::{Visit, respond};
use askuser_api::Done;
use askuser_api::shapes::Open;
use askuser_api::templates::{PutThere, Sound, Template, Templates, Variable};
use askuser_client::home::write_private;
use askuser_config::template::{self, Listed, NAME_CHARS_MAX, Named, Nowhere, Shelf};
use askuser_desk::{FileDigest, KeyRole};
use askuser_system::disk;
use askuser_wire::failure::Failure;

/// `GET /api/templates`
pub(super) async fn list(visit: Visit) -> Result<Templates, Failure> {
    Ok(Templates { templates: shelf(&visit)?.list().iter().map(written).collect() })
}

/// `GET /api/templates/{name}`
pub(super) async fn show(visit: Visit) -> Result<Template, Failure> {
    let found = shelf(&visit)?.list().into_iter().find(|listed| listed.name == visit.param());
    let found = found.ok_or_else(not_found)?;
    let text = fs::read_to_string(&found.path).map_err(|_| not_found())?;
    Ok(Template { text: Some(text), ..written(&found) })
}

/// `PUT /api/templates/{name}`: `{"text": "<YAML>"}`, or the template itself as JSON. A person's own, or
/// with an admin's key the desk's.
pub(super) async fn put(visit: Visit) -> Result<Response, Failure> {
    let wrong_name = || wrong_field("name", unfit(|said| said.no_template_name(NAME_CHARS_MAX)));
    let path = shelf(&visit)?.own_file(visit.param()).ok_or_else(wrong_name)?;
    let body = visit.fields()?;
    let text = match body.get("text").and_then(Value::as_str) {
        Some(text) if body.get("questions").is_none() => text.to_owned(),
        // JSON is YAML.
        _ => format!("{body:#}\n"),
    };
    let sound = template::read(&text);
    sound.map_err(|faults| Failure::invalid_question(faults.iter().map(template::problem).collect()))?;
    let before = digest(&path);
    record(&visit, before, Some(Sha256::digest(&text).into())).await?;
    let kept = path
        .parent()
        .map_or(Ok(()), |shelf| disk::make_folder(shelf, 0o777))
        .and_then(|()| write_private(&path, &text));
    kept.map_err(|error| {
        tracing::error!("A template could not be saved: {error}");
        Failure::internal()
    })?;
    let status = if before.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    let owner = owner(&visit).map(str::to_owned);
    Ok(respond(status, PutThere { success: true, name: visit.param().to_owned(), owner }))
}

/// `DELETE /api/templates/{name}`
pub(super) async fn remove(visit: Visit) -> Result<Done, Failure> {
    let shelf = shelf(&visit)?;
    let path = shelf.own_file(visit.param()).ok_or_else(not_found)?;
    let Some(before) = digest(&path) else {
        let is_the_desks = shelf.desk_file(visit.param()).is_some_and(|path| path.exists());
        return Err(if is_the_desks { not_yours() } else { not_found() });
    };
    record(&visit, Some(before), None).await?;
    fs::remove_file(&path).map_err(|_| not_found())?;
    disk::flush_name(&path).map_err(|error| {
        tracing::error!("That a template was removed cannot be flushed: {error}");
        Failure::internal()
    })?;
    Ok(Done::YES)
}

fn not_yours() -> Failure {
    forbidden(Failed::templates_of_all)
}

/// A change of what everybody's agents ask is told first; a person's own is their own affair.
async fn record(visit: &Visit, before: Option<FileDigest>, after: Option<FileDigest>) -> Result<(), Failure> {
    match &visit.caller {
        Some(caller) if caller.role == KeyRole::Admin && before != after => {
            Ok(visit.desk().note_template(caller, visit.param(), before, after).await?)
        }
        _ => Ok(()),
    }
}

fn digest(path: &Path) -> Option<FileDigest> {
    fs::read(path).ok().map(|bytes| Sha256::digest(bytes).into())
}

/// Fills a template in where the ask names one: `{"template": …, "vars": {…}}`.
pub(super) fn filled(visit: &Visit, ask: Value) -> Result<Value, Failure> {
    let Some(named) = Named::read(&ask).map_err(Failure::invalid_question)? else { return Ok(ask) };
    let filled = named.fill(&shelf(visit)?, &Nowhere);
    filled.map_err(|error| Failure::invalid_question(error.problems()))
}

/// The templates that the caller may use and change: those of its user before the desk's; with an admin's
/// key the desk's alone.
fn shelf(visit: &Visit) -> Result<Shelf, Failure> {
    let shelf = visit.state.options.templates.as_deref().ok_or_else(not_found)?;
    Ok(owner(visit).map_or_else(|| shelf.clone(), |person| shelf.of(person)))
}

/// Whose templates the caller changes: nobody's are the desk's.
fn owner(visit: &Visit) -> Option<&str> {
    let caller = visit.caller.as_ref().filter(|caller| caller.role != KeyRole::Admin)?;
    Some(caller.user.as_str())
}

fn written(listed: &Listed) -> Template {
    let sound = listed.template.as_ref().ok().map(|template| Sound {
        description: template.description.clone(),
        variables: template.variables.iter().map(variable).collect(),
        ask: Open(template.json()),
    });
    Template {
        name: listed.name.clone(),
        owner: listed.owner.clone(),
        hits: listed.hits,
        faults: listed.template.as_ref().err().map(|error| error.said(Language::English)),
        sound,
        text: None,
    }
}

fn variable(variable: &template::Variable) -> Variable {
    let template::Variable { name, description, default, .. } = variable.clone();
    Variable { name, description, default }
}
