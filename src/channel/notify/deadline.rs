//! What happens at an ask's deadline, in one line of a nudge.

use askuser_core::answer::Answers;
use askuser_core::ask::Ask;
use askuser_core::deadline::AtDeadline;
use askuser_core::id::ChoiceId;
use askuser_core::time::Timestamp;
use askuser_words::Language;

use crate::config::{Content, PersonPart};
use crate::wire::time;

const MINUTE_MS: i64 = 60_000;
/// Characters of a default that is named.
const NAMED_CHARS_MAX: usize = 60;

/// Says until when an ask can be answered and what happens then; none where it has no deadline.
pub(super) fn line(ask: &Ask, rule: &PersonPart) -> Option<String> {
    let at = clock(ask.deadline?, ask.asked_at, rule);
    let then = match (ask.at_deadline()?, rule.language) {
        (AtDeadline::Unanswered, Language::English) => "it times out".to_owned(),
        (AtDeadline::Unanswered, Language::Chinese) => "将超时".to_owned(),
        (AtDeadline::Stops, Language::English) => "the task is stopped".to_owned(),
        (AtDeadline::Stops, Language::Chinese) => "任务将停止".to_owned(),
        (AtDeadline::Default(answers), language) => {
            let named = named(ask, &answers).filter(|_| rule.content == Content::Choices);
            match (language, named) {
                (Language::English, Some(label)) => format!("the default \u{201c}{label}\u{201d} is taken"),
                (Language::English, None) => "the default is taken".to_owned(),
                (Language::Chinese, Some(label)) => format!("将采用默认值\u{201c}{label}\u{201d}"),
                (Language::Chinese, None) => "将采用默认值".to_owned(),
            }
        }
    };
    Some(match rule.language {
        Language::English => format!("Answer by {at}, or {then}."),
        Language::Chinese => format!("请在 {at} 前回答，否则{then}。"),
    })
}

/// A moment on the person's clock; with its day where that is not the day of the ask.
fn clock(at: Timestamp, asked_at: Timestamp, rule: &PersonPart) -> String {
    let local = |at: Timestamp| time::write(Timestamp(at.0 + rule.utc_offset.0 * MINUTE_MS));
    let (at, asked) = (local(at), local(asked_at));
    let part = |text: &str, from: usize, to: usize| text.get(from..to).unwrap_or_default().to_owned();
    let (day, minute) = (part(&at, 0, 10), part(&at, 11, 16));
    let day = if day == part(&asked, 0, 10) { String::new() } else { format!("{day} ") };
    // Nobody has said what their clock is.
    let zone = if rule.utc_offset.0 == 0 { " UTC" } else { "" };
    format!("{day}{minute}{zone}")
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
