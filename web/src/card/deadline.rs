//! What happens to an ask when nobody answers in time, and how soon. The script counts on, and warns when
//! it is near, by what stands in the attributes.

use askuser_core::ask::Ask;
use askuser_core::deadline::AtDeadline;
use askuser_core::time::Timestamp;
use askuser_words::deadline::Then;
use maud::{Markup, html};

use crate::conversation::{chosen, short};
use askuser_wire::outcome::hidden_answers;
use askuser_wire::time;
use askuser_words::page::Page;

/// Draws when an ask ends by itself and what happens then; nothing where it waits for ever.
pub(crate) fn draw(words: Page, ask: &Ask, now: Timestamp) -> Markup {
    let (Some(until), Some(then)) = (ask.deadline, ask.at_deadline()) else { return html! {} };
    let then = match &then {
        AtDeadline::Unanswered => Then::Unanswered,
        AtDeadline::Stops => Then::Stops,
        AtDeadline::Default(answers) => {
            let answers = hidden_answers(&ask.questions, answers);
            Then::Default(Some(short(&chosen(words, &ask.questions, &answers).join(", "))))
        }
    };
    let left = until.since(now);
    html! {
        time.deadline.urgent[ask.is_urgent(now)] datetime=(time::write(until))
            data-until=(until.0) data-then=(words.0.deadline_in("{time}", &then)) {
            @if left.is_zero() { (words.script().time_is_up()) } @else { (words.0.deadline(left, Some(&then))) }
        }
    }
}
