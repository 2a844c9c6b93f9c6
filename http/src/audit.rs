//! The log of decisions and the security events, for whoever looks into what happened; and erasing
//! what is old.

use std::time::Duration;

use askuser_core::problem::Fault;
use askuser_core::time::Timestamp;
use askuser_words::fault::{Wrong, unfit};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

use super::failing::wrong_field;
use super::visit::{Visit, ok};
use askuser_api::audit::{
    Entries, Erased, SecurityEvent as ToldEvent, SecurityEvents, Severity as ToldSeverity, WouldErase,
};
use askuser_api::headers;
use askuser_api::shapes::AuditEntry;
use askuser_desk::{SecurityEvent, Severity};
use askuser_watch::audit::{self, Form, Search};
use askuser_watch::waits::uncounted;
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// Entries of one answer, where no number is named, and at most.
const USUAL: usize = 100;
const MOST: usize = 1000;

/// `GET /api/audit[?since=][&until=][&session=][&agent=][&user=][&action=][&text=][&after=][&limit=][&form=]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let text = |name: &str| visit.query(name).map(str::to_owned);
    let search = Search {
        after: number(&visit, "after")?.unwrap_or(0),
        since: moment(&visit, "since")?,
        until: moment(&visit, "until")?,
        session: text("session"),
        agent: text("agent"),
        person: text("user"),
        action: text("action"),
        text: text("text"),
    };
    let form = match visit.query("form") {
        None | Some("json") => None,
        Some(name) => Some(Form::parse(name).ok_or_else(|| {
            let expected = ["json", "jsonl", "csv", "md"].map(str::to_owned).to_vec();
            wrong_field("form", Fault::NotOneOf { expected, received: name.to_owned() })
        })?),
    };
    let found = search.run(visit.desk(), limit(&visit)?).await?;
    let entries: Vec<Value> = found.entries.iter().map(audit::told).collect();
    let Some(form) = form else {
        let entries = entries.into_iter().map(AuditEntry).collect();
        return ok(Entries { entries, next: found.next });
    };
    let mut response = audit::write(form, &entries, search.after == 0).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(form.content_type()));
    if let Some(next) = found.next {
        response.headers_mut().insert(headers::NEXT, HeaderValue::from(next));
    }
    Ok(response)
}

/// `GET /api/security[?after=][&limit=]`
pub(super) async fn security(visit: Visit) -> Result<SecurityEvents, Failure> {
    let after = number(&visit, "after")?.unwrap_or(0);
    let limit = limit(&visit)?;
    let events = visit.desk().audit().events(after, limit).await?;
    let next = events.last().filter(|_| events.len() == limit).map(|event| event.number);
    Ok(SecurityEvents { events: events.iter().map(event).collect(), next })
}

/// A security event as 002 10.2 has it; its number in the chain is one of the details.
fn event(event: &SecurityEvent) -> ToldEvent {
    let mut details = Map::from_iter([("number".to_owned(), event.number.into())]);
    if let Ok(Value::Object(kept)) = serde_json::from_str(&event.details) {
        details.extend(kept);
    }
    ToldEvent {
        event_type: event.kind.clone(),
        severity: match event.severity {
            Severity::Low => ToldSeverity::Low,
            Severity::Medium => ToldSeverity::Medium,
            Severity::High => ToldSeverity::High,
        },
        details,
        timestamp: time::write(event.at),
    }
}

/// `GET /api/purge?older_than=SECONDS`
pub(super) async fn would_purge(visit: Visit) -> Result<WouldErase, Failure> {
    let seconds = number(&visit, "older_than")?.ok_or_else(|| wrong_field("older_than", Fault::Missing))?;
    let n_old = uncounted(audit::erasable_older(visit.desk(), Duration::from_secs(seconds))).await?;
    Ok(WouldErase { would_erase: n_old })
}

/// `POST /api/purge` `{"older_than": SECONDS}`
pub(super) async fn purge(visit: Visit) -> Result<Erased, Failure> {
    let fields = visit.fields()?;
    let seconds = fields.get("older_than").and_then(Value::as_u64);
    let seconds = seconds.ok_or_else(|| wrong_field("older_than", unfit(Wrong::not_whole_seconds)))?;
    // As long as there is something to erase, which says nothing of how fast we are.
    let n_erased = uncounted(audit::erase_older(visit.desk(), Duration::from_secs(seconds))).await?;
    tracing::info!(
        n_erased,
        "Deleted the contents of {n_erased} questions that closed more than {seconds} s ago"
    );
    Ok(Erased { erased: n_erased })
}

fn limit(visit: &Visit) -> Result<usize, Failure> {
    let limit = number(visit, "limit")?.map_or(USUAL, |limit| usize::try_from(limit).unwrap_or(MOST));
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    Err(wrong_field("limit", unfit(|said| said.within(1, MOST))))
}

fn number(visit: &Visit, name: &str) -> Result<Option<u64>, Failure> {
    let wrong = || wrong_field(name, unfit(Wrong::not_a_number));
    visit.query(name).map(|number| number.parse().map_err(|_| wrong())).transpose()
}

/// A day, or a moment as we write it; seconds will do.
fn moment(visit: &Visit, name: &str) -> Result<Option<Timestamp>, Failure> {
    let Some(text) = visit.query(name) else { return Ok(None) };
    let whole = match (text.len(), text.strip_suffix('Z')) {
        (10, None) => format!("{text}T00:00:00.000Z"),
        (_, Some(start)) if !start.contains('.') => format!("{start}.000Z"),
        _ => text.to_owned(),
    };
    let wrong = || wrong_field(name, unfit(Wrong::not_a_moment));
    time::read(&whole).map(Some).ok_or_else(wrong)
}
