//! What a person has put down for one question so far, and whether it fits.

use crate::id::ChoiceId;
use crate::limits::{NOTE_CHARS_MAX, PICKED_CHARS_MAX};
use crate::problem::Fault;
use crate::question::{FreeText, Kind, Question};
use crate::text::is_refused_in_answers;

/// One question's line on the sheet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// The picked choices, in the order in which they are offered.
    pub picked: Vec<ChoiceId>,
    /// The typed text: the answer of a text question, "Other" of a choice question.
    pub text: Option<String>,
    /// A remark beside the answer.
    pub note: Option<String>,
    /// Still the asker's suggestion: the person has not touched it.
    pub suggested: bool,
}

impl Entry {
    /// Returns what the asker suggests for a question, possibly nothing (D2).
    pub fn suggestion(question: &Question) -> Self {
        let defaults = question.choices.iter().filter(|choice| choice.default);
        let mut picked: Vec<ChoiceId> = defaults.map(|choice| choice.id.clone()).collect();
        match question.kind {
            // Two suggestions where one may be picked are none: which one is meant is not ours to say.
            Kind::OneOf | Kind::YesNo if picked.len() > 1 => picked.clear(),
            Kind::OneOf | Kind::YesNo | Kind::SomeOf { .. } | Kind::Text => {}
        }
        let text = if question.kind == Kind::Text {
            question.free.as_ref().and_then(|free| free.default.clone())
        } else {
            None
        };
        let suggested = !picked.is_empty() || text.is_some();
        Self { picked, text, note: None, suggested }
    }

    /// Whether nothing is picked and nothing typed. A note alone is not an answer.
    pub fn is_empty(&self) -> bool {
        self.picked.is_empty() && self.text.is_none()
    }

    /// Says why this does not answer the question, if it does not. Empty is not a fault here:
    /// whether a question may be left out is the sheet's to say.
    pub fn fault(&self, question: &Question) -> Option<Fault> {
        self.picked_fault(question)
            .or_else(|| self.text.as_deref().and_then(|text| text_fault(question, text)))
            .or_else(|| self.note.as_deref().and_then(note_fault))
    }

    fn picked_fault(&self, question: &Question) -> Option<Fault> {
        for choice in &self.picked {
            if question.choice(choice).is_none() {
                return Some(Fault::NoSuchChoice { choice: choice.as_str().to_owned() });
            }
        }
        let n_picked = self.picked.len() + usize::from(question.kind != Kind::Text && self.text.is_some());
        let (min, max) = match question.kind {
            Kind::OneOf | Kind::YesNo => (1, 1),
            Kind::SomeOf { min, max } => (min, max),
            Kind::Text => (0, 0),
        };
        let picked_chars = self.picked.iter().map(|choice| choice.as_str().chars().count()).sum();
        if n_picked > max {
            Some(Fault::TooManyItems { max, got: n_picked })
        } else if n_picked > 0 && n_picked < min {
            Some(Fault::TooFewItems { min, got: n_picked })
        } else if picked_chars > PICKED_CHARS_MAX {
            Some(Fault::TooManyChars { max: PICKED_CHARS_MAX, got: picked_chars })
        } else {
            None
        }
    }
}

fn text_fault(question: &Question, text: &str) -> Option<Fault> {
    let Some(free) = &question.free else {
        return Some(Fault::NoFreeText);
    };
    let got = text.chars().count();
    if let Some(fault) = control_fault(text).filter(|_| !free.any_characters) {
        Some(fault)
    } else if got > free.chars_max {
        Some(Fault::TooManyChars { max: free.chars_max, got })
    } else if got < free.chars_min {
        Some(Fault::TooFewChars { min: free.chars_min, got })
    } else {
        format_fault(question, free, text)
    }
}

fn format_fault(question: &Question, free: &FreeText, text: &str) -> Option<Fault> {
    // "Other" is the person's own way out: the format is that of the field, not of the way out.
    if question.kind == Kind::Text { free.format.fault(text).map(Fault::WrongFormat) } else { None }
}

/// Says what is wrong with a note or a reason.
pub fn note_fault(note: &str) -> Option<Fault> {
    let got = note.chars().count();
    if got > NOTE_CHARS_MAX {
        return Some(Fault::TooManyChars { max: NOTE_CHARS_MAX, got });
    }
    control_fault(note)
}

fn control_fault(text: &str) -> Option<Fault> {
    let letter = text.chars().find(|letter| is_refused_in_answers(*letter))?;
    Some(Fault::ControlCharacter { code: u32::from(letter) })
}
