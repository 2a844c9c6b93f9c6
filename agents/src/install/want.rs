//! What should be in an agent's settings, and how it is told from what is not ours.

use serde_json::{Map, Value};

/// The name under which we stand in every agent's list of servers.
pub const NAME: &str = "askuser";

/// One thing that should stand in a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Want {
    /// An entry of ours in a table: its fields are set, other fields of it stay.
    Entry {
        /// The keys that lead to it; the last one is its name.
        at: Vec<&'static str>,
        fields: Map<String, Value>,
    },
    /// A value that is set only where the person set none.
    Default {
        /// The keys that lead to it.
        at: Vec<&'static str>,
        value: Value,
    },
    /// A text in a list.
    Listed {
        /// The keys that lead to the list.
        at: Vec<&'static str>,
        text: String,
    },
    /// A hook: in the list of its event, in a group that says which tools it is for.
    Hook {
        event: &'static str,
        /// Which tools; none for events that have none.
        matcher: Option<&'static str>,
        hook: Value,
    },
    /// No hook of ours for an event: what it was for is no longer wanted.
    NoHook { event: &'static str },
}

impl Want {
    /// Returns the group in which a hook stands.
    pub fn group(matcher: Option<&str>, hook: &Value) -> Value {
        let mut group = Map::new();
        group.extend(matcher.map(|matcher| ("matcher".to_owned(), matcher.into())));
        group.insert("hooks".to_owned(), Value::Array(vec![hook.clone()]));
        Value::Object(group)
    }
}

/// Whether a hook is ours: it runs `askuser hook`, wherever the program lies.
pub fn is_our_hook(hook: &Value) -> bool {
    let Some(command) = hook.get("command").and_then(Value::as_str) else { return false };
    let words = match hook.get("args").and_then(Value::as_array) {
        // With arguments of its own the command is a program, whatever blanks its path has.
        Some(args) => {
            let args = args.iter().filter_map(|word| word.as_str().map(str::to_owned));
            std::iter::once(command.to_owned()).chain(args).collect()
        }
        None => words(command),
    };
    let program = words.first().and_then(|program| program.rsplit('/').next());
    program == Some(NAME) && words.get(1).is_some_and(|verb| verb == "hook")
}

/// Splits a shell line that we wrote into its words.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            c => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Writes words as a shell line; a word that a shell would read otherwise is quoted.
pub fn shell_line(words: &[&str]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    let quoted = |word: &&str| {
        let is_plain = word.chars().all(plain) && !word.is_empty();
        if is_plain { (*word).to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn our_hooks_are_told_from_others() {
        for ours in [
            json!({"type": "command", "command": "askuser", "args": ["hook", "claude-code"]}),
            json!({"type": "command", "command": "/opt/my tools/askuser", "args": ["hook", "claude-code"]}),
            json!({"type": "command", "command": "askuser hook codex"}),
            json!({"type": "command", "command": shell_line(&["/opt/my tools/askuser", "hook", "codex"])}),
        ] {
            assert!(is_our_hook(&ours), "{ours}");
        }
        for theirs in [
            json!({"type": "command", "command": "my-askuser hook claude-code"}),
            json!({"type": "command", "command": "askuser status"}),
            json!({"type": "command", "command": "echo askuser hook"}),
            json!({"type": "http", "url": "http://127.0.0.1/askuser hook"}),
        ] {
            assert!(!is_our_hook(&theirs), "{theirs}");
        }
    }
}
