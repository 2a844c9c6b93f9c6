//! For whoever runs the daemon: does it live, can it write, how is it doing, stop.

use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::visit::Visit;
use askuser_api::audit::{self as told, Broken, SecurityChain, Verified};
use askuser_api::operating::{ResponseTimes, Status, Word};
use askuser_desk::{self as desk, DeskError, Difference, KeyRole, LIST_MAX, Subject, Than, Walked};
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
    looked: Mutex<Option<(Instant, Result<(), DeskError>)>>,
    refused: parking_lot::Mutex<Option<(Instant, Failure)>>,
}

impl Readiness {
    /// Notes how an ask went.
    pub(super) fn asked(&self, refused: Option<&Failure>) {
        let refused = refused.filter(|failure| failure.code == Code::Unavailable);
        let mut last = self.refused.lock();
        *last = refused.map(|failure| (Instant::now(), failure.clone()));
    }

    /// The last ask, where the store could not take it just now.
    fn refused(&self) -> Option<Failure> {
        let last = self.refused.lock();
        last.as_ref().filter(|(since, _)| since.elapsed() < REFUSED_FOR).map(|(_, failure)| failure.clone())
    }
}

/// `GET /healthz`
pub(super) async fn healthy(_: Visit) -> Result<Word, Failure> {
    word("ok")
}

/// `GET /readyz`
pub(super) async fn ready(visit: Visit) -> Result<Word, Failure> {
    if let Some(refused) = visit.state.readiness.refused() {
        return Err(refused);
    }
    let mut known = visit.state.readiness.looked.lock().await;
    let fresh = known.as_ref().filter(|(since, _)| since.elapsed() < READY_FOR);
    let ready = if let Some((_, ready)) = fresh {
        ready.clone()
    } else {
        let ready = visit.desk().check_writable().await;
        *known = Some((Instant::now(), ready.clone()));
        ready
    };
    ready?;
    word("ready")
}

#[expect(clippy::unnecessary_wraps, reason = "so that a route can end in it")]
fn word(word: &str) -> Result<Word, Failure> {
    Ok(Word { status: word.to_owned() })
}

/// `GET /api/status`: how much there is of all users together, only to whoever looks after them.
pub(super) async fn status(visit: Visit) -> Result<Status, Failure> {
    let (ours, in_browsers) =
        (visit.state.watch().operations.figures(), visit.state.watch().in_browsers.figures());
    let reach = visit.state.options.reach.borrow().clone();
    let mut status = Status {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pid: std::process::id(),
        started_at: time::write(visit.state.started_at),
        now: time::write(visit.desk().now()),
        database: if visit.desk().replicas().may_be() { "postgresql" } else { "sqlite" }.to_owned(),
        open_files_max: getrlimit(Resource::Nofile).current,
        connections_max: visit.state.options.bounds.connections_max,
        network: reach.network(),
        public_url: reach.public_url,
        desk: visit.state.number.clone(),
        stopping: visit.desk().stopping().is_cancelled(),
        agent_dialog: visit.desk().takes_dialogs(),
        operations: response_times(&ours),
        browser_operations: response_times(&in_browsers),
        ..Status::default()
    };
    if visit.caller.as_ref().is_some_and(|caller| caller.role == KeyRole::Admin) {
        let counts = visit.desk().across_users().counts().await?;
        let tasks = visit.desk().across_users().tasks_alive(LIST_MAX).await?;
        status.open_asks = Some(counts.open_asks);
        status.tasks = Some(tasks.len());
        status.facts = Some(counts.facts);
        status.sessions = Some(counts.sessions);
    }
    Ok(status)
}

fn response_times(figures: &Figures) -> ResponseTimes {
    let ms = |took: Duration| took.as_secs_f64() * 1000.0;
    ResponseTimes {
        count: figures.count,
        avg_response_time: ms(figures.average),
        p95_response_time: ms(figures.p95),
        slow_operations: figures.n_slow,
    }
}

/// `POST /api/stop`: the answer is still sent, then the server stops.
pub(super) async fn stop(visit: Visit) -> Result<Word, Failure> {
    tracing::info!("Stopping on an admin's request");
    visit.state.options.stop.cancel();
    word("stopping")
}

/// `GET /api/audit/verify`
pub(super) async fn verify(visit: Visit) -> Result<Verified, Failure> {
    // As long as there is something to walk through, which says nothing of how fast we are.
    let Walked { facts, events, served } = uncounted(visit.desk().audit().verify()).await?;
    let whole = facts.broken.is_none() && events.broken.is_none() && served.is_whole();
    Ok(Verified {
        whole,
        facts: facts.upto.number,
        checked: facts.n_checked,
        erased: facts.n_erased,
        broken: facts.broken.as_ref().map(broken),
        served: Some(told::Served {
            sessions: served.n_sessions,
            asks: served.n_asks,
            asks_erased: served.n_asks_erased,
            differs: served.n_differences,
            differences: served.differences.iter().map(difference).collect(),
        }),
        security: Some(SecurityChain {
            events: events.upto.number,
            broken: events.broken.as_ref().map(broken),
        }),
    })
}

fn broken(broken: &desk::Broken) -> Broken {
    Broken { number: broken.number, fault: broken.fault.to_string() }
}

/// Something that is served and does not say what its facts say.
fn difference(difference: &Difference) -> told::Difference {
    let (ask, session) = match difference.of {
        Subject::Ask(ask) => (Some(ask.to_string()), None),
        Subject::Session(session) => (None, Some(session.to_string())),
        Subject::Everything => (None, None),
    };
    let fact = match difference.than {
        Than::Fact(number) | Than::Gone(number) | Than::Erased(number) => Some(number),
        Than::NoFact | Than::Lost(_) => None,
    };
    let (field, fault) = (difference.field.to_owned(), difference.to_string());
    told::Difference { ask, session, field, fact, fault }
}
