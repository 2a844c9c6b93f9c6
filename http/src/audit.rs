//! The log of decisions and the security events, for whoever looks into what happened; and erasing
//! what is old.

use std::time::Duration;

use askuser_core::time::Timestamp;
use askuser_words::fault::{Wrong, unfit};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value};

use super::failing::wrong_field;
use super::visit::{Visit, ok};
use askuser_api::audit::{
    After, CountOld, Entries, Erased, Form as Written, ListSecurityEvents, SearchAudit,
    SecurityEvent as ToldEvent, SecurityEvents, Severity as ToldSeverity, WouldErase,
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
    let asked = visit.query::<SearchAudit>()?;
    let search = Search {
        after: asked.after.unwrap_or(0),
        since: moment("since", asked.since)?,
        until: moment("until", asked.until)?,
        session: asked.session,
        agent: asked.agent,
        person: asked.user,
        action: asked.action,
        text: asked.text,
    };
    let form = match asked.form {
        None | Some(Written::Json) => None,
        Some(Written::Jsonl) => Some(Form::JsonLines),
        Some(Written::Csv) => Some(Form::Csv),
        Some(Written::Md) => Some(Form::Markdown),
    };
    let found = search.run(visit.desk(), limit(asked.limit)?).await?;
    let entries: Vec<Value> = found.entries.iter().map(audit::to_json).collect();
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
    let After { after, limit: wanted } = visit.query::<ListSecurityEvents>()?;
    let limit = limit(wanted)?;
    let events = visit.desk().audit().events(after.unwrap_or(0), limit).await?;
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
    let seconds = visit.query::<CountOld>()?.older_than;
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

fn limit(wanted: Option<usize>) -> Result<usize, Failure> {
    let limit = wanted.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) {
        return Ok(limit);
    }
    Err(wrong_field("limit", unfit(|said| said.within(1, MOST))))
}

/// A day, or a moment as we write it; seconds will do.
fn moment(name: &str, text: Option<String>) -> Result<Option<Timestamp>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let whole = match (text.len(), text.strip_suffix('Z')) {
        (10, None) => format!("{text}T00:00:00.000Z"),
        (_, Some(start)) if !start.contains('.') => format!("{start}.000Z"),
        _ => text,
    };
    let wrong = || wrong_field(name, unfit(Wrong::not_a_moment));
    time::read(&whole).map(Some).ok_or_else(wrong)
}
