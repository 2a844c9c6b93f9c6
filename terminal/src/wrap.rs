//! Breaks a text into rows that fit, and never cuts anything off.
//!
//! At blanks, at zero-width ones where a script needs them, between Chinese, Japanese and Korean characters, and inside a word only where the
//! word alone is wider than the row. Whatever would act on the terminal instead of being read is
//! turned into a symbol here, on the way to every row, so that no text of an asker gets around it.

use std::borrow::Cow;

use askuser_core::text::{shown, symbol};
use unicode_segmentation::UnicodeSegmentation;

use super::width::width;

/// Columns between tab stops.
const TAB: usize = 4;
/// Says where a line may break, in scripts that write no blanks.
const ZERO_WIDTH_SPACE: &str = "\u{200b}";
/// Characters that no row begins with.
const CLOSING: &str = "、。，．：；！？）］｝」』】》〉”’…";
/// Characters that no row ends with.
const OPENING: &str = "（［｛「『【《〈“‘";

/// One row of a wrapped text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Where the next one begins, or the line or the text ends.
    pub end: usize,
    /// What is shown, blanks at its end left out.
    pub text: String,
}

/// One cluster as it is shown.
struct Cell<'a> {
    start: usize,
    text: Cow<'a, str>,
    columns: usize,
    blank: bool,
}

/// Returns an asker's text in rows of at most `columns` columns.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    rows(&shown(text), columns).into_iter().map(|row| row.text).collect()
}

/// Returns the rows of a text with their places in it; an empty text is one empty row.
pub fn rows(text: &str, columns: usize) -> Vec<Row> {
    let columns = columns.max(1);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        line_rows(line, start, columns, &mut found);
        start += line.len() + 1;
    }
    found
}

/// Returns the column at which `place` stands in the row.
pub fn column(text: &str, row: &Row, place: usize) -> usize {
    text.get(row.start..place)
        .map_or(0, |before| cells(before, row.start, usize::MAX).iter().map(|cell| cell.columns).sum())
}

fn line_rows(line: &str, offset: usize, columns: usize, found: &mut Vec<Row>) {
    let cells = cells(line, offset, columns);
    let end = offset + line.len();
    let mut first = 0;
    let mut filled = 0;
    let mut may_break: Option<usize> = None;
    for (idx, cell) in cells.iter().enumerate() {
        if idx > first && breaks_before(cells.get(idx - 1), cell) {
            may_break = Some(idx);
        }
        while filled + cell.columns > columns && idx > first && !cell.blank {
            let at = may_break.take().filter(|at| *at > first).unwrap_or(idx);
            found.push(row(&cells, first..at, end));
            first = at;
            filled = cells.get(first..idx).map_or(0, |cells| cells.iter().map(|cell| cell.columns).sum());
        }
        filled += cell.columns;
    }
    found.push(row(&cells, first..cells.len(), end));
}

fn row(cells: &[Cell<'_>], range: std::ops::Range<usize>, line_end: usize) -> Row {
    let start = cells.get(range.start).map_or(line_end, |cell| cell.start);
    let end = cells.get(range.end).map_or(line_end, |cell| cell.start);
    let text: String = cells.get(range).unwrap_or_default().iter().map(|cell| cell.text.as_ref()).collect();
    Row { start, end, text: text.trim_end_matches([' ', '\u{3000}', '\u{200b}']).to_owned() }
}

/// Whether a row may end between two clusters.
fn breaks_before(before: Option<&Cell<'_>>, cell: &Cell<'_>) -> bool {
    let Some(before) = before else { return false };
    if cell.blank {
        return false;
    }
    if before.blank || before.text == ZERO_WIDTH_SPACE {
        return true;
    }
    let opened = before.text.chars().any(|letter| OPENING.contains(letter));
    let closes = cell.text.chars().any(|letter| CLOSING.contains(letter));
    (before.columns > 1 || cell.columns > 1) && !opened && !closes
}

fn cells(line: &str, offset: usize, columns_max: usize) -> Vec<Cell<'_>> {
    let mut found = Vec::with_capacity(line.len());
    let mut at = 0;
    for (start, cluster) in line.grapheme_indices(true) {
        let start = start + offset;
        if cluster == "\t" {
            let columns = TAB - at % TAB;
            for idx in 0..columns {
                // All blanks of a tab stand at its place: a caret is before or after it.
                let start = if idx == 0 { start } else { start + 1 };
                found.push(Cell { start, text: Cow::Borrowed(" "), columns: 1, blank: true });
            }
            at += columns;
            continue;
        }
        let text = harmless(cluster);
        let columns = width(&text);
        at += columns;
        if columns > 2 && columns > columns_max {
            split(cluster, start, &mut found);
        } else {
            let blank = text == " " || text == "\u{3000}";
            found.push(Cell { start, text, columns, blank });
        }
    }
    found
}

