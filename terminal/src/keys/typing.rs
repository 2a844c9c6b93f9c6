//! Keys where text is typed: a text question, "Other", a note, a reason.

use askuser_core::entry::{Entry, note_fault};
use askuser_core::problem::Fault;
use askuser_core::question::Kind;

use super::{Key, help, leave, next, note, previous, show_fault};
use crate::editor::Editor;
use crate::page::Spot;
use crate::panel::{Leaving, Mode, Panel, Step};

pub(super) fn typing(panel: &mut Panel, key: Key) -> Step {
    let field = panel.place.spot == Spot::Field;
    match key {
        Key::Enter if field => return confirm_field(panel),
        Key::Enter => return confirm_other(panel),
        Key::Esc if !field => {
            keep_draft(panel);
            panel.mode = Mode::Choosing;
        }
        Key::Esc | Key::EndOfInput => {
            keep_draft(panel);
            return leave(panel);
        }
        Key::Tab | Key::BackTab => {
            if !field {
                take_other(panel);
            }
            if key == Key::Tab {
                next(panel);
            } else {
                previous(panel);
            }
        }
        Key::Note => {
            keep_draft(panel);
            note(panel);
        }
        Key::Help => help(panel),
        Key::Up | Key::Down => {
            let up = key == Key::Up;
            let moved = panel.editor_mut().is_some_and(|editor| if up { editor.up() } else { editor.down() });
            if !moved && field {
                panel.move_rows(if up { -1 } else { 1 });
            }
        }
        key => {
            edit(panel, key);
            if field && is_changed(panel) {
                save_field(panel);
            }
        }
    }
    Step::Stay
}

pub(super) fn noting(panel: &mut Panel, key: Key) -> Step {
    match key {
        Key::Enter => {
            let text = typed(panel);
            if let Some(fault) = note_fault(&text) {
                show_fault(panel, &fault);
                return Step::Stay;
            }
            let text = if text.trim().is_empty() { "" } else { &text };
            let id = panel.place.question.clone();
            if let Err(fault) = panel.sheet.note(&id, text) {
                show_fault(panel, &fault);
            }
            panel.stand(panel.place.clone());
        }
        Key::Esc | Key::EndOfInput => panel.stand(panel.place.clone()),
        Key::Up | Key::Down => up_or_down(panel, &key),
        key => edit(panel, key),
    }
    Step::Stay
}

pub(super) fn declining(panel: &mut Panel, key: Key) -> Step {
    match key {
        Key::Enter => {
            let text = typed(panel);
            if let Some(fault) = note_fault(&text) {
                show_fault(panel, &fault);
                return Step::Stay;
            }
            let reason = Some(text).filter(|text| !text.trim().is_empty());
            return Step::Declined { reason };
        }
        Key::Esc | Key::EndOfInput => {
            if let Mode::Declining { back, .. } = &panel.mode {
                let back = back.clone();
                panel.mode = match panel.around.leaving {
                    Leaving::ToTheInbox => *back,
                    Leaving::Declines | Leaving::LeavesOpen => Mode::Leaving { row: 0, back },
                };
            }
        }
        Key::Up | Key::Down => up_or_down(panel, &key),
        key => edit(panel, key),
    }
    Step::Stay
}

/// Enter in the field of a text question.
fn confirm_field(panel: &mut Panel) -> Step {
    save_field(panel);
    if panel.tell_problem() {
        return Step::Stay;
    }
    panel.go_on()
}

/// Enter while "Other" is typed (T10: never an empty answer).
fn confirm_other(panel: &mut Panel) -> Step {
    let id = panel.place.question.clone();
    let text = typed(panel);
    let written = panel.sheet.entry(&id).is_some_and(|entry| entry.text.is_some());
    if text.trim().is_empty() {
        if !written && !panel.asked_again {
            panel.asked_again = true;
            panel.message = Some(panel.around.language.words().nothing_typed().to_owned());
            return Step::Stay;
        }
        panel.drafts.remove(&id);
        if let Err(fault) = panel.sheet.write(&id, "") {
            show_fault(panel, &fault);
        }
        panel.stand(panel.place.clone());
        return Step::Stay;
    }
    if let Some(fault) = other_fault(panel, &text) {
        show_fault(panel, &fault);
        return Step::Stay;
    }
    take_other(panel);
    panel.stand(panel.place.clone());
    match panel.question().map(|question| question.kind) {
        Some(Kind::OneOf) => panel.go_on(),
        _ => Step::Stay,
    }
}

