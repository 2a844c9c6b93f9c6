//! Asking at the desk: the question is durable there, and answered wherever the person is.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{Asker, Terms};
use askuser_core::decide::Refusal;
use askuser_core::id::AskId;
use askuser_core::outcome::Outcome;
use askuser_core::question::Questions;
use askuser_words::Language;
use askuser_words::prompt::Prompt;
use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::Instant;

use super::connect::{say, words};
use super::exit::Exit;
use super::hints;
use super::in_memory::InMemory;
use super::output::language;
use super::presentation::Presentation;
use super::prompt::{DeskPrompt, Kept, NotKept, Prompted, not_from_here};
use super::report::Report;
use super::surface::{self, NotAsked, Surface, tell_unsaved};
use crate::shell::{self, Call};
use askuser_client::error::ClientError;
use askuser_client::find_or_start::StartNotice;
use askuser_client::seen::SeenAsk;
use askuser_client::steady::{Meanwhile, Patience};
use askuser_client::waiting::Waited;
use askuser_client::{Client, Location, NewAsk};
use askuser_core::command::KeyRole;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::{Ended, Leaving, Round};
use askuser_wire::{Dialect, outcome};

/// How often an ask is tried again where the desk goes away under it.
const TRIES: Patience = Patience::Tries(5);

/// What is asked, and how long this caller waits.
pub struct Request<'a> {
    /// The ask as it goes to the desk.
    pub new: NewAsk,
    /// The same as it was read here.
    pub call: &'a Call,
    /// How long this caller waits; for ever where nothing is said.
    pub patience: Option<Duration>,
    /// Which round it is, where the caller knows.
    pub round: Option<Round>,
    /// Which rounds say something: those of a session that the asker named, or announced.
    pub rounds: Rounds,
    /// Whether the terminal alone is asked where there can be no desk.
    pub or_alone: bool,
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

    pub(super) fn round(self, number: u32) -> Option<Round> {
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
    /// What was asked, where it has.
    pub questions: Option<Arc<Questions>>,
    /// Where it is kept, and under which name.
    pub kept: Option<(AskId, Client)>,
}

impl Finished {
    /// Says how to come back to it, where nobody has answered.
    pub fn tell_open(&self, environment: &Environment) {
        if let (Some((ask, _)), None) = (&self.kept, &self.outcome) {
            say(&hints::come_back(*ask, environment));
        }
    }

