//! Alerts (D17): looks at the figures every few seconds, and tells once when a rule fires and once
//! when it has cleared: in the log, on the page, and by a webhook where one is configured.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::time::Timestamp;

use super::Watch;
use super::alarm::{Alarm, Change, figure};
use askuser_config::AlertRule;
use askuser_desk::Notice;
use askuser_net::webhook::{Dead, Outbox, Webhook};
use parking_lot::{Mutex, MutexGuard};

/// How often the rules are looked at; more often where a window is shorter, so that nothing passes unseen.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Changes that are kept, the latest ones.
const HISTORY_MAX: usize = 100;

/// The rules, and how they stand.
#[derive(Default)]
pub struct Alerts {
    kept: Mutex<Kept>,
    outbox: Outbox,
}

#[derive(Default)]
struct Kept {
    rules: Vec<AlertRule>,
    webhook: Option<Webhook>,
    alarms: HashMap<String, Alarm>,
    history: VecDeque<Event>,
}

/// A rule that fired or cleared.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub at: Timestamp,
    /// Which of the two.
    pub change: Change,
    pub rule: AlertRule,
    /// The figure.
    pub value: f64,
    /// Since when it fired.
    pub since: Timestamp,
}

/// A rule and how it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct AlertState {
    pub rule: AlertRule,
    /// The figure now.
    pub value: f64,
    /// How many values that is over.
    pub count: u64,
    /// Since when it fires; none where it does not.
    pub since: Option<Timestamp>,
}

impl Watch {
    /// Takes these rules from now on. One that fired and is not among them any more is forgotten.
    pub fn set_alerts(&self, rules: Vec<AlertRule>, webhook: Option<Webhook>) {
        let mut kept = self.alerts.kept();
        kept.alarms.retain(|name, _| rules.iter().any(|rule| rule.name == *name));
        kept.rules = rules;
        kept.webhook = webhook;
    }

    /// Looks at every rule now, and tells what has changed.
    pub fn check_alerts(&self) {
        let now = self.now();
        let mut kept = self.alerts.kept();
        let Kept { rules, webhook, alarms, history } = &mut *kept;
        let mut notices = Vec::new();
        for rule in rules.iter() {
            let Some(summary) = self.summary(&rule.metric, rule.window) else { continue };
            let alarm = alarms.entry(rule.name.clone()).or_default();
            let before = alarm.since;
            let change = alarm.judge(rule, &summary, now);
            notices.extend(alarm.since.map(|since| Notice { alert: rule.name.clone(), since }));
            let firing = i64::from(alarm.since.is_some());
            self.metrics.alerts_firing.get_or_create(&[("alert", rule.name.clone())]).set(firing);
            let Some(change) = change else { continue };
            let since = alarm.since.or(before).unwrap_or(now);
            let event =
                Event { at: now, change, rule: rule.clone(), value: figure(rule.figure, &summary), since };
            event.log();
            if let Some(webhook) = webhook {
                let clock = self.desk.clock();
                self.alerts.outbox.send(webhook.clone(), event.id(), event.message(), clock);
            }
            if history.len() == HISTORY_MAX {
                history.pop_front();
            }
            history.push_back(event);
        }
        drop(kept);
        self.desk.configure(|settings| settings.notices = notices);
    }

    /// Returns every rule and how it stands.
    pub fn alerts(&self) -> Vec<AlertState> {
        let kept = self.alerts.kept();
        let standing = |rule: &AlertRule| {
            let summary = self.summary(&rule.metric, rule.window).unwrap_or_default();
            let since = kept.alarms.get(&rule.name).and_then(|alarm| alarm.since);
            AlertState {
                rule: rule.clone(),
                value: figure(rule.figure, &summary),
                count: summary.count,
                since,
            }
        };
        kept.rules.iter().map(standing).collect()
    }

    /// Returns the latest changes, the oldest first.
    pub fn alert_history(&self) -> Vec<Event> {
        self.alerts.kept().history.iter().cloned().collect()
    }

    /// Returns the messages that could not be told, the oldest first.
    pub fn dead_letters(&self) -> Vec<Dead> {
        self.alerts.outbox.dead()
    }
}

impl Alerts {
    fn look_every(&self) -> Duration {
        let shortest = self.kept().rules.iter().map(|rule| rule.window / 2).min();
        shortest.unwrap_or(LOOK_EVERY).min(LOOK_EVERY)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock()
    }
}

impl Event {
    fn log(&self) {
        let AlertRule { name, metric, threshold, .. } = &self.rule;
        let value = self.value;
        let action = self.rule.action.as_deref().unwrap_or("none");
        match self.change {
            Change::Fired => tracing::error!(
                alert = name,
                action,
                "Alert {name}: {metric} {} is {value:.4}, above the threshold {threshold}; action: {action}",
                self.rule.figure.name()
            ),
            Change::Cleared => tracing::info!(alert = name, "Alert {name} cleared: {metric} is {value:.4}"),
        }
    }

    /// The same for every attempt to tell it, and never the same for two.
    fn id(&self) -> String {
        format!("msg_{}_{}_{}", self.rule.name, self.change.name(), self.at.0)
    }

    /// What the webhook says.
    pub fn message(&self) -> String {
        let time = askuser_wire::time::write;
        let data = serde_json::json!({
            "alert": self.rule.name,
            "action": self.rule.action,
            "metric": self.rule.metric,
            "figure": self.rule.figure.name(),
            "value": self.value,
            "threshold": self.rule.threshold,
            "clear": self.rule.clear,
            "window": self.rule.window.as_secs_f64(),
            "since": time(self.since),
        });
        let kind = format!("alert.{}", self.change.name());
        serde_json::json!({"type": kind, "timestamp": time(self.at), "data": data}).to_string()
    }
}

/// Looks at the rules until the desk closes.
pub(super) async fn keep_looking(watch: Arc<Watch>) {
    let stopping = watch.desk.stopping();
    loop {
        tokio::select! {
            () = tokio::time::sleep(watch.alerts.look_every()) => {}
            () = stopping.cancelled() => return,
        }
        watch.check_alerts();
    }
}

#[cfg(test)]
mod tests;
