//! Any bytes as a transcript: every message and every broken line can be told.

use askuser_wire::transcript::{Window, read};

/// Reads bytes as a transcript, whole and through a small window.
pub(crate) fn run(bytes: &[u8]) {
    let whole = read(bytes, Window { before: None, messages_max: 10_000, bytes_max: 1 << 20 });
    assert_eq!(whole.first + whole.messages.len(), whole.n_messages);
    assert!(whole.left_out.broken.len() <= whole.left_out.n_broken);
    for message in &whole.messages {
        assert!(message.round > 0);
        let _kind = message.said.kind();
    }
    let before = whole.n_messages / 2;
    let part = read(bytes, Window { before: Some(before), messages_max: 3, bytes_max: 100 });
    assert_eq!(part.n_messages, whole.n_messages);
    assert_eq!(part.first + part.messages.len(), before);
    assert!(part.messages.len() <= 3);
}
