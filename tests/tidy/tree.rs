//! The tree in ARCHITECTURE.md is the tree on disk.
//!
//! It stands in a fenced block marked `tree`, an entry a line: `├── name` or `└── name`, four
//! columns per level, folders with a `/` at the end, and what it is for behind at least one blank.

use std::collections::BTreeSet;

use super::none;
use super::sources::{crate_files, read, root};

/// A map that is read in one go.
const LINES_MAX: usize = 200;

/// Returns the paths that the tree of a document names; folders end with `/`.
fn named(document: &str) -> Vec<String> {
    let Some((_, rest)) = document.split_once("\n```tree\n") else {
        return Vec::new();
    };
    let (block, _) = rest.split_once("\n```").unwrap_or((rest, ""));
    let mut folders: Vec<String> = Vec::new();
    let mut named = Vec::new();
    for line in block.lines() {
        let Some((indent, entry)) = line.split_once("── ") else {
            continue;
        };
        let level = indent.chars().count().saturating_sub(1) / 4;
        let name = entry.split_whitespace().next().unwrap_or_default();
        folders.truncate(level);
        let path = folders.concat() + name;
        folders.push(name.to_owned());
        named.push(path);
    }
    named
}

/// Commands are named on the command line: what lies here needs no second list.
const COMMANDS: &str = "src/cli/commands/";

/// Returns the paths that a tree must name: every folder of code, and what lies directly in `src/`. Files of tests need
/// no entry, and no single command.
fn expected() -> BTreeSet<String> {
    let mut expected = BTreeSet::new();
    for source in crate_files() {
        if source.is_test() {
            continue;
        }
        let (folder, _) = source.path.rsplit_once('/').unwrap();
        if folder == "src" {
            expected.insert(source.path.clone());
        }
        let is_command = folder.starts_with(COMMANDS);
        expected.insert(if is_command { COMMANDS.to_owned() } else { format!("{folder}/") });
    }
    expected
}

#[test]
fn a_tree_is_read_with_its_levels() {
    let document = "x\n```tree\nroot/\n├── a/   first\n│   ├── b.rs\n│   └── c/\n│       └── d.rs\n└── e.rs\n```\n├── f\n";
    assert_eq!(named(document), ["a/", "a/b.rs", "a/c/", "a/c/d.rs", "e.rs"]);
}

#[test]
fn the_tree_in_architecture_is_the_tree_on_disk() {
    let named = named(&read("ARCHITECTURE.md"));
    assert!(!named.is_empty(), "ARCHITECTURE.md has no block marked `tree`");
    let mut faults = Vec::new();
    let n_lines = read("ARCHITECTURE.md").lines().count();
    if n_lines > LINES_MAX {
        faults.push(format!("ARCHITECTURE.md has {n_lines} lines, {LINES_MAX} at most"));
    }
    for path in &named {
        let on_disk = root().join(path);
        if !on_disk.exists() || on_disk.is_dir() != path.ends_with('/') {
            faults.push(format!("named, but not there: {path}"));
        }
    }
    let there = expected();
    let missing = there.iter().filter(|path| !named.contains(path));
    faults.extend(missing.map(|path| format!("there, but not named: {path}")));
    none(&faults);
}
