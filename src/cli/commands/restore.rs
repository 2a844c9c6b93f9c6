//! `askuser restore`: goes on from an earlier conversation in a new one.

use askuser_words::commands::History;
use serde_json::Value;

use crate::cli::args::{Form, Insists};
use crate::cli::ask_text;
use crate::cli::completion;
use crate::cli::fields::field;
use crate::cli::lookup::{self, Noun};
use askuser_api::sessions::{self as api, Point};
use askuser_ask::connect::{block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_client::seen::SeenAsk;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Continue an earlier conversation in a new one
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser restore work --round 2")]
pub struct Restore {
    /// The conversation: its id, four characters of it, or the agent's own id [default: pick from a list]
    #[arg(value_name = "CONVERSATION", add = completion::conversations())]
    pub session: Option<String>,
    /// Continue from this version of the checkpoint [default: the latest]
    #[arg(long, value_name = "VERSION", conflicts_with = "round")]
    pub version: Option<u64>,
    /// Continue from this round
    #[arg(long, value_name = "N")]
    pub round: Option<u32>,
    /// The reason, for the record [default: `manual_recovery`]
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// `askuser restore SESSION [--version V] [--round N] [--reason TEXT]`
pub fn run(args: &Restore, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let typed = args.session.as_deref();
        let client = lookup::reader(Noun::Conversation, typed, false, args.insists, environment).await?;
        let found = lookup::one(&client, Noun::Conversation, typed, false, environment).await?;
        let Some(session) = found.as_deref() else { return Ok(Exit::Interrupted) };
        let point = Point {
            checkpoint_version: args.version,
            round: args.round.map(u64::from),
            restore_reason: args.reason.clone(),
        };
        let told = client.call::<api::Restore>(KeyRole::Person).at(session).body(&point).told().await?;
        if args.form.json {
            return done(&told.to_string());
        }
        let said = History(language(environment));
        let waiting = client.inbox_listed().await?;
        // Nothing becomes of a question without its being named.
        let open = |key: &str, what: &str| {
            let ids: Vec<&str> =
                told[key].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let is_one = |seen: &&SeenAsk| ids.contains(&seen.id.to_string().as_str());
            let lines: Vec<String> = waiting
                .iter()
                .filter(is_one)
                .map(|seen| format!("\n  {}  {}", seen.called(), ask_text::headline(seen)))
                .collect();
            if lines.is_empty() { String::new() } else { format!("\n{what}{}", lines.concat()) }
        };
        let moved = open("moved", said.moved());
        let anew = open("asked_anew", said.asked_again());
        let round = field(&told, "checkpoint_round");
        let new = lookup::called(&client, Noun::Conversation, &field(&told, "id")).await;
        let from = lookup::called(&client, Noun::Conversation, &field(&told, "restored_from")).await;
        let restored = said.restored(new, from, round);
        done(&format!("{restored}{moved}{anew}"))
    })
}
