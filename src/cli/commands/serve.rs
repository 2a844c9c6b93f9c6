//! `askuser serve`: the server, in the foreground or behind the first command.

use std::path::PathBuf;

use askuser_words::both;

use super::config;
use super::open;
use super::setup::flow;
use crate::cli::args::Insists;
use crate::daemon::error::StartError;
use crate::daemon::{self, Options};
use askuser_ask::connect::{self};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_config::Sources;
use askuser_system::environment::Environment;

/// Run the askuser server in the foreground
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser serve
askuser serve --lan --open")]
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

/// `askuser serve`
pub fn run(args: &Serve, environment: &Environment) -> Result<Exit, Report> {
    // The link signs a person in, so it is for people; before anything is made.
    let page = args.open.then(|| connect::not_by_an_agent(environment, args.insists)).transpose()?;
    let home = connect::home(args.data.clone(), environment)?;
    let mut flags = config::flags(&args.set, language(environment))?;
    let lan = args.lan.then(|| "lan".to_owned());
    let given = [
        ("server.listen", args.listen.clone()),
        ("server.tls_listen", args.tls_listen.clone().or(lan)),
        ("server.tls_certificate", args.tls_certificate.clone()),
        ("server.tls_key", args.tls_key.clone()),
    ];
    flags.extend(given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let sources = Sources {
        usual: Some(home.config()),
        named: args.config.clone(),
        flags,
        // One in the background is started by whoever comes first: the variables of that one, perhaps an
        // agent, are not the operator's word.
        environment: if args.background { Environment::default() } else { environment.clone() },
    };
    let options = Options {
        home,
        loaded: config::read(&sources, language(environment))?,
        sources,
        // As above; and a password may stand in it, so it is no key of the configuration, which is shown.
        database: args
            .database
            .clone()
            .or_else(|| environment.get("ASKUSER_DATABASE").filter(|_| !args.background).map(str::to_owned)),
        environment: environment.clone(),
        background: args.background,
        with_parent: args.with_parent,
        new_keys: args.new_keys,
        agents: flow::agents_here,
    };
    daemon::serve(&options, || {
        if let Some(mark) = page {
            open::beside(&options.home, mark, environment);
        }
    })?;
    Ok(Exit::Answered)
}

impl From<StartError> for Report {
    fn from(error: StartError) -> Self {
        Self::of(Exit::Failed, both(|language| error.said(language))).and_do(error.hint())
    }
}
