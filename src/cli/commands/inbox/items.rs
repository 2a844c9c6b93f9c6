//! What the desk tells of an ask, as the inbox knows it.

use std::sync::Arc;

use askuser_core::outcome::{Ending, Outcome};
use askuser_core::search::readable;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_core::whole::one_press;
use askuser_words::Language;

use crate::cli::fields::field;
use askuser_ask::ended;
use askuser_client::seen::SeenAsk;
use askuser_core::content;
use askuser_terminal::deadline;
use askuser_terminal::inbox::item::{Item, ItemState, ROW};
use askuser_wire::{permission, time};

/// Makes an item of an ask.
pub(super) fn item(seen: &SeenAsk, language: Language) -> Item {
    let outcome = seen.outcome.as_ref();
    let standing = match outcome {
        Some(outcome) => ItemState::Ended {
            at: outcome.at,
            how: ended::looking_back(seen, outcome, language),
            answered: is_answered(outcome),
        },
        None if let Some((held, answers)) = seen.held_here() => {
            ItemState::Held { until: held.until, answer: ended::bare_answers(seen, answers, language) }
        }
        None if seen.status == "pending" => ItemState::InLine,
        None => ItemState::Waiting,
    };
    let sheet = match outcome {
        None => seen.sheet(),
        Some(outcome) => Sheet::filled(Arc::clone(&seen.questions), outcome.answers.entries())
            .unwrap_or_else(|_| Sheet::blank(Arc::clone(&seen.questions))),
    };
    Item {
        id: seen.id,
        session: field(&seen.told, "session"),
        asker: seen.asker.clone(),
        context: seen.context.clone(),
        people: seen.progress.as_ref().map(|progress| progress.line(language)),
        left: ended::left(seen, language).map(str::to_owned),
        round: seen.round,
        asked_at: time::read(&field(&seen.told, "created_at")).unwrap_or(Timestamp(0)),
        deadline: seen.deadline,
        then: seen.at_deadline.as_ref().map(|at| deadline::then(at, &seen.questions, language)),
        others: seen
            .held
            .iter()
            .find(|held| held.mine.is_none())
            .map(|held| ended::being_answered(held, language)),
        disagreed: outcome.is_some_and(Outcome::is_disagreement),
        one_press: one_press(&seen.content(), &ROW).map(|question| question.id.clone()),
        permission: permission::of(&seen.content()),
        standing,
        content: content::digest(seen.content()),
        readable: readable(&seen.asker, seen.context.as_deref(), &seen.questions, outcome),
        sheet,
    }
}

/// Whether it was answered: people who did not agree gave no answer.
pub(super) fn is_answered(outcome: &Outcome) -> bool {
    matches!(outcome.ending, Ending::Answered(_)) && !outcome.is_disagreement()
}
