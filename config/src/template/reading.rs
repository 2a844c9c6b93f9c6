//! Reads a template and finds every fault of it, with its line and column.

use askuser_words::config::Wrong;
use askuser_words::{Both, Language, fault};
use serde_json::Value;

use super::filling::{Piece, pieces};
use super::project::Project;
use super::{BYTES_MAX, Template, Variable, filling};
use crate::said::{Fault, kind};
use crate::yaml::{self, Kind, Node, Place};
use askuser_wire as wire;

/// What a template has beside its ask.
const OWN: [&str; 2] = ["description", "variables"];
/// What a project says of itself.
const OF_PROJECT: [&str; 2] = ["git.branch", "git.changed"];

/// Reads a template; every fault of it at once.
pub fn read(text: &str) -> Result<Template, Vec<Fault>> {
    if text.len() > BYTES_MAX {
        return Err(vec![Fault::new(Place::START, |say| say.larger_than(BYTES_MAX / 1024))]);
    }
    let node = yaml::parse(text).map_err(|fault| vec![fault.into()])?;
    let mut faults = Vec::new();
    if !matches!(node.kind, Kind::Table(_)) {
        return Err(vec![Fault::new(node.at, |say| say.template_is(kind(&node, say)))]);
    }
    let template = Template {
        description: description(&node, &mut faults),
        variables: variables(&node, &mut faults),
        ask: ask(&node),
    };
    places(&template.ask, &template, text, &mut faults);
    faults.extend(faults_of_ask(&template));
    if faults.is_empty() {
        return Ok(template);
    }
    faults.sort_by_key(|fault| fault.at);
    Err(faults)
}

fn description(node: &Node, faults: &mut Vec<Fault>) -> Option<String> {
    let found = node.get("description")?;
    // A bare question has a description of its own kind: a text as well, and shown.
    if found.text().is_none() {
        faults.push(not(found, "description", Wrong::text));
    }
    found.text().map(str::to_owned)
}

/// `variables: {name: default}`, or `{name: {description, default}}`; nothing means that it must be said.
fn variables(node: &Node, faults: &mut Vec<Fault>) -> Vec<Variable> {
    let Some(found) = node.get("variables") else { return Vec::new() };
    if !matches!(found.kind, Kind::Table(_) | Kind::Null) {
        faults.push(not(found, "variables", Wrong::table));
    }
    let mut variables = Vec::new();
    for (key, said) in found.entries() {
        let name = key.text().unwrap_or_default().to_owned();
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(letter) {
            faults.push(Fault::new(key.at, |say| say.no_variable_name(&name)));
        }
        let mut variable = Variable { name, description: None, default: None };
        match &said.kind {
            Kind::Null => {}
            Kind::Table(entries) => {
                for (key, value) in entries {
                    match key.text().unwrap_or_default() {
                        "description" => variable.description = value.text().map(str::to_owned),
                        "default" => variable.default = scalar(value, faults),
                        other => faults.push(Fault::new(key.at, |say| {
                            say.knows_only(say.a_variable(), other, "description, default")
                        })),
                    }
                }
            }
            _ => variable.default = scalar(said, faults),
        }
        variables.push(variable);
    }
    variables
}

fn not(node: &Node, name: &str, wanted: fn(Wrong) -> &'static str) -> Fault {
    Fault::new(node.at, |say| say.of(name, say.is_not(kind(node, say), wanted(say))))
}

fn scalar(node: &Node, faults: &mut Vec<Fault>) -> Option<String> {
    match &node.kind {
        Kind::Text(text) => Some(text.clone()),
        Kind::Bool(_) | Kind::Number(_) => Some(node.json().to_string()),
        Kind::Null => None,
        Kind::List(_) | Kind::Table(_) => {
            faults.push(Fault::new(node.at, |say| say.default_is(kind(node, say))));
            None
        }
    }
}

fn ask(node: &Node) -> Node {
    let is_own = |key: &Node| key.text().is_some_and(|name| OWN.contains(&name));
    let entries = node.entries().iter().filter(|(key, _)| !is_own(key)).cloned().collect();
    Node { at: node.at, kind: Kind::Table(entries) }
}

/// Finds places that nothing fills.
fn places(node: &Node, template: &Template, text: &str, faults: &mut Vec<Fault>) {
    match &node.kind {
        Kind::Text(filled) => {
            for piece in pieces(filled) {
                match piece {
                    Piece::Open(_) => faults.push(Fault::new(spot(text, node.at, "{{"), |say| {
                        say.open_braces("{{", "}}", "{{{{")
                    })),
                    Piece::Place(name, _) if !is_filled(name, template) => {
                        let names: Vec<&str> =
                            template.variables.iter().map(|known| known.name.as_str()).collect();
                        let known = [&names[..], &OF_PROJECT, &["file:PATH"]].concat().join(", ");
                        let at = spot(text, node.at, name);
                        faults
                            .push(Fault::new(at, |say| say.nothing_fills(format!("{{{{{name}}}}}"), &known)));
                    }
                    Piece::Text(_) | Piece::Braces | Piece::Place(..) => {}
                }
            }
        }
        Kind::List(items) => items.iter().for_each(|item| places(item, template, text, faults)),
        Kind::Table(entries) => entries.iter().for_each(|(_, value)| places(value, template, text, faults)),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => {}
    }
}

fn is_filled(name: &str, template: &Template) -> bool {
    let is_variable = template.variables.iter().any(|variable| variable.name == name);
    is_variable
        || OF_PROJECT.contains(&name)
        || name.strip_prefix("file:").is_some_and(|path| !path.trim().is_empty())
}

/// Where a word stands in the file, at or below a place.
fn spot(text: &str, from: Place, word: &str) -> Place {
    for (idx, line) in text.lines().enumerate() {
        let number = u64::try_from(idx).unwrap_or_default() + 1;
        if number < from.line {
            continue;
        }
        let skipped = if number == from.line { usize::try_from(from.column).unwrap_or(1) - 1 } else { 0 };
        let start: usize = line.chars().take(skipped).map(char::len_utf8).sum();
        if let Some(at) = line.get(start..).and_then(|rest| rest.find(word)) {
            let column = line.get(..start + at).map_or(0, |before| before.chars().count());
            return Place { line: number, column: u64::try_from(column).unwrap_or_default() + 1 };
        }
    }
    from
}

/// What is wrong with the ask itself, each place filled with a word.
fn faults_of_ask(template: &Template) -> Vec<Fault> {
    let value = |name: &str| {
        let variable = template.variables.iter().find(|variable| variable.name == name);
        variable.and_then(|variable| variable.default.clone()).or_else(|| Some("x".to_owned()))
    };
    let ask = filling::fill(&template.ask, &value, &Sample).unwrap_or(Value::Null);
    let dialect = wire::recognise(&ask);
    let problems = wire::read(dialect, &ask).check().err().unwrap_or_default();
    problems
        .into_iter()
        .map(|problem| {
            let what = |language: Language| fault::fault(&problem.fault, language);
            Fault::new(template.ask.place_of(&problem.path), |say| say.in_file(&problem.path, what(say.0)))
        })
        .collect()
}

/// A project of which every word is the same.
struct Sample;

impl Project for Sample {
    fn branch(&self) -> Result<String, Both> {
        Ok("x".to_owned())
    }

    fn changed(&self) -> Result<String, Both> {
        Ok("x".to_owned())
    }

    fn file(&self, _: &str) -> Result<String, Both> {
        Ok("x".to_owned())
    }
}
