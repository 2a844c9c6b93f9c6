//! What the inbox looks like: exactly as many lines as the terminal has rows.
//!
//! Above, what there is; below, the keys; between them a list, a sheet, or something told in full. Where
//! there is room, the ask under the cursor stands beside the list. The sheet is drawn by the prompt.

mod rows;
mod told;
mod hints;

use askuser_core::id::AskId;
use askuser_words::inbox::Inbox as Words;

use crate::draw as prompt;
use crate::draw::body::Body;
use crate::draw::{Frame, Reading};
use crate::line::{Line, Role};
use crate::panel::Panel;
use crate::width::{cut, width as columns_of};
use crate::wrap::wrap;

use super::item::{Item, ItemState};
use super::{Inbox, Tone, View};

/// From here on there is room for an ask beside the list.
const BESIDE_COLUMNS_MIN: usize = 100;
/// The list beside a sheet.
const LIST_COLUMNS: (usize, usize) = (44, 56);
/// From here on a sheet that is being filled has room beside the list.
const SHEET_COLUMNS_MIN: usize = 100;
/// What is told in full is read in rows of at most this many columns.
const TOLD_COLUMNS_MAX: usize = 88;
/// Rows of what the person is told.
const SAID_ROWS_MAX: usize = 3;

/// What stands between the line above and the keys below.
#[derive(Default)]
struct Middle {
    lines: Vec<Line>,
    caret: Option<(usize, usize)>,
    scroll: isize,
    reading: Reading,
    /// The ask of which everything is in it, below its row or beside the list.
    whole: Option<AskId>,
}

/// Draws the inbox for a terminal of this size.
pub fn draw(inbox: &Inbox, width: usize, height: usize) -> Frame {
    let (width, height) = (width.max(20), height.max(4));
    let said = said(inbox, width, height - 3);
    let room = height - 2 - said.len();
    let mut middle = middle(inbox, width, room);
    middle.lines.truncate(room);
    middle.lines.resize(room, Line::default());
    let mut lines = vec![top(inbox, width)];
    lines.append(&mut middle.lines);
    lines.extend(said);
    let keys = hints::fitting_keys(inbox, middle.whole, width - 2);
    lines.push(Line::of(" ", Role::Plain).and(keys, Role::Secondary));
    let caret = middle.caret.map(|(row, column)| (row + 1, column));
    Frame { lines, caret, scroll: middle.scroll, reading: middle.reading, whole: middle.whole }
}

/// Says what there is, where the person is, and whether the desk is there.
fn top(inbox: &Inbox, width: usize) -> Line {
    let said = Words(inbox.language);
    let in_history = match &inbox.view {
        View::Told { back, .. } | View::Help { back, .. } => **back == View::History,
        view => *view == View::History,
    };
    let role = |here: bool| if here { Role::Accent } else { Role::Secondary };
    let mut line = Line::of(" ", Role::Plain);
    let n_open = inbox.open.n_open();
    line.push(said.inbox(n_open), role(!in_history));
    if !inbox.fresh.is_empty() {
        let new = said.fresh(inbox.fresh.len());
        line.push(cut(&new, width.saturating_sub(line.width() + 1)), Role::Bad);
    }
    let history = said.history();
    if line.width() + columns_of(history) + 4 <= width {
        line.push(" · ", Role::Secondary);
        line.push(history, role(in_history));
    }
    let (text, role) = status(inbox, in_history);
    let room = width.saturating_sub(line.width() + 3);
    let text = cut(&text, room);
    line.push_at(width.saturating_sub(columns_of(&text) + 1), text, role);
    line
}

/// Returns what stands at the right end of the first line.
fn status(inbox: &Inbox, in_history: bool) -> (String, Role) {
    let said = Words(inbox.language);
    if inbox.away {
        return (said.away().to_owned(), Role::Bad);
    }
    if let View::Sheet { id, .. } = inbox.view {
        let n_asks = inbox.answered_with(id).len();
        if n_asks > 1 {
            return (said.one_answer(n_asks), Role::Accent);
        }
    }
    if !inbox.marked.is_empty() && inbox.view == View::Open {
        return (said.marked(inbox.marked.len()), Role::Accent);
    }
    let list = if in_history { &inbox.ended } else { &inbox.open };
    let place = if matches!(inbox.view, View::Open | View::History) && list.n_shown() > 1 {
        format!("{}/{}", list.cursor() + 1, list.n_shown())
    } else {
        String::new()
    };
    let parts: Vec<&str> = [inbox.desk.as_deref(), Some(place.as_str())]
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .collect();
    (parts.join("  "), Role::Secondary)
}

