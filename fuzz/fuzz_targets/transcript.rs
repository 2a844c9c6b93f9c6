//! Any bytes as a transcript; see `bodies/transcript.rs`.

#![no_main]

#[path = "../bodies/transcript.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
