//! Probe the person from here: the panel on the terminal, lines on it, or lines of standard
//! input. And the other half of wiring: what they did becomes the outcome of the ask.

use std::fs::File;
use std::future::pending;
use std::io::{self, IsTerminal, Write as _};
use std::os::fd::AsFd;
use std::sync::Arc;

use askuser_core::answer::Answers;
use askuser_core::decide::Refusal;
use askuser_core::outcome::{Outcome, Proof};
use askuser_core::problem::Problem;
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use askuser_words::commands::{Given, ToAsk};
use askuser_words::{Both, Language, both, fault};
use rustix::fs::FileType;
use rustix::io::Errno;
use tokio::sync::watch;

use super::connect::say;
use super::in_memory::InMemory;
use super::options::Layout;
use super::output::language;
use super::presentation::Presentation;
use crate::shell::{Call, listed};
use askuser_client::Via;
use askuser_client::error::ClientError;
use askuser_system::clock;
use askuser_system::environment::Environment;
use askuser_terminal::bell::Bell;
use askuser_terminal::plain::inline;
use askuser_terminal::plain::lines::Lines;
use askuser_terminal::{self as terminal, Ended, Leaving, Round, Tty};

/// How a person is reached.
#[derive(Debug)]
pub enum Surface {
    /// The panel.
    Panel(Tty),
    /// Lines, how they are laid out, and how we know who types them.
    Lines(Lines, Layout, Proof),
    /// Lines that were piped in, each of which has to be an answer: they may be a list that a loop goes through.
    Piped(Lines, Layout),
}

impl Surface {
    /// Returns through what the person acts, as the desk is told.
    pub fn via(&self) -> Via {
        match self {
            Self::Panel(_) | Self::Lines(_, _, Proof::Terminal) => Via::Terminal,
            Self::Lines(..) | Self::Piped(..) => Via::Program,
        }
    }

    /// Returns how we know who answers, where no desk finds out.
    pub fn proof(&self) -> Proof {
        match self {
            Self::Panel(_) => Proof::Terminal,
            Self::Lines(_, _, proof) => *proof,
            Self::Piped(..) => Proof::Stdin,
        }
    }

    /// Returns where the person reads, for what is said when the question is gone.
    pub(super) fn output(&self) -> io::Result<File> {
        match self {
            Self::Panel(tty) => tty.output(),
            Self::Lines(lines, ..) | Self::Piped(lines, _) => lines.output.try_clone(),
        }
    }
}

/// Why nobody could be asked, or nobody answered.
#[derive(Debug)]
pub enum NotAsked {
    /// There is nobody to ask.
    NobodyThere {
        /// Why.
        why: Both,
    },
    /// `ASKUSER_WHERE` names no place.
    NoSuchPlace(String),
    /// `ASKUSER_PLAIN` names no layout.
    NoSuchLayout(String),
    /// The questions cannot be asked here.
    Unfit(Vec<Problem>),
    /// The person or a signal broke it off.
    Interrupted,
    /// The rule book refused what the person did.
    Refused(Refusal),
    /// The terminal failed.
    Terminal(io::Error),
}

impl From<Refusal> for NotAsked {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<io::Error> for NotAsked {
    fn from(error: io::Error) -> Self {
        Self::Terminal(error)
    }
}

impl NotAsked {
    /// Nobody is there, as this phrase says.
    pub fn nobody<S: Into<String>>(say: impl Fn(Given) -> S) -> Self {
        Self::NobodyThere { why: both(say) }
    }

