//! Who may use whom: left may use right, never back. The compiler holds it, because each part is a crate; here
//! it is held that the manifests say what ARCHITECTURE.md says (invariants 3 and 8).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::none;
use super::paths::paths;
use super::sources::{Source, members, read, rust_files};

/// The floors of the house, from the top; a crate uses only what stands below its own floor.
const FLOORS: [&[&str]; 12] = [
    &["askuser"],
    &["ask", "http"],
    &["mcp", "web", "notify", "terminal"],
    &["runner", "watch"],
    &["desk"],
    &["store", "config", "client"],
    &["net"],
    &["api", "system"],
    &["agents"],
    &["wire"],
    &["words"],
    &["core"],
];
const DOORWAYS: [&str; 2] = ["http", "mcp"];
const CHANNELS: [&str; 3] = ["terminal", "web", "notify"];

/// What the wiring in `src/` may use of itself: the commands know the server, and never back.
const IN_THE_PROGRAM: [(&str, &[&str]); 3] = [("route", &[]), ("daemon", &[]), ("cli", &["route", "daemon"])];

/// What `AskUserQuestion` must not bring along: databases, the server and its page.
const NOT_IN_ASK: [&str; 15] = [
    "askuser",
    "askuser-desk",
    "askuser-http",
    "askuser-mcp",
    "askuser-notify",
    "askuser-runner",
    "askuser-store",
    "askuser-watch",
    "askuser-web",
    "axum",
    "deadpool-postgres",
    "libsqlite3-sys",
    "maud",
    "rusqlite",
    "tokio-postgres",
];

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

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Returns the crates of ours that a manifest depends on; what only its tests use is left out.
fn used(manifest: &str) -> BTreeSet<String> {
    let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
    let table = rest.split("\n[").next().unwrap_or_default();
    let names = table.lines().filter_map(|line| line.strip_prefix("askuser-"));
    names.filter_map(|name| name.split(['.', ' ']).next()).map(str::to_owned).collect()
}

fn arrows() -> Arrows {
    let mut arrows: Arrows =
        members().into_iter().map(|name| (name.clone(), used(&manifest(&name)))).collect();
    arrows.insert("askuser".to_owned(), used(&read("Cargo.toml")));
    arrows
}

fn manifest(name: &str) -> String {
    read(&format!("{name}/Cargo.toml"))
}

/// Returns everything that a crate reaches over others.
fn reached(arrows: &Arrows, from: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from.to_owned()];
    while let Some(name) = next.pop() {
        for used in arrows.get(&name).into_iter().flatten() {
            if reached.insert(used.clone()) {
                next.push(used.clone());
            }
        }
    }
    reached
}

fn floor(name: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&name))
}

/// Returns the arrows that do not point down.
fn broken(arrows: &Arrows) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, used) in arrows {
        let Some(from) = floor(name) else {
            faults.push(format!("`{name}` stands on no floor"));
            continue;
        };
        let wrong = used.iter().filter(|used| floor(used).is_none_or(|to| to <= from));
        faults.extend(wrong.map(|used| format!("`{name}` must not use `{used}`")));
    }
    faults
}

/// The doorways and channels that reach one of the other kind.
fn acquainted(arrows: &Arrows) -> Vec<String> {
    let pairs = [(&DOORWAYS[..], &CHANNELS[..]), (&CHANNELS[..], &DOORWAYS[..])];
    let mut faults = Vec::new();
    for (those, others) in pairs {
        for name in those {
            let reached = reached(arrows, name);
            let known = others.iter().filter(|other| reached.contains(**other));
            faults.extend(known.map(|other| format!("`{name}` knows `{other}` (invariant 8)")));
        }
    }
    faults
}

/// The drawing in ARCHITECTURE.md: a crate a line, with those it uses and does not reach over another.
fn drawing(arrows: &Arrows) -> String {
    let mut drawing = String::new();
    for name in FLOORS.iter().flat_map(|floor| floor.iter()) {
        let used = &arrows[*name];
        let over = |used: &BTreeSet<String>, wanted: &String| {
            used.iter().any(|other| other != wanted && reached(arrows, other).contains(wanted))
        };
        let direct: Vec<&str> =
            used.iter().filter(|wanted| !over(used, wanted)).map(String::as_str).collect();
        let behind = if direct.is_empty() { "-".to_owned() } else { direct.join(", ") };
        writeln!(drawing, "{name:<8} → {behind}").unwrap();
    }
    drawing
}

fn made_up(path: &str, text: &str) -> Source {
    Source { path: path.into(), text: text.into() }
}

fn made_up_arrows(rows: &[(&str, &[&str])]) -> Arrows {
    let set = |used: &&[&str]| used.iter().map(|name| (*name).to_owned()).collect();
    rows.iter().map(|(name, used)| ((*name).to_owned(), set(used))).collect()
}

#[test]
fn arrows_point_one_way() {
    let manifest = "[package]\n\n[dependencies]\naskuser-store.workspace = true\nserde = \"1\"\n\n[dev-dependencies]\naskuser-web = 1\n";
    assert_eq!(used(manifest), BTreeSet::from(["store".to_owned()]));
    for used in ["desk", "web", "new"] {
        assert_eq!(broken(&made_up_arrows(&[("store", &[used])])).len(), 1, "{used}");
    }
    none(&broken(&made_up_arrows(&[("desk", &["store", "core"]), ("askuser", &["http"])])));
    none(&broken(&arrows()));
}

