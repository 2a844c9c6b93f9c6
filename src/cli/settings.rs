//! `askuser config`: every setting, its value, where it came from.

use std::path::Path;

use serde_json::{Value, json};

use super::args::Config;
use super::connect::{self, done};
use super::exit::Exit;
use super::report::Report;
use super::table::table;
use crate::config::{ConfigError, Loaded, Sources, sample, settings};
use crate::environment::Environment;

/// Prints every setting, or the sample.
pub fn run(args: &Config, environment: &Environment) -> Result<Exit, Report> {
    if args.sample {
        return done(sample().trim_end());
    }
    let mut sources = sources(environment);
    sources.named.clone_from(&args.config);
    let loaded = sources.load()?;
    let settings = settings(&loaded, environment);
    let file = loaded.file.as_ref().map(|file| file.display().to_string());
    if args.form.json {
        let told: Vec<Value> = settings
            .iter()
            .map(|setting| json!({"name": setting.name, "value": setting.value, "from": setting.from.name()}))
            .collect();
        return done(&json!({ "file": file, "settings": told }).to_string());
    }
    let rows: Vec<Vec<String>> = settings
        .iter()
        .map(|setting| {
            let value = if setting.value.is_empty() { "-" } else { &setting.value };
            vec![setting.name.clone(), value.to_owned(), setting.from.name(), setting.about.clone()]
        })
        .collect();
    let file = file.unwrap_or_else(|| "there is none; `askuser config --sample` prints one".to_owned());
    done(&format!("the file: {file}\n{}", table(&["SETTING", "VALUE", "FROM", "WHAT FOR"], &rows)))
}

/// Reads the configuration as a command finds it that is given nothing about it.
pub fn load(environment: &Environment) -> Result<Loaded, Report> {
    Ok(sources(environment).load()?)
}

/// Reads the configuration from a file that was named.
pub fn load_from(file: &Path, environment: &Environment) -> Result<Loaded, Report> {
    Ok(Sources { named: Some(file.to_owned()), ..sources(environment) }.load()?)
}

fn sources(environment: &Environment) -> Sources {
    let usual = connect::home(None, environment).ok().map(|home| home.config());
    Sources { usual, environment: environment.clone(), ..Sources::default() }
}

/// Takes `section.key=value` apart.
pub fn flags(given: &[String]) -> Result<Vec<(String, String)>, Report> {
    let pair = |given: &String| {
        let (name, value) = given.split_once('=').ok_or_else(|| {
            let hint = "as --set ask_user_question.session_timeout=2h";
            Report::wrong_input(format!("--set {given} has no value"), Some(hint))
        })?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    given.iter().map(pair).collect()
}

impl From<ConfigError> for Report {
    fn from(error: ConfigError) -> Self {
        let hint = "`askuser config --sample` prints every key with its default and what it is for";
        Self::wrong_input(error.to_string(), Some(hint))
    }
}
