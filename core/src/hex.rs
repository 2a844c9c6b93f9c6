//! Bytes as hexadecimal digits: how digests and secrets are written.

use std::fmt::Write as _;

/// Writes bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string does not fail.
        let _written = write!(digits, "{byte:02x}");
        digits
    })
}

/// Writes the digest of a certificate as browsers show it: pairs of capital digits with colons, by which a person
/// knows it again.
pub fn fingerprint(digest: &[u8]) -> String {
    let pairs: Vec<String> = digest.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0, 0x0f, 0xa0, 0xff]), "000fa0ff");
        assert_eq!(hex(&[]), "");
    }

    #[test]
    fn a_fingerprint_reads_as_in_a_browser() {
        assert_eq!(fingerprint(&[0xba, 0x78, 0x16, 0xbf, 0x0d]), "BA:78:16:BF:0D");
    }
}
