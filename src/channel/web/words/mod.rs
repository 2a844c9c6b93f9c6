//! Every word that a person reads on the page. A language is one file; one that misses a word does
//! not compile, and one that misses a place to fill in does not pass the tests.

mod answering;
mod english;
mod chinese;
pub(super) mod script;
mod table;

use std::borrow::Cow;

use askuser_core::ask::Ask;
use askuser_core::id::UserId;
use askuser_core::outcome::Channel;
use askuser_core::problem::Fault;
use askuser_core::question::{Choice, Kind, NO, Question, YES};
use askuser_core::session::rounds_in_all;
use askuser_core::text::shown as harmless;
use askuser_words::Language;
use askuser_words::fault::fault as say_fault;

pub use answering::AnsweringWords;
pub use table::{ScriptWords, Words};

use crate::wire::people::Progress;

/// Returns the words of a language.
pub fn words(language: Language) -> &'static Words {
    language.pick(&english::WORDS, &chinese::WORDS)
}

/// Fills in `{name}`.
pub fn fill(pattern: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, behind)) = behind.split_once('}') else { return filled };
        let value = values.iter().find(|(known, _)| *known == name);
        filled.push_str(value.map(|(_, value)| *value).unwrap_or_default());
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

impl Words {
    /// Says which round it is.
    pub fn round_of(&self, round: u32, total: Option<u32>) -> String {
        let n = round.to_string();
        match rounds_in_all(round, total) {
            Some(total) => fill(self.round_of_rounds, &[("n", &n), ("total", &total.to_string())]),
            None => fill(self.round, &[("n", &n)]),
        }
    }

    /// Says how far an ask for several people has come, to one of them; nothing where it is one person's.
    pub fn people(&self, ask: &Ask, reader: Option<&UserId>) -> Option<String> {
        let language = if self.tag.starts_with("zh") { Language::Chinese } else { Language::English };
        Progress::of(ask).map(|progress| progress.line_to(reader.map(UserId::as_str), language))
    }

    /// Names a choice: by its label, and a plain yes or no in this language.
    pub fn choice<'a>(&'a self, question: &Question, choice: &'a Choice) -> Cow<'a, str> {
        match (question.kind, choice.id.as_str()) {
            (Kind::YesNo, YES) if choice.label.eq_ignore_ascii_case(YES) => self.yes.into(),
            (Kind::YesNo, NO) if choice.label.eq_ignore_ascii_case(NO) => self.no.into(),
            _ => harmless(choice.shown_label()),
        }
    }

    /// Says where something was done.
    pub fn place(&self, channel: &Channel) -> String {
        match channel {
            Channel::Terminal => self.in_terminal.to_owned(),
            Channel::Web => self.in_browser.to_owned(),
            Channel::Api => self.by_program.to_owned(),
            Channel::AgentDialog => self.in_agent_dialog.to_owned(),
            Channel::Agent => self.by_agent.to_owned(),
            Channel::Server => self.by_server.to_owned(),
            Channel::Notify(service) => fill(self.through, &[("service", service)]),
        }
    }

    /// Says how a question is answered, where that is not plain to see.
    pub fn hint(&self, question: &Question) -> Option<String> {
        let Kind::SomeOf { min, max } = question.kind else { return None };
        let most = question.choices.len() + usize::from(question.takes_other());
        let (min_said, max_said) = (min.to_string(), max.to_string());
        let pattern = match (min, max) {
            _ if min == max => self.pick_exactly,
            (..=1, _) if max >= most => self.pick_any,
            _ if max >= most => self.pick_at_least,
            (..=1, _) => self.pick_up_to,
            _ => self.pick_between,
        };
        Some(fill(pattern, &[("min", &min_said), ("max", &max_said)]))
    }

    /// Says what is wrong with an answer.
    pub fn fault(&self, fault: &Fault, language: Language) -> String {
        match fault {
            Fault::Missing => self.needs_answer.to_owned(),
            Fault::TooManyItems { max, got } => {
                fill(self.too_many_picked, &[("max", &max.to_string()), ("got", &got.to_string())])
            }
            Fault::TooFewItems { min, got } => {
                fill(self.too_few_picked, &[("min", &min.to_string()), ("got", &got.to_string())])
            }
            other => fill(self.does_not_fit, &[("why", &say_fault(other, language))]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(pattern: &str) -> Vec<&str> {
        let mut found: Vec<&str> =
            pattern.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn d19_every_language_has_every_word_and_every_place_to_fill_in() {
        let (english, chinese) = (words(Language::English), words(Language::Chinese));
        let pairs = english.all().into_iter().zip(chinese.all());
        let script = english.script.all().into_iter().zip(chinese.script.all());
        let answering = english.answering.all().into_iter().zip(chinese.answering.all());
        for ((name, english), (_, chinese)) in pairs.chain(answering).chain(script) {
            assert!(!english.trim().is_empty() && !chinese.trim().is_empty(), "{name} is empty");
            assert_eq!(places(english), places(chinese), "{name}: other places to fill in");
        }
        for (_, does) in chinese.keys_do {
            assert!(!does.is_ascii(), "not translated: {does}");
        }
        let all = chinese.all().into_iter().chain(chinese.answering.all());
        let untranslated = all.filter(|(name, text)| text.is_ascii() && *name != "tag");
        assert_eq!(untranslated.collect::<Vec<_>>(), Vec::new());
    }

    #[test]
    fn places_are_filled_in() {
        assert_eq!(fill("{a} of {b}{c}", &[("b", "2"), ("a", "{b}")]), "{b} of 2");
        assert_eq!(fill("half {open", &[]), "half ");
        let chinese = words(Language::Chinese);
        assert_eq!(
            (chinese.round_of(2, Some(3)), chinese.round_of(2, None)),
            ("第 2 轮，共 3 轮".to_owned(), "第 2 轮".to_owned())
        );
        assert_eq!(words(Language::English).round_of(4, Some(3)), "Round 4", "more than were announced");
    }
}
