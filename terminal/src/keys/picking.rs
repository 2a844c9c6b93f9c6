//! Keys on a choice: picking, taking back, going on.

use askuser_core::id::ChoiceId;
use askuser_core::question::{Kind, NO, YES};

use super::show_fault;
use super::typing::type_other;
use crate::page::Spot;
use crate::panel::{Panel, Step};

/// Space: turns a pick on or off where several may be picked, picks otherwise.
pub(super) fn toggle(panel: &mut Panel) {
    match panel.place.spot {
        Spot::Choice(choice_idx) => pick(panel, choice_idx, Again::TakesBack),
        Spot::Other => type_other(panel),
        Spot::Field => {}
    }
}

pub(super) fn number(panel: &mut Panel, digit: char) {
    let Some(question) = panel.question() else {
        return;
    };
    let choice_idx = match digit.to_digit(10).unwrap_or(0) as usize {
        0 if question.takes_other() => {
            panel.place.spot = Spot::Other;
            return type_other(panel);
        }
        0 => return,
        number => number - 1,
    };
    if choice_idx < question.choices.len() {
        panel.place.spot = Spot::Choice(choice_idx);
        pick(panel, choice_idx, Again::TakesBack);
    }
}

/// `y` and `n`: pick Yes and No. Enter confirms them, as it does every pick.
pub(super) fn yes_or_no(panel: &mut Panel, letter: char) {
    let wanted = ChoiceId::from(if letter == 'y' { YES } else { NO });
    let asked = panel.question().filter(|question| question.kind == Kind::YesNo);
    let choice = asked.and_then(|question| question.choices.iter().position(|choice| choice.id == wanted));
    if let Some(choice_idx) = choice {
        panel.place.spot = Spot::Choice(choice_idx);
        pick(panel, choice_idx, Again::Confirms);
    }
}

/// What picking a picked choice does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    TakesBack,
    Confirms,
}

fn pick(panel: &mut Panel, choice_idx: usize, again: Again) {
    let id = panel.place.question.clone();
    let Some(question) = panel.question() else {
        return;
    };
    let Some(choice) = question.choices.get(choice_idx) else {
        return;
    };
    let choice: ChoiceId = choice.id.clone();
    let entry = panel.sheet.entry(&id);
    let picked = entry.is_some_and(|entry| entry.picked.contains(&choice));
    let suggested = entry.is_some_and(|entry| entry.suggested);
    let takes_back = match question.kind {
        Kind::SomeOf { .. } => picked,
        // The first press on a suggestion takes it over; where an answer is needed, picking the
        // same again must not lose it.
        Kind::OneOf | Kind::YesNo | Kind::Text => picked && !suggested && !question.required,
    };
    let done = if takes_back && again == Again::TakesBack {
        panel.sheet.unpick(&id, &choice)
    } else {
        panel.sheet.pick(&id, &choice)
    };
    if let Err(fault) = done {
        show_fault(panel, &fault);
    }
}

/// Enter on a row of a choice question.
pub(super) fn confirm(panel: &mut Panel) -> Step {
    let Some(kind) = panel.question().map(|question| question.kind) else {
        return Step::Stay;
    };
    let id = panel.place.question.clone();
    let written = panel.sheet.entry(&id).is_some_and(|entry| entry.text.is_some());
    match (kind, panel.place.spot) {
        (_, Spot::Other) if !written => {
            type_other(panel);
            return Step::Stay;
        }
        (Kind::OneOf | Kind::YesNo, Spot::Choice(choice_idx)) => {
            pick(panel, choice_idx, Again::Confirms);
        }
        (Kind::OneOf | Kind::YesNo | Kind::SomeOf { .. } | Kind::Text, _) => {}
    }
    if panel.tell_problem() {
        return Step::Stay;
    }
    take_suggestion(panel);
    panel.go_on()
}

/// What the asker suggested becomes the person's own answer: they saw it and went on.
fn take_suggestion(panel: &mut Panel) {
    let id = panel.place.question.clone();
    let suggested = panel.sheet.entry(&id).filter(|entry| entry.suggested);
    let Some(choice) = suggested.and_then(|entry| entry.picked.first().cloned()) else {
        return;
    };
    if let Err(fault) = panel.sheet.pick(&id, &choice) {
        show_fault(panel, &fault);
    }
}
