//! The test question of `askuser doctor`: always the same, answered by the desk itself, and marked
//! as what it is wherever it is seen.

use askuser_core::time::Timestamp;
use serde_json::{Value, json};

use super::time;

/// Its id.
pub const QUESTION_ID: &str = "askuser_doctor_check";
/// Its text.
pub const TEXT: &str = "Test question of `askuser doctor`: nobody need answer it. Does the desk work?";
/// The id of its one choice.
pub const ANSWER_ID: &str = "works";
/// The name of the rule that answers it.
pub const RULE: &str = "rule: the desk answers the test question of `askuser doctor` itself";

/// The id of the test question of `askuser setup`, which its person answers.
pub const SETUP_ID: &str = "askuser_setup_check";
/// How long it waits for them at most: it must not lie around.
const SETUP_WAITS_MS: u64 = 600_000;

/// Returns the test question of `askuser setup`, in the words of its person's language.
pub fn of_setup(header: &str, question: &str, agent: &str) -> Value {
    json!({
        "questions": [{
            "question_id": SETUP_ID, "header": header, "question_text": question, "type": "boolean",
        }],
        "asker": {"agent": agent},
        "timeoutMs": SETUP_WAITS_MS,
    })
}

/// Returns the ask. It says when it is made: asked again and again in the same words it would be a round that
/// builds on the one before (P3).
pub fn ask(now: Timestamp) -> Value {
    json!({
        "questions": [{
            "question_id": QUESTION_ID, "header": "Self-test", "question": TEXT, "type": "multiple_choice",
            "description": time::write(now),
            "other": false, "options": [{"id": ANSWER_ID, "label": "It works"}],
        }],
        "asker": {"agent": "askuser doctor"},
        // Where it is not answered at once, it must not lie around.
        "timeoutMs": 10_000,
    })
}
