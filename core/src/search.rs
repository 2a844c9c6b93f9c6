//! Finding asks by what can be read in them (P15).

use crate::asker::Asker;
use crate::outcome::Outcome;
use crate::question::Questions;

/// What is looked for: every word of it, in any order, whatever its case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search(Vec<String>);

impl Search {
    /// Takes the words of a text.
    pub fn new(text: &str) -> Self {
        Self(text.split_whitespace().map(str::to_lowercase).collect())
    }

    /// Whether nothing is looked for, and so everything is found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text from [`readable`] is found.
    pub fn finds(&self, readable: &str) -> bool {
        self.0.iter().all(|word| readable.contains(word))
    }
}

/// Returns everything that can be read of an ask, in lower case: who asks, why, what, and how it
/// ended. What was answered to a secret question cannot be read.
pub fn readable(
    asker: &Asker,
    context: Option<&str>,
    questions: &Questions,
    outcome: Option<&Outcome>,
) -> String {
    let mut text = String::new();
    let mut read = |part: Option<&str>| {
        if let Some(part) = part {
            text.extend(part.chars().flat_map(char::to_lowercase));
            text.push('\n');
        }
    };
    for part in [&asker.agent, &asker.project, &asker.folder] {
        read(part.as_deref());
    }
    read(context);
    for question in questions.all() {
        read(question.header.as_deref());
        read(Some(&question.text));
        read(question.description.as_deref());
        for choice in &question.choices {
            read(Some(&choice.label));
        }
        let answer = outcome.and_then(|outcome| outcome.answers.to(&question.id));
        if let Some(answer) = answer.filter(|_| !question.secret) {
            read(answer.text.as_deref());
            read(answer.note.as_deref());
        }
    }
    if let Some(outcome) = outcome {
        read(outcome.comment.as_deref());
        read(outcome.by.user.as_ref().map(crate::id::UserId::as_str));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_must_be_there_in_any_order_and_case() {
        let check = |text: &str, expected: bool| {
            let found = Search::new(text).finds("claude-code\nwhich database?\npostgresql\n数据库");
            assert_eq!(found, expected, "{text}");
        };
        check("", true);
        check("Database CLAUDE", true);
        check("数据库", true);
        check("database oracle", false);
        assert!(Search::new("  ").is_empty());
    }

    #[test]
    fn an_ask_is_read_with_its_asker_and_its_context() {
        let asker = Asker { agent: Some("Codex".into()), project: Some("Shop".into()), folder: None };
        let questions = Questions::remembered(Vec::new());
        assert_eq!(readable(&asker, Some("Why"), &questions, None), "codex\nshop\nwhy\n");
    }
}
