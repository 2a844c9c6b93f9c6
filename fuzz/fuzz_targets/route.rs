//! Any bytes as a shell line; see `bodies/route.rs`.

#![no_main]

#[path = "../bodies/route.rs"]
mod body;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| body::run(bytes));
