//! The page `docs/wire.md` is the contract, so its examples are tried.

use std::sync::Arc;

use askuser_core::entry::Entry;
use askuser_core::outcome::{AnsweredBy, By, Channel, Ending, Outcome, Proof};
use askuser_core::problem::{Fault, Problem};
use askuser_core::sheet::Sheet;
use askuser_core::time::Timestamp;
use askuser_wire::failure::Failure;
use askuser_wire::{self as wire, Dialect};
use askuser_words::Language;
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/wire.md");

fn examples(section: &str) -> Vec<Value> {
    section
        .split("```json\n")
        .skip(1)
        .map(|rest| {
            let text = rest.split("```").next().unwrap();
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
        })
        .collect()
}

#[test]
fn every_dialect_has_an_ask_and_a_reply_on_the_page_and_both_are_read() {
    for dialect in Dialect::ALL {
        let title = format!("\n### `{}`", dialect.name());
        let section = PAGE.split(&title).nth(1).unwrap_or_else(|| panic!("{title}"));
        let section = section.split("\n### ").next().unwrap();
        let examples = examples(section);
        let [ask, reply, ..] = examples.as_slice() else {
            panic!("{title} has too few examples");
        };
        assert_eq!(wire::recognise(ask), dialect, "{ask}");
        let (questions, _) = wire::read(dialect, ask).check().unwrap();
        let entries = wire::read_reply(dialect, &questions, reply).unwrap();
        assert_eq!(entries.len(), questions.top().len(), "{reply}");
    }
}

/// P4: the tool call on the page, and its result.
#[test]
fn p4_the_tool_call_on_the_page_is_answered_as_the_page_says() {
    let section = PAGE.split("\n## Tool calls").nth(1).unwrap().split("\n## ").next().unwrap();
    let examples = examples(section);
    let [call, result] = examples.as_slice() else { panic!("a call and its result") };
    assert_eq!(wire::recognise(call), Dialect::ToolUse);
    let (questions, terms) = wire::read(Dialect::ToolUse, call).check().unwrap();
    let entries = [(questions.top()[0].id.clone(), "poem")]
        .map(|(id, choice)| (id, Entry { picked: vec![choice.into()], ..Entry::default() }));
    let sheet = Sheet::filled(Arc::new(questions.clone()), entries).unwrap();
    let outcome = Outcome {
        ending: Ending::Answered(AnsweredBy::Person),
        by: By::new(None, Channel::Web, Proof::Cookie),
        at: Timestamp(0),
        comment: None,
        answers: sheet.answers().unwrap(),
        voices: Vec::new(),
    };
    assert_eq!(wire::write(Dialect::ToolUse, &questions, &terms, &outcome), *result);
    for dialect in Dialect::ENVELOPES {
        assert!(section.contains(&format!("| `{}` |", dialect.name())), "{}", dialect.name());
    }
}

/// P9: the failure on the page is the one that the product tells.
#[test]
fn p9_the_failure_on_the_page_is_told_so() {
    let section = PAGE.split("\n## Failures").nth(1).unwrap().split("\n## ").next().unwrap();
    let problem = Problem::new("questions[0].header", Fault::TooManyChars { max: 12, got: 14 });
    let told = Failure::invalid_question(vec![problem]).write(Language::English);
    assert_eq!(examples(section), [told]);
}

#[test]
fn every_line_of_json_on_the_page_is_json() {
    assert!(examples(PAGE).len() >= 2 * Dialect::ALL.len());
}
