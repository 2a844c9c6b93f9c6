//! What happens at an ask's deadline, in one line of a nudge.

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::deadline::AtDeadline;
use askuser_core::id::ChoiceId;
use askuser_words::deadline::Then;
use askuser_words::time::Times;

use askuser_config::{Content, PersonPart};

/// Characters of a default that is named.
const NAMED_CHARS_MAX: usize = 60;

/// Says until when an ask can be answered and what happens then; none where it has no deadline.
pub(super) fn line(ask: &Ask, rule: &PersonPart) -> Option<String> {
    let deadline = ask.deadline?;
    let then = match ask.at_deadline()? {
        AtDeadline::Unanswered => Then::Unanswered,
        AtDeadline::Stops => Then::Stops,
        AtDeadline::Default(answers) => {
            Then::Default(named(ask, &answers).filter(|_| rule.content == Content::Choices))
        }
    };
    // With its day where that is not the day of the ask.
    let east = i32::try_from(rule.utc_offset.0).unwrap_or_default() * 60;
    let clock = Times::at(ask.asked_at, east, rule.language).clock(deadline);
    // Nobody has said what their clock is.
    let zone = if east == 0 { " UTC" } else { "" };
    Some(rule.language.answer_by(&format!("{clock}{zone}"), &then))
}

/// The only default there is, in the words of its choice.
fn named(ask: &Ask, answers: &Answers) -> Option<String> {
    let [question] = ask.questions.top() else { return None };
    let answer = answers.to(&question.id)?;
    let label = |id: &ChoiceId| Some(question.choice(id)?.shown_label());
    let words = match (answer.picked.as_slice(), answer.text.as_deref()) {
        ([only], None) => label(only)?,
        ([], Some(text)) => text,
        _ => return None,
    };
    (words.chars().count() <= NAMED_CHARS_MAX && !words.contains('\n')).then(|| words.to_owned())
}
