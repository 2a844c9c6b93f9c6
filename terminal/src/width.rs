//! How many columns a text takes on a terminal.
//!
//! Counted by grapheme cluster, what a person sees as one character: a family emoji is one of two
//! columns, 框 is one of two, é is one of one however it is put together.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Returns the columns of a text without control characters.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Returns a text of one line that takes no more columns than these; what was cut off is an ellipsis.
pub fn cut(text: &str, columns_max: usize) -> String {
    if width(text) <= columns_max {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut room = columns_max.saturating_sub(1);
    for cluster in text.graphemes(true) {
        let columns = UnicodeWidthStr::width(cluster);
        if columns > room {
            break;
        }
        room -= columns;
        kept.push_str(cluster);
    }
    if columns_max > 0 {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_by_what_a_person_sees() {
        let check = |text: &str, expected: usize| assert_eq!(width(text), expected, "{text}");
        check("", 0);
        check("OAuth 2.0", 9);
        check("框架选择", 8);
        check("한국어", 6);
        check("👩‍👩‍👧", 2);
        check("🇨🇳", 2);
        check("e\u{301}", 1);
        check("● ○ ❯ ★ ✓ ✗ ─ │", 15);
    }

    #[test]
    fn a_text_is_cut_between_two_letters() {
        let check = |text: &str, columns: usize, expected: &str| assert_eq!(cut(text, columns), expected);
        check("abc", 3, "abc");
        check("abcd", 3, "ab…");
        check("数据库选择", 6, "数据…");
        check("数据库", 4, "数…");
        check("abc", 0, "");
    }
}
