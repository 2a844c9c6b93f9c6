//! Every reply that a test of the server gets, beside what `/openapi.json` promises of it: nothing is missing, nothing is
//! told that stands nowhere.

use std::sync::LazyLock;

use askuser_http::document;
use serde_json::{Map, Value};

static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

/// Panics where what was told is not what the document says of this route and status.
#[track_caller]
pub(crate) fn check(method: &str, path: &str, status: u16, told: &Value) {
    let path = path.split('?').next().unwrap_or_default();
    let Some((pattern, route)) = route(path) else { return };
    let Some(operation) = route.get(method.to_lowercase()) else { return };
    let responses = &operation["responses"];
    let response = responses.get(status.to_string());
    let response =
        if (200..300).contains(&status) { response } else { response.or(responses.get("default")) };
    let response = response.unwrap_or_else(|| panic!("{method} {pattern} promises no {status}: {told}"));
    let Some(schema) = response["content"].get("application/json").map(|content| &content["schema"]) else {
        panic!("{method} {pattern} promises no JSON with {status}: {told}");
    };
    let why = faults(schema, told, "");
    assert!(why.is_empty(), "{method} {pattern} {status}: {}\n{told:#}", why.join("; "));
}

/// The path of the document that this one is; one without anything that changes comes first.
fn route(path: &str) -> Option<(&'static String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object()?;
    let is_it = |pattern: &str| {
        let (path, pattern): (Vec<&str>, Vec<&str>) =
            (path.split('/').collect(), pattern.split('/').collect());
        let fits = |(part, wanted): (&&str, &&str)| part == wanted || wanted.starts_with('{');
        path.len() == pattern.len() && path.iter().zip(&pattern).all(fits)
    };
    paths.get_key_value(path).or_else(|| paths.iter().find(|(pattern, _)| is_it(pattern)))
}

/// As much of JSON Schema as the document uses, and strict: what an object tells stands in its schema.
fn faults(schema: &Value, told: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let Some(schema) = DOCUMENT.pointer(name.trim_start_matches('#')) else {
            return vec![format!("{name} is defined nowhere")];
        };
        return faults(schema, told, place);
    }
    if let Some(several) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) {
        let each = several.iter().map(|one| faults(one, told, place));
        return each.min_by_key(Vec::len).unwrap_or_default();
    }
    if let Some(one_of) = schema["enum"].as_array()
        && !one_of.contains(told)
    {
        return vec![format!("{place}: {told} is none of {one_of:?}")];
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_a(kind, told)) {
        return vec![format!("{place}: {told} is no {kinds:?}")];
    }
    match told {
        Value::Object(fields) => of_object(schema, fields, place),
        Value::Array(items) => {
            let each = items.iter().enumerate();
            each.flat_map(|(number, item)| faults(&schema["items"], item, &format!("{place}[{number}]")))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn of_object(schema: &Value, fields: &Map<String, Value>, place: &str) -> Vec<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let missing = required.filter(|name| !fields.contains_key(*name));
    let mut why: Vec<String> = missing.map(|name| format!("{place}.{name} is missing")).collect();
    let (named, others) = (schema["properties"].as_object(), schema.get("additionalProperties"));
    for (name, value) in fields {
        let place = format!("{place}.{name}");
        match (named.and_then(|named| named.get(name)), others) {
            (Some(schema), _) | (None, Some(schema)) => why.extend(faults(schema, value, &place)),
            (None, None) if named.is_some() => why.push(format!("{place} stands nowhere in the document")),
            (None, None) => {}
        }
    }
    why
}

fn is_a(kind: &str, told: &Value) -> bool {
    match kind {
        "null" => told.is_null(),
        "boolean" => told.is_boolean(),
        "integer" => told.is_u64() || told.is_i64(),
        "number" => told.is_number(),
        "string" => told.is_string(),
        "array" => told.is_array(),
        "object" => told.is_object(),
        _ => false,
    }
}