fn middle(inbox: &Inbox, width: usize, room: usize) -> Middle {
    match &inbox.view {
        View::Open => {
            let beside = inbox.open.selected().filter(|_| width >= BESIDE_COLUMNS_MIN);
            match beside {
                None => rows::list(inbox, width, room, rows::Below::Question),
                Some(item) => {
                    let left = rows::list(inbox, list_columns(width), room, rows::Below::Nothing);
                    let (lines, all) = looked_at(inbox, item, sheet_columns(width), room);
                    let may = all && item.one_press.is_some() && item.standing == ItemState::Waiting;
                    let whole = may.then_some(item.id);
                    Middle { whole, ..beside_each_other(left, lines, width) }
                }
            }
        }
        View::History => {
            let beside = inbox.ended.selected().filter(|_| width >= BESIDE_COLUMNS_MIN);
            match beside {
                None => rows::list(inbox, width, room, rows::Below::Nothing),
                Some(item) => {
                    let left = rows::list(inbox, list_columns(width), room, rows::Below::Nothing);
                    let lines = told::asks(inbox, &[item], sheet_columns(width).min(TOLD_COLUMNS_MAX));
                    beside_each_other(left, lines, width)
                }
            }
        }
        View::Sheet { id, .. } => match inbox.sheets.get(id) {
            None => Middle::default(),
            Some(panel) if sheet_columns(width) >= SHEET_COLUMNS_MIN => {
                let mut left = rows::list(inbox, list_columns(width), room, rows::Below::Nothing);
                left.caret = None;
                let frame = prompt::draw(panel, sheet_columns(width), room);
                let at = list_columns(width) + 3;
                let caret = frame.caret.map(|(row, column)| (row, column + at));
                let (scroll, reading) = (frame.scroll, frame.reading);
                Middle { caret, scroll, reading, ..beside_each_other(left, frame.lines, width) }
            }
            Some(panel) => {
                let frame = prompt::draw(panel, width, room);
                let (scroll, reading) = (frame.scroll, frame.reading);
                Middle { lines: frame.lines, caret: frame.caret, scroll, reading, ..Middle::default() }
            }
        },
        View::Lost { title, how } => {
            Middle { lines: told::lost(inbox, title, how, width), ..Middle::default() }
        }
        View::Told { items, top, .. } => {
            let lines = match items {
                None => vec![Line::of(format!(" {}", hints::waiting(inbox)), Role::Secondary)],
                Some(items) => {
                    let items: Vec<&Item> = items.iter().collect();
                    told::asks(inbox, &items, width.min(TOLD_COLUMNS_MAX))
                }
            };
            scrolled(inbox, lines, *top, room)
        }
        View::Help { top, back } => scrolled(inbox, hints::help(inbox, back, width, room), *top, room),
    }
}

fn list_columns(width: usize) -> usize {
    (width * 46 / 100).clamp(LIST_COLUMNS.0, LIST_COLUMNS.1)
}

fn sheet_columns(width: usize) -> usize {
    width.saturating_sub(list_columns(width) + 3)
}

/// Draws the sheet of the ask under the cursor as something to be looked at: nothing in it is where
/// the keys go. Also says whether all of it is there.
fn looked_at(inbox: &Inbox, item: &Item, columns: usize, room: usize) -> (Vec<Line>, bool) {
    let mut fresh: Panel;
    let panel = if let Some(panel) = inbox.sheets.get(&item.id) {
        panel
    } else {
        fresh = item.panel(inbox.language);
        fresh.time_left = item.deadline.map(|deadline| deadline.since(inbox.now));
        &fresh
    };
    let frame = prompt::draw(panel, columns, room);
    let all = !frame.reading.rows.is_empty() && frame.reading.rows.iter().all(|(_, in_sight)| *in_sight);
    let mut lines = frame.lines;
    for line in &mut lines {
        for span in &mut line.0 {
            // The cursor and its colour are where the keys go.
            if span.role == Role::Accent {
                span.role = Role::Plain;
                span.text = span.text.replace('❯', " ");
            }
        }
    }
    // The keys of the sheet do not work yet.
    if let Some(line) = lines.last_mut() {
        let n_columns = line.width();
        *line = Line::of(format!("╰{}╯", "─".repeat(n_columns.saturating_sub(2))), Role::Secondary);
    }
    (lines, all)
}

fn beside_each_other(left: Middle, right: Vec<Line>, width: usize) -> Middle {
    let at = list_columns(width) + 1;
    let n_rows = left.lines.len().max(right.len());
    let mut right = right.into_iter();
    let mut lines: Vec<Line> = left.lines;
    lines.resize(n_rows, Line::default());
    for line in &mut lines {
        if let Some(beside) = right.next() {
            line.append_at(at + 2, beside);
        }
    }
    Middle { lines, ..left }
}

/// Shows as many lines as there is room for, and says how many more there are.
fn scrolled(inbox: &Inbox, mut lines: Vec<Line>, top: usize, room: usize) -> Middle {
    let n_lines = lines.len();
    let top = top.min(n_lines.saturating_sub(room));
    lines.drain(..top);
    let hidden = lines.len().saturating_sub(room);
    lines.truncate(room);
    let mark = |arrow: &str, n: usize| {
        Line::of(format!(" {arrow} {}", inbox.language.words().more_lines(n)), Role::Secondary)
    };
    if let Some(first) = lines.first_mut().filter(|_| top > 0) {
        *first = mark("↑", top + 1);
    }
    if let Some(last) = lines.last_mut().filter(|_| hidden > 0) {
        *last = mark("↓", hidden + 1);
    }
    Middle { lines, scroll: isize::try_from(top).unwrap_or(isize::MAX), ..Middle::default() }
}

/// Returns what the person is told.
fn said(inbox: &Inbox, width: usize, room: usize) -> Vec<Line> {
    let Some(said) = &inbox.said else { return Vec::new() };
    let (mark, role) = match said.tone {
        Tone::Done => ("✓ ", Role::Good),
        Tone::Note => ("• ", Role::Accent),
        Tone::Bad => ("✗ ", Role::Bad),
    };
    let rows = wrap(&said.text, width.saturating_sub(4).max(8));
    let rows = rows.into_iter().take(SAID_ROWS_MAX.min(room)).enumerate();
    rows.map(|(idx, row)| {
        let mark = if idx == 0 { mark } else { "  " };
        Line::of(" ", Role::Plain).and(mark, role).and(row, role)
    })
    .collect()
}

/// Returns an empty body for lines with a blank at either side.
fn body(width: usize) -> Body {
    Body::new(width.saturating_sub(2).max(8))
}

fn indented(lines: Vec<Line>) -> Vec<Line> {
    let indent = |line: Line| {
        let mut indented = Line::default();
        indented.append_at(1, line);
        indented
    };
    lines.into_iter().map(indent).collect()
}
