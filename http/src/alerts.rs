//! `GET /api/alerts`: the rules and how they stand, what was told, and what could not be.

use super::visit::Visit;
use askuser_api::figures::{Alert, AlertChange, Alerts, Undelivered};
use askuser_net::webhook::Dead;
use askuser_watch::alerts::{AlertState, Event};
use askuser_wire::failure::Failure;
use askuser_wire::time;

/// `GET /api/alerts`
pub(super) async fn show(visit: Visit) -> Result<Alerts, Failure> {
    let watch = visit.state.watch();
    Ok(Alerts {
        alerts: watch.alerts().into_iter().map(standing).collect(),
        history: watch.alert_history().into_iter().map(event).collect(),
        undelivered: watch.dead_letters().into_iter().map(dead).collect(),
    })
}

fn standing(AlertState { rule, value, count, since }: AlertState) -> Alert {
    Alert {
        alert: rule.name,
        metric: rule.metric,
        figure: rule.figure.name().to_owned(),
        value,
        count,
        threshold: rule.threshold,
        clear: rule.clear,
        window: rule.window.as_secs_f64(),
        action: rule.action,
        firing: since.is_some(),
        since: since.map(time::write),
    }
}

fn event(event: Event) -> AlertChange {
    AlertChange {
        alert: event.rule.name,
        change: event.change.name().to_owned(),
        at: time::write(event.at),
        since: time::write(event.since),
        value: event.value,
    }
}

fn dead(dead: Dead) -> Undelivered {
    Undelivered {
        webhook_id: dead.id,
        at: time::write(dead.at),
        why: dead.why,
        attempts: dead.n_attempts,
        body: dead.body,
    }
}
