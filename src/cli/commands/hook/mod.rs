//! `askuser hook AGENT`: an agent's hook event on standard input, its decision on standard output.
//!
//! Whatever goes wrong, we say so and step aside: the agent's own dialog appears, and nothing hangs.
//! An agent that no longer waits ends its hook, and the card goes: Claude Code does so when its own
//! dialog is dismissed. opencode keeps standard input open while it asks: another event there, or its
//! end, says the same. One that is gone, or gives up without a word, is noticed (`awaited.rs`).

mod liveness;

use std::future::pending;
use std::io::{BufRead, BufReader, Read, Stdin};
use std::path::PathBuf;
use std::pin::pin;
use std::time::Duration;

use askuser_words::commands::setup::Hooks as Words;
use serde_json::Value;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::hook::liveness::Awaited;
use super::install::agent;
use crate::cli::duration;
use askuser_agents::Agent;
use askuser_agents::hook::{self, Action, Dialog, Event, HookAsk, Hooks, Input};
use askuser_ask::connect::{self, block_on};
use askuser_ask::exit::Exit;
use askuser_ask::output::language;
use askuser_ask::report::Report;
use askuser_ask::report::finish;
use askuser_client::steady::Patience;
use askuser_client::{Client, HookCall};
use askuser_desk::Ids;
use askuser_system::environment::Environment;

/// More than this no event has.
const EVENT_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// How long one request waits before it is sent again.
const IN_ONE_GO: Duration = Duration::from_secs(50);
/// How long the desk may be away before we step aside.
const AWAY_MAX: Patience = Patience::Away(Duration::from_secs(30));
/// How long an answer that the agent has waits to be acknowledged.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_secs(3);
/// How long an ask that was on its way may take to be gone, before it is taken back again.
const PAUSE: Duration = Duration::from_millis(200);

/// Handle a hook event (run by the agent)
#[derive(Debug, clap::Args)]
#[command(after_help = "askuser hook claude-code")]
pub struct HookArgs {
    /// The coding agent
    #[arg(value_parser = agent(|agent| agent.hooks.is_some()))]
    pub agent: &'static Agent,
    /// The data folder [default: `ASKUSER_HOME`, else the system's usual place]
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Wait this long for an answer, e.g. 10m; then `claude -p` stops to be resumed later, and other agents
    /// ask in their own dialog [default: nearly a day]
    #[arg(long, value_name = "TIME")]
    pub patience: Option<String>,
}

/// Reads the event, does what it asks, prints the decision.
pub fn run(args: &HookArgs, environment: &Environment) -> Result<Exit, Report> {
    let agent = args.agent;
    let Some(hooks) = &agent.hooks else { return Ok(Exit::Answered) };
    if hooks.driver.is_some() && hooks.driver == environment.driver() {
        // It runs for a task: the runner is asked by the agent itself, and once is enough.
        return Ok(Exit::Answered);
    }
    let patience = args.patience.as_deref().map(duration::parse).transpose()?;
    let patience = patience.unwrap_or(hooks.patience);
    let mut said = match decide(agent, hooks, args, patience, environment) {
        Ok(said) => said,
        Err(why) => hook::aside_because(why.said(language(environment)), language(environment)),
    };
    // Nothing said is stepping aside, in every agent's words.
    if said == hook::aside() {
        return Ok(Exit::Answered);
    }
    let told = said.as_object_mut().and_then(|said| said.remove(hook::TOLD));
    let exit = finish(&said.to_string(), Exit::Answered)?;
    if let Some(Value::Array(asks)) = told {
        acknowledge(&client(agent, args, environment)?, &asks)?;
    }
    Ok(exit)
}

fn client(agent: &Agent, args: &HookArgs, environment: &Environment) -> Result<Client, Report> {
    let home = connect::home(args.data.clone(), environment)?;
    Ok(Client::new(environment, home).by_agent(Some(agent.name)).acknowledging())
}

/// Says that the agent has these outcomes. It goes on when we end, so the end of its next turn does not find them again.
fn acknowledge(client: &Client, asks: &[Value]) -> Result<(), Report> {
    let asks = asks.iter().filter_map(|ask| ask.as_str()?.parse().ok());
    block_on(async {
        for ask in asks {
            let mut steady = client.steady().until(Some(Instant::now() + ACKNOWLEDGED_WITHIN));
            // What cannot be acknowledged is told once more.
            let _acknowledged = steady.call(|| client.acknowledge(ask)).await;
        }
        Ok(())
    })
}

fn decide(
    agent: &'static Agent,
    hooks: &Hooks,
    args: &HookArgs,
    patience: Duration,
    environment: &Environment,
) -> Result<Value, Report> {
    let awaited = Awaited::now();
    let mut input = BufReader::new(std::io::stdin());
    let mut text = String::new();
    let mut limited = (&mut input).take(EVENT_BYTES_MAX);
    let read = match hooks.input {
        Input::Lines => limited.read_line(&mut text),
        Input::Whole => limited.read_to_string(&mut text),
    };
    read.map_err(|error| Report::failure(|said: Words| said.unread_event(&error)))?;
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| Report::failure(|said: Words| said.no_json_event(&error)))?;
    let (attended, entrypoint) = match hooks.dialog {
        Dialog::Told { attended, entrypoint } => (environment.get(attended), environment.get(entrypoint)),
        Dialog::Never | Dialog::Always => (None, None),
    };
    let mode = hooks.dialog.mode(attended, entrypoint);
    let folder = hooks.folder.and_then(|name| environment.get(name));
    let folder = folder.or_else(|| value.get("cwd").and_then(Value::as_str));
    let folder = folder.map(|folder| environment.told(std::path::Path::new(folder)));
    let event = Event::new(agent, mode, folder, &value);
    let awaited = awaited.by(hooks, &value);
    let client = client(agent, args, environment)?;
    let decided = block_on(async {
        Ok(match hook::read(&event) {
            Action::StepAside => Ok(hook::aside()),
            Action::TakeBack(_) => Ok(pass_on(&client, &event).await),
            Action::Ask(asking) => {
                let input = (hooks.input == Input::Lines).then_some(input);
                let given_up = || asking.given_up(language(environment));
                let asked = ask(&client, &event, given_up, patience);
                ask_while_awaited(&client, &event, &asking, asked, (input, awaited)).await
            }
            Action::Collect => collect_while_awaited(&client, &event, patience, awaited).await,
        })
    });
    decided.and_then(|said| said)
}

