//! Setting one key in the text of a configuration; comments, order and everything else stay.
//!
//! The lines are edited as a person would, and then the whole is read again: unless exactly the one key has
//! changed, nothing is written.

use askuser_words::Language;

use super::keys::Key;
use super::keys::{Config, KEYS, TABLES};
use super::load::{ConfigError, read_text};
use super::said::Said;
use super::value::Given;

/// How keys are indented where there is nothing to go by.
const INDENT: usize = 2;

/// Why a key was not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSet {
    /// The value does not fit.
    #[error("{0}")]
    Value(Said),
    /// The file has faults already.
    #[error("{0}")]
    Faults(ConfigError),
    /// It is written in a way that cannot be edited line by line.
    #[error("{0}")]
    Unusual(Said),
}

impl NotSet {
    pub fn said(&self, language: Language) -> String {
        match self {
            Self::Value(what) | Self::Unusual(what) => what.in_language(language).to_owned(),
            Self::Faults(faults) => faults.said(language),
        }
    }
}

/// Returns the text with a key set to a value; `value` is read as a flag's is.
pub fn set(text: &str, key: &Key, value: &str) -> Result<String, NotSet> {
    let read = |text: &str| read_text(text).map_err(|faults| NotSet::Faults(ConfigError(faults)));
    let mut wanted = read(text)?;
    (key.read)(&mut wanted, &Given::Text(value))
        .map_err(|what| NotSet::Value(what.within(|say, what| say.of(key.full_name(), what))))?;
    let line = format!("{}: {}", key.name, key.show(&wanted));
    let edited = with_line(text, key, &line);
    match read(&edited) {
        Ok(new) if is_same(&new, &wanted) => Ok(edited),
        _ => Err(NotSet::Unusual(Said::new(|say| say.unusual(key.section)))),
    }
}

fn is_same(one: &Config, other: &Config) -> bool {
    KEYS.iter().all(|key| key.show(one) == key.show(other))
        && TABLES.iter().all(|table| (table.same)(one, other))
}

/// Puts the line in: in the key's place, else below its commented default, else first in its section.
fn with_line(text: &str, key: &Key, line: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let Some(head) = lines.iter().position(|at| is_key(at, 0, key.section)) else {
        if lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(String::new());
        }
        lines.extend([format!("{}:", key.section), format!("{:INDENT$}{line}", "")]);
        return joined(&lines);
    };
    let ends = |at: &&String| indent(at) == Some(0);
    let end = lines.iter().skip(head + 1).position(|at| ends(&at)).map_or(lines.len(), |n| head + 1 + n);
    let inside = lines.get(head + 1..end).unwrap_or_default();
    let depth = inside.iter().find_map(|at| indent(at)).unwrap_or(INDENT);
    if let Some(at) = inside.iter().position(|at| is_key(at, depth, key.name)) {
        let at = head + 1 + at;
        let comment = lines.get(at).and_then(|old| trailing_comment(old)).unwrap_or_default().to_owned();
        let after = value_end(&lines, at, end, depth);
        lines.splice(at..after, [format!("{:depth$}{line}{comment}", "")]);
        return joined(&lines);
    }
    let default = inside.iter().position(|at| {
        at.trim_start().strip_prefix('#').is_some_and(|at| is_key(at.trim_start(), 0, key.name))
    });
    let at = default.map_or(head + 1, |at| head + 2 + at);
    lines.insert(at, format!("{:depth$}{line}", ""));
    joined(&lines)
}

fn joined(lines: &[String]) -> String {
    lines.join("\n") + "\n"
}

/// How far a line is indented; none if it is blank or a comment.
fn indent(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty() && !text.starts_with('#')).then(|| line.len() - text.len())
}

fn is_key(line: &str, depth: usize, name: &str) -> bool {
    let rest = line.trim_start().strip_prefix(name);
    line.len() - line.trim_start().len() == depth
        && rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// What stands behind a value: blanks and a comment. Only behind plain values; a `#` may stand in quotes.
fn trailing_comment(line: &str) -> Option<&str> {
    let at = line.find(" #")?;
    let value = line.get(..at)?;
    if value.contains(['"', '\'']) {
        return None;
    }
    line.get(value.trim_end().len()..)
}

/// Where the value of the key at a line ends: behind the last line that is deeper, or an item of its list.
fn value_end(lines: &[String], at: usize, end: usize, depth: usize) -> usize {
    let mut after = at + 1;
    for (place, line) in lines.iter().enumerate().take(end).skip(at + 1) {
        match indent(line) {
            None => {}
            Some(deep) if deep > depth || (deep == depth && line.trim_start().starts_with("- ")) => {
                after = place + 1;
            }
            Some(_) => break,
        }
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(name: &str) -> &'static Key {
        KEYS.iter().find(|key| key.full_name() == name).unwrap()
    }

    fn after(text: &str, name: &str, value: &str) -> String {
        set(text, key(name), value).unwrap()
    }

    #[test]
    fn a_key_is_set_in_its_place_and_comments_stay() {
        let text = "# mine\nlog:\n  # how much\n  level: info # for now\n  files_kept: 3\n\nrunner:\n  folders:\n    - a # one\n    - b\n  git: true\n";
        assert_eq!(after(text, "log.level", "debug"), text.replace("info # for now", "debug # for now"));
        assert_eq!(
            after(text, "runner.folders", "/x, /y y"),
            text.replace("folders:\n    - a # one\n    - b\n", "folders: [\"/x\", \"/y y\"]\n")
        );
        assert_eq!(after(text, "log.file_mb", "7"), text.replace("log:\n", "log:\n  file_mb: 7\n"));
        assert_eq!(after(text, "answers.undo_for", "2s"), format!("{text}\nanswers:\n  undo_for: 2\n"));
        assert_eq!(after("", "log.level", "warn"), "log:\n  level: warn\n");
    }

    #[test]
    fn in_the_sample_it_comes_below_its_default() {
        let sample = super::super::sample(Language::English, |text, _| vec![text.to_owned()]);
        let set = after(&sample, "log.level", "debug");
        assert_eq!(set, sample.replace("  #level: info\n", "  #level: info\n  level: debug\n"));
    }

    #[test]
    fn what_does_not_fit_or_cannot_be_edited_is_refused() {
        let refused = |text: &str, name: &str, value: &str| set(text, key(name), value).unwrap_err();
        assert!(matches!(refused("", "log.level", "loud"), NotSet::Value(_)));
        assert!(matches!(refused("log: {level: info}\n", "log.files_kept", "2"), NotSet::Unusual(_)));
        assert!(matches!(refused("lgo:\n", "log.level", "info"), NotSet::Faults(_)));
        assert_eq!(
            after("log: {level: info}\n", "answers.undo_for", "0"),
            "log: {level: info}\n\nanswers:\n  undo_for: 0\n"
        );
    }

    proptest! {
        #[test]
        fn whatever_the_text_nothing_else_changes(text in "(log:|  level: info|  file: true|    x|#a|  - b|\n| |\"){0,12}") {
            if let Ok(edited) = set(&text, key("log.files_kept"), "2") {
                let (old, new) = (read_text(&text).unwrap(), read_text(&edited).unwrap());
                prop_assert_eq!(new.log.files_kept, 2);
                prop_assert_eq!(old.log.level, new.log.level);
                prop_assert!(text.lines().filter(|line| line.starts_with('#')).all(|line| edited.contains(line)));
            }
        }
    }
}
