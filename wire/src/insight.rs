//! What a person's asks say together, as JSON.

use std::time::Duration;

use askuser_core::insight::{BOUNDS, Insight, Tally};
use serde_json::{Value, json};

use super::time;

pub fn write(insight: &Insight) -> Value {
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let bounds = BOUNDS.iter().map(|bound| Some(ms(*bound))).chain([None]);
    let took: Vec<Value> = bounds
        .zip(insight.took)
        .map(|(upto_ms, count)| json!({"upto_ms": upto_ms, "count": count}))
        .collect();
    let most = |list: &[(String, usize)]| -> Vec<Value> {
        list.iter().map(|(question, count)| json!({"question": question, "count": count})).collect()
    };
    let days = insight.days.iter().map(|(day, tally)| {
        let mut written = tally_of(*tally);
        // A day, without its hours.
        written["day"] = time::write(*day).get(..10).unwrap_or_default().into();
        written
    });
    let agents = insight.agents.iter().map(|(agent, tally)| {
        let mut written = tally_of(*tally);
        written["agent"] = json!(agent);
        written
    });
    let sources = insight.sources.iter().map(|(source, tally)| {
        let mut written = tally_of(*tally);
        written["source"] = source.as_str().into();
        written
    });
    json!({
        "since": insight.since.map(time::write),
        "outcomes": tally_of(insight.all),
        "days": days.collect::<Vec<_>>(),
        "response_times": took,
        "median_ms": insight.median.map(ms), "p90_ms": insight.p90.map(ms),
        "agents": agents.collect::<Vec<_>>(), "sources": sources.collect::<Vec<_>>(),
        "most_asked": most(&insight.most_asked), "most_cancelled": most(&insight.most_cancelled),
    })
}

fn tally_of(tally: Tally) -> Value {
    json!({
        "all": tally.all(), "answered": tally.answered, "by_itself": tally.by_itself,
        "cancelled": tally.cancelled, "withdrawn": tally.withdrawn, "timed_out": tally.timed_out,
    })
}
