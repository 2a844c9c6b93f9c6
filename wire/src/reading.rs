//! Takes single values out of JSON for a draft: there, missing, or of the wrong kind.
//!
//! A dialect never stops at the first surprise. What is wrong goes into the draft as a fault where
//! it was found, and `core` tells all of them at once.

use askuser_core::draft::{Draft, DraftChoice, DraftKind, DraftQuestion, Given, KeyedBy, Keys, Other};
use askuser_core::id::{ChoiceId, QuestionId};
use askuser_core::limits::ID_CHARS_MAX;
use askuser_core::problem::Fault;
use askuser_core::question::Condition;
use askuser_words::fault::{Wrong, unfit};
use serde_json::{Map, Value};

/// What a JSON `null` means where a value may be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nulls {
    /// The same as nothing: many writers put it there.
    AreMissing,
    /// A value of the wrong kind, as Zod has it (T6).
    AreWrong,
}

/// The fields of one JSON object.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'a> {
    map: Option<&'a Map<String, Value>>,
    nulls: Nulls,
}

impl<'a> Fields<'a> {
    /// Looks at a value as an object; anything else has no fields.
    pub(crate) fn of(value: &'a Value, nulls: Nulls) -> Self {
        Self { map: value.as_object(), nulls }
    }

    /// Returns a value, if one is there.
    pub(crate) fn get(self, key: &str) -> Option<&'a Value> {
        self.map?.get(key).filter(|value| !value.is_null() || self.nulls == Nulls::AreWrong)
    }

    /// Returns whether a value is there.
    pub(crate) fn has(self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Takes a text.
    pub(crate) fn string(self, key: &str) -> Given<String> {
        self.take(key, "string", |value| value.as_str().map(str::to_owned))
    }

    /// Takes a text where only its presence matters: anything else counts as missing.
    pub(crate) fn loose_string(self, key: &str) -> Option<String> {
        self.get(key)?.as_str().map(str::to_owned)
    }

    /// Takes a truth value.
    pub(crate) fn boolean(self, key: &str) -> Given<bool> {
        self.take(key, "boolean", Value::as_bool)
    }

    /// Takes a list.
    pub(crate) fn array(self, key: &str) -> Given<&'a Vec<Value>> {
        self.take(key, "array", Value::as_array)
    }

    /// Takes a value as `read` sees it; what `read` does not take is not an `expected`.
    pub(crate) fn take<T>(
        self,
        key: &str,
        expected: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Given<T> {
        let Some(value) = self.get(key) else {
            return Given::Missing;
        };
        match read(value) {
            Some(taken) => Given::Value(taken),
            None => Given::Wrong(wrong_type(expected, value)),
        }
    }
}

/// Says that `value` is not an `expected`.
pub(crate) fn wrong_type(expected: &'static str, value: &Value) -> Fault {
    Fault::WrongType { expected, received: kind_name(value) }
}

/// Says the same of a field that has no path of its own.
pub(crate) fn needs(expected: &str, key: &str, value: &Value) -> Fault {
    let received = kind_name(value);
    unfit(|said| said.needs(expected, key, received))
}

