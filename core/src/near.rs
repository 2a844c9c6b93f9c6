//! When two texts say nearly the same: by the words that they share, longer words weighing more.

use std::cmp::Ordering;

/// What is looked at of a text.
const CHARS_MAX: usize = 600;
/// Texts with fewer letters are near only where they are equal: in "Which one?" every word counts.
const LETTERS_MIN: usize = 12;
/// Of a hundred letters in both texts, so many are in words that both have.
const SHARED_MIN: usize = 85;

/// A text, taken apart once to be compared with many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// In order, without case.
    sorted: Vec<String>,
    n_letters: usize,
}

impl Words {
    /// Takes a text apart. A character of a script without spaces is a word of its own.
    pub fn of(text: &str) -> Self {
        let mut sorted = vec![String::new()];
        for letter in text.chars().take(CHARS_MAX).flat_map(char::to_lowercase) {
            let alone = is_ideograph(letter);
            if alone || !letter.is_alphanumeric() {
                sorted.push(String::new());
            }
            if letter.is_alphanumeric()
                && let Some(word) = sorted.last_mut()
            {
                word.push(letter);
            }
            if alone {
                sorted.push(String::new());
            }
        }
        sorted.retain(|word| !word.is_empty());
        sorted.sort_unstable();
        let n_letters = sorted.iter().map(|word| word.chars().count()).sum();
        Self { sorted, n_letters }
    }

    /// Whether both say nearly the same.
    pub fn is_near(&self, other: &Self) -> bool {
        if self.sorted == other.sorted {
            return true;
        }
        let (fewer, more) = (self.n_letters.min(other.n_letters), self.n_letters.max(other.n_letters));
        // Even if it shared all its words, the shorter one could not be near enough.
        let hopeless = 200 * fewer < SHARED_MIN * (fewer + more);
        if fewer < LETTERS_MIN || hopeless {
            return false;
        }
        200 * self.shared(other) >= SHARED_MIN * (fewer + more)
    }

    /// Letters in words that both have, each word as often as both have it.
    fn shared(&self, other: &Self) -> usize {
        let (mut ours, mut theirs) = (self.sorted.iter().peekable(), other.sorted.iter().peekable());
        let mut n_shared = 0;
        while let (Some(our), Some(their)) = (ours.peek(), theirs.peek()) {
            match our.cmp(their) {
                Ordering::Less => _ = ours.next(),
                Ordering::Greater => _ = theirs.next(),
                Ordering::Equal => {
                    n_shared += our.chars().count();
                    _ = (ours.next(), theirs.next());
                }
            }
        }
        n_shared
    }
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: &str, other: &str) -> bool {
        let (one, other) = (Words::of(one), Words::of(other));
        assert_eq!(one.is_near(&other), other.is_near(&one));
        one.is_near(&other)
    }

    /// D19: a slightly changed text still counts, an unlike one does not.
    #[test]
    fn d19_a_few_words_more_or_less_are_near_and_other_things_are_not() {
        for (one, other) in [
            ("Which database should I use?", "Which database should we use?"),
            ("Which database should I use?", "which  database should I use"),
            ("Deploy version 1.2 to production?", "Deploy version 1.3 to production?"),
            ("Ship it?", "ship it"),
            ("我应该使用哪个数据库来存储订单？", "我应该使用哪个数据库来保存订单？"),
            ("", ""),
        ] {
            assert!(near(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("Which database should I use?", "Which cache should I use?"),
            ("Should I delete the tests?", "Should I delete the logs?"),
            ("Delete src/shop/cart.rs?", "Delete src/main.rs?"),
            ("Ship it?", "Skip it?"),
            ("Ship it?", "Ship it now?"),
            ("删除日志吗？", "删除测试吗？"),
            ("Which database should I use?", ""),
        ] {
            assert!(!near(one, other), "{one} / {other}");
        }
    }

    /// What an agent writes at great length costs no more than so much.
    #[test]
    fn a_long_text_is_looked_at_so_far() {
        let long = "word ".repeat(100_000);
        assert!(Words::of(&long).n_letters <= CHARS_MAX);
        assert!(near(&long, &"word ".repeat(200)));
    }
}
