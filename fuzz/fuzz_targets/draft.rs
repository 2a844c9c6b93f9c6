//! Any bytes as an ask; see `bodies/draft.rs`.

#![no_main]

#[path = "../bodies/draft.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
