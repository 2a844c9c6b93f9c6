//! The shape of the code, held by tests, so that nobody has to remember it.
//!
//! Each check first proves on a made-up bad example that it would find a fault, then looks at the
//! real files. Nothing here compiles the code: files are read as text, with comments and literals
//! blanked out where only code counts. So it is a crate of its own: what it says is known before the programs are built.

#![cfg(test)]

mod sources;
mod paths;
mod arrows;
mod shape;
mod manifests;
mod tree;
mod documents;
mod requirements;
mod languages;
mod agents;

/// Fails with all faults at once.
#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}
