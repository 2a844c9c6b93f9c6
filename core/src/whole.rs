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
            parts.extend(choice.running.as_deref());
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
            && choice.running.is_none()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asker::{Asker, Terms};
    use crate::draft::{DraftKind, DraftQuestion, Given};
    use crate::sheet::tests::{question, questions};

    const ROW: Room = Room { choices: 3, label_chars: 8, chars: 60, lines: 3 };

    fn fits(draft: DraftQuestion, terms: &Terms) -> bool {
        one_press(&Content::new(&questions(vec![draft]), terms), &ROW).is_some()
    }

    #[test]
    fn one_press_answers_what_is_small_and_seen_as_a_whole() {
        let small = || question("q", DraftKind::OneOf, &["a", "b"]);
        let plain = Terms::default();
        assert!(fits(small(), &plain));
        assert!(fits(question("q", DraftKind::YesNo, &[]), &plain));
        let about = |context: &str| Terms { context: Some(context.to_owned()), ..Terms::default() };
        assert!(fits(small(), &about("It can be undone.")), "a short context is part of it");
        assert!(!fits(small(), &about(&"Read all of this. ".repeat(9))));
        assert!(!fits(small(), &about("one\ntwo\nthree\nfour")), "more lines than there are");
        let described = DraftQuestion { description: Given::Value("x".repeat(99)), ..small() };
        assert!(!fits(described, &plain));
        assert!(!fits(question("q", DraftKind::OneOf, &["a", "a label too long"]), &plain));
        assert!(!fits(question("q", DraftKind::OneOf, &["a", "b", "c", "d"]), &plain));
        assert!(!fits(question("q", DraftKind::SomeOf { min: None, max: None }, &["a", "b"]), &plain));
        assert!(!fits(question("q", DraftKind::Text, &[]), &plain));
        let grant = Terms { purpose: Purpose::Permission, ..Terms::default() };
        assert!(!fits(small(), &grant), "a permission is not granted in passing");
        let two = questions(vec![small(), question("r", DraftKind::OneOf, &["a", "b"])]);
        assert_eq!(one_press(&Content::new(&two, &plain), &ROW), None);
    }

    #[test]
    fn the_whole_of_an_ask_is_every_text_of_it() {
        let mut draft = question("q", DraftKind::OneOf, &["a", "b"]);
        draft.header = Given::Value("Auth".to_owned());
        draft.description = Given::Value("for good".to_owned());
        let questions = questions(vec![draft]);
        let (why, asker) = (Some("why"), Asker::default());
        let purpose = Purpose::Decision;
        let parts = parts(&Content { questions: &questions, context: why, purpose, asker: &asker });
        for part in ["why", "Auth", "for good", "a", "b"] {
            assert!(parts.contains(&part), "{part}: {parts:?}");
        }
    }
}
