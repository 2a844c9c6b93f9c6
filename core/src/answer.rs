//! What the person picked or wrote, as it goes back to the asker.

use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub question: QuestionId,
    /// The choice that opened the question, where it is a follow-up.
    pub parent: Option<Parent>,
    /// The picked choices, in the order in which they were offered.
    pub picked: Vec<ChoiceId>,
    /// What was typed.
    pub text: Option<String>,
    /// A remark beside the answer.
    pub note: Option<String>,
    /// Nothing was answered: left out by the person, or not reached in time.
    pub skipped: bool,
    /// Brought along by the asker, not given by the person now (E5).
    pub collected: bool,
}

/// The choice that opened a follow-up question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// The question that the choice belongs to.
    pub question: QuestionId,
    pub choice: ChoiceId,
}

/// The answers of one ask, in the order of the questions; only those on the path that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answers(pub Vec<Answer>);

impl Answers {
    /// Finds the answer to a question.
    pub fn to(&self, question: &QuestionId) -> Option<&Answer> {
        self.0.iter().find(|answer| answer.question == *question)
    }

    /// Returns the answers as the entries of a sheet, as whoever closes an ask hands them in.
    /// What the asker had brought along is not the person's and stays out.
    pub fn entries(&self) -> Vec<(QuestionId, Entry)> {
        let given = self.0.iter().filter(|answer| !answer.collected);
        given
            .filter(|answer| !answer.skipped || answer.note.is_some())
            .map(|answer| {
                let (picked, text, note) = (answer.picked.clone(), answer.text.clone(), answer.note.clone());
                (answer.question.clone(), Entry { picked, text, note, suggested: false })
            })
            .collect()
    }
}
