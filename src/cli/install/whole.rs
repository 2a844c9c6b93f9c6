//! A file that is ours alone, such as a plugin: told by its first line, written and taken away whole.

use super::json::Unfit;

/// How such a file begins.
const FIRST_WORDS: &str = "// Written by `askuser install";

/// Whether we wrote it.
pub fn is_ours(text: &str) -> bool {
    text.starts_with(FIRST_WORDS)
}

/// Somebody else's file has the name of ours.
pub fn not_ours() -> Unfit {
    Unfit::Otherwise {
        at: "the first line".to_owned(),
        found: "somebody else's",
        expected: "what `askuser install` writes",
    }
}
