//! Wiring of the short-lived roles: arguments in, exit code out. One of the two places that know
//! both doorways and channels.

pub mod args;
pub mod exit;
pub mod report;
pub mod input;
pub mod limits;
pub mod table;
pub mod alone;
pub mod connect;
pub mod place;

pub mod people;
pub mod person;
pub mod elsewhere;
pub mod saving;
pub mod seat;
pub mod at_desk;
pub mod scripted;
pub mod ask;
pub mod ask_user_question;
pub mod in_full;
pub mod listing;
pub mod inbox;
pub mod answer;
pub mod rules;
pub mod stats;
pub mod sessions;
pub mod transcripts;
mod projects;
pub mod run;
pub mod tasks;
pub mod serve;
pub mod migrate;
pub mod backup;
pub mod service;
pub mod doctor;
pub mod access;
pub mod audit;
pub mod open;
pub mod browsers;
pub mod phone;
pub mod notify;
pub mod settings;
pub mod events;
pub mod mcp;
pub mod install;
pub mod template;
pub mod hook;
pub mod route;
pub mod stage;
pub mod demo;

use clap::CommandFactory;

use self::args::{Args, Verb};
use self::exit::Exit;
use self::report::Report;
pub use crate::config::duration;
use crate::environment::Environment;

/// Does what the arguments of `askuser` say and returns the exit code.
pub fn run(args: &Args, environment: &Environment) -> Exit {
    match verb(&args.verb, environment) {
        Ok(exit) => exit,
        Err(report) => {
            report.print();
            report.exit
        }
    }
}

/// Prints what the arguments ask for (help, version) or what is wrong with them, and returns the
/// exit code. A wrong argument is quoted, so it goes the way of every complaint.
pub fn misread(told: &clap::Error) -> Exit {
    let text = told.to_string();
    if told.use_stderr() {
        report::complain(&without_way_round(&text));
        return Exit::WrongInput;
    }
    if report::print_outcome(text.trim_end()).is_ok() { Exit::Answered } else { Exit::Failed }
}

/// Takes out what a mistyped flag must not teach an agent: how to pass for a person.
fn without_way_round(text: &str) -> String {
    let is_tip = |part: &&str| part.trim_start().starts_with("tip:") && part.contains("--as-person");
    let parts: Vec<&str> = text.split("\n\n").filter(|part| !is_tip(part)).collect();
    parts.join("\n\n").replace(" --as-person", "")
}

fn verb(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        Verb::Ask(args) => ask::run(args, environment),
        Verb::Wait { ask, patience, reply } => {
            listing::wait(ask, patience.as_deref(), reply.as_deref(), environment)
        }
        Verb::Withdraw { ask, form } => listing::withdraw(ask, *form, environment),
        Verb::Inbox { insists } => inbox::run(*insists, environment),
        Verb::List { all, form, insists } => listing::list(*all, *form, *insists, environment),
        Verb::Show { ask, form, insists } => listing::show(ask, *form, *insists, environment),
        Verb::Answer(args) => answer::run(args, environment),
        Verb::Rules { what } => rules::run(what, environment),
        Verb::Stats { form, insists } => stats::run(*form, *insists, environment),
        Verb::Cancel { ask, reason, form, insists } => {
            listing::cancel(ask, reason.as_deref(), *form, *insists, environment)
        }
        Verb::Sessions { end, form, insists } => sessions::run(end.as_deref(), *form, *insists, environment),
        Verb::History { session, export, import, projects, form, insists } => match (session, import) {
            (_, Some(file)) => transcripts::import(file, *form, *insists, environment),
            (Some(session), None) => match session.strip_prefix(transcripts::PREFIX) {
                Some(name) => transcripts::history(name, *export, *insists, environment),
                None => sessions::history(session, *export, *insists, environment),
            },
            (None, None) => {
                debug_assert!(*projects, "the command line asks for one of the three");
                transcripts::projects(*form, *insists, environment)
            }
        },
        Verb::Restore { session, version, round, form, insists } => {
            sessions::restore(session, *version, *round, *form, *insists, environment)
        }
        Verb::Run(args) => run::run(args, environment),
        Verb::Tasks { form, insists } => tasks::list(*form, *insists, environment),
        Verb::Task { what } => tasks::one(what, environment),
        Verb::Serve(args) => serve::run(args, environment),
        Verb::Migrate(args) => migrate::run(args, environment),
        Verb::Backup(args) => backup::run(args, environment),
        Verb::Service { what } => service::run(what, environment),
        Verb::Status { form } => serve::status(*form, environment),
        Verb::Stop { insists } => serve::stop(*insists, environment),
        Verb::Doctor { form } => doctor::run(*form, environment),
        Verb::Install(args) => install::install(args, environment),
        Verb::Uninstall(args) => install::uninstall(args, environment),
        Verb::Agents { form } => install::agents::run(*form, environment),
        Verb::Template { what } => template::run(what, environment),
        Verb::Hook(args) => hook::run(args, environment),
        Verb::Open { qr: true, lan, tls_listen, insists, .. } => {
            let lan = lan.then_some("lan");
            phone::open(tls_listen.as_deref().or(lan), *insists, environment)
        }
        Verb::Open { print, insists, .. } => open::open(*print, *insists, environment),
        Verb::Browsers(args) => browsers::run(args, environment),
        Verb::User { what } => access::user(what, environment),
        Verb::Key { what } => access::key(what, environment),
        Verb::Audit(args) => audit::audit(args, environment),
        Verb::Purge(args) => audit::purge(args, environment),
        Verb::Notify { what } => notify::run(what, environment),
        Verb::Config(args) => settings::run(args, environment),
        Verb::Events { who, insists } => events::run(*who, *insists, environment),
        Verb::Mcp => mcp::run(environment),
        Verb::Route { line } => route::run(line),
        Verb::Demo { plain } => demo::run(*plain, environment),
        Verb::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "askuser", &mut script);
            ask::finish(String::from_utf8_lossy(&script).trim_end(), Exit::Answered)
        }
    }
}
