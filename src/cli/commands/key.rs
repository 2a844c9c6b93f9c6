//! `askuser key`: the keys that programs and people come in with.

use askuser_words::commands::{Access, Titles};
use serde_json::json as object;

use super::user::{ended, said, since};
use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::json;
use crate::cli::lookup::{self, Looked, Noun};
use askuser_agents::by_client;
use askuser_api::access::{self, Key, Keys, ListKeys, MakeKey, NewKey, RevokeKey};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::ids::Thing;
use askuser_client::{Client, Location};
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Manage keys: create, list, renew, revoke
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser key create --role agent --name ci")]
pub struct KeyArgs {
    /// What to do
    #[command(subcommand)]
    pub what: KeyVerb,
}

/// What to do about keys.
#[derive(Debug, clap::Subcommand)]
pub enum KeyVerb {
    /// Create a key and print it, once
    #[command(after_help = "askuser key create --role agent --name ci")]
    Create {
        /// What the key may do
        #[arg(long, value_enum)]
        role: KeyPurpose,
        /// The user it belongs to
        #[arg(long, default_value = "local")]
        user: String,
        /// A name to recognize it by
        #[arg(long, default_value = "made by hand")]
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List keys, without their secrets
    #[command(after_help = "askuser key list")]
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Replace the key of an agent on this machine
    #[command(after_help = "askuser key renew claude-code")]
    Renew {
        /// The agent, e.g. claude-code
        #[arg(add = completion::agents_with_keys())]
        agent: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Revoke a key
    #[command(after_help = "askuser key revoke 89ab")]
    Revoke {
        /// The key's id, or four characters of it [default: pick from a list]
        #[arg(value_name = "KEY_ID", add = completion::keys())]
        key: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum KeyPurpose {
    /// Ask, wait, withdraw
    Agent,
    /// Answer, decline
    Person,
    /// Manage users and keys, read the audit log
    Admin,
}

const KEYS: [Column; 6] = [
    Column::new(Titles::key),
    Column::new(Titles::role),
    Column::new(Titles::user).cut(8).minor(1),
    Column::new(Titles::since).minor(3),
    Column::new(Titles::revoked).minor(2),
    Column::new(Titles::name).cut(8),
];

pub(super) fn keys(told: &Keys, screen: &Screen) -> String {
    let row = |key: &Key| {
        vec![
            Cell::new(Role::Id, key.short_id.clone()),
            key.role.name().into(),
            key.user.clone().into(),
            since(&key.created_at, screen),
            ended(key.revoked_at.as_deref(), screen),
            key.name.clone().into(),
        ]
    };
    table(screen, &KEYS, told.keys.iter().map(row).collect())
}

/// `askuser key …`
pub fn run(args: &KeyArgs, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let phrase = Access(screen.language);
    block_on(async {
        match &args.what {
            KeyVerb::Create { role, user, name, form, insists } => {
                let client = connect::person(environment, *insists).await?;
                let new = NewKey { role: opens(*role), user: Some(user.clone()), name: Some(name.clone()) };
                let told = client.call::<MakeKey>(KeyRole::Admin).body(&new).send().await?;
                connect::say(phrase.shown_once());
                done(&if form.json { json(&told) } else { told.key })
            }
            KeyVerb::List { form, insists } => {
                let told = match connect::reader(environment, *insists).await? {
                    Some(client) => client.call::<ListKeys>(KeyRole::Admin).send().await?,
                    None => Keys::default(),
                };
                if form.json {
                    return done(&json(&told));
                }
                if told.keys.is_empty() {
                    return done(phrase.no_keys());
                }
                screen.print(&keys(&told, &screen))
            }
            KeyVerb::Renew { agent, form, insists } => {
                let Some(known) = by_client(agent).map(|agent| agent.name) else {
                    return Err(
                        Report::input(|said: Access| said.no_own_key(agent)).hint(Access::no_own_key_hint)
                    );
                };
                let client = connect::person(environment, *insists).await?;
                let Location::Folder(home) = client.location() else {
                    return Err(Report::input(Access::own_key_elsewhere).hint(Access::own_key_elsewhere_hint));
                };
                let file = client.renew_own_key(home, known).await?;
                let told = object!({"agent": known, "file": file.display().to_string()});
                said(&told, *form, phrase.key_renewed(known, environment.told(&file)))
            }
            KeyVerb::Revoke { key, form, insists } => {
                let client = connect::person(environment, *insists).await?;
                let Some((called, key)) = &meant(&client, key.as_deref(), environment).await? else {
                    return Ok(Exit::Interrupted);
                };
                let told = client.call::<RevokeKey>(KeyRole::Admin).at(key).send().await;
                let told = told.map_err(|error| lookup::no_such(error, Noun::Key, key, screen.language))?;
                said(&told, *form, phrase.key_revoked(called))
            }
        }
    })
}

/// Returns what a key is called by, and its id: the one that was named, else the one that the person picks of those
/// that are not revoked. None where they leave.
async fn meant(
    client: &Client,
    typed: Option<&str>,
    environment: &Environment,
) -> Result<Option<(String, String)>, Report> {
    let there = client.call::<ListKeys>(KeyRole::Admin).send().await?.keys;
    let there: Vec<Thing> = there.into_iter().map(of_key).collect();
    let id = if let Some(typed) = typed {
        Some(lookup::meant_of(Noun::Key, typed, &there, &Screen::of_stderr(environment))?)
    } else {
        let held = there.iter().filter(|key| key.open).cloned().collect();
        lookup::one_of(Noun::Key, held, Looked::All, environment).await?
    };
    let called = |id: &String| there.iter().find(|key| key.id == *id).map(|key| key.short_id.clone());
    Ok(id.map(|id| (called(&id).unwrap_or_else(|| id.clone()), id)))
}

/// A key as what may be meant.
fn of_key(key: Key) -> Thing {
    let about = format!("{} · {}", key.role.name(), key.user);
    let open = key.revoked_at.is_none();
    Thing { id: key.key_id, short_id: key.short_id, text: key.name, about, open, at: None }
}

fn opens(role: KeyPurpose) -> access::Role {
    match role {
        KeyPurpose::Agent => access::Role::Agent,
        KeyPurpose::Person => access::Role::Person,
        KeyPurpose::Admin => access::Role::Admin,
    }
}
