//! What a store tells of its own work, for whoever looks on.

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;

/// Seconds of a commit.
const COMMIT_SECONDS: [f64; 12] =
    [0.000_25, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 1.0, 5.0];
/// Commands of one commit.
const BATCH: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The figures of a store. Clones are the same figures.
#[derive(Debug, Clone)]
pub struct Figures {
    /// How long a commit took, in seconds.
    pub commit_time: Histogram,
    /// Commands that were carried out in one commit.
    pub batch: Histogram,
    /// Commands that wait for the writer.
    pub queue: Gauge,
    /// Bytes of session data in memory (D7).
    pub memory_bytes: Gauge,
    /// Sessions in memory.
    pub memory_sessions: Gauge,
}

impl Default for Figures {
    fn default() -> Self {
        Self {
            commit_time: Histogram::new(COMMIT_SECONDS),
            batch: Histogram::new(BATCH),
            queue: Gauge::default(),
            memory_bytes: Gauge::default(),
            memory_sessions: Gauge::default(),
        }
    }
}
