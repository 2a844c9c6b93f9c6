//! What a text may contain, and how what it may not is shown (D10).
//!
//! Texts of an ask are kept as they came and made harmless where they are shown: a terminal
//! escape is drawn as a symbol, never sent to the terminal. In an answer it is refused.

use std::borrow::Cow;

/// Whether a person's answer may not contain this character: control characters except new line
/// and tab.
pub fn is_refused_in_answers(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
}

/// Returns what is shown in place of a character that would act instead of being read.
///
/// Control characters have pictures in Unicode; the ones that turn the writing direction or break
/// a line have none and become the replacement character. New line and tab stay: every surface
/// lays them out itself.
pub fn symbol(letter: char) -> Option<char> {
    match letter {
        '\n' | '\t' => None,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(letter)),
        '\u{7f}' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// Returns the text as it may be shown. A carriage return before a new line is dropped.
pub fn shown(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|letter| symbol(letter).is_some()) {
        return Cow::Borrowed(text);
    }
    let text = text.replace("\r\n", "\n");
    Cow::Owned(text.chars().map(|letter| symbol(letter).unwrap_or(letter)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d10_what_would_act_is_shown_as_a_symbol() {
        assert_eq!(shown("plain 框架 👩‍👩‍👧\n\tok"), "plain 框架 👩‍👩‍👧\n\tok");
        assert_eq!(shown("\u{1b}[31mred\u{7}"), "␛[31mred␇");
        assert_eq!(shown("a\r\nb\rc"), "a\nb␍c");
        assert_eq!(shown("\u{9b}31m"), "\u{fffd}31m");
        assert_eq!(shown("abc\u{202e}def"), "abc\u{fffd}def");
    }

    #[test]
    fn d10_answers_take_no_control_characters_but_new_line_and_tab() {
        assert!("O'Brien & <T>\n\t".chars().all(|letter| !is_refused_in_answers(letter)));
        assert!(is_refused_in_answers('\u{1b}') && is_refused_in_answers('\0'));
        assert!(is_refused_in_answers('\r') && is_refused_in_answers('\u{85}'));
    }
}
