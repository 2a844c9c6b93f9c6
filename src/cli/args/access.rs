//! The part of the command line that is about users and keys.

use clap::{Subcommand, ValueEnum};

use super::super::completion;
use super::{Form, Insists};

/// What to do about users.
#[derive(Debug, Subcommand)]
pub enum UserVerb {
    /// Add a user
    Add {
        /// The user's name
        name: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// List users
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Disable a user and all their keys and browsers
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

/// What to do about keys.
#[derive(Debug, Subcommand)]
pub enum KeyVerb {
    /// Create a key and print it, once
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
    List {
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Replace the key of an agent on this machine
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum KeyPurpose {
    /// Ask, wait, withdraw
    Agent,
    /// Answer, decline
    Person,
    /// Manage users and keys, read the audit log
    Admin,
}

/// The browsers in which you are signed in.
#[derive(Debug, clap::Args)]
pub struct Browsers {
    /// Sign a browser out
    #[arg(long, value_name = "BROWSER", conflicts_with = "rename", add = completion::browsers())]
    pub sign_out: Option<String>,
    /// Rename a browser
    #[arg(long, value_names = ["BROWSER", "NAME"], num_args = 2)]
    pub rename: Option<Vec<String>>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}
