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

use askuser_ask::exit::Exit;
use askuser_ask::report::Report;
use askuser_system::environment::Environment;

/// Makes the command line of the commands: what may be said is in the file of each, and so is what it does.
macro_rules! commands {
    ($($verb:ident: $file:ident::$args:ident,)*) => {
        /// What is to be done.
        #[derive(Debug, clap::Subcommand)]
        pub enum Verb {
            $($verb(Box<$file::$args>),)*
        }

        /// Does what the command line says.
        pub fn run(verb: &Verb, environment: &Environment) -> Result<Exit, Report> {
            match verb {
                $(Verb::$verb(args) => $file::run(args, environment),)*
            }
        }
    };
}

commands! {
    Ask: ask::Ask,
    Confirm: confirm::Confirm,
    Choose: choose::Choose,
    Input: input::Input,
    Wait: wait::WaitArgs,
    Withdraw: withdraw::WithdrawArgs,
    Inbox: inbox::InboxArgs,
    List: list::List,
    Show: show::ShowArgs,
    Answer: answer::Answer,
    Rules: rules::RulesArgs,
    Stats: stats::StatsArgs,
    Cancel: cancel::CancelArgs,
    Sessions: sessions::SessionsArgs,
    History: history::HistoryArgs,
    Restore: restore::Restore,
    Run: run::Run,
    Tasks: tasks::TasksArgs,
    Task: task::TaskArgs,
    Serve: serve::Serve,
    Migrate: migrate::Migrate,
    Backup: backup::Backup,
    Service: service::SupervisorArgs,
    Status: status::StatusArgs,
    Update: update::UpdateArgs,
    Reload: reload::ReloadArgs,
    Stop: stop::StopArgs,
    Doctor: doctor::DoctorArgs,
    Hook: hook::HookArgs,
    Template: template::TemplateArgs,
    Setup: setup::Setup,
    Install: install::Install,
    Uninstall: uninstall::Uninstall,
    Agents: agents::AgentsArgs,
    Open: open::OpenArgs,
    Browsers: browsers::Browsers,
    User: user::UserArgs,
    Key: key::KeyArgs,
    Audit: audit::Audit,
    Purge: purge::Purge,
    Notify: notify::NotifyArgs,
    Config: config::Config,
    Events: events::EventsArgs,
    Mcp: mcp::McpArgs,
    Route: route::RouteArgs,
    Demo: demo::DemoArgs,
    Completions: completions::CompletionsArgs,
    Help: help::HelpArgs,
    Man: man::ManArgs,
}

/// The groups, in the order in which one meets them, with their commands.
pub const GROUPS: [(&str, &[&str]); 7] = [
    ("Ask", &["ask", "confirm", "choose", "input", "wait", "withdraw", "template", "demo"]),
    ("Answer", &["inbox", "list", "show", "answer", "cancel", "rules", "open"]),
    ("Look back", &["history", "sessions", "restore", "stats", "audit"]),
    ("Agents", &["setup", "install", "uninstall", "agents", "mcp", "hook", "events", "route"]),
    ("Run", &["run", "tasks", "task"]),
    ("Server", &["status", "doctor", "config", "reload", "stop", "serve", "service", "notify"]),
    (
        "Administration",
        &["user", "key", "browsers", "backup", "purge", "migrate", "update", "completions", "help"],
    ),
];
