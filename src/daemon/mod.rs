//! Wiring of `askuser serve`: the desk over its store, with its doorways, on a data folder of its
//! own.
//!
//! In order: own the folder, listen, open the store and the desk, mint keys, say where we are,
//! serve until somebody stops us, flush, take back what was said. A failure on the way leaves
//! nothing behind but its words.

pub mod error;
mod folder;
mod permissions;
mod local_socket;
mod storage;
mod first_keys;
mod names;
mod shutdown;
pub mod rules;
mod open_files;
pub mod configured;
mod log;
mod log_file;
mod reload;
mod alerts;
pub mod network;
mod devices;

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;

use askuser_words::Language;
use axum::Router;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use self::devices::Devices;
use self::error::StartError;
use self::folder::{Claim, Owned};
use self::local_socket::SocketFile;
use self::log::Log;
use self::permissions::Exposed;
use self::reload::Reloading;
use askuser_client::home::{Home, Running};
use askuser_config::template::Shelf;
use askuser_config::{FILE as CONFIG, LiveConfig, Loaded, Origin, Sources};
use askuser_desk::Desk;
use askuser_http::{self as http, ServerOptions};
use askuser_notify::Notifier;
use askuser_runner::{Post, Runner};
use askuser_system::environment::Environment;
use askuser_web::{self as web, AgentHere, AgentsHere, Page};

/// How a daemon is started.
#[derive(Debug, Clone)]
pub struct Options {
    /// Its data folder.
    pub home: Home,
    /// Where its configuration stands, for reading it anew.
    pub sources: Sources,
    /// What was read there.
    pub loaded: Loaded,
    /// The database that several daemons share; none: one of its own in the data folder.
    pub database: Option<String>,
    /// Whether nobody watches: then another port will do where the usual one is taken.
    pub background: bool,
    /// Whether it ends with the end of its standard input, and takes its folder away.
    pub with_parent: bool,
    /// Whether keys whose files are missing are made anew.
    pub new_keys: bool,
    /// What of our environment the agents that we run may be given.
    pub environment: Environment,
    /// Looks for the coding agents of this machine, and says where each stands.
    pub agents: fn(Language, &Environment) -> Vec<AgentHere>,
}

/// Runs a daemon until it is stopped; calls back when it has said where it listens.
pub fn serve(options: &Options, listening: impl FnOnce()) -> Result<(), StartError> {
    if options.background {
        // Away from the terminal and the job of whoever happened to need us. It fails only where
        // we are that already.
        let _leader = rustix::process::setsid();
    }
    let exposed = permissions::look(&options.home);
    // The folder is the owner's alone before anything lies in it.
    folder::make(options.home.folder())
        .map_err(|source| folder::not_writable(options.home.folder(), source))?;
    let log = Log::start(&options.loaded.config.log, &options.home, options.background)
        .map_err(|source| folder::not_writable(&options.home.log(), source))?;
    open_files::take_all();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(run(options, &exposed, log, listening));
    if let Err(error) = &served {
        // Whoever watches reads it as the program's last words; a log wants its own line.
        if options.background {
            tracing::error!("Not started: {error}");
        }
    }
    served
}

async fn run(
    options: &Options,
    exposed: &[Exposed],
    log: Log,
    listening: impl FnOnce(),
) -> Result<(), StartError> {
    let config = &options.loaded.config;
    let owned = Owned::take(&options.home)?;
    let (listener, twin, address) = listen(options).await?;
    let devices = Devices::open(options).await?;
    let desk = open_desk(options, exposed).await?;
    let stop = stop_signal(options)?;
    // Before anybody is told that it runs: a hang-up that nobody listens for would end it.
    let hangups = signal(SignalKind::hangup())?;
    let page_host = Some(names::page_host(&options.home)?);
    // Taken away before the folder is given up.
    let (local, socket) = local_socket::open(&options.home, &options.environment).unzip();
    let words = say_where(&owned, address, socket.as_ref(), options).inspect(|_| listening())?;
    let reach = devices.reach.clone();
    let (listeners, network) = devices.let_in(listener, twin, &stop);
    let templates = shelf(options);
    let watch = alerts::watch(&desk, config, &options.home);
    let notifier = configured::notify(config, &options.home, &options.environment);
    let notifier = Arc::new(Notifier::start(&desk, notifier));
    let (rates, changed) = watch::channel(configured::rates(config));
    let reloading = Reloading {
        live: LiveConfig::new(options.sources.clone(), options.loaded.clone()),
        desk: desk.clone(),
        rates,
        templates: Arc::clone(&templates),
        log,
        watch: Arc::clone(&watch),
        home: options.home.clone(),
        network,
        notifier: Arc::clone(&notifier),
    };
    let settings = reloading.start(hangups, stop.clone());
    let runner = open_runner(&desk, options).await?;
    let doorway = ServerOptions {
        runner: Some(runner.clone()),
        templates: Some(templates),
        page: Some(page(&desk, options, &runner)),
        page_host,
        language: options.environment.get("ASKUSER_LANG").map(Language::named).unwrap_or_default(),
        hosts: devices::hosts(config),
        https_hosts: devices::https_hosts(config),
        reach,
        rates: configured::rates(config),
        changed: Some(changed),
        settings: Some(settings),
        bounds: configured::bounds(config),
        mcp: configured::mcp(config),
        mcp_sessions: Some(options.home.mcp_sessions()),
        watch,
        ..ServerOptions::new(desk.clone())
    };
    let served = http::serve_at(listeners, local, doorway, stop).await;
    info!("Stopping");
    // Before the desk: how each task stands is noted there.
    runner.close().await;
    notifier.close().await;
    let closed = desk.close().await;
    owned.say_nothing(&words)?;
    // Whoever made it is gone; what cannot be removed is left to the system.
    let _removed = options.with_parent.then(|| std::fs::remove_dir_all(options.home.folder()));
    served?;
    closed?;
    info!("Stopped");
    Ok(())
}

