//! The fingerprint of a certificate, by which a person knows it again.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// Returns the SHA-256 of a certificate (DER) as browsers show it: pairs of digits with colons.
pub fn fingerprint(der: &[u8]) -> String {
    let mut shown = String::new();
    for byte in Sha256::digest(der) {
        let colon = if shown.is_empty() { "" } else { ":" };
        // Writing to a string does not fail.
        let _written = write!(shown, "{colon}{byte:02X}");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_reads_as_in_a_browser() {
        let shown = fingerprint(b"abc");
        assert!(
            shown.starts_with("BA:78:16:BF:") && shown.ends_with(":15:AD") && shown.len() == 95,
            "{shown}"
        );
    }
}
