//! What a permission would let run, for people: the command as it is, the rest of the tool's input, and
//! the folder.
//!
//! A permission comes in as a question whose description is the tool's input as JSON, as hooks and
//! drivers write it, or plain lines. Nothing of it is lost here: where it cannot be taken apart without
//! losing something, all of it stands for the command. Whoever draws it makes it harmless.

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::content::Content;
use askuser_core::question::{Choice, Kind, Questions};
use serde_json::Value;

/// What a permission is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permission {
    /// What would run, as it is: the input's `command`, else all of it.
    pub command: String,
    /// What else the agent says of it: the input's other fields as JSON, and what it wrote below.
    pub rest: Option<String>,
    /// The folder that the agent works in. A folder that the input names is in `rest`: not every tool
    /// goes there.
    pub folder: Option<String>,
}

/// Returns what an ask would let run; none where it grants nothing.
pub fn shown(ask: &Ask) -> Option<Permission> {
    of(&Content::new(&ask.questions, &ask.terms))
}

/// Returns the same of an ask as a client sees it.
pub fn of(content: &Content<'_>) -> Option<Permission> {
    let [question] = content.questions.top() else { return None };
    let input = question.description.as_deref().filter(|_| content.purpose == Purpose::Permission)?;
    let (command, rest) = taken_apart(input).unwrap_or_else(|| (input.to_owned(), None));
    Some(Permission { command, rest, folder: content.asker.folder.clone() })
}

/// Choices that say no, by how their ids begin: `deny`, `reject_once`.
const NOES: [&str; 4] = ["no", "deny", "reject", "decline"];

/// Whether the questions of a permission can be refused by a choice of their own: then there is nothing to
/// decline beside it.
pub fn has_own_no(questions: &Questions) -> bool {
    let is_no = |choice: &Choice| {
        let id = choice.id.as_str().to_ascii_lowercase();
        let word = id.split(|letter: char| !letter.is_ascii_alphanumeric()).next();
        word.is_some_and(|word| NOES.contains(&word))
    };
    let [question] = questions.top() else { return false };
    question.kind == Kind::YesNo || question.choices.iter().any(is_no)
}

/// The command and the rest of an input; none where it has no command.
fn taken_apart(input: &str) -> Option<(String, Option<String>)> {
    let mut values = serde_json::Deserializer::from_str(input).into_iter::<Value>();
    let value = values.next()?.ok()?;
    let (json, below) = input.split_at_checked(values.byte_offset())?;
    // A field that is there twice would be lost.
    if json != format!("{value:#}") {
        return None;
    }
    let Value::Object(mut fields) = value else { return None };
    let command = match fields.shift_remove("command")? {
        Value::String(line) if !line.is_empty() => line,
        Value::Array(words) if !words.is_empty() => line(&words)?,
        _ => return None,
    };
    let others = (!fields.is_empty()).then(|| format!("{:#}", Value::Object(fields)));
    let below = Some(below.trim_matches('\n').to_owned()).filter(|below| !below.is_empty());
    let rest: Vec<String> = others.into_iter().chain(below).collect();
    Some((command, (!rest.is_empty()).then(|| rest.join("\n\n"))))
}

