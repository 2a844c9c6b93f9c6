//! Figures as Prometheus reads them. Every name is here, and `contrib/` is checked against it.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use askuser_store::Figures;

/// Seconds that people take: from one to a day.
const PEOPLE_SECONDS: [f64; 12] =
    [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 1800.0, 3600.0, 21_600.0, 86_400.0];
/// Seconds that requests take.
const REQUEST_SECONDS: [f64; 11] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0, 5.0];
/// Seconds that a press takes until a browser has its answer.
const BROWSER_SECONDS: [f64; 9] = [0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 20.0];

type Labels<const N: usize> = [(&'static str, String); N];

/// Every metric.
pub struct Metrics {
    registry: Registry,
    /// Asks that came in.
    pub asked: Counter,
    /// Asks that ended, by outcome, channel and who answered.
    pub closed: Family<Labels<3>, Counter>,
    /// Asks without an outcome.
    pub open: Gauge,
    /// Those that are on the channels.
    pub shown: Gauge,
    /// From asking to an answer by a person.
    pub response_time: Histogram,
    /// From asking until a surface of the person first had it.
    pub first_view: Histogram,
    /// From a session's first activity to its last.
    pub session_duration: Histogram,
    requests: Family<Labels<2>, Counter>,
    /// How long operations took, without waiting for a person.
    pub(super) request_time: Histogram,
    /// How long what a person did took in their browser, by what it was.
    pub(super) browser_time: Family<Labels<1>, Histogram, fn() -> Histogram>,
    /// Requests that took longer than they should.
    pub slow: Counter,
    errors: Family<Labels<1>, Counter>,
    /// Requests that panicked.
    pub panics: Counter,
    /// Who listens, by kind.
    pub subscribers: Family<Labels<1>, Gauge>,
    /// Connections that were turned away.
    pub turned_away: Counter,
    /// Connections that are open.
    pub connections: Gauge,
    /// Whether an alert fires, by its name.
    pub alerts_firing: Family<Labels<1>, Gauge>,
    /// Security events, by kind and severity.
    pub security: Family<Labels<2>, Counter>,
    pub(super) memory: Gauge,
    pub(super) facts: Gauge,
}

impl Metrics {
    /// Makes every metric, with those of a store.
    pub fn new(store: &Figures) -> Self {
        let metrics = Self {
            registry: Registry::with_prefix("askuser"),
            asked: Counter::default(),
            closed: Family::default(),
            open: Gauge::default(),
            shown: Gauge::default(),
            response_time: Histogram::new(PEOPLE_SECONDS),
            first_view: Histogram::new(PEOPLE_SECONDS),
            session_duration: Histogram::new(PEOPLE_SECONDS),
            requests: Family::default(),
            request_time: Histogram::new(REQUEST_SECONDS),
            browser_time: Family::new_with_constructor(|| Histogram::new(BROWSER_SECONDS)),
            slow: Counter::default(),
            errors: Family::default(),
            panics: Counter::default(),
            subscribers: Family::default(),
            turned_away: Counter::default(),
            connections: Gauge::default(),
            alerts_firing: Family::default(),
            security: Family::default(),
            memory: Gauge::default(),
            facts: Gauge::default(),
        };
        metrics.registered(store)
    }

    fn registered(mut self, store: &Figures) -> Self {
        let of = &mut self.registry;
        of.register("asks", "Asks that came in", self.asked.clone());
        of.register(
            "asks_closed",
            "Asks that ended, by outcome, channel and who answered",
            self.closed.clone(),
        );
        of.register("asks_open", "Asks without an outcome", self.open.clone());
        of.register("asks_shown", "Asks that are on the channels", self.shown.clone());
        let seconds = || Unit::Seconds;
        let (taken, first, lived) =
            (self.response_time.clone(), self.first_view.clone(), self.session_duration.clone());
        of.register_with_unit(
            "question_response_time",
            "From asking to an answer by a person",
            seconds(),
            taken,
        );
        of.register_with_unit(
            "time_to_first_view",
            "From asking until the person's surface had it",
            seconds(),
            first,
        );
        of.register_with_unit(
            "session_duration",
            "From a session's first activity to its last",
            seconds(),
            lived,
        );
        of.register("http_requests", "Requests, by route and status", self.requests.clone());
        let took = self.request_time.clone();
        of.register_with_unit(
            "http_request",
            "How long requests took, without waiting for a person",
            seconds(),
            took,
        );
        of.register_with_unit(
            "browser_operation",
            "How long what people did took in their browsers, by what it was",
            seconds(),
            self.browser_time.clone(),
        );
        of.register("slow_operations", "Requests over 200 ms", self.slow.clone());
        of.register("errors", "Requests that failed on our side, by status", self.errors.clone());
        of.register("panics", "Requests that panicked", self.panics.clone());
        of.register("event_subscribers", "Who listens to events, by kind", self.subscribers.clone());
        of.register(
            "connections_turned_away",
            "Connections that were one too many",
            self.turned_away.clone(),
        );
        of.register("connections", "Connections that are open", self.connections.clone());
        of.register_with_unit("memory_resident", "Memory of the process", Unit::Bytes, self.memory.clone());
        of.register("alerts_firing", "Whether an alert of our own fires", self.alerts_firing.clone());
        of.register("security_events", "Security events, by event type and severity", self.security.clone());
        of.register("facts", "The number of the latest fact", self.facts.clone());
        of.register("store_queue_depth", "Commands that wait for the store", store.queue.clone());
        let (commit, memory) = (store.commit_time.clone(), store.memory_bytes.clone());
        of.register_with_unit("store_commit", "How long commits took", seconds(), commit);
        of.register("store_batch_size", "Commands of one commit", store.batch.clone());
        of.register_with_unit("store_memory", "Session data in memory", Unit::Bytes, memory);
        of.register("store_memory_sessions", "Sessions in memory", store.memory_sessions.clone());
        let version = vec![("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned())];
        of.register("build", "Which askuser this is", Info::new(version));
        self.there_from_the_start();
        self
    }

    /// So that nobody takes none for unknown.
    fn there_from_the_start(&self) {
        for kind in ["sse", "websocket"] {
            self.subscribers.get_or_create(&[("kind", kind.to_owned())]).set(0);
        }
        for status in ["500", "503"] {
            let _there = self.errors.get_or_create(&[("status", status.to_owned())]);
        }
    }

    pub(super) fn requested(&self, path: &'static str, status: u16) {
        let labels = [("path", path.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        if status >= 500 {
            self.errors.get_or_create(&[("status", status.to_string())]).inc();
        }
    }

    /// Counts a listener of this kind as long as what is returned lives.
    pub fn subscriber(&self, kind: &'static str) -> Subscriber {
        let gauge = self.subscribers.get_or_create_owned(&[("kind", kind.to_owned())]);
        gauge.inc();
        Subscriber(gauge)
    }

    pub(super) fn write(&self) -> String {
        let mut text = String::new();
        // Writing to a text never fails.
        let _written = encode(&mut text, &self.registry);
        text
    }
}

/// Somebody who listens.
#[derive(Debug)]
pub struct Subscriber(Gauge);

impl Drop for Subscriber {
    fn drop(&mut self) {
        self.0.dec();
    }
}
