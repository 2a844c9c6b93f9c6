//! Reads a file of rules; every fault of it at once, with its place.

use std::sync::Arc;

use askuser_core::time::Timestamp;
use askuser_words::config::Wrong;
use serde_json::Value;

use super::made::{ASKED_BY, CONTENT};
use super::{Book, Matches, Otherwise, Pattern, PermissionRule, Rule, Wanted};
use crate::said::{Fault, kind};
use crate::yaml::{self, Kind, Node, Place};
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
    let node = yaml::parse(text).map_err(|fault| vec![fault.into()])?;
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
    fn wrong<S: Into<String>>(&mut self, at: Place, say: impl Fn(Wrong) -> S) {
        self.faults.push(Fault::new(at, say));
    }

    /// A value is of another kind.
    fn not(&mut self, node: &Node, name: &str, wanted: fn(Wrong) -> &'static str) {
        self.wrong(node.at, |say| say.of(name, say.is_not(kind(node, say), wanted(say))));
    }

    fn book(&mut self, node: &Node) -> Book {
        self.only(node, &["otherwise", "answers", "rules"], Wrong::file_of_rules);
        let mut book = Book { rules: Vec::new(), otherwise: self.otherwise(node) };
        if let Some(rules) = node.get("rules") {
            if !matches!(rules.kind, Kind::List(_)) {
                self.not(rules, "rules", Wrong::list);
            }
            book.rules.extend(rules.items().iter().filter_map(|rule| self.rule(rule)));
        }
        if let Some(answers) = node.get("answers") {
            if !matches!(answers.kind, Kind::Table(_)) {
                self.not(answers, "answers", Wrong::table);
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
            let n = book.rules.len();
            self.wrong(node.at, |say| say.of("rules", say.too_many(n, RULES_MAX)));
        }
        book
    }

    fn otherwise(&mut self, node: &Node) -> Option<Otherwise> {
        let said = node.get("otherwise")?;
        match said.text() {
            Some("ask") => Some(Otherwise::Ask),
            Some("fail") => Some(Otherwise::Fail),
            _ => {
                self.wrong(said.at, Wrong::no_otherwise);
                None
            }
        }
    }

    fn rule(&mut self, node: &Node) -> Option<Rule> {
        self.only(node, &RULE_KEYS, Wrong::a_rule);
        let Some(matched) = node.get("match") else {
            self.wrong(node.at, Wrong::rule_without_match);
            return None;
        };
        let Some(answer) = node.get("answer") else {
            self.wrong(node.at, Wrong::rule_without_answer);
            return None;
        };
        let permission = node.get("permission").map(|said| (said.at, said.json()));
        let permission = match permission {
            None => false,
            Some((_, Value::Bool(flag))) => flag,
            Some((at, _)) => {
                self.wrong(at, Wrong::no_permission);
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
            self.wrong(said.at, Wrong::no_until);
        }
        read
    }

    fn matches(&mut self, node: &Node) -> Matches {
        self.only(node, &MATCH_KEYS, |_| "`match`");
        if node.entries().is_empty() {
            self.wrong(node.at, Wrong::empty_match);
        }
        let text = node.get("text").and_then(|pattern| {
            let Some(text) = pattern.text() else {
                self.not(pattern, "text", Wrong::pattern);
                return None;
            };
            let read = Pattern::read(text);
            read.map_err(|why| self.faults.push(Fault { at: pattern.at, what: why })).ok()
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
            self.not(found, name, Wrong::list_of_texts);
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
            self.not(found, name, Wrong::text);
        }
        found.text().map(str::to_owned)
    }

    /// A misspelt word must not make a rule wider than it was meant.
    fn only(&mut self, node: &Node, known: &[&str], what: fn(Wrong) -> &'static str) {
        if !matches!(node.kind, Kind::Table(_)) {
            self.wrong(node.at, |say| say.joined(what(say), say.is_not(kind(node, say), say.table())));
        }
        for (key, _) in node.entries() {
            let name = key.text().unwrap_or_default();
            if !known.contains(&name) {
                let known = known.join(", ");
                self.wrong(key.at, |say| say.knows_only(what(say), name, &known));
            }
        }
    }
}
