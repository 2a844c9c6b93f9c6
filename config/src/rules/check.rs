//! `askuser doctor` asks one question, always the same, which nobody need answer; `askuser setup` another, to see
//! where its person answers.

use askuser_core::ask::Ask;
use askuser_core::command::RuleReach;
use askuser_core::entry::Entry;
use askuser_core::id::ChoiceId;
use askuser_core::outcome::{AnsweredBy, Ending};
use askuser_core::question::{Kind, Question};

use super::Found;
use askuser_wire::check;

/// Returns the answer, if it is that question.
pub fn answered(ask: &Ask) -> Option<Found> {
    let question = test_question(ask)?;
    let entry = Entry { picked: vec![ChoiceId::from(check::ANSWER_ID)], ..Entry::default() };
    Some(Found::Answers {
        entries: vec![(question.id.clone(), entry)],
        rule: Some(check::RULE.to_owned()),
        reach: RuleReach::Decisions,
    })
}

/// Whether it is one of these questions and over: nothing for a person to look back on. Whoever asks it in an
/// agent's place hides nothing by it: all that it can say is this.
pub fn is_over(ask: &Ask) -> bool {
    let Some(outcome) = ask.state.outcome().filter(|_| ask.terms.context.is_none()) else { return false };
    let of_doctor = || test_question(ask).is_some() && outcome.ending == Ending::Answered(AnsweredBy::Rule);
    of_doctor() || is_of_setup(ask)
}

fn is_of_setup(ask: &Ask) -> bool {
    let [question] = ask.questions.top() else { return false };
    let asker = &ask.terms.asker;
    // Everything that a person reads of it is ours.
    question.id.as_str() == check::SETUP_ID
        && question.kind == Kind::YesNo
        && question.description.is_none()
        && question.header.as_deref().is_some_and(check::is_header_of_setup)
        && check::is_text(&question.text)
        && asker.agent.as_deref() == Some(check::SETUP_ASKER)
        && asker.project.is_none()
}

fn test_question(ask: &Ask) -> Option<&Question> {
    let [question] = ask.questions.top() else { return None };
    (question.id.as_str() == check::QUESTION_ID && question.text == check::TEXT).then_some(question)
}
