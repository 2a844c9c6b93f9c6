//! Reaching the person from here: the panel on the terminal, lines on it, or lines of standard
//! input. And the other half of wiring: what they did becomes the outcome of the ask.

use std::fs::File;
use std::future::pending;
use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::decide::Refusal;
use askuser_core::outcome::{Outcome, Proof};
use askuser_core::problem::Problem;
use askuser_core::sheet::Sheet;
use rustix::io::Errno;
use tokio::time::Instant;

use super::alone::Alone;
use crate::channel::terminal::bell::Bell;
use crate::channel::terminal::paint::Look;
use crate::channel::terminal::plain::Plain;
use crate::channel::terminal::plain::lines::{self, Lines};
use crate::channel::terminal::words::Then;
use crate::channel::terminal::{self, Around, Ended, Language, Leaving, Prompt, Round, Tty};
use crate::client::Hand;
use crate::clock;
use crate::doorway::shell::Call;
use crate::environment::Environment;
use crate::wire::permission;

/// How a person is reached.
#[derive(Debug)]
pub enum Way {
    /// The panel.
    Panel(Tty),
    /// Lines, and how we know who types them.
    Lines(Lines, Proof),
}

impl Way {
    /// Returns through what the person acts, as the desk is told.
    pub fn hand(&self) -> Hand {
        match self {
            Self::Panel(_) | Self::Lines(_, Proof::Terminal) => Hand::Terminal,
            Self::Lines(..) => Hand::Program,
        }
    }
}

/// Why nobody could be asked, or nobody answered.
#[derive(Debug, thiserror::Error)]
pub enum NotAsked {
    /// There is nobody to ask.
    #[error("nobody is there to ask: {why}")]
    NobodyThere {
        /// Why.
        why: String,
    },
    /// `ASKUSER_WHERE` names no place.
    #[error("ASKUSER_WHERE is `{0}`, which is no place to ask")]
    NoSuchPlace(String),
    /// The questions cannot be asked here.
    #[error("the questions do not fit")]
    Unfit(Vec<Problem>),
    /// The person or a signal broke it off.
    #[error("interrupted")]
    Interrupted,
    /// The rule book refused what the person did.
    #[error("the answer was refused")]
    Refused(#[from] Refusal),
    /// The terminal failed.
    #[error("the terminal cannot be used")]
    Terminal(#[from] io::Error),
}

/// Finds the terminal with a person at it, if there is one.
pub fn terminal(environment: &Environment, plain: bool) -> Result<Option<Way>, NotAsked> {
    let Some(tty) = terminal::there_is_a_terminal(environment.agent_mark()) else { return Ok(None) };
    if !plain && Tty::takes_panel(environment.get("TERM")) {
        return Ok(Some(Way::Panel(tty)));
    }
    let device = File::options().read(true).write(true).open("/dev/tty")?;
    let lines = Lines { input: device.try_clone()?, output: device };
    Ok(Some(Way::Lines(lines, Proof::Terminal)))
}

/// Finds the way to the person without a desk: the terminal, else lines of standard input.
pub fn way(environment: &Environment, plain: bool) -> Result<Way, NotAsked> {
    let mark = environment.agent_mark();
    if let Some(way) = terminal(environment, plain)? {
        return Ok(way);
    }
    // Lines that an agent pipes in would be the agent's own answer (invariant 6).
    if let Some(mark) = mark {
        let why = format!("{mark} is set, so an agent runs this and no person watches its terminal");
        return Err(NotAsked::NobodyThere { why });
    }
    // Reading a terminal that belongs to somebody else just now would stop us, and nobody knew why.
    if io::stdin().is_terminal() {
        let why = "this runs in the background of its terminal".to_owned();
        return Err(NotAsked::NobodyThere { why });
    }
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let output = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    Ok(Way::Lines(Lines { input, output }, Proof::Stdin))
}

/// How an ask ended, and what the caller is told of it.
#[derive(Debug)]
pub struct Told {
    /// How it ended.
    pub outcome: Outcome,
    /// What standard output carries.
    pub reply: String,
}

/// Asks and waits, and returns how the ask ended.
pub fn ask(call: &Call, way: Way, round: Option<Round>, environment: &Environment) -> Result<Told, NotAsked> {
    let mut alone =
        Alone::ask(call.questions.clone(), call.terms.clone(), clock::now()).map_err(NotAsked::Unfit)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (ended, so_far, proof) = runtime.block_on(prompt(&alone, way, round, environment))?;
    let now = clock::now();
    let outcome = match ended {
        Ended::Sent(answers) => alone.answer(&answers, proof, now)?,
        Ended::Declined { reason } => alone.decline(reason, proof, now)?,
        Ended::Expired => alone.expire(&so_far, now)?,
        Ended::Gone => {
            return Err(NotAsked::NobodyThere { why: "the input ended before the answer".to_owned() });
        }
        // Without a daemon there is no one to keep it open and nowhere else to close it.
        Ended::Interrupted | Ended::LeftOpen | Ended::ClosedElsewhere => return Err(NotAsked::Interrupted),
    };
    Ok(Told { reply: alone.reply(call.reply, &outcome), outcome })
}

async fn prompt(
    alone: &Alone,
    way: Way,
    round: Option<Round>,
    environment: &Environment,
) -> Result<(Ended, Answers, Proof), NotAsked> {
    let Some(ask) = alone.now() else { return Err(Refusal::AskNotFound.into()) };
    let sheet = ask.sheet();
    let deadline = ask.terms.timeout.map(|timeout| Instant::now() + timeout);
    let announced = ask.terms.total_rounds.map(|total| Round { number: 1, total: Some(total) });
    let round = round.or(announced);
    let get = |name: &str| environment.get(name).map(ToOwned::to_owned);
    let language = Language::from(get);
    let mut so_far = Answers::default();
    let keep = |sheet: &Sheet| so_far = sheet.answers_so_far();
    let (ended, proof) = match way {
        Way::Panel(mut tty) => {
            ring(&mut tty, &sheet, environment);
            let around = Around {
                asker: ask.terms.asker.clone(),
                context: ask.terms.context.clone(),
                round,
                leaving: Leaving::Declines,
                language,
                permission: permission::shown(ask),
                then: ask.at_deadline().map(|at| Then::of(&at, &ask.questions, language)),
                ..Around::default()
            };
            let prompt = Prompt { sheet, around, deadline, look: Look::from(get), elsewhere: None };
            (or_gone(terminal::ask(tty, prompt, pending(), keep).await)?, Proof::Terminal)
        }
        Way::Lines(lines, proof) => {
            let then = ask.at_deadline().map(|at| Then::of(&at, &ask.questions, language));
            let title = above_lines(language, round, ask.terms.timeout, then.as_ref());
            let plain = Plain::new(sheet, ask.terms.purpose, title)
                .about(ask.terms.context.clone(), permission::shown(ask));
            (or_gone(lines::ask(lines, plain, deadline, pending(), keep).await)?, proof)
        }
    };
    Ok((ended, so_far, proof))
}

/// What stands above a question in plain lines: its round, and what its deadline brings.
pub(super) fn above_lines(
    language: Language,
    round: Option<Round>,
    left: Option<Duration>,
    then: Option<&Then>,
) -> Option<String> {
    let round = round.map(|round| language.round(round.number, round.total));
    let deadline = left.map(|left| language.deadline(left, then));
    let above: Vec<String> = round.into_iter().chain(deadline).collect();
    (!above.is_empty()).then(|| above.join(" · "))
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
