//! A person at a terminal, before an ask that the desk keeps.
//!
//! The panel shows it, the desk decides: the first answer wins, wherever it is given. What the
//! person types is kept at the desk as they go, and an answer that was sent is never lost: while
//! the desk is away it is sent again until it arrives.

use std::cell::RefCell;
use std::convert::Infallible;
use std::io;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::outcome::{Channel, Outcome};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::connect::say;
use super::elsewhere;
use super::person::Way;
use super::report::Report;
use super::saving::Saver;
use crate::channel::terminal::paint::Look;
use crate::channel::terminal::plain::Plain;
use crate::channel::terminal::plain::lines;
use crate::channel::terminal::words::Then;
use crate::channel::terminal::{self, Around, ClosedElsewhere, Ended, Language, Leaving, Prompt, Round};
use crate::client::Client;
use crate::client::error::ClientError;
use crate::client::keys::KeyFor;
use crate::client::seen::{SeenAsk, write_entries};
use crate::client::waiting::Waited;
use crate::clock;
use crate::environment::Environment;
use crate::wire::permission;

/// How often a pending ask is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long the desk may take to end an ask whose deadline has passed.
const EXPIRES_WITHIN: Duration = Duration::from_secs(30);
/// The first pause before an answer is sent again, and the longest.
const AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// Where a person sits.
pub struct Seat<'a> {
    /// The desk.
    pub client: &'a Client,
    /// The ask before them.
    pub ask: AskId,
    /// Whose key waits for the outcome: the asker's, or the person's own.
    pub waits_as: KeyFor,
    /// The dialect of the reply.
    pub reply: Option<String>,
    /// Until when.
    pub until: Option<Instant>,
    /// Which round it is, where that says something.
    pub round: Option<Round>,
    /// What is around.
    pub environment: &'a Environment,
}

/// How it ended for whoever sat there.
pub enum Sat {
    /// The ask ended, here or elsewhere.
    Closed(Box<SeenAsk>),
    /// What this person said counts; it stays open until others have spoken too.
    Counted(Box<SeenAsk>),
    /// It stays open: a question was answered otherwise meanwhile, elsewhere and for good.
    NotTaken,
    /// It stays open: the person left, or the caller's patience ended.
    LeftOpen,
    /// It stays open: broken off.
    Interrupted,
    /// It stays open: the terminal is gone.
    Gone,
}