    /// Says it in this language.
    pub fn said(&self, language: Language) -> String {
        let said = Given(language);
        match self {
            Self::NobodyThere { why } => said.nobody(language.of(why)),
            Self::NoSuchPlace(name) => said.no_place(name),
            Self::NoSuchLayout(name) => said.no_layout(name),
            Self::Unfit(problems) => {
                let line = |problem: &Problem| fault::line(problem, language);
                said.unfit(listed(problems, line))
            }
            Self::Interrupted => said.interrupted().to_owned(),
            Self::Refused(refusal) => said.refused(fault::refusal(refusal, language)),
            Self::Terminal(error) => said.no_terminal(error),
        }
    }
}

/// Finds the terminal with a person at it, if there is one.
pub fn terminal(environment: &Environment, plain: Option<Layout>) -> Result<Option<Surface>, NotAsked> {
    let layout = layout(environment, plain)?;
    let Some(tty) = terminal::there_is_a_terminal(environment.agent_mark()) else { return Ok(None) };
    if layout.is_none() && Tty::takes_panel(environment.get("TERM")) {
        return Ok(Some(Surface::Panel(tty)));
    }
    let device = File::options().read(true).write(true).open("/dev/tty")?;
    let lines = Lines { input: device.try_clone()?, output: device };
    Ok(Some(Surface::Lines(lines, layout.unwrap_or(Layout::Box), Proof::Terminal)))
}

/// Which lines the person wants instead of the panel: what was said, else what the environment says.
fn layout(environment: &Environment, said: Option<Layout>) -> Result<Option<Layout>, NotAsked> {
    match (said, environment.get("ASKUSER_PLAIN")) {
        (None, Some(name)) => {
            Layout::parse(name).map(Some).ok_or_else(|| NotAsked::NoSuchLayout(name.to_owned()))
        }
        (said, _) => Ok(said),
    }
}

/// Finds the way to the person without a desk: the terminal, else lines of standard input.
pub fn here(environment: &Environment, plain: Option<Layout>) -> Result<Surface, NotAsked> {
    match terminal(environment, plain)? {
        Some(surface) => Ok(surface),
        None => standard_input(environment, plain),
    }
}

/// Takes lines that were piped in, where the caller wants lines (`--plain`), nothing else came that way and no agent
/// runs us: lines that an agent pipes in would be its own answer (invariant 6). Only the flag counts: a variable of
/// somebody's profile must not turn the list of a loop into answers.
pub fn piped(environment: &Environment, plain: Option<Layout>) -> Result<Option<Surface>, NotAsked> {
    let Some(layout) = plain.filter(|_| is_piped() && environment.agent_mark().is_none()) else {
        return Ok(None);
    };
    Ok(Some(Surface::Piped(standard_lines()?, layout)))
}

/// Takes lines of standard input, as a script of the person's pipes them in.
pub fn standard_input(environment: &Environment, plain: Option<Layout>) -> Result<Surface, NotAsked> {
    // Lines that an agent pipes in would be the agent's own answer (invariant 6).
    if let Some(mark) = environment.agent_mark() {
        return Err(NotAsked::nobody(|said| said.agent_here(mark)));
    }
    // Reading a terminal that belongs to somebody else just now would stop us, and nobody knew why.
    if io::stdin().is_terminal() {
        return Err(NotAsked::nobody(Given::in_background));
    }
    let layout = layout(environment, plain)?.unwrap_or(Layout::Box);
    Ok(Surface::Lines(standard_lines()?, layout, Proof::Stdin))
}

fn standard_lines() -> io::Result<Lines> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    Ok(Lines { input, output })
}

/// Whether lines may come on standard input: it is a pipe or a file.
pub fn is_piped() -> bool {
    let kind = rustix::fs::fstat(io::stdin()).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::RegularFile))
}

/// How an ask ended, and what the caller is told of it.
#[derive(Debug)]
pub struct AskedAlone {
    /// How it ended.
    pub outcome: Outcome,
    /// What was asked.
    pub questions: Arc<Questions>,
    /// What standard output carries.
    pub reply: String,
}

