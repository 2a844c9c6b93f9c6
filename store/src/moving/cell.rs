//! One value on its way from one database to the other.

use sha2::{Digest, Sha256};

/// One value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Nothing.
    Null,
    /// A number; also a yes or no.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Cell {
    /// Takes the value into a digest, so that no two rows look the same.
    pub(super) fn digest(&self, digest: &mut Sha256) {
        let (kind, bytes): (u8, &[u8]) = match self {
            Self::Null => (0, &[]),
            Self::Int(number) => return take(digest, 1, &number.to_be_bytes()),
            Self::Text(text) => (2, text.as_bytes()),
            Self::Bytes(bytes) => (3, bytes),
        };
        take(digest, kind, bytes);
    }

    /// The number, where it is one.
    pub(crate) fn int(&self) -> Option<i64> {
        if let Self::Int(number) = self { Some(*number) } else { None }
    }

    /// The text, where it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The bytes, where they are some.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        if let Self::Bytes(bytes) = self { Some(bytes) } else { None }
    }
}

fn take(digest: &mut Sha256, kind: u8, bytes: &[u8]) {
    digest.update([kind]);
    digest.update((bytes.len() as u64).to_be_bytes());
    digest.update(bytes);
}
