//! `askuser config`: every setting, its value, where it came from.

use std::path::Path;

use askuser_core::text::shown;
use serde_json::{Value, json};

use super::args::Config;
use super::configuration;
use super::connect::{self, done};
use super::exit::Exit;
use super::output::Screen;
use super::output::paint::Role;
use super::output::table::{Cell, Column, table};
use super::report::Report;
use crate::channel::terminal::width::width;
use crate::channel::terminal::wrap::wrap;
use crate::config::{ConfigError, From as Origin, Loaded, Setting, Sources, sample, settings};
use crate::environment::Environment;

/// The widest that the text about a setting gets.
const ABOUT_COLUMNS_MAX: usize = 100;

/// Prints every setting, or the sample.
pub fn run(args: &Config, environment: &Environment) -> Result<Exit, Report> {
    if args.sample {
        return done(sample().trim_end());
    }
    let mut sources = sources(environment);
    sources.named.clone_from(&args.config);
    if let Some(what) = &args.what {
        return configuration::run(what, args.form, &sources, environment);
    }
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
    let screen = Screen::of(environment);
    let written = match &file {
        Some(_) => screen.pick("Settings file: ", "配置文件：").to_owned() + &file.unwrap_or_default(),
        None => screen
            .pick(
                "Settings file: none yet; `askuser config --sample` prints one",
                "配置文件：还没有；`askuser config --sample` 会打印一份样例",
            )
            .to_owned(),
    };
    let settings = if args.verbose { explained(&settings, &screen) } else { listed(&settings, &screen) };
    let newer =
        configuration::notice_here(environment).map(|notice| format!("\n{notice}")).unwrap_or_default();
    screen.print(&format!("{}\n\n{settings}", screen.wrapped(&format!("{written}{newer}"))))
}

const COLUMNS: [Column; 3] = [
    Column::new("SETTING", "设置"),
    Column::new("VALUE", "值").cut(8),
    Column::new("FROM", "来源").cut(7).minor(1),
];

pub(super) fn listed(settings: &[Setting], screen: &Screen) -> String {
    let row = |setting: &Setting| {
        let (value, role) = value(setting);
        vec![setting.name.clone().into(), Cell::new(role, value), Cell::new(Role::Dim, setting.from.name())]
    };
    table(screen, &COLUMNS, settings.iter().map(row).collect())
}

/// Each setting with what it is for below it.
pub(super) fn explained(settings: &[Setting], screen: &Screen) -> String {
    let columns = screen.columns().unwrap_or(usize::MAX).min(ABOUT_COLUMNS_MAX);
    let one = |setting: &Setting| {
        let (value, role) = value(setting);
        let (name, from) = (shown(&setting.name), format!("({})", shown(&setting.from.name())));
        let plain = format!("{name} = {}  {from}", shown(value));
        let first = if width(&plain) <= columns {
            let (name, value) =
                (screen.paint.text(Role::Strong, &name), screen.paint.text(role, &shown(value)));
            format!("{name} = {value}  {}", screen.paint.text(Role::Dim, &from))
        } else {
            wrap(&plain, columns).join("\n")
        };
        let about = wrap(&setting.about, columns.saturating_sub(4));
        std::iter::once(first)
            .chain(about.iter().map(|row| format!("    {row}")))
            .collect::<Vec<_>>()
            .join("\n")
    };
    settings.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A value and how it looks: one that somebody set stands out.
fn value(setting: &Setting) -> (&str, Role) {
    let role = if setting.from == Origin::Default { Role::Plain } else { Role::Strong };
    (if setting.value.is_empty() { "-" } else { &setting.value }, role)
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