/// Opens the desk, and notes what changed in the configuration since the last run: before anything of it
/// does something.
async fn open_desk(options: &Options, exposed: &[Exposed]) -> Result<Desk, StartError> {
    let config = &options.loaded.config;
    let desk = storage::desk(&options.home, options.database.as_deref(), config).await?;
    let server = names::of(&options.home)?.to_string();
    desk.configure(|settings| settings.server = server);
    desk.note_file(CONFIG, options.loaded.digest).await?;
    configured::apply(&desk, config);
    rules::set(&desk, &options.home).await;
    first_keys::mint(&desk, &options.home, options.new_keys).await?;
    permissions::record(&desk, exposed).await;
    Ok(desk)
}

/// Says in the folder, on standard output and in the log where we are found, for as long as the words
/// are kept.
fn say_where(
    owned: &Owned,
    address: SocketAddr,
    socket: Option<&SocketFile>,
    options: &Options,
) -> Result<Claim, StartError> {
    let running = Running { socket: socket.map(SocketFile::path), ..running(address, options) };
    let words = owned.say(&running)?;
    announce(&running);
    info!(url = %running.url, version = %running.version, "Listening on {}", running.url);
    Ok(words)
}

/// What stops us: a signal, or the end of whoever started us.
fn stop_signal(options: &Options) -> Result<CancellationToken, StartError> {
    let stop = shutdown::on_signal()?;
    if options.with_parent {
        shutdown::on_end_of_input(stop.clone());
    }
    Ok(stop)
}

fn shelf(options: &Options) -> Arc<Shelf> {
    let templates = Arc::new(Shelf::new(Vec::new(), Some(options.home.templates())));
    templates.keep_for(configured::templates_kept_for(&options.loaded.config));
    templates
}

async fn open_runner(desk: &Desk, options: &Options) -> Result<Runner, StartError> {
    let agents = configured::agents(&options.loaded.config, &options.environment, &options.home);
    if !agents.is_off() {
        info!(agents = agents.agents.len(), "Agents that can run tasks: {}", agents.agents.len());
    }
    let post = Post { server: names::of(&options.home)?, patience: options.loaded.config.server.gone_after };
    Ok(Runner::open(desk.clone(), post, agents, options.home.tasks()).await?)
}

fn page(desk: &Desk, options: &Options, runner: &Runner) -> Router {
    let transcripts = Some(options.home.transcripts());
    let (look, environment) = (options.agents, options.environment.clone());
    let here = || AgentsHere {
        person: first_keys::local(),
        look: Arc::new(move |language| look(language, &environment)),
    };
    // Where several servers share a database, the machine is an operator's.
    let agents = (!desk.replicas().may_be()).then(here);
    web::router(Page { desk: desk.clone(), transcripts, runner: Some(runner.clone()), agents })
}

/// Listens for this machine's own commands, agents and browsers, and warns where others can come in as well.
async fn listen(options: &Options) -> Result<(TcpListener, Option<TcpListener>, SocketAddr), StartError> {
    let (listener, twin) = bind(options).await?;
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        warn_loudly(address);
    }
    Ok((listener, twin, address))
}

async fn bind(options: &Options) -> Result<(TcpListener, Option<TcpListener>), StartError> {
    let wanted = options.loaded.config.server.listen.as_str();
    let usual = options.loaded.origin("server.listen") == Origin::Default;
    let refused = |address: &str, source| StartError::NoListening { address: address.to_owned(), source };
    match http::listen_with_twin(wanted).await {
        Ok(listeners) => Ok(listeners),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && options.background && usual => {
            let any = "127.0.0.1:0";
            info!("{wanted} is in use; using a free port instead");
            http::listen_with_twin(any).await.map_err(|source| refused(any, source))
        }
        Err(source) => Err(refused(wanted, source)),
    }
}

/// What we say of ourselves: the address for this machine, which is plain.
fn running(address: SocketAddr, options: &Options) -> Running {
    // With anything that somebody said on the command line it is theirs, and not to be had again without.
    let is_told = !options.sources.flags.is_empty()
        || options.sources.named.is_some()
        || options.database.is_some()
        || options.with_parent;
    Running {
        url: format!("http://{address}"),
        socket: None,
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        by_itself: options.background && !is_told,
    }
}

/// The first line of standard output, for whoever started us and waits for it.
fn announce(running: &Running) {
    let line = format!("askuser listening on {}\n", running.url);
    let mut stdout = io::stdout().lock();
    // Whoever closed standard output does not want to know.
    let _told = stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush());
}

fn warn_loudly(address: SocketAddr) {
    warn!(
        "{address} IS REACHABLE FROM OTHER MACHINES: whoever has a key may ask and answer over plain HTTP. \
         Listen on 127.0.0.1, with --lan for a phone (`askuser help phone`), or put a proxy with TLS before it"
    );
}
