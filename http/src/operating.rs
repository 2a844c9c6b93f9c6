//! For whoever runs the daemon: does it live, can it write, how is it doing, stop.

use std::sync::PoisonError;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use rustix::process::{Resource, getrlimit};
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::visit::{Visit, ok, told};
use askuser_desk::{DeskError, Difference, KeyRole, LIST_MAX, Served, StoreError, Subject, Than};
use askuser_watch::operations::Figures;
use askuser_watch::waits::uncounted;
use askuser_wire::failure::{Code, Failure};
use askuser_wire::time;

/// How long a look at the disk counts: anybody may ask, and each look is a write.
const READY_FOR: Duration = Duration::from_secs(1);

/// How long an ask that the store could not take counts: something small may still be written where an ask
/// is not, as on a disk that is full.
const REFUSED_FOR: Duration = Duration::from_secs(30);

/// Whether the disk could be written to, and when that was.
#[derive(Default)]
pub(super) struct Readiness {
    looked: Mutex<Option<(Instant, Result<(), StoreError>)>>,
    refused: std::sync::Mutex<Option<(Instant, Failure)>>,
}

impl Readiness {
    /// Notes how an ask went.
    pub(super) fn asked(&self, refused: Option<&Failure>) {
        let refused = refused.filter(|failure| failure.code == Code::Unavailable);
        let mut last = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        *last = refused.map(|failure| (Instant::now(), failure.clone()));
    }

    /// The last ask, where the store could not take it just now.
    fn refused(&self) -> Option<Failure> {
        let last = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|(since, _)| since.elapsed() < REFUSED_FOR).map(|(_, failure)| failure.clone())
    }
}

/// `GET /healthz`
pub(super) async fn healthy(_: Visit) -> Result<Response, Failure> {
    ok(json!({"status": "ok"}))
}

/// `GET /readyz`
pub(super) async fn ready(visit: Visit) -> Result<Response, Failure> {
    if let Some(refused) = visit.hall.readiness.refused() {
        return Err(refused);
    }
    let mut known = visit.hall.readiness.looked.lock().await;
    let fresh = known.as_ref().filter(|(since, _)| since.elapsed() < READY_FOR);
    let ready = if let Some((_, ready)) = fresh {
        ready.clone()
    } else {
        let ready = visit.desk().store().check_writable().await;
        *known = Some((Instant::now(), ready.clone()));
        ready
    };
    ready.map_err(DeskError::from)?;
    ok(json!({"status": "ready"}))
}

/// `GET /api/status`: how much there is of all users together, only to whoever looks after them.
pub(super) async fn status(visit: Visit) -> Result<Response, Failure> {
    let (ours, in_browsers) =
        (visit.hall.watch().operations.figures(), visit.hall.watch().in_browsers.figures());
    let mut status = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "pid": std::process::id(),
        "started_at": time::write(visit.hall.started_at),
        "now": time::write(visit.desk().now()),
        "database": if visit.desk().store().is_shared() { "postgresql" } else { "sqlite" },
        // None where the system sets no limit.
        "open_files_max": getrlimit(Resource::Nofile).current,
        "connections_max": visit.hall.door.bounds.connections_max,
        "network": visit.hall.door.reach.borrow().told(),
        "public_url": visit.hall.door.reach.borrow().public_url,
        "desk": visit.hall.number,
        "stopping": visit.desk().stopping().is_cancelled(),
        "agent_dialog": visit.desk().takes_dialogs(),
        "operations": response_times(&ours),
        "browser_operations": response_times(&in_browsers),
    });
    if visit.caller.as_ref().is_some_and(|caller| caller.role == KeyRole::Admin) {
        let counts = visit.desk().store().counts().await.map_err(DeskError::from)?;
        status["open_asks"] = counts.open_asks.into();
        status["tasks"] =
            visit.desk().store().tasks_alive(LIST_MAX).await.map_err(DeskError::from)?.len().into();
        status["facts"] = counts.facts.into();
        status["sessions"] = counts.sessions.into();
    }
    ok(status)
}

/// The figures of the last operations, as the source document names them.
fn response_times(figures: &Figures) -> Value {
    let ms = |took: Duration| took.as_secs_f64() * 1000.0;
    json!({
        "count": figures.count,
        "avgResponseTime": ms(figures.average),
        "p95ResponseTime": ms(figures.p95),
        "slowOperations": figures.n_slow,
    })
}

/// `POST /api/stop`: the answer is still sent, then the door closes.
pub(super) async fn stop(visit: Visit) -> Result<Response, Failure> {
    tracing::info!("Stopping: an admin asked for it");
    visit.hall.door.stop.cancel();
    Ok(told(StatusCode::ACCEPTED, json!({"status": "stopping"})))
}

/// `GET /api/audit/verify`
pub(super) async fn verify(visit: Visit) -> Result<Response, Failure> {
    let store = visit.desk().store();
    // As long as there is something to walk through, which says nothing of how fast we are.
    let walked = uncounted(async {
        let verified = store.verify(1).await?;
        let Some(audit) = store.audit() else { return Ok((verified, None, None)) };
        let events = Some(audit.verify_events().await?);
        Ok::<_, StoreError>((verified, events, Some(audit.verify_served().await?)))
    });
    let (verified, events, served) = walked.await.map_err(DeskError::from)?;
    let broken = verified.broken.as_ref();
    let broken_event = events.as_ref().and_then(|events| events.broken.as_ref());
    let is_as_told = served.as_ref().is_none_or(Served::is_whole);
    ok(json!({
        "whole": broken.is_none() && broken_event.is_none() && is_as_told,
        "facts": verified.upto.number,
        "checked": verified.n_checked,
        "erased": verified.n_erased,
        "broken": broken.map(|broken| json!({"number": broken.number, "fault": broken.fault.to_string()})),
        "served": served.as_ref().map(|served| json!({
            "sessions": served.n_sessions,
            "asks": served.n_asks,
            "asks_erased": served.n_asks_erased,
            "differs": served.n_differences,
            "differences": served.differences.iter().map(difference).collect::<Vec<_>>(),
        })),
        "security": events.as_ref().map(|events| json!({
            "events": events.upto.number,
            "broken": broken_event.map(|broken| json!({"number": broken.number, "fault": broken.fault.to_string()})),
        })),
    }))
}

/// Something that is served and does not say what its facts say.
fn difference(difference: &Difference) -> Value {
    let (ask, session) = match difference.of {
        Subject::Ask(ask) => (Some(ask.to_string()), None),
        Subject::Session(session) => (None, Some(session.to_string())),
        Subject::Everything => (None, None),
    };
    let fact = match difference.than {
        Than::Fact(number) | Than::Gone(number) | Than::Erased(number) => Some(number),
        Than::NoFact | Than::Lost(_) => None,
    };
    let (field, fault) = (difference.field, difference.to_string());
    json!({"ask": ask, "session": session, "field": field, "fact": fact, "fault": fault})
}
