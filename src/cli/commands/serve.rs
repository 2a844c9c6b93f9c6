//! `askuser serve`: the server, in the foreground or behind the first command.

use askuser_words::both;

use super::config;
use super::open;
use super::setup::flow;
use crate::cli::args::Serve;
use crate::daemon::error::StartError;
use crate::daemon::{self, Options};
use askuser_ask::connect::{self};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_config::Sources;
use askuser_system::environment::Environment;

/// `askuser serve`
pub fn run(args: &Serve, environment: &Environment) -> Result<Exit, Report> {
    // The link signs a person in, so it is for people; before anything is made.
    let page =
        args.open.then(|| connect::not_by_an_agent(environment, args.insists.as_person)).transpose()?;
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
