//! A text being typed, of one line or many, edited by what a person sees as one character.
//!
//! Pure: keys come in as calls, and what it looks like is `draw`'s to say.

use askuser_core::text::is_refused_in_answers;
use unicode_segmentation::UnicodeSegmentation;

/// The most characters it holds; far beyond what any answer may have.
pub const EDITOR_CHARS_MAX: usize = 20_000;

/// A text and the place in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Editor {
    text: String,
    /// In bytes, always between two clusters.
    caret: usize,
}

/// What of an inserted text was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// Control characters, which answers refuse.
    pub control_chars: usize,
    /// Characters beyond [`EDITOR_CHARS_MAX`].
    pub too_many_chars: usize,
}

impl Editor {
    /// Returns an editor with a text, the caret at its end.
    pub fn new(text: &str) -> Self {
        let mut editor = Self::default();
        editor.insert(text);
        editor
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the caret's place, in bytes.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// Whether there is nothing but blanks.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Inserts typed or pasted text and says what of it was not taken. Every end of line becomes
    /// a new line.
    pub fn insert(&mut self, text: &str) -> LeftOut {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut left_out = LeftOut::default();
        let mut room = EDITOR_CHARS_MAX.saturating_sub(self.text.chars().count());
        let mut taken = String::with_capacity(text.len());
        for letter in text.chars() {
            if is_refused_in_answers(letter) {
                left_out.control_chars += 1;
            } else if room == 0 {
                left_out.too_many_chars += 1;
            } else {
                room -= 1;
                taken.push(letter);
            }
        }
        self.text.insert_str(self.caret, &taken);
        self.caret += taken.len();
        // What was inserted may have joined the character after it.
        self.caret = self.at_or_after(self.caret);
        left_out
    }

    /// Deletes the character before the caret.
    pub fn backspace(&mut self) {
        self.cut(self.before(self.caret), self.caret);
    }

    /// Deletes the character after the caret.
    pub fn delete(&mut self) {
        self.cut(self.caret, self.after(self.caret));
    }

    /// Deletes the word before the caret.
    pub fn delete_word(&mut self) {
        self.cut(self.word_start(), self.caret);
    }

    /// Deletes from the caret back to the start of its line.
    pub fn delete_to_start(&mut self) {
        self.cut(self.line_start(), self.caret);
    }

    /// Deletes from the caret to the end of its line; at the end, the end.
    pub fn delete_to_end(&mut self) {
        let end = self.line_end();
        let end = if end == self.caret { self.after(end) } else { end };
        self.cut(self.caret, end);
    }

    /// Moves one character left.
    pub fn left(&mut self) {
        self.caret = self.before(self.caret);
    }

    /// Moves one character right.
    pub fn right(&mut self) {
        self.caret = self.after(self.caret);
    }

    /// Moves to the start of the word before.
    pub fn word_left(&mut self) {
        self.caret = self.word_start();
    }

    /// Moves past the end of the word after.
    pub fn word_right(&mut self) {
        let rest = self.text.get(self.caret..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start().len();
        let word = rest.trim_start().split_word_bounds().next().unwrap_or("");
        self.caret = self.at_or_after(self.caret + blanks + word.len());
    }

    /// Moves to the start of the line.
    pub fn home(&mut self) {
        self.caret = self.line_start();
    }

    /// Moves to the end of the line.
    pub fn end(&mut self) {
        self.caret = self.line_end();
    }

    /// Moves a line up; says whether there was one.
    pub fn up(&mut self) -> bool {
        let start = self.line_start();
        if start == 0 {
            return false;
        }
        let n_clusters = self.clusters_from(start);
        self.caret = start - 1;
        self.caret = self.place_in_line(n_clusters);
        true
    }

    /// Moves a line down; says whether there was one.
    pub fn down(&mut self) -> bool {
        let end = self.line_end();
        if end == self.text.len() {
            return false;
        }
        let n_clusters = self.clusters_from(self.line_start());
        self.caret = end + 1;
        self.caret = self.place_in_line(n_clusters);
        true
    }

    fn cut(&mut self, start: usize, end: usize) {
        if start < end {
            self.text.replace_range(start..end, "");
            self.caret = self.at_or_after(start);
        }
    }

    fn line_start(&self) -> usize {
        let before = self.text.get(..self.caret).unwrap_or_default();
        before.rfind('\n').map_or(0, |found| found + 1)
    }

    fn line_end(&self) -> usize {
        let rest = self.text.get(self.caret..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |found| self.caret + found)
    }

    fn clusters_from(&self, start: usize) -> usize {
        let before = self.text.get(start..self.caret).unwrap_or_default();
        before.graphemes(true).count()
    }

    /// Returns the place `n_clusters` into the caret's line, or the line's end.
    fn place_in_line(&self, n_clusters: usize) -> usize {
        let (start, end) = (self.line_start(), self.line_end());
        let line = self.text.get(start..end).unwrap_or_default();
        line.grapheme_indices(true).nth(n_clusters).map_or(end, |(found, _)| start + found)
    }

    fn word_start(&self) -> usize {
        let before = self.text.get(..self.caret).unwrap_or_default();
        let trimmed = before.trim_end();
        let word = trimmed.split_word_bounds().next_back().unwrap_or("");
        trimmed.len() - word.len()
    }

    fn before(&self, place: usize) -> usize {
        let text = self.text.get(..place).unwrap_or_default();
        text.grapheme_indices(true).next_back().map_or(0, |(found, _)| found)
    }

    fn after(&self, place: usize) -> usize {
        let text = self.text.get(place..).unwrap_or_default();
        text.graphemes(true).next().map_or(self.text.len(), |cluster| place + cluster.len())
    }

    fn at_or_after(&self, place: usize) -> usize {
        self.text
            .grapheme_indices(true)
            .map(|(found, _)| found)
            .find(|found| *found >= place)
            .unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types `|` as the caret: checks what `change` makes of the text.
    #[track_caller]
    fn check(before: &str, change: impl FnOnce(&mut Editor), after: &str) {
        let caret = before.find('|').unwrap();
        let mut editor = Editor { text: before.replace('|', ""), caret };
        change(&mut editor);
        let mut got = editor.text.clone();
        got.insert(editor.caret, '|');
        assert_eq!(got, after);
    }

    #[test]
    fn a_character_is_what_a_person_sees_as_one() {
        check("a👩‍👩‍👧|b", Editor::backspace, "a|b");
        check("你|好", Editor::delete, "你|");
        check("e\u{301}|", Editor::left, "|e\u{301}");
        check("|🇨🇳x", Editor::right, "🇨🇳|x");
        check("|", Editor::backspace, "|");
        check("|", Editor::delete, "|");
        check(
            "a|b",
            |editor| {
                editor.insert("\u{301}");
            },
            "a\u{301}|b",
        );
    }

    #[test]
    fn words_and_lines_are_deleted_as_in_a_shell() {
        check("use the OAuth |flow", Editor::delete_word, "use the |flow");
        check("one\ntwo three|", Editor::delete_to_start, "one\n|");
        check("o|ne\ntwo", Editor::delete_to_end, "o|\ntwo");
        check("one|\ntwo", Editor::delete_to_end, "one|two");
        check("one two|", Editor::word_left, "one |two");
        check("one| two", Editor::word_right, "one two|");
        check("one\ntw|o", Editor::home, "one\n|two");
        check("o|ne\ntwo", Editor::end, "one|\ntwo");
    }

    #[test]
    fn up_and_down_keep_the_column_where_they_can() {
        let up = |editor: &mut Editor| assert!(editor.up());
        let down = |editor: &mut Editor| assert!(editor.down());
        check("你好\nab|c", up, "你好|\nabc");
        check("a|bc\nx\n", down, "abc\nx|\n");
        check("abc\nx\n|", up, "abc\n|x\n");
        check("ab|c", |editor| assert!(!editor.up() && !editor.down()), "ab|c");
    }

    #[test]
    fn d10_pasted_control_characters_are_left_out_and_counted() {
        let mut editor = Editor::new("");
        let left_out = editor.insert("a\r\nb\rc\u{1b}[31m\u{7}\td");
        assert_eq!(editor.text(), "a\nb\nc[31m\td");
        assert_eq!(left_out.control_chars, 2);
        let left_out = editor.insert(&"x".repeat(EDITOR_CHARS_MAX));
        assert_eq!(left_out.too_many_chars, "a\nb\nc[31m\td".len());
    }
}
