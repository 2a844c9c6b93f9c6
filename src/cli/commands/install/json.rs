//! Other programs' JSON, edited in place: comments, order, unknown keys and commas stay as they are.

use askuser_agents::install::{Want, is_our_hook};
use askuser_words::config::Wrong;
use askuser_words::{Both, Language, both};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::Value;

/// Why a file is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit(Both);

impl Unfit {
    /// Something is wrong: `Unfit::new(|said| said.list().to_owned())`.
    pub(super) fn new<S: Into<String>>(say: impl Fn(Wrong) -> S) -> Self {
        Self(both(say))
    }

    /// The file cannot be read as what it is.
    pub(super) fn damaged(line: usize, column: usize, what: &str) -> Self {
        Self::new(|said| said.at(line, column, what))
    }

    /// Something else stands where ours should.
    pub(super) fn otherwise(at: &str, found: Kind, expected: Kind) -> Self {
        Self::new(|said| {
            let what = said.is_not(found(said), expected(said));
            if at.is_empty() { said.joined(said.whole_file(), what) } else { said.of(at, what) }
        })
    }

    /// Says it to a person.
    pub fn said(&self, language: Language) -> &str {
        language.of(&self.0)
    }
}

/// What a value is, in words.
pub(super) type Kind = fn(Wrong) -> &'static str;

/// What other programs take as JSON with comments, and nothing looser.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn parse(text: &str) -> Result<CstRootNode, Unfit> {
    CstRootNode::parse(text, &options()).map_err(|error| {
        Unfit::damaged(error.line_display(), error.column_display(), &error.kind().to_string())
    })
}

/// Puts what is wanted into a text.
pub fn put(text: &str, wants: &[Want]) -> Result<String, Unfit> {
    let root = parse(text)?;
    let top = root.object_value_or_create().ok_or_else(|| otherwise("", Wrong::object, root.value()))?;
    if top.properties().is_empty() {
        top.ensure_multiline();
    }
    for want in wants {
        put_one(&top, want)?;
    }
    let text = root.to_string();
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

fn put_one(top: &CstObject, want: &Want) -> Result<(), Unfit> {
    match want {
        Want::Entry { at, fields } => {
            let Some((name, path)) = at.split_last() else { return Ok(()) };
            let table = table(top, path)?;
            let Some(found) = table.get(name) else {
                table.append(name, input(&Value::Object(fields.clone())));
                return Ok(());
            };
            let entry =
                found.object_value().ok_or_else(|| otherwise(&at.join("."), Wrong::object, found.value()))?;
            for (key, value) in fields {
                set(&entry, key, value);
            }
        }
        Want::Default { at, value } => {
            let Some((name, path)) = at.split_last() else { return Ok(()) };
            let table = table(top, path)?;
            if table.get(name).is_none() {
                table.append(name, input(value));
            }
        }
        Want::Listed { at, text } => {
            let list = list(top, at)?;
            let has = list.elements().iter().any(|element| value(element) == text.as_str());
            if !has {
                list.append(input(&text.as_str().into()));
            }
        }
        Want::Hook { event, matcher, hook } => put_hook(&list(top, &["hooks", event])?, *matcher, hook),
        Want::NoHook { event } => take_hooks(top, event, &Value::Null),
    }
    Ok(())
}

/// A hook of ours stands once in the list of its event. One that is as it should be stays where the
/// person has it; any other of ours goes.
fn put_hook(list: &CstArray, matcher: Option<&str>, hook: &Value) {
    let in_place = |group: &CstNode| {
        let group = value(group);
        let same =
            group.get("matcher").and_then(Value::as_str).unwrap_or_default() == matcher.unwrap_or_default();
        same && group.get("hooks").and_then(Value::as_array).is_some_and(|hooks| hooks.contains(hook))
    };
    let mut kept = list.elements().iter().any(in_place);
    for group in list.elements() {
        let stays = kept && in_place(&group);
        for found in hooks_of(&group) {
            if is_our_hook(&value(&found)) && !(stays && value(&found) == *hook) {
                found.remove();
            }
        }
        if hooks_of(&group).is_empty() && group.as_object().is_some_and(|group| group.get("hooks").is_some())
        {
            group.remove();
        }
    }
    if !std::mem::take(&mut kept) {
        list.append(input(&Want::group(matcher, hook)));
    }
}

fn hooks_of(group: &CstNode) -> Vec<CstNode> {
    group
        .as_object()
        .and_then(|group| group.array_value("hooks"))
        .map(|hooks| hooks.elements())
        .unwrap_or_default()
}

/// Takes what was wanted out of a text again. What stood in the text before we came stays or comes
/// back; tables and lists that were made for us go where they are empty. Where nothing is known of
/// before, everything that is not ours was there.
pub fn take(text: &str, wants: &[Want], before: Option<&Value>) -> Result<String, Unfit> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(text.to_owned()) };
    let containers = read(text)?;
    let unknown = wants.iter().fold(containers, |value, want| match want {
        Want::Entry { at, .. } | Want::Default { at, .. } => without(value, at),
        Want::Listed { at, text } => without_text(value, at, text),
        Want::Hook { .. } | Want::NoHook { .. } => value,
    });
    let before = before.unwrap_or(&unknown);
    for want in wants {
        match want {
            Want::Entry { at, .. } => take_entry(&top, at, before),
            Want::Default { at, value: ours } => {
                let found = property(&top, at)
                    .filter(|found| found.value().map(|node| value(&node)) == Some(ours.clone()));
                if let (Some(found), None) = (found, stood(before, at)) {
                    found.remove();
                }
                prune(&top, at, before);
            }
            Want::Listed { at, text } => {
                let stood = stood(before, at).and_then(Value::as_array).cloned().unwrap_or_default();
                let list = property(&top, at).and_then(|found| found.array_value());
                for element in list.map(|list| list.elements()).unwrap_or_default() {
                    if value(&element) == text.as_str() && !stood.contains(&value(&element)) {
                        element.remove();
                    }
                }
                prune_list(&top, at, before);
            }
            Want::Hook { event, .. } | Want::NoHook { event } => take_hooks(&top, event, before),
        }
    }
    Ok(root.to_string())
}

