//! The part of the command line that is about the daemon.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::super::completing;
use super::{Form, Insists};

/// Options of `askuser serve`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Serve {
    /// Where to listen; port 0 takes a free one [default: 127.0.0.1:8275]
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// Let other devices in too, e.g. your phone: listens with TLS on your network, port 8276
    #[arg(long, conflicts_with = "tls_listen")]
    pub lan: bool,
    /// Where to listen with TLS for other devices: HOST:PORT, lan or lan:PORT
    #[arg(long, value_name = "PLACE")]
    pub tls_listen: Option<String>,
    /// The certificate for that, as PEM [default: self-signed]
    #[arg(long, value_name = "FILE")]
    pub tls_certificate: Option<String>,
    /// The certificate's private key, as PEM [default: the same file]
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<String>,
    /// The data folder [default: `ASKUSER_HOME`, else the platform's]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// A PostgreSQL database that several servers share, as `postgres://user@host/askuser`
    /// [default: `ASKUSER_DATABASE`, else SQLite in the data folder]
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// The configuration [default: `ASKUSER_CONFIG`, else config.yaml in the data folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set one key of the configuration, before variables and the file
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    pub set: Vec<String>,
    /// Create missing local keys again
    #[arg(long)]
    pub new_keys: bool,
    /// Open the web page with a one-time login link, as `askuser open` does, once it listens
    #[arg(long, conflicts_with_all = ["background", "with_parent"])]
    pub open: bool,
    #[command(flatten)]
    pub insists: Insists,
    /// Started by a command that needs it: leaves the terminal, takes a free port where the usual
    /// one is taken
    #[arg(long, hide = true)]
    pub background: bool,
    /// Ends with the end of its standard input, and takes its folder away: for the demo
    #[arg(long, hide = true)]
    pub with_parent: bool,
}

/// Options of `askuser config`.
#[derive(Debug, clap::Args)]
pub struct Config {
    /// Look at this file instead of the usual one
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print a configuration with every key, its default and what it is for
    #[arg(long)]
    pub sample: bool,
    /// Also say what each setting is for
    #[arg(long, short)]
    pub verbose: bool,
    #[command(flatten)]
    pub form: Form,
    /// One thing about it
    #[command(subcommand)]
    pub what: Option<ConfigVerb>,
}

/// What to do with the configuration file.
#[derive(Debug, Subcommand)]
pub enum ConfigVerb {
    /// Print where the file is
    Path {
        #[command(flatten)]
        form: Form,
    },
    /// Print the value of one key, e.g. log.level
    Get {
        /// The key: section.name
        #[arg(add = completing::settings())]
        key: String,
        #[command(flatten)]
        form: Form,
    },
    /// Set one key in the file; its comments stay
    Set {
        /// The key: section.name
        #[arg(add = completing::settings())]
        key: String,
        /// The value, e.g. debug, 5m, 3, a,b
        value: String,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
}

/// Moving a desk to PostgreSQL.
#[derive(Debug, clap::Args)]
pub struct Migrate {
    /// The empty database to move to, as `postgres://user@host/askuser`
    #[arg(long, value_name = "URL")]
    pub to: String,
    /// The data folder to move from [default: `ASKUSER_HOME`, else the platform's]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
}

/// Options of `askuser backup`.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// Where to write the copy; the file must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The data folder to copy from [default: `ASKUSER_HOME`, else the platform's]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// What to do about the system's own service.
#[derive(Debug, Subcommand)]
pub enum SupervisorVerb {
    /// Start askuser when you log in, and again whenever it ends
    Install {
        /// Show the file and the commands, and change nothing
        #[arg(long)]
        dry_run: bool,
        /// The data folder [default: `ASKUSER_HOME`, else the platform's]
        #[arg(long, value_name = "DIR")]
        data: Option<PathBuf>,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop it and restore what was there before
    Remove {
        /// Show what would be done, and change nothing
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Say whether it is installed and running
    Status {
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
    },
}

/// Who runs the service.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct SupervisedBy {
    /// Whose service it is [default: this system's]
    #[arg(long, value_name = "WHO", value_enum)]
    pub by: Option<Supervisor>,
}

/// A program that starts others and keeps them running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Supervisor {
    /// The user's own systemd, on Linux
    Systemd,
    /// launchd, on macOS
    Launchd,
}
