//! A file that is ours alone, such as a plugin: told by its first line, written and taken away whole.

use askuser_words::config::Wrong;

use super::json::Unfit;

/// How such a file begins.
const FIRST_WORDS: &str = "// Written by `askuser install";

/// Whether we wrote it.
pub fn is_ours(text: &str) -> bool {
    text.starts_with(FIRST_WORDS)
}

/// Somebody else's file has the name of ours.
pub fn not_ours() -> Unfit {
    Unfit::new(Wrong::not_our_file)
}
