//! Takes names and values out of the code blocks of the source documents, which are written in three languages.

use askuser_config::yaml;
use serde_json::Value;

/// Returns the names of the fields that are declared after `opens`, up to the end of that paragraph: of an
/// interface, or of a class.
pub(crate) fn declared(block: &str, opens: &str) -> Vec<String> {
    let rest = block.split_once(opens).unwrap_or_else(|| panic!("no {opens} in:\n{block}")).1;
    let body = rest.split("\n\n").next().unwrap();
    let field = |line: &str| {
        let (name, _) = line.trim_start().split_once(':')?;
        let name = name.strip_suffix('?').unwrap_or(name);
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (line.starts_with(' ') && is_name).then(|| name.to_owned())
    };
    let names: Vec<String> = body.lines().skip(1).filter_map(field).collect();
    assert!(!names.is_empty(), "{opens} declares nothing in:\n{block}");
    names
}

/// Reads the object or list that begins next after `opens`. Literals of Python and JavaScript are YAML but for a
/// few words.
pub(crate) fn literal(block: &str, opens: &str) -> Value {
    let rest = block.split_once(opens).unwrap_or_else(|| panic!("no {opens} in:\n{block}")).1;
    let rest = &rest[rest.find(['{', '[']).unwrap()..];
    let mut depth = 0;
    let end = rest.find(|c| {
        depth += match c {
            '{' | '[' => 1,
            '}' | ']' => -1,
            _ => 0,
        };
        depth == 0
    });
    let lines: Vec<&str> =
        rest[..=end.unwrap()].lines().map(|line| line.split(" //").next().unwrap()).collect();
    let text = lines.join("\n").replace("True", "true").replace("None", "null");
    yaml::parse(&text).unwrap_or_else(|fault| panic!("{fault}: {text}")).json()
}

/// Returns the keys of an object.
pub(crate) fn keys(value: &Value) -> Vec<String> {
    value.as_object().unwrap_or_else(|| panic!("{value}")).keys().cloned().collect()
}
