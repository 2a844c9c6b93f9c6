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

/// What it reads where the asker wanted the task to end then (O4).
pub const TIMEOUT_ABORTS: &str = "ask_user timeout: no response. This aborts the task: stop now, do not retry, and tell the user that nobody answered.";

/// A tool's result: its text, and whether it is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultText {
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
        Ending::Answered(AnsweredBy::Collected) => (
            format!(
                "Nothing was asked: you brought these answers along: {}. You can now continue with these in mind.",
                pairs()
            ),
            false,
        ),
        Ending::Declined => (format!("The user declined to answer{}", because()), true),
        Ending::Withdrawn => {
            (format!("The question was withdrawn before it was answered{}", because()), true)
        }
        Ending::Expired { abort: true, .. } => (TIMEOUT_ABORTS.to_owned(), true),
        Ending::Expired { abort: false, .. } => (TIMEOUT.to_owned(), true),
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
    let answer = if line.answered() { escaped(line) } else { "(skipped)".to_owned() };
    let note = line.note().map(|note| format!(" (note: {note})")).unwrap_or_default();
    format!("\"{}\"=\"{answer}\"{note}", line.question.text)
}

/// What was answered, as it stands between the quotes: a quote in the person's own words must not end them.
fn escaped(line: &Line<'_>) -> String {
    let joined = line.joined(SPACED);
    let written = line.answer.and_then(|answer| answer.text.as_deref()).unwrap_or_default();
    if written.contains('"') || written.ends_with('\\') {
        joined.replace('\\', "\\\\").replace('"', "\\\"")
    } else {
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, read};
    use askuser_core::answer::{Answer, Answers};
    use askuser_core::outcome::{By, CancelStatus, Channel, Proof};
    use askuser_core::time::Timestamp;
    use serde_json::json;

    fn written(ending: Ending, text: &str) -> String {
        let ask = json!({"question_id": "q", "question_text": "Which DB?", "type": "text"});
        let (questions, _) = read(Dialect::Push, &ask).check().unwrap();
        let answer = Answer {
            question: "q".into(),
            parent: None,
            picked: Vec::new(),
            text: Some(text.to_owned()),
            note: None,
            skipped: false,
            collected: false,
        };
        let by = By::new(None, Channel::Server, Proof::Server);
        let (answers, voices) = (Answers(vec![answer]), Vec::new());
        write(&questions, &Outcome { ending, by, at: Timestamp(0), comment: None, answers, voices }).text
    }

    #[test]
    fn a_quote_in_an_answer_does_not_end_it() {
        let told = |text| written(Ending::Answered(AnsweredBy::Person), text);
        assert!(
            told("MySQL, because we \"have\" it").contains(r#""Which DB?"="MySQL, because we \"have\" it"."#)
        );
        assert!(told(r"C:\").contains(r#"="C:\\"."#));
        assert!(told(r#"a\"b"#).contains(r#"="a\\\"b"."#));
        // The text of P4 to the byte.
        assert!(told(r"C:\x it's").contains(r#"="C:\x it's"."#));
    }

    /// O4: a timeout that ends the task reads differently from one that may be tried again.
    #[test]
    fn o4_a_timeout_that_aborts_says_so() {
        let told = |abort| written(Ending::Expired { told_as: CancelStatus::Timeout, abort }, "x");
        assert_eq!(told(false), TIMEOUT);
        assert!(told(true).starts_with("ask_user timeout: no response. ") && told(true).contains("stop now"));
    }
}
