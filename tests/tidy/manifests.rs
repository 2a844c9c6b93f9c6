//! Dependencies: each with its reason, few in all, and none in `core` but the one.

use super::none;
use super::sources::{members, read};

/// The most packages that `Cargo.lock` may hold: those that were measured, and a tenth more. Raising
/// it is a commit of its own that says what the new packages are worth. The latest are the MCP SDK's,
/// without its client and its forms by type (the protocol moves every few months, and it with it),
/// the parsers of other programs' settings (JSON with comments, TOML) and of YAML, the Agent Client
/// Protocol's own crate with its schema, through which every agent that speaks it can be run, and
/// PostgreSQL's client with TLS, of whose sixty every fourth is for another system than Linux.
const PACKAGES_MAX: usize = 420;

/// Returns the lines of a manifest that add a dependency, each with the table it stands in.
fn dependencies(manifest: &str) -> Vec<(&str, &str)> {
    let mut table = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(name) = line.strip_prefix('[') {
            table = name.trim_end_matches(']');
            // `[dependencies.name]` spreads one over several lines, and has no place for a reason.
            if table.contains("dependencies.") {
                found.push((table, line));
            }
        } else if table.ends_with("dependencies") && line.starts_with(|c: char| c.is_alphabetic()) {
            found.push((table, line));
        }
    }
    found
}

/// Returns the dependencies of a manifest that stand there without a reason.
fn without_reason(path: &str, manifest: &str) -> Vec<String> {
    let has_reason = |line: &str| line.rsplit_once(" # ").is_some_and(|(_, reason)| reason.len() > 5);
    // What a crate takes from the workspace has its reason there.
    let is_ours = |line: &&str| !line.ends_with(".workspace = true");
    let lines = dependencies(manifest).into_iter().map(|(_, line)| line).filter(is_ours);
    lines.filter(|line| !has_reason(line)).map(|line| format!("{path}: no reason given: {line}")).collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let bad = "[dependencies]\na = \"1\"\nb = \"1\" # it is good\ne.workspace = true\n[dev-dependencies.c]\nversion = \"1\"\n[lints]\nd = 1";
    assert_eq!(without_reason("", bad).len(), 2);
    let mut faults = Vec::new();
    let crates = members().into_iter().chain(["fuzz".to_owned()]).map(|name| format!("{name}/Cargo.toml"));
    for path in crates.chain(["Cargo.toml".to_owned()]) {
        let manifest = read(&path);
        assert!(!dependencies(&manifest).is_empty(), "{path}");
        faults.extend(without_reason(&path, &manifest));
    }
    none(&faults);
}

/// Invariant 3: the dependency list is the proof.
#[test]
fn core_depends_on_nothing_that_touches_the_world() {
    // Texts of errors, and the digest of what an ask asks: both are functions of what they are given.
    const MAY: [&str; 2] = ["thiserror.", "sha2."];
    let manifest = read("core/Cargo.toml");
    let others: Vec<_> = dependencies(&manifest)
        .into_iter()
        .filter(|(table, line)| {
            *table != "dev-dependencies" && !MAY.iter().any(|name| line.starts_with(name))
        })
        .collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn the_lock_file_stays_small() {
    let n_packages = read("Cargo.lock").matches("\nsource = ").count();
    assert!(n_packages > 10, "the lock file is not read right");
    assert!(n_packages <= PACKAGES_MAX, "{n_packages} packages, {PACKAGES_MAX} at most");
}
