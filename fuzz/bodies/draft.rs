//! An ask in any dialect never makes reading or checking panic, recognised or forced.

use askuser_wire::{self as wire, Dialect};
use serde_json::Value;

/// Reads bytes as an ask, in the dialect it looks like and in every other.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(ask) = serde_json::from_slice::<Value>(bytes) else {
        return;
    };
    let recognised = wire::recognise(&ask);
    for dialect in [recognised].into_iter().chain(Dialect::ALL).chain(Dialect::ENVELOPES) {
        let incoming = wire::read(dialect, &ask);
        // Right or wrong, and all its faults can be told.
        if let Err(problems) = incoming.draft.check(&incoming.limits) {
            assert!(!problems.is_empty());
            for problem in problems {
                let _told = problem.to_string();
            }
        }
    }
}