    /// Tells the desk that the outcome arrived. It has; whether that is noted changes nothing.
    pub async fn acknowledge(&self) {
        if let (Some((ask, client)), Some(_)) = (&self.kept, &self.outcome) {
            let _noted = client.acknowledge(*ask).await;
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
        let Asker { agent, project, folder } = asker(call, environment);
        put("asker", json!({"agent": agent, "project": project, "folder": folder}));
    }
    NewAsk {
        questions,
        dialect: Some(dialect.name().to_owned()),
        reply: Some(call.reply.name().to_owned()),
        idempotency_key: call.terms.idempotency_key.clone().or_else(|| Some(own_key())),
        conversation: environment.conversation().map(str::to_owned),
    }
}

/// Who asks: what they say of themselves, else what the surroundings say.
fn asker(call: &Call, environment: &Environment) -> Asker {
    let known = call.terms.asker.clone();
    let folder = environment.folder();
    let project = folder.as_ref().and_then(|folder| folder.file_name()?.to_str().map(str::to_owned));
    Asker {
        agent: known.agent.or_else(|| environment.agent().map(|agent| agent.name.to_owned())),
        project: known.project.or(project),
        folder: known.folder.or(folder.map(|folder| environment.told(&folder))),
    }
}

/// Asks at the desk, and in the terminal too where there is one, and waits.
///
/// Where no daemon runs, the panel is painted while one is started; what the person does there is handed back when the
/// desk has the ask and the answer.
pub async fn ask(client: Client, surface: Option<Surface>, wanted: &Request<'_>) -> Result<Finished, Report> {
    let is_early = is_painted_first(&client, surface.as_ref(), wanted.call);
    let is_here = surface.is_some();
    // Nothing is written into a panel, and whoever is here sees the question when it is ready.
    let tell = |told: StartNotice| {
        if !(is_early || is_here && matches!(told, StartNotice::Starting { .. })) {
            say(&words(&told, language(wanted.environment)));
        }
    };
    let kept: Kept<'_> = put(&client, &wanted.new, tell).boxed_local().shared();
    let here = DeskPrompt {
        client: &client,
        waits_as: KeyRole::Agent,
        reply: wanted.new.reply.clone(),
        until: wanted.patience.and_then(|patience| Instant::now().checked_add(patience)),
        round: wanted.round,
        rounds: wanted.rounds,
        or_alone: wanted.or_alone,
        environment: wanted.environment,
    };
    let is_piped = matches!(surface, Some(Surface::Piped(..)));
    let prompted = match surface {
        Some(surface) => match prompt_here(&here, surface, &kept, is_early, wanted).await? {
            There::Told(told) => return Ok(told.into()),
            There::Prompted(prompted) => Some(prompted),
            There::NotAnswerable => None,
        },
        None => None,
    };
    if let (Some(Prompted::Interrupted), None) = (&prompted, kept.peek()) {
        return Ok(unanswered(String::new(), Exit::Interrupted, None));
    }
    let seen = kept.await?;
    let id = seen.id;
    match prompted {
        Some(Prompted::Closed(seen)) => return Ok(finished(&client, wanted.call.reply, &seen)),
        None if !seen.is_open() => return Ok(finished(&client, wanted.call.reply, &seen)),
        Some(Prompted::LeftOpen) => return Ok(left_open(&client, id)),
        Some(Prompted::Interrupted) => return Ok(interrupted(&client, id)),
        Some(Prompted::Gone) if is_piped => {
            say(Prompt(language(wanted.environment)).lines_ended());
            return Ok(left_open(&client, id));
        }
        // The terminal is gone, the caller is not: the desk has the question. An ask for several people is not asked
        // here, but nothing would be lost if it were.
        Some(Prompted::Gone | Prompted::Counted(_) | Prompted::NotTaken) | None => {}
    }
    // Before anybody is told that this waits: whoever reads it may end it at once.
    let break_off = BreakOff::listen()?;
    let language = language(wanted.environment);
    let left = seen.deadline.map(|at| language.time_left(at.since(clock::now())));
    let whose = seen.progress.as_ref().map(|progress| progress.line(language));
    let beside: Vec<String> = left.into_iter().chain(whose).collect();
    say(&hints::waiting(id, &beside, wanted.environment));
    wait_or_break_off(&client, id, here.reply, here.until, Some(wanted.call.reply), break_off, language).await
}

/// What came of asking the person who is here.
enum There {
    /// They sat before an ask that the desk has.
    Prompted(Prompted),
    /// The desk cannot have it, and they answered all the same.
    Told(surface::AskedAlone),
    /// The desk takes no answer from here.
    NotAnswerable,
}

/// Whether the panel is painted before the desk has the ask: there is none yet, and nothing that only the desk knows
/// decides whether it is to be asked.
fn is_painted_first(client: &Client, surface: Option<&Surface>, call: &Call) -> bool {
    let nobody = matches!(client.location(), Location::Folder(home) if home.running().is_none());
    nobody && matches!(surface, Some(Surface::Panel(_))) && !call.questions.waits_elsewhere()
}

async fn prompt_here(
    here: &DeskPrompt<'_>,
    surface: Surface,
    kept: &Kept<'_>,
    is_early: bool,
    wanted: &Request<'_>,
) -> Result<There, Report> {
    let (call, environment) = (wanted.call, wanted.environment);
    if is_early {
        let alone = InMemory::ask(call.questions.clone(), call.terms.clone(), clock::now());
        let alone = alone.map_err(NotAsked::Unfit)?;
        let Some(ask) = alone.now() else { return Err(NotAsked::from(Refusal::AskNotFound).into()) };
        let asker = asker(call, environment);
        let shown = Presentation::here(ask, asker, Leaving::LeavesOpen, wanted.round, language(environment));
        let (proof, output) = (surface.proof(), surface.output().map_err(NotAsked::from)?);
        return match here.run_early(surface, shown, kept.clone()).await? {
            Ok(prompted) => Ok(There::Prompted(prompted)),
            Err(NotKept { why, ended, so_far }) if wanted.or_alone && why.is_no_desk() => {
                if ended != Ended::Interrupted {
                    tell_unsaved(Some(&why), environment);
                }
                let told = surface::concluded(alone, call, (ended, so_far, proof), output, environment)?;
                Ok(There::Told(told))
            }
            Err(not_kept) => Err(not_kept.why.into()),
        };
    }
    let seen = match kept.clone().await {
        Ok(seen) => seen,
        Err(error) if wanted.or_alone && error.is_no_desk() => {
            tell_unsaved(Some(&error), environment);
            return Ok(There::Told(surface::ask(call, surface, wanted.round, environment).await?));
        }
        Err(error) => return Err(error.into()),
    };
    if !seen.is_open() {
        return Ok(There::Prompted(Prompted::Closed(Box::new(seen))));
    }
    // This terminal may have no key that the desk takes a person's answer from: then the desk alone is left.
    match here.client.get(KeyRole::Person, seen.id, None, Duration::ZERO).await {
        Err(error) if !error.may_pass() => {
            say(&not_from_here(&error, language(environment)));
            Ok(There::NotAnswerable)
        }
        Ok(_) | Err(_) => Ok(There::Prompted(here.run(seen.id, surface).await?)),
    }
}

/// Waits for an ask by its id, as a caller without a terminal does.
pub async fn wait(
    client: Client,
    id: AskId,
    reply: Option<String>,
    until: Option<Instant>,
    dialect: Option<Dialect>,
    language: Language,
) -> Result<Finished, Report> {
    wait_or_break_off(&client, id, reply, until, dialect, BreakOff::listen()?, language).await
}

async fn wait_or_break_off(
    client: &Client,
    id: AskId,
    reply: Option<String>,
    until: Option<Instant>,
    dialect: Option<Dialect>,
    mut break_off: BreakOff,
    language: Language,
) -> Result<Finished, Report> {
    let said = Prompt(language);
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let tell = |meanwhile| match meanwhile {
        Meanwhile::Away => say(&said.reconnecting(id)),
        Meanwhile::Back => say(said.reconnected()),
    };
    let waited = tokio::select! {
        waited = client.wait(KeyRole::Agent, id, reply.as_deref(), left, tell) => waited?,
        () = break_off.wanted() => {
            // The terminal has written `^C` where the cursor was.
            if io::stderr().is_terminal() {
                say("");
            }
            return Ok(interrupted(client, id));
        }
    };
    Ok(match waited {
        Waited::Closed(seen) => finished(client, dialect.unwrap_or(Dialect::Command), &seen),
        Waited::StillOpen => left_open(client, id),
    })
}

/// Hears that the caller is to end.
pub(super) struct BreakOff {
    interrupt: Signal,
    terminate: Signal,
}

impl BreakOff {
    pub(super) fn listen() -> Result<Self, Report> {
        let deaf = |error: io::Error| Report::failure(|said: Prompt| said.no_signals(&error));
        let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
        Ok(Self { interrupt: interrupt.map_err(deaf)?, terminate: terminate.map_err(deaf)? })
    }

