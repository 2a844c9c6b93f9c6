//! A form of an MCP server: a flat JSON Schema in, `{action, content}` out.
//!
//! One property is one question, and the message of a form with one property is what it asks. What a form
//! offers is all that it takes, so "Other" is closed, and every value goes back as the JSON type that the
//! schema names.

use askuser_core::asker::Terms;
use askuser_core::draft::{
    Draft, DraftChoice, DraftKind, DraftQuestion, Given, KeyedBy, Keys, Other, TextRules,
};
use askuser_core::entry::Entry;
use askuser_core::format::Format;
use askuser_core::id::ChoiceId;
use askuser_core::limits::Limits;
use askuser_core::outcome::{Ending, Outcome};
use askuser_core::problem::{Fault, Problem};
use askuser_core::question::{Kind, Question, Questions, YES};
use askuser_words::fault::{Wrong, unfit};
use serde_json::{Map, Value, json};

use super::line::{Entries, Line, lines, placed};
use super::reading::{Fields, Nulls, kind_name, needs, not_an_object, under, wrong_type};

const KEYS: Keys = Keys { text: "title", kind: "type", choices: "enum", id: "name" };
const TYPES: [&str; 5] = ["string", "number", "integer", "boolean", "array"];

/// Reads `{"message":…,"requestedSchema":{…}}`, or the schema alone.
pub(crate) fn read(value: &Value) -> Draft {
    if !value.is_object() {
        return not_an_object(value);
    }
    let outer = Fields::of(value, Nulls::AreMissing);
    let named =
        ["requestedSchema", "requested_schema"].into_iter().find_map(|key| Some((key, outer.get(key)?)));
    let (at, schema) = named.unwrap_or(("", value));
    let mut draft =
        Draft { at: under(at, "properties"), keys: KEYS, keyed_by: KeyedBy::Place, ..Draft::default() };
    let fields = Fields::of(schema, Nulls::AreMissing);
    let required = required(fields, at, &mut draft);
    draft.questions = match fields.get("properties") {
        _ if !schema.is_object() => Given::Wrong(wrong_type("object", schema)),
        None => Given::Missing,
        Some(Value::Object(properties)) => Given::Value(
            properties
                .iter()
                .map(|(name, property)| question(&draft.at, name, property, &required))
                .collect(),
        ),
        Some(other) => Given::Wrong(wrong_type("object", other)),
    };
    draft
}

/// Puts the message of a form where people read it: it is the question of a form with one field, whose
/// title is then the label beside it. Above several fields it is the context of the ask; it stays that
/// as well where it, or the title, is longer than what it would become.
pub(crate) fn read_message(value: &Value, draft: &mut Draft, limits: &Limits, terms: &mut Terms) {
    let message = Fields::of(value, Nulls::AreMissing).loose_string("message");
    let Some(message) = message.filter(|message| !message.trim().is_empty()) else { return };
    if let Given::Value(fields) = &mut draft.questions
        && let [only] = fields.as_mut_slice()
        && let Given::Value(title) = &mut only.text
        && title.chars().count() <= limits.header_chars_max
        && message.chars().count() <= limits.question_chars_max
    {
        let title = std::mem::replace(title, message.clone());
        if title != message {
            only.header = Given::Value(title);
        }
        return;
    }
    let context = terms.context.take();
    terms.context = Some(context.map_or(message.clone(), |context| format!("{message}\n\n{context}")));
}

fn required<'a>(schema: Fields<'a>, at: &str, draft: &mut Draft) -> Vec<&'a str> {
    match schema.array("required") {
        Given::Value(list) => list.iter().filter_map(Value::as_str).collect(),
        Given::Missing => Vec::new(),
        Given::Wrong(fault) => {
            let problem = Problem::new(under(at, "required"), fault);
            draft.problems.push(problem);
            Vec::new()
        }
    }
}

fn question(at: &str, name: &str, property: &Value, required: &[&str]) -> DraftQuestion {
    let at = under(at, name);
    if !property.is_object() {
        return DraftQuestion { at, wrong: Some(wrong_type("object", property)), ..DraftQuestion::default() };
    }
    let fields = Fields::of(property, Nulls::AreMissing);
    let title = fields.loose_string("title").filter(|title| !title.is_empty());
    let mut question = DraftQuestion {
        at,
        id: Given::Value(name.to_owned()),
        text: Given::Value(title.unwrap_or_else(|| name.to_owned())),
        description: fields.string("description"),
        other: Other::Closed,
        required: Given::Value(required.contains(&name)),
        ..DraftQuestion::default()
    };
    if let Err(fault) = fill(fields, &mut question) {
        question.wrong = Some(fault);
    }
    question
}

