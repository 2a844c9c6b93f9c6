//! How a question in a transcript ended, as far as its result tells.
//!
//! Nobody is spoken for: where the result does not say that the person answered or said no, the
//! ending stays unknown, and the result is shown beside the question as it is.

use std::borrow::Cow;

use askuser_core::answer::{Answer, Answers};
use askuser_core::entry::Entry;
use askuser_core::id::QuestionId;
use askuser_core::outcome::{AnsweredBy, By, CancelStatus, Channel, Ending, Outcome, Proof};
use askuser_core::question::{Question, Questions};
use askuser_core::time::Timestamp;
use serde_json::Value;

use super::super::joining::{Offer, SPACED};
use super::super::line::{entry, placed};
use super::super::{claude, outcome};
use super::message::{Ended, cut};

/// What a call's result says.
pub(super) struct Told<'a> {
    /// The text that the model read.
    pub(super) text: &'a str,
    /// Whether the call failed.
    pub(super) is_error: bool,
    /// What the program kept beside it.
    pub(super) kept: &'a Value,
    pub(super) at: Option<Timestamp>,
}

/// Returns how the questions ended; none where the result does not tell.
pub(super) fn read(questions: &Questions, told: &Told<'_>) -> Option<Ended> {
    // Our own export says everything.
    if let Some(Ok(whole)) = told.kept.get("outcome").map(outcome::read) {
        return Some(bounded(Ended::from(whole)));
    }
    let ending = ending(told)?;
    let entries = entries(questions, told);
    let comment = match ending {
        Ending::Declined => said_with_it(told.text),
        _ => told.kept.get("response").and_then(Value::as_str).map(str::to_owned),
    };
    if ending == Ending::Answered(AnsweredBy::AgentDialog) && entries.is_empty() && comment.is_none() {
        return None;
    }
    let by = By::new(None, Channel::AgentDialog, Proof::AgentDialog);
    let answers = Answers(answers(questions, &entries));
    let at = told.at.unwrap_or(Timestamp(0));
    let outcome = Outcome { ending, by, at, comment, answers, voices: Vec::new() };
    Some(bounded(Ended { outcome, timed: told.at.is_some() }))
}

fn ending(told: &Told<'_>) -> Option<Ending> {
    let word = |key: &str| told.kept.get(key).and_then(Value::as_str).unwrap_or_default();
    let expired = Ending::Expired { told_as: CancelStatus::Timeout, abort: false };
    match (word("status"), word("reason")) {
        ("cancelled", "user") => return Some(Ending::Declined),
        ("cancelled", "system") => return Some(Ending::Withdrawn),
        ("timeout" | "cancelled", _) => return Some(expired),
        ("answered", "timeout") => return Some(Ending::Answered(AnsweredBy::Default)),
        _ => {}
    }
    // It went on by itself when nobody came.
    if told.kept.get("afkTimeoutMs").is_some_and(Value::is_number) {
        return Some(expired);
    }
    let rejected = told.kept.as_str().is_some_and(|kept| kept.contains("User rejected tool use"));
    if rejected || told.text.starts_with("The user doesn't want to ") {
        return Some(Ending::Declined);
    }
    (!told.is_error).then_some(Ending::Answered(AnsweredBy::AgentDialog))
}

/// Returns what the person wrote when they said no.
fn said_with_it(text: &str) -> Option<String> {
    let (_, said) = text.split_once("the user said:")?;
    let said = said.trim();
    (!said.is_empty()).then(|| said.to_owned())
}

/// Returns what was put down: as the program kept it, else as the model read it.
fn entries(questions: &Questions, told: &Told<'_>) -> Vec<(QuestionId, Entry)> {
    let kept = claude::read_reply(questions, told.kept).unwrap_or_default();
    if !kept.is_empty() {
        return kept;
    }
    let placed = placed(questions);
    let found = placed.iter().filter_map(|question| {
        let answer = quoted(told.text, question, &placed)?;
        let parts = Offer::of(question).split(SPACED, &answer);
        Some((question.id.clone(), entry(question, parts)))
    });
    found.filter(|(_, entry)| *entry != Entry::default()).collect()
}

/// Finds `"question"="answer"` in the text of a result. Nothing in it is escaped, so the answer
/// ends where the next question, a note or the end of the sentence begins.
fn quoted<'a>(text: &'a str, question: &Question, all: &[&Question]) -> Option<Cow<'a, str>> {
    let begins = format!("\"{}\"=\"", question.text);
    let (_, rest) = text.split_once(&begins)?;
    let next = all.iter().filter(|other| other.id != question.id);
    let next = next.map(|other| format!("\", \"{}\"=\"", other.text));
    let ends = ["\". You can now ", "\" (note: ", "\" selected preview:", "\" user notes:"];
    let ends = ends.into_iter().map(str::to_owned).chain(next);
    let end = ends.filter_map(|end| rest.find(&end)).min().or_else(|| rest.rfind('"'))?;
    rest.get(..end).filter(|answer| *answer != "(skipped)").map(unescaped)
}

/// Our own texts escape quotes, those of other programs do not: where none is bare, all are escaped.
fn unescaped(answer: &str) -> Cow<'_, str> {
    if !answer.contains("\\\"") && !answer.ends_with(r"\\") {
        return answer.into();
    }
    let mut plain = String::new();
    let mut letters = answer.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return answer.into(),
            '\\' => plain.extend(letters.next()),
            _ => plain.push(letter),
        }
    }
    plain.into()
}

/// Returns an answer to each question at the top level, and to the others where they have one.
fn answers(questions: &Questions, entries: &[(QuestionId, Entry)]) -> Vec<Answer> {
    let n_top = questions.top().len();
    let placed = placed(questions).into_iter().enumerate();
    placed
        .filter_map(|(question_idx, question)| {
            let entry = entries.iter().find(|(id, _)| *id == question.id).map(|(_, entry)| entry);
            if entry.is_none() && question_idx >= n_top {
                return None;
            }
            let given = entry.cloned().unwrap_or_default();
            let skipped = given.picked.is_empty() && given.text.is_none();
            Some(Answer {
                question: question.id.clone(),
                parent: None,
                picked: given.picked,
                text: given.text,
                note: given.note,
                skipped,
                collected: false,
            })
        })
        .collect()
}

/// Cuts every text in it: a result may be as long as its line.
fn bounded(mut ended: Ended) -> Ended {
    let short = |text: Option<String>| text.map(|text| cut(text).0);
    let outcome = &mut ended.outcome;
    outcome.comment = short(outcome.comment.take());
    for answer in &mut outcome.answers.0 {
        answer.text = short(answer.text.take());
        answer.note = short(answer.note.take());
    }
    ended
}
