//! The lower border with the keys that work now; the least needed go first where it is narrow.

use askuser_core::question::Kind;
use askuser_words::Language;

use crate::channel::terminal::line::{Line, Role};
use crate::channel::terminal::page::Spot;
use crate::channel::terminal::panel::{Leaving, Mode, Panel};
use crate::channel::terminal::width::width as columns_of;

/// A key, what it does in both languages, and how soon it may be left out.
pub(in crate::channel::terminal) type Hint = (String, &'static str, &'static str, u8);

pub(in crate::channel::terminal) fn hint(
    key: &str,
    english: &'static str,
    chinese: &'static str,
    rank: u8,
) -> Hint {
    (key.to_owned(), english, chinese, rank)
}

/// Returns as many hints as fit, the most needed ones.
pub(in crate::channel::terminal) fn fitting(mut hints: Vec<Hint>, language: Language, room: usize) -> String {
    loop {
        let words = hints.iter().map(|(key, english, chinese, _)| {
            let what = language.pick(english, chinese);
            format!("{key} {what}")
        });
        let text = words.collect::<Vec<_>>().join(" · ");
        if columns_of(&text) <= room {
            return text;
        }
        let last = hints.iter().map(|hint| hint.3).max().unwrap_or(0);
        hints.retain(|hint| hint.3 != last);
    }
}

pub(super) fn bottom(panel: &Panel, has_more: bool, width: usize) -> Line {
    let text = fitting(hints(panel, has_more), panel.around.language, width.saturating_sub(4));
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
    match panel.around.leaving {
        Leaving::Declines | Leaving::LeavesOpen => hint("Esc", "leave", "离开", 0),
        Leaving::ToTheInbox => hint("Esc", "inbox", "收件箱", 0),
    }
}

/// Returns the keys that work now; first of all those that show what was not on the screen yet.
fn hints(panel: &Panel, has_more: bool) -> Vec<Hint> {
    let mut hints = keys(panel);
    if has_more {
        // Enter does not answer what was not seen.
        hints.retain(|(key, ..)| key != "Enter");
        hints.insert(0, hint("PgUp PgDn", "read all", "看完", 1));
    }
    hints
}

fn keys(panel: &Panel) -> Vec<Hint> {
    let several = panel.order().len() > 1 || panel.has_review();
    let next = several.then(|| hint("Tab", "switch", "切换", 6));
    match &panel.mode {
        Mode::Choosing => choosing(panel, next),
        Mode::Typing(_) => {
            let out =
                if panel.place.spot == Spot::Field { leave(panel) } else { hint("Esc", "back", "返回", 0) };
            let mut hints = vec![enter(panel, "next", "继续"), hint("Alt-Enter", "new line", "换行", 5)];
            hints.extend(next);
            hints.extend([hint("F1", "keys", "按键", 3), out]);
            hints
        }
        Mode::Noting(_) => vec![
            hint("Enter", "save note", "保存备注", 1),
            hint("Alt-Enter", "new line", "换行", 2),
            hint("Esc", "back", "返回", 0),
        ],
        Mode::Reviewing { row } => {
            let enter = if *row >= panel.order().len() {
                hint("Enter", "send", "确认", 1)
            } else {
                hint("Enter", "change", "修改", 1)
            };
            vec![hint("↑↓", "move", "移动", 3), enter, hint("?", "keys", "按键", 2), leave(panel)]
        }
        Mode::Helping { .. } => vec![hint("Esc", "back", "返回", 0)],
        Mode::Leaving { .. } => vec![
            hint("↑↓", "move", "移动", 2),
            hint("Enter", "choose", "确认", 1),
            hint("Esc", "back", "返回", 0),
        ],
        Mode::Declining { .. } => vec![
            hint("Enter", "decline", "取消问题", 1),
            hint("Alt-Enter", "new line", "换行", 2),
            hint("Esc", "back", "返回", 0),
        ],
    }
}

fn choosing(panel: &Panel, next: Option<Hint>) -> Vec<Hint> {
    let question = panel.question();
    let n_choices = question.map_or(0, |question| question.choices.len().min(9));
    let digits = if n_choices > 1 { format!("1-{n_choices}") } else { "1".to_owned() };
    let mut hints = vec![hint("↑↓", "move", "移动", 4)];
    match question.map(|question| question.kind) {
        Some(Kind::SomeOf { .. }) => {
            hints.extend([hint("Space", "pick", "选择", 1), enter(panel, "next", "继续")]);
        }
        Some(Kind::YesNo) => hints.extend([hint("y n", "pick", "选择", 5), enter(panel, "next", "继续")]),
        _ => hints.extend([(digits, "pick", "选择", 5), enter(panel, "next", "继续")]),
    }
    hints.push(hint("m", "note", "备注", 7));
    hints.extend(next);
    hints.extend([hint("?", "keys", "按键", 3), leave(panel)]);
    hints
}

/// Says what Enter does: where nothing comes after it, that it sends.
fn enter(panel: &Panel, english: &'static str, chinese: &'static str) -> Hint {
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
        hint("Enter", english, chinese, 2)
    } else {
        hint("Enter", "send", "确认", 2)
    }
}
