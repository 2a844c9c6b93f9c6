//! One trace an ask, from the agent's call to its wake-up, as OTLP over HTTP in JSON, where a collector
//! is configured.
//!
//! The trace is named by the ask's own id, which has the same 128 bits, or belongs to the one that the
//! agent named with `traceparent`. Made from the facts, after they happened: nobody waits for it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::Watch;
use askuser_net::http::{Call, Http};
use hyper::Method;

/// Asks of which a trace is in the making, at most: then the oldest have none. Of some nobody ever
/// fetches what came of them.
const KEPT_MAX: usize = 10_000;
/// Traces on their way at once.
const ON_THE_WAY_MAX: usize = 16;
/// How long a collector may take.
const TIME_MAX: Duration = Duration::from_secs(5);

/// Traces in the making.
pub(super) struct Traces {
    kept: Mutex<Kept>,
    turns: Arc<Semaphore>,
}

#[derive(Default)]
struct Kept {
    collector: Option<String>,
    /// By their ids, and so by their age.
    asks: BTreeMap<AskId, Trace>,
}

impl Default for Traces {
    fn default() -> Self {
        Self { kept: Mutex::default(), turns: Arc::new(Semaphore::new(ON_THE_WAY_MAX)) }
    }
}

/// What is known of one ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Trace {
    parent: Option<Parent>,
    agent: Option<String>,
    asked_at: Timestamp,
    shown_at: Option<Timestamp>,
    closed: Option<(Timestamp, &'static str)>,
}

/// The span that an agent named.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parent {
    trace: String,
    span: String,
}

impl Parent {
    /// Reads a `traceparent` as the W3C has it.
    fn read(header: &str) -> Option<Self> {
        let mut parts = header.trim().split('-');
        let (version, trace, span) = (parts.next()?, parts.next()?, parts.next()?);
        let is_hex = |text: &str, n: usize| {
            text.len() == n && text.bytes().all(|b| b.is_ascii_hexdigit()) && text.bytes().any(|b| b != b'0')
        };
        let fits = version.len() == 2 && version != "ff" && is_hex(trace, 32) && is_hex(span, 16);
        fits.then(|| Self { trace: trace.to_lowercase(), span: span.to_lowercase() })
    }
}

