//! The dialects: how each is read and written, and the marks by which an ask tells its own.
//!
//! Marks of the whole ask come before marks of a question: an envelope was written on purpose, a
//! field of a question may be a habit. What has no mark is the plain `command`.

use askuser_core::asker::Terms;
use askuser_core::draft::Draft;
use askuser_core::limits::Limits;
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use serde_json::Value;

use super::line::Entries;
use super::reading::{Fields, Nulls};
use super::{
    ask_user, claude, codex, command, elicitation, envelope, events, full, gemini, opencode, outcome, push,
    vscode,
};

/// A way to write down an ask and its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The terminal command of the source documents (T).
    Command,
    /// The event protocol (E).
    Events,
    /// The push form of the dialogue platform (D, P).
    Push,
    /// `ask_user` with its timeouts (O).
    AskUser,
    /// Claude Code's `AskUserQuestion`.
    Claude,
    /// Codex's `request_user_input`.
    Codex,
    /// Gemini CLI's `ask_user`.
    Gemini,
    /// opencode's `question`.
    Opencode,
    /// VS Code's `askQuestions`.
    Vscode,
    /// A form of an MCP server.
    Elicitation,
    /// Our own: the union, with ids.
    Full,
    /// A tool call around any of the others: the `tool_use` object.
    ToolUse,
    /// The message of an agent that holds the call.
    Message,
    /// The line of a transcript that holds the message.
    TranscriptLine,
}

impl Dialect {
    /// Every dialect of questions.
    pub const ALL: [Self; 11] = [
        Self::Command,
        Self::Events,
        Self::Push,
        Self::AskUser,
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Vscode,
        Self::Elicitation,
        Self::Full,
    ];

    /// What may stand around one of them. Its reply is text for a model, which is not read back.
    pub const ENVELOPES: [Self; 3] = [Self::ToolUse, Self::Message, Self::TranscriptLine];

    /// Returns the names of all of them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().chain(Self::ENVELOPES).map(Self::name)
    }

    /// Returns its name, as `--dialect` and `?dialect=` take it.
    pub fn name(self) -> &'static str {
        self.codec().name
    }

    /// Whether its reply has words for every ending, also where nobody answered.
    pub fn tells_every_ending(self) -> bool {
        self.codec().tells_every_ending
    }

    /// Everything that is known of a dialect but its marks: what is particular about it is in a file of its own.
    pub(crate) fn codec(self) -> Codec {
        match self {
            Self::Command => {
                let write: Write = |questions, _, outcome| command::write(questions, outcome);
                Codec::of("command", command::read, write, command::read_reply)
            }
            Self::Events => Codec {
                limits: Limits::EVENTS,
                read_around: |value, draft, _, terms| events::read_agent(value, draft, terms),
                ..Codec::of("events", events::read, events::write, events::read_reply)
            },
            Self::Push => {
                let write: Write = |questions, _, outcome| push::write(questions, outcome);
                let codec = Codec::of("push", push::read, write, push::read_reply);
                Codec { limits: Limits::PUSH, ..codec }
            }
            Self::AskUser => Codec {
                limits: Limits::PUSH,
                tells_every_ending: true,
                ..Codec::of("ask_user", ask_user::read, ask_user::write, ask_user::read_reply)
            },
            Self::Claude => {
                let write: Write = |questions, _, outcome| claude::write(questions, outcome);
                Codec::of("claude", claude::read, write, claude::read_reply)
            }
            Self::Codex => {
                let write: Write = |questions, _, outcome| codex::write(questions, outcome);
                Codec::of("codex", codex::read, write, codex::read_reply)
            }
            Self::Gemini => {
                let write: Write = |questions, _, outcome| gemini::write(questions, outcome);
                Codec::of("gemini", gemini::read, write, gemini::read_reply)
            }
            Self::Opencode => {
                let write: Write = |questions, _, outcome| opencode::write(questions, outcome);
                Codec::of("opencode", opencode::read, write, opencode::read_reply)
            }
            Self::Vscode => {
                let write: Write = |questions, _, outcome| vscode::write(questions, outcome);
                Codec::of("vscode", vscode::read, write, vscode::read_reply)
            }
            Self::Elicitation => {
                let write: Write = |questions, _, outcome| elicitation::write(questions, outcome);
                Codec {
                    limits: Limits::FORM,
                    read_around: elicitation::read_message,
                    tells_every_ending: true,
                    ..Codec::of("elicitation", elicitation::read, write, elicitation::read_reply)
                }
            }
            Self::Full => Codec {
                read: Some(full::read),
                read_reply: Some(|_, reply| outcome::read_reply(reply)),
                ..Codec::of_all("full", |questions, _, outcome| outcome::write(questions, outcome, None))
            },
            Self::ToolUse => Codec::of_all("tool_use", envelope::tool_result),
            Self::Message => Codec::of_all("message", envelope::message),
            Self::TranscriptLine => Codec::of_all("transcript_line", envelope::transcript_line),
        }
    }

    /// Finds a dialect by its name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain(Self::ENVELOPES).find(|dialect| dialect.name() == name)
    }
}

