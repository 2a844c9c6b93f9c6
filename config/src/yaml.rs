//! YAML as people write it, with where each value stands, so that a fault can be found.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::Spanned;

/// Values that may stand in for others (`*name`), at most.
const REPLAYED_MAX: usize = 20_000;

/// Where something stands in a file, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub line: u64,
    pub column: u64,
}

/// What is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {what}", .at.line, .at.column)]
pub struct NotYaml {
    pub at: Place,
    pub what: String,
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands.
    pub at: Place,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Nothing.
    Null,
    /// Yes or no.
    Bool(bool),
    Number(Number),
    Text(String),
    /// Several, in order.
    List(Vec<Node>),
    /// Several, by name, in order; each name with its place.
    Table(Vec<(Node, Node)>),
}

impl Place {
    /// Where a file begins.
    pub const START: Self = Self { line: 1, column: 1 };

    /// Says what is wrong here.
    pub fn fault(self, what: impl Into<String>) -> NotYaml {
        NotYaml { at: self, what: what.into() }
    }
}

/// Reads a file; the first thing that is wrong with it as YAML.
pub fn parse(text: &str) -> Result<Node, NotYaml> {
    let read: Result<Spanned<Plain>, _> = serde_saphyr::from_str_with_options(text, options());
    read.map(Node::from).map_err(|error| {
        let at = error.location().map_or(Place::START, |at| place(&at));
        at.fault(first_line(&error.without_snippet().to_string()))
    })
}

/// What a person writes by hand is small: a file that grows out of all bounds is no such thing.
fn options() -> serde_saphyr::Options {
    let mut options = serde_saphyr::Options::default();
    // As YAML 1.2 has it: `yes` and `no` are words.
    options.strict_booleans = true;
    options.alias_limits.max_total_replayed_events = REPLAYED_MAX;
    options
}

fn place(at: &serde_saphyr::Location) -> Place {
    Place { line: at.line().max(1), column: at.column().max(1) }
}

/// The words of a fault without the place, which we tell ourselves.
fn first_line(said: &str) -> String {
    let line = said.lines().next().unwrap_or("cannot be read");
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let cut = line.find(" at line ").or_else(|| line.find(" (line ")).unwrap_or(line.len());
    line.get(..cut)
        .unwrap_or(line)
        .trim_start_matches(|c: char| c.is_numeric() || ": ".contains(c))
        .to_owned()
}

impl Node {
    /// Returns a value of a table.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.entries().iter().find(|(key, _)| key.text() == Some(name)).map(|(_, value)| value)
    }

    /// Returns the entries of a table; none of anything else.
    pub fn entries(&self) -> &[(Self, Self)] {
        if let Kind::Table(entries) = &self.kind { entries } else { &[] }
    }

    /// Returns the values of a list; none of anything else.
    pub fn items(&self) -> &[Self] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// Returns it as a text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Kind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// Returns what it is, in words.
    pub fn what(&self) -> &'static str {
        match &self.kind {
            Kind::Null => "nothing",
            Kind::Bool(_) => "true or false",
            Kind::Number(_) => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Table(_) => "a table",
        }
    }

    /// Finds the place of a path as faults name it, `questions[0].header`; of what is nearest to it
    /// where it is not there.
    pub fn place_of(&self, path: &str) -> Place {
        let mut node = self;
        let mut at = self.at;
        for step in path.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
            let (place, next) = match &node.kind {
                Kind::Table(entries) => match entries.iter().find(|(key, _)| key.text() == Some(step)) {
                    Some((key, value)) => (key.at, value),
                    None => break,
                },
                Kind::List(items) => match step.parse().ok().and_then(|idx: usize| items.get(idx)) {
                    Some(item) => (item.at, item),
                    None => break,
                },
                _ => break,
            };
            (at, node) = (place, next);
        }
        at
    }

    /// Returns it as JSON.
    pub fn json(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(flag) => Value::Bool(*flag),
            Kind::Number(number) => Value::Number(number.clone()),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::List(items) => items.iter().map(Self::json).collect(),
            Kind::Table(entries) => {
                let named = |(key, value): &(Self, Self)| Some((key.text()?.to_owned(), value.json()));
                Value::Object(entries.iter().filter_map(named).collect::<Map<_, _>>())
            }
        }
    }
}

impl From<Spanned<Plain>> for Node {
    fn from(spanned: Spanned<Plain>) -> Self {
        Self { at: place(&spanned.referenced), kind: spanned.value.0 }
    }
}

/// A value as serde hands it over, its parts with their places.
struct Plain(Kind);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader).map(Plain)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(Self)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Kind, E> {
        Ok(Kind::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Kind, E> {
        Ok(Kind::Number(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Kind, E> {
        let number = Number::from_f64(number);
        number.map(Kind::Number).ok_or_else(|| E::custom("a number without an end has no place here"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Kind, E> {
        Ok(Kind::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Kind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Spanned<Plain>>()? {
            items.push(item.into());
        }
        Ok(Kind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Kind, A::Error> {
        let mut entries = Vec::new();
        // A key that YAML reads as a number or as true is the text that stands there.
        while let Some(key) = table.next_key::<Spanned<String>>()? {
            let name = Node { at: place(&key.referenced), kind: Kind::Text(key.value) };
            entries.push((name, table.next_value::<Spanned<Plain>>()?.into()));
        }
        Ok(Kind::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SAMPLE: &str = "\
name: deploy
# where to
questions:
  - header: Where
    options: [a, {label: b}]
    text: |
      Two
      lines
    n: 7
    f: 1.5
    yes: true
    none:
";

    #[test]
    fn every_value_has_its_kind_and_its_place() {
        let node = parse(SAMPLE).unwrap();
        let expected = json!({"name": "deploy", "questions": [{"header": "Where", "options": ["a", {"label": "b"}],
            "text": "Two\nlines\n", "n": 7, "f": 1.5, "yes": true, "none": null}]});
        assert_eq!(node.json(), expected);
        let place = |path: &str| (node.place_of(path).line, node.place_of(path).column);
        assert_eq!(place("name"), (1, 1));
        assert_eq!(place("questions[0]"), (4, 5));
        assert_eq!(place("questions[0].header"), (4, 5));
        assert_eq!(place("questions[0].options[1].label"), (5, 19));
        // What is not there is told where it would be.
        assert_eq!(place("questions[0].question"), (4, 5));
        assert_eq!(place("questions[7].header"), (3, 1));
    }

    #[test]
    fn what_is_no_yaml_is_told_with_its_place() {
        for (text, line) in
            [("a: 1\nb: [1, 2\nc: 3\n", 2), ("a: 1\na: 2\n", 2), ("a: 'open\n", 1), ("a:\n\t- b\n", 2)]
        {
            let fault = parse(text).unwrap_err();
            assert!(fault.at.line >= line, "{fault}");
            assert!(!fault.what.is_empty() && !fault.what.contains('\n'), "{fault}");
        }
    }

    #[test]
    fn a_bomb_does_not_go_off() {
        let line = |n: i32| format!("a{n}: &a{n} [{}]", vec![format!("*a{}", n - 1); 9].join(","));
        let lines: Vec<String> =
            std::iter::once("a0: &a0 [x,x,x,x,x,x,x,x,x]".to_owned()).chain((1..12).map(line)).collect();
        assert!(parse(&lines.join("\n")).is_err());
    }
}