/// What happened to an ask, as far as a trace tells it.
pub(super) enum Step<'a> {
    /// It was asked, by this agent.
    Asked(Option<&'a str>),
    /// It was shown.
    Shown,
    /// It ended in this way.
    Closed(&'static str),
    /// The agent was told.
    Delivered,
}

impl Watch {
    /// Sends traces to this collector from now on, as `http://127.0.0.1:4318`; none: nowhere.
    pub fn set_collector(&self, url: Option<String>) {
        let mut kept = self.traces.kept();
        if url.is_none() {
            kept.asks.clear();
        }
        kept.collector = url;
    }

    /// Notes that an agent asked within a trace of its own.
    pub fn asked_within(&self, ask: AskId, traceparent: Option<&str>) {
        let Some(parent) = traceparent.and_then(Parent::read) else { return };
        self.traces.change(ask, |trace| trace.parent = Some(parent));
    }

    pub(super) fn trace(&self, ask: AskId, at: Timestamp, step: &Step<'_>) {
        match step {
            Step::Asked(agent) => self.traces.change(ask, |trace| {
                (trace.asked_at, trace.agent) = (at, agent.map(str::to_owned));
            }),
            Step::Shown => self.traces.change(ask, |trace| trace.shown_at = Some(at)),
            Step::Closed(outcome) => self.traces.change(ask, |trace| trace.closed = Some((at, outcome))),
            Step::Delivered => self.traces.send(ask, at),
        }
    }
}

impl Traces {
    fn change(&self, ask: AskId, change: impl FnOnce(&mut Trace)) {
        let mut kept = self.kept();
        if kept.collector.is_none() {
            return;
        }
        change(kept.asks.entry(ask).or_default());
        if kept.asks.len() > KEPT_MAX {
            kept.asks.pop_first();
        }
    }

    fn send(&self, ask: AskId, at: Timestamp) {
        let (trace, url) = {
            let mut kept = self.kept();
            let Some((trace, url)) = kept.asks.remove(&ask).zip(kept.collector.clone()) else { return };
            (trace, format!("{}/v1/traces", url.trim_end_matches('/')))
        };
        let Some(body) = trace.written(ask, at) else { return };
        // A collector that is slow loses traces, and nothing else.
        let Ok(turn) = Arc::clone(&self.turns).try_acquire_owned() else { return };
        tokio::spawn(async move {
            let (headers, body) = ([("content-type", "application/json")], body.to_string());
            let call = Call { method: Method::POST, url: &url, headers: &headers, body, time_max: TIME_MAX };
            match Http::default().call(call).await {
                Ok(answer) if answer.status.is_success() => {}
                Ok(answer) => tracing::debug!("The collector of traces answered {}", answer.status),
                Err(why) => tracing::debug!("The collector of traces cannot be reached: {why}"),
            }
            drop(turn);
        });
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock()
    }
}

impl Trace {
    /// The trace as OTLP; none of an ask whose beginning or end was not seen.
    fn written(&self, ask: AskId, delivered_at: Timestamp) -> Option<Value> {
        let (closed_at, outcome) = self.closed?;
        if self.asked_at == Timestamp::default() {
            return None;
        }
        let trace =
            self.parent.as_ref().map_or_else(|| format!("{:032x}", ask.0), |parent| parent.trace.clone());
        let root = span_id(ask, "ask");
        let parent = self.parent.as_ref().map(|parent| parent.span.clone()).unwrap_or_default();
        let span = |name: &str, parent: &str, kind: u8, from: Timestamp, to: Timestamp, told: Value| {
            json!({"traceId": trace, "spanId": span_id(ask, name), "parentSpanId": parent, "name": name, "kind": kind,
                "startTimeUnixNano": nanos(from), "endTimeUnixNano": nanos(to), "attributes": told})
        };
        let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
        let told = json!([
            text("askuser.ask_id", &ask.to_string()),
            text("askuser.agent", self.agent.as_deref().unwrap_or("unknown")),
            text("askuser.outcome", outcome),
        ]);
        let shown_at = self.shown_at.unwrap_or(closed_at);
        let spans = json!([
            span("ask", &parent, 2, self.asked_at, delivered_at, told),
            span("waiting for its turn", &root, 1, self.asked_at, shown_at, json!([])),
            span("waiting for the person", &root, 1, shown_at, closed_at, json!([])),
            span("waking the agent", &root, 1, closed_at, delivered_at, json!([])),
        ]);
        let service =
            json!([text("service.name", "askuser"), text("service.version", env!("CARGO_PKG_VERSION"))]);
        Some(json!({"resourceSpans": [{"resource": {"attributes": service},
            "scopeSpans": [{"scope": {"name": "askuser"}, "spans": spans}]}]}))
    }
}

/// The same for the same ask and name, so that a repeat is no second span.
fn span_id(ask: AskId, name: &str) -> String {
    let digest = Sha256::new().chain_update(ask.0.to_be_bytes()).chain_update(name).finalize();
    let first = digest.iter().take(8).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    format!("{first:016x}")
}

fn nanos(at: Timestamp) -> String {
    (i128::from(at.0) * 1_000_000).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D14: asks whose outcome nobody fetches do not keep later ones from being traced.
    #[test]
    fn d14_the_oldest_make_room() {
        let traces = Traces::default();
        let asked = |ask: usize| traces.change(AskId(ask as u128), |trace| trace.asked_at = Timestamp(1));
        asked(1);
        assert!(traces.kept().asks.is_empty(), "nobody wants them");
        traces.kept().collector = Some("http://127.0.0.1:4318".to_owned());
        (1..=KEPT_MAX + 2).for_each(asked);
        let kept = traces.kept();
        assert_eq!((kept.asks.len(), kept.asks.first_key_value().unwrap().0), (KEPT_MAX, &AskId(3)));
    }

    /// D14: one trace from the agent's call to its wake-up, in the agent's own where it named one.
    #[test]
    fn d14_a_trace_tells_an_ask_from_the_call_to_the_wake_up() {
        let parent = Parent::read("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        let trace = Trace {
            parent,
            agent: Some("codex".into()),
            asked_at: Timestamp(1000),
            shown_at: Some(Timestamp(1500)),
            closed: Some((Timestamp(9000), "answered")),
        };
        let told = trace.written(AskId(7), Timestamp(9001)).unwrap();
        let spans = told["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
        assert!(spans.iter().all(|span| span["traceId"] == "4bf92f3577b34da6a3ce929d0e0e4736"));
        assert_eq!(spans[0]["parentSpanId"], "00f067aa0ba902b7");
        assert!(spans[1..].iter().all(|span| span["parentSpanId"] == spans[0]["spanId"]));
        let times: Vec<(&str, &str)> = spans
            .iter()
            .map(|span| {
                (span["startTimeUnixNano"].as_str().unwrap(), span["endTimeUnixNano"].as_str().unwrap())
            })
            .collect();
        let expected = [
            ("1000000000", "9001000000"),
            ("1000000000", "1500000000"),
            ("1500000000", "9000000000"),
            ("9000000000", "9001000000"),
        ];
        assert_eq!(times, expected);
        let own = Trace { parent: None, ..trace.clone() }.written(AskId(7), Timestamp(9001)).unwrap();
        let first = &own["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
        assert_eq!((&first["traceId"], &first["parentSpanId"]), (&json!(format!("{:032x}", 7)), &json!("")));
        assert_eq!(Trace { closed: None, ..trace }.written(AskId(7), Timestamp(1)), None);
        for wrong in [
            "",
            "00-x-y-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(Parent::read(wrong), None, "{wrong}");
        }
    }
}
