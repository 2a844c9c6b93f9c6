//! `askuser config`: every setting, its value, where it came from.

use std::path::Path;
use std::path::PathBuf;

use askuser_core::text::shown;
use askuser_words::Language;
use askuser_words::commands::Server;
use askuser_words::commands::Titles;
use askuser_words::config::Wrong;
use askuser_words::settings::Settings;
use serde_json::{Value, json};

use super::install::file;
use super::reload;
use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use askuser_ask::connect::{self, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_config::{ConfigError, Loaded, Origin, Setting, Sources, sample, settings};
use askuser_config::{KEYS, Key, NotSet, nearest, set};
use askuser_system::environment::Environment;
use askuser_terminal::width::width;
use askuser_terminal::wrap::wrap;

/// Show or change settings
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser config
askuser config --verbose
askuser config --sample")]
pub struct Config {
    /// Use this configuration file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print a sample file with every setting explained
    #[arg(long)]
    pub sample: bool,
    /// Explain each setting
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub form: Form,
    /// One thing about it
    #[command(subcommand)]
    pub what: Option<ConfigVerb>,
}

/// What to do with the configuration file.
#[derive(Debug, clap::Subcommand)]
pub enum ConfigVerb {
    /// Print the path of the file
    #[command(after_help = "askuser config path")]
    Path {
        #[command(flatten)]
        form: Form,
    },
    /// Print one setting, e.g. log.level
    #[command(after_help = "askuser config get log.level")]
    Get {
        /// The setting, as section.name
        #[arg(add = completion::settings())]
        key: String,
        #[command(flatten)]
        form: Form,
    },
    /// Change one setting in the file; comments are kept
    #[command(after_help = "askuser config set log.level debug")]
    Set {
        /// The setting, as section.name
        #[arg(add = completion::settings())]
        key: String,
        /// The value, e.g. debug, 5m, 3 or a,b
        value: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// The widest that the text about a setting gets.
const ABOUT_COLUMNS_MAX: usize = 100;

/// Prints every setting, or the sample.
pub fn run(args: &Config, environment: &Environment) -> Result<Exit, Report> {
    if args.sample {
        return done(sample(language(environment), wrap).trim_end());
    }
    let mut sources = sources(environment);
    sources.named.clone_from(&args.config);
    if let Some(what) = &args.what {
        return one(what, args.form, &sources, environment);
    }
    let screen = Screen::of(environment);
    let loaded = read(&sources, screen.language)?;
    let language = if args.form.json { Language::English } else { screen.language };
    let settings = settings(&loaded, environment, language);
    let file = loaded.file.as_ref().map(|file| file.display().to_string());
    if args.form.json {
        let told: Vec<Value> = settings
            .iter()
            .map(|setting| json!({"name": setting.name, "value": setting.value, "from": setting.from.name()}))
            .collect();
        return done(&json!({ "file": file, "settings": told }).to_string());
    }
    let said = Settings(screen.language);
    let written = file.map_or_else(|| said.no_file().to_owned(), |file| said.file(file));
    let settings = if args.verbose { explained(&settings, &screen) } else { listed(&settings, &screen) };
    let newer = reload::notice_here(environment).map(|notice| format!("\n{notice}")).unwrap_or_default();
    screen.print(&format!("{}\n\n{settings}", screen.wrapped(&format!("{written}{newer}"))))
}

const COLUMNS: [Column; 3] = [
    Column::new(Titles::setting),
    Column::new(Titles::value).cut(8),
    Column::new(Titles::from).cut(7).minor(1),
];

pub(super) fn listed(settings: &[Setting], screen: &Screen) -> String {
    let row = |setting: &Setting| {
        let (value, role) = value(setting);
        vec![
            setting.name.clone().into(),
            Cell::new(role, value),
            Cell::new(Role::Dim, setting.from.said(screen.language)),
        ]
    };
    table(screen, &COLUMNS, settings.iter().map(row).collect())
}

/// Each setting with what it is for below it.
pub(super) fn explained(settings: &[Setting], screen: &Screen) -> String {
    let columns = screen.columns().unwrap_or(usize::MAX).min(ABOUT_COLUMNS_MAX);
    let one = |setting: &Setting| {
        let (value, role) = value(setting);
        let (name, from) =
            (shown(&setting.name), format!("({})", shown(&setting.from.said(screen.language))));
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
    read(&sources(environment), language(environment))
}

/// Reads the configuration from a file that was named.
pub fn load_from(file: &Path, environment: &Environment) -> Result<Loaded, Report> {
    read(&Sources { named: Some(file.to_owned()), ..sources(environment) }, language(environment))
}

fn sources(environment: &Environment) -> Sources {
    let usual = connect::home(None, environment).ok().map(|home| home.config());
    Sources { usual, environment: environment.clone(), ..Sources::default() }
}

/// Takes `section.key=value` apart.
pub fn flags(given: &[String], language: Language) -> Result<Vec<(String, String)>, Report> {
    let said = Wrong(language);
    let pair = |given: &String| {
        let (name, value) = given
            .split_once('=')
            .ok_or_else(|| Report::wrong_input(said.no_value(given), Some(said.as_set())))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    given.iter().map(pair).collect()
}

/// Reads the configuration; what is wrong with it is said in a language.
pub(super) fn read(sources: &Sources, language: Language) -> Result<Loaded, Report> {
    let wrong =
        |error: ConfigError| Report::wrong_input(error.said(language), Some(Wrong(language).see_sample()));
    sources.load().map_err(wrong)
}

/// `askuser config path`, `get KEY`, `set KEY VALUE`; `--json` may stand before or behind what is done.
fn one(
    what: &ConfigVerb,
    before: Form,
    sources: &Sources,
    environment: &Environment,
) -> Result<Exit, Report> {
    let said = |form: &Form, told: Value, words: String| {
        done(&if form.json || before.json { told.to_string() } else { words })
    };
    let language = language(environment);
    match what {
        ConfigVerb::Path { form } => {
            let file = path(sources)?.display().to_string();
            said(form, json!({ "file": file }), file)
        }
        ConfigVerb::Get { key, form } => {
            let (key, loaded) = (find(key, language)?, read(sources, language)?);
            let (name, value) = (key.full_name(), key.show(&loaded.config));
            let settings = settings(&loaded, environment, Language::English);
            let from =
                settings.iter().find(|setting| setting.name == name).map(|setting| setting.from.name());
            said(form, json!({ "name": name, "value": value, "from": from }), value)
        }
        ConfigVerb::Set { key, value, form, insists } => {
            connect::not_by_an_agent(environment, *insists)?;
            let key = find(key, language)?;
            let path = put(key, value, sources, language)?;
            let (name, value) = (key.full_name(), key.show(&read(sources, language)?.config));
            let file = path.display().to_string();
            let mut lines = vec![format!("{name} = {value}  ({file})")];
            lines.extend(reload::notice_here(environment));
            said(form, json!({ "name": name, "value": value, "file": file }), lines.join("\n"))
        }
    }
}

/// Writes a value into the file; returns where that is.
fn put(key: &Key, value: &str, sources: &Sources, language: Language) -> Result<PathBuf, Report> {
    let path = path(sources)?;
    let found = file::read(&path).map_err(|error| unwritten(&error))?;
    let text = set(found.text.as_deref().unwrap_or_default(), key, value).map_err(|error| {
        let hint = match &error {
            NotSet::Value(_) => key.about(language).to_owned(),
            NotSet::Faults(_) | NotSet::Unusual(_) => Wrong(language).edit_yourself(path.display()),
        };
        Report::wrong_input(error.said(language), Some(&hint))
    })?;
    file::write(&path, &found, Some(&text), 0o600).map_err(|error| unwritten(&error))?;
    Ok(path)
}

fn unwritten(error: &file::FileError) -> Report {
    Report::failure(|language| error.said(language))
}

fn path(sources: &Sources) -> Result<PathBuf, Report> {
    sources.file().ok_or_else(|| Report::failure(Server::no_file).hint(Server::no_file_hint))
}

/// Finds a key by `section.name`, or by its name alone where one section has it.
fn find(name: &str, language: Language) -> Result<&'static Key, Report> {
    let mut found = KEYS.iter().filter(|key| key.full_name() == name || key.name == name);
    if let (Some(key), None) = (found.next(), found.next()) {
        return Ok(key);
    }
    let names: Vec<String> = KEYS.iter().map(Key::full_name).collect();
    let said = Wrong(language);
    let near = nearest(name, names.iter().map(String::as_str));
    let what = match near {
        Some(near) => said.no_key(name, said.did_you_mean(near)),
        None => said.no_key_at_all(name),
    };
    Err(Report::wrong_input(what, Some(said.see_list())))
}
