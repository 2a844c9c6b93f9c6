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

/// The first line of a Markdown text that has words in it.
fn first_line(text: &str) -> Option<&str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("```"));
    let mut worded = lines.filter(|line| line.chars().any(char::is_alphanumeric));
    worded.next().map(|line| line.trim_start_matches(['#', '>', '*', '-', ' ', '\t']))
}

#[cfg(test)]
mod tests {
    use super::*;

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
