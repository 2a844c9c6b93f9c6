//! `POST /api/hooks/{agent}`: an agent's hook event in, its decision out.
//!
//! Held until a person decides; with `wait` it answers `pending` when the time is up, and the same
//! event sent again joins the open ask. The connection is the caller's lease of the ask: where it goes
//! away and does not come back, the ask is taken back, or says that nobody waits where the run may be resumed.

use std::sync::Arc;
use std::time::{Duration, Instant};

use askuser_core::ask::Ask;
use askuser_core::asker::Asker;
use askuser_core::command::{Actor, KnownBy};
use askuser_core::id::AskId;
use askuser_words::commands::setup::Hooks;
use askuser_words::fault::refusal as refused;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::future::select_all;
use serde_json::json;

use super::asks::acknowledges_later;
use super::failing::not_found;
use super::gate;
use super::visit::{Visit, caller_key, ok, respond};
use askuser_agents::hook::{self, Action, Event, HookAsk, Mode, Withdrawal};
use askuser_api::doorways::HookEvent;
use askuser_api::headers::{ENTRYPOINT, FOLDER, IDEMPOTENCY_KEY, MODE};
use askuser_api::query::Seconds;
use askuser_desk::{Desk, DeskError, Lease, PATIENCE_MAX, Request, Waited, WhenLeft, from_address};
use askuser_wire as wire;
use askuser_wire::failure::Failure;

/// How long a hook of this machine has to come back whose connection broke: it tries again at once.
const BACK_WITHIN: Duration = Duration::from_secs(2);
/// So too for one that comes from elsewhere, over a network that may be away for a while.
const BACK_FROM_AFAR_WITHIN: Duration = Duration::from_secs(30);
/// How long a hook has to come back that was told that its ask is pending.
const NEXT_WITHIN: Duration = Duration::from_secs(10);

/// `POST /api/hooks/{agent}[?wait=SECONDS]`
pub(super) async fn receive(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.agent()?;
    let agent = hook::agent(visit.param()).ok_or_else(not_found)?;
    let mode = visit.header(MODE).and_then(Mode::parse);
    let mode = mode.unwrap_or_else(|| agent.mode(None, visit.header(ENTRYPOINT)));
    let folder = visit.header(FOLDER).map(str::to_owned);
    let event = Event::new(agent, mode, folder, &visit.fields()?);
    visit.count(event.session())?;
    match hook::read(&event) {
        Action::StepAside => ok(hook::aside()),
        Action::TakeBack(withdrawal) => {
            take_back(&visit, &actor, &withdrawal).await?;
            ok(hook::aside())
        }
        Action::Ask(asking) => ask(&visit, &actor, &event, &asking).await,
        Action::Collect => collect(&visit, &actor, &event).await,
    }
}

/// Hooks that waited when the last daemon ended come back to this one. The card of one that does not says that nobody
/// waits.
pub(super) async fn expect_back(desk: Desk) {
    if let Err(error) = desk.expect_back(hook::is_leased, NEXT_WITHIN).await {
        tracing::warn!("Questions of hooks that are gone may look as if somebody waited: {error}");
    }
}

async fn ask(visit: &Visit, actor: &Actor, event: &Event, asking: &HookAsk) -> Result<Response, Failure> {
    let patience = visit.query::<HookEvent>()?.wait.map(|Seconds(wait)| wait);
    let Some(request) = request(visit, event, asking) else {
        // Better the agent's own dialog than a question that was cut to fit.
        return ok(hook::aside_because(Hooks(visit.language).unfit(), visit.language));
    };
    let (asked, lease) = match taken_in(visit, actor, request, asking.stays()).await {
        Ok(taken_in) => taken_in,
        Err(DeskError::Refused(refusal)) => {
            return ok(hook::aside_because(&refused(&refusal, visit.language), visit.language));
        }
        Err(other) => return Err(other.into()),
    };
    if !asking.is_awaited() {
        lease.end();
        nobody_waits(visit, actor, asked.id);
        return ok(hook::aside());
    }
    let waited = visit.desk().wait(actor, asked.id, patience.unwrap_or(PATIENCE_MAX)).await?;
    let ask = match waited {
        Waited::Closed(ask) => {
            lease.end();
            ask
        }
        Waited::StillOpen(ask) if patience.is_some() || visit.desk().stopping().is_cancelled() => {
            lease.pause(NEXT_WITHIN);
            return Ok(respond(
                StatusCode::ACCEPTED,
                json!({"status": "pending", "ask_id": ask.id.to_string()}),
            ));
        }
        Waited::StillOpen(ask) => {
            lease.pause(NEXT_WITHIN);
            let (said, takes_back) = asking.given_up(visit.language);
            if takes_back {
                // Where somebody was quicker, it has ended already.
                let _taken = visit.desk().withdraw(actor, ask.id).await;
            }
            return ok(said);
        }
    };
    visit.desk().delivered(actor, ask.session, ask.id);
    let said = ask.state.outcome().map(|outcome| asking.decision(&ask, outcome));
    ok(said.unwrap_or_else(hook::aside))
}

