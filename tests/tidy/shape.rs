//! Sizes, first lines, names, and what must not stand in code.

use std::collections::BTreeMap;

use super::none;
use super::sources::{Source, all_rust_files, browser_files, crate_files, members, read, rust_files};

const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;

/// Files that may be longer, each with its own limit and the reason.
const LONGER_FILES: &[(&str, usize, &str)] = &[];

const BANNED_IN_TYPES: [&str; 8] =
    ["Manager", "Service", "Handler", "Helper", "Util", "Common", "Data", "Info"];
const BANNED_FILES: [&str; 6] = ["util", "utils", "common", "helper", "helpers", "misc"];

/// Crates in which a name still stands for two public types. It only gets shorter.
const NOT_YET: &[&str] = &["store"];

/// Public types that share their name with another of the same crate, and why that is right.
const SAME_NAMES: &[(&str, &str, &str)] = &[];

/// Code that must not stand anywhere, and what to do instead.
const BANNED_CODE: [(&str, &str); 4] = [
    ("todo!", "finish it, or open an issue"),
    ("unimplemented!", "finish it, or open an issue"),
    ("#[allow(", "say why: #[expect(…, reason = \"…\")]"),
    ("#![allow(", "say why: #![expect(…, reason = \"…\")]"),
];

fn too_long(source: &Source) -> Option<String> {
    let named = LONGER_FILES.iter().find(|(path, ..)| *path == source.path);
    let max = match named {
        Some((_, max, _)) => *max,
        None => FILE_LINES_MAX,
    };
    let n_lines = source.text.lines().count();
    (n_lines > max).then(|| format!("{} has {n_lines} lines, {max} at most", source.path))
}

/// Returns the functions that are too long.
///
/// Measured from the line with `fn` to the one with the brace that closes the body, on code without
/// comments and literals; a function without a body has no length. Doc comments do not count.
fn long_functions(source: &Source) -> Vec<String> {
    let code = source.code();
    let mut faults = Vec::new();
    for (idx, _) in code.match_indices("fn ") {
        let joined = code[..idx].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let name: String = code[idx + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if joined || name.is_empty() {
            continue;
        }
        let n_lines = body_lines(&code[idx..]);
        if n_lines > FUNCTION_LINES_MAX {
            let path = &source.path;
            faults.push(format!("{path}: `{name}` has {n_lines} lines, {FUNCTION_LINES_MAX} at most"));
        }
    }
    faults
}

/// Returns how many lines a function takes whose `fn` stands first.
fn body_lines(code: &str) -> usize {
    let mut depth = 0_usize;
    let mut brackets = 0_usize;
    for (idx, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.saturating_sub(1),
            '{' if brackets == 0 || depth > 0 => depth += 1,
            '}' if depth == 1 => return code[..=idx].lines().count(),
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 && brackets == 0 => return 0,
            _ => {}
        }
    }
    0
}

/// Returns the types whose names say nothing.
fn empty_names(source: &Source) -> Vec<String> {
    // What a trait calls its types is not ours to name.
    let code = source.code();
    let ours: Vec<&str> = code.lines().filter(|line| !line.starts_with("    type ")).collect();
    let ours = ours.join("\n");
    let mut words = ours.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    let mut faults = Vec::new();
    while let Some(word) = words.next() {
        if !["struct", "enum", "trait", "type", "union"].contains(&word) {
            continue;
        }
        let Some(name) = words.next() else { break };
        if let Some(banned) = camel_words(name).into_iter().find(|w| BANNED_IN_TYPES.contains(w)) {
            faults.push(format!("{}: `{name}`: name the thing, not `{banned}`", source.path));
        }
    }
    faults
}

/// Splits `AskUserQuestion` into its words.
fn camel_words(name: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        name.char_indices().filter(|(_, c)| c.is_uppercase()).map(|(idx, _)| idx).collect();
    starts.push(name.len());
    starts.windows(2).map(|pair| &name[pair[0]..pair[1]]).collect()
}

/// Returns the names of the types that others can reach; those that stand deeper than a module are nobody's.
fn public_types(source: &Source) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.strip_prefix("pub")?;
        let rest = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1,
            None => rest,
        };
        let (kind, rest) = rest.trim_start().split_once(' ')?;
        let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        ["struct", "enum", "trait", "type", "union"].contains(&kind).then(|| name.to_owned())
    };
    source.code().lines().filter_map(name).collect()
}

