//! `askuser config`: every setting, its value, where it came from.

use serde_json::{Value, json};

use super::args::Form;
use super::connect::done;
use super::exit::Exit;
use super::report::Report;
use super::table::table;
use crate::config::settings;
use crate::environment::Environment;

/// Prints every setting.
pub fn run(form: Form, environment: &Environment) -> Result<Exit, Report> {
    let settings = settings(environment);
    if form.json {
        let told: Vec<Value> = settings
            .iter()
            .map(|setting| json!({"name": setting.name, "value": setting.value, "from": setting.from.name()}))
            .collect();
        return done(&json!({ "settings": told }).to_string());
    }
    let rows: Vec<Vec<String>> = settings
        .iter()
        .map(|setting| {
            let value = if setting.value.is_empty() { "-" } else { &setting.value };
            vec![setting.name.to_owned(), value.to_owned(), setting.from.name(), setting.about.to_owned()]
        })
        .collect();
    done(&table(&["SETTING", "VALUE", "FROM", "WHAT FOR"], &rows))
}