/// Reads the kind of a property and its rules.
fn fill(fields: Fields<'_>, question: &mut DraftQuestion) -> Result<(), Fault> {
    match type_name(fields)?.as_str() {
        "boolean" => {
            question.kind = Given::Value(DraftKind::YesNo);
            question.yes = fields.get("default").and_then(Value::as_bool);
        }
        "array" => {
            let items = fields.get("items").unwrap_or(&Value::Null);
            let picked = fields.get("default").and_then(Value::as_array);
            let picked: Vec<&Value> = picked.into_iter().flatten().collect();
            let listed = choices(&question.at, Fields::of(items, Nulls::AreMissing), &picked)?;
            let min = count(fields, "minItems")?;
            if min.unwrap_or(0) == 0 {
                // None at all is an answer to such a field: whoever is asked may leave it empty.
                question.required = Given::Value(false);
            }
            question.choices = listed.map_or(Given::Missing, Given::Value);
            question.kind = Given::Value(DraftKind::SomeOf { min, max: count(fields, "maxItems")? });
        }
        "string" => {
            let picked: Vec<&Value> = fields.get("default").into_iter().collect();
            if let Some(listed) = choices(&question.at, fields, &picked)? {
                question.choices = Given::Value(listed);
                question.kind = Given::Value(DraftKind::OneOf);
            } else {
                question.kind = Given::Value(DraftKind::Text);
                question.text_rules = text_rules(fields, string_format(fields))?;
            }
        }
        number => {
            let (min, max) = (bound(fields, "minimum")?, bound(fields, "maximum")?);
            let format =
                if number == "integer" { Format::Integer { min, max } } else { Format::Number { min, max } };
            question.kind = Given::Value(DraftKind::Text);
            question.text_rules = text_rules(fields, format)?;
        }
    }
    Ok(())
}

/// Returns the type that is not null; one that only lists values is a string.
fn type_name(fields: Fields<'_>) -> Result<String, Fault> {
    let listed = fields.has("enum") || fields.has("oneOf") || fields.has("anyOf");
    let word = match fields.get("type") {
        None if listed => Some("string"),
        None => None,
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).find(|word| *word != "null"),
        Some(value) => Some(value.as_str().unwrap_or_else(|| kind_name(value))),
    };
    match word {
        Some(word) if TYPES.contains(&word) => Ok(word.to_owned()),
        Some(word) => Err(unfit(|said| said.schema_type(word, TYPES.join(", ")))),
        None => Err(unfit(Wrong::no_schema_type)),
    }
}

/// Reads `oneOf`/`anyOf` with titles, or `enum` with its `enumNames`; none where it lists nothing.
fn choices(at: &str, fields: Fields<'_>, picked: &[&Value]) -> Result<Option<Vec<DraftChoice>>, Fault> {
    let titled = ["oneOf", "anyOf"].into_iter().find_map(|key| Some((key, fields.get(key)?.as_array()?)));
    let pairs: (&str, Vec<(&Value, Option<&str>)>) = if let Some((key, list)) = titled {
        let pair = |entry| {
            let entry = Fields::of(entry, Nulls::AreMissing);
            let title = entry.get("title").and_then(Value::as_str);
            (entry.get("const").unwrap_or(&Value::Null), title)
        };
        (key, list.iter().map(pair).collect())
    } else if let Some(list) = fields.get("enum").and_then(Value::as_array) {
        let names = fields.get("enumNames").and_then(Value::as_array);
        let name = |choice_idx: usize| names.and_then(|names| names.get(choice_idx)?.as_str());
        let pairs = list.iter().enumerate();
        ("enum", pairs.map(|(idx, value)| (value, name(idx))).collect())
    } else {
        return Ok(None);
    };
    let (key, pairs) = pairs;
    let mut drafts = Vec::new();
    for (choice_idx, (value, title)) in pairs.iter().enumerate() {
        let Some(id) = value.as_str() else {
            return Err(unfit(|said| said.schema_value(kind_name(value))));
        };
        let title = title.filter(|title| !title.is_empty()).unwrap_or(id);
        let alike = pairs.iter().filter(|(_, other)| *other == Some(title));
        drafts.push(DraftChoice {
            at: format!("{at}.{key}[{choice_idx}]"),
            id: Given::Value(id.to_owned()),
            // Two values may have one title; a person must be able to tell them apart.
            label: Given::Value(if alike.count() > 1 { format!("{title} ({id})") } else { title.to_owned() }),
            default: picked.contains(value),
            ..DraftChoice::default()
        });
    }
    Ok(Some(drafts))
}

fn string_format(fields: Fields<'_>) -> Format {
    match fields.loose_string("format").as_deref() {
        Some("email") => Format::Email,
        Some("uri") => Format::Uri,
        Some("date") => Format::Date,
        Some("date-time") => Format::DateTime,
        // A format that we do not know is for the server to check.
        _ => Format::Any,
    }
}

