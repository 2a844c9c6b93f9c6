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
}
