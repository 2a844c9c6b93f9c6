//! `askuser template`: question templates, as they are found from here.

use std::path::Path;

use askuser_words::Language;
use askuser_words::commands::{Templates, Titles};
use askuser_words::config::Wrong;
use serde_json::{Value, json};

use super::ask::Ask;
use crate::cli::args::Form;
use crate::cli::completion;
use askuser_ask::connect::{self, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::output::{Screen, language};
use askuser_ask::report::Report;
use askuser_config::template::{self, Folder, LOCAL, Shelf, TemplateError, Variables};
use askuser_system::environment::Environment;

/// Manage question templates: list, show, check
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser template list")]
pub struct TemplateArgs {
    /// What to do
    #[command(subcommand)]
    pub what: TemplateVerb,
}

/// What to do with templates.
#[derive(Debug, clap::Subcommand)]
pub enum TemplateVerb {
    /// List templates of this project's skills, your own skills and the data folder
    #[command(after_help = "askuser template list")]
    List {
        #[command(flatten)]
        form: Form,
    },
    /// Print a template file
    #[command(after_help = "askuser template show deploy")]
    Show {
        /// The template's name, or skill/name
        #[arg(add = completion::templates())]
        name: String,
        #[command(flatten)]
        form: Form,
    },
    /// Check templates and show errors with line and column
    #[command(after_help = "askuser template check .claude/skills/ship/questions/deploy.yaml")]
    Check {
        /// Template names or files [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,
        #[command(flatten)]
        form: Form,
    },
}

/// Returns the templates that count here.
pub fn shelf(environment: &Environment) -> Result<Shelf, Report> {
    let own = connect::home(None, environment)?.templates();
    let home = environment.path("HOME");
    let skills = environment.folder().map(|folder| Shelf::skills_around(&folder, home.as_deref()));
    Ok(Shelf::new(skills.unwrap_or_default(), Some(own)).of(LOCAL))
}

/// Fills a template in, as `askuser ask --template` wants it.
pub fn filled(name: &str, args: &Ask, environment: &Environment) -> Result<String, Report> {
    let mut given = Variables::new();
    for pair in &args.var {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(
                Report::input(|said: Templates| said.no_variable(pair)).hint(Templates::no_variable_hint)
            );
        };
        given.insert(name.to_owned(), value.to_owned());
    }
    let project = Folder(environment.folder().unwrap_or_default());
    Ok(shelf(environment)?.ask(name, &given, &project)?.to_string())
}

/// Does what was said.
pub fn run(TemplateArgs { what }: &TemplateArgs, environment: &Environment) -> Result<Exit, Report> {
    let shelf = shelf(environment)?;
    match what {
        TemplateVerb::List { form } => list(&shelf, *form, environment),
        TemplateVerb::Show { name, form } => {
            let (name, path) = shelf.find(name)?;
            let text = std::fs::read_to_string(&path);
            let text =
                text.map_err(|error| Report::failure(|said: Wrong| said.in_file(path.display(), &error)))?;
            if form.json {
                return done(
                    &json!({"name": name, "file": path.display().to_string(), "text": text}).to_string(),
                );
            }
            done(text.trim_end())
        }
        TemplateVerb::Check { names, form } => check(&shelf, names, *form, environment),
    }
}

const COLUMNS: [Column; 3] = [
    Column::new(Titles::template),
    Column::new(Titles::about).cut(14),
    Column::new(Titles::variables).cut(12).minor(1),
];

fn list(shelf: &Shelf, form: Form, environment: &Environment) -> Result<Exit, Report> {
    let listed = shelf.list();
    if form.json {
        let told: Vec<Value> = listed
            .iter()
            .map(|listed| {
                let template = listed.template.as_ref().ok();
                let names = template
                    .map(|template| template.variables.iter().map(|known| known.name.clone()).collect());
                json!({
                    "name": listed.name, "owner": listed.owner, "file": listed.path.display().to_string(),
                    "description": template.and_then(|template| template.description.clone()),
                    "variables": names.unwrap_or_else(Vec::new),
                    "faults": faults(&listed.template, Language::English),
                })
            })
            .collect();
        return done(&json!({ "templates": told }).to_string());
    }
    let screen = Screen::of(environment);
    if listed.is_empty() {
        let own = connect::home(None, environment)?.templates();
        let places = format!(".claude/skills/NAME/questions/, {}", environment.told(&own));
        return done(&Templates(screen.language).none(places));
    }
    screen.print(&table_of(&listed, &screen))
}

/// A line a template.
pub(super) fn table_of(listed: &[template::Listed], screen: &Screen) -> String {
    let row = |listed: &template::Listed| {
        if let Ok(template) = &listed.template {
            let vars = template.variables.iter().map(|known| format!("--var {}=…", known.name));
            vec![
                Cell::new(Role::Id, listed.name.clone()),
                template.description.clone().unwrap_or_default().into(),
                Cell::new(Role::Dim, vars.collect::<Vec<_>>().join(" ")),
            ]
        } else {
            let why = Templates(screen.language).faulty(&listed.name);
            vec![Cell::new(Role::Id, listed.name.clone()), Cell::new(Role::Bad, why)]
        }
    };
    table(screen, &COLUMNS, listed.iter().map(row).collect())
}

fn check(shelf: &Shelf, names: &[String], form: Form, environment: &Environment) -> Result<Exit, Report> {
    let mut checked = Vec::new();
    if names.is_empty() {
        checked.extend(shelf.list().into_iter().map(|listed| (listed.name, listed.template.map(drop))));
    }
    for name in names {
        let is_file = Path::new(name).is_file();
        let path = if is_file { Path::new(name).to_owned() } else { shelf.find(name)?.1 };
        checked.push((name.clone(), shelf.get(&path).map(drop)));
    }
    if form.json {
        let told: Vec<Value> = checked
            .iter()
            .map(|(name, found)| json!({"name": name, "faults": faults(found, Language::English)}))
            .collect();
        let is_sound = checked.iter().all(|(_, found)| found.is_ok());
        let exit = if is_sound { Exit::Answered } else { Exit::WrongInput };
        return askuser_ask::report::finish(&json!({ "templates": told }).to_string(), exit);
    }
    let language = language(environment);
    let faults: Vec<String> = checked.iter().filter_map(|(_, found)| faults(found, language)).collect();
    if faults.is_empty() {
        return done(&Templates(language).valid(checked.len()));
    }
    Err(Report::wrong_input(faults.join("\n"), None))
}

/// What is wrong with a template, if anything is.
fn faults<T>(found: &Result<T, TemplateError>, language: Language) -> Option<String> {
    found.as_ref().err().map(|error| error.said(language))
}
