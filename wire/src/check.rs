//! The test questions of `askuser doctor`, answered by the desk itself, and of `askuser setup`, answered by its
//! person: always the same, and marked as what they are wherever they are seen.

use askuser_core::time::Timestamp;
use askuser_words::Language;
use askuser_words::commands::setup::Setup;
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
/// Who asks it.
pub const SETUP_ASKER: &str = "askuser setup";
/// How long it waits for them at most: it must not lie around.
const SETUP_WAITS_MS: u64 = 600_000;

/// Returns the test question of `askuser setup`, in the words of its person's language.
pub fn of_setup(language: Language) -> Value {
    let words = Setup(language);
    json!({
        "questions": [{
            "question_id": SETUP_ID, "header": words.test(), "question_text": words.test_question(),
            "type": "boolean",
        }],
        "asker": {"agent": SETUP_ASKER},
        "timeoutMs": SETUP_WAITS_MS,
    })
}

/// Whether a text is that of one of them.
pub fn is_text(text: &str) -> bool {
    let of_setup = |language| text == Setup(language).test_question();
    text == TEXT || [Language::English, Language::Chinese].into_iter().any(of_setup)
}

/// Whether a header is that of the test question of `askuser setup`.
pub fn is_header_of_setup(header: &str) -> bool {
    [Language::English, Language::Chinese].into_iter().any(|language| header == Setup(language).test())
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
