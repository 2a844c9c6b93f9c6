//! Asks that ask the same: one answer for all of them, and an earlier answer taken over (P15).

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::ask::Ask;
use crate::entry::Entry;
use crate::id::{ChoiceId, QuestionId};
use crate::question::{Question, Questions};

type Entries = Vec<(QuestionId, Entry)>;

/// Returns the answers to one ask as answers to another, question by question and choice by choice in
/// the same places: ids differ from ask to ask. Nothing where the two do not ask the same.
pub fn carried_over(from: &Ask, to: &Ask, entries: &[(QuestionId, Entry)]) -> Option<Entries> {
    if may_share(from, to) { moved(&from.questions, &to.questions, entries) } else { None }
}

/// Whether one answer may be given to both: the same words about something else are another question, and
/// a decision is never a permission, whatever words it copies (invariant 6).
pub fn may_share(one: &Ask, other: &Ask) -> bool {
    one.fingerprint == other.fingerprint
        && one.terms.context == other.terms.context
        && one.terms.purpose == other.terms.purpose
}

/// Returns earlier answers as a sheet for questions that ask the same, without what is secret: that
/// was never told to whoever looks back. Nothing where the questions differ.
pub fn taken_over(from: &Questions, to: &Questions, entries: &[(QuestionId, Entry)]) -> Option<Entries> {
    if !asks_the_same(from.top(), to.top()) {
        return None;
    }
    let secret = |id: &QuestionId| to.find(id).is_some_and(|question| question.secret);
    Some(moved(from, to, entries)?.into_iter().filter(|(id, _)| !secret(id)).collect())
}

/// Returns a number that is the same for questions that ask the same about the same, for counting them.
/// Whether two asks may share an answer is for [`may_share`] to say.
pub fn likeness(questions: &Questions, context: Option<&str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    context.hash(&mut hasher);
    for question in questions.all() {
        words(question).hash(&mut hasher);
        for choice in &question.choices {
            (&choice.label, &choice.description, choice.default, choice.follow_ups.len()).hash(&mut hasher);
            choice.preview.as_ref().map(|preview| &preview.text).hash(&mut hasher);
        }
    }
    hasher.finish()
}

fn words(question: &Question) -> (&Option<String>, &String, &Option<String>, String, bool, usize) {
    let kind = format!("{:?}", question.kind);
    let n_choices = question.choices.len();
    (&question.header, &question.text, &question.description, kind, question.free.is_some(), n_choices)
}

fn asks_the_same(some: &[Question], others: &[Question]) -> bool {
    some.len() == others.len()
        && some.iter().zip(others).all(|(one, other)| {
            let choices = one.choices.iter().zip(&other.choices);
            words(one) == words(other)
                && choices.into_iter().all(|(one, other)| {
                    one.label == other.label
                        && one.description == other.description
                        && one.preview == other.preview
                        && asks_the_same(&one.follow_ups, &other.follow_ups)
                })
        })
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
        assert_eq!(likeness(&from, None), likeness(&to, None));
        assert_ne!(likeness(&from, Some("diff A")), likeness(&to, Some("diff B")));
        let unlike = questions("b-", "Deploy now?", false);
        assert_eq!(taken_over(&from, &unlike, &put_down("a-")), None);
        assert_ne!(likeness(&from, None), likeness(&unlike, None));
    }

    #[test]
    fn what_is_secret_is_not_taken_over() {
        let (from, to) = (questions("a-", "Deploy?", true), questions("b-", "Deploy?", true));
        let taken = taken_over(&from, &to, &put_down("a-")).unwrap();
        assert_eq!(taken, put_down("b-").into_iter().take(1).collect::<Entries>());
    }
}
