//! The part of the command line that is about the daemon.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

use super::super::completion;
use super::{Form, Insists};

/// Options of `askuser serve`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Serve {
    /// Where to listen; port 0 picks a free port [default: 127.0.0.1:8275]
    #[arg(long, value_name = "HOST:PORT")]
    pub listen: Option<String>,
    /// Let other devices in, e.g. your phone: HTTPS on your network, port 8276
    #[arg(long, conflicts_with = "tls_listen")]
    pub lan: bool,
    /// Where to listen with HTTPS for other devices: HOST:PORT, lan or lan:PORT
    #[arg(long, value_name = "ADDRESS")]
    pub tls_listen: Option<String>,
    /// The HTTPS certificate, as PEM [default: self-signed]
    #[arg(long, value_name = "FILE")]
    pub tls_certificate: Option<String>,
    /// The certificate's private key, as PEM [default: the same file]
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<String>,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// A PostgreSQL database to share between servers, e.g. `postgres://user@host/askuser` [default:
    /// `ASKUSER_DATABASE`, else SQLite in the data folder]
    #[arg(long, value_name = "URL")]
    pub database: Option<String>,
    /// The configuration file [default: `ASKUSER_CONFIG`, else config.yaml in the data folder]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Override one setting
    #[arg(long, value_name = "SECTION.KEY=VALUE")]
    pub set: Vec<String>,
    /// Create missing local keys
    #[arg(long)]
    pub new_keys: bool,
    /// Open the inbox in the browser once the server is ready
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
    /// Use this configuration file
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print a sample file with every setting explained
    #[arg(long)]
    pub sample: bool,
    /// Explain each setting
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
    /// Print the path of the file
    Path {
        #[command(flatten)]
        form: Form,
    },
    /// Print one setting, e.g. log.level
    Get {
        /// The setting, as section.name
        #[arg(add = completion::settings())]
        key: String,
        #[command(flatten)]
        form: Form,
    },
    /// Change one setting in the file; comments are kept
    Set {
        /// The setting, as section.name
        #[arg(add = completion::settings())]
        key: String,
        /// The value, e.g. debug, 5m, 3 or a,b
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
    /// The empty database to move to, e.g. `postgres://user@host/askuser`
    #[arg(long, value_name = "URL")]
    pub to: String,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
}

/// Options of `askuser backup`.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// Where to write the backup; the file must not exist yet
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub form: Form,
    #[command(flatten)]
    pub insists: Insists,
}

/// What to do about the system's own service.
#[derive(Debug, Subcommand)]
pub enum SupervisorVerb {
    /// Start askuser at login and restart it when it exits
    Install {
        /// Show what would be done, without doing it
        #[arg(long)]
        dry_run: bool,
        /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
        #[arg(long, value_name = "FOLDER")]
        data: Option<PathBuf>,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Stop the service and remove it
    Remove {
        /// Show what would be done, without doing it
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        by: SupervisedBy,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        insists: Insists,
    },
    /// Show whether the service is installed and running
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
    /// The service manager [default: this system's]
    #[arg(long, value_name = "MANAGER", value_enum)]
    pub by: Option<Supervisor>,
}

/// A program that starts others and keeps them running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Supervisor {
    /// systemd, on Linux
    Systemd,
    /// launchd, on macOS
    Launchd,
}
