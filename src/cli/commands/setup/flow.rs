//! The set-up as data: what is to be done, and what is asked about it.

use askuser_agents::install::Scope;
use askuser_agents::{AGENTS, Agent};
use askuser_core::id::QuestionId;
use askuser_words::Language;
use askuser_words::commands::Titles;
use askuser_words::commands::setup::Setup as Words;
use serde_json::{Value, json};

use crate::cli::commands::install::Work;
use crate::cli::commands::install::found::{self, Found, Look, Status};
use crate::cli::commands::install::plan::Change;
use askuser_ask::connect::block_on;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_ask::shell::{self, Wishes};
use askuser_ask::surface;
use askuser_system::environment::Environment;
use askuser_web::AgentHere;
use askuser_wire::check;

/// What was found, and what would be changed for it.
pub(super) struct Plan {
    /// Every agent.
    pub(super) found: Vec<Found>,
    /// The changes that connect those that are not, agent by agent.
    pub(super) changes: Vec<(&'static Agent, Vec<Change>)>,
}

impl Plan {
    /// Works out every change. An agent whose settings cannot be changed says so where it stands.
    pub(super) fn of(mut found: Vec<Found>, work: &Work) -> Self {
        let mut changes = Vec::new();
        for found in &mut found {
            let wanted =
                matches!(found.status(), Status::NotConnected | Status::Outdated | Status::Broken(_));
            if !wanted {
                continue;
            }
            match work.connecting(found.agent, found.scope(), found.extras()) {
                Ok(made) if made.iter().any(Change::changes) => changes.push((found.agent, made)),
                Ok(_) => {}
                Err(report) => found.hindered = Some(report.what().clone()),
            }
        }
        Self { found, changes }
    }

    /// Those that can be connected.
    pub(super) fn agents(&self) -> Vec<&'static Agent> {
        self.changes.iter().map(|(agent, _)| *agent).collect()
    }

    /// The changes for some.
    pub(super) fn of_agents<'a>(&'a self, agents: &'a [&'static Agent]) -> impl Iterator<Item = &'a Change> {
        let chosen = self.changes.iter().filter(|(agent, _)| agents.contains(agent));
        chosen.flat_map(|(_, changes)| changes)
    }

    /// Whose settings an agent is connected in.
    pub(super) fn scope(&self, agent: &Agent) -> Scope {
        self.found.iter().find(|found| found.agent == agent).map_or(Scope::User, Found::scope)
    }

    /// Whether every agent is connected and works.
    pub(super) fn is_all_well(&self) -> bool {
        let well = |found: &Found| matches!(found.status(), Status::Connected(_) | Status::NotTrusted);
        self.found.iter().all(well)
    }

    /// One line an agent: where it stands, and its program.
    pub(super) fn listed(&self, screen: &Screen, environment: &Environment) -> String {
        let words = Words(screen.language);
        if self.found.is_empty() {
            let known = AGENTS.iter().filter(|agent| agent.install.is_some());
            let known: Vec<&str> = known.map(|agent| agent.title).collect();
            return screen.wrapped(&format!(
                "{}\n{}",
                words.none_found(),
                words.known(known.join(words.and()))
            ));
        }
        let row = |found: &Found| {
            let (said, role) = status(&found.status(), words);
            let program = found.program.as_ref().map(|program| environment.told(program));
            vec![
                Cell::new(Role::Id, found.agent.title),
                Cell::new(role, said),
                Cell::new(Role::Dim, program.unwrap_or_else(|| words.no_program().to_owned())),
            ]
        };
        let table = table(screen, &COLUMNS, self.found.iter().map(row).collect());
        format!("{}\n\n{table}", screen.paint.text(Role::Strong, words.found()))
    }

    /// The same for programs.
    pub(super) fn to_json(&self, environment: &Environment) -> Vec<Value> {
        let one = |found: &Found| {
            let (state, why) = match found.status() {
                Status::NotConnected => ("not_connected", None),
                Status::Connected(_) => ("connected", None),
                Status::Outdated => ("outdated", None),
                Status::NotTrusted => ("not_trusted", None),
                Status::Broken(why) => ("broken", Some(why.english)),
                Status::Unreadable(why) => ("unreadable", Some(why.english)),
            };
            let program = found.program.as_ref().map(|program| environment.told(program));
            json!({"agent": found.agent.command_name(), "program": program, "state": state, "why": why})
        };
        self.found.iter().map(one).collect()
    }

    /// Asks which agents to connect.
    pub(super) fn which(&self, words: Words, environment: &Environment) -> Value {
        let offered = self.found.iter().filter(|found| self.agents().contains(&found.agent));
        let options: Vec<Value> = offered
            .map(|found| {
                let program = found.program.as_ref().map(|program| environment.told(program));
                let said = status(&found.status(), words).0;
                let about: Vec<String> = [said].into_iter().chain(program).collect();
                option(found.agent.command_name(), found.agent.title, &about.join(" · "), true)
            })
            .collect();
        several(words.agents(), words.which(), words.which_about(), &options)
    }

    /// Those of the picks that can be connected.
    pub(super) fn chosen(&self, picks: &[String]) -> Vec<&'static Agent> {
        let is_picked = |agent: &&Agent| picks.iter().any(|pick| pick == agent.command_name());
        self.agents().into_iter().filter(is_picked).collect()
    }
}