/// Takes a cluster apart that is wider than any row.
fn split<'a>(cluster: &'a str, start: usize, found: &mut Vec<Cell<'a>>) {
    for (idx, letter) in cluster.char_indices() {
        let own = cluster.get(idx..idx + letter.len_utf8()).unwrap_or_default();
        let text = harmless(own);
        let columns = width(&text);
        found.push(Cell { start: start + idx, text, columns, blank: false });
    }
}

fn harmless(cluster: &str) -> Cow<'_, str> {
    if cluster.chars().any(|letter| symbol(letter).is_some()) {
        Cow::Owned(cluster.chars().map(|letter| symbol(letter).unwrap_or(letter)).collect())
    } else {
        Cow::Borrowed(cluster)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, columns: usize, expected: &[&str]) {
        assert_eq!(wrap(text, columns), expected, "{text}");
    }

    #[test]
    fn a_text_breaks_at_blanks_and_inside_a_word_only_where_it_must() {
        check("", 5, &[""]);
        check("one two three", 7, &["one two", "three"]);
        check("one  two", 4, &["one", "two"]);
        check("abcdefgh", 3, &["abc", "def", "gh"]);
        check("ab cdefgh", 4, &["ab", "cdef", "gh"]);
        check("a\n\nb", 9, &["a", "", "b"]);
        check("  indented text", 10, &["  indented", "text"]);
        check("\tx\n1\ty", 9, &["    x", "1   y"]);
    }

    #[test]
    fn chinese_text_breaks_between_characters_but_not_before_a_full_stop() {
        check("你好世界", 4, &["你好", "世界"]);
        check("用 Rust 写的服务器", 8, &["用 Rust", "写的服务", "器"]);
        check("你好世界。", 8, &["你好世", "界。"]);
        check("他说“你好”了", 6, &["他说", "“你好”", "了"]);
    }

    #[test]
    fn a_script_without_blanks_breaks_where_it_says() {
        check("ไทย\u{200b}ลาว\u{200b}พม่า", 6, &["ไทย\u{200b}ลาว", "พม่า"]);
        check("ab\u{200b}cd", 3, &["ab\u{fffd}", "cd"]);
    }

    #[test]
    fn d10_what_would_act_on_the_terminal_is_shown_as_a_symbol() {
        check("\u{1b}[31mred\u{7}", 20, &["␛[31mred␇"]);
        check("a\r\nb\u{202e}c", 20, &["a", "b\u{fffd}c"]);
    }

    #[test]
    fn a_cluster_wider_than_the_row_is_taken_apart_and_nothing_is_lost() {
        let wide = "ᄀ".repeat(9);
        let found = wrap(&wide, 4);
        assert!(found.iter().all(|row| width(row) <= 4), "{found:?}");
        assert_eq!(found.concat(), wide);
    }

    #[test]
    fn a_row_knows_its_place_in_the_text() {
        let text = "one two\nthree";
        let found = rows(text, 5);
        let places: Vec<(usize, usize)> = found.iter().map(|row| (row.start, row.end)).collect();
        assert_eq!(places, [(0, 4), (4, 7), (8, 13)]);
        assert_eq!(column(text, &found[1], 6), 2);
    }
}
