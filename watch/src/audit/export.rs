//! The log of decisions as it leaves: JSON, JSON Lines, CSV, or decision records to read.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{AuditAnswer, Entry};
use askuser_wire::time;

/// How it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One entry a line.
    JsonLines,
    /// A table.
    Csv,
    /// Decision records: what was asked and decided, one after another.
    Markdown,
}

impl Form {
    /// Returns what it is for HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::JsonLines => "application/x-ndjson; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Markdown => "text/markdown; charset=utf-8",
        }
    }
}

/// The columns of a table: those of an entry, then its details, each for itself.
const COLUMNS: [&str; 25] = [
    "timestamp",
    "session_id",
    "user_id",
    "action",
    "ip_address",
    "number",
    "session",
    "ask_id",
    "round",
    "owner",
    "agent",
    "asked_by",
    "project",
    "source",
    "channel",
    "proof",
    "answered_by",
    "wait_ms",
    "questions",
    "descriptions",
    "answers",
    "context",
    "comment",
    "program",
    "mark",
];

/// Writes entries, as [`to_json`] has them; the first page of a table begins with the names of its
/// columns.
pub fn write(form: Form, entries: &[Value], first: bool) -> String {
    let mut text = String::new();
    match form {
        Form::JsonLines => entries.iter().for_each(|entry| {
            // Writing to a text never fails.
            let _written = writeln!(text, "{}", askuser_core::text::escaped_in_json(&entry.to_string()));
        }),
        Form::Csv => {
            if first {
                text.push_str(&COLUMNS.join(","));
                text.push_str("\r\n");
            }
            for entry in entries {
                text.push_str(&row(entry));
            }
        }
        Form::Markdown => {
            if first {
                text.push_str("# Decisions\n");
            }
            let decisions =
                entries.iter().filter(|entry| !["ask", "show"].contains(&field(entry, "action").as_str()));
            decisions.for_each(|entry| text.push_str(&record(entry)));
        }
    }
    text
}

/// Something of an entry, or of its details.
fn found<'a>(entry: &'a Value, name: &str) -> Option<&'a Value> {
    entry.get(name).or_else(|| entry.get("details")?.get(name))
}

/// The same as text; empty where there is none.
pub fn field(entry: &Value, name: &str) -> String {
    match found(entry, name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// The questions of an entry, with what was answered.
pub fn said(entry: &Value) -> &[Value] {
    found(entry, "questions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// An entry as JSON, as 002 10.2 has it: everything that it does not name is in `details`.
pub fn to_json(entry: &Entry) -> Value {
    let one = |said: &AuditAnswer| {
        json!({"question_id": said.question_id, "question": said.question,
        "description": said.description, "answer": said.answer, "note": said.note})
    };
    json!({
        "timestamp": time::write(entry.at),
        "session_id": entry.session_id,
        "user_id": entry.user,
        "action": entry.action,
        "details": {
            "number": entry.number,
            "session": entry.session,
            "ask_id": entry.ask,
            "round": entry.round,
            "owner": entry.owner,
            "agent": entry.agent,
            "asked_by": entry.asked_by,
            "project": entry.project,
            "source": entry.source,
            "channel": entry.channel,
            "proof": entry.proof,
            "program": entry.program,
            "mark": entry.mark,
            "answered_by": entry.answered_by,
            "wait_ms": entry.wait_ms,
            "questions": entry.said.iter().map(one).collect::<Vec<_>>(),
            "context": entry.context,
            "comment": entry.comment,
            "erased": entry.erased,
        },
        "ip_address": entry.address,
    })
}

fn row(entry: &Value) -> String {
    let joined = |name: &str| {
        let parts: Vec<String> = said(entry).iter().map(|said| field(said, name)).collect();
        parts.join(" | ")
    };
    let cells = COLUMNS.map(|column| match column {
        "questions" => joined("question"),
        "descriptions" => joined("description"),
        "answers" => joined("answer"),
        column => field(entry, column),
    });
    cells.map(|text| cell(&text)).join(",") + "\r\n"
}

/// A cell as RFC 4180 has it. What a spreadsheet would take for a formula is made a text, and what would act
/// where it is read is shown as everywhere else.
fn cell(text: &str) -> String {
    let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let text = askuser_core::text::shown(text);
    if mark.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        return text.into_owned();
    }
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

/// A decision as one reads it.
fn record(entry: &Value) -> String {
    let first = said(entry).first().map_or_else(|| "a decision".to_owned(), |said| field(said, "question"));
    let mut text = format!("\n## {}: {}\n\n", field(entry, "action"), line(&first));
    let mut say = |name: &str, what: String| {
        if !what.is_empty() {
            let _written = writeln!(text, "- {name}: {}", line(&what));
        }
    };
    let or = |name: &str, other: &str| {
        Some(field(entry, name)).filter(|it| !it.is_empty()).unwrap_or(other.to_owned())
    };
    say("when", field(entry, "timestamp"));
    let project = field(entry, "project");
    let of = if project.is_empty() { String::new() } else { format!(" for {project}") };
    say("asked by", format!("{}{of}", or("agent", "an agent")));
    let place = ["channel", "proof", "ip_address"].map(|name| field(entry, name));
    let place = place.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    say("decided by", format!("{} ({place})", or("user_id", "nobody")));
    say("answered by", field(entry, "answered_by"));
    say("source", field(entry, "source"));
    let ms = found(entry, "wait_ms").and_then(Value::as_u64);
    say("after", ms.map(|ms| format!("{}.{:03} s", ms / 1000, ms % 1000)).unwrap_or_default());
    say("context", field(entry, "context"));
    say("comment", field(entry, "comment"));
    say("where", format!("session {}, fact {}", field(entry, "session_id"), field(entry, "number")));
    for said in said(entry) {
        let answer = Some(field(said, "answer")).filter(|answer| !answer.is_empty());
        let answer = answer.map_or_else(|| "no answer".to_owned(), |answer| line(&answer));
        let _written = writeln!(text, "- **{}** {answer}", line(&field(said, "question")));
        let description = field(said, "description");
        if !description.is_empty() {
            let _written = writeln!(text, "  {}", line(&description));
        }
        let note = field(said, "note");
        if !note.is_empty() {
            let _written = writeln!(text, "  ({})", line(&note));
        }
    }
    text
}

/// A text on one line, in which nothing is markup.
fn line(text: &str) -> String {
    let shown = askuser_core::text::shown(text);
    let mut safe = String::new();
    for letter in shown.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if "\\`*_{}[]<>#|!".contains(letter) {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula_and_a_record_no_markup() {
        assert_eq!(cell("plain"), "plain");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(cell("=cmd|'/C calc'!A0"), "\"'=cmd|'/C calc'!A0\"");
        assert_eq!(cell("a\u{1b}[31m\u{9b}\u{202e}b"), "a\u{241b}[31m\u{fffd}\u{fffd}b");
        assert_eq!(write(Form::JsonLines, &[json!("\u{9b}")], true), "\"\\u009b\"\n");
        assert_eq!(line("# <b>\n[x](y)"), "\\# \\<b\\> \\[x\\](y)");
    }
}
