//! What the desk tells of an ask, as the inbox knows it.

use std::sync::Arc;

use askuser_core::outcome::Ending;
use askuser_core::search::readable;
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;

use crate::channel::terminal::Language;
use crate::channel::terminal::inbox::item::{Item, Standing};
use crate::cli::elsewhere;
use crate::cli::table::field;
use crate::client::seen::SeenAsk;
use crate::content;
use crate::wire::time;

/// Makes an item of an ask.
pub(super) fn item(seen: &SeenAsk, language: Language) -> Item {
    let outcome = seen.outcome.as_ref();
    let standing = match outcome {
        Some(outcome) => Standing::Ended {
            at: outcome.at,
            how: elsewhere::looking_back(outcome, language),
            answered: matches!(outcome.ending, Ending::Answered(_)),
        },
        None if seen.status == "pending" => Standing::InLine,
        None => Standing::Waiting,
    };
    let sheet = match outcome {
        None => seen.sheet(),
        Some(outcome) => Sheet::filled(Arc::clone(&seen.questions), outcome.answers.entries())
            .unwrap_or_else(|_| Sheet::blank(Arc::clone(&seen.questions))),
    };
    Item {
        id: seen.id,
        session: field(&seen.told, "session_id"),
        asker: seen.asker.clone(),
        context: seen.context.clone(),
        people: seen.progress.as_ref().map(|progress| progress.line(language.into())),
        round: seen.round,
        asked_at: time::read(&field(&seen.told, "created_at")).unwrap_or(Timestamp(0)),
        deadline: seen.deadline,
        standing,
        content: content::digest(seen.content()),
        readable: readable(&seen.asker, seen.context.as_deref(), &seen.questions, outcome),
        sheet,
    }
}
