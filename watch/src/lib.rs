//! Looks on: figures about what the desk does. Changes nothing, and holds nothing up.
//!
//! `observing` follows the facts; `metrics` are for Prometheus, `window` for the figures over a span
//! of time, `operations` for how long requests take; `alerts` say when a figure is not as it should be.

#![forbid(unsafe_code)]

pub mod operations;
pub mod window;
pub mod metrics;
mod alarm;
mod traces;
pub mod alerts;
pub mod security;
pub mod audit;
mod retention;
mod observing;
mod memory;

use std::sync::Arc;
use std::time::Duration;

use askuser_core::time::Timestamp;

pub use self::alarm::Change;
use self::alerts::Alerts;
use self::metrics::Metrics;
use self::observing::Observing;
use self::operations::Operations;
use self::security::{Kind, Suspect};
use self::window::{Summary, Window};
use askuser_desk::{Desk, Observed, Observer};

pub use askuser_store::waits;
use askuser_store::waits::Timed;

/// What is known of how the desk is doing.
pub struct Watch {
    desk: Desk,
    /// For Prometheus.
    pub metrics: Metrics,
    /// How long requests take.
    pub operations: Operations,
    /// How long what people do takes in their browsers.
    pub in_browsers: Operations,
    /// Over spans of time.
    pub windows: Windows,
    observing: Observing,
    alerts: Alerts,
    security: security::Security,
    traces: traces::Traces,
    retention: retention::Retention,
}

/// The figures over spans of time (D14), and how long requests take.
#[derive(Debug, Default)]
pub struct Windows {
    /// Seconds from asking to an answer.
    pub question_response_time: Window,
    /// Seconds from a session's first activity to its last.
    pub session_duration: Window,
    /// Open asks, each time that changes.
    pub concurrent_questions: Window,
    /// 1 for a request that failed on our side, 0 for every other.
    pub error_rates: Window,
    /// Milliseconds that operations took, without waiting for a person.
    pub operation_time: Window,
    /// Milliseconds that what a person did took in their browser, as the page measured it.
    pub browser_time: Window,
}

impl Windows {
    /// Returns every window by its name.
    pub fn all(&self) -> [(&'static str, &Window); 6] {
        [
            ("question_response_time", &self.question_response_time),
            ("session_duration", &self.session_duration),
            ("concurrent_questions", &self.concurrent_questions),
            ("error_rates", &self.error_rates),
            ("operation_time", &self.operation_time),
            ("browser_time", &self.browser_time),
        ]
    }
}

impl Watch {
    /// Makes ready to look on at a desk.
    pub fn new(desk: Desk) -> Self {
        Self {
            metrics: Metrics::new(&desk.store_figures()),
            operations: Operations::default(),
            in_browsers: Operations::default(),
            windows: Windows::default(),
            observing: Observing::default(),
            alerts: Alerts::default(),
            security: security::Security::default(),
            traces: traces::Traces::default(),
            retention: retention::Retention::default(),
            desk,
        }
    }

    /// Looks on from now on, until the desk closes.
    pub fn start(self: &Arc<Self>) {
        let watch = Arc::downgrade(self);
        let observer: Observer = Arc::new(move |observed| {
            let Some(watch) = watch.upgrade() else { return };
            match observed {
                Observed::Viewed(ask) => watch.viewed(ask),
                Observed::Trespassed { user, path } => {
                    watch.security(Kind::OtherUser, &Suspect::on_way(Some(&user), path));
                }
                Observed::Misused { misuse, person, way } => {
                    watch.security(Kind::Link(misuse), &Suspect::on_way(person.as_ref(), way));
                }
                Observed::SignedIn { user, made_with, browser } => {
                    watch.security(Kind::SignedIn, &Suspect::signed_in(&user, made_with, browser));
                }
                Observed::Forged { user, way } => {
                    watch.security(Kind::ForgedResponse, &Suspect::on_way(Some(&user), way.to_owned()));
                }
                Observed::DialogSwitchedOn => watch.dialog_switched_on(),
            }
        });
        self.desk.configure(|settings| settings.observer = Some(observer));
        if self.desk.takes_dialogs() {
            self.dialog_switched_on();
        }
        tokio::spawn(observing::observe(Arc::clone(self)));
        tokio::spawn(alerts::keep_looking(Arc::clone(self)));
        tokio::spawn(security::keep(Arc::clone(self)));
        tokio::spawn(retention::keep(Arc::clone(self)));
    }

    /// Notes that answers are taken from now on of which only the agent's program knows who gave them.
    fn dialog_switched_on(&self) {
        let path = "mcp.agent_dialog".to_owned();
        self.security(Kind::AgentDialogOn, &Suspect { path, ..Suspect::default() });
    }

    /// Notes a request that was answered with this status.
    pub fn requested(&self, path: &'static str, status: u16) {
        self.metrics.requested(path, status);
        self.windows.error_rates.note(self.now(), if status >= 500 { 1.0 } else { 0.0 });
    }

    /// Notes how long an operation took, and tells whoever runs us where it was too long (D8).
    pub fn operated(&self, path: &str, timed: &Timed) {
        let seconds = timed.took.as_secs_f64();
        self.metrics.request_time.observe(seconds);
        self.windows.operation_time.note(self.now(), seconds * 1000.0);
        if self.operations.note(timed.took) {
            self.metrics.slow.inc();
            let took_ms = u64::try_from(timed.took.as_millis()).unwrap_or(u64::MAX);
            let waited_for = timed.parts();
            tracing::warn!(path, took_ms, waited_for, "{path} took {took_ms} ms: {waited_for}");
        }
    }

    /// Notes how long operations took in a browser (D8). Apart from our own: a slow line to a phone is not a
    /// slow server. One line in the log for all of them, as anybody who is signed in may send many.
    pub fn timed_in_browser(&self, timings: &[(&'static str, Duration)]) {
        for (operation, took) in timings {
            let seconds = took.as_secs_f64();
            self.metrics
                .browser_time
                .get_or_create(&[("operation", (*operation).to_owned())])
                .observe(seconds);
            self.windows.browser_time.note(self.now(), seconds * 1000.0);
            self.in_browsers.note(*took);
        }
        let slow = timings.iter().filter(|(_, took)| *took > operations::SLOW);
        if let Some((operation, took)) = slow.clone().max_by_key(|(_, took)| *took) {
            let (n_slow, n_all, took_ms) = (slow.count(), timings.len(), took.as_millis());
            tracing::info!(
                "{n_slow} of {n_all} were slow in a browser, browser:{operation} took {took_ms} ms"
            );
        }
    }

    /// Returns every window's figures over the last so long.
    pub fn summaries(&self, over: Duration) -> Vec<(&'static str, Summary)> {
        let now = self.now();
        self.windows.all().map(|(name, window)| (name, window.summary(now, over))).to_vec()
    }

    /// Returns one window's figures over the last so long; none where there is no such window.
    fn summary(&self, metric: &str, over: Duration) -> Option<Summary> {
        let all = self.windows.all();
        let window = all.iter().find(|(name, _)| *name == metric)?.1;
        Some(window.summary(self.now(), over))
    }

    /// Returns the metrics as Prometheus reads them.
    pub fn exposition(&self) -> String {
        // The store's queue is measured when somebody asks.
        let _refreshed = self.desk.store_figures();
        self.metrics.memory.set(memory::resident_bytes().unwrap_or_default());
        self.metrics.facts.set(i64::try_from(self.desk.head()).unwrap_or(i64::MAX));
        self.metrics.write()
    }

    fn now(&self) -> Timestamp {
        self.desk.now()
    }
}
