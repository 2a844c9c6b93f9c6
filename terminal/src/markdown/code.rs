//! Blocks of code, and diffs among them.

use super::Ink;
use crate::line::{Line, Role};
use crate::width::width;
use crate::wrap::wrap;

/// Returns a block of code behind a quiet edge, what its language is above it.
pub(super) fn lines(label: &str, code: &str, columns: usize, ink: Ink) -> Vec<Line> {
    let edge = match ink {
        // Too narrow for more than the code.
        _ if columns < 8 => "",
        Ink::Styled => "▏ ",
        Ink::Plain | Ink::Spoken => "  ",
    };
    let room = columns - width(edge);
    let language = label.split([' ', ',']).next().unwrap_or_default();
    let is_diff = matches!(language, "diff" | "patch") || is_diff(code);
    let mut lines = Vec::new();
    let mut put = |text: &str, role: Role| {
        let rows = wrap(text, room).into_iter();
        lines.extend(rows.map(|row| Line::of(edge, Role::Secondary).and(row, role)));
    };
    if !label.is_empty() {
        put(label, Role::Secondary);
    }
    // The last line ends in front of the fence.
    let code = code.strip_suffix('\n').unwrap_or(code);
    for text in code.split('\n') {
        put(text, if is_diff { diff_role(text) } else { Role::Plain });
    }
    lines
}

/// Whether a text is a unified diff from its first line on.
pub(super) fn is_diff(text: &str) -> bool {
    let mut rest = text.trim_start().lines().skip_while(|line| is_diff_head(line)).peekable();
    let has_files = rest.next().is_some_and(|line| line.starts_with("--- "))
        && rest.next().is_some_and(|line| line.starts_with("+++ "));
    has_files && rest.next().is_some_and(|line| line.starts_with("@@ "))
}

/// What git writes above a diff.
fn is_diff_head(line: &str) -> bool {
    const HEADS: [&str; 10] = [
        "diff ",
        "index ",
        "new file",
        "deleted file",
        "old mode",
        "new mode",
        "similarity ",
        "rename ",
        "copy ",
        "dissimilarity ",
    ];
    HEADS.iter().any(|head| line.starts_with(head))
}

fn diff_role(line: &str) -> Role {
    if line.starts_with("+++ ") || line.starts_with("--- ") || is_diff_head(line) {
        return Role::Strong;
    }
    match line.chars().next() {
        Some('+') => Role::Good,
        Some('-') => Role::Bad,
        Some('@') if line.starts_with("@@") => Role::Accent,
        _ => Role::Plain,
    }
}