/// Says why the text may not be taken as "Other". Too few picks are no reason: more may follow.
fn other_fault(panel: &Panel, text: &str) -> Option<Fault> {
    let question = panel.question()?;
    let entry = panel.sheet.entry(&question.id);
    let picked = match question.kind {
        Kind::SomeOf { .. } => entry.map(|entry| entry.picked.clone()),
        Kind::OneOf | Kind::YesNo | Kind::Text => None,
    };
    let trial = Entry { picked: picked.unwrap_or_default(), text: Some(text.to_owned()), ..Entry::default() };
    trial.fault(question).filter(|fault| !matches!(fault, Fault::TooFewItems { .. }))
}

/// Puts what is typed as "Other" on the sheet, unless it is blank.
fn take_other(panel: &mut Panel) {
    let id = panel.place.question.clone();
    let text = typed(panel);
    keep_draft(panel);
    if text.trim().is_empty() {
        return;
    }
    if let Err(fault) = panel.sheet.write(&id, &text) {
        show_fault(panel, &fault);
    }
}

/// A text question is saved as it is typed, so that nothing typed is lost.
fn save_field(panel: &mut Panel) {
    let id = panel.place.question.clone();
    let text = typed(panel);
    let text = if text.trim().is_empty() { "" } else { &text };
    if let Err(fault) = panel.sheet.write(&id, text) {
        show_fault(panel, &fault);
    }
}

/// Whether something else is typed than stands on the sheet; a suggestion that was only looked at
/// stays one.
fn is_changed(panel: &mut Panel) -> bool {
    let text = typed(panel);
    let entry = panel.sheet.entry(&panel.place.question);
    entry.and_then(|entry| entry.text.as_deref()).unwrap_or("") != text
}

fn keep_draft(panel: &mut Panel) {
    if panel.place.spot == Spot::Other {
        let text = typed(panel);
        panel.drafts.insert(panel.place.question.clone(), text);
    }
}

pub(super) fn type_other(panel: &mut Panel) {
    let id = &panel.place.question;
    let written = panel.sheet.entry(id).and_then(|entry| entry.text.as_ref());
    let text = written.or_else(|| panel.drafts.get(id));
    panel.mode = Mode::Typing(Editor::new(text.map_or("", String::as_str)));
    panel.asked_again = false;
}

fn typed(panel: &mut Panel) -> String {
    panel.editor_mut().map(|editor| editor.text().to_owned()).unwrap_or_default()
}

pub(super) fn insert(panel: &mut Panel, text: &str) {
    let language = panel.around.language;
    if let Some(editor) = panel.editor_mut() {
        let left_out = editor.insert(text);
        panel.message = language.left_out(left_out.control_chars, left_out.too_many_chars);
    }
}

fn up_or_down(panel: &mut Panel, key: &Key) {
    if let Some(editor) = panel.editor_mut() {
        if *key == Key::Up {
            editor.up();
        } else {
            editor.down();
        }
    }
}

/// Keys that mean the same wherever text is typed.
fn edit(panel: &mut Panel, key: Key) {
    match key {
        Key::Char(letter) => return insert(panel, letter.encode_utf8(&mut [0; 4])),
        Key::Paste(text) => return insert(panel, &text),
        Key::NewLine => return insert(panel, "\n"),
        _ => {}
    }
    if let Some(editor) = panel.editor_mut() {
        edit_text(editor, &key);
    }
}

/// Keys that change a text or the place in it, letters left out.
pub(crate) fn edit_text(editor: &mut Editor, key: &Key) {
    match key {
        Key::Left => editor.left(),
        Key::Right => editor.right(),
        Key::Home => editor.home(),
        Key::End => editor.end(),
        Key::Backspace => editor.backspace(),
        Key::Delete => editor.delete(),
        Key::WordLeft => editor.word_left(),
        Key::WordRight => editor.word_right(),
        Key::DeleteWord => editor.delete_word(),
        Key::DeleteToStart => editor.delete_to_start(),
        Key::DeleteToEnd => editor.delete_to_end(),
        _ => {}
    }
}
