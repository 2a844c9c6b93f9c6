//! What happens to an ask when nobody answers in time, and how soon. The script counts on, and warns when
//! it is near, by what stands in the attributes.

use askuser_core::ask::Ask;
use askuser_core::deadline::AtDeadline;
use askuser_core::time::Timestamp;
use maud::{Markup, html};

use crate::channel::web::conversation::{chosen, short};
use crate::channel::web::when;
use crate::channel::web::words::{Words, fill};
use crate::wire::outcome::hidden_answers;
use crate::wire::time;

/// Draws when an ask ends by itself and what happens then; nothing where it waits for ever.
pub(in crate::channel::web) fn draw(words: &Words, ask: &Ask, now: Timestamp) -> Markup {
    let (Some(until), Some(then)) = (ask.deadline, ask.at_deadline()) else { return html! {} };
    let (pattern, what) = match &then {
        AtDeadline::Unanswered => (words.answering.then_unanswered, String::new()),
        AtDeadline::Stops => (words.answering.then_stops, String::new()),
        AtDeadline::Default(answers) => {
            let answers = hidden_answers(&ask.questions, answers);
            let chosen = chosen(words, &ask.questions, &answers);
            (words.answering.then_default, short(&chosen.join(", ")))
        }
    };
    let said = |time: &str| fill(pattern, &[("time", time), ("what", &what)]);
    let left = when::countdown(words, until.since(now));
    html! {
        time.deadline.urgent[ask.is_urgent(now)] datetime=(time::write(until))
            data-until=(until.0) data-then=(said("{time}")) {
            @match left { Some(left) => { (said(&left)) } None => { (words.time_is_up) } }
        }
    }
}
