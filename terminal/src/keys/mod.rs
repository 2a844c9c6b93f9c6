//! What each key does to the panel.
//!
//! Pure, with a key type of its own, so that tests can press anything. A letter typed in a text
//! field is text and nothing else.

use askuser_core::problem::Fault;
use askuser_core::time::Timestamp;

use super::editor::Editor;
use super::guard::Verdict;
use super::page::{Place, Spot};
use super::panel::{Leaving, Mode, Panel, Step, WayOut};
use picking::{confirm, number, toggle, yes_or_no};
use typing::{declining, insert, noting, type_other, typing};

mod picking;
pub(super) mod typing;

/// A key, or what a few keys together mean.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the key that it is named after")]
pub enum Key {
    Char(char),
    Enter,
    /// Alt-Enter, Shift-Enter where it is reported, Ctrl-J.
    NewLine,
    Esc,
    Tab,
    BackTab,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    Backspace,
    Delete,
    WordLeft,
    WordRight,
    DeleteWord,
    DeleteToStart,
    DeleteToEnd,
    /// `m` where letters are text: Alt-M.
    Note,
    /// `?` where letters are text: F1.
    Help,
    /// Pasted text, which never counts as keys.
    Paste(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    EndOfInput,
    /// Ctrl-Z.
    Suspend,
}

/// Takes a key at a time, does what it means if it was meant, and says what came of it.
pub fn hear(panel: &mut Panel, key: Key, now: Timestamp) -> Step {
    let acts = panel.acts(&key);
    match panel.guard.hear(&key, acts, now) {
        Verdict::Meant if acts => act(panel, key, now),
        Verdict::Meant => press(panel, key),
        Verdict::TooSoon | Verdict::WaitAndSee => Step::Stay,
    }
}

/// Does what a key means that waited, once it is plain that it was not held down.
pub fn due(panel: &mut Panel, now: Timestamp) -> Option<Step> {
    let key = panel.guard.due(now)?;
    Some(act(panel, key, now))
}

fn act(panel: &mut Panel, key: Key, now: Timestamp) -> Step {
    let before = (panel.place.question.clone(), std::mem::discriminant(&panel.mode));
    let step = press(panel, key);
    if (panel.place.question.clone(), std::mem::discriminant(&panel.mode)) != before {
        panel.guard.answered(now);
    }
    step
}

/// Does what the key means and says what came of it.
pub fn press(panel: &mut Panel, key: Key) -> Step {
    match key {
        Key::Interrupt => Step::Interrupted,
        Key::Suspend => Step::Suspend,
        Key::PageUp => {
            panel.scroll -= 1;
            panel.message = None;
            Step::Stay
        }
        Key::PageDown => {
            panel.scroll += 1;
            panel.message = None;
            Step::Stay
        }
        key => {
            panel.message = None;
            panel.scroll = 0;
            match &panel.mode {
                Mode::Choosing => choosing(panel, key),
                Mode::Typing(_) => typing(panel, key),
                Mode::Noting(_) => noting(panel, key),
                Mode::Reviewing { row } => {
                    let row = *row;
                    reviewing(panel, row, &key)
                }
                Mode::Helping { back } => {
                    panel.mode = back.as_ref().clone();
                    Step::Stay
                }
                Mode::Leaving { row, .. } => {
                    let row = *row;
                    leaving(panel, row, &key)
                }
                Mode::Declining { .. } => declining(panel, key),
            }
        }
    }
}

fn choosing(panel: &mut Panel, key: Key) -> Step {
    match key {
        Key::Down | Key::Char('j') => panel.move_rows(1),
        Key::Up | Key::Char('k') => panel.move_rows(-1),
        Key::Home => panel.move_to_first(),
        Key::End => panel.move_to_last(),
        Key::Char(' ') => toggle(panel),
        Key::Char(digit @ '0'..='9') => number(panel, digit),
        Key::Enter | Key::NewLine => return confirm(panel),
        Key::Tab | Key::Right => next(panel),
        Key::BackTab | Key::Left => previous(panel),
        Key::Char(letter @ ('y' | 'n')) => yes_or_no(panel, letter),
        Key::Char('m') | Key::Note => note(panel),
        Key::Char('?') | Key::Help => help(panel),
        Key::Esc | Key::EndOfInput => return leave(panel),
        Key::Paste(text) if panel.place.spot == Spot::Other => {
            type_other(panel);
            insert(panel, &text);
        }
        Key::Paste(_) => panel.message = Some(panel.around.language.words().no_field().to_owned()),
        _ => {}
    }
    Step::Stay
}

fn reviewing(panel: &mut Panel, row: usize, key: &Key) -> Step {
    let order = panel.order();
    let last = order.len();
    match key {
        Key::Down | Key::Char('j') | Key::Tab => {
            let row = if row >= last { 0 } else { row + 1 };
            panel.mode = Mode::Reviewing { row };
        }
        Key::Up | Key::Char('k') | Key::BackTab => {
            let row = if row == 0 { last } else { row - 1 };
            panel.mode = Mode::Reviewing { row };
        }
        Key::Home => panel.mode = Mode::Reviewing { row: 0 },
        Key::End => panel.mode = Mode::Reviewing { row: last },
        Key::Char(digit @ '1'..='9') => {
            let idx = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
            if let Some(id) = order.get(idx) {
                panel.from_review = true;
                panel.go_to(id);
            }
        }
        Key::Enter | Key::NewLine => match order.get(row) {
            Some(id) => {
                panel.from_review = true;
                panel.go_to(id);
            }
            None => return panel.send(),
        },
        Key::Left => {
            if let Some(id) = order.last() {
                panel.go_to(id);
            }
        }
        Key::Char('?') | Key::Help => help(panel),
        Key::Esc | Key::EndOfInput => return leave(panel),
        _ => {}
    }
    Step::Stay
}

fn leaving(panel: &mut Panel, row: usize, key: &Key) -> Step {
    let ways = panel.ways_out();
    let row = match key {
        Key::Down | Key::Char('j') | Key::Tab => (row + 1) % ways.len(),
        Key::Up | Key::Char('k') | Key::BackTab => (row + ways.len() - 1) % ways.len(),
        Key::Enter | Key::NewLine => return take_way(panel, ways.get(row).copied()),
        Key::Char(digit @ '1'..='9') => {
            let idx = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
            return take_way(panel, ways.get(idx).copied());
        }
        Key::Esc => return take_way(panel, Some(WayOut::Back)),
        _ => row,
    };
    if let Mode::Leaving { row: own, .. } = &mut panel.mode {
        *own = row;
    }
    Step::Stay
}

fn take_way(panel: &mut Panel, way: Option<WayOut>) -> Step {
    let Mode::Leaving { back, .. } = &panel.mode else {
        return Step::Stay;
    };
    let back = back.clone();
    match way {
        Some(WayOut::Back) => panel.mode = *back,
        Some(WayOut::Decline) => {
            let editor = Editor::default();
            panel.mode = Mode::Declining { editor, back };
        }
        Some(WayOut::LeaveOpen) => return Step::LeftOpen,
        None => {}
    }
    Step::Stay
}

fn next(panel: &mut Panel) {
    let order = panel.order();
    let here = order.iter().position(|id| *id == panel.place.question);
    if let Some(id) = order.get(here.map_or(0, |idx| idx + 1)) {
        panel.go_to(id);
    } else if panel.has_review() || panel.question().is_some_and(|question| !question.required) {
        panel.review();
    } else {
        stay(panel);
    }
}

fn previous(panel: &mut Panel) {
    let order = panel.order();
    let here = order.iter().position(|id| *id == panel.place.question);
    match here.and_then(|idx| idx.checked_sub(1)) {
        Some(idx) => {
            if let Some(id) = order.get(idx) {
                panel.go_to(id);
            }
        }
        None => stay(panel),
    }
}

fn stay(panel: &mut Panel) {
    panel.stand(Place::clone(&panel.place));
    panel.message = Some(panel.around.language.words().only_one().to_owned());
}

fn note(panel: &mut Panel) {
    let entry = panel.sheet.entry(&panel.place.question);
    let text = entry.and_then(|entry| entry.note.as_deref()).unwrap_or("");
    panel.mode = Mode::Noting(Editor::new(text));
}

fn help(panel: &mut Panel) {
    let back = Box::new(panel.mode.clone());
    panel.mode = Mode::Helping { back };
}

/// Leaves, or asks how; in the inbox nothing is lost by leaving, so nothing is asked.
fn leave(panel: &mut Panel) -> Step {
    if panel.around.leaving == Leaving::ToTheInbox {
        return Step::LeftOpen;
    }
    if panel.ways_out() == [WayOut::Back] {
        panel.message = Some(panel.around.language.words().no_is_no().to_owned());
        return Step::Stay;
    }
    let back = Box::new(panel.mode.clone());
    panel.mode = Mode::Leaving { row: 0, back };
    Step::Stay
}

fn show_fault(panel: &mut Panel, fault: &Fault) {
    let language = panel.around.language;
    panel.message = panel.question().map(|question| language.fault(fault, question));
}

#[cfg(test)]
mod tests;
