//! Golden files: what comes in, in each dialect, and what goes out.
//!
//! Each `tests/wire/<dialect>/*.json` is one case. A case that differs is written as it is now into
//! the build's own temporary folder: look at it, and if it is right, copy it over.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that meets a surprise should stop")]

mod cases;
mod documents;
mod documents_read;
mod documents_told;
mod literals;
mod hostile;
mod person;
mod pages;
mod round_trip;
mod shapes;

use std::fs;
use std::path::{Path, PathBuf};

use askuser_wire::Dialect;
use serde_json::Value;

fn files(dialect: Dialect) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(dialect.name());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

/// T1, T2, T6, T7, T8, T11; E1, E2, E3, E5; D2; P4, P6, P7, P9, P12, P16, P19; O1, O3, O5, O9:
/// each case says in `why` which of them it shows.
#[test]
fn every_dialect_reads_and_writes_what_its_golden_files_say() {
    let mut wrong = Vec::new();
    for dialect in Dialect::ALL.into_iter().chain(Dialect::ENVELOPES) {
        let files = files(dialect);
        assert!(files.len() >= 4, "{} has too few cases", dialect.name());
        for path in files {
            let text = fs::read_to_string(&path).unwrap();
            let case: Value =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let now = cases::run(dialect, &case);
            if now != case {
                let name = path.file_name().unwrap();
                let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(dialect.name());
                fs::create_dir_all(&folder).unwrap();
                let there = folder.join(name);
                fs::write(&there, serde_json::to_string_pretty(&now).unwrap() + "\n").unwrap();
                wrong.push(format!("{} is now {}", path.display(), there.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn every_dialect_has_a_case_with_fields_that_it_does_not_know() {
    for dialect in Dialect::ALL.into_iter().chain(Dialect::ENVELOPES) {
        let known = files(dialect);
        let ignored = known.iter().any(|path| path.file_name().unwrap() == "unknown_fields_are_ignored.json");
        assert!(ignored, "{}", dialect.name());
    }
}
