//! `askuser`: args → role → exit code.
fn main() {}
