//! `askuser serve`, `status` and `stop`: the daemon's life.

use askuser_words::commands::{NoServer, Server};
use serde_json::{Value, json};

use super::config;
use super::open;
use super::reload;
use super::setup::flow;
use crate::cli::args::{Form, Insists, Serve};
use crate::cli::connect::{self, block_on, done};
use crate::cli::exit::Exit;
use crate::cli::output::{Screen, language};
use crate::cli::report::{Report, print_outcome};
use crate::cli::told::field;
use crate::daemon::{self, Options};
use askuser_api::operating::{ShowStatus, Stop};
use askuser_client::error::ClientError;
use askuser_client::find_or_start::wait_until_gone;
use askuser_client::keys::KeyFor;
use askuser_client::{Client, Whereabouts};
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

/// `askuser status`: 0 where the daemon is well, 1 where it is not there.
pub fn status(form: Form, environment: &Environment) -> Result<Exit, Report> {
    block_on(async {
        let client = connect::client(environment)?;
        let told = match asked(&client).await {
            Ok(told) => told,
            Err(error @ (ClientError::NotRunning | ClientError::Away { .. })) => {
                if form.json {
                    let away = json!({"running": false, "why": error.to_string()});
                    // The exit code says the rest.
                    let _printed = print_outcome(&away.to_string());
                    return Ok(Exit::Failed);
                }
                return Err(error.into());
            }
            Err(error) => return Err(error.into()),
        };
        let url = client.url().unwrap_or_default();
        if form.json {
            let mut told = told;
            if let Some(fields) = told.as_object_mut() {
                fields.insert("running".to_owned(), true.into());
                fields.insert("url".to_owned(), url.into());
                fields.insert("config".to_owned(), reload::difference(&client).await.into());
            }
            return done(&told.to_string());
        }
        let screen = Screen::of(environment);
        let said = Server(screen.language);
        // Without an admin's key nothing is told of all users together.
        let counted = told.get("open_asks").and_then(Value::as_u64).map(|n_open| {
            let (sessions, facts) = (field(&told, "sessions"), field(&told, "facts"));
            said.waiting(n_open, sessions, facts)
        });
        let since = field(&told, "started_at");
        let (clock, ago) = (screen.times.clock_of(&since), screen.times.relative_of(&since));
        let (version, pid) = (field(&told, "version"), field(&told, "pid"));
        let first = said.running(url, version, pid, clock, ago);
        let newer = reload::difference(&client).await;
        let newer = newer.and_then(|told| reload::notice(&told, screen.language));
        let lines: Vec<String> = std::iter::once(first).chain(counted).chain(newer).collect();
        screen.print(&screen.wrapped(&lines.join("\n")))
    })
}

/// Asks the desk how it is, with whichever key there is; an admin is told most.
pub(super) async fn asked(client: &Client) -> Result<Value, ClientError> {
    let mut last = ClientError::NotRunning;
    client.url()?;
    for role in [KeyFor::Admin, KeyFor::Person, KeyFor::Agent] {
        match client.call::<ShowStatus>(role).told().await {
            Err(error @ ClientError::NoKey { .. }) => last = error,
            other => return other,
        }
    }
    Err(last)
}

/// `askuser stop`
pub fn stop(form: Form, insists: Insists, environment: &Environment) -> Result<Exit, Report> {
    let mark = connect::not_by_an_agent(environment, insists.as_person)?;
    block_on(async {
        let client = connect::client(environment)?.as_person(mark);
        if let Err(error @ ClientError::NotRunning) = client.url() {
            if form.json {
                let away = json!({"stopped": false, "why": error.to_string()});
                return super::ask::finish(&away.to_string(), Exit::Failed);
            }
            return Err(Report::failure(NoServer::not_running));
        }
        let open = asked(&client).await.ok();
        let open = open.and_then(|told| told.get("open_asks").and_then(Value::as_u64)).unwrap_or(0);
        end(&client).await?;
        if form.json {
            return done(&json!({"stopped": true, "open_asks": open}).to_string());
        }
        let said = Server(language(environment));
        match open {
            0 => done(said.stopped()),
            n => done(&said.stopped_open(n)),
        }
    })
}

/// Ends a daemon in good order, and waits until it is gone.
pub(super) async fn end(client: &Client) -> Result<(), Report> {
    client.call::<Stop>(KeyFor::Admin).send().await?;
    if let Whereabouts::Folder(home) = client.whereabouts()
        && !wait_until_gone(home).await?
    {
        return Err(Report::failure(Server::not_stopped)
            .hint(|said: Server| said.not_stopped_hint(home.log().display())));
    }
    Ok(())
}
