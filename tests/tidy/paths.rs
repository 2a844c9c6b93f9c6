//! Paths in code: `crate::a::b`, also out of groups as `use crate::{a, b::{c, d}}`.

/// Returns every path that begins with `root::`, written out without groups.
pub(crate) fn paths(code: &str, root: &str) -> Vec<String> {
    let mut found = Vec::new();
    let begin = format!("{root}::");
    for (idx, _) in code.match_indices(&begin) {
        let before = code[..idx].trim_end().chars().next_back();
        // `a::crate` is no path of ours, `::std` is.
        let joined = code[..idx].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let nested = code[..idx].ends_with("::") && before == Some(':') && named(&code[..idx]);
        if !joined && !nested {
            branches(&code[idx + begin.len()..], root, &mut found);
        }
    }
    found
}

/// Whether a name stands before the `::` at the end.
fn named(before: &str) -> bool {
    before[..before.len() - 2].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '>')
}

/// Adds the paths that go on from `prefix`, and returns what stands behind them.
fn branches<'a>(rest: &'a str, prefix: &str, found: &mut Vec<String>) -> &'a str {
    let rest = rest.trim_start();
    if let Some(group) = rest.strip_prefix('{') {
        let mut inside = group;
        loop {
            inside = branches(inside, prefix, found).trim_start();
            if let Some(next) = inside.strip_prefix(',') {
                inside = next;
            } else {
                return inside.strip_prefix('}').unwrap_or(inside);
            }
        }
    }
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '*';
    let n_bytes = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
    if n_bytes == 0 {
        return rest;
    }
    let path = format!("{prefix}::{}", &rest[..n_bytes]);
    let behind = rest[n_bytes..].trim_start();
    if let Some(deeper) = behind.strip_prefix("::") {
        return branches(deeper, &path, found);
    }
    found.push(path);
    let renamed = behind.strip_prefix("as ").map(str::trim_start);
    renamed.map_or(behind, |name| name.trim_start_matches(is_name))
}

#[test]
fn groups_are_written_out() {
    let code = "use crate::{a, b::{c as d, e}, f::*,};\nfn g(h: &crate::i::J) { xcrate::k; self::crate::l }";
    assert_eq!(
        paths(code, "crate"),
        ["crate::a", "crate::b::c", "crate::b::e", "crate::f::*", "crate::i::J"]
    );
    assert_eq!(paths("::std::fs::read()", "std"), ["std::fs::read"]);
}
