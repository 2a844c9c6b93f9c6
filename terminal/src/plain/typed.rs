//! What a typed line picks: numbers, labels, yes and no.

use askuser_core::id::ChoiceId;
use askuser_core::question::{Choice, Kind, NO, Question, YES};
use askuser_words::Language;

use super::words;

/// What a line of numbers says.
pub(super) struct Typed {
    pub(super) picked: Vec<ChoiceId>,
    pub(super) other: bool,
    invalid: Vec<String>,
    n_valid: usize,
}

impl Typed {
    pub(super) fn read(words: &str, question: &Question) -> Self {
        let mut typed = Self { picked: Vec::new(), other: false, invalid: Vec::new(), n_valid: 0 };
        if let Some(choice) = by_word(words, question) {
            typed.picked.push(choice.id.clone());
            typed.n_valid = 1;
            return typed;
        }
        for part in words.split([',', '，', '、']).map(str::trim).filter(|part| !part.is_empty()) {
            let number = whole_number(part);
            let choice = number.and_then(|number| question.choices.get(number.checked_sub(1)?));
            let other = question.takes_other() && (number == Some(0) || part.eq_ignore_ascii_case("other"));
            match choice {
                Some(choice) if typed.picked.contains(&choice.id) => {}
                Some(choice) => typed.picked.push(choice.id.clone()),
                None if other => typed.other = true,
                None => typed.invalid.push(part.to_owned()),
            }
            typed.n_valid += usize::from(choice.is_some() || other);
            // Where only one may be picked, the first valid number counts (T8).
            let several = matches!(question.kind, Kind::SomeOf { .. });
            if !several && typed.n_valid > 0 {
                break;
            }
        }
        typed
    }

    /// Says which of several were left out.
    pub(super) fn dropped(&self, several: bool, language: Language) -> Option<String> {
        (several && !self.invalid.is_empty()).then(|| words::left_out(&self.invalid, language))
    }
}

/// A label word for word, or yes and no: what a person types who does not count.
fn by_word<'a>(words: &str, question: &'a Question) -> Option<&'a Choice> {
    if question.kind == Kind::YesNo {
        let id = match words.to_lowercase().as_str() {
            "y" | "yes" | "是" => YES,
            "n" | "no" | "否" => NO,
            _ => return None,
        };
        return question.choice(&ChoiceId::from(id));
    }
    question.choices.iter().find(|choice| choice.label == words && whole_number(words).is_none())
}

/// Reads a whole number, also in the full-width digits of an input method.
fn whole_number(text: &str) -> Option<usize> {
    let narrow = |letter: char| match letter {
        '０'..='９' => {
            char::from_u32(u32::from(letter) - u32::from('０') + u32::from('0')).unwrap_or(letter)
        }
        _ => letter,
    };
    let digits: String = text.chars().map(narrow).collect();
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