type Read = fn(&Value) -> Draft;
type Write = fn(&Questions, &Terms, &Outcome) -> Value;
type ReadReply = fn(&Questions, &Value) -> Entries;

/// How a dialect is read and written.
pub(crate) struct Codec {
    name: &'static str,
    /// What it allows in an ask.
    pub(crate) limits: Limits,
    /// Reads its questions; none where it stands around those of another.
    pub(crate) read: Option<Read>,
    /// Reads what it says around them, beside what all dialects do.
    pub(crate) read_around: fn(&Value, &mut Draft, &Limits, &mut Terms),
    /// Writes how an ask ended.
    pub(crate) write: Write,
    /// Whether what each of several people said is put beside that; else it is part of it.
    pub(crate) voices_beside: bool,
    /// Reads such a reply back; none where it is text for a model.
    pub(crate) read_reply: Option<ReadReply>,
    tells_every_ending: bool,
}

impl Codec {
    /// That of another program.
    fn of(name: &'static str, read: Read, write: Write, read_reply: ReadReply) -> Self {
        let (read, read_reply) = (Some(read), Some(read_reply));
        Self { read, read_reply, voices_beside: true, tells_every_ending: false, ..Self::of_all(name, write) }
    }

    /// One whose reply says all that there is to say.
    fn of_all(name: &'static str, write: Write) -> Self {
        Self {
            name,
            limits: Limits::FOREIGN,
            read: None,
            read_around: |_, _, _, _| {},
            write,
            voices_beside: false,
            read_reply: None,
            tells_every_ending: true,
        }
    }
}

/// Tells the dialect of an ask by its marks.
pub fn recognise(ask: &Value) -> Dialect {
    let said = ask.get("dialect").and_then(Value::as_str).and_then(Dialect::parse);
    said.or_else(|| envelope::dialect(ask))
        .unwrap_or_else(|| recognise_bare(envelope::input(ask).unwrap_or(ask)))
}

/// Tells the dialect of an ask that stands in no envelope, or was taken out of it.
pub(super) fn recognise_bare(ask: &Value) -> Dialect {
    let fields = Fields::of(ask, Nulls::AreMissing);
    of_the_ask(fields).or_else(|| of_the_questions(fields)).unwrap_or(Dialect::Command)
}

fn of_the_ask(ask: Fields<'_>) -> Option<Dialect> {
    let word = |key| ask.get(key).and_then(Value::as_str);
    let said = word("dialect").and_then(Dialect::parse);
    if let Some(said) = said.filter(|said| !Dialect::ENVELOPES.contains(said)) {
        return Some(said);
    }
    let schema = ask.has("requestedSchema")
        || ask.has("requested_schema")
        || (word("type") == Some("object") && ask.has("properties"));
    if ask.has("agentId") {
        Some(Dialect::Events)
    } else if word("type") == Some("ask_user") || ask.has("eventId") {
        Some(Dialect::AskUser)
    } else if schema {
        Some(Dialect::Elicitation)
    } else if ask.has("annotations") {
        Some(Dialect::Claude)
    } else {
        None
    }
}

