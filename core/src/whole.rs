//! What counts as the whole question: the one rule of what must be before a person's eyes before they answer.
//!
//! A place that cannot show all of it offers no answer, only a way to where it can be seen.

use crate::ask::{Ask, State};
use crate::asker::Purpose;
use crate::content::Content;
use crate::question::{Choice, Kind, Question};

/// How much a place shows: a row of a list, a message to a phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Choices that have a button.
    pub choices: usize,
    /// Characters of a button.
    pub label_chars: usize,
    /// Characters of everything together.
    pub chars: usize,
    /// Lines of the context and the question, as they are written.
    pub lines: usize,
}

/// Returns every text of an ask that has to be shown where it can be answered, follow-ups included: they are
/// seen as soon as the choice is picked that opens them.
pub fn parts<'a>(content: &Content<'a>) -> Vec<&'a str> {
    let mut parts: Vec<&str> = content.context.into_iter().collect();
    for question in content.questions.all().into_iter().filter(|question| question.collected.is_none()) {
        parts.extend(question.header.as_deref());
        parts.push(&question.text);
        parts.extend(question.description.as_deref());
        for choice in &question.choices {
            parts.push(choice.shown_label());
            parts.extend(choice.description.as_deref());
            parts.extend(choice.preview.as_ref().map(|preview| preview.text.as_str()));
        }
    }
    parts
}

/// Returns the question that one press may answer in a place of this size: the only one, with a few short
/// choices, nothing behind them and nothing that has to be weighed elsewhere. A permission is never granted
/// in passing, and a secret never typed there.
pub fn one_press<'a>(content: &Content<'a>, room: &Room) -> Option<&'a Question> {
    let [question] = content.questions.top() else { return None };
    let is_plain = content.purpose == Purpose::Decision
        && matches!(question.kind, Kind::OneOf | Kind::YesNo)
        && !question.secret
        && question.collected.is_none()
        && question.depends_on.is_none();
    let fits = |choice: &Choice| {
        choice.follow_ups.is_empty()
            && choice.preview.is_none()
            && choice.shown_label().chars().count() <= room.label_chars
    };
    let parts = parts(content);
    let n_chars: usize = parts.iter().map(|part| part.chars().count()).sum();
    let n_lines: usize = parts.iter().map(|part| part.split('\n').count() - 1).sum();
    let is_small = question.choices.len() <= room.choices
        && question.choices.iter().all(fits)
        && n_chars <= room.chars
        && n_lines < room.lines;
    (is_plain && is_small && !question.choices.is_empty()).then_some(question)
}

impl Ask {
    /// Returns every text that has to be shown where it can be answered.
    pub fn parts(&self) -> Vec<&str> {
        parts(&Content::new(&self.questions, &self.terms))
    }

    /// Returns the question that one press may answer in a place of this size; none while it waits its turn.
    pub fn one_press(&self, room: &Room) -> Option<&Question> {
        let question = one_press(&Content::new(&self.questions, &self.terms), room);
        question.filter(|_| self.state == State::Showing)
    }
}
