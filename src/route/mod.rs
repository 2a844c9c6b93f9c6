//! Tells an agent's shell line apart: is it `AskUserQuestion …`, and what is its JSON?
//!
//! For hosts that see every line which an agent wants to run and would rather ask the question
//! themselves than start a program for it. The name is matched exactly, as a shell would: not in
//! another case, not as a part of a word (the tool names of D3 are names of tools, not of programs).
//!
//! The rule behind the table: a line is taken when it gives exactly what a shell would have handed
//! to the program. A line that needs a real shell is left to one, where it works, because
//! `AskUserQuestion` is a real program. A line that is the command but cannot give JSON is taken
//! with an error, so that the host can tell the agent what to write instead.
//!
//! | line | route |
//! |---|---|
//! | `AskUserQuestion '…'`, `"…"`, `$'…'`, `\{\}`, parts in a row: `'a'"b"'\''c'` | taken |
//! | `AskUserQuestion {…}`: JSON without quotes, which a shell would tear apart | taken, as it stands |
//! | a here-document: `<<'EOF'`, `<<"EOF"`, `<<\EOF`, `<<EOF`, `<<-EOF`, after `-` as well; `<<< '…'` | taken |
//! | `AskUserQuestion "$(cat <<'EOF' … EOF )"` | taken |
//! | blanks, empty lines and comments around it, `\` at a line's end, `;` after it, CR before LF | taken |
//! | `NAME=value` before it | taken, with `env`, since some variables change the limits (T3) |
//! | `/any/path/AskUserQuestion`, `./AskUserQuestion`, `'AskUserQuestion'`, `command AskUserQuestion`, `-- '…'` | taken |
//! | no argument, an empty one, more than one | error |
//! | not JSON; JSON nested deeper than 127; bytes that are not text; a NUL | error |
//! | a quote or a here-document that is not closed | error |
//! | `$` or a backtick inside the JSON, in double quotes or in a here-document that expands | error: the person would be asked something else than was written |
//! | JSON without quotes and something behind it | error: no shell would keep its quotes |
//! | an argument or a part that *is* an expansion: `"$JSON"`, `"$(jq …)"`, `'{"a":"'"$A"'"}'` | other: only a shell knows its value |
//! | `\| jq`, `&& …`, `\|\| …`, `&`, `> file`, `2>&1`, `< file`, `( … )`, `{ …; }`, `! …`, a second command | other |
//! | an argument *and* a here-document: standard input is then the person's | other |
//! | `--help`, `--plain` and other options, `-` without a here-document | other: the program's own business |
//! | `cd x && AskUserQuestion …`, `echo AskUserQuestion`, `command -v AskUserQuestion`, `env AskUserQuestion …` | other |
//! | `AskUserQuestionnaire`, `askuserquestion`, `askuser ask …` | other |
//!
//! Reading takes time in proportion to the line, whatever stands in it, and never panics.

mod cursor;
mod word;
mod ansi;
mod here;
mod line;

use serde_json::{Map, Value, json};
use thiserror::Error;

/// The one command that is ours.
pub const COMMAND: &str = "AskUserQuestion";

/// What a shell line is.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// The agent's command; the host asks the question.
    AgentShell(AgentShell),
    /// Not ours, or ours in a way that needs a real shell: the host's shell runs it.
    Other,
}

/// A line that is the agent's command.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentShell {
    /// Variables set for this command alone, in the order in which they stand.
    pub env: Vec<(String, String)>,
    /// The JSON, or why there is none.
    pub input: Result<Value, BadArgument>,
}

/// Why the agent's command gives no JSON, and what to write instead.
///
/// The first two begin as the program's own messages do (T4, T5), so that an agent reads the same
/// words whether a host or the program told it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadArgument {
    /// Nothing, or nothing but blanks.
    #[error("Missing JSON parameter")]
    Missing,
    /// It is not JSON.
    #[error("Invalid JSON format: {0}")]
    NotJson(String),
    /// A single or double quote is open at the end.
    #[error(
        "a {0} quote is not closed; put the JSON in single quotes and write an apostrophe in it as '\\''"
    )]
    QuoteNotClosed(&'static str),
    /// A here-document's last line is missing.
    #[error("the here-document is not closed: no line is `{0}` and nothing else")]
    HereDocumentNotClosed(String),
    /// More than one word.
    #[error(
        "one argument is expected and {0} stand there; put the JSON in single quotes and write an apostrophe in it as '\\''"
    )]
    TooMany(usize),
    /// A shell would put something else in its place.
    #[error("a shell would replace the {0} inside the JSON; put the JSON in single quotes or behind <<'EOF'")]
    Expansion(&'static str),
    /// JSON without quotes, and something behind it.
    #[error("something stands behind the JSON; put the JSON in single quotes")]
    BehindBareJson,
    /// An argument that no program can be given.
    #[error("the argument is not text: it holds a NUL or is not UTF-8")]
    NotText,
}

/// Tells what a shell line is. A line may hold newlines: it is what a host would give to `sh -c`.
pub fn route(line: &str) -> Route {
    line::read(line).map_or(Route::Other, Route::AgentShell)
}

impl Route {
    /// Returns the route as `askuser route` prints it.
    pub fn to_json(&self) -> Value {
        let Self::AgentShell(taken) = self else {
            return json!({"type": "other"});
        };
        let mut object = Map::new();
        object.insert("type".into(), "agent_shell".into());
        object.insert("command".into(), COMMAND.into());
        if !taken.env.is_empty() {
            let env: Map<_, _> =
                taken.env.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
            object.insert("env".into(), env.into());
        }
        match &taken.input {
            Ok(input) => object.insert("input".into(), input.clone()),
            Err(bad) => object.insert("error".into(), bad.to_string().into()),
        };
        object.into()
    }
}

#[cfg(test)]
mod tests;
