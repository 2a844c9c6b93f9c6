//! Codex's TOML, edited in place: comments, order and unknown keys stay as they are.

use askuser_words::config::Wrong;
use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, Item, Table, TableLike};

use super::json::{Kind, Unfit};

fn parse(text: &str) -> Result<DocumentMut, Unfit> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start).min(text.len());
        let above = text.get(..at).unwrap_or_default();
        let column = above.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Unfit::damaged(above.matches('\n').count() + 1, column, &error.message().replace('\n', ", "))
    })
}

/// Puts an entry of ours into a table of tables: its fields are set, other fields of it stay.
pub fn put(text: &str, table: &str, name: &str, fields: &Map<String, Value>) -> Result<String, Unfit> {
    let mut document = parse(text)?;
    let servers = document.entry(table).or_insert_with(|| {
        let mut servers = Table::new();
        // Only `[mcp_servers.askuser]` is written, as a person would.
        servers.set_implicit(true);
        Item::Table(servers)
    });
    let found = kind(servers);
    let servers = servers.as_table_like_mut();
    let servers = servers.ok_or_else(|| otherwise(table, found))?;
    let entry = servers.entry(name).or_insert_with(|| Item::Table(Table::new()));
    let found = kind(entry);
    let entry = entry.as_table_like_mut();
    let entry = entry.ok_or_else(|| otherwise(&format!("{table}.{name}"), found))?;
    for (key, value) in fields {
        set(entry, key, value);
    }
    Ok(document.to_string())
}

/// Takes the entry out again; what stood there before comes back. The table stays where nothing is
/// known of before.
pub fn take(text: &str, table: &str, name: &str, before: Option<&str>) -> Result<String, Unfit> {
    let mut document = parse(text)?;
    let known = before.is_some();
    let before = parse(before.unwrap_or_default())?;
    let had = before.get(table).and_then(|servers| servers.get(name)).cloned();
    let Some(servers) = document.get_mut(table).and_then(Item::as_table_like_mut) else {
        return Ok(text.to_owned());
    };
    match had {
        Some(had) => drop(servers.insert(name, had)),
        None => drop(servers.remove(name)),
    }
    if known && servers.is_empty() && before.get(table).is_none() {
        document.remove(table);
    }
    Ok(document.to_string())
}

/// Reads an entry of ours, to look at.
pub fn read(text: &str, table: &str, name: &str) -> Result<Option<Value>, Unfit> {
    let document = parse(text)?;
    let entry = document.get(table).and_then(|servers| servers.get(name)).and_then(Item::as_table_like);
    Ok(entry
        .map(|entry| Value::Object(entry.iter().map(|(key, item)| (key.to_owned(), shown(item))).collect())))
}

/// Whether a table has an entry whose name begins so.
pub fn has(text: &str, path: [&str; 2], begins: &str) -> bool {
    let Ok(document) = parse(text) else { return false };
    let table = path.iter().try_fold(document.as_item(), |item, key| item.get(key));
    table
        .and_then(Item::as_table_like)
        .is_some_and(|table| table.iter().any(|(key, _)| key.starts_with(begins)))
}

fn set(entry: &mut dyn TableLike, key: &str, wanted: &Value) {
    if entry.get(key).is_some_and(|found| shown(found) == *wanted) {
        return;
    }
    // In a table of the person's, such as variables, only ours are set.
    if let (Some(table), Value::Object(fields)) =
        (entry.get_mut(key).and_then(Item::as_table_like_mut), wanted)
    {
        fields.iter().for_each(|(key, wanted)| set(table, key, wanted));
        return;
    }
    let item = written(wanted);
    match entry.get_mut(key).and_then(Item::as_value_mut) {
        // The comment behind the old value stays.
        Some(old) => {
            if let Ok(mut new) = item.into_value() {
                *new.decor_mut() = old.decor().clone();
                *old = new;
            }
        }
        None => drop(entry.insert(key, item)),
    }
}

fn written(value: &Value) -> Item {
    match value {
        Value::Bool(flag) => toml_edit::value(*flag),
        Value::Number(number) => toml_edit::value(number.as_i64().unwrap_or(i64::MAX)),
        Value::String(text) => toml_edit::value(text.as_str()),
        Value::Array(list) => toml_edit::value(list.iter().filter_map(Value::as_str).collect::<Array>()),
        Value::Object(fields) => {
            let mut table = toml_edit::InlineTable::new();
            for (key, value) in fields {
                table.extend(written(value).into_value().ok().map(|value| (key.as_str(), value)));
            }
            toml_edit::value(table)
        }
        Value::Null => Item::None,
    }
}

fn shown(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return Value::Object(table.iter().map(|(key, item)| (key.to_owned(), shown(item))).collect());
    }
    if let Some(list) = item.as_array() {
        return list.iter().map(|value| shown(&Item::Value(value.clone()))).collect();
    }
    let text = item.as_str().map(Value::from);
    let number = item.as_integer().map(Value::from);
    let flag = item.as_bool().map(Value::from);
    text.or(number).or(flag).unwrap_or_default()
}

fn kind(item: &Item) -> Kind {
    match item {
        Item::None => Wrong::nothing,
        Item::Value(_) => Wrong::value,
        Item::Table(_) => Wrong::table,
        Item::ArrayOfTables(_) => Wrong::list_of_tables,
    }
}

fn otherwise(at: &str, found: Kind) -> Unfit {
    Unfit::otherwise(at, found, Wrong::table)
}