/// Returns what JSON calls this kind of value.
pub(crate) fn kind_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Reads one question that stands at a path.
pub(crate) type ReadQuestion = fn(Fields<'_>, &str) -> DraftQuestion;

/// Reads an ask whose questions are the list `questions`.
pub(crate) fn draft(value: &Value, nulls: Nulls, keys: Keys, keyed_by: KeyedBy, read: ReadQuestion) -> Draft {
    if !value.is_object() {
        return not_an_object(value);
    }
    let at = "questions";
    let list = Fields::of(value, nulls).array(at);
    Draft {
        at: at.to_owned(),
        keys,
        questions: questions(at, list, nulls, read),
        keyed_by,
        ..Draft::default()
    }
}

/// Returns the draft of an ask that is not even an object.
pub(crate) fn not_an_object(value: &Value) -> Draft {
    Draft { questions: Given::Wrong(wrong_type("object", value)), ..Draft::default() }
}

/// Reads the questions of a list that stands at a path.
pub(crate) fn questions(
    at: &str,
    list: Given<&Vec<Value>>,
    nulls: Nulls,
    read: ReadQuestion,
) -> Given<Vec<DraftQuestion>> {
    map(list, |list| {
        list.iter()
            .enumerate()
            .map(|(question_idx, value)| question(&format!("{at}[{question_idx}]"), value, nulls, read))
            .collect()
    })
}

/// Reads one question, or notes that it is none.
pub(crate) fn question(at: &str, value: &Value, nulls: Nulls, read: ReadQuestion) -> DraftQuestion {
    if value.is_object() {
        return read(Fields::of(value, nulls), at);
    }
    DraftQuestion { at: at.to_owned(), wrong: Some(wrong_type("object", value)), ..DraftQuestion::default() }
}

/// Reads what a question has in every dialect, its choices by label and description.
pub(crate) fn plain_question(fields: Fields<'_>, at: &str) -> DraftQuestion {
    DraftQuestion {
        at: at.to_owned(),
        header: fields.string("header"),
        text: fields.string("question"),
        choices: choices(fields, at, |_, _| {}),
        secret: fields.boolean("secret"),
        depends_on: condition(fields, "depends_on"),
        ..DraftQuestion::default()
    }
}

/// Reads the choices under `options`; `more` adds what only this dialect has.
pub(crate) fn choices(fields: Fields<'_>, at: &str, more: ReadChoice) -> Given<Vec<DraftChoice>> {
    read_choices(fields, at, more, false)
}

/// Reads the same where a choice may be its label alone, which is its id then too: whoever wrote nothing else
/// has nothing else to tell answers apart by.
pub(crate) fn choices_or_labels(fields: Fields<'_>, at: &str, more: ReadChoice) -> Given<Vec<DraftChoice>> {
    read_choices(fields, at, more, true)
}

/// Adds to a choice what only one dialect has.
pub(crate) type ReadChoice = fn(Fields<'_>, &mut DraftChoice);

fn read_choices(fields: Fields<'_>, at: &str, more: ReadChoice, labels: bool) -> Given<Vec<DraftChoice>> {
    let at = under(at, "options");
    map(fields.array("options"), |list| {
        list.iter()
            .enumerate()
            .map(|(choice_idx, value)| {
                let mut choice = DraftChoice { at: format!("{at}[{choice_idx}]"), ..DraftChoice::default() };
                if value.is_object() {
                    let fields = Fields::of(value, fields.nulls);
                    choice.label = fields.string("label");
                    choice.description = fields.string("description");
                    more(fields, &mut choice);
                } else if let Some(label) = value.as_str().filter(|_| labels) {
                    let is_id = (1..=ID_CHARS_MAX).contains(&label.chars().count());
                    choice.id = if is_id { Given::Value(label.to_owned()) } else { Given::Missing };
                    choice.label = Given::Value(label.to_owned());
                } else {
                    choice.wrong = Some(wrong_type("object", value));
                }
                choice
            })
            .collect()
    })
}

/// Reads whether one or several may be picked.
pub(crate) fn several(fields: Fields<'_>, key: &str) -> Given<DraftKind> {
    map(fields.boolean(key), |several| {
        if several { DraftKind::SomeOf { min: None, max: None } } else { DraftKind::OneOf }
    })
}

/// Reads a flag for which a draft has no fault of its own: a wrong one makes the whole thing wrong.
pub(crate) fn flag(fields: Fields<'_>, key: &str, wrong: &mut Option<Fault>) -> Option<bool> {
    let value = fields.get(key)?;
    if !value.is_boolean() {
        wrong.get_or_insert(needs("boolean", key, value));
    }
    value.as_bool()
}

/// Reads a flag that says whether something of one's own may be typed beside the choices.
pub(crate) fn other(fields: Fields<'_>, key: &str, wrong: &mut Option<Fault>) -> Other {
    match flag(fields, key, wrong) {
        Some(false) => Other::Closed,
        Some(true) | None => Other::Offered,
    }
}

/// Reads what a question waits for (P19).
pub(crate) fn condition(fields: Fields<'_>, key: &str) -> Given<Condition> {
    let Some(value) = fields.get(key) else {
        return Given::Missing;
    };
    if !value.is_object() {
        return Given::Wrong(wrong_type("object", value));
    }
    let fields = Fields::of(value, Nulls::AreMissing);
    let (Given::Value(question), option) = (fields.string("question_id"), fields.string("option")) else {
        return Given::Wrong(unfit(Wrong::no_question_id));
    };
    match option {
        Given::Wrong(fault) => Given::Wrong(fault),
        Given::Missing => Given::Value(Condition { question: QuestionId::new(question), choice: None }),
        Given::Value(option) => Given::Value(Condition {
            question: QuestionId::new(question),
            choice: Some(ChoiceId::new(option)),
        }),
    }
}

/// Changes a value that is there and leaves the rest.
pub(crate) fn map<T, U>(given: Given<T>, change: impl FnOnce(T) -> U) -> Given<U> {
    match given {
        Given::Value(value) => Given::Value(change(value)),
        Given::Missing => Given::Missing,
        Given::Wrong(fault) => Given::Wrong(fault),
    }
}

/// Returns the path of `key` under `at`; the whole ask has the empty path.
pub(crate) fn under(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

/// Says why a text is not JSON; what examples leave out is named for what it is.
pub fn not_json(text: &[u8], error: &serde_json::Error) -> String {
    let line = text.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let at = error.column().min(line.len());
    let around = &line[at.saturating_sub(2)..(at + 2).min(line.len())];
    if around.windows(2).any(|pair| pair == b"..") {
        return format!("{error}: `...` is a placeholder, write out what it stands for");
    }
    error.to_string()
}
