//! The part of the command line that is about users and keys.

use clap::{Subcommand, ValueEnum};

use super::super::completing;
use super::{Form, Insists};

/// What to do about users.
#[derive(Debug, Subcommand)]
pub enum UserVerb {
    /// Add a user
    Add {
        /// The name
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List the users
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Disable a user, with all their keys and browsers
    Disable {
        /// The name
        #[arg(add = completing::users())]
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// What to do about keys.
#[derive(Debug, Subcommand)]
pub enum KeyVerb {
    /// Create a key; it is printed once and never again
    Create {
        /// What it is for
        #[arg(long, value_enum)]
        role: KeyRole,
        /// Whose it is
        #[arg(long, default_value = "local")]
        user: String,
        /// What it is called in the list
        #[arg(long, default_value = "made by hand")]
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List the keys, without their secrets
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Replace the key of an agent on this machine
    Renew {
        /// The agent, e.g. claude-code
        #[arg(add = completing::agents_with_keys())]
        agent: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Revoke a key
    Revoke {
        /// The key, by its id or four characters of it [default: you pick one]
        #[arg(add = completing::keys())]
        key: Option<String>,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyRole {
    /// Asks, waits, takes back
    Agent,
    /// Answers, declines
    Person,
    /// Users, keys, audit
    Admin,
}

/// The browsers in which you are signed in.
#[derive(Debug, clap::Args)]
pub struct Browsers {
    /// Sign a browser out
    #[arg(long, value_name = "BROWSER", conflicts_with = "rename", add = completing::browsers())]
    pub sign_out: Option<String>,
    /// Give a browser another name
    #[arg(long, value_names = ["BROWSER", "NAME"], num_args = 2)]
    pub rename: Option<Vec<String>>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
