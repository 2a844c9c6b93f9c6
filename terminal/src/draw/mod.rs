//! What the panel looks like: lines with roles, for a width and a height.
//!
//! Pure. A box with the title above, the keys below, and between them as much of the body as
//! fits, scrolled so that the cursor is in sight. No line is ever wider than the terminal.

pub(super) mod body;
mod field;
mod question;
mod review;
mod asides;
pub(super) mod hints;

use std::ops::Range;

use askuser_core::id::{AskId, QuestionId};
use askuser_core::text::shown;

use super::line::{Line, Role};
use super::page::{page_of, pages, rows};
use super::panel::{Mode, Panel};
use super::width::width as columns_of;
use super::wrap::wrap;
use body::Body;

/// Wider panels are hard to read.
const PANEL_COLUMNS_MAX: usize = 88;
/// From here on a preview stands beside the choices.
const BESIDE_COLUMNS_MIN: usize = 100;
/// With previews beside the choices there is more to show.
const PREVIEW_COLUMNS_MAX: usize = 140;
/// Narrower terminals get a panel that is wider than they are.
const PANEL_COLUMNS_MIN: usize = 10;

/// A drawn panel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frame {
    /// Its lines from top to bottom.
    pub lines: Vec<Line>,
    /// Row and column of the text caret, where something is typed.
    pub caret: Option<(usize, usize)>,
    /// How far it is scrolled: the panel in steps from the cursor, put back into [`Panel::scroll`]; the inbox in
    /// rows from the top.
    pub scroll: isize,
    /// What of the asker's stood on it.
    pub reading: Reading,
    /// In the inbox, the ask of which everything stands beside the list.
    pub whole: Option<AskId>,
}

/// What there is to read of the questions in view, and what of it is on the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The questions that are drawn; none where something else is.
    pub questions: Vec<QuestionId>,
    /// Each row of the asker's words, and whether it is on the screen.
    pub rows: Vec<(String, bool)>,
}

/// Draws the panel for a terminal of this size.
pub fn draw(panel: &Panel, width: usize, height: usize) -> Frame {
    let beside = width >= BESIDE_COLUMNS_MIN && question::has_previews(panel);
    let most = if beside { PREVIEW_COLUMNS_MAX } else { PANEL_COLUMNS_MAX };
    let width = width.clamp(PANEL_COLUMNS_MIN, most);
    let height = height.max(3);
    let mut body = Body::new(width - 4);
    let top = top(panel, width, &mut body);
    match &panel.mode {
        Mode::Choosing | Mode::Typing(_) | Mode::Noting(_) => {
            question::page(panel, beside, &mut body);
        }
        Mode::Reviewing { row } => review::review(panel, *row, &mut body),
        Mode::Helping { back } => asides::help(panel, back, &mut body),
        Mode::Leaving { row, .. } => asides::leaving(panel, *row, &mut body),
        Mode::Declining { editor, .. } => asides::declining(panel, editor, &mut body),
    }
    let message = message(panel, width - 4, height - 2);
    let room = height - 2 - message.len();
    let view = view(panel, &body, room);
    let mut lines = vec![top];
    for line in view.lines.into_iter().chain(message) {
        lines.push(framed(line, width));
    }
    let reading = reading(panel, body.asked, &view.in_sight);
    let has_more = reading.rows.iter().any(|(row, in_sight)| !in_sight && !panel.has_seen(row));
    lines.push(hints::bottom(panel, has_more, width));
    let caret = view.caret.map(|(row, column)| (row + 1, column + 2));
    Frame { lines, caret, scroll: view.scroll, reading, whole: None }
}