/// Asks here alone and waits, and returns how the ask ended.
pub async fn ask(
    call: &Call,
    surface: Surface,
    round: Option<Round>,
    environment: &Environment,
) -> Result<AskedAlone, NotAsked> {
    let alone = InMemory::ask(call.questions.clone(), call.terms.clone(), clock::now());
    let alone = alone.map_err(NotAsked::Unfit)?;
    let Some(ask) = alone.now() else { return Err(Refusal::AskNotFound.into()) };
    let announced = call.terms.total_rounds.map(|total| Round { number: 1, total: Some(total) });
    let (language, round) = (language(environment), round.or(announced));
    let shown = Presentation::here(ask, call.terms.asker.clone(), Leaving::Declines, round, language);
    let (proof, output) = (surface.proof(), surface.output()?);
    let mut so_far = Answers::default();
    let keep = |sheet: &Sheet| so_far = sheet.answers_so_far();
    // Nobody has news of it.
    let (_silent, news) = watch::channel(shown.news());
    let ended = shown.prompt(surface, news, pending(), keep, environment).await?;
    concluded(alone, call, (ended, so_far, proof), output, environment)
}

/// Ends an ask that only this program has, by what the person did.
pub(super) fn concluded(
    mut alone: InMemory,
    call: &Call,
    (ended, so_far, proof): (Ended, Answers, Proof),
    output: File,
    environment: &Environment,
) -> Result<AskedAlone, NotAsked> {
    let now = clock::now();
    let outcome = match ended {
        Ended::Sent(answers) => alone.answer(&answers, proof, now)?,
        Ended::Declined { reason } => alone.decline(reason, proof, now)?,
        Ended::Expired => alone.expire(&so_far, now)?,
        Ended::Gone => return Err(NotAsked::nobody(Given::input_ended)),
        // There is no one to keep it open and nowhere else to close it.
        Ended::Interrupted | Ended::LeftOpen | Ended::ClosedElsewhere => return Err(NotAsked::Interrupted),
    };
    let Some(ask) = alone.now() else { return Err(Refusal::AskNotFound.into()) };
    tell_running(output, &outcome, &ask.questions, environment);
    Ok(AskedAlone {
        questions: Arc::clone(&ask.questions),
        reply: alone.reply(call.reply, &outcome),
        outcome,
    })
}

/// Says that an ask is not kept: why, where that is not what the caller wanted.
pub fn tell_unsaved(why: Option<&ClientError>, environment: &Environment) {
    let language = language(environment);
    let (said, why) = (ToAsk(language), why.map(|why| why.said(language)));
    // The log of a start that failed has many lines; `askuser doctor` shows them.
    match why.as_deref().and_then(|why| why.lines().next()) {
        None => say(said.unsaved()),
        Some(why) => say(&said.unsaved_because(why)),
    }
}

/// Tells the person what the asker announced for what was chosen, once that counts.
pub(super) fn tell_running(
    mut output: File,
    outcome: &Outcome,
    questions: &Questions,
    environment: &Environment,
) {
    let language = language(environment);
    let running = outcome.running(questions);
    if !running.is_empty() {
        let lines: Vec<String> = running.iter().map(|what| language.words().running(inline(what))).collect();
        // The answer has been taken; a terminal that is gone changes nothing about that.
        let _told = writeln!(output, "\n{}", lines.join("\n"));
    }
}

/// Rings for a question where the person wants that (`ASKUSER_BELL`).
pub(super) fn ring(tty: &mut Tty, sheet: &Sheet, environment: &Environment) {
    let get = |name: &str| environment.get(name).map(ToOwned::to_owned);
    let text = sheet.questions().top().first().map(|question| question.text.as_str()).unwrap_or_default();
    // A terminal that cannot be written to says so when the panel is drawn.
    let _rung = tty.write(&Bell::from(get, Bell::Off).ring(text, environment.has("TMUX")));
}

/// A terminal that hung up while it was written to is nobody's failure: the person is gone.
pub(super) fn or_gone(ended: io::Result<Ended>) -> io::Result<Ended> {
    match ended {
        Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(Ended::Gone),
        ended => ended,
    }
}
