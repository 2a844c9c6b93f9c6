//! The page `docs/wire.md` is the contract, so its examples are tried.

use askuser::wire::{self, Dialect};
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

#[test]
fn every_line_of_json_on_the_page_is_json() {
    assert!(examples(PAGE).len() >= 2 * Dialect::ALL.len());
}