/// Returns the names that stand for more than one public type of a crate, with the files.
fn homonyms(crate_name: &str, files: &[Source]) -> Vec<String> {
    let mut types: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for source in files {
        for name in public_types(source) {
            types.entry(name).or_default().push(&source.path);
        }
    }
    let is_meant = |name: &str| SAME_NAMES.iter().any(|(of, meant, _)| *of == crate_name && *meant == name);
    let twice = types.into_iter().filter(|(name, paths)| paths.len() > 1 && !is_meant(name));
    twice.map(|(name, paths)| format!("{crate_name}: `{name}` in {}", paths.join(", "))).collect()
}

fn banned_code(source: &Source) -> Vec<String> {
    let code = source.code();
    let found = BANNED_CODE.iter().filter(|(banned, _)| code.contains(banned));
    found.map(|(banned, instead)| format!("{}: `{banned}`: {instead}", source.path)).collect()
}

fn made_up(text: &str) -> Source {
    Source { path: "src/a.rs".into(), text: text.into() }
}

#[test]
fn files_fit_in_a_head() {
    assert!(too_long(&made_up(&"\n".repeat(601))).is_some());
    assert!(too_long(&made_up(&"\n".repeat(600))).is_none());
    let files = all_rust_files().into_iter().chain(browser_files());
    none(&files.filter_map(|source| too_long(&source)).collect::<Vec<_>>());
    for (path, max, reason) in LONGER_FILES {
        let n_lines = read(path).lines().count();
        assert!(n_lines > FILE_LINES_MAX && n_lines <= *max && !reason.is_empty(), "{path}");
    }
}

#[test]
fn functions_fit_on_a_screen() {
    let long = format!("fn a(b: [u8; 3]) -> C where D: E {{\n{}}}\nfn f();\n", "g({;});\n".repeat(69));
    assert_eq!(long_functions(&made_up(&long)).len(), 1);
    let short = format!("fn a() {{\n{}}}\ntype B = fn (u8);", "{}\n".repeat(68));
    none(&long_functions(&made_up(&short)));
    none(&all_rust_files().iter().flat_map(long_functions).collect::<Vec<_>>());
}

#[test]
fn every_file_opens_with_its_map_entry() {
    let silent = |source: &Source| !source.text.starts_with("//! ");
    let files = all_rust_files();
    let silent = files.iter().filter(|source| silent(source));
    let stories = browser_files();
    let untold = stories.iter().filter(|source| !source.text.starts_with("// "));
    none(&untold.map(|source| format!("{} does not open with `// `", source.path)).collect::<Vec<_>>());
    none(&silent.map(|source| format!("{} does not open with `//! `", source.path)).collect::<Vec<_>>());
}

#[test]
fn names_say_something() {
    assert_eq!(empty_names(&made_up("pub struct AskManager; enum Info {}")).len(), 2);
    none(&empty_names(&made_up("struct Information; enum Database {} // struct Data")));
    none(&empty_names(&made_up("impl Body for Reply {\n    type Data = Bytes;\n}")));
    let files = all_rust_files();
    let mut faults: Vec<_> = files.iter().flat_map(empty_names).collect();
    for source in &files {
        if source.path.split(['/', '.']).any(|name| BANNED_FILES.contains(&name)) {
            faults.push(format!("{}: what is it about?", source.path));
        }
    }
    none(&faults);
}

#[test]
fn a_name_stands_for_one_type_of_a_crate() {
    let twice = [made_up("pub struct Found;\npub(crate) enum Found {}"), made_up("    pub struct Found;")];
    assert_eq!(homonyms("a", &twice).len(), 1);
    none(&homonyms(
        "a",
        &[made_up("pub struct Found;\nstruct Lost;"), made_up("enum Found {}\npub type Lost = u8;")],
    ));
    let mut faults = Vec::new();
    for name in members().into_iter().chain(["askuser".to_owned()]) {
        let folder = if name == "askuser" { "src".to_owned() } else { format!("{name}/src") };
        let found = homonyms(&name, &rust_files(&[&folder]));
        match (NOT_YET.contains(&name.as_str()), found.is_empty()) {
            (true, true) => faults.push(format!("{name} keeps the rule: take it out of `NOT_YET`")),
            (true, false) => {}
            (false, _) => faults.extend(found),
        }
    }
    faults.extend(
        SAME_NAMES.iter().filter(|(.., why)| why.is_empty()).map(|(_, name, _)| format!("{name}: why?")),
    );
    none(&faults);
}

