//! `askuser user`: who may do what.

use askuser_words::commands::{Access, Titles};
use serde::Serialize;

use crate::cli::args::{Form, Insists};
use crate::cli::completion;
use crate::cli::fields::json;
use crate::cli::lookup::{self, Noun};
use askuser_api::access::{AddUser, DisableUser, ListUsers, NewUser, User, Users};
use askuser_ask::connect::{self, block_on, done};
use askuser_ask::exit::Exit;
use askuser_ask::output::Screen;
use askuser_ask::output::paint::Role;
use askuser_ask::output::table::{Cell, Column, table};
use askuser_ask::report::Report;
use askuser_client::ids::Thing;
use askuser_core::command::KeyRole;
use askuser_system::environment::Environment;

/// Manage users: add, list, disable
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser user add ann")]
pub struct UserArgs {
    /// What to do
    #[command(subcommand)]
    pub what: UserVerb,
}

/// What to do about users.
#[derive(Debug, clap::Subcommand)]
pub enum UserVerb {
    /// Add a user
    #[command(after_help = "askuser user add ann")]
    Add {
        /// The user's name
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List users
    #[command(after_help = "askuser user list")]
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Disable a user and all their keys and browsers
    #[command(after_help = "askuser user disable ann")]
    Disable {
        /// The user's name
        #[arg(add = completion::users())]
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

const USERS: [Column; 3] =
    [Column::new(Titles::user), Column::new(Titles::since).minor(1), Column::new(Titles::disabled)];

pub(super) fn users(told: &Users, screen: &Screen) -> String {
    let row = |user: &User| {
        vec![
            user.name.clone().into(),
            since(&user.created_at, screen),
            ended(user.disabled_at.as_deref(), screen),
        ]
    };
    table(screen, &USERS, told.users.iter().map(row).collect())
}

pub(super) fn since(at: &str, screen: &Screen) -> Cell {
    Cell::new(Role::Dim, screen.times.clock_of(at))
}

pub(super) fn ended(at: Option<&str>, screen: &Screen) -> Cell {
    Cell::new(Role::Bad, at.map(|at| screen.times.clock_of(at)).unwrap_or_default())
}

/// Prints what was done; for programs, what the server told of it.
pub(super) fn said(told: &impl Serialize, form: Form, words: String) -> Result<Exit, Report> {
    done(&if form.json { json(told) } else { words })
}

/// `askuser user …`
pub fn run(args: &UserArgs, environment: &Environment) -> Result<Exit, Report> {
    let screen = Screen::of(environment);
    let phrase = Access(screen.language);
    block_on(async {
        match &args.what {
            UserVerb::Add { name, form, insists } => {
                let client = connect::person(environment, *insists).await?;
                let new = NewUser { name: name.clone() };
                let told = client.call::<AddUser>(KeyRole::Admin).body(&new).send().await?;
                said(&told, *form, phrase.user_added(name))
            }
            UserVerb::List { form, insists } => {
                let told = match connect::reader(environment, *insists).await? {
                    Some(client) => client.call::<ListUsers>(KeyRole::Admin).send().await?,
                    None => Users::default(),
                };
                if form.json {
                    return done(&json(&told));
                }
                if told.users.is_empty() {
                    return done(phrase.no_users());
                }
                screen.print(&users(&told, &screen))
            }
            UserVerb::Disable { name, form, insists } => {
                let client = connect::person(environment, *insists).await?;
                let there = client.call::<ListUsers>(KeyRole::Admin).send().await?.users;
                let there: Vec<Thing> = there.into_iter().map(of_user).collect();
                if there.iter().all(|user| user.id != *name) {
                    return Err(lookup::nothing(Noun::User, name, &there, screen.language));
                }
                let told = client.call::<DisableUser>(KeyRole::Admin).at(name).send().await;
                let told = told.map_err(|error| lookup::no_such(error, Noun::User, name, screen.language))?;
                said(&told, *form, phrase.user_disabled(name))
            }
        }
    })
}

/// A user as what may be meant.
fn of_user(user: User) -> Thing {
    let open = user.disabled_at.is_none();
    Thing { id: user.name.clone(), short_id: user.name.clone(), text: user.name, open, ..Thing::default() }
}
