//! `GET /api/alerts`: the rules and how they stand, what was told, and what could not be.

use axum::response::Response;
use serde_json::{Value, json};

use super::visit::{Visit, ok};
use askuser_net::webhook::Dead;
use askuser_watch::alerts::{Event, Standing};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `GET /api/alerts`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let watch = visit.hall.watch();
    ok(json!({
        "alerts": watch.alerts().iter().map(standing).collect::<Vec<_>>(),
        "history": watch.alert_history().iter().map(event).collect::<Vec<_>>(),
        "undelivered": watch.dead_letters().iter().map(dead).collect::<Vec<_>>(),
    }))
}

fn standing(standing: &Standing) -> Value {
    let rule = &standing.rule;
    json!({
        "alert": rule.name,
        "metric": rule.metric,
        "figure": rule.figure.name(),
        "value": standing.value,
        "count": standing.count,
        "threshold": rule.threshold,
        "clear": rule.clear,
        "window": rule.window.as_secs_f64(),
        "action": rule.action,
        "firing": standing.since.is_some(),
        "since": standing.since.map(time::write),
    })
}

fn event(event: &Event) -> Value {
    json!({
        "alert": event.rule.name,
        "change": event.change.name(),
        "at": time::write(event.at),
        "since": time::write(event.since),
        "value": event.value,
    })
}

fn dead(dead: &Dead) -> Value {
    json!({
        "webhook_id": dead.id,
        "at": time::write(dead.at),
        "why": dead.why,
        "attempts": dead.n_attempts,
        "body": dead.body,
    })
}
