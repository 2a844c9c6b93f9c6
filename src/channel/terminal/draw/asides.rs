//! What is shown in place of the question for a moment: the keys, the ways out, the reason.

use super::body::Body;
use super::field::Field;
use super::question::above;
use super::review::lead;
use crate::channel::terminal::editor::Editor;
use crate::channel::terminal::line::{Line, Role};
use crate::channel::terminal::panel::{Leaving, Mode, Panel, WayOut};
use crate::channel::terminal::width::width;
use askuser_core::limits::NOTE_CHARS_MAX;

/// A key and what it does, in both languages.
type Explained = (&'static str, &'static str, &'static str);

const CHOOSING: [Explained; 13] = [
    ("↑ ↓  j k", "move", "移动"),
    ("1-9", "pick a choice by its number", "按编号选择"),
    ("y n", "pick Yes or No", "选“是”或“否”"),
    ("0", "Other: an answer of your own", "其他：自己写答案"),
    ("Space", "pick, or take a pick back", "选择或取消选择"),
    (
        "Enter",
        "single choice: pick the row at ❯ and continue; several: continue",
        "单选：选中 ❯ 处并继续；多选：继续",
    ),
    ("Tab  →", "next question, nothing is picked", "下一个问题，不做选择"),
    ("Shift-Tab  ←", "question before", "上一个问题"),
    ("m  Alt-M", "add a note to the answer", "给答案加备注"),
    ("PgUp PgDn", "scroll", "滚动"),
    ("Esc", "leave (asks first)", "离开（会先询问）"),
    ("Ctrl-C", "quit without answering", "退出，不回答"),
    ("Ctrl-Z", "suspend; fg resumes", "挂起，用 fg 恢复"),
];

const TYPING: [Explained; 10] = [
    ("Enter", "confirm", "确认"),
    ("Alt-Enter", "new line", "换行"),
    ("Ctrl-A Ctrl-E", "start, end of the line", "行首、行尾"),
    ("Ctrl-W", "delete the word before", "删除前一个词"),
    ("Ctrl-U Ctrl-K", "delete to the start, to the end", "删除到行首、行尾"),
    ("Tab  Shift-Tab", "next question, question before", "下一个、上一个问题"),
    ("Alt-M", "add a note to the answer", "给答案加备注"),
    ("PgUp PgDn", "scroll", "滚动"),
    ("Esc", "back, or leave (asks first)", "返回或离开（会先询问）"),
    ("Ctrl-C", "quit without answering", "退出，不回答"),
];

/// Explains the keys of the mode that it goes back to.
pub(super) fn help(panel: &Panel, back: &Mode, body: &mut Body) {
    let keys: &[Explained] = match back {
        Mode::Typing(_) | Mode::Noting(_) | Mode::Declining { .. } => &TYPING,
        Mode::Choosing | Mode::Reviewing { .. } | Mode::Helping { .. } | Mode::Leaving { .. } => &CHOOSING,
    };
    let widest = keys.iter().map(|(key, _, _)| width(key)).max().unwrap_or(0);
    for (key, english, chinese) in keys {
        let (english, chinese) = match (*key, panel.around.leaving) {
            ("Esc", Leaving::ToTheInbox) => {
                ("back, or to the inbox, where it stays open", "返回，或回到收件箱，问题保持打开")
            }
            _ => (*english, *chinese),
        };
        let what = panel.around.language.pick(english, chinese);
        if body.columns < widest + 16 {
            body.text(0, key, Role::Accent);
            body.text(body.indent(2), what, Role::Plain);
        } else {
            let mut prefix = Line::of(*key, Role::Accent);
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
    body.text(0, words.leave_intro, Role::Strong);
    body.blank();
    for (idx, way) in panel.ways_out().into_iter().enumerate() {
        let (what, meaning) = match way {
            WayOut::Back => words.back,
            WayOut::Decline => words.decline,
            WayOut::LeaveOpen => words.leave_open,
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
    body.text(0, words.reason_intro, Role::Plain);
    body.blank();
    let field = Field { placeholder: "", chars_max: NOTE_CHARS_MAX, secret: false };
    let first = body.lines.len();
    field.active(body, &Line::of("❯ ", Role::Accent), editor);
    body.focus = Some(first..body.lines.len());
}
