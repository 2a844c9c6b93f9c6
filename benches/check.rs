//! How long it takes to read and check an ask: JSON → dialect → draft → questions.
//!
//! Beside the time that parsing the JSON alone takes, because machines differ and ratios do not.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use askuser_wire as wire;
use serde_json::{Value, json};

use crate::Outcome;

/// Long enough that the clock's own steps do not matter.
const TIME_PER_SAMPLE: Duration = Duration::from_millis(10);
const SAMPLES: usize = 51;

/// Returns four questions of four choices each, whose texts are `n_chars` long.
fn ask(n_chars: usize) -> String {
    let text = |what: &str| format!("{what} {}", "x".repeat(n_chars));
    let choice = |idx: usize| json!({"label": format!("Choice {idx}"), "description": text("Because")});
    let question = |idx: usize| {
        json!({
            "question": text("Which one?"),
            "header": format!("Header {idx}"),
            "multiSelect": false,
            "options": (0..4).map(choice).collect::<Vec<_>>(),
        })
    };
    json!({"questions": (0..4).map(question).collect::<Vec<_>>()}).to_string()
}

/// Parses the JSON and nothing more.
fn parse(text: &str) -> bool {
    serde_json::from_str::<Value>(text).is_ok()
}

/// Goes all the way from the text to checked questions; says whether they were fine.
fn check(text: &str) -> bool {
    let Ok(ask) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let incoming = wire::read(wire::recognise(&ask), &ask);
    incoming.draft.check(&incoming.limits).is_ok()
}

/// Returns the middle time of one call, in microseconds.
fn measure(call: impl Fn() -> bool) -> f64 {
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let begun = Instant::now();
            let mut n_calls = 0_u32;
            while begun.elapsed() < TIME_PER_SAMPLE {
                black_box(call());
                n_calls += 1;
            }
            begun.elapsed().as_secs_f64() * 1e6 / f64::from(n_calls)
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[SAMPLES / 2]
}

pub(crate) fn run() -> Outcome {
    let mut out = io::stdout().lock();
    writeln!(out, "reading and checking an ask of 4 questions, median of {SAMPLES} samples")?;
    writeln!(out, "{:>12}{:>14}{:>14}{:>9}  result", "bytes", "parse µs", "check µs", "ratio")?;
    for n_chars in [20, 3_200] {
        let text = ask(n_chars);
        let parse_us = measure(|| parse(black_box(&text)));
        let check_us = measure(|| check(black_box(&text)));
        let (ratio, n_bytes) = (check_us / parse_us, text.len());
        let result = if check(&text) { "questions" } else { "faults" };
        writeln!(out, "{n_bytes:>12}{parse_us:>14.2}{check_us:>14.2}{ratio:>8.2}x  {result}")?;
    }
    Ok(())
}