impl Seat<'_> {
    /// Asks in the terminal until the ask ends or the person leaves.
    pub async fn sit(&self, way: Way) -> Result<Sat, Report> {
        let Some(seen) = self.showing().await? else { return Ok(Sat::LeftOpen) };
        if !seen.is_open() {
            return Ok(Sat::Closed(Box::new(seen)));
        }
        if seen.waits_for_others() {
            return Err(not_theirs(&seen, self.environment));
        }
        let get = |name: &str| self.environment.get(name).map(ToOwned::to_owned);
        let language = Language::from(get);
        let (heard, hand) = (RefCell::new(None), way.hand());
        let held = seen.held.first().map(|held| elsewhere::being_answered(held, language));
        let (tell, told) = watch::channel(held);
        let closed = async {
            let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
            let waiting = self.client.wait(self.waits_as, self.ask, self.reply.as_deref(), left, |_| {});
            let waited = tokio::select! {
                waited = Box::pin(waiting) => waited,
                never = Box::pin(self.follow_held(&tell, language)) => match never {},
            };
            let line = match &waited {
                Ok(Waited::Closed(seen)) => elsewhere::line(seen, language),
                Ok(Waited::StillOpen) => language.words().left_open.to_owned(),
                Err(error) => error.to_string(),
            };
            heard.replace(Some(waited));
            ClosedElsewhere { line }
        };
        let saver = Saver::start(self.client.clone(), self.ask);
        let ended = self.prompt(way, &seen, told, closed, |sheet| saver.note(sheet)).await;
        let sat = match ended {
            Err(error) => Err(error),
            Ok(Ended::Sent(answers)) => {
                saver.abandon();
                let entries = answers.entries();
                let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
                let sent = async || self.client.answer(self.ask, hand, body.clone()).await;
                let sat = self.closed_by(sent, language).await?;
                if matches!(sat, Sat::NotTaken) {
                    // What they put down is there when they look at it again; what was answered for good stays.
                    let _saved = self.client.save(self.ask, &entries).await;
                }
                return Ok(sat);
            }
            Ok(Ended::Declined { reason }) => {
                saver.abandon();
                let reason = reason.as_deref();
                let sent = async || self.client.cancel(self.ask, hand, reason).await;
                return self.closed_by(sent, language).await;
            }
            Ok(Ended::Expired) => self.expired().await,
            Ok(Ended::ClosedElsewhere) => match heard.take() {
                Some(Ok(Waited::Closed(seen))) => Ok(Sat::Closed(seen)),
                Some(Err(error)) => Err(error.into()),
                Some(Ok(Waited::StillOpen)) | None => Ok(Sat::LeftOpen),
            },
            Ok(Ended::LeftOpen) => Ok(Sat::LeftOpen),
            Ok(Ended::Interrupted) => Ok(Sat::Interrupted),
            Ok(Ended::Gone) => Ok(Sat::Gone),
        };
        saver.finish().await;
        sat
    }

    /// Waits until the ask has its turn; nothing where the caller's patience ends first.
    async fn showing(&self) -> Result<Option<SeenAsk>, Report> {
        let mut said = false;
        loop {
            let seen = match self.client.get(KeyFor::Person, self.ask, None, Duration::ZERO).await {
                Ok(seen) if seen.status != "pending" => return Ok(Some(seen)),
                Ok(seen) => Some(seen),
                Err(error) if error.may_pass() => None,
                Err(error) => return Err(error.into()),
            };
            if self.until.is_some_and(|until| until <= Instant::now()) {
                return Ok(None);
            }
            if !said && seen.is_some() {
                say(&format!("{} waits for its turn: others are shown first", self.ask));
                said = true;
            }
            sleep(LOOK_EVERY).await;
        }
    }

    async fn prompt(
        &self,
        way: Way,
        seen: &SeenAsk,
        told: watch::Receiver<Option<String>>,
        closed: impl Future<Output = ClosedElsewhere>,
        on_change: impl FnMut(&askuser_core::sheet::Sheet),
    ) -> Result<Ended, Report> {
        let get = |name: &str| self.environment.get(name).map(ToOwned::to_owned);
        let language = Language::from(get);
        let sheet = seen.sheet();
        let deadline = seen.deadline.map(|at| Instant::now() + at.since(clock::now()));
        let ended = match way {
            Way::Panel(mut tty) => {
                super::person::ring(&mut tty, &sheet, self.environment);
                let around = Around {
                    asker: seen.asker.clone(),
                    context: seen.context.clone(),
                    round: self.round,
                    leaving: Leaving::LeavesOpen,
                    language,
                    permission: permission::of(&seen.content()),
                    being_answered: told.borrow().clone(),
                    then: seen.at_deadline.as_ref().map(|at| Then::of(at, &seen.questions, language)),
                    ..Around::default()
                };
                let prompt = Prompt { sheet, around, deadline, look: Look::from(get), elsewhere: Some(told) };
                Box::pin(terminal::ask(tty, prompt, closed, on_change)).await
            }
            Way::Lines(from, _) => {
                let then = seen.at_deadline.as_ref().map(|at| Then::of(at, &seen.questions, language));
                let left = seen.deadline.map(|at| at.since(clock::now()));
                let title = super::person::above_lines(language, self.round, left, then.as_ref());
                let plain = Plain::new(sheet, seen.purpose, title)
                    .about(seen.context.clone(), permission::of(&seen.content()));
                lines::ask(from, plain, deadline, closed, on_change).await
            }
        };
        super::person::or_gone(ended).map_err(|error| super::person::NotAsked::from(error).into())
    }

    /// Tells who is about to answer the ask elsewhere, for as long as it is open.
    async fn follow_held(&self, tell: &watch::Sender<Option<String>>, language: Language) -> Infallible {
        let mut events = self.client.events(KeyFor::Person, None);
        loop {
            let Ok(event) = events.next().await else {
                sleep(AGAIN.1).await;
                continue;
            };
            let is_about_it = matches!(event.name.as_str(), "held" | "taken_back")
                && event.carries["ask_id"] == self.ask.to_string();
            if is_about_it
                && let Ok(seen) = self.client.get(KeyFor::Person, self.ask, None, Duration::ZERO).await
            {
                tell.send_replace(seen.held.first().map(|held| elsewhere::being_answered(held, language)));
            }
        }
    }

    /// Hands in what the person did. Someone else may have been first: then it is said who.
    async fn closed_by(
        &self,
        hand_in: impl AsyncFn() -> Result<SeenAsk, ClientError>,
        language: Language,
    ) -> Result<Sat, Report> {
        // The prompt has taken these over for good, so nobody else would hear them.
        let failed = |error: io::Error| Report::failed(format!("signals cannot be heard: {error}"), None);
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let mut hang_up = signal(SignalKind::hangup()).map_err(failed)?;
        tokio::select! {
            sat = self.handed_in(hand_in, language) => sat,
            _ = interrupt.recv() => Ok(Sat::Interrupted),
            _ = terminate.recv() => Ok(Sat::Interrupted),
            _ = hang_up.recv() => Ok(Sat::Interrupted),
        }
    }

    async fn handed_in(
        &self,
        hand_in: impl AsyncFn() -> Result<SeenAsk, ClientError>,
        language: Language,
    ) -> Result<Sat, Report> {
        let mut pause = AGAIN.0;
        let mut away = false;
        loop {
            match hand_in().await {
                Ok(seen) if seen.is_open() => return Ok(Sat::Counted(Box::new(seen))),
                Ok(_) => break,
                Err(error) if error.code() == Some("already_closed") => {
                    let seen = self.outcome().await?;
                    let here = |outcome: &Outcome| outcome.by.channel == Channel::Terminal;
                    if away && seen.outcome.as_ref().is_some_and(here) {
                        // It had been taken in before the desk went away, and only its word of that was lost; or
                        // it was given at another terminal, which the line tells.
                        say(&elsewhere::line(&seen, language));
                        return Ok(Sat::Closed(Box::new(seen)));
                    }
                    say(&format!("not sent, someone else was first. {}", elsewhere::line(&seen, language)));
                    return Ok(Sat::Closed(Box::new(seen)));
                }
                Err(error) if error.code() == Some("already_answered") => {
                    return self.answered_otherwise(&error, away, language).await;
                }
                Err(error) if error.may_pass() => {
                    if !away {
                        say("the desk is away; your answer is kept here and sent when it is back");
                        away = true;
                    }
                    sleep(pause).await;
                    pause = (pause * 2).min(AGAIN.1);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(Sat::Closed(Box::new(self.outcome().await?)))
    }

    /// What to make of an answer that came after another one: to all of it, by this very person, or to one of
    /// its questions.
    async fn answered_otherwise(
        &self,
        why: &ClientError,
        again: bool,
        language: Language,
    ) -> Result<Sat, Report> {
        let seen = loop {
            match self.client.get(KeyFor::Person, self.ask, None, Duration::ZERO).await {
                Ok(seen) => break seen,
                Err(error) if error.may_pass() => sleep(AGAIN.1).await,
                Err(error) => return Err(error.into()),
            }
        };
        if !seen.is_open() {
            say(&format!("not sent, someone else was first. {}", elsewhere::line(&seen, language)));
            return Ok(Sat::Closed(Box::new(self.outcome().await?)));
        }
        if seen.waits_for_others() {
            if again {
                // It had been taken in before the desk went away, and only its word of that was lost.
                return Ok(Sat::Counted(Box::new(seen)));
            }
            say("not sent: you have answered it already, elsewhere");
            return Ok(Sat::NotTaken);
        }
        let id = self.ask;
        say(&format!(
            "not sent: {why}. It stays open with what you put down: `askuser answer {id}` shows it"
        ));
        Ok(Sat::NotTaken)
    }

    /// Returns the ask with its outcome, as the caller is told it.
    async fn outcome(&self) -> Result<SeenAsk, Report> {
        let reply = self.reply.as_deref();
        match self.client.wait(self.waits_as, self.ask, reply, Some(EXPIRES_WITHIN), |_| {}).await? {
            Waited::Closed(seen) => Ok(*seen),
            Waited::StillOpen => Err(Report::failed("the desk did not end the ask", None)),
        }
    }

    /// The deadline passed here; the desk says what that means.
    async fn expired(&self) -> Result<Sat, Report> {
        let reply = self.reply.as_deref();
        match self.client.wait(self.waits_as, self.ask, reply, Some(EXPIRES_WITHIN), |_| {}).await? {
            Waited::Closed(seen) => Ok(Sat::Closed(seen)),
            Waited::StillOpen => Ok(Sat::LeftOpen),
        }
    }
}

/// Says whom an ask waits for that does not wait for this person.
fn not_theirs(seen: &SeenAsk, environment: &Environment) -> Report {
    let language = Language::from(|name| environment.get(name).map(ToOwned::to_owned));
    let line = seen.progress.as_ref().map(|progress| progress.line(language.into()));
    let what = "you have answered it, or it is for others".to_owned();
    Report::wrong_input(line.map_or(what.clone(), |line| format!("{what}: {line}")), None)
}
