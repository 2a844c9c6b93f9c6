//! What is said before it is known which language it is read in.

use std::fmt::Display;

pub use askuser_core::problem::Both;

use crate::Language;

/// Says the same in both languages, by a phrase of a table: `both(Wrong::not_a_number)`.
pub fn both<T: From<Language>, S: Into<String>>(say: impl Fn(T) -> S) -> Both {
    let [english, chinese] =
        [Language::English, Language::Chinese].map(|language| say(T::from(language)).into());
    Both { english, chinese }
}

/// Quotes what a service, a library or the system said, which nobody translates.
pub fn quoted(said: impl Display) -> Both {
    Both { english: said.to_string(), chinese: format!("原文：{said}") }
}

impl Language {
    /// Returns what was said in this language.
    pub fn of(self, said: &Both) -> &str {
        self.pick(&said.english, &said.chinese)
    }
}
