//! What an ask is about, in one line.

use crate::ask::Ask;
use crate::question::Questions;

/// A question has so many characters at least; "Sure?" may be a label.
const QUESTION_CHARS_MIN: usize = 12;
/// A label has fewer characters than this.
const SENTENCE_CHARS_MIN: usize = 40;

impl Ask {
    /// Returns what it is about, on one line.
    pub fn headline(&self) -> String {
        self.questions.headline(self.terms.context.as_deref())
    }
}

impl Questions {
    /// Returns what is asked, on one line, for where an ask has no more room than that.
    pub fn headline(&self, context: Option<&str>) -> String {
        headline(self.top().first().map_or("", |question| question.text.as_str()), context)
    }
}

/// Returns what an ask is about whose first question has this text. A short one may be no more than the
/// label of a form's field ("Confirm"): then what the ask is about comes before it.
pub fn headline(text: &str, context: Option<&str>) -> String {
    let about = context.and_then(first_line).filter(|_| !asks_by_itself(text));
    let line = about.map_or_else(|| text.to_owned(), |about| format!("{about} · {text}"));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a text says what it asks without anything beside it.
fn asks_by_itself(text: &str) -> bool {
    let n_chars = text.chars().count();
    n_chars >= SENTENCE_CHARS_MIN || (text.contains(['?', '？', '؟']) && n_chars >= QUESTION_CHARS_MIN)
}

/// The first line of a Markdown text that has words in it, without the marks.
fn first_line(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("```"));
    let mut worded = lines.filter(|line| line.chars().any(char::is_alphanumeric));
    let line = worded.next()?.trim_start_matches(['#', '>', '-', ' ', '\t']);
    Some(unmarked(line.strip_prefix("* ").unwrap_or(line)))
}

/// A line of Markdown without the marks of emphasis and code; what stands in code is kept as it is.
fn unmarked(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    // Marks come in pairs: one that is left over is meant.
    let is_code = |place: usize| place % 2 == 1 && place + 1 < parts.len();
    let mut text = String::new();
    for (place, part) in parts.iter().enumerate() {
        if place > 0 && place % 2 == 1 && !is_code(place) {
            text.push('`');
        }
        if is_code(place) { text.push_str(part) } else { text.push_str(&without_emphasis(part)) }
    }
    text
}

/// Takes out `**`, `*`, `__`, `_` and `~~` where they begin or end words; `2 * 3` and `snake_case` stay.
fn without_emphasis(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['*', '_', '~']) {
        let (before, from) = rest.split_at(start);
        let mark = from.chars().next().unwrap_or_default();
        let after = from.trim_start_matches(mark);
        let run = &from[..from.len() - after.len()];
        let is_word = |c: char| !c.is_whitespace();
        let (left, right) = (before.chars().next_back(), after.chars().next());
        let alone = !left.is_some_and(is_word) && right.is_none_or(|c| !is_word(c));
        let inside = left.is_some_and(char::is_alphanumeric) && right.is_some_and(char::is_alphanumeric);
        kept.push_str(before);
        if alone || inside || (mark == '~' && run.len() != 2) {
            kept.push_str(run);
        }
        rest = after;
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "**Bold** and `code`" was told as "Bold** and `code`".
    #[test]
    fn a_line_of_markdown_is_told_without_its_marks() {
        for (written, told) in [
            ("**Bold** and `code`", "Bold and code"),
            ("* a _soft_ word, ~~gone~~", "a soft word, gone"),
            ("> ***Both*** of `*.rs` and `snake_case`", "Both of *.rs and snake_case"),
            ("2 * 3, a*b, snake_case and ~5", "2 * 3, a*b, snake_case and ~5"),
            ("It's a ` alone", "It's a ` alone"),
        ] {
            assert_eq!(first_line(written).as_deref(), Some(told));
        }
    }

    #[test]
    fn a_headline_is_never_only_the_label_of_a_field() {
        let about = Some("## Delete the database?\n\n14 backups");
        assert_eq!(headline("Confirm", about), "Delete the database? · Confirm");
        assert_eq!(headline("Sure?", about), "Delete the database? · Sure?");
        assert_eq!(headline("确认", Some("```\n\n删除数据库？\n")), "删除数据库？ · 确认");
        assert_eq!(headline("Confirm", None), "Confirm");
        assert_eq!(headline("Confirm", Some("---\n")), "Confirm");
        let sentence = "Choose the database of the shop; it cannot be changed later.";
        assert_eq!(headline(sentence, Some("(asked by `db`)")), sentence);
        assert_eq!(headline("Deploy to\nproduction now?", about), "Deploy to production now?");
    }
}
