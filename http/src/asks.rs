//! Asking, waiting, taking back: what an agent does.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::{Ask, State};
use askuser_core::asker::Asker;
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::outcome::Outcome;
use askuser_core::problem::{Fault, Problem};
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::failing::wrong_field;
use super::templates;
use super::visit::{Visit, caller_key, ok, respond};
use askuser_api::asks::{AskPeople, Asking, DialectName, OfAsker, OwnAsks, ShowAsk};
use askuser_api::headers::{ACKNOWLEDGED, ASKER, IDEMPOTENCY_KEY};
use askuser_api::query::Seconds;
use askuser_desk::{Desk, Request, Waited};
use askuser_wire::ask::{AskView, Reader, ask_view, ask_view_for, ask_view_in};
use askuser_wire::failure::Failure;
use askuser_wire::{self as wire, Dialect};

/// `POST /api/asks[?wait=SECONDS][&dialect=][&reply=]`
pub(super) async fn ask(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.agent()?;
    let query = visit.query::<AskPeople>()?;
    let (request, warnings) = request(&visit, &query)?;
    let counted = request.terms.session.clone().unwrap_or_else(|| request.asker_key.clone());
    visit.count(&counted)?;
    let reply_in = request.terms.reply_in.clone();
    if let Some(outcome) = wire::collected(&request.questions, visit.desk().now()) {
        return ok(answered_already(&request, &outcome, &warnings));
    }
    let asked = visit.desk().ask(&actor, request).await.map_err(Failure::from);
    visit.state.readiness.asked(asked.as_ref().err());
    let asked = asked?;
    visit.state.watch().asked_within(asked.ask.id, visit.header("traceparent"));
    let mut ask = asked.ask;
    if let (true, Some(Seconds(patience))) = (ask.is_open(), query.wait) {
        ask = wait(visit.desk(), &actor, &ask, patience).await?;
    }
    handed_over(&visit, &actor, &ask);
    let status = if ask.is_open() { StatusCode::CREATED } else { StatusCode::OK };
    Ok(respond(status, for_asker(&ask, reply_in.as_deref()).with_warnings(warnings)))
}

/// Tells the answers that the asker brought along: nothing is asked, and nothing kept that could be named (E5).
fn answered_already(request: &Request, outcome: &Outcome, warnings: &[String]) -> Value {
    let Request { questions, terms, .. } = request;
    let dialect = terms.reply_in.as_deref().and_then(Dialect::parse);
    let reply = dialect.map(|dialect| wire::write(dialect, questions, terms, outcome));
    let asked: Vec<Value> = questions.top().iter().map(wire::question::write).collect();
    json!({
        "ask_id": null, "session_id": terms.session, "status": "completed", "questions": asked,
        "outcome": wire::outcome::write(questions, outcome, reply), "warnings": warnings,
    })
}

/// Reads the ask; with what its asker should know of it.
fn request(visit: &Visit, query: &Asking) -> Result<(Request, Vec<String>), Failure> {
    let value = visit.json().map_err(|problem| Failure::invalid_question(vec![problem]))?;
    let value = templates::filled(visit, value)?;
    let named = dialect("dialect", query.dialect.as_ref())?.unwrap_or_else(|| wire::recognise(&value));
    let reply = dialect("reply", query.reply.as_ref())?.unwrap_or(named);
    let defaults = visit.desk().defaults();
    let read = wire::read(named, &value).typed_within(defaults.text_chars_max, defaults.any_characters);
    let checked = read.check_and_warn().map_err(Failure::invalid_question)?;
    let warnings = wire::warnings(&checked.warnings, visit.language);
    let (questions, mut terms) = (checked.questions, checked.terms);
    if let Some(key) = visit.header(IDEMPOTENCY_KEY) {
        let got = key.chars().count();
        if got > ID_CHARS_MAX {
            return Err(wrong_field("Idempotency-Key", Fault::TooManyChars { max: ID_CHARS_MAX, got }));
        }
        terms.idempotency_key = Some(key.to_owned());
    }
    terms.reply_in = Some(reply.name().to_owned());
    // Whoever tells of itself is known again; all that a key has in common is no asker of its own.
    let is_told = visit.header(ASKER).is_some_and(|told| !told.trim().is_empty());
    let known_by = if is_told { KnownBy::Place } else { KnownBy::Nothing };
    Ok((Request { questions, terms, asker_key: asker_key_of(visit), known_by }, warnings))
}

