//! `AskUserQuestion`: the name agents know.
fn main() {}
