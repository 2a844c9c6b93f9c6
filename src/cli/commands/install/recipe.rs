//! What an agent is told on this machine: its record with the places and the words that are here.

use std::path::{Path, PathBuf};

use askuser_agents::Agent;
use askuser_agents::install::{Connection, Content, Extras, NAME, Scope, SettingsFile};
use askuser_words::commands::setup::{Editing, Hooks};
use askuser_words::{Both, Language, both, quoted};

use askuser_ask::output::language;
use askuser_config::{self as config, Origin};
use askuser_system::environment::Environment;

/// What is wanted of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The file.
    pub path: PathBuf,
    /// What should be in it.
    pub content: Content,
}

/// The machine: where things are, and what to start.
#[derive(Debug, Clone)]
pub struct Machine {
    /// The person's home folder.
    pub home: PathBuf,
    /// The project's folder.
    pub project: PathBuf,
    /// The program to start, as an absolute path.
    pub program: String,
    /// The data folder, where it is not the usual one.
    pub data: Option<PathBuf>,
    /// What the environment says of the agents' own folders.
    pub environment: Environment,
    /// What the person reads: agents show what a hook says while it waits.
    pub language: Language,
}

/// Why an agent cannot be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRecipe {
    /// The agent knows no such scope.
    NoProject {
        /// The agent.
        agent: &'static str,
    },
    /// There is no home folder.
    NoHome,
    /// We do not know where we are.
    NoProgram(Both),
}

impl NoRecipe {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = Editing(language);
        match self {
            Self::NoProject { agent } => said.no_project(agent),
            Self::NoHome => said.no_home().to_owned(),
            Self::NoProgram(why) => said.no_program(language.of(why)),
        }
    }
}

impl Machine {
    /// Looks at it.
    pub fn look(environment: &Environment) -> Result<Self, NoRecipe> {
        let home = environment.path("HOME").ok_or(NoRecipe::NoHome)?;
        let here = environment.folder().unwrap_or_else(|| home.clone());
        let project = here.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&here);
        let data = match config::data_folder(None, environment) {
            Ok((folder, Origin::Variable(_))) => Some(folder),
            _ => None,
        };
        Ok(Self {
            project: project.to_owned(),
            program: program(environment)?,
            data,
            environment: environment.clone(),
            language: language(environment),
            home,
        })
    }

    /// The program for a scope: a shared file must not name a path of this machine.
    fn program(&self, scope: Scope) -> &str {
        match scope {
            Scope::User => &self.program,
            Scope::Project => NAME,
        }
    }

    /// What agents show while a hook waits; a shared file is in nobody's own language.
    fn says(&self, scope: Scope) -> Hooks {
        Hooks(if scope == Scope::User { self.language } else { Language::English })
    }

    fn data(&self, scope: Scope) -> Option<&Path> {
        self.data.as_deref().filter(|_| scope == Scope::User)
    }

    /// Where a file of an agent's settings is; none where a project has no such file.
    fn path(&self, file: &SettingsFile, scope: Scope) -> Option<PathBuf> {
        let path = match scope {
            Scope::User => file.user.path(Some(&self.home), |name| self.environment.path(name)),
            Scope::Project => file.project.map(|below| self.project.join(below)),
        }?;
        let other = file.or_ending.map(|ending| path.with_extension(ending));
        Some(other.filter(|other| other.exists()).unwrap_or(path))
    }
}

/// The program, by a name that stays right when it is replaced by a newer one: where it is found on
/// the path, that; else wherever it lies.
pub(in crate::cli) fn program(environment: &Environment) -> Result<String, NoRecipe> {
    let own = std::env::current_exe().map_err(|error| NoRecipe::NoProgram(quoted(error)))?;
    let path = environment.get("PATH").unwrap_or_default();
    let named = path.split(':').map(|folder| Path::new(folder).join(NAME));
    let mut ours =
        named.filter(|found| found.is_absolute() && found.canonicalize().is_ok_and(|found| found == own));
    let program = ours.next().unwrap_or(own);
    program.to_str().map(str::to_owned).ok_or_else(|| NoRecipe::NoProgram(both(Editing::path_not_text)))
}

/// Returns what an agent should be told.
pub fn recipe(agent: &Agent, scope: Scope, extras: Extras, machine: &Machine) -> Result<Vec<Part>, NoRecipe> {
    let connection = Connection {
        program: machine.program(scope),
        data: machine.data(scope),
        home: &machine.home,
        says: machine.says(scope),
        extras,
    };
    let files = agent.install.iter().flat_map(|install| install.files);
    let part = |file: &SettingsFile| {
        let path = machine.path(file, scope).ok_or(NoRecipe::NoProject { agent: agent.command_name() })?;
        Ok(Part { path, content: (file.content)(&connection) })
    };
    files.map(part).collect()
}
