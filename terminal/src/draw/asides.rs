//! What is shown in place of the question for a moment: the keys, the ways out, the reason.

use super::body::Body;
use super::field::Field;
use super::question::above;
use super::review::lead;
use crate::editor::Editor;
use crate::line::{Line, Role};
use crate::panel::{Leaving, Mode, Panel, WayOut};
use crate::width::width;
use askuser_core::limits::NOTE_CHARS_MAX;
use askuser_words::keys::PanelKeys;

/// A key and what it does.
type Explained = (&'static str, &'static str);

fn choosing_keys(said: PanelKeys, esc: &'static str) -> Vec<Explained> {
    vec![
        ("↑ ↓  j k", said.moves()),
        ("1-9", said.by_number()),
        ("y n", said.yes_no()),
        ("0", said.other()),
        ("Space", said.space()),
        ("Enter", said.enter()),
        ("Tab  →", said.tab()),
        ("Shift-Tab  ←", said.shift_tab()),
        ("m  Alt-M", said.note()),
        ("PgUp PgDn", said.scrolls()),
        ("Esc", esc),
        ("Ctrl-C", said.quits()),
        ("Ctrl-Z", said.suspends()),
    ]
}

fn typing_keys(said: PanelKeys, esc: &'static str) -> Vec<Explained> {
    vec![
        ("Enter", said.confirms()),
        ("Alt-Enter", said.new_line()),
        ("Ctrl-A Ctrl-E", said.line_ends()),
        ("Ctrl-W", said.word()),
        ("Ctrl-U Ctrl-K", said.to_line_ends()),
        ("Tab  Shift-Tab", said.both_tabs()),
        ("Alt-M", said.note()),
        ("PgUp PgDn", said.scrolls()),
        ("Esc", esc),
        ("Ctrl-C", said.quits()),
    ]
}

/// Explains the keys of the mode that it goes back to.
pub(super) fn help(panel: &Panel, back: &Mode, body: &mut Body) {
    let said = PanelKeys(panel.around.language);
    let to_inbox = panel.around.leaving == Leaving::ToTheInbox;
    let esc = |otherwise| if to_inbox { said.back_or_inbox() } else { otherwise };
    let keys = match back {
        Mode::Typing(_) | Mode::Noting(_) | Mode::Declining { .. } => {
            typing_keys(said, esc(said.back_or_leave()))
        }
        Mode::Choosing | Mode::Reviewing { .. } | Mode::Helping { .. } | Mode::Leaving { .. } => {
            choosing_keys(said, esc(said.leaves()))
        }
    };
    let widest = keys.iter().map(|(key, _)| width(key)).max().unwrap_or(0);
    for (key, what) in keys {
        if body.columns < widest + 16 {
            body.text(0, key, Role::Accent);
            body.text(body.indent(2), what, Role::Plain);
        } else {
            let mut prefix = Line::of(key, Role::Accent);
            prefix.push(" ".repeat(widest + 3 - width(key)), Role::Plain);
            body.hang(&prefix, what, Role::Plain);
        }
    }
}

/// Asks how to leave.
pub(super) fn leaving(panel: &Panel, row: usize, body: &mut Body) {
    let words = panel.around.language.words();
    body.asker(panel);
    body.blank();
    body.text(0, words.leave_intro(), Role::Strong);
    body.blank();
    for (idx, way) in panel.ways_out().into_iter().enumerate() {
        let (what, meaning) = match way {
            WayOut::Back => (words.back(), words.back_means()),
            WayOut::Decline => (words.decline(), words.decline_means()),
            WayOut::LeaveOpen => (words.later(), words.later_means()),
        };
        let here = idx == row;
        let first = body.lines.len();
        let prefix = lead(here, Some(idx + 1), body);
        let role = if here { Role::Accent } else { Role::Plain };
        body.hang(&prefix, what, role);
        body.text(prefix.width(), meaning, Role::Secondary);
        if here {
            body.focus = Some(first..body.lines.len());
        }
    }
}

/// Asks for a reason.
pub(super) fn declining(panel: &Panel, editor: &Editor, body: &mut Body) {
    let words = panel.around.language.words();
    above(panel, body);
    body.blank();
    for visible in panel.sheet.visible() {
        let indent = body.indent(visible.depth * 2);
        body.text(indent, &visible.question.text, Role::Strong);
    }
    body.blank();
    body.text(0, words.reason_intro(), Role::Plain);
    body.blank();
    let field = Field { placeholder: "", chars_max: NOTE_CHARS_MAX, secret: false };
    let first = body.lines.len();
    field.active(body, &Line::of("❯ ", Role::Accent), editor);
    body.focus = Some(first..body.lines.len());
}
