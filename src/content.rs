//! The digest of what an ask asks: what is compared and stored in place of the content itself.

use askuser_core::ask::Fingerprint;
use askuser_core::content::Content;
use sha2::{Digest, Sha256};

/// Returns the digest of an ask's content.
pub fn digest(content: Content<'_>) -> Fingerprint {
    let mut digest = [0; 16];
    for (to, from) in digest.iter_mut().zip(Sha256::digest(content.canonical())) {
        *to = from;
    }
    digest
}
