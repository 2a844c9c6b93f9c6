//! What asking costs: a durable cycle beside the disk and the network it stands on, many callers at
//! once, and what a hundred thousand open asks weigh.
//!
//! Every figure stands beside its own measure from the same run, because machines differ and ratios
//! do not. One server here in the process, with the real routes and the real store; the real daemon
//! for its memory. Only loopback.
//!
//! `ASKUSER_BENCH_FULL=1` grows to 1,000,000 stored asks, and as many deadlines, instead of 100,000, and
//! `ASKUSER_BENCH_MANY` to any other number; `ASKUSER_BENCH=a,b` runs only these parts: cycle, callers,
//! growth, deadlines, daemon.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot measure must fail, and it prints"
)]

use askuser_system::environment::Environment;

mod cycle;
mod daemon;
mod deadlines;
mod growth;
mod line;
mod server;
mod table;

pub(crate) fn run() {
    let environment = Environment::of_this_process();
    let only = environment.get("ASKUSER_BENCH").map(|parts| parts.split(',').collect::<Vec<_>>());
    let wanted = |part: &str| only.as_ref().is_none_or(|only| only.contains(&part));
    let usual = if environment.has("ASKUSER_BENCH_FULL") { 1_000_000 } else { 100_000 };
    let many = environment.get("ASKUSER_BENCH_MANY").map_or(usual, |many| many.parse().unwrap());
    table::head();
    if wanted("cycle") {
        cycle::one_after_the_other();
    }
    if wanted("callers") {
        cycle::many_at_once();
    }
    if wanted("growth") {
        growth::stored_asks(many);
    }
    if wanted("deadlines") {
        deadlines::timer(many);
    }
    if wanted("daemon") {
        daemon::weigh();
    }
}
