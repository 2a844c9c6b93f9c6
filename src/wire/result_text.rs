//! The text that a model reads as the result of its tool call (P4, O5).
//!
//! It says what happened and who answered, and nothing of our protocol: no status, no ids.

use askuser_core::outcome::{AnsweredBy, Ending, Outcome};
use askuser_core::question::Questions;

use super::joining::SPACED;
use super::line::{Line, lines};

/// After an answer that came through the agent's own dialog.
const DIALOG: &str =
    "(These answers came through the agent's own dialog: askuser did not see who gave them.)";

/// What the model reads when the deadline passed (O5).
pub const TIMEOUT: &str =
    "ask_user timeout: no response. Please decide whether to retry when the user sends a new message.";

/// A tool's result: its text, and whether it is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultText {
    /// The text.
    pub text: String,
    /// Whether the call failed: anything but an answer did.
    pub is_error: bool,
}

/// Writes the result of an ask that ended.
pub fn write(questions: &Questions, outcome: &Outcome) -> ResultText {
    let pairs = || pairs(questions, outcome);
    let because = || match &outcome.comment {
        Some(comment) => format!(": {comment}"),
        None => ".".to_owned(),
    };
    let (text, is_error) = match outcome.ending {
        Ending::Answered(AnsweredBy::Person) if outcome.agreed() == Some(false) => (
            format!(
                "The people whom you asked have answered, and they do not agree. {}. Do not pick one of their answers for them: ask again, or go on with what they agree on.",
                each_person(questions, outcome)
            ),
            false,
        ),
        Ending::Answered(AnsweredBy::Person) => (
            format!(
                "User has answered your questions: {}. You can now continue with the user's answers in mind.",
                pairs()
            ),
            false,
        ),
        // The same text to the byte (P4), and after it what the model cannot know otherwise.
        Ending::Answered(AnsweredBy::AgentDialog) => (
            format!(
                "User has answered your questions: {}. You can now continue with the user's answers in mind. {DIALOG}",
                pairs()
            ),
            false,
        ),
        Ending::Answered(AnsweredBy::Rule) => (
            format!(
                "A rule that the user set up has answered your questions: {}. You can now continue with the user's answers in mind.",
                pairs()
            ),
            false,
        ),
        Ending::Answered(AnsweredBy::Default) => (
            format!(
                "Nobody answered in time, so the defaults that you marked were taken: {}. You can now continue with these in mind.",
                pairs()
            ),
            false,
        ),
        Ending::Declined => (format!("The user declined to answer{}", because()), true),
        Ending::Withdrawn => {
            (format!("The question was withdrawn before it was answered{}", because()), true)
        }
        Ending::Expired { .. } => (TIMEOUT.to_owned(), true),
    };
    ResultText { text, is_error }
}

fn pairs(questions: &Questions, outcome: &Outcome) -> String {
    let pairs: Vec<String> =
        lines(questions, outcome).iter().filter(|line| line.answer.is_some()).map(pair).collect();
    pairs.join(", ")
}

/// What they agree on, and where they do not, what each of them said.
fn each_person(questions: &Questions, outcome: &Outcome) -> String {
    let mut said = vec![pairs(questions, outcome)];
    for question in questions.all() {
        if outcome.answers.to(&question.id).is_some() {
            continue;
        }
        for voice in &outcome.voices {
            let Some(answers) = &voice.answers else { continue };
            let line = Line { question, answer: answers.to(&question.id), top: false };
            if line.answer.is_some() {
                said.push(format!("{} said {}", voice.user, pair(&line)));
            }
        }
    }
    said.retain(|words| !words.is_empty());
    said.join(", ")
}

fn pair(line: &Line<'_>) -> String {
    let answer = if line.answered() { line.joined(SPACED) } else { "(skipped)".to_owned() };
    let note = line.note().map(|note| format!(" (note: {note})")).unwrap_or_default();
    format!("\"{}\"=\"{answer}\"{note}", line.question.text)
}