const COLUMNS: [Column; 3] = [
    Column::new(Titles::agent),
    Column::new(Titles::status).cut(14),
    Column::new(Titles::program).cut(12).minor(1),
];

/// The agents of this machine as the page's empty inbox shows them, and what connects them.
pub fn agents_here(language: Language, environment: &Environment) -> Vec<AgentHere> {
    let found = found::look(Look::Files, environment).unwrap_or_default();
    let here = |found: &Found| {
        let stands = found.status();
        let is_to_do = matches!(stands, Status::NotConnected | Status::Outdated | Status::Broken(_));
        AgentHere {
            name: found.agent.title.to_owned(),
            standing: status(&stands, Words(language)).0,
            command: is_to_do.then(|| format!("askuser install {}", found.agent.command_name())),
        }
    };
    found.iter().map(here).collect()
}

fn status(status: &Status, words: Words) -> (String, Role) {
    match status {
        Status::NotConnected => (words.not_connected().to_owned(), Role::Warn),
        Status::Connected(Scope::User) => (words.connected().to_owned(), Role::Good),
        Status::Connected(Scope::Project) => (words.connected_here().to_owned(), Role::Good),
        Status::Outdated => (words.outdated().to_owned(), Role::Warn),
        Status::NotTrusted => (words.not_trusted().to_owned(), Role::Warn),
        Status::Broken(why) => (words.broken(words.0.of(why)), Role::Bad),
        Status::Unreadable(why) => (words.unreadable(words.0.of(why)), Role::Bad),
    }
}

/// Asks whether the changes that were shown are to be made.
pub(super) fn confirm(n_agents: usize, files: &[String], words: Words) -> Value {
    yes_no(words.confirm(), &words.connect_these(n_agents), &files.join(words.and()))
}

/// A question with yes and no.
pub(super) fn yes_no(header: &str, question: &str, about: &str) -> Value {
    json!({"questions": [{
        "question_id": "setup", "header": header, "question_text": question, "description": about,
        "type": "boolean",
    }], "asker": {"agent": ASKER}})
}

/// A question of which nothing, one or several may be picked.
pub(super) fn several(header: &str, question: &str, about: &str, options: &[Value]) -> Value {
    json!({"questions": [{
        "question_id": "setup", "header": header, "question_text": question, "description": about,
        "type": "checkbox", "other": false, "required": false, "options": options,
    }], "asker": {"agent": ASKER}})
}

pub(super) fn option(id: &str, label: &str, about: &str, is_default: bool) -> Value {
    json!({"id": id, "label": label, "description": about, "default": is_default})
}

/// Who asks.
pub(super) const ASKER: &str = check::SETUP_ASKER;

/// Asks in this terminal alone, so that nothing is kept of it; returns what was picked. Nothing is, where the person
/// declines: every step can be skipped.
pub(super) fn picks(question: &Value, environment: &Environment) -> Result<Vec<String>, Report> {
    let call = shell::read(&question.to_string(), &wishes(), |limits| limits)?;
    let Some(way) = surface::terminal(environment, None)? else { return Ok(Vec::new()) };
    let told = block_on(async { Ok(surface::ask(&call, way, None, environment).await?) })?;
    let answer = told.outcome.answers.to(&QuestionId::from("setup"));
    Ok(answer
        .map(|answer| answer.picked.iter().map(|pick| pick.as_str().to_owned()).collect())
        .unwrap_or_default())
}

/// How our own questions are read.
pub(super) fn wishes() -> Wishes {
    Wishes { dialect: Some("full".to_owned()), reply: Some("push".to_owned()), ..Wishes::default() }
}
