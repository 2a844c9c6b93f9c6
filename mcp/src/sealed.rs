//! What a client carries for us between two calls of one question, so sealed that it cannot be
//! changed, given to another caller, or used for other arguments.
//!
//! The key is made up when the server starts and kept by nobody: what an earlier server sealed does
//! not open, and its question is simply asked again, which joins the open one.

use std::time::Duration;

use askuser_core::id::AskId;
use rmcp::model::{RequestStateCodec, SealOptions};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// How long a sealed state is good.
const GOOD_FOR: Duration = Duration::from_hours(24 * 7);

/// Seals and opens.
pub(super) struct Seal(Option<RequestStateCodec>);

impl Seal {
    /// Makes up a key. Without randomness nothing is sealed, and nothing opens.
    pub(super) fn new() -> Self {
        let mut key = [0; 32];
        let made = getrandom::fill(&mut key).ok();
        Self(made.and_then(|()| RequestStateCodec::try_new(key.to_vec()).ok()))
    }

    /// Seals what is known of a question between two calls.
    pub(super) fn seal(&self, between: Between, caller: &str, arguments: &Value) -> Option<String> {
        let bound = bound(caller, arguments);
        let options = SealOptions::new().associated_data(&bound).ttl(GOOD_FOR);
        let words = format!("{} {}", between.ask, between.n_forms);
        Some(self.0.as_ref()?.seal_with(words.as_bytes(), &options))
    }

    /// Opens what was sealed for this caller and these arguments; none where it was not.
    pub(super) fn open(&self, sealed: &str, caller: &str, arguments: &Value) -> Option<Between> {
        let bound = bound(caller, arguments);
        let opened = self.0.as_ref()?.open_with(sealed, &bound).ok()?;
        let (ask, n_forms) = std::str::from_utf8(&opened).ok()?.split_once(' ')?;
        Some(Between { ask: ask.parse().ok()?, n_forms: n_forms.parse().ok()? })
    }
}

/// A question between two calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Between {
    /// Which ask it became.
    pub(super) ask: AskId,
    /// How often the client was sent to show its form.
    pub(super) n_forms: u32,
}

fn bound(caller: &str, arguments: &Value) -> Vec<u8> {
    let mut digest = Sha256::new();
    take(&mut digest, &Value::from(caller));
    take(&mut digest, arguments);
    digest.finalize().to_vec()
}

/// Takes a value in, whatever order its fields came in.
fn take(digest: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            digest.update(b"{");
            for (name, value) in fields {
                take(digest, &Value::from(name.as_str()));
                take(digest, value);
            }
            digest.update(b"}");
        }
        Value::Array(list) => {
            digest.update(b"[");
            for value in list {
                take(digest, value);
            }
            digest.update(b"]");
        }
        plain => {
            digest.update(plain.to_string());
            digest.update(b",");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_state_opens_for_its_own_call_and_for_no_other() {
        let seal = Seal::new();
        let ask = Between { ask: AskId(7), n_forms: 2 };
        let arguments = json!({"a": [1, {"x": null, "y": "z"}], "b": 2});
        let sealed = seal.seal(ask, "ann", &arguments).unwrap();
        assert_eq!(seal.open(&sealed, "ann", &arguments), Some(ask));
        let turned = json!({"b": 2, "a": [1, {"y": "z", "x": null}]});
        assert_eq!(seal.open(&sealed, "ann", &turned), Some(ask));
        assert_eq!(seal.open(&sealed, "bob", &arguments), None);
        assert_eq!(seal.open(&sealed, "ann", &json!({"a": [1], "b": 2})), None);
        assert_eq!(seal.open(&format!("{sealed}x"), "ann", &arguments), None);
        assert_eq!(seal.open("", "ann", &arguments), None);
        assert_eq!(Seal::new().open(&sealed, "ann", &arguments), None);
    }
}