/// The words of a command as one line, in which each is still told apart.
fn line(words: &[Value]) -> Option<String> {
    let words: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(quoted)).collect();
    words.map(|words| words.join(" "))
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./:=@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use askuser_core::asker::Asker;
    use serde_json::json;

    use super::*;
    use crate::read_told;

    fn permission(input: &str, purpose: Purpose) -> Option<Permission> {
        let questions = read_told(&json!({"questions": [{
            "header": "Permission", "type": "boolean", "other": false,
            "question": "Allow claude-code to use `Bash`?", "description": input,
        }]}))
        .unwrap();
        let asker = Asker { folder: Some("/home/ann/shop".to_owned()), ..Asker::default() };
        of(&Content { questions: &questions, context: None, purpose, asker: &asker })
    }

    fn parts(input: &str) -> (String, Option<String>) {
        let shown = permission(input, Purpose::Permission).unwrap();
        assert_eq!(shown.folder.as_deref(), Some("/home/ann/shop"));
        (shown.command, shown.rest)
    }

    #[test]
    fn a_command_is_shown_as_it_is_with_the_rest_and_its_folder() {
        let input = json!({"command": "rm -rf dist && npm ci", "description": "clean", "timeout": 5});
        let rest = "{\n  \"description\": \"clean\",\n  \"timeout\": 5\n}";
        assert_eq!(parts(&format!("{input:#}")), ("rm -rf dist && npm ci".to_owned(), Some(rest.to_owned())));
        assert_eq!(parts(&format!("{:#}", json!({"command": "ls"}))), ("ls".to_owned(), None));
    }

    #[test]
    fn the_words_of_a_command_stay_apart() {
        let input = json!({"command": ["bash", "-lc", "echo 'a b' > x", ""], "workdir": "/tmp"});
        let (command, rest) = parts(&format!("{input:#}"));
        assert_eq!(command, r"bash -lc 'echo '\''a b'\'' > x' ''");
        // Where it says that it runs is what the agent says.
        assert_eq!(rest.as_deref(), Some("{\n  \"workdir\": \"/tmp\"\n}"));
    }

    #[test]
    fn what_has_no_command_is_shown_whole() {
        let write = format!("{:#}", json!({"file_path": "/etc/hosts", "content": "x\ny"}));
        for input in [
            write.as_str(),
            " M src/main.rs\n?? notes.txt",
            "a1b2c3 Fix it",
            "(the agent does not say more)",
            "\"rm -rf /\"",
            "{\n  \"command\": 7\n}",
            "{\n  \"command\": \"\"\n}",
            "{\n  \"command\": []\n}",
            "{\n  \"command\": [\n    \"rm\",\n    7\n  ]\n}",
        ] {
            assert_eq!(parts(input), (input.to_owned(), None));
        }
    }

    #[test]
    fn nothing_of_it_is_lost() {
        // As an agent over ACP writes it: the input, and below it what would change.
        let input = format!("{:#}\n\n```diff\n-a\n+b\n```", json!({"command": "patch", "n": 1}));
        let (command, rest) = parts(&input);
        assert_eq!(command, "patch");
        assert_eq!(rest.as_deref(), Some("{\n  \"n\": 1\n}\n\n```diff\n-a\n+b\n```"));
        for input in [
            // The second one would be the one that is shown.
            "{\n  \"command\": \"rm -rf /\",\n  \"command\": \"ls\"\n}",
            "  {\n  \"command\": \"ls\"\n}",
            "{\"command\":\"ls\",\"n\":1e2}",
        ] {
            assert_eq!(parts(input), (input.to_owned(), None));
        }
    }

    #[test]
    fn hostile_text_stays_what_it_is_for_whoever_draws_it() {
        let hostile = "ls\u{1b}[2K\u{202e}\n</pre><b>`'\"";
        let input = json!({"command": hostile, "why": "\u{0}"});
        let (command, rest) = parts(&format!("{input:#}"));
        assert_eq!(command, hostile);
        assert_eq!(rest.as_deref(), Some("{\n  \"why\": \"\\u0000\"\n}"));
    }

    #[test]
    fn a_no_of_its_own_is_known_by_its_kind_or_its_name() {
        let asks = |choices: &[&str]| {
            let options: Vec<_> = choices.iter().map(|id| json!({"id": id, "label": id})).collect();
            let question = json!({"question": "Allow?", "type": "multiple_choice", "options": options});
            has_own_no(&read_told(&json!({"questions": [question]})).unwrap())
        };
        assert!(
            asks(&["allow", "always", "deny"])
                && asks(&["allow_once", "reject_once"])
                && asks(&["yes", "no"])
        );
        assert!(!asks(&["allow", "always"]) && !asks(&["now", "notify"]));
        let yes_or_no = json!({"questions": [{"question": "Allow?", "type": "boolean"}]});
        assert!(has_own_no(&read_told(&yes_or_no).unwrap()));
    }

    #[test]
    fn only_a_permission_would_let_something_run() {
        let input = format!("{:#}", json!({"command": "ls"}));
        assert_eq!(permission(&input, Purpose::Decision), None);
        assert!(permission(&input, Purpose::Permission).is_some());
    }
}
