//! Asking at the desk: the question is durable there, and answered wherever the person is.

use std::time::Duration;

use askuser_core::asker::Terms;
use askuser_core::id::AskId;
use askuser_core::outcome::Outcome;
use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep};

use super::connect::say;
use super::exit::Exit;
use super::person::Way;
use super::report::Report;
use super::seat::{Sat, Seat};
use crate::channel::terminal::{Language, Round};
use crate::client::error::ClientError;
use crate::client::find_or_start::find_or_start;
use crate::client::keys::KeyFor;
use crate::client::seen::SeenAsk;
use crate::client::waiting::{Meanwhile, Waited};
use crate::client::{Client, NewAsk, Whereabouts};
use crate::clock;
use crate::desk::Ids;
use crate::doorway::shell::{self, Call};
use crate::environment::Environment;
use crate::wire::{Dialect, outcome};

/// How often an ask is tried where the desk goes away under it.
const N_TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(200);

/// What is asked, and how long this caller waits.
pub struct Wanted<'a> {
    /// The ask as it goes to the desk.
    pub new: NewAsk,
    /// The dialect of the reply.
    pub reply: Dialect,
    /// How long this caller waits; for ever where nothing is said.
    pub patience: Option<Duration>,
    /// Which round it is, where the caller knows.
    pub round: Option<Round>,
    /// Which rounds say something: those of a session that the asker named, or announced.
    pub rounds: Rounds,
    /// What is around.
    pub environment: &'a Environment,
}

/// Whether the number of a round tells the person anything.
#[derive(Debug, Clone, Copy)]
pub enum Rounds {
    /// A single ask: its number in a session that was made for it says nothing.
    Untold,
    /// A conversation, of so many rounds where the asker announced them.
    Told(Option<u32>),
}

impl Rounds {
    /// Reads it off the terms of an ask.
    pub fn of(terms: &Terms) -> Self {
        let named = terms.session.is_some() || terms.total_rounds.is_some();
        if named { Self::Told(terms.total_rounds) } else { Self::Untold }
    }

    fn round(self, number: u32) -> Option<Round> {
        match self {
            Self::Untold => None,
            Self::Told(total) => Some(Round { number, total }),
        }
    }
}

/// How asking ended for this caller.
pub struct Finished {
    /// What standard output carries.
    pub text: String,
    /// The code.
    pub exit: Exit,
    /// How the ask ended, if it has.
    pub outcome: Option<Outcome>,
    ask: AskId,
    client: Client,
}

impl Finished {
    /// Tells the desk that the outcome arrived. It has; whether that is noted changes nothing.
    pub async fn acknowledge(&self) {
        if self.outcome.is_some() {
            let _noted = self.client.acknowledge(self.ask).await;
        }
    }
}

/// Makes what goes to the desk of what the caller gave: the questions as they are, with what the
/// command line and the surroundings say of the terms.
pub fn new_ask(text: &str, dialect: Dialect, call: &Call, environment: &Environment) -> NewAsk {
    // It was read before, so it is JSON.
    let mut questions: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(fields) = questions.as_object_mut() {
        let mut put = |key: &str, value: Value| fields.insert(key.to_owned(), value);
        if let Some(timeout) = call.terms.timeout {
            put("timeoutMs", json!(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)));
        }
        if let Some(policy) = call.terms.policy {
            put("timeoutPolicy", policy.name().into());
        }
        if let Some(session) = call.terms.session.as_deref().or(environment.session()) {
            put("session_id", session.into());
        }
        let known = &call.terms.asker;
        let folder = environment.folder();
        let project = folder.as_ref().and_then(|folder| folder.file_name()?.to_str().map(str::to_owned));
        put(
            "asker",
            json!({
                "agent": known.agent.as_deref().or(environment.agent()),
                "project": known.project.clone().or(project),
                "folder": known.folder.clone().or(folder.map(|folder| environment.told(&folder))),
            }),
        );
    }
    NewAsk {
        questions,
        dialect: Some(dialect.name().to_owned()),
        reply: Some(call.reply.name().to_owned()),
        idempotency_key: call.terms.idempotency_key.clone().or_else(|| Some(own_key())),
        conversation: environment.conversation().map(str::to_owned),
    }
}

/// Asks at the desk, and in the terminal too where there is one, and waits.
pub async fn ask(client: Client, way: Option<Way>, wanted: &Wanted<'_>) -> Result<Finished, Report> {
    let until = wanted.patience.and_then(|patience| Instant::now().checked_add(patience));
    let seen = put(&client, &wanted.new).await?;
    let (id, reply) = (seen.id, wanted.new.reply.clone());
    if !seen.is_open() {
        return Ok(finished(client, wanted.reply, &seen));
    }
    let way = answerable(&client, id, way).await;
    let is_elsewhere = way.is_none();
    if let Some(way) = way {
        let round = wanted.round.or_else(|| wanted.rounds.round(seen.round));
        let seat = Seat {
            client: &client,
            ask: id,
            waits_as: KeyFor::Agent,
            reply: reply.clone(),
            until,
            round,
            environment: wanted.environment,
        };
        match seat.sit(way).await? {
            Sat::Closed(seen) => return Ok(finished(client, wanted.reply, &seen)),
            Sat::LeftOpen => return Ok(still_open(client, id)),
            Sat::Interrupted => return Ok(interrupted(client, id)),
            // The terminal is gone, the caller is not: the desk has the question.
            // An ask for several people is not asked here, but nothing would be lost if it were.
            Sat::Gone | Sat::Counted(_) | Sat::NotTaken => {}
        }
    }
    // Before anybody is told that this waits: whoever reads it may end it at once.
    let break_off = BreakOff::listen()?;
    if is_elsewhere {
        let url = client.url().unwrap_or_default();
        let left = time_left(&seen, wanted.environment);
        let whose = seen
            .progress
            .as_ref()
            .map(|progress| format!(", {}", progress.line(language(wanted.environment).into())));
        say(&format!("waiting for an answer at {url} ({id}{left}{})", whose.unwrap_or_default()));
    }
    wait_or_break_off(client, id, reply, until, Some(wanted.reply), break_off).await
}