#[test]
fn nothing_is_left_undone_or_silenced() {
    assert_eq!(banned_code(&made_up("#[allow(dead_code)]\nfn a() { todo!() }")).len(), 2);
    none(&banned_code(&made_up("// todo!\n#[expect(dead_code, reason = \"#[allow(\")]")));
    none(&all_rust_files().iter().flat_map(banned_code).collect::<Vec<_>>());
}

#[test]
fn there_is_no_unsafe_code() {
    // The workspace's lints hold for every crate, its tests and the programs.
    assert!(read("Cargo.toml").contains("\nunsafe_code = \"forbid\"\n"));
    for name in members() {
        assert!(read(&format!("{name}/Cargo.toml")).contains("\n[lints]\nworkspace = true\n"), "{name}");
    }
    let mut faults = Vec::new();
    for source in all_rust_files() {
        let code = source.code();
        let mut words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
        if words.any(|word| word == "unsafe") {
            faults.push(format!("{} has unsafe code", source.path));
        }
    }
    none(&faults);
}

/// Where the rules stand that refuse an ask, an answer or a command.
const REFUSES: [&str; 12] = [
    "core/src/draft",
    "core/src/decide/",
    "core/src/ask.rs",
    "core/src/asker.rs",
    "core/src/audience.rs",
    "core/src/condition.rs",
    "core/src/entry.rs",
    "core/src/format.rs",
    "core/src/hearing.rs",
    "core/src/question.rs",
    "core/src/sheet.rs",
    "core/src/text.rs",
];

/// Returns the numbers by which a rule refuses and that stand beside it.
fn limits_elsewhere(source: &Source) -> Vec<String> {
    let refuses = REFUSES.iter().any(|path| source.path.starts_with(path)) && !source.is_test();
    let code = if refuses { source.code() } else { String::new() };
    let limit = |line: &str| {
        let name = line.split_once("const ")?.1.split(':').next()?;
        ["_MAX", "_MIN"].iter().any(|end| name.ends_with(end)).then(|| name.to_owned())
    };
    code.lines()
        .filter_map(limit)
        .map(|name| format!("{}: `{name}`: limits.rs has the limits", source.path))
        .collect()
}

/// Invariant 9: what refuses by a number takes it from one file, and each of those numbers does something.
#[test]
fn what_limits_an_ask_stands_in_one_file() {
    let made_up =
        |path: &str| Source { path: path.into(), text: "pub const TALE_CHARS_MAX: usize = 3;\n".into() };
    assert_eq!(limits_elsewhere(&made_up("core/src/draft/check.rs")).len(), 1);
    none(&limits_elsewhere(&made_up("core/src/near.rs")));
    let files = crate_files();
    let mut faults: Vec<String> = files.iter().flat_map(limits_elsewhere).collect();
    let limits = files.iter().find(|source| source.path == "core/src/limits.rs").unwrap();
    let (consts, _) = limits.text.split_once("impl Default for DeskLimits").unwrap();
    let names = consts.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("const ").unwrap_or(line);
        let (name, _) = line.split_once(": ")?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
    });
    let names: Vec<&str> = names.filter(|name| name.ends_with("MAX") || name.ends_with("_max")).collect();
    assert!(names.len() > 15, "{names:?}");
    let rules: Vec<String> = files
        .iter()
        .filter(|source| {
            source.path.starts_with("core/src/") && source.path != limits.path && !source.is_test()
        })
        .map(Source::code)
        .collect();
    let outside = ["http/src/", "wire/src/", "mcp/src/", "desk/src/", "runner/src/"];
    let others: Vec<String> = files
        .iter()
        .filter(|source| outside.iter().any(|folder| source.path.starts_with(folder)) && !source.is_test())
        .map(Source::code)
        .collect();
    let idle = names.iter().filter(|name| !rules.iter().chain(&others).any(|code| code.contains(**name)));
    faults.extend(idle.map(|name| format!("core/src/limits.rs: nothing is limited by `{name}`")));
    none(&faults);
}
