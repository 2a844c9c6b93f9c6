//! Handing in what a person did in the terminal. Someone else may have been first, and the desk may be away: an
//! answer that was sent is never lost, and what became of it is said.

use std::io;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::outcome::{Channel, Outcome};
use askuser_words::prompt::Prompt;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

use super::connect::say;
use super::ended;
use super::output::language;
use super::prompt::{DeskPrompt, Prompted};
use super::report::Report;
use askuser_client::error::ClientError;
use askuser_client::seen::SeenAsk;
use askuser_client::steady::Meanwhile;
use askuser_client::waiting::Waited;
use askuser_core::command::KeyRole;
use askuser_wire::failure::Code;

/// How long the desk may take to end an ask whose deadline has passed.
const EXPIRES_WITHIN: Duration = Duration::from_secs(30);
/// How often it is tried whether a queued ask has its turn.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl DeskPrompt<'_> {
    fn said(&self) -> Prompt {
        Prompt(language(self.environment))
    }

    /// Hands in what the person did. Someone else may have been first: then it is said who.
    pub(super) async fn closed_by(
        &self,
        ask: AskId,
        hand_in: impl AsyncFn() -> Result<SeenAsk, ClientError>,
    ) -> Result<Prompted, Report> {
        // The prompt has taken these over for good, so nobody else would hear them.
        let failed = |error: io::Error| Report::failed(self.said().no_signals(error), None);
        let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
        let mut hang_up = signal(SignalKind::hangup()).map_err(failed)?;
        tokio::select! {
            prompted = self.handed_in(ask, hand_in) => prompted,
            _ = interrupt.recv() => Ok(Prompted::Interrupted),
            _ = terminate.recv() => Ok(Prompted::Interrupted),
            _ = hang_up.recv() => Ok(Prompted::Interrupted),
        }
    }

    async fn handed_in(
        &self,
        ask: AskId,
        hand_in: impl AsyncFn() -> Result<SeenAsk, ClientError>,
    ) -> Result<Prompted, Report> {
        let away = |meanwhile| {
            if meanwhile == Meanwhile::Away {
                say(self.said().away());
            }
        };
        let (mut steady, mut queued) = (self.client.steady(), false);
        let seen = loop {
            match steady.call_telling(|_| hand_in(), away).await {
                Ok(seen) => break seen,
                Err(error) => match error.code() {
                    Some(Code::AlreadyClosed) => {
                        return self.someone_was_first(ask, steady.was_repeated()).await;
                    }
                    Some(Code::AlreadyAnswered) => {
                        return self.answered_otherwise(ask, &error, steady.was_repeated()).await;
                    }
                    // It was shown before the desk had it, and others are before it.
                    Some(Code::QuestionNotShowing) => {
                        if !queued {
                            say(self.said().others_first());
                            queued = true;
                        }
                        sleep(LOOK_EVERY).await;
                    }
                    _ => return Err(error.into()),
                },
            }
        };
        if seen.is_open() {
            return Ok(Prompted::Counted(Box::new(seen)));
        }
        Ok(Prompted::Closed(Box::new(self.outcome(ask).await?)))
    }

    async fn someone_was_first(&self, ask: AskId, away: bool) -> Result<Prompted, Report> {
        let seen = self.outcome(ask).await?;
        let line = ended::line(&seen, language(self.environment));
        let here = |outcome: &Outcome| outcome.by.channel == Channel::Terminal;
        if away && seen.outcome.as_ref().is_some_and(here) {
            // It had been taken in before the desk went away, and only its word of that was lost; or it was given
            // at another terminal, which the line tells.
            say(&line);
        } else {
            say(&self.said().too_late(line));
        }
        Ok(Prompted::Closed(Box::new(seen)))
    }

    /// What to make of an answer that came after another one: to all of it, by this very person, or to one of
    /// its questions.
    async fn answered_otherwise(
        &self,
        ask: AskId,
        why: &ClientError,
        again: bool,
    ) -> Result<Prompted, Report> {
        let looking = || self.client.get(KeyRole::Person, ask, None, Duration::ZERO);
        let seen = self.client.steady().call(looking).await?;
        if !seen.is_open() {
            let line = ended::line(&seen, language(self.environment));
            say(&self.said().too_late(line));
            return Ok(Prompted::Closed(Box::new(self.outcome(ask).await?)));
        }
        if seen.waits_for_others() {
            if again {
                // It had been taken in before the desk went away, and only its word of that was lost.
                return Ok(Prompted::Counted(Box::new(seen)));
            }
            say(self.said().answered_before());
            return Ok(Prompted::NotTaken);
        }
        say(&self.said().refused(why, ask));
        Ok(Prompted::NotTaken)
    }

    /// Returns the ask with its outcome, as the caller is told it.
    async fn outcome(&self, ask: AskId) -> Result<SeenAsk, Report> {
        match self.ended_soon(ask).await? {
            Waited::Closed(seen) => Ok(*seen),
            Waited::StillOpen => Err(Report::failed(self.said().not_ended(), None)),
        }
    }

    /// The deadline passed here; the desk says what that means.
    pub(super) async fn expired(&self, ask: AskId) -> Result<Prompted, Report> {
        match self.ended_soon(ask).await? {
            Waited::Closed(seen) => Ok(Prompted::Closed(seen)),
            Waited::StillOpen => Ok(Prompted::LeftOpen),
        }
    }

    async fn ended_soon(&self, ask: AskId) -> Result<Waited, ClientError> {
        self.client.wait(self.waits_as, ask, self.reply.as_deref(), Some(EXPIRES_WITHIN), |_| {}).await
    }
}