    pub(super) async fn wanted(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// A key of this call alone: sent again, it is the same ask, also where that was answered meanwhile.
fn own_key() -> String {
    let mut random = [0; 8];
    // Where the system has no randomness to give, the moment and the process tell two calls apart.
    let _filled = getrandom::fill(&mut random);
    format!("cli-{:x}-{:x}-{:016x}", clock::now().0, std::process::id(), u64::from_le_bytes(random))
}

/// Puts the ask on the desk, whose daemon is found or started; again where it goes away under it:
/// by its key a repeated ask joins the first.
async fn put(
    client: &Client,
    new: &NewAsk,
    tell: impl Fn(StartNotice) + Sync,
) -> Result<SeenAsk, ClientError> {
    client.steady().finding_or_starting(&tell).patience(TRIES).call(|| client.ask(new)).await
}

fn finished(client: &Client, dialect: Dialect, seen: &SeenAsk) -> Finished {
    let Some(ended) = &seen.outcome else { return left_open(client, seen.id) };
    let text = shell::write_ended(dialect, seen.reply.as_ref(), ended, seen.id);
    let (outcome, questions) = (Some(ended.clone()), Some(Arc::clone(&seen.questions)));
    let kept = Some((seen.id, client.clone()));
    Finished { text, exit: Exit::from(ended), outcome, questions, kept }
}

fn left_open(client: &Client, ask: AskId) -> Finished {
    let text = outcome::still_open(Some(ask)).to_string();
    unanswered(text, Exit::StillOpen, Some((ask, client.clone())))
}

fn interrupted(client: &Client, ask: AskId) -> Finished {
    unanswered(String::new(), Exit::Interrupted, Some((ask, client.clone())))
}

fn unanswered(text: String, exit: Exit, kept: Option<(AskId, Client)>) -> Finished {
    Finished { text, exit, outcome: None, questions: None, kept }
}

impl From<surface::AskedAlone> for Finished {
    fn from(told: surface::AskedAlone) -> Self {
        let exit = Exit::from(&told.outcome);
        let questions = Some(told.questions);
        Self { text: told.reply, exit, outcome: Some(told.outcome), questions, kept: None }
    }
}
