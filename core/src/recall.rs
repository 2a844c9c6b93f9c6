//! What a person answered before, where they are asked the same again (D19). Shown, and never taken for
//! an answer.

use crate::alike::taken_over;
use crate::ask::Ask;
use crate::asker::Purpose;
use crate::entry::Entry;
use crate::id::{AskId, QuestionId, UserId};
use crate::outcome::{AnsweredBy, Ending};
use crate::question::{Kind, Question};
use crate::time::Timestamp;

/// Earlier answers that are counted, the newest.
pub const COUNTED_MAX: usize = 20;
/// A choice is named as the usual one from this many answers on.
const USUAL_MIN: usize = 2;

/// What is known from before about an open ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recall {
    /// The ask that was answered last.
    pub last: AskId,
    /// When.
    pub at: Timestamp,
    /// That answer, as a sheet for this ask.
    pub entries: Vec<(QuestionId, Entry)>,
    /// For each question what was picked most often.
    pub usual: Vec<Usual>,
    /// The earliest answer that was counted.
    pub since: Timestamp,
}

/// What was picked most often for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usual {
    /// The question, of the open ask.
    pub question: QuestionId,
    /// What was picked, in words.
    pub label: String,
    /// How often.
    pub n_picked: usize,
    /// Of how many.
    pub n_answers: usize,
}

/// Recalls what this person answered to the same questions, from asks with the newest first. Nothing for
/// a permission: that is looked at each time.
pub fn recall<'a>(ask: &Ask, user: &UserId, before: impl IntoIterator<Item = &'a Ask>) -> Option<Recall> {
    if ask.terms.purpose == Purpose::Permission {
        return None;
    }
    let mut sheets = Vec::new();
    for earlier in before {
        let Some(outcome) = earlier.state.outcome() else { continue };
        let own =
            outcome.ending == Ending::Answered(AnsweredBy::Person) && outcome.by.user.as_ref() == Some(user);
        if !own || earlier.id == ask.id {
            continue;
        }
        if let Some(entries) = taken_over(&earlier.questions, &ask.questions, &outcome.answers.entries()) {
            sheets.push((earlier.id, outcome.at, entries));
        }
        if sheets.len() == COUNTED_MAX {
            break;
        }
    }
    let since = sheets.iter().map(|(_, at, _)| *at).min()?;
    let usual = ask.questions.top().iter().filter_map(|question| usual(question, &sheets)).collect();
    let (last, at, entries) = sheets.into_iter().max_by_key(|(_, at, _)| *at)?;
    Some(Recall { last, at, entries, usual, since })
}

type Sheet = (AskId, Timestamp, Vec<(QuestionId, Entry)>);

fn usual(question: &Question, sheets: &[Sheet]) -> Option<Usual> {
    if question.secret || !matches!(question.kind, Kind::OneOf | Kind::YesNo) {
        return None;
    }
    let entry =
        |sheet: &'_ Sheet| sheet.2.iter().find(|(id, _)| *id == question.id).map(|(_, entry)| entry.clone());
    let picks: Vec<_> =
        sheets.iter().filter_map(entry).filter_map(|entry| entry.picked.first().cloned()).collect();
    let counted = question
        .choices
        .iter()
        .map(|choice| (choice, picks.iter().filter(|pick| **pick == choice.id).count()));
    let (choice, n_picked) = counted.max_by_key(|(_, count)| *count)?;
    // One that was picked as often as another is no usual one.
    let tied = question.choices.iter().any(|other| {
        other.id != choice.id && picks.iter().filter(|pick| **pick == other.id).count() == n_picked
    });
    (n_picked >= USUAL_MIN && !tied).then(|| Usual {
        question: question.id.clone(),
        label: choice.shown_label().to_owned(),
        n_picked,
        n_answers: sheets.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::tests::picked;

    /// D19: "you chose X 4 of 5 times", from one's own answers to the same question.
    #[test]
    fn d19_the_usual_choice_is_counted_from_ones_own_answers_alone() {
        let ann = UserId::from("ann");
        let before: Vec<Ask> = ["a", "b", "a", "a", "a"]
            .into_iter()
            .zip(0_u8..)
            .map(|(choice, n)| picked(u128::from(n) + 10, "ann", "Which?", choice, Timestamp(n.into())))
            .collect();
        let now = picked(1, "ann", "Which?", "b", Timestamp(99));
        let recalled = recall(&now, &ann, before.iter().rev()).unwrap();
        assert_eq!((recalled.last, recalled.at, recalled.since), (before[4].id, Timestamp(4), Timestamp(0)));
        let usual = &recalled.usual[0];
        assert_eq!((usual.label.as_str(), usual.n_picked, usual.n_answers), ("A", 4, 5));
        assert_eq!(recalled.entries[0].1.picked[0].as_str(), "a");
        // Another person's, other words, a tie, too few, and a permission.
        assert_eq!(recall(&now, &UserId::from("ben"), &before), None);
        assert_eq!(recall(&picked(1, "ann", "What?", "b", Timestamp(9)), &ann, &before), None);
        assert!(recall(&now, &ann, &before[..2]).unwrap().usual.is_empty());
        assert!(recall(&now, &ann, &before[..1]).unwrap().usual.is_empty());
        let mut permission = now.clone();
        permission.terms.purpose = Purpose::Permission;
        assert_eq!(recall(&permission, &ann, &before), None);
        let many: Vec<Ask> = (0..50_u8)
            .map(|n| picked(u128::from(n) + 100, "ann", "Which?", "a", Timestamp(n.into())))
            .collect();
        assert_eq!(recall(&now, &ann, &many).unwrap().usual[0].n_answers, COUNTED_MAX);
    }
}