fn text_rules(fields: Fields<'_>, format: Format) -> Result<TextRules, Fault> {
    Ok(TextRules {
        format,
        chars_min: count(fields, "minLength")?,
        chars_max: count(fields, "maxLength")?,
        placeholder: None,
        default: fields.get("default").and_then(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }),
    })
}

fn bound(fields: Fields<'_>, key: &str) -> Result<Option<f64>, Fault> {
    let Some(value) = fields.get(key) else {
        return Ok(None);
    };
    match value.as_f64() {
        Some(number) => Ok(Some(number)),
        None => Err(needs("number", key, value)),
    }
}

fn count(fields: Fields<'_>, key: &str) -> Result<Option<usize>, Fault> {
    let Some(number) = bound(fields, key)? else {
        return Ok(None);
    };
    let whole = fields.get(key).and_then(Value::as_u64);
    match whole.and_then(|whole| usize::try_from(whole).ok()) {
        Some(count) => Ok(Some(count)),
        None => Err(unfit(|said| said.schema_count(key, number))),
    }
}

/// Writes the result of a form. Nobody there and taken back are both `cancel`: no choice was made.
pub(crate) fn write(questions: &Questions, outcome: &Outcome) -> Value {
    match outcome.ending {
        Ending::Declined => return json!({"action": "decline"}),
        Ending::Withdrawn | Ending::Expired { .. } => return json!({"action": "cancel"}),
        Ending::Answered(_) => {}
    }
    let content: Map<String, Value> = lines(questions, outcome)
        .iter()
        .filter_map(|line| Some((line.question.id.as_str().to_owned(), value(line)?)))
        .collect();
    json!({"action": "accept", "content": content})
}

fn value(line: &Line<'_>) -> Option<Value> {
    let answer = line.answer?;
    let ids = || answer.picked.iter().map(ChoiceId::as_str);
    if answer.skipped {
        // An empty list is the value of a list from which nothing was picked; other fields that
        // were left out stay out.
        let empty = matches!(line.question.kind, Kind::SomeOf { min: 1, .. });
        return (empty && line.question.free.is_none()).then(|| json!([]));
    }
    match line.question.kind {
        Kind::YesNo => Some(json!(ids().next() == Some(YES))),
        Kind::SomeOf { .. } => Some(ids().chain(answer.text.as_deref()).map(Value::from).collect()),
        Kind::OneOf => ids().next().or(answer.text.as_deref()).map(Value::from),
        Kind::Text => typed(line.question, answer.text.as_deref()?),
    }
}

fn typed(question: &Question, text: &str) -> Option<Value> {
    let format = question.free.as_ref().map_or(&Format::Any, |free| &free.format);
    let trimmed = text.trim();
    match format {
        Format::Any => Some(text.into()),
        Format::Email | Format::Uri | Format::Date | Format::DateTime => Some(trimmed.into()),
        Format::Integer { .. } => trimmed.parse::<i64>().ok().map(Value::from),
        Format::Number { .. } => match trimmed.parse::<i64>() {
            Ok(whole) => Some(whole.into()),
            Err(_) => trimmed.parse::<f64>().ok().map(Value::from),
        },
    }
}

/// Reads the content of an accepted form, as an agent's own dialog returns it.
pub(crate) fn read_reply(questions: &Questions, reply: &Value) -> Entries {
    let content = reply.get("content").unwrap_or(&Value::Null);
    let Some(content) = content.as_object() else {
        return Err(vec![Problem::new("content", wrong_type("object", content))]);
    };
    let mut entries = Vec::new();
    let mut problems = Vec::new();
    for question in placed(questions) {
        let Some(value) = content.get(question.id.as_str()) else {
            continue;
        };
        match entry(question, value) {
            Ok(entry) if entry == Entry::default() => {}
            Ok(entry) => entries.push((question.id.clone(), entry)),
            Err(fault) => {
                let at = format!("content.{}", question.id);
                problems.push(Problem::new(at, fault));
            }
        }
    }
    if problems.is_empty() { Ok(entries) } else { Err(problems) }
}

/// Reads one value; a text that is none of the values is the person's own.
pub(crate) fn entry(question: &Question, value: &Value) -> Result<Entry, Fault> {
    let mut found = Entry::default();
    let mut put = |word: &str| {
        let choice = question.choice(&ChoiceId::from(word));
        match choice {
            Some(choice) => found.picked.push(choice.id.clone()),
            None => found.text = Some(word.to_owned()).filter(|text| !text.is_empty()),
        }
    };
    match value {
        Value::Null => {}
        Value::String(word) => put(word),
        Value::Number(number) if question.kind == Kind::Text => put(&number.to_string()),
        Value::Bool(yes) if question.kind == Kind::YesNo => put(if *yes { YES } else { "no" }),
        Value::Array(list) => {
            for value in list {
                put(value.as_str().ok_or_else(|| wrong_type("string", value))?);
            }
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) => {
            return Err(wrong_type("string", value));
        }
    }
    Ok(found)
}
