//! Asks that ask the same: one answer for all of them, and an earlier answer taken over (P15).

use crate::ask::Ask;
use crate::content::same_questions;
use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};
use crate::question::Questions;

type Entries = Vec<(QuestionId, Entry)>;

/// Returns the answers to one ask as answers to another, question by question and choice by choice in
/// the same places: ids differ from ask to ask. Nothing where the two do not ask the same.
pub fn carried_over(from: &Ask, to: &Ask, entries: &[(QuestionId, Entry)]) -> Option<Entries> {
    if may_share(from, to) { moved(&from.questions, &to.questions, entries) } else { None }
}

/// Whether one answer may be given to both: they ask the same about the same, and grant the same.
pub fn may_share(one: &Ask, other: &Ask) -> bool {
    one.fingerprint == other.fingerprint && one.terms.purpose == other.terms.purpose
}

/// Returns earlier answers as a sheet for questions that ask the same, without what is secret: that
/// was never told to whoever looks back. Nothing where the questions differ.
pub fn taken_over(from: &Questions, to: &Questions, entries: &[(QuestionId, Entry)]) -> Option<Entries> {
    if !same_questions(from, to) {
        return None;
    }
    let secret = |id: &QuestionId| to.find(id).is_some_and(|question| question.secret);
    Some(moved(from, to, entries)?.into_iter().filter(|(id, _)| !secret(id)).collect())
}

fn moved(from: &Questions, to: &Questions, entries: &[(QuestionId, Entry)]) -> Option<Entries> {
    let (from, to) = (from.all(), to.all());
    let moved = |(id, entry): &(QuestionId, Entry)| {
        let question_idx = from.iter().position(|question| question.id == *id)?;
        let (from, to) = (from.get(question_idx)?, to.get(question_idx)?);
        let same = |choice: &ChoiceId| {
            let choice_idx = from.choices.iter().position(|offered| offered.id == *choice)?;
            Some(to.choices.get(choice_idx)?.id.clone())
        };
        let picked = entry.picked.iter().map(same).collect::<Option<Vec<_>>>()?;
        Some((to.id.clone(), Entry { picked, ..entry.clone() }))
    };
    entries.iter().map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given};
    use crate::limits::Limits;

    fn questions(prefix: &str, text: &str, secret: bool) -> Questions {
        let choice = |id: &str| DraftChoice {
            id: Given::Value(format!("{prefix}{id}")),
            label: Given::Value(id.to_owned()),
            ..DraftChoice::default()
        };
        let question = |id: &str, text: &str, kind, choices| DraftQuestion {
            at: format!("questions[{id}]"),
            id: Given::Value(format!("{prefix}{id}")),
            text: Given::Value(text.to_owned()),
            kind: Given::Value(kind),
            choices,
            ..DraftQuestion::default()
        };
        let pick =
            question("pick", text, DraftKind::OneOf, Given::Value(vec![choice("Now"), choice("Later")]));
        let mut token = question("token", "Token?", DraftKind::Text, Given::Missing);
        token.secret = Given::Value(secret);
        let list = Given::Value(vec![pick, token]);
        let draft = Draft { at: "questions".to_owned(), questions: list, ..Draft::default() };
        draft.check(&Limits::FORM).unwrap()
    }

    fn put_down(prefix: &str) -> Entries {
        let picked = vec![ChoiceId::new(format!("{prefix}Later"))];
        let pick = Entry { picked, note: Some("soon".to_owned()), ..Entry::default() };
        let token = Entry { text: Some("hunter2".to_owned()), ..Entry::default() };
        [("pick", pick), ("token", token)]
            .map(|(id, entry)| (QuestionId::new(format!("{prefix}{id}")), entry))
            .into()
    }

    /// P15: an earlier answer is taken over by place, whatever the ids are.
    #[test]
    fn p15_an_earlier_answer_fits_questions_that_ask_the_same() {
        let (from, to) = (questions("a-", "Deploy?", false), questions("b-", "Deploy?", false));
        assert_eq!(taken_over(&from, &to, &put_down("a-")), Some(put_down("b-")));
        let unlike = questions("b-", "Deploy now?", false);
        assert_eq!(taken_over(&from, &unlike, &put_down("a-")), None);
    }

    #[test]
    fn what_is_secret_is_not_taken_over() {
        let (from, to) = (questions("a-", "Deploy?", true), questions("b-", "Deploy?", true));
        let taken = taken_over(&from, &to, &put_down("a-")).unwrap();
        assert_eq!(taken, put_down("b-").into_iter().take(1).collect::<Entries>());
    }
}
