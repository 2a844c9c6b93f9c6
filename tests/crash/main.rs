//! Bad days of the real daemon: killed at any moment, its disk full, its clients gone, two of them
//! at once. Nothing that was acknowledged is lost, and no ask ends twice.
//!
//! `ASKUSER_CRASH_KILLS` says how often the daemon is killed (10), `ASKUSER_CLUSTER_SECONDS` how long
//! several of them over one database have bad days (10), `ASKUSER_CRASH_SEED` repeats the chances of an
//! earlier run.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that meets a surprise should stop, and its seed must be seen"
)]

mod http;
mod daemon;
mod dice;
mod saves;
mod record;
mod load;
mod killing;
mod held;
mod restoring;
mod postgres;
mod replicas;
mod cluster;
mod encrypted;
mod moving;
mod racing;
mod full_disk;
mod auditing;
mod overload;
#[cfg(target_os = "linux")]
mod power;
