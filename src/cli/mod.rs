//! Wiring of the short-lived roles: arguments in, exit code out. One of the two places that know
//! both doorways and channels.

pub mod args;
pub mod output;
pub mod help;
pub mod exit;
pub mod report;
pub mod input;
pub mod limits;
pub mod told;
pub mod alone;
pub mod connect;
pub mod noun;
pub mod which;
mod picking;
pub mod completing;
pub mod place;

pub mod people;
pub mod person;
pub mod elsewhere;
pub mod shown;
pub mod saving;
pub mod still_open;
pub mod seat;
mod handing_in;
pub mod at_desk;
pub mod scripted;
pub mod naming;
pub mod phrased;
pub mod printing;
pub mod ask;
pub mod ask_user_question;
pub mod in_full;
pub mod listing;
pub mod inbox;
pub mod picks;
pub mod answer;
pub mod rules;
pub mod stats;
pub mod sessions;
pub mod history;
pub mod transcripts;
pub mod update;
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
pub mod purge;
pub mod open;
pub mod browsers;
pub mod phone;
pub mod notify;
pub mod settings;
pub mod configuration;
pub mod events;
pub mod mcp;
pub mod install;
pub mod setup;
pub mod template;
mod awaited;
pub mod hook;
pub mod route;
pub mod stage;
pub mod demo;

#[cfg(test)]
mod tables;

use std::ffi::OsString;

use self::args::{Args, Color, Verb};
use self::exit::Exit;
use self::output::language;
use self::report::Report;
pub use askuser_config::duration;
use askuser_system::environment::Environment;

/// Runs `askuser` with these words, its own name first, and returns the exit code.
pub fn start(words: impl Iterator<Item = OsString>, environment: &Environment) -> Exit {
    let words: Vec<OsString> = words.collect();
    if completing::answers(&words, environment) {
        return Exit::Answered;
    }
    match help::parsed(&words, language(environment)) {
        Ok(args) => run(&args, &coloured(args.color, environment.clone())),
        Err(told) => help::misread(&told, &coloured(Color::said(&words), environment.clone())),
    }
}

/// Does what the arguments say and returns the exit code.
fn run(args: &Args, environment: &Environment) -> Exit {
    let done = match &args.verb {
        Some(said) => verb(said, environment),
        None => help::start::run(environment),
    };
    match done {
        Ok(exit) => exit,
        Err(report) => {
            report.print(environment);
            report.exit
        }
    }
}

/// What the flag says holds for everything that looks at the environment.
fn coloured(color: Color, environment: Environment) -> Environment {
    match color {
        Color::Auto => environment,
        Color::Always => environment.with("CLICOLOR_FORCE", "1", "NO_COLOR"),
        Color::Never => environment.with("NO_COLOR", "1", "CLICOLOR_FORCE"),
    }
}

fn verb(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
    match verb {
        Verb::Ask(args) => ask::run(args, environment),
        Verb::Confirm(args) => ask::confirm(args, environment),
        Verb::Choose(args) => ask::choose(args, environment),
        Verb::Input(args) => ask::input(args, environment),
        Verb::Wait { ask, patience, reply, prints } => {
            listing::wait(ask.as_deref(), patience.as_deref(), reply.as_deref(), *prints, environment)
        }
        Verb::Withdraw { ask, form } => listing::withdraw(ask.as_deref(), *form, environment),
        Verb::Inbox { insists } => inbox::run(*insists, environment),
        Verb::List(args) => listing::list(args, environment),
        Verb::Show { ask, form, insists } => listing::show(ask.as_deref(), *form, *insists, environment),
        Verb::Answer(args) => answer::run(args, environment),
        Verb::Rules { what } => rules::run(what, environment),
        Verb::Stats { form, insists } => stats::run(*form, *insists, environment),
        Verb::Cancel { ask, reason, form, insists } => {
            listing::cancel(ask.as_deref(), reason.as_deref(), *form, *insists, environment)
        }
        Verb::Sessions { end, form, insists } => sessions::run(end.as_deref(), *form, *insists, environment),
        Verb::History { session, export, import, projects, form, insists } => match (session, import) {
            (_, Some(file)) => transcripts::import(file, *form, *insists, environment),
            (Some(session), None) => match session.strip_prefix(transcripts::PREFIX) {
                Some(name) => transcripts::history(name, *export, *insists, environment),
                None => history::of_session(session, *export, *form, *insists, environment),
            },
            (None, None) if *projects => transcripts::projects(*form, *insists, environment),
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
        Verb::Reload { form, insists } => configuration::reload(*form, *insists, environment),
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
            phone::open(tls_listen.as_deref().or(lan), *form, *insists, environment)
        }
        Verb::Open { print, form, insists, .. } => open::open(*print, *form, *insists, environment),
        Verb::Browsers(args) => browsers::run(args, environment),
        Verb::User { what } => access::user(what, environment),
        Verb::Key { what } => access::key(what, environment),
        Verb::Audit(args) => audit::audit(args, environment),
        Verb::Purge(args) => purge::run(args, environment),
        Verb::Notify { what } => notify::run(what, environment),
        Verb::Config(args) => settings::run(args, environment),
        Verb::Events { who, insists } => events::run(*who, *insists, environment),
        Verb::Mcp => mcp::run(environment),
        Verb::Route { line } => route::run(line),
        Verb::Demo { plain } => demo::run(*plain, environment),
        Verb::Help { what } => help::run(what, environment),
        Verb::Man { folder } => help::man::run(folder, environment),
        Verb::Completions { shell } => ask::finish(completing::script(*shell).trim_end(), Exit::Answered),
    }
}
