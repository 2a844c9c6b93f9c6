//! `askuser template`: question templates, as they are found from here.

use std::path::Path;

use serde_json::{Value, json};

use super::args::{Ask, Form};
use super::connect::{self, done};
use super::exit::Exit;
use super::report::Report;
use crate::environment::Environment;
use crate::template::{self, Folder, LOCAL, Shelf, TemplateError, Variables};

/// What to do with templates.
#[derive(Debug, clap::Subcommand)]
pub enum TemplateVerb {
    /// Every template that is found from here: of the project's skills, of your own, of the data folder
    List {
        #[command(flatten)]
        form: Form,
    },
    /// One template, as it stands in its file
    Show {
        /// Its name, or its full name as skill/name
        name: String,
    },
    /// Find what is wrong with templates, with line and column; all of them where none is named
    Check {
        /// A name, or a file
        names: Vec<String>,
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
            return Err(Report::wrong_input(
                format!("`{pair}` is no variable"),
                Some("write it as --var name=value"),
            ));
        };
        given.insert(name.to_owned(), value.to_owned());
    }
    let project = Folder(environment.folder().unwrap_or_default());
    Ok(shelf(environment)?.ask(name, &given, &project)?.to_string())
}

/// Does what was said.
pub fn run(what: &TemplateVerb, environment: &Environment) -> Result<Exit, Report> {
    let shelf = shelf(environment)?;
    match what {
        TemplateVerb::List { form } => list(&shelf, *form),
        TemplateVerb::Show { name } => {
            let (_, path) = shelf.find(name)?;
            let text = std::fs::read_to_string(&path);
            let text = text.map_err(|error| Report::failed(format!("{}: {error}", path.display()), None))?;
            done(text.trim_end())
        }
        TemplateVerb::Check { names } => check(&shelf, names),
    }
}

fn list(shelf: &Shelf, form: Form) -> Result<Exit, Report> {
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
                    "faults": listed.template.as_ref().err().map(ToString::to_string),
                })
            })
            .collect();
        return done(&json!({ "templates": told }).to_string());
    }
    if listed.is_empty() {
        return done(
            "no templates: put YAML files into .claude/skills/NAME/questions/ or the data folder's templates/",
        );
    }
    let line = |listed: &template::Listed| match &listed.template {
        Ok(template) => {
            let vars: Vec<String> =
                template.variables.iter().map(|known| format!(" --var {}=…", known.name)).collect();
            let about = template.description.as_deref().unwrap_or_default();
            format!("{:<24} {about}{}", listed.name, vars.concat())
        }
        Err(_) => format!("{:<24} FAULTY: `askuser template check {}` says how", listed.name, listed.name),
    };
    done(&listed.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn check(shelf: &Shelf, names: &[String]) -> Result<Exit, Report> {
    let mut checked = Vec::new();
    if names.is_empty() {
        checked.extend(shelf.list().into_iter().map(|listed| (listed.name, listed.template.map(drop))));
    }
    for name in names {
        let is_file = Path::new(name).is_file();
        let path = if is_file { Path::new(name).to_owned() } else { shelf.find(name)?.1 };
        checked.push((name.clone(), shelf.get(&path).map(drop)));
    }
    let faults: Vec<String> =
        checked.iter().filter_map(|(_, found)| found.as_ref().err().map(ToString::to_string)).collect();
    if faults.is_empty() {
        let n_checked = checked.len();
        return done(&format!(
            "{n_checked} {} sound",
            if n_checked == 1 { "template is" } else { "templates are" }
        ));
    }
    Err(Report::wrong_input(faults.join("\n"), None))
}

impl From<TemplateError> for Report {
    fn from(error: TemplateError) -> Self {
        let hint = match &error {
            TemplateError::NotFound { .. } => Some("`askuser template list` shows what there is"),
            TemplateError::Ambiguous { .. } => Some("name it in full"),
            TemplateError::Missing(_) | TemplateError::Unknown(_) => Some("say it with --var name=value"),
            TemplateError::Faulty { .. } | TemplateError::Unreadable { .. } | TemplateError::Project(_) => {
                None
            }
        };
        Self::wrong_input(error.to_string(), hint)
    }
}