/// `GET /api/asks[?session=ID][&agent=][&folder=]`: what waits for this asker.
pub(super) async fn own(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.agent()?;
    let OfAsker { session, agent, folder } = visit.query::<OwnAsks>()?;
    let asker = Asker { agent, project: None, folder };
    let asks = visit.desk().asks_of_asker(&actor, session.as_deref(), &asker_key_of(&visit), &asker).await?;
    let asks = asks.iter().map(|ask| ask_view(ask, Reader::Asker)).collect();
    ok(super::person::Listed { asks, limit: None })
}

/// What tells this asker from others: its key, and what it tells of itself.
fn asker_key_of(visit: &Visit) -> String {
    let key = visit.caller.as_ref().map(caller_key).unwrap_or_default();
    format!("{key} {}", visit.header(ASKER).unwrap_or_default())
}

/// A dialect that nobody speaks is as wrong as a question in it.
fn dialect(field: &str, named: Option<&DialectName>) -> Result<Option<Dialect>, Failure> {
    let unknown = |fault| Failure::invalid_question(vec![Problem::new(field, fault)]);
    named.map(DialectName::dialect).transpose().map_err(unknown)
}

/// `GET /api/asks/{id}[?wait=SECONDS][&reply=]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.reader()?;
    let query = visit.query::<ShowAsk>()?;
    let reply = dialect("reply", query.reply.as_ref())?.map(Dialect::name);
    let mut ask = visit.ask_of(&actor).await?;
    if let (true, Some(Seconds(patience))) = (ask.is_open(), query.wait) {
        ask = wait(visit.desk(), &actor, &ask, patience).await?;
    }
    if actor.role != Role::Agent {
        return ok(ask_view_for(&ask, &actor.user).left(visit.desk().is_left(ask.id)));
    }
    handed_over(&visit, &actor, &ask);
    ok(for_asker(&ask, reply))
}

/// `POST /api/asks/{id}/withdraw`
pub(super) async fn withdraw(visit: Visit) -> Result<Response, Failure> {
    let ask = visit.desk().withdraw(&visit.agent()?, visit.ask_id()?).await?;
    ok(ask_view(&ask, Reader::Asker))
}

/// `POST /api/asks/{id}/ack`
pub(super) async fn acknowledge(visit: Visit) -> Result<Response, Failure> {
    let ask = visit.desk().acknowledge(&visit.agent()?, visit.ask_id()?).await?;
    ok(ask_view(&ask, Reader::Asker))
}

async fn wait(desk: &Desk, actor: &Actor, ask: &Ask, patience: Duration) -> Result<Arc<Ask>, Failure> {
    match desk.wait(actor, ask.id, patience).await? {
        Waited::Closed(ask) | Waited::StillOpen(ask) => Ok(ask),
    }
}

/// Notes that the asker is about to have the outcome, unless it says so itself.
fn handed_over(visit: &Visit, actor: &Actor, ask: &Ask) {
    if matches!(ask.state, State::Closed(_)) && !acknowledges_later(visit) {
        visit.desk().delivered(actor, ask.session, ask.id);
    }
}

/// Whether the caller says itself that it has an outcome.
pub(super) fn acknowledges_later(visit: &Visit) -> bool {
    visit.header(ACKNOWLEDGED) == Some("later")
}

/// The ask for its asker; the outcome in the dialect that it wants now, else in the one it came in.
fn for_asker<'a>(ask: &'a Ask, reply_in: Option<&str>) -> AskView<'a> {
    ask_view_in(ask, Reader::Asker, reply_in.or(ask.terms.reply_in.as_deref()))
}
