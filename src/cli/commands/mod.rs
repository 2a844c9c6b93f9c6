//! The commands of `askuser`, a file or a folder each.

pub mod ask;
pub mod confirm;
pub mod choose;
pub mod input;
pub mod wait;
pub mod withdraw;
pub mod inbox;
pub mod list;
pub mod show;
pub mod answer;
pub mod cancel;
pub mod rules;
pub mod stats;
pub mod sessions;
pub mod history;
pub mod restore;
pub mod run;
pub mod tasks;
pub mod task;
pub mod serve;
pub mod migrate;
pub mod backup;
pub mod service;
pub mod status;
pub mod update;
pub mod reload;
pub mod stop;
pub mod doctor;
pub mod setup;
pub mod install;
pub mod uninstall;
pub mod agents;
pub mod template;
pub mod hook;
pub mod open;
pub mod browsers;
pub mod user;
pub mod key;
pub mod audit;
pub mod purge;
pub mod notify;
pub mod config;
pub mod events;
pub mod mcp;
pub mod route;
pub mod demo;
pub mod completions;
pub mod help;
pub mod man;

#[cfg(test)]
mod tables;

use super::args::Verb;
use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Does what the command line says.
pub fn run(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        Verb::Ask(args) => ask::run(args, environment),
        Verb::Confirm(args) => confirm::run(args, environment),
        Verb::Choose(args) => choose::run(args, environment),
        Verb::Input(args) => input::run(args, environment),
        Verb::Wait { ask, patience, reply, prints } => {
            wait::run(ask.as_deref(), patience.as_deref(), reply.as_deref(), *prints, environment)
        }
        Verb::Withdraw { ask, form } => withdraw::run(ask.as_deref(), *form, environment),
        Verb::Inbox { insists } => inbox::run(*insists, environment),
        Verb::List(args) => list::run(args, environment),
        Verb::Show { ask, form, insists } => show::run(ask.as_deref(), *form, *insists, environment),
        Verb::Answer(args) => answer::run(args, environment),
        Verb::Rules { what } => rules::run(what, environment),
        Verb::Stats { form, insists } => stats::run(*form, *insists, environment),
        Verb::Cancel { ask, reason, form, insists } => {
            cancel::run(ask.as_deref(), reason.as_deref(), *form, *insists, environment)
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
        Verb::Restore(args) => restore::run(args, environment),
        Verb::Run(args) => run::run(args, environment),
        Verb::Tasks { form, insists } => tasks::run(*form, *insists, environment),
        Verb::Task { what } => task::run(what, environment),
        Verb::Serve(args) => serve::run(args, environment),
        Verb::Migrate(args) => migrate::run(args, environment),
        Verb::Backup(args) => backup::run(args, environment),
        Verb::Service { what } => service::run(what, environment),
        Verb::Status { form } => status::run(*form, environment),
        Verb::Update(form) => update::run(*form, environment),
        Verb::Reload { form, insists } => reload::run(*form, *insists, environment),
        Verb::Stop { form, insists } => stop::run(*form, *insists, environment),
        Verb::Doctor { form } => doctor::run(*form, environment),
        Verb::Setup(args) => setup::run(*args, environment),
        Verb::Install(args) => install::run(args, environment),
        Verb::Uninstall(args) => uninstall::run(args, environment),
        Verb::Agents { form } => agents::run(*form, environment),
        Verb::Template { what } => template::run(what, environment),
        Verb::Hook(args) => hook::run(args, environment),
        Verb::Open { qr: true, lan, tls_listen, form, insists, .. } => {
            let lan = lan.then_some("lan");
            open::qr::open(tls_listen.as_deref().or(lan), *form, *insists, environment)
        }
        Verb::Open { print, form, insists, .. } => open::open(*print, *form, *insists, environment),
        Verb::Browsers(args) => browsers::run(args, environment),
        Verb::User { what } => user::run(what, environment),
        Verb::Key { what } => key::run(what, environment),
        Verb::Audit(args) => audit::run(args, environment),
        Verb::Purge(args) => purge::run(args, environment),
        Verb::Notify { what } => notify::run(what, environment),
        Verb::Config(args) => config::run(args, environment),
        Verb::Events { who, insists } => events::run(*who, *insists, environment),
        Verb::Mcp => mcp::run(environment),
        Verb::Route { line } => route::run(line),
        Verb::Demo { plain } => demo::run(*plain, environment),
        Verb::Help { what } => help::run(what, environment),
        Verb::Man { folder } => man::run(folder, environment),
        Verb::Completions { shell } => completions::run(*shell),
    }
}
