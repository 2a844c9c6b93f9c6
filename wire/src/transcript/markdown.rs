//! A conversation as a page to read: Markdown, a heading a round.

use std::fmt::Write as _;

use askuser_core::outcome::Outcome;
use askuser_core::question::{Question, Questions};

use super::message::{Asked, Message, Said, Speaker};
use crate::line::lines;
use crate::time;

/// Writes messages one after another, whatever their number.
#[derive(Debug, Default)]
pub struct Markdown {
    round: Option<u32>,
}

impl Markdown {
    /// Writes the heading of a whole conversation.
    pub fn title(title: &str) -> String {
        format!("# {}\n", title.replace(['\n', '\r'], " "))
    }

    /// Writes a message, and the heading of its round where it is the first of it.
    pub fn message(&mut self, message: &Message) -> String {
        let mut text = String::new();
        if self.round.replace(message.round) != Some(message.round) {
            add(&mut text, format_args!("\n## Round {}\n", message.round));
        }
        let at = message.at.map(|at| format!(" · {}", time::write(at))).unwrap_or_default();
        let said = match &message.said {
            Said::Text { by: Speaker::Person, text } => format!("**Person**{at}\n\n{}", quoted(text)),
            Said::Text { by: Speaker::Agent, text } => format!("**Agent**{at}\n\n{text}"),
            Said::Thinking(text) => format!("**Thinking**{at}\n\n{}", quoted(text)),
            Said::ToolUse { name, input, succeeded } => {
                let end = match succeeded {
                    Some(true) => " · succeeded",
                    Some(false) => " · failed",
                    None => "",
                };
                format!("**Tool** {}{end}{at}\n\n{}", code(name), fenced("json", input))
            }
            Said::ToolResult { name, text, is_error } => {
                let name = name.as_deref().map(|name| format!(" {}", code(name))).unwrap_or_default();
                let end = if *is_error { " · failed" } else { "" };
                format!("**Result**{name}{end}{at}\n\n{}", fenced("", text))
            }
            Said::Error(text) => format!("**Error**{at}\n\n{}", fenced("", text)),
            Said::Complete(text) => format!("**Done**{at}\n\n{text}"),
            Said::Notice(text) => format!("**Notice**{at}\n\n{}", quoted(text)),
            Said::Ask(asked) => format!("**Question**{at}\n\n{}", asked_text(asked)),
        };
        add(&mut text, format_args!("\n{}\n", said.trim_end()));
        if message.cut_bytes > 0 {
            add(&mut text, format_args!("\n*{} more bytes are not shown.*\n", message.cut_bytes));
        }
        text
    }
}

fn asked_text(asked: &Asked) -> String {
    let mut text = String::new();
    let outcome = asked.ended.as_ref().map(|ended| &ended.outcome);
    for question in shown(&asked.questions, outcome) {
        let header = question.header.as_deref().map(|header| format!("**{header}** · ")).unwrap_or_default();
        add(&mut text, format_args!("- {header}{}\n", indented(&question.text)));
        let answer = outcome.and_then(|outcome| outcome.answers.to(&question.id));
        for choice in &question.choices {
            let picked = answer.is_some_and(|answer| answer.picked.contains(&choice.id));
            let mark = if picked { 'x' } else { ' ' };
            let more = choice.description.as_deref().filter(|more| !more.is_empty());
            let more = more.map(|more| format!(": {}", indented(more))).unwrap_or_default();
            add(&mut text, format_args!("  - [{mark}] {}{more}\n", indented(&choice.label)));
        }
        if let Some(answer) = answer {
            let written = [("Answer", &answer.text), ("Note", &answer.note)];
            for (what, words) in written.into_iter().filter_map(|(what, words)| Some((what, words.as_ref()?)))
            {
                add(&mut text, format_args!("  - {what}: {}\n", indented(words)));
            }
            if answer.skipped {
                text.push_str("  - (skipped)\n");
            }
        }
    }
    text.push('\n');
    match outcome {
        Some(outcome) => text.push_str(&ending(outcome)),
        None => text.push_str("*Not known to be answered.*"),
    }
    text
}

/// Returns the questions that were on the path; all at the top level where nothing was answered.
fn shown<'a>(questions: &'a Questions, outcome: Option<&'a Outcome>) -> Vec<&'a Question> {
    match outcome {
        Some(outcome) => {
            let lines = lines(questions, outcome).into_iter();
            lines.filter(|line| line.top || line.answer.is_some()).map(|line| line.question).collect()
        }
        None => questions.top().iter().collect(),
    }
}

fn ending(outcome: &Outcome) -> String {
    let by = outcome.by.user.as_ref().map(|user| format!(" by {user}")).unwrap_or_default();
    let how = outcome.answered_by().filter(|by| *by != "person").map(|by| format!(", by {by}"));
    let (how, channel) = (how.unwrap_or_default(), outcome.by.channel.name());
    let comment = outcome.comment.as_ref().map(|words| format!("\n\n{}", quoted(words))).unwrap_or_default();
    format!("*{} ({}){by} via {channel}{how}*{comment}", outcome.status(), outcome.reason())
}

/// A text of a person or a program: a quote, so that nothing in it becomes a heading of the page.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

/// A text in an item of a list: its further lines belong to the item.
fn indented(text: &str) -> String {
    text.trim_end().replace('\n', "\n    ")
}

/// A fence longer than any in the text.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end_matches('\n'))
}

fn code(name: &str) -> String {
    format!("`{}`", name.replace(['`', '\n'], "'"))
}

fn add(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _written = text.write_fmt(words);
}