#[test]
fn doorways_and_channels_do_not_know_each_other() {
    let rows: &[(&str, &[&str])] = &[("mcp", &["watch"]), ("watch", &["notify"])];
    assert_eq!(acquainted(&made_up_arrows(rows)), ["`mcp` knows `notify` (invariant 8)"]);
    none(&acquainted(&arrows()));
}

#[test]
fn the_drawing_in_architecture_is_made_of_the_manifests() {
    let rows: &[(&str, &[&str])] = &[("desk", &["store", "core"]), ("store", &["core"]), ("core", &[])];
    let mut all = made_up_arrows(rows);
    all.extend(
        arrows()
            .into_keys()
            .map(|name| (name, BTreeSet::new()))
            .filter(|(name, _)| !["desk", "store"].contains(&name.as_str())),
    );
    assert!(drawing(&all).contains("\ndesk     → store\nstore    → core\n"), "{}", drawing(&all));
    let drawing = drawing(&arrows());
    let page = read("ARCHITECTURE.md");
    assert!(page.contains(&format!("\n```crates\n{drawing}```\n")), "ARCHITECTURE.md wants this:\n{drawing}");
}

#[test]
fn the_server_does_not_know_the_commands() {
    let parts = |source: &Source| -> Vec<String> {
        let of_root = |path: &String| path.split("::").nth(1).map(str::to_owned);
        paths(&source.code(), "crate").iter().filter_map(of_root).collect()
    };
    let broken = |source: &Source| -> Vec<String> {
        let part = source.path.trim_start_matches("src/").split(['/', '.']).next().unwrap_or_default();
        let Some((_, may)) = IN_THE_PROGRAM.iter().find(|(name, _)| *name == part) else { return Vec::new() };
        let wrong = parts(source).into_iter().filter(|used| used != part && !may.contains(&used.as_str()));
        wrong.map(|used| format!("{}: `{part}` must not use `{used}`", source.path)).collect()
    };
    assert_eq!(broken(&made_up("src/daemon/log.rs", "use crate::{cli::exit, daemon};")).len(), 1);
    none(&broken(&made_up("src/cli/mod.rs", "use crate::{route, daemon};")));
    none(&rust_files(&["src"]).iter().flat_map(broken).collect::<Vec<_>>());
}

/// Returns every package that a crate of ours brings along, over ours and over others. Of others the lock file knows
/// nothing but all of theirs; of ours only what is shipped counts.
fn packages(of: &str) -> BTreeSet<String> {
    let names = |table: &str| -> Vec<String> {
        table.lines().filter_map(|line| Some(line.split_once(['.', ' '])?.0.to_owned())).collect()
    };
    let manifest = |name: &str| match name.strip_prefix("askuser-") {
        Some(folder) => read(&format!("{folder}/Cargo.toml")),
        None => read("Cargo.toml"),
    };
    let ours = |name: &str| {
        let manifest = manifest(name);
        let (_, rest) = manifest.split_once("\n[dependencies]\n").unwrap_or_default();
        names(rest.split("\n[").next().unwrap_or_default())
    };
    let lock = read("Cargo.lock");
    let theirs = |name: &str| -> Vec<String> {
        let of_name =
            lock.split("[[package]]").filter(|package| package.contains(&format!("\nname = \"{name}\"\n")));
        let lines = of_name.flat_map(|package| package.lines().filter_map(|line| line.strip_prefix(" \"")));
        lines.filter_map(|line| line.split(['"', ' ']).next()).map(str::to_owned).collect()
    };
    let (mut found, mut next) = (BTreeSet::new(), vec![of.to_owned()]);
    while let Some(name) = next.pop() {
        let is_ours = name.starts_with("askuser");
        for used in if is_ours { ours(&name) } else { theirs(&name) } {
            if found.insert(used.clone()) {
                next.push(used);
            }
        }
    }
    found
}

#[test]
fn ask_user_question_brings_neither_a_database_nor_the_server() {
    for expected in ["askuser-terminal", "crossterm", "tokio"] {
        assert!(packages("askuser-ask").contains(expected), "{expected}");
    }
    for banned in ["axum", "libsqlite3-sys"] {
        assert!(packages("askuser").contains(banned), "{banned}");
    }
    let brought = packages("askuser-ask");
    let wrong = NOT_IN_ASK.iter().filter(|name| brought.contains(**name));
    none(&wrong.map(|name| format!("`ask` brings `{name}` along")).collect::<Vec<_>>());
    // The program is this crate and nothing else, although it stands in the same package as the other.
    let program = rust_files(&["src/bin"]);
    assert_eq!(program.len(), 1);
    assert!(paths(&program[0].code(), "askuser").is_empty() && program[0].code().contains("askuser_ask::"));
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

#[test]
fn core_touches_nothing_outside() {
    for text in ["use std::fs;", "use std::{fmt, time::{Duration, Instant}};", "std::env::var(x)"] {
        assert_eq!(outside(&made_up("core/src/a.rs", text)).len(), 1, "{text}");
    }
    none(&outside(&made_up("core/src/a.rs", "use std::time::Duration; // std::fs\nuse std::fmt;")));
    none(&rust_files(&["core/src"]).iter().flat_map(outside).collect::<Vec<_>>());
}