/// Says what there is to read of the page in view.
fn reading(panel: &Panel, asked: Vec<(usize, String)>, in_sight: &Range<usize>) -> Reading {
    if !matches!(panel.mode, Mode::Choosing | Mode::Typing(_) | Mode::Noting(_)) {
        return Reading::default();
    }
    let pages = pages(&panel.sheet);
    let page = page_of(&pages, &panel.place.question).and_then(|idx| pages.get(idx));
    let questions = rows(page.map_or(&[], Vec::as_slice)).into_iter().map(|place| place.question);
    let mut questions: Vec<QuestionId> = questions.collect();
    questions.dedup();
    let rows = asked.into_iter().map(|(line_idx, row)| (row, in_sight.contains(&line_idx)));
    Reading { questions, rows: rows.collect() }
}

fn framed(line: Line, width: usize) -> Line {
    let mut framed = Line::of("│", Role::Secondary);
    framed.append_at(2, line);
    framed.push_at(width - 1, "│", Role::Secondary);
    framed
}

/// Draws the upper border; what does not fit into it goes into the body.
fn top(panel: &Panel, width: usize, body: &mut Body) -> Line {
    let language = panel.around.language;
    let words = language.words();
    let title = match &panel.mode {
        Mode::Choosing | Mode::Typing(_) | Mode::Noting(_) => header(panel),
        Mode::Reviewing { .. } => words.review().to_owned(),
        Mode::Helping { .. } => words.help().to_owned(),
        Mode::Leaving { .. } => words.leave().to_owned(),
        Mode::Declining { .. } => words.decline().to_owned(),
    };
    let (long, short) = status(panel);
    let fits = |title: &str, status: &str| {
        let status = columns_of(status);
        let title = columns_of(title);
        4 + title + usize::from(title > 0) + status + usize::from(status > 0) < width
    };
    if fits(&title, &long) {
        return border(&title, &long, width);
    }
    if fits(&title, &short) {
        return border(&title, &short, width);
    }
    let line = if fits(&title, "") {
        border(&title, "", width)
    } else {
        body.asked(0, &title, Role::Accent);
        border("", "", width)
    };
    body.text(0, &long, Role::Secondary);
    line
}

fn border(title: &str, status: &str, width: usize) -> Line {
    let mut line = Line::of("╭", Role::Secondary);
    if !title.is_empty() {
        line.push(" ", Role::Plain);
        line.push(title, Role::Accent);
        line.push(" ", Role::Plain);
    }
    let mut end = Line::default();
    if !status.is_empty() {
        end.push(format!(" {status} "), Role::Secondary);
    }
    end.push("╮", Role::Secondary);
    let start = width.saturating_sub(end.width());
    let fill = start.saturating_sub(line.width());
    line.push("─".repeat(fill), Role::Secondary);
    line.append_at(start, end);
    line
}

fn header(panel: &Panel) -> String {
    let pages = pages(&panel.sheet);
    let page = page_of(&pages, &panel.place.question).and_then(|idx| pages.get(idx));
    let question = page.and_then(|page| page.first()).map(|node| node.question);
    let header = question.and_then(|question| question.header.as_deref());
    header.map_or_else(
        || panel.around.language.words().question().to_owned(),
        |header| shown(header).replace(['\n', '\t'], " "),
    )
}

/// Returns round and question, in full and in short.
fn status(panel: &Panel) -> (String, String) {
    let language = panel.around.language;
    let round = panel.around.round;
    let round = round.map(|round| language.round(round.number, round.total));
    let asking = matches!(panel.mode, Mode::Choosing | Mode::Typing(_) | Mode::Noting(_));
    let pages = pages(&panel.sheet);
    let question = page_of(&pages, &panel.place.question).filter(|_| asking && pages.len() > 1).map(|idx| {
        let (words, place, n) = (language.words(), idx + 1, pages.len());
        (words.question_of(place, n), words.question_of_short(place, n))
    });
    let join = |question: Option<String>| {
        let parts: Vec<String> = round.clone().into_iter().chain(question).collect();
        parts.join(" · ")
    };
    let (long, short) = question.unzip();
    (join(long), join(short))
}

