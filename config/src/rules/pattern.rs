//! What the words of a question must be like: a regular expression of bounded cost, or simply words.

use regex_lite::{Regex, RegexBuilder};

use crate::said::Said;

/// Characters of a pattern.
const CHARS_MAX: usize = 2000;
/// What a pattern may become: looking through a text takes as long as the text is long, times this.
const COMPILED_BYTES_MAX: usize = 128 * 1024;

#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// Words that must occur: found in one go, however many they are.
    Words(String),
    /// A regular expression.
    Regex(Regex),
}

impl Pattern {
    /// Reads a pattern; says what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, Said> {
        let n_chars = text.chars().count();
        if n_chars > CHARS_MAX {
            return Err(Said::new(|say| say.of("text", say.too_long(n_chars, CHARS_MAX))));
        }
        if regex_lite::escape(text) == text {
            return Ok(Self::Words(text.to_owned()));
        }
        let read = RegexBuilder::new(text).size_limit(COMPILED_BYTES_MAX).build();
        read.map(Self::Regex).map_err(|error| Said::new(|say| say.of("text", say.no_pattern(&error))))
    }

    /// Whether a text has it.
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Self::Words(words) => text.contains(words.as_str()),
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern of 60,000 characters took ten seconds for a text of 40,000.
    #[test]
    fn a_pattern_that_is_long_or_grows_is_refused_and_words_are_found_in_one_go() {
        assert!(Pattern::read(&"a".repeat(60_000)).unwrap_err().to_string().contains("the maximum is 2000"));
        assert!(Pattern::read("(a{1000}){1000}").is_err());
        assert!(Pattern::read("(").unwrap_err().to_string().starts_with("`text` is not a pattern"));
        let words = Pattern::read(&"a".repeat(CHARS_MAX)).unwrap();
        assert!(matches!(words, Pattern::Words(_)));
        assert!(words.is_match(&"a".repeat(CHARS_MAX)) && !words.is_match(&"a".repeat(CHARS_MAX - 1)));
        let pattern = Pattern::read("(?i)^which .*base").unwrap();
        assert!(pattern.is_match("Which database?") && !pattern.is_match("Some database?"));
        assert!(Pattern::read("Which one?").is_ok_and(|pattern| pattern.is_match("Which on")));
    }
}
