//! Who may use whom: left may use right, never back (DESIGN: the tree; invariants 3 and 8).

use std::collections::BTreeSet;

use super::none;
use super::paths::paths;
use super::sources::{Source, rust_files};

/// What each part of `src/` may use, besides itself and `core`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("environment", &[]),
    ("clock", &[]),
    ("content", &[]),
    ("peer", &["environment"]),
    ("config", &["environment", "yaml"]),
    ("yaml", &[]),
    ("wire", &[]),
    ("rules", &["content", "wire", "yaml"]),
    ("template", &["wire", "yaml"]),
    ("archive", &["clock"]),
    ("store", &["content"]),
    ("desk", &["content", "rules", "store", "clock", "config"]),
    ("client", &["wire", "environment"]),
    (
        "doorway",
        &[
            "wire",
            "yaml",
            "template",
            "desk",
            "runner",
            "client",
            "watch",
            "environment",
            "peer",
            "clock",
            "config",
        ],
    ),
    (
        "channel",
        &[
            "content",
            "wire",
            "archive",
            "desk",
            "runner",
            "client",
            "watch",
            "environment",
            "clock",
            "config",
        ],
    ),
    ("runner", &["wire", "desk", "environment", "clock", "config"]),
    ("watch", &["wire", "rules", "desk", "store", "clock", "config"]),
    ("daemon", ALL),
    ("cli", ALL),
];

/// The two wiring places know every part.
const ALL: &[&str] = &[
    "environment",
    "peer",
    "clock",
    "content",
    "config",
    "yaml",
    "wire",
    "rules",
    "template",
    "archive",
    "store",
    "desk",
    "client",
    "doorway",
    "channel",
    "runner",
    "watch",
    "daemon",
    "cli",
];

/// Files of `src/` that are the programs and the library itself, and know what they start.
const ROOTS: [&str; 2] = ["main", "lib"];

/// What `core` must not touch: the world outside.
const NOT_IN_CORE: [&str; 8] = [
    "std::fs",
    "std::net",
    "std::env",
    "std::process",
    "std::io",
    "std::thread",
    "std::time::SystemTime",
    "std::time::Instant",
];

/// Returns the part of `src/` that a file belongs to; nothing for the programs.
fn part(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let (first, _) = inside.split_once(['/', '.'])?;
    (first != "bin" && !ROOTS.contains(&first)).then_some(first)
}

/// Returns the parts that a file uses.
fn used(source: &Source) -> BTreeSet<String> {
    let code = source.code();
    let of_root = |path: &String| path.split("::").nth(1).map(str::to_owned);
    let mut used: BTreeSet<String> = paths(&code, "crate").iter().filter_map(of_root).collect();
    // `super::` as often as the file lies deep leads to the root as well.
    let depth = source.path.trim_end_matches("/mod.rs").matches('/').count();
    let up = vec!["super"; depth].join("::");
    let behind = |path: &String| path.split("::").nth(depth).map(str::to_owned);
    let is_part = |name: &String| ALL.contains(&name.as_str());
    used.extend(paths(&code, &up).iter().filter_map(behind).filter(is_part));
    used
}

/// Returns what is wrong with the arrows of a file.
fn broken(source: &Source) -> Vec<String> {
    let Some(part) = part(&source.path) else {
        return Vec::new();
    };
    let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == part) else {
        return vec![format!("{}: `{part}` is not in the table of arrows", source.path)];
    };
    used(source)
        .into_iter()
        .filter(|used| used != part && !allowed.contains(&used.as_str()))
        .map(|used| format!("{}: `{part}` must not use `{used}`", source.path))
        .collect()
}

/// Returns what a file of `core` uses of the world outside.
fn outside(source: &Source) -> Vec<String> {
    let is_outside = |path: &String| {
        let goes_on = |behind: &str| behind.is_empty() || behind.starts_with("::");
        NOT_IN_CORE.iter().any(|banned| path.strip_prefix(banned).is_some_and(goes_on))
    };
    let paths = paths(&source.code(), "std").into_iter();
    paths.filter(is_outside).map(|path| format!("{}: core must not use `{path}`", source.path)).collect()
}

fn made_up(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.into() }
}

#[test]
fn arrows_point_one_way() {
    let bad = [
        ("src/store/row.rs", "use crate::desk::Desk;"),
        ("src/store/row.rs", "use crate::{store::Store, desk};"),
        ("src/wire/mod.rs", "fn a() { crate::cli::run() }"),
        ("src/wire/ask.rs", "use super::super::channel;"),
        ("src/new/mod.rs", ""),
    ];
    for (path, text) in bad {
        assert_eq!(broken(&made_up(path, text)).len(), 1, "{path}: {text}");
    }
    let good = [
        ("src/desk/mod.rs", "use crate::store::Store; // crate::cli"),
        ("src/desk/mod.rs", "use crate::desk::wait; use super::super::Desk;"),
        ("src/cli/mod.rs", "use crate::{channel, doorway};"),
        ("src/main.rs", "use crate::anything;"),
    ];
    for (path, text) in good {
        none(&broken(&made_up(path, text)));
    }
    none(&rust_files(&["src"]).iter().flat_map(broken).collect::<Vec<_>>());
}

#[test]
fn doorways_and_channels_do_not_know_each_other() {
    let knows = |name: &str| {
        let (_, allowed) = MAY_USE.iter().find(|(part, _)| *part == name).unwrap();
        allowed.iter().any(|used| ["doorway", "channel"].contains(used))
    };
    assert!(!knows("doorway") && !knows("channel"), "the table of arrows breaks invariant 8");
    let mut faults = Vec::new();
    for source in rust_files(&["src/doorway", "src/channel"]) {
        let other = if source.path.starts_with("src/doorway") { "channel" } else { "doorway" };
        // Also through a name that was imported elsewhere: `channel::` must not stand there at all.
        if !paths(&source.code(), other).is_empty() || used(&source).contains(other) {
            faults.push(format!("{} knows a {other} (invariant 8)", source.path));
        }
    }
    none(&faults);
}

#[test]
fn core_touches_nothing_outside() {
    for text in ["use std::fs;", "use std::{fmt, time::{Duration, Instant}};", "std::env::var(x)"] {
        assert_eq!(outside(&made_up("core/src/a.rs", text)).len(), 1, "{text}");
    }
    none(&outside(&made_up("core/src/a.rs", "use std::time::Duration; // std::fs\nuse std::fmt;")));
    none(&rust_files(&["core/src"]).iter().flat_map(outside).collect::<Vec<_>>());
}
