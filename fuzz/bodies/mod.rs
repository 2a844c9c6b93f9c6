//! What the fuzz targets do with bytes.
//!
//! Shared by `fuzz_targets/`, which `cargo fuzz` drives on nightly, and by `on_stable.rs`, which
//! drives them with random bytes wherever the tests run.

mod draft;
mod route;
mod transcript;

/// What a target does with bytes.
pub(crate) type Body = fn(&[u8]);

/// Every target: its name, which is also the name of its folder in `seeds/`, and its body.
pub(crate) const TARGETS: &[(&str, Body)] =
    &[("draft", draft::run), ("route", route::run), ("transcript", transcript::run)];
