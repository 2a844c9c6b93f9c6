//! Asks that ask the same: one answer for all of them (P15).

use crate::ask::Ask;
use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};

/// Returns the answers to one ask as answers to another, question by question and choice by choice in
/// the same places: ids differ from ask to ask. Nothing where the two do not ask the same.
pub fn carried_over(
    from: &Ask,
    to: &Ask,
    entries: &[(QuestionId, Entry)],
) -> Option<Vec<(QuestionId, Entry)>> {
    if from.fingerprint != to.fingerprint {
        return None;
    }
    let (from, to) = (from.questions.all(), to.questions.all());
    let carried = |(id, entry): &(QuestionId, Entry)| {
        let question_idx = from.iter().position(|question| question.id == *id)?;
        let (from, to) = (from.get(question_idx)?, to.get(question_idx)?);
        let same = |choice: &ChoiceId| {
            let choice_idx = from.choices.iter().position(|offered| offered.id == *choice)?;
            Some(to.choices.get(choice_idx)?.id.clone())
        };
        let picked = entry.picked.iter().map(same).collect::<Option<Vec<_>>>()?;
        Some((to.id.clone(), Entry { picked, ..entry.clone() }))
    };
    entries.iter().map(carried).collect()
}
