//! Places in a template: `{{name}}`, `{{git.branch}}`, `{{git.changed}}`, `{{file:path}}`; and
//! `{{{{` for two braces that are meant as such.

use askuser_words::Both;
use serde_json::{Map, Value};

use super::project::Project;
use crate::yaml::{Kind, Node};

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// As it stands there.
    Text(&'a str),
    /// Two braces.
    Braces,
    /// A place, by what stands between its braces; and where it begins in the text, in bytes.
    Place(&'a str, usize),
    /// Two braces that nothing closes, and where.
    Open(usize),
}

/// Takes a text apart.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        let (before, from) = rest.split_at(at);
        pieces.push(Piece::Text(before));
        let place = text.len() - from.len();
        if let Some(after) = from.strip_prefix("{{{{") {
            pieces.push(Piece::Braces);
            rest = after;
        } else if let Some((inside, after)) = from.strip_prefix("{{").and_then(|from| from.split_once("}}")) {
            pieces.push(Piece::Place(inside.trim(), place));
            rest = after;
        } else {
            pieces.push(Piece::Open(place));
            return pieces;
        }
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

/// Fills every text of a value; says what the project does not tell.
pub(super) fn fill(
    node: &Node,
    value: &dyn Fn(&str) -> Option<String>,
    project: &dyn Project,
) -> Result<Value, Both> {
    Ok(match &node.kind {
        Kind::Text(text) => Value::String(fill_text(text, value, project)?),
        Kind::List(items) => {
            let items: Result<Vec<Value>, Both> =
                items.iter().map(|item| fill(item, value, project)).collect();
            Value::Array(items?)
        }
        Kind::Table(entries) => {
            let mut fields = Map::new();
            for (key, item) in entries {
                fields.insert(key.text().unwrap_or_default().to_owned(), fill(item, value, project)?);
            }
            Value::Object(fields)
        }
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => node.json(),
    })
}

fn fill_text(
    text: &str,
    value: &dyn Fn(&str) -> Option<String>,
    project: &dyn Project,
) -> Result<String, Both> {
    let mut filled = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => filled.push_str(text),
            Piece::Braces | Piece::Open(_) => filled.push_str("{{"),
            Piece::Place("git.branch", _) => filled.push_str(&project.branch()?),
            Piece::Place("git.changed", _) => filled.push_str(&project.changed()?),
            Piece::Place(name, _) => match name.strip_prefix("file:") {
                Some(path) => filled.push_str(&project.file(path.trim())?),
                None => filled.push_str(&value(name).unwrap_or_default()),
            },
        }
    }
    Ok(filled)
}
