//! The shape of the code, held by tests, so that nobody has to remember it.
//!
//! Each check first proves on a made-up bad example that it would find a fault, then looks at the
//! real files. Nothing here compiles the code: files are read as text, with comments and literals
//! blanked out where only code counts.

#![expect(clippy::unwrap_used, reason = "a check that cannot read its files must fail")]

#[path = "tidy/sources.rs"]
mod sources;
#[path = "tidy/paths.rs"]
mod paths;
#[path = "tidy/arrows.rs"]
mod arrows;
#[path = "tidy/shape.rs"]
mod shape;
#[path = "tidy/manifests.rs"]
mod manifests;
#[path = "tidy/tree.rs"]
mod tree;
#[path = "tidy/documents.rs"]
mod documents;
#[path = "tidy/requirements.rs"]
mod requirements;
#[path = "tidy/languages.rs"]
mod languages;
#[path = "tidy/agents.rs"]
mod agents;

/// Fails with all faults at once.
#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
