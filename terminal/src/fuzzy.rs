//! Finding by letters in their order: `rncrt` finds "Rename the crate?".

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// What is looked for.
pub struct Fuzzy {
    pattern: Pattern,
    matcher: Matcher,
}

impl Fuzzy {
    /// Takes what was typed: words in any order, each by its letters in their order.
    pub fn new(typed: &str) -> Self {
        let pattern = Pattern::new(typed.trim(), CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
        Self { pattern, matcher: Matcher::new(Config::DEFAULT) }
    }

    /// Returns how well a text fits, the more the better; none where it does not.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        self.pattern.score(Utf32Str::new(text, &mut Vec::new()), &mut self.matcher)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_their_order_are_found_and_the_best_comes_first() {
        let score = |typed: &str, text: &str| Fuzzy::new(typed).score(text);
        assert!(score("rncrt", "Rename the crate?").is_some());
        assert!(score("crate RENAME", "Rename the crate?").is_some());
        assert!(score("", "anything").is_some());
        assert!(score("数库", "需要哪个数据库？").is_some());
        assert_eq!(score("crtrn", "Rename the crate?"), None);
        assert!(score("crate", "Rename the crate?") > score("crate", "Can Ruth ask them early?"));
    }
}
