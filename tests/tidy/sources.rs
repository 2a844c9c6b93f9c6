//! The files of the project, and their code without comments and literals.

use std::fs;
use std::path::{Path, PathBuf};

/// A file: where it stands below the root of the project, and what is in it.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Returns its code, see `code`.
    pub(crate) fn code(&self) -> String {
        code(&self.text)
    }

    /// Whether it holds nothing but tests.
    pub(crate) fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs") || self.path.contains("/tests/") || self.path.starts_with("tests/")
    }
}

/// Returns the folder that holds the project.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// Returns a file of the project as text.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Returns all Rust files below some folders, in order.
pub(crate) fn rust_files(folders: &[&str]) -> Vec<Source> {
    files(folders, "rs")
}

/// Returns the stories in a browser and what they share.
pub(crate) fn browser_files() -> Vec<Source> {
    let files = files(&["tests/browser"], "mjs");
    assert!(files.len() > 10, "only {} files found", files.len());
    files
}

/// Returns the databases of earlier versions that are kept for tests.
pub(crate) fn kept_databases() -> Vec<Source> {
    let files = files(&["tests/schema"], "sql");
    assert!(files.len() > 10, "only {} files found", files.len());
    files
}

/// Returns the scripts of the page.
pub(crate) fn script_files() -> Vec<Source> {
    let files = files(&["web/src/assets"], "js");
    assert!(files.len() > 10, "only {} files found", files.len());
    files
}

/// Returns all files of one kind below some folders, in order.
fn files(folders: &[&str], extension: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths);
    }
    paths.sort();
    let source = |path: PathBuf| Source { text: fs::read_to_string(&path).unwrap(), path: relative(&path) };
    let wanted = |path: &PathBuf| path.extension().is_some_and(|found| found == extension);
    paths.into_iter().filter(wanted).map(source).collect()
}

/// Returns the names of the crates that are shipped, which are their folders as well.
pub(crate) fn members() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let names: Vec<String> =
        line.split('"').skip(1).step_by(2).filter(|name| !name.contains('/')).map(str::to_owned).collect();
    assert!(names.len() > 2, "{line}");
    names
}

/// Returns all Rust files of what is shipped, and the tests in them.
pub(crate) fn crate_files() -> Vec<Source> {
    let folders: Vec<String> = members().iter().map(|name| format!("{name}/src")).collect();
    let mut folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    folders.push("src");
    rust_files(&folders)
}

/// Returns all Rust files that people write.
pub(crate) fn all_rust_files() -> Vec<Source> {
    let mut files = crate_files();
    files.extend(rust_files(&["tests", "benches", "examples", "fuzz"]));
    assert!(files.len() > 40, "only {} files found", files.len());
    files
}

/// Adds all files below a folder; a folder that is not there has none.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let is_built = path.ends_with("target") || path.ends_with("corpus");
            if !is_built {
                collect(&path, paths);
            }
        } else {
            paths.push(path);
        }
    }
}

/// Returns where a file stands below the root, with `/` on every system.
fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    path.to_string_lossy().replace('\\', "/")
}

/// Returns code with comments, texts and characters blanked out; every line keeps its number.
pub(crate) fn code(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let n_bytes = literal_bytes(rest, code.chars().next_back());
        if n_bytes == 0 {
            code.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            let (literal, behind) = rest.split_at(n_bytes);
            code.extend(literal.chars().map(|c| if c == '\n' { c } else { ' ' }));
            rest = behind;
        }
    }
    code
}

/// Returns the texts in code, without quotes; those of tests at the end of the file are left out.
pub(crate) fn texts(text: &str) -> Vec<&str> {
    let mut rest = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut texts, mut before) = (Vec::new(), None);
    while let Some(first) = rest.chars().next() {
        let n_bytes = literal_bytes(rest, before);
        let (literal, behind) = rest.split_at(n_bytes.max(first.len_utf8()));
        if n_bytes > 0 && literal.ends_with(['"', '#']) {
            texts.push(literal.trim_start_matches(['b', 'r']).trim_matches('#').trim_matches('"'));
        }
        (before, rest) = (literal.chars().next_back(), behind);
    }
    texts
}

/// Returns how long the comment or literal is that begins here; 0 where none does.
fn literal_bytes(rest: &str, before: Option<char>) -> usize {
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_comment_bytes(rest);
    }
    if rest.starts_with('"') {
        return text_bytes(rest);
    }
    if rest.starts_with('\'') {
        return character_bytes(rest);
    }
    if !in_word {
        let raw = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'));
        let n_hashes = raw.map_or(0, |raw| raw.len() - raw.trim_start_matches('#').len());
        if raw.is_some_and(|raw| raw[n_hashes..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(n_hashes));
            let begin = rest.find('"').unwrap() + 1;
            let n_inside = rest[begin..].find(&end).unwrap_or(rest.len() - begin);
            return (begin + n_inside + end.len()).min(rest.len());
        }
    }
    0
}

/// Returns the length of a block comment; they nest.
fn block_comment_bytes(rest: &str) -> usize {
    let mut depth = 0;
    for (idx, _) in rest.char_indices() {
        if rest[idx..].starts_with("/*") {
            depth += 1;
        } else if rest[idx..].starts_with("*/") {
            depth -= 1;
            if depth == 0 {
                return idx + 2;
            }
        }
    }
    rest.len()
}

/// Returns the length of a text in quotes.
fn text_bytes(rest: &str) -> usize {
    let mut escaped = false;
    for (idx, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return idx + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the length of a character in quotes; 0 for a lifetime.
fn character_bytes(rest: &str) -> usize {
    let mut characters = rest.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((idx, escaped))) => {
            let behind = idx + escaped.len_utf8();
            rest[behind..].find('\'').map_or(0, |n| behind + n + 1)
        }
        (Some(_), Some((idx, '\''))) => idx + 1,
        _ => 0,
    }
}

#[test]
fn comments_and_literals_are_blanked_and_lines_stay() {
    let text = "a // b\n\"c\\\"d\" 'e' '\\'' &'f g /* h /* i */\nj */ k r#\"l\"m\"# r\"n\" bar\"o\"";
    let words: Vec<_> = code(text).split_whitespace().map(str::to_owned).collect();
    assert_eq!(words, ["a", "&'f", "g", "k", "bar"]);
    assert_eq!(code(text).lines().count(), text.lines().count());
}
