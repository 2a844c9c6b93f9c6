//! Rules that answer permissions: each counts only for a person who confirmed its very text.
//!
//! The text is the whole entry in one canonical form, so that a change of anything in it is another rule,
//! and a change of how it is written is not.

use askuser_core::hex::hex;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The SHA-256 of a rule's text.
pub type RuleDigest = [u8; 32];

/// What stands before the text in the digest: another form would be another number.
const FORM: &str = "askuser permission rule 1\n";

/// A rule that answers permissions, as its person has to confirm it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionRule {
    /// What it is known by.
    pub digest: RuleDigest,
    pub name: Option<String>,
    /// Whose permissions it answers; everybody's who confirmed it where nobody is named.
    pub user: Option<String>,
    /// All of it.
    pub text: String,
}

impl PermissionRule {
    /// Reads the entry of a rule.
    pub(super) fn of(entry: &Value) -> Self {
        let word = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        let text = format!("{:#}", sorted(entry));
        let digest = Sha256::new().chain_update(FORM).chain_update(&text).finalize().into();
        Self { digest, name: word("name"), user: word("user"), text }
    }

    /// Returns its digest as it is written.
    pub fn id(&self) -> String {
        hex(&self.digest)
    }

    /// Whether it is about this person.
    pub fn is_for(&self, person: &str) -> bool {
        self.user.as_deref().is_none_or(|user| user == person)
    }
}

/// The same value, its names in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            let field = |name: &String| Some((name.clone(), sorted(fields.get(name)?)));
            Value::Object(names.into_iter().filter_map(field).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}
