//! The commands of `askuser`, a file or a folder each.

pub mod ask;
pub mod list;
pub mod inbox;
pub mod answer;
pub mod rules;
pub mod stats;
pub mod sessions;
pub mod history;
pub mod run;
pub mod tasks;
pub mod serve;
pub mod migrate;
pub mod backup;
pub mod service;
pub mod update;
pub mod doctor;
pub mod setup;
pub mod install;
pub mod template;
pub mod hook;
pub mod open;
pub mod browsers;
pub mod user;
pub mod audit;
pub mod purge;
pub mod notify;
pub mod config;
pub mod reload;
pub mod events;
pub mod mcp;
pub mod route;
pub mod demo;

#[cfg(test)]
mod tables;

use super::args::Verb;
use super::exit::Exit;
use super::report::Report;
use super::{completing, help};
use askuser_system::environment::Environment;

/// Does what the command line says.
pub fn run(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        Verb::Ask(args) => ask::run(args, environment),
        Verb::Confirm(args) => ask::confirm(args, environment),
        Verb::Choose(args) => ask::choose(args, environment),
        Verb::Input(args) => ask::input(args, environment),
        Verb::Wait { ask, patience, reply, prints } => {
            list::wait(ask.as_deref(), patience.as_deref(), reply.as_deref(), *prints, environment)
        }
        Verb::Withdraw { ask, form } => list::withdraw(ask.as_deref(), *form, environment),
        Verb::Inbox { insists } => inbox::run(*insists, environment),
        Verb::List(args) => list::list(args, environment),
        Verb::Show { ask, form, insists } => list::show(ask.as_deref(), *form, *insists, environment),
        Verb::Answer(args) => answer::run(args, environment),
        Verb::Rules { what } => rules::run(what, environment),
        Verb::Stats { form, insists } => stats::run(*form, *insists, environment),
        Verb::Cancel { ask, reason, form, insists } => {
            list::cancel(ask.as_deref(), reason.as_deref(), *form, *insists, environment)
        }
        Verb::Sessions { end, form, insists } => sessions::run(end.as_deref(), *form, *insists, environment),
        Verb::History { session, export, import, projects, form, insists } => match (session, import) {
            (_, Some(file)) => history::transcripts::import(file, *form, *insists, environment),
            (Some(session), None) => match session.strip_prefix(history::transcripts::PREFIX) {
                Some(name) => history::transcripts::history(name, *export, *insists, environment),
                None => history::of_session(session, *export, *form, *insists, environment),
            },
            (None, None) if *projects => history::transcripts::projects(*form, *insists, environment),
            (None, None) => history::all(*form, *insists, environment),
        },
        Verb::Restore(args) => sessions::restore(args, environment),
        Verb::Run(args) => run::run(args, environment),
        Verb::Tasks { form, insists } => tasks::list(*form, *insists, environment),
        Verb::Task { what } => tasks::one(what, environment),
        Verb::Serve(args) => serve::run(args, environment),
        Verb::Migrate(args) => migrate::run(args, environment),
        Verb::Backup(args) => backup::run(args, environment),
        Verb::Service { what } => service::run(what, environment),
        Verb::Status { form } => serve::status(*form, environment),
        Verb::Update(form) => update::run(*form, environment),
        Verb::Reload { form, insists } => reload::reload(*form, *insists, environment),
        Verb::Stop { form, insists } => serve::stop(*form, *insists, environment),
        Verb::Doctor { form } => doctor::run(*form, environment),
        Verb::Setup(args) => setup::run(*args, environment),
        Verb::Install(args) => install::install(args, environment),
        Verb::Uninstall(args) => install::uninstall(args, environment),
        Verb::Agents { form } => install::agents::run(*form, environment),
        Verb::Template { what } => template::run(what, environment),
        Verb::Hook(args) => hook::run(args, environment),
        Verb::Open { qr: true, lan, tls_listen, form, insists, .. } => {
            let lan = lan.then_some("lan");
            open::qr::open(tls_listen.as_deref().or(lan), *form, *insists, environment)
        }
        Verb::Open { print, form, insists, .. } => open::open(*print, *form, *insists, environment),
        Verb::Browsers(args) => browsers::run(args, environment),
        Verb::User { what } => user::user(what, environment),
        Verb::Key { what } => user::key(what, environment),
        Verb::Audit(args) => audit::audit(args, environment),
        Verb::Purge(args) => purge::run(args, environment),
        Verb::Notify { what } => notify::run(what, environment),
        Verb::Config(args) => config::run(args, environment),
        Verb::Events { who, insists } => events::run(*who, *insists, environment),
        Verb::Mcp => mcp::run(environment),
        Verb::Route { line } => route::run(line),
        Verb::Demo { plain } => demo::run(*plain, environment),
        Verb::Help { what } => help::run(what, environment),
        Verb::Man { folder } => help::man::run(folder, environment),
        Verb::Completions { shell } => ask::finish(completing::script(*shell).trim_end(), Exit::Answered),
    }
}
