//! The words that the script says, as it takes them: one JSON object.

use serde_json::{Map, Value};

use super::Words;

/// Writes them; names as in the script: `lineLost`.
pub(in crate::channel::web) fn words(words: &Words) -> String {
    let named = words.script.all().into_iter().map(|(name, text)| (camel(name), Value::from(text)));
    Value::Object(named.collect::<Map<_, _>>()).to_string()
}

fn camel(name: &str) -> String {
    let mut written = String::new();
    for (place, part) in name.split('_').enumerate() {
        let (first, rest) = part.split_at(part.len().min(1));
        written.push_str(&if place == 0 { first.to_owned() } else { first.to_ascii_uppercase() });
        written.push_str(rest);
    }
    written
}
