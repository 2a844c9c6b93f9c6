//! `POST /api/hooks/{agent}`: an agent's hook event in, its decision out.
//!
//! Held until a person decides; with `wait` it answers `pending` when the time is up, and the same
//! event sent again joins the open ask. A caller that goes away closes nothing.

use askuser_core::command::Actor;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::json;

use super::asks::{IDEMPOTENCY_KEY, hand_over};
use super::failing::not_found;
use super::visit::{Visit, ok, told, whence};
use crate::desk::{DeskError, PATIENCE_MAX, Request, Waited};
use crate::doorway::hook::{self, Agent, Asking, Deed, Event, Mode, Taking};
use crate::wire;
use crate::wire::failure::Failure;

/// Whether a dialog of the agent's own is there, as the hook's process found out.
const MODE: &str = "x-askuser-mode";
/// What Claude Code says of how it was started: for hooks that come straight from it.
const ENTRYPOINT: &str = "x-askuser-entrypoint";
/// The project's folder, as the hook's process found out.
const FOLDER: &str = "x-askuser-folder";

/// `POST /api/hooks/{agent}[?wait=SECONDS]`
pub(super) async fn receive(visit: Visit) -> Result<Response, Failure> {
    let actor = visit.agent()?;
    let agent = Agent::parse(visit.param()).ok_or_else(not_found)?;
    let mode = visit.header(MODE).and_then(Mode::parse);
    let mode = mode.unwrap_or_else(|| Mode::of_claude_code(None, visit.header(ENTRYPOINT)));
    let folder = visit.header(FOLDER).map(str::to_owned);
    let event = Event::new(agent, mode, folder, &visit.fields()?);
    visit.count(event.session())?;
    match hook::read(&event) {
        Deed::Aside => ok(hook::aside()),
        Deed::TakeBack(taking) => {
            take_back(&visit, &actor, &taking).await?;
            ok(hook::aside())
        }
        Deed::Ask(asking) => ask(&visit, &actor, &event, &asking).await,
    }
}

async fn ask(visit: &Visit, actor: &Actor, event: &Event, asking: &Asking) -> Result<Response, Failure> {
    let patience = visit.patience()?;
    let Some(request) = request(visit, event, asking) else {
        // Better the agent's own dialog than a question that was cut to fit.
        return ok(hook::aside_because("the question does not fit"));
    };
    let asked = match visit.desk().ask(actor, request).await {
        Ok(asked) => asked.ask,
        Err(DeskError::Refused(refusal)) => return ok(hook::aside_because(&refusal.to_string())),
        Err(other) => return Err(other.into()),
    };
    let waited = visit.desk().wait(actor, asked.id, patience.unwrap_or(PATIENCE_MAX)).await?;
    let ask = match waited {
        Waited::Closed(ask) => ask,
        Waited::StillOpen(ask) if patience.is_some() || visit.desk().stopping().is_cancelled() => {
            return Ok(told(
                StatusCode::ACCEPTED,
                json!({"status": "pending", "ask_id": ask.id.to_string()}),
            ));
        }
        Waited::StillOpen(ask) => {
            let (said, takes_back) = asking.given_up();
            if takes_back {
                // Where somebody was quicker, it has ended already.
                let _taken = visit.desk().withdraw(actor, ask.id).await;
            }
            return ok(said);
        }
    };
    hand_over(visit.desk(), actor, &ask);
    let said = ask.state.outcome().map(|outcome| asking.decision(&ask, outcome));
    ok(said.unwrap_or_else(hook::aside))
}

fn request(visit: &Visit, event: &Event, asking: &Asking) -> Option<Request> {
    let house = visit.desk().house();
    let read = wire::read(asking.dialect, &asking.ask);
    let (questions, mut terms) =
        read.typed_within(house.text_chars_max, house.any_characters).check().ok()?;
    terms.purpose = asking.purpose;
    let sent = visit.header(IDEMPOTENCY_KEY).map(str::to_owned);
    terms.idempotency_key = asking.key.clone().or(sent);
    terms.reply_in = Some(asking.dialect.name().to_owned());
    let key = visit.caller.as_ref().map(whence).unwrap_or_default();
    // The agent's own session tells its asks from another's.
    Some(Request { questions, terms, whence: format!("{key} hook {}", event.session()) })
}

/// Takes back every open ask that the event says is settled.
async fn take_back(visit: &Visit, actor: &Actor, taking: &Taking) -> Result<(), Failure> {
    for ask in visit.desk().inbox(actor).await? {
        if taking.takes(&ask) {
            let reason = Some(taking.reason.to_owned());
            // Where somebody was quicker, it has ended already.
            let _taken = visit.desk().withdraw_because(actor, ask.id, reason).await;
        }
    }
    Ok(())
}
