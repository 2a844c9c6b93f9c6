//! All answers before they are sent (T11).

use super::body::Body;
use crate::line::{Line, Role};
use crate::panel::Panel;
use crate::summary::{is_answered, titled};

pub(super) fn review(panel: &Panel, row: usize, body: &mut Body) {
    let language = panel.around.language;
    let words = language.words();
    body.asker(panel);
    body.blank();
    let visible = panel.sheet.visible();
    let intro = if visible.is_empty() { words.nothing_to_answer() } else { words.review_intro() };
    body.text(0, intro, Role::Plain);
    body.blank();
    for (idx, visible) in visible.iter().enumerate() {
        let question = visible.question;
        let here = idx == row;
        let first = body.lines.len();
        let (mark, role) = if panel.sheet.problem(question).is_some() {
            ("✗ ", Role::Bad)
        } else if is_answered(&panel.sheet, question) {
            ("✓ ", Role::Good)
        } else {
            ("– ", Role::Secondary)
        };
        let mut prefix = lead(here, (idx < 9).then_some(idx + 1), body);
        prefix.push(" ".repeat(body.indent(visible.depth * 2)), Role::Plain);
        prefix.push(mark, role);
        let text = titled(&panel.sheet, question, language);
        let role = if here { Role::Accent } else { Role::Plain };
        body.hang(&prefix, &text, role);
        let at = prefix.width();
        let entry = panel.sheet.entry(&question.id);
        if entry.is_some_and(|entry| entry.suggested) {
            body.tag(at, words.suggested(), Role::Good);
        }
        if let Some(note) = entry.and_then(|entry| entry.note.as_deref()) {
            let prefix = Line::of(" ".repeat(body.indent(at)), Role::Plain).and("✎ ", Role::Accent);
            body.hang(&prefix, note, Role::Secondary);
        }
        if here {
            body.focus = Some(first..body.lines.len());
        }
    }
    body.blank();
    let here = row >= visible.len();
    let role = if here { Role::Accent } else { Role::Strong };
    let first = body.lines.len();
    let prefix = lead(here, None, body);
    body.hang(&prefix, words.send(), role);
    if here {
        body.focus = Some(first..body.lines.len());
    }
}

/// Returns the cursor and a number, before a row that can be gone to.
pub(super) fn lead(here: bool, number: Option<usize>, body: &Body) -> Line {
    let mut line = Line::of(if here { "❯" } else { " " }, Role::Accent);
    if !body.is_narrow(0) {
        let number = number.map_or_else(String::new, |number| format!(" {number}"));
        line.push(number, Role::Secondary);
    }
    line.push(" ", Role::Plain);
    line
}
