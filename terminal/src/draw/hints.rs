//! The lower border with the keys that work now; the least needed go first where it is narrow.

use askuser_core::question::Kind;
use askuser_words::keys::KeyWords;

use crate::line::{Line, Role};
use crate::page::Spot;
use crate::panel::{Leaving, Mode, Panel};
use crate::width::width as columns_of;

/// A key, what it does, and how soon it may be left out.
pub(crate) type Hint = (String, &'static str, u8);

pub(crate) fn hint(key: &str, what: &'static str, rank: u8) -> Hint {
    (key.to_owned(), what, rank)
}

/// Returns as many hints as fit, the most needed ones.
pub(crate) fn fitting(mut hints: Vec<Hint>, room: usize) -> String {
    loop {
        let words: Vec<String> = hints.iter().map(|(key, what, _)| format!("{key} {what}")).collect();
        let text = words.join(" · ");
        if columns_of(&text) <= room {
            return text;
        }
        let last = hints.iter().map(|hint| hint.2).max().unwrap_or(0);
        hints.retain(|hint| hint.2 != last);
    }
}

pub(super) fn bottom(panel: &Panel, has_more: bool, width: usize) -> Line {
    let text = fitting(hints(panel, has_more), width.saturating_sub(4));
    let mut line = Line::of("╰", Role::Secondary);
    if !text.is_empty() {
        line.push(format!(" {text} "), Role::Secondary);
    }
    let fill = width.saturating_sub(1 + line.width());
    line.push("─".repeat(fill), Role::Secondary);
    line.push_at(width - 1, "╯", Role::Secondary);
    line
}

/// Says what Esc does where it leaves the question.
fn leave(panel: &Panel) -> Hint {
    let said = words(panel);
    match panel.around.leaving {
        Leaving::Declines | Leaving::LeavesOpen => hint("Esc", said.leaves(), 0),
        Leaving::ToTheInbox => hint("Esc", said.inbox(), 0),
    }
}

/// Returns the keys that work now; first of all those that show what was not on the screen yet.
fn hints(panel: &Panel, has_more: bool) -> Vec<Hint> {
    let mut hints = keys(panel);
    if has_more {
        // Enter does not answer what was not seen.
        hints.retain(|(key, ..)| key != "Enter");
        hints.insert(0, hint("PgUp PgDn", words(panel).read_all(), 1));
    }
    hints
}

fn words(panel: &Panel) -> KeyWords {
    KeyWords(panel.around.language)
}

fn keys(panel: &Panel) -> Vec<Hint> {
    let said = words(panel);
    let several = panel.order().len() > 1 || panel.has_review();
    let next = several.then(|| hint("Tab", said.switches(), 6));
    match &panel.mode {
        Mode::Choosing => choosing(panel, next),
        Mode::Typing(_) => {
            let out =
                if panel.place.spot == Spot::Field { leave(panel) } else { hint("Esc", said.back(), 0) };
            let mut hints = vec![enter(panel), hint("Alt-Enter", said.new_line(), 5)];
            hints.extend(next);
            hints.extend([hint("F1", said.keys(), 3), out]);
            hints
        }
        Mode::Noting(_) => vec![
            hint("Enter", said.save_note(), 1),
            hint("Alt-Enter", said.new_line(), 2),
            hint("Esc", said.back(), 0),
        ],
        Mode::Reviewing { row } => {
            let enter = if *row >= panel.order().len() {
                hint("Enter", said.sends(), 1)
            } else {
                hint("Enter", said.changes(), 1)
            };
            vec![hint("↑↓", said.moves(), 3), enter, hint("?", said.keys(), 2), leave(panel)]
        }
        Mode::Helping { .. } => vec![hint("Esc", said.back(), 0)],
        Mode::Leaving { .. } => {
            vec![hint("↑↓", said.moves(), 2), hint("Enter", said.chooses(), 1), hint("Esc", said.back(), 0)]
        }
        Mode::Declining { .. } => vec![
            hint("Enter", said.declines(), 1),
            hint("Alt-Enter", said.new_line(), 2),
            hint("Esc", said.back(), 0),
        ],
    }
}

fn choosing(panel: &Panel, next: Option<Hint>) -> Vec<Hint> {
    let (said, question) = (words(panel), panel.question());
    let n_choices = question.map_or(0, |question| question.choices.len().min(9));
    let digits = if n_choices > 1 { format!("1-{n_choices}") } else { "1".to_owned() };
    let mut hints = vec![hint("↑↓", said.moves(), 4)];
    match question.map(|question| question.kind) {
        Some(Kind::SomeOf { .. }) => {
            hints.extend([hint("Space", said.picks(), 1), enter(panel)]);
        }
        Some(Kind::YesNo) => hints.extend([hint("y n", said.picks(), 5), enter(panel)]),
        _ => hints.extend([(digits, said.picks(), 5), enter(panel)]),
    }
    hints.push(hint("m", said.note(), 7));
    hints.extend(next);
    hints.extend([hint("?", said.keys(), 3), leave(panel)]);
    hints
}

/// Says what Enter does: where nothing comes after it, that it sends.
fn enter(panel: &Panel) -> Hint {
    let said = words(panel);
    let question = panel.question();
    let opens = match (question, panel.place.spot) {
        (Some(question), Spot::Choice(choice_idx)) if question.kind != Kind::Text => {
            question.choices.get(choice_idx).is_some_and(|choice| !choice.follow_ups.is_empty())
        }
        _ => false,
    };
    let types = matches!(panel.mode, Mode::Typing(_));
    let several = question.is_some_and(|question| matches!(question.kind, Kind::SomeOf { .. }));
    let other = panel.place.spot == Spot::Other && (several || !types);
    if panel.has_review() || opens || other {
        hint("Enter", said.next(), 2)
    } else {
        hint("Enter", said.sends(), 2)
    }
}