fn take_entry(top: &CstObject, at: &[&str], before: &Value) {
    if let Some(found) = property(top, at) {
        match stood(before, at) {
            Some(had) => found.set_value(input(had)),
            None => found.remove(),
        }
    }
    prune(top, at, before);
}

fn take_hooks(top: &CstObject, event: &str, before: &Value) {
    let at = ["hooks", event];
    let list = property(top, &at).and_then(|found| found.array_value());
    for group in list.map(|list| list.elements()).unwrap_or_default() {
        let ours: Vec<CstNode> =
            hooks_of(&group).into_iter().filter(|hook| is_our_hook(&value(hook))).collect();
        let all = ours.len() == hooks_of(&group).len() && !ours.is_empty();
        ours.into_iter().for_each(CstNode::remove);
        if all {
            group.remove();
        }
    }
    prune_list(top, &at, before);
}

/// Removes the tables above a place that are empty now and were not there before.
fn prune(top: &CstObject, at: &[&str], before: &Value) {
    for n_keys in (1..at.len()).rev() {
        let path = at.get(..n_keys).unwrap_or_default();
        let empty = property(top, path)
            .filter(|found| found.object_value().is_some_and(|table| table.properties().is_empty()));
        if let (Some(empty), None) = (empty, stood(before, path)) {
            empty.remove();
        }
    }
}

fn prune_list(top: &CstObject, at: &[&str], before: &Value) {
    let empty =
        property(top, at).filter(|found| found.array_value().is_some_and(|list| list.elements().is_empty()));
    if let (Some(empty), None) = (empty, stood(before, at)) {
        empty.remove();
    }
    prune(top, at, before);
}

/// Reads a text as a value, to look at; an empty text is an empty object.
pub fn read(text: &str) -> Result<Value, Unfit> {
    Ok(parse(text)?.value().map_or_else(|| Value::Object(serde_json::Map::new()), |node| value(&node)))
}

/// A value without what stands at a place.
fn without(mut value: Value, at: &[&str]) -> Value {
    if let Some((name, path)) = at.split_last() {
        let table = path.iter().try_fold(&mut value, |value, key| value.get_mut(key));
        if let Some(fields) = table.and_then(Value::as_object_mut) {
            fields.shift_remove(*name);
        }
    }
    value
}

/// A value without a text in the list at a place.
fn without_text(mut value: Value, at: &[&str], text: &str) -> Value {
    let list = at.iter().try_fold(&mut value, |value, key| value.get_mut(key));
    if let Some(list) = list.and_then(Value::as_array_mut) {
        list.retain(|found| found != text);
    }
    value
}

fn stood<'a>(before: &'a Value, at: &[&str]) -> Option<&'a Value> {
    at.iter().try_fold(before, |value, key| value.get(key))
}

fn property(top: &CstObject, at: &[&str]) -> Option<jsonc_parser::cst::CstObjectProp> {
    let (name, path) = at.split_last()?;
    path.iter().try_fold(top.clone(), |table, key| table.object_value(key))?.get(name)
}

fn table(top: &CstObject, path: &[&str]) -> Result<CstObject, Unfit> {
    let mut table = top.clone();
    for (idx, key) in path.iter().enumerate() {
        let here = || path.get(..=idx).unwrap_or_default().join(".");
        let found = table.get(key).and_then(|found| found.value());
        table = table.object_value_or_create(key).ok_or_else(|| otherwise(&here(), Wrong::object, found))?;
    }
    Ok(table)
}

fn list(top: &CstObject, at: &[&str]) -> Result<CstArray, Unfit> {
    let Some((name, path)) = at.split_last() else { return Err(otherwise("", Wrong::list, None)) };
    let table = table(top, path)?;
    let found = table.get(name).and_then(|found| found.value());
    table.array_value_or_create(name).ok_or_else(|| otherwise(&at.join("."), Wrong::list, found))
}

fn set(entry: &CstObject, key: &str, wanted: &Value) {
    // In a table of the person's, such as variables, only ours are set.
    if let (Some(table), Value::Object(fields)) = (entry.object_value(key), wanted) {
        fields.iter().for_each(|(key, wanted)| set(&table, key, wanted));
        return;
    }
    match entry.get(key) {
        Some(found) if found.value().map(|node| value(&node)).as_ref() == Some(wanted) => {}
        Some(found) => found.set_value(input(wanted)),
        None => drop(entry.append(key, input(wanted))),
    }
}

fn value(node: &CstNode) -> Value {
    node.to_serde_value().unwrap_or_default()
}

fn otherwise(at: &str, expected: Kind, found: Option<CstNode>) -> Unfit {
    let found = match found.map(|node| value(&node)) {
        None | Some(Value::Null) => Wrong::null,
        Some(Value::Bool(_)) => Wrong::true_or_false,
        Some(Value::Number(_)) => Wrong::number,
        Some(Value::String(_)) => Wrong::text,
        Some(Value::Array(_)) => Wrong::list,
        Some(Value::Object(_)) => Wrong::object,
    };
    Unfit::otherwise(at, found, expected)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(flag) => CstInputValue::Bool(*flag),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(list) => CstInputValue::Array(list.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
