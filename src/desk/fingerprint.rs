//! Tells equal contents: a digest of what was asked, without the names of questions.
//!
//! An agent that asks the same again often gives its questions new ids; it is the same question to
//! the person all the same (P3).

use askuser_core::ask::Fingerprint;
use askuser_core::question::{Question, Questions};
use sha2::{Digest, Sha256};

/// Returns the digest of the questions.
pub(super) fn of(questions: &Questions) -> Fingerprint {
    let mut digest = Sha256::new();
    for question in questions.top() {
        take(&mut digest, question);
    }
    let mut fingerprint = [0; 16];
    for (to, from) in fingerprint.iter_mut().zip(digest.finalize()) {
        *to = from;
    }
    fingerprint
}

fn take(digest: &mut Sha256, question: &Question) {
    word(digest, question.header.as_deref());
    word(digest, Some(&question.text));
    word(digest, question.description.as_deref());
    word(digest, Some(&format!("{:?} {:?}", question.kind, question.free.is_some())));
    for choice in &question.choices {
        word(digest, Some(&choice.label));
        word(digest, choice.description.as_deref());
        word(digest, choice.preview.as_ref().map(|preview| preview.text.as_str()));
        digest.update([u8::from(choice.default)]);
        for follow_up in &choice.follow_ups {
            digest.update(b">");
            take(digest, follow_up);
        }
        digest.update(b"<");
    }
    digest.update(b".");
}

/// A word with its length before it, so that two words never run into one.
fn word(digest: &mut Sha256, word: Option<&str>) {
    match word {
        Some(word) => {
            digest.update(u64::try_from(word.len()).unwrap_or(u64::MAX).to_be_bytes());
            digest.update(word.as_bytes());
        }
        None => digest.update(u64::MAX.to_be_bytes()),
    }
}
