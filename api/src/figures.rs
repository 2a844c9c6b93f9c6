//! Figures about what the server does, and alerts about them.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::query::{Seconds, query};
use crate::route::routes;
use crate::shapes::Text;

routes! {
    Metrics(Admin, Reads) Get "/metrics" as &["application/openmetrics-text"]; => Text:
        "Figures for Prometheus, as `OpenMetrics` text";
    Summarize(Admin, Reads) Get "/api/metrics/summary" query Window; => Summaries:
        "Count, average, minimum, maximum and p95 over the last `window` seconds";
    ListAlerts(Admin, Reads) Get "/api/alerts" => Alerts:
        "Alerts, their state, and notices that could not be delivered";
}

/// The most that is looked back on, in seconds.
pub const WINDOW_SECONDS_MAX: u32 = 24 * 60 * 60;

query! {
    /// How far to look back.
    pub struct Window {
        /// Seconds; an hour where nothing is said.
        #[schemars(with = "Option<f64>", extend("exclusiveMinimum" = 0, "maximum" = WINDOW_SECONDS_MAX))]
        pub window: Option<Seconds>,
    }
}

/// Figures by name.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Summaries {
    /// Seconds that were looked back on.
    pub window: f64,
    /// By metric.
    pub metrics: IndexMap<String, Summary>,
}

/// A metric over a span of time; null where nothing was measured.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// Measurements.
    pub count: u64,
    /// Their average.
    pub avg: Option<f64>,
    /// The least.
    pub min: Option<f64>,
    /// The most.
    pub max: Option<f64>,
    /// 95 of 100 were no more.
    pub p95: Option<f64>,
}

/// Alerts.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Alerts {
    /// How each of them stands.
    pub alerts: Vec<Alert>,
    /// What was told of them.
    pub history: Vec<AlertChange>,
    /// What could not be told.
    pub undelivered: Vec<Undelivered>,
}

/// An alert, and how it stands.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Alert {
    /// Its name.
    pub alert: String,
    /// What it looks at.
    pub metric: String,
    /// Which figure of it.
    pub figure: String,
    /// The figure now.
    pub value: f64,
    /// Measurements that it is made of.
    pub count: u64,
    /// Above this it fires.
    pub threshold: f64,
    /// Below this it is over.
    pub clear: f64,
    /// Seconds that are looked back on.
    pub window: f64,
    /// What the configuration says to do.
    pub action: Option<String>,
    /// Whether it fires.
    pub firing: bool,
    /// Since when.
    pub since: Option<String>,
}

/// An alert began or was over.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct AlertChange {
    /// Its name.
    pub alert: String,
    /// Which of the two.
    pub change: String,
    /// When.
    pub at: String,
    /// Since when it had fired.
    pub since: String,
    /// The figure.
    pub value: f64,
}

/// A message to a webhook that was given up.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Undelivered {
    /// Its id, as the receiver would have seen it.
    pub webhook_id: String,
    /// When it was given up.
    pub at: String,
    /// Why.
    pub why: String,
    /// How often it was tried.
    pub attempts: usize,
    /// What it said.
    pub body: String,
}