fn of_the_questions(ask: Fields<'_>) -> Option<Dialect> {
    let listed = ask.get("questions").and_then(Value::as_array);
    let questions: Vec<Fields<'_>> = match listed {
        Some(list) => list.iter().map(|question| Fields::of(question, Nulls::AreMissing)).collect(),
        None => match ask.get("question") {
            Some(question) if question.is_object() => {
                vec![Fields::of(question, Nulls::AreMissing)]
            }
            _ => vec![ask],
        },
    };
    let any = |test: &dyn Fn(Fields<'_>) -> bool| questions.iter().any(|fields| test(*fields));
    let option = |question: Fields<'_>, key: &str| {
        let options = question.get("options").and_then(Value::as_array);
        options.into_iter().flatten().any(|option| Fields::of(option, Nulls::AreMissing).has(key))
    };
    let words = |question: Fields<'_>| {
        let options = question.get("options").and_then(Value::as_array).filter(|options| !options.is_empty());
        options.is_some_and(|options| options.iter().all(Value::is_string))
    };
    let named = any(&|question| question.has("question_id") || question.has("question_text"));
    let preview = any(&|question| option(question, "preview"));
    let recommended = any(&|question| option(question, "recommended"));
    let typed = |words: &'static [&'static str]| {
        any(&|question| {
            let word = question.get("type").and_then(Value::as_str);
            word.is_some_and(|word| words.contains(&word))
        })
    };
    // A question and nothing that says how it is answered: only ours takes that, as one that wants a text.
    let bare = ask.get("question").is_some_and(Value::is_string)
        && !named
        && !["questions", "options", "type", "multiSelect", "follow_up_questions"]
            .iter()
            .any(|key| ask.has(key));
    if bare || any(&|question| question.has("other")) || (named && (preview || recommended)) {
        Some(Dialect::Full)
    } else if preview {
        Some(Dialect::Claude)
    } else if listed.is_some() && any(&|question| question.has("id")) {
        Some(Dialect::Codex)
    } else if named
        || listed.is_none() && (ask.has("question") || ask.has("options"))
        || typed(&["multiple_choice", "checkbox", "boolean"])
        || any(&|question| question.has("follow_up_questions") || option(question, "running"))
    {
        Some(Dialect::Push)
    } else if typed(&["choice", "text", "yesno"]) {
        Some(Dialect::Gemini)
    } else if any(&|question| question.has("multiple") || question.has("custom")) {
        Some(Dialect::Opencode)
    } else if recommended || any(&|question| question.has("allowFreeformInput")) {
        Some(Dialect::Vscode)
    } else if any(&|question| words(question)) {
        // Of those whose options may be words alone, the one that answers in a map.
        Some(Dialect::Push)
    } else if any(&|question| question.has("type")) {
        // A word that none of them knows: the form whose types are the documents' says which there are.
        Some(Dialect::Push)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_dialect_is_found_by_its_name() {
        for dialect in Dialect::ALL.into_iter().chain(Dialect::ENVELOPES) {
            assert_eq!(Dialect::parse(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::parse("esperanto"), None);
    }

    #[track_caller]
    fn check(ask: impl Into<Value>, expected: &str) {
        let ask = ask.into();
        assert_eq!(recognise(&ask).name(), expected, "{ask}");
    }

    #[test]
    fn an_ask_tells_its_dialect_by_its_marks() {
        let one = |question: Value| json!({"questions": [{"question": "Q?"}, question]});
        check(one(json!({"multiSelect": true})), "command");
        check(json!({"agentId": "a1", "questions": []}), "events");
        check(one(json!({"options": [{"label": "A", "preview": "x"}]})), "claude");
        check(json!({"questions": [], "annotations": {}}), "claude");
        check(one(json!({"id": "db"})), "codex");
        check(one(json!({"question_id": "q1"})), "push");
        check(json!({"question_text": "Q?", "type": "text"}), "push");
        check(json!({"type": "ask_user_question", "question": {"question_text": "Q?"}}), "push");
        check(json!({"question": "选择功能", "options": [{"id": "poem"}]}), "push");
        check(one(json!({"type": "checkbox"})), "push");
        check(json!({"eventId": "e1", "questions": [{"question_id": "q"}]}), "ask_user");
        check(json!({"type": "ask_user", "questions": []}), "ask_user");
        check(json!({"message": "Where?", "requestedSchema": {"type": "object"}}), "elicitation");
        check(json!({"type": "object", "properties": {}}), "elicitation");
        check(one(json!({"type": "yesno"})), "gemini");
        check(one(json!({"multiple": false})), "opencode");
        check(one(json!({"custom": false})), "opencode");
        check(one(json!({"allowFreeformInput": false})), "vscode");
        check(one(json!({"options": [{"label": "A", "recommended": true}]})), "vscode");
        check(one(json!({"type": "nonsense", "multiSelect": true})), "push");
        check(one(json!({"other": false})), "full");
        check(json!({"question": "What name?"}), "full");
        check(json!({"question": "Which?", "options": ["A", "B"]}), "push");
        check(one(json!({"options": ["A", "B"]})), "push");
        check(json!({"question": "Which?", "multiSelect": true}), "push");
        check(one(json!({"question_id": "q", "options": [{"preview": "x"}]})), "full");
        check(json!({"dialect": "gemini", "questions": []}), "gemini");
    }

    #[test]
    fn what_has_no_mark_is_a_command() {
        for ask in [json!(null), json!([]), json!("x"), json!({}), json!({"questions": 3})] {
            check(ask, "command");
        }
        check(json!({"agentId": null, "questions": [{"question": "Q?", "id": null}]}), "command");
    }
}