/// Takes an ask in and leases it, also where the hook goes away meanwhile: its ask would stand without
/// a lease.
async fn taken_in(
    visit: &Visit,
    actor: &Actor,
    request: Request,
    stays: bool,
) -> Result<(Arc<Ask>, Lease), DeskError> {
    let (desk, actor) = (visit.desk().clone(), actor.clone());
    let (when_left, within) = terms_of_lease(visit, stays);
    let taking_in = async move {
        let ask = desk.ask(&actor, request).await?.ask;
        let lease = desk.lease(&actor, ask.id, when_left, within);
        Ok((ask, lease))
    };
    let address = gate::peer(&visit.parts.extensions);
    tokio::spawn(from_address(address, taking_in)).await.unwrap_or(Err(DeskError::Closing))
}

/// Leases an ask to the hook that is about to wait for it.
fn lease(visit: &Visit, actor: &Actor, ask: AskId, stays: bool) -> Lease {
    let (when_left, within) = terms_of_lease(visit, stays);
    visit.desk().lease(actor, ask, when_left, within)
}

/// An ask that was made in passing says that nobody waits for it, until the agent's turn ends.
fn nobody_waits(visit: &Visit, actor: &Actor, ask: AskId) {
    drop(visit.desk().lease(actor, ask, WhenLeft::Note, Duration::ZERO));
}

fn terms_of_lease(visit: &Visit, stays: bool) -> (WhenLeft, Duration) {
    let when_left = if stays { WhenLeft::Note } else { WhenLeft::Withdraw(hook::LEFT) };
    let is_near = gate::peer(&visit.parts.extensions).is_none_or(|address| address.is_loopback());
    (when_left, if is_near { BACK_WITHIN } else { BACK_FROM_AFAR_WITHIN })
}

/// Waits for what the agent asked in passing, and hands over what has ended.
async fn collect(visit: &Visit, actor: &Actor, event: &Event) -> Result<Response, Failure> {
    let patience = visit.query::<HookEvent>()?.wait.map_or(PATIENCE_MAX, |Seconds(wait)| wait);
    let until = Instant::now() + patience;
    let asker = Asker {
        agent: Some(event.agent.name.to_owned()),
        folder: event.folder().map(str::to_owned),
        ..Asker::default()
    };
    loop {
        let mut asks = visit.desk().asks_of_asker(actor, None, &asker_key_of(visit, event), &asker).await?;
        asks.retain(|ask| hook::is_for_later(ask));
        let ended: Vec<_> = asks.iter().filter(|ask| !ask.is_open()).collect();
        let mut said = hook::collected(ended.iter().map(|ask| &***ask));
        if said != hook::aside() && acknowledges_later(visit) {
            said[hook::TOLD] = ended.iter().map(|ask| ask.id.to_string()).collect();
        } else {
            for ask in &ended {
                // At once, so that the end of the next turn does not find it again.
                let _noted = visit.desk().acknowledge(actor, ask.id).await;
            }
        }
        let open: Vec<_> = asks.iter().filter(|ask| ask.is_open()).map(|ask| ask.id).collect();
        if said != hook::aside() || open.is_empty() {
            for ask in open {
                // The agent goes on, and comes back for it.
                nobody_waits(visit, actor, ask);
            }
            return ok(said);
        }
        let left = until.saturating_duration_since(Instant::now());
        let leases: Vec<_> = open.iter().map(|ask| lease(visit, actor, *ask, false)).collect();
        if left.is_zero() || visit.desk().stopping().is_cancelled() {
            for lease in leases {
                lease.pause(NEXT_WITHIN);
            }
            return Ok(respond(StatusCode::ACCEPTED, json!({"status": "pending"})));
        }
        let waits = open.iter().map(|ask| Box::pin(visit.desk().wait(actor, *ask, left)));
        let (waited, ..) = select_all(waits).await;
        // What is still open is leased anew, or left.
        for lease in leases {
            lease.end();
        }
        waited?;
    }
}

/// The agent's own session tells its asks from another's.
fn asker_key_of(visit: &Visit, event: &Event) -> String {
    let key = visit.caller.as_ref().map(caller_key).unwrap_or_default();
    format!("{key} hook {}", event.session())
}

fn request(visit: &Visit, event: &Event, asking: &HookAsk) -> Option<Request> {
    let defaults = visit.desk().defaults();
    let read = wire::read(asking.dialect, &asking.ask);
    let (questions, mut terms) =
        read.typed_within(defaults.text_chars_max, defaults.any_characters).check().ok()?;
    terms.purpose = asking.purpose;
    let sent = visit.header(IDEMPOTENCY_KEY).map(str::to_owned);
    terms.idempotency_key = asking.key.clone().or(sent);
    terms.reply_in = Some(asking.dialect.name().to_owned());
    let known_by = if event.session().is_empty() { KnownBy::Nothing } else { KnownBy::Place };
    Some(Request { questions, terms, asker_key: asker_key_of(visit, event), known_by })
}

/// Takes back every open ask that the event says is settled.
async fn take_back(visit: &Visit, actor: &Actor, withdrawal: &Withdrawal) -> Result<(), Failure> {
    for ask in visit.desk().inbox(actor).await? {
        if withdrawal.covers(&ask) {
            let reason = Some(withdrawal.reason.to_owned());
            // Where somebody was quicker, it has ended already.
            let _taken = visit.desk().withdraw_because(actor, ask.id, reason).await;
        }
    }
    Ok(())
}
