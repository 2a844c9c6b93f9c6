//! `askuser stats`: what your asks say together, as small pictures of text.

use std::time::Duration;

use askuser_core::text::shown;
use hyper::Method;
use serde_json::Value;

use super::args::{Form, Insists};
use super::connect::{self, block_on, done};
use super::exit::Exit;
use super::report::Report;
use super::table::{field, table};
use crate::client::keys::KeyFor;
use crate::environment::Environment;

/// Columns of the longest bar.
const BAR: u64 = 30;

/// `askuser stats`
pub fn run(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::person(environment, insists.as_person).await?;
        let told = client.plain(Method::GET, "/api/insight", KeyFor::Person, None).await?;
        done(&if form.json { told.to_string() } else { words(&told) })
    })
}

fn words(told: &Value) -> String {
    let outcomes = told.get("outcomes").cloned().unwrap_or_default();
    if count(&outcomes, "all") == 0 {
        return "nothing has been asked and answered yet".to_owned();
    }
    let mut parts = vec![format!(
        "{} since {}: {} answered by you, {} by a rule or a default, {} cancelled, {} withdrawn, {} timed out",
        match count(&outcomes, "all") {
            1 => "1 ask".to_owned(),
            n => format!("{n} asks"),
        },
        field(told, "since"),
        count(&outcomes, "answered"),
        count(&outcomes, "by_itself"),
        count(&outcomes, "cancelled"),
        count(&outcomes, "withdrawn"),
        count(&outcomes, "timed_out"),
    )];
    let busy = list(told, "days").iter().filter(|day| count(day, "all") > 0).cloned().collect::<Vec<_>>();
    parts.push(section("asks by day (UTC)", &busy, |day| (field(day, "day"), count(day, "all"))));
    let time = |name: &str| told.get(name).and_then(Value::as_u64).map(took).unwrap_or_default();
    let title = format!(
        "how long you took: half within {}, nine in ten within {}",
        time("median_ms"),
        time("p90_ms")
    );
    parts.push(section(&title, &list(told, "response_times"), |part| {
        let upto = part.get("upto_ms").and_then(Value::as_u64);
        (upto.map_or("longer".to_owned(), |ms| format!("up to {}", took(ms))), count(part, "count"))
    }));
    let agents = list(told, "agents");
    let rows: Vec<Vec<String>> = agents
        .iter()
        .map(|agent| {
            let columns = ["all", "answered", "by_itself", "cancelled", "withdrawn", "timed_out"];
            let name = agent.get("agent").and_then(Value::as_str).unwrap_or("(unnamed)");
            std::iter::once(shown(name).into_owned())
                .chain(columns.map(|column| count(agent, column).to_string()))
                .collect()
        })
        .collect();
    parts.push(table(&["AGENT", "ASKS", "YOU", "RULE", "CANCELLED", "WITHDRAWN", "TIMED OUT"], &rows));
    for (name, title) in [("most_asked", "asked most often"), ("most_cancelled", "cancelled most often")] {
        parts.push(section(title, &list(told, name), |it| (field(it, "question"), count(it, "count"))));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// A heading and a bar a line; nothing where there is nothing.
fn section(title: &str, items: &[Value], read: impl Fn(&Value) -> (String, u64)) -> String {
    let items: Vec<(String, u64)> = items.iter().map(read).collect();
    let Some(most) = items.iter().map(|(_, n)| *n).max().filter(|most| *most > 0) else {
        return String::new();
    };
    let rows: Vec<Vec<String>> = items
        .iter()
        .map(|(name, n)| {
            let columns = (n * BAR).div_ceil(most);
            vec![name.clone(), n.to_string(), "█".repeat(usize::try_from(columns).unwrap_or(0))]
        })
        .collect();
    format!("{title}\n{}", table(&["", "", ""], &rows).trim_start_matches([' ', '\n']))
}

fn list(told: &Value, name: &str) -> Vec<Value> {
    told.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn count(told: &Value, name: &str) -> u64 {
    told.get(name).and_then(Value::as_u64).unwrap_or(0)
}

/// A length of time in its largest unit.
fn took(ms: u64) -> String {
    let time = Duration::from_millis(ms);
    match time.as_secs() {
        0..60 => format!("{} s", time.as_secs()),
        60..3600 => format!("{} min", time.as_secs() / 60),
        _ => format!("{} h", time.as_secs() / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn d19_figures_are_bars_and_words() {
        let told = json!({
            "since": "2026-01-01T00:00:00Z",
            "outcomes": {"all": 4, "answered": 3, "cancelled": 1},
            "days": [{"day": "2026-01-01", "all": 0}, {"day": "2026-01-02", "all": 4}],
            "response_times": [{"upto_ms": 5000, "count": 1}, {"upto_ms": null, "count": 3}],
            "median_ms": 90_000, "p90_ms": 7_200_000,
            "agents": [{"agent": null, "all": 4}],
            "most_asked": [{"question": "Ship it?", "count": 3}],
        });
        let text = words(&told);
        for part in [
            "4 asks since",
            "half within 1 min, nine in ten within 2 h",
            "2026-01-02",
            "(unnamed)",
            "Ship it?",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("2026-01-01  ") && !text.contains("cancelled most often"), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains(&"█".repeat(30))).count(), 3, "{text}");
        let one = words(&json!({"since": "2026-01-01T00:00:00Z", "outcomes": {"all": 1}}));
        assert!(one.starts_with("1 ask since 2026"), "{one}");
        assert_eq!(words(&json!({})), "nothing has been asked and answered yet");
    }
}
