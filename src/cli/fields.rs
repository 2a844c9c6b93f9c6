//! What the desk told, in JSON: a text of it, and what a person calls a thing by.

use serde::Serialize;
use serde_json::Value;

/// Returns what was told as JSON, for programs.
pub fn json(told: &impl Serialize) -> String {
    serde_json::to_string(told).unwrap_or_default()
}

/// Returns a text of a JSON object; nothing where there is none.
pub fn field(value: &Value, key: &str) -> String {
    match value.get(key) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Returns what a person calls a thing by: its short id, where the desk told one, else its whole one.
pub fn called(value: &Value, key: &str) -> String {
    let short_id = field(value, "short_id");
    if short_id.is_empty() { field(value, key) } else { short_id }
}