/// Returns what the person is told, as many rows as there is room for beside one of the body.
fn message(panel: &Panel, columns: usize, room: usize) -> Vec<Line> {
    let Some(message) = &panel.message else {
        return Vec::new();
    };
    let rows = wrap(message, columns.saturating_sub(2).max(3));
    let mut lines = vec![Line::default()];
    for (idx, row) in rows.into_iter().enumerate() {
        let mark = if idx == 0 { "✗ " } else { "  " };
        lines.push(Line::of(mark, Role::Bad).and(row, Role::Bad));
    }
    // The blank line is the first to go where the terminal is low.
    if lines.len() >= room {
        lines.remove(0);
    }
    lines.truncate(room.saturating_sub(1).max(1));
    lines
}

/// The part of the body that is in sight.
struct View {
    lines: Vec<Line>,
    caret: Option<(usize, usize)>,
    scroll: isize,
    /// The lines of the body that can be read.
    in_sight: Range<usize>,
}

fn view(panel: &Panel, body: &Body, room: usize) -> View {
    let n_lines = body.lines.len();
    if n_lines <= room {
        return View { lines: body.lines.clone(), caret: body.caret, scroll: 0, in_sight: 0..n_lines };
    }
    let focus = body.focus.clone().unwrap_or(0..1);
    let middle = usize::midpoint(focus.start, focus.end);
    // Lower views have no row to spare for arrows.
    let has_arrows = room >= 4;
    // A block taller than the view is read from its top.
    let start = if focus.end + usize::from(has_arrows) <= room {
        // Read from its beginning as long as the cursor is in sight.
        0
    } else if focus.len() + 2 > room {
        focus.start.saturating_sub(usize::from(has_arrows))
    } else {
        middle.saturating_sub(room / 2)
    };
    let last = n_lines - room;
    let start = around_caret(start, body.caret, room).min(last);
    let step = isize::try_from(room.saturating_sub(2).max(1)).unwrap_or(1);
    let signed = |n: usize| isize::try_from(n).unwrap_or(isize::MAX);
    let moved = signed(start).saturating_add(panel.scroll.saturating_mul(step));
    let top = usize::try_from(moved).unwrap_or(0).min(last);
    let shift = signed(top) - signed(start);
    let scroll = shift / step + (shift % step).signum();
    let mut lines: Vec<Line> = body.lines.iter().skip(top).take(room).cloned().collect();
    let language = panel.around.language;
    let mark = |arrow: &str, n_hidden: usize| {
        Line::of(format!("{arrow} {}", language.words().more_lines(n_hidden)), Role::Secondary)
    };
    let mut in_sight = top..top + room;
    if has_arrows {
        if let Some(first) = lines.first_mut().filter(|_| top > 0) {
            *first = fitted(mark("↑", top + 1), body.columns);
            in_sight.start += 1;
        }
        let hidden = n_lines - top - room;
        if let Some(end) = lines.last_mut().filter(|_| hidden > 0) {
            *end = fitted(mark("↓", hidden + 1), body.columns);
            in_sight.end -= 1;
        }
    }
    let caret = body
        .caret
        .filter(|(row, _)| (top..top + room).contains(row))
        .map(|(row, column)| (row - top, column));
    View { lines, caret, scroll, in_sight }
}

/// Moves the view so that the caret is in sight, and neither under an arrow nor without the row
/// below it: what is typed must be seen.
fn around_caret(start: usize, caret: Option<(usize, usize)>, room: usize) -> usize {
    let Some((row, _)) = caret else {
        return start;
    };
    let (above, below) = if room >= 4 { (1, 2) } else { (0, 0) };
    start.max((row + below + 1).saturating_sub(room)).min(row.saturating_sub(above))
}

/// Returns the line, or nothing but its arrow where it does not fit.
fn fitted(line: Line, columns: usize) -> Line {
    if line.width() <= columns {
        return line;
    }
    let arrow: String = line.text().chars().take(1).collect();
    Line::of(arrow, Role::Secondary)
}

#[cfg(test)]
mod tests;
