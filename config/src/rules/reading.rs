//! Reads a file of rules; every fault of it at once, with its place.

use std::sync::Arc;

use askuser_core::time::Timestamp;
use serde_json::Value;

use super::made::{ASKED_BY, CONTENT};
use super::{Book, Matches, Otherwise, Pattern, PermissionRule, Rule, Wanted};
use crate::yaml::{self, Fault, Kind, Node};
use askuser_wire::time;

/// Rules of one file, at most.
const RULES_MAX: usize = 1000;

/// What may be said of a rule. The last three are of one that was made from an answer: told, and without
/// effect.
const RULE_KEYS: [&str; 10] =
    ["name", "match", "answer", "note", "permission", "user", "until", "id", "from", "made_at"];

const MATCH_KEYS: [&str; 11] = [
    "id", "header", "text", "question", "options", "template", "agent", "project", "folder", ASKED_BY,
    CONTENT,
];

/// Reads a file of rules.
pub fn read(text: &str) -> Result<Book, Vec<Fault>> {
    let node = yaml::parse(text).map_err(|fault| vec![fault])?;
    let mut reader = Reader { faults: Vec::new() };
    let book = reader.book(&node);
    if reader.faults.is_empty() {
        return Ok(book);
    }
    reader.faults.sort_by_key(|fault| fault.at);
    Err(reader.faults)
}

struct Reader {
    faults: Vec<Fault>,
}

impl Reader {
    fn book(&mut self, node: &Node) -> Book {
        self.only(node, &["otherwise", "answers", "rules"], "a file of rules");
        let mut book = Book { rules: Vec::new(), otherwise: self.otherwise(node) };
        if let Some(rules) = node.get("rules") {
            if !matches!(rules.kind, Kind::List(_)) {
                self.faults.push(rules.at.fault(format!("`rules` is {}, not a list", rules.what())));
            }
            book.rules.extend(rules.items().iter().filter_map(|rule| self.rule(rule)));
        }
        if let Some(answers) = node.get("answers") {
            if !matches!(answers.kind, Kind::Table(_)) {
                self.faults.push(answers.at.fault(format!("`answers` is {}, not a table", answers.what())));
            }
            // The short form: an id or a header, and the answer.
            book.rules.extend(answers.entries().iter().map(|(key, answer)| Rule {
                name: None,
                matches: Matches { key: key.text().map(str::to_owned), ..Matches::default() },
                answer: answer.json(),
                note: None,
                permission: None,
                user: None,
                until: None,
            }));
        }
        if book.rules.len() > RULES_MAX {
            self.faults.push(node.at.fault(format!("{} rules, {RULES_MAX} at most", book.rules.len())));
        }
        book
    }

    fn otherwise(&mut self, node: &Node) -> Option<Otherwise> {
        let said = node.get("otherwise")?;
        match said.text() {
            Some("ask") => Some(Otherwise::Ask),
            Some("fail") => Some(Otherwise::Fail),
            _ => {
                self.faults.push(said.at.fault("`otherwise` is neither `ask` nor `fail`"));
                None
            }
        }
    }

    fn rule(&mut self, node: &Node) -> Option<Rule> {
        self.only(node, &RULE_KEYS, "a rule");
        let Some(matched) = node.get("match") else {
            self.faults.push(node.at.fault("a rule without `match` would answer everything"));
            return None;
        };
        let Some(answer) = node.get("answer") else {
            self.faults.push(node.at.fault("a rule without `answer`; `answer: null` leaves a question out"));
            return None;
        };
        let permission = node.get("permission").map(|said| (said.at, said.json()));
        let permission = match permission {
            None => false,
            Some((_, Value::Bool(flag))) => flag,
            Some((at, _)) => {
                self.faults.push(at.fault("`permission` is neither true nor false"));
                false
            }
        };
        Some(Rule {
            name: self.word(node, "name"),
            matches: self.matches(matched),
            answer: answer.json(),
            note: self.word(node, "note"),
            permission: permission.then(|| Arc::new(PermissionRule::of(&node.json()))),
            user: self.word(node, "user"),
            until: self.until(node),
        })
    }

    /// A time that cannot be read must not make a rule that never ends.
    fn until(&mut self, node: &Node) -> Option<Timestamp> {
        let said = node.get("until")?;
        let read = said.text().and_then(time::read);
        if read.is_none() {
            self.faults.push(said.at.fault("`until` is no time: write it as 2026-12-31T00:00:00Z"));
        }
        read
    }

    fn matches(&mut self, node: &Node) -> Matches {
        self.only(node, &MATCH_KEYS, "`match`");
        if node.entries().is_empty() {
            self.faults.push(node.at.fault("`match` names nothing, so the rule would answer everything"));
        }
        let text = node.get("text").and_then(|pattern| {
            let Some(text) = pattern.text() else {
                self.faults.push(pattern.at.fault(format!("`text` is {}, not a pattern", pattern.what())));
                return None;
            };
            let read = Pattern::read(text);
            read.map_err(|why| self.faults.push(pattern.at.fault(format!("`text` {why}")))).ok()
        });
        Matches {
            key: None,
            id: self.word(node, "id"),
            header: self.word(node, "header"),
            text,
            question: self.word(node, "question"),
            options: self.words(node, "options"),
            template: self.word(node, "template"),
            agent: self.wanted(node, "agent"),
            project: self.wanted(node, "project"),
            folder: self.wanted(node, "folder"),
            asked_by: self.wanted(node, ASKED_BY),
            content: self.wanted(node, CONTENT),
        }
    }

    fn words(&mut self, node: &Node, name: &str) -> Option<Vec<String>> {
        let found = node.get(name)?;
        let words: Vec<String> =
            found.items().iter().filter_map(|item| item.text().map(str::to_owned)).collect();
        if !matches!(found.kind, Kind::List(_)) || words.len() != found.items().len() {
            self.faults.push(found.at.fault(format!("`{name}` is not a list of texts")));
        }
        Some(words)
    }

    /// `null` is an asker that says nothing.
    fn wanted(&mut self, node: &Node, name: &str) -> Wanted {
        match node.get(name) {
            None => Wanted::Anything,
            Some(said) if said.kind == Kind::Null => Wanted::Nothing,
            Some(_) => self.word(node, name).map_or(Wanted::Nothing, Wanted::Just),
        }
    }

    fn word(&mut self, node: &Node, name: &str) -> Option<String> {
        let found = node.get(name)?;
        if found.text().is_none() {
            self.faults.push(found.at.fault(format!("`{name}` is {}, not a text", found.what())));
        }
        found.text().map(str::to_owned)
    }

    /// A misspelt word must not make a rule wider than it was meant.
    fn only(&mut self, node: &Node, known: &[&str], what: &str) {
        if !matches!(node.kind, Kind::Table(_)) {
            self.faults.push(node.at.fault(format!("{what} is {}, not a table", node.what())));
        }
        for (key, _) in node.entries() {
            let name = key.text().unwrap_or_default();
            if !known.contains(&name) {
                let known = known.join(", ");
                self.faults.push(key.at.fault(format!("{what} knows no `{name}`, only {known}")));
            }
        }
    }
}