/// Returns the way to the person, unless this terminal has no key that the desk takes a person's
/// answer from: then the desk alone is left.
async fn answerable(client: &Client, id: AskId, way: Option<Way>) -> Option<Way> {
    let way = way?;
    match client.get(KeyFor::Person, id, None, Duration::ZERO).await {
        Err(error) if !error.may_pass() => {
            say(&format!("it cannot be answered in this terminal: {error}"));
            None
        }
        Ok(_) | Err(_) => Some(way),
    }
}

/// Waits for an ask by its id, as a caller without a terminal does.
pub async fn wait(
    client: Client,
    id: AskId,
    reply: Option<String>,
    until: Option<Instant>,
    dialect: Option<Dialect>,
) -> Result<Finished, Report> {
    wait_or_break_off(client, id, reply, until, dialect, BreakOff::listen()?).await
}

async fn wait_or_break_off(
    client: Client,
    id: AskId,
    reply: Option<String>,
    until: Option<Instant>,
    dialect: Option<Dialect>,
    mut break_off: BreakOff,
) -> Result<Finished, Report> {
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let tell = |meanwhile| match meanwhile {
        Meanwhile::Away => {
            say(&format!("the desk is away; {id} stays open, and this waits for it to come back"));
        }
        Meanwhile::Back => say("the desk is back"),
    };
    let waited = tokio::select! {
        waited = client.wait(KeyFor::Agent, id, reply.as_deref(), left, tell) => waited?,
        () = break_off.wanted() => return Ok(interrupted(client, id)),
    };
    Ok(match waited {
        Waited::Closed(seen) => finished(client, dialect.unwrap_or(Dialect::Command), &seen),
        Waited::StillOpen => still_open(client, id),
    })
}

/// Hears that the caller is to end.
struct BreakOff {
    interrupt: Signal,
    terminate: Signal,
}

impl BreakOff {
    fn listen() -> Result<Self, Report> {
        let deaf = |_| Report::failed("signals cannot be heard", None);
        let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
        Ok(Self { interrupt: interrupt.map_err(deaf)?, terminate: terminate.map_err(deaf)? })
    }

    async fn wanted(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// A key of this call alone: sent again, it is the same ask, also where that was answered meanwhile.
fn own_key() -> String {
    format!("cli-{:032x}", Ids::default().next(clock::now()))
}

/// Puts the ask on the desk, whose daemon is found or started; again where it goes away under it:
/// by its key a repeated ask joins the first.
async fn put(client: &Client, new: &NewAsk) -> Result<SeenAsk, Report> {
    let mut n_tries = 0;
    loop {
        if let Whereabouts::Folder(home) = client.whereabouts() {
            find_or_start(home, |told| say(&super::connect::words(&told))).await?;
        }
        match client.ask(new).await {
            Ok(seen) => return Ok(seen),
            Err(error) if error.may_pass() && n_tries < N_TRIES => {
                n_tries += 1;
                sleep(error.retry_after().unwrap_or(PAUSE).min(Duration::from_secs(5))).await;
            }
            Err(ClientError::NotRunning) => return Err(ClientError::NotRunning.into()),
            Err(error) => return Err(error.into()),
        }
    }
}

fn finished(client: Client, dialect: Dialect, seen: &SeenAsk) -> Finished {
    let Some(ended) = &seen.outcome else { return still_open(client, seen.id) };
    let text = shell::write_ended(dialect, seen.reply.as_ref(), ended, seen.id);
    Finished { text, exit: Exit::from(ended), outcome: Some(ended.clone()), ask: seen.id, client }
}

fn still_open(client: Client, ask: AskId) -> Finished {
    say(&format!("still open: `askuser wait {ask}` comes back to it"));
    let text = outcome::still_open(Some(ask)).to_string();
    Finished { text, exit: Exit::StillOpen, outcome: None, ask, client }
}

fn interrupted(client: Client, ask: AskId) -> Finished {
    say(&format!("the question stays open: `askuser wait {ask}` comes back to it"));
    Finished { text: String::new(), exit: Exit::Interrupted, outcome: None, ask, client }
}

fn time_left(seen: &SeenAsk, environment: &Environment) -> String {
    let left = seen.deadline.map(|at| at.since(clock::now()));
    left.map_or_else(String::new, |left| format!(", {}", language(environment).time_left(left)))
}

fn language(environment: &Environment) -> Language {
    Language::from(|name| environment.get(name).map(ToOwned::to_owned))
}