/// Tells the desk what happened, where one is running. Nobody waits for it: a card that cannot be
/// taken back now is taken back with the end of the turn.
async fn pass_on(client: &Client, event: &Event) -> Value {
    if client.url().is_ok() {
        // See above.
        let _told = client.hook(&call(event, None, event.short(), Duration::ZERO)).await;
    }
    hook::aside()
}

/// Asks for as long as the agent waits; then the ask is taken back.
async fn ask_while_awaited(
    client: &Client,
    event: &Event,
    asking: &HookAsk,
    asked: impl Future<Output = Result<Value, Report>>,
    (input, awaited): (Option<BufReader<Stdin>>, Awaited),
) -> Result<Value, Report> {
    let mut asked = pin!(asked);
    let left = tokio::select! {
        said = &mut asked => return said,
        left = next_event(event, input) => left,
        () = told_to_end(), if !asking.stays() => event.gone(),
        // The run is resumed later and finds its ask; the desk sees that nobody waits for it now.
        () = awaited.no_longer() => if asking.stays() { return Ok(hook::aside()) } else { event.gone() },
    };
    // The ask may still be on its way to the desk: it is taken back until it is gone.
    loop {
        let said = pass_on(client, &left).await;
        if timeout(PAUSE, &mut asked).await.is_ok() {
            return Ok(said);
        }
    }
}

/// Waits for what was asked in passing, where a desk is running. An agent that does not wait any more is
/// noticed by the desk, which takes back what nobody waits for.
async fn collect_while_awaited(
    client: &Client,
    event: &Event,
    patience: Duration,
    awaited: Awaited,
) -> Result<Value, Report> {
    if client.url().is_err() {
        return Ok(hook::aside());
    }
    tokio::select! {
        said = ask(client, event, || (hook::aside(), false), patience) => said,
        () = told_to_end() => Ok(hook::aside()),
        () = awaited.no_longer() => Ok(hook::aside()),
    }
}

/// Waits until the agent ends us. It lets a little time pass before it kills us.
async fn told_to_end() {
    match signal(SignalKind::terminate()) {
        Ok(mut signals) => drop(signals.recv().await),
        // Then the card goes with the next event.
        Err(_) => pending().await,
    }
}

/// Waits for the next event on standard input, where there may be one; its end is an event too.
async fn next_event(asked: &Event, input: Option<BufReader<Stdin>>) -> Event {
    let Some(mut input) = input else { return pending().await };
    let (found, next) = oneshot::channel();
    // A thread of its own: reading cannot be given up, and ends with the program.
    std::thread::spawn(move || {
        let mut text = String::new();
        // What cannot be read has ended.
        let _read = (&mut input).take(EVENT_BYTES_MAX).read_line(&mut text);
        // Nobody hears it where the answer was quicker.
        let _told = found.send(text);
    });
    let text = next.await.unwrap_or_default();
    match serde_json::from_str(&text) {
        Ok(value) => Event::new(asked.agent, asked.mode, asked.folder.clone(), &value),
        Err(_) => asked.gone(),
    }
}

fn call(event: &Event, key: Option<String>, value: Value, wait: Duration) -> HookCall {
    HookCall {
        agent: event.agent.name.to_owned(),
        mode: event.mode.name(),
        folder: event.folder.clone(),
        idempotency_key: key,
        event: value,
        wait,
    }
}

/// Asks, and comes back by the same event whatever happens to the desk in between.
async fn ask(
    client: &Client,
    event: &Event,
    given_up: impl Fn() -> (Value, bool),
    patience: Duration,
) -> Result<Value, Report> {
    let until = Instant::now() + patience;
    let key = format!("hook {:032x}", Ids::default().next(askuser_system::clock::now()));
    let mut open: Option<String> = None;
    let mut steady = client.steady().finding_or_starting(&|_| {}).patience(AWAY_MAX).until(Some(until));
    loop {
        let left = || until.saturating_duration_since(Instant::now());
        if left().is_zero() {
            let (said, takes_back) = given_up();
            if let (true, Some(Ok(ask))) = (takes_back, open.as_deref().map(str::parse)) {
                // Where somebody was quicker, it has ended already.
                let _taken = client.withdraw(ask).await;
            }
            return Ok(said);
        }
        let sending = || {
            let call = call(event, Some(key.clone()), event.value.clone(), left().min(IN_ONE_GO));
            async move { client.hook(&call).await }
        };
        match steady.call(sending).await {
            Ok(said) if said.get("status").and_then(Value::as_str) == Some("pending") => {
                open = said.get("ask_id").and_then(Value::as_str).map(str::to_owned);
            }
            Ok(said) => return Ok(said),
            // The agent's patience ended first.
            Err(error) if error.may_pass() && left().is_zero() => {}
            Err(error) => return Err(error.into()),
        }
    }
}
