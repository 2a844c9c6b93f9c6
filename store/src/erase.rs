//! Takes out of an ended ask what it tells, and leaves that there was one: who asked, who ended it,
//! where and when. Ids, numbers and hashes stay, so that every reading goes on and the chain verifies.

use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::ask::{Ask, State};
use askuser_core::hearing::Voice;
use askuser_core::question::{Question, Questions};

/// What stands in place of a text.
const ERASED: &str = "(erased)";

/// Returns the ask without anything that somebody wrote.
pub(super) fn bare(ask: &Ask) -> Ask {
    let mut bare = ask.clone();
    bare.questions = Arc::new(Questions::remembered(ask.questions.top().iter().map(blank).collect()));
    let terms = Arc::make_mut(&mut bare.terms);
    (terms.context, terms.asker.folder, terms.idempotency_key) = (None, None, None);
    (bare.entries, bare.submitted, bare.late) = (Vec::new(), Vec::new(), None);
    bare.hearing.sheets.clear();
    bare.hearing.voices.iter_mut().for_each(hush);
    match &mut bare.state {
        State::Closed(outcome)
        | State::Processing(outcome)
        | State::Completed(outcome)
        | State::Error(outcome) => {
            let outcome = Arc::make_mut(outcome);
            (outcome.answers, outcome.comment) = (Answers(Vec::new()), None);
            outcome.voices.iter_mut().for_each(hush);
        }
        State::Pending | State::Showing => {}
    }
    bare
}

/// Leaves of what a person said that they said yes or no, and when.
fn hush(voice: &mut Voice) {
    voice.comment = None;
    if let Some(answers) = &mut voice.answers {
        answers.0.clear();
    }
}

fn blank(question: &Question) -> Question {
    let mut blank = question.clone();
    ERASED.clone_into(&mut blank.text);
    (blank.header, blank.description, blank.collected) = (None, None, None);
    if let Some(free) = &mut blank.free {
        (free.placeholder, free.default) = (None, None);
    }
    for choice in &mut blank.choices {
        ERASED.clone_into(&mut choice.label);
        (choice.description, choice.preview, choice.running) = (None, None, None);
        choice.follow_ups = choice.follow_ups.iter().map(self::blank).collect();
    }
    blank
}
