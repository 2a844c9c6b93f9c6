//! `askuser doctor` asks one question, always the same, which nobody need answer.

use askuser_core::ask::Ask;
use askuser_core::command::RuleReach;
use askuser_core::entry::Entry;
use askuser_core::id::ChoiceId;

use super::Found;
use crate::wire::check;

/// Returns the answer, if it is that question.
pub fn answered(ask: &Ask) -> Option<Found> {
    let [question] = ask.questions.top() else { return None };
    let is_it = question.id.as_str() == check::QUESTION_ID && question.text == check::TEXT;
    let entry = Entry { picked: vec![ChoiceId::from(check::ANSWER_ID)], ..Entry::default() };
    is_it.then(|| Found::Answers {
        entries: vec![(question.id.clone(), entry)],
        rule: Some(check::RULE.to_owned()),
        reach: RuleReach::Decisions,
    })
}
