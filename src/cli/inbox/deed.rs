//! What a person did to an ask, on its way to the desk until it arrives.

use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_core::outcome::{Ending, Outcome};
use tokio::time::sleep;

use super::errands::News;
use crate::client::error::ClientError;
use crate::client::keys::KeyFor;
use crate::client::seen::write_entries;
use crate::client::{Answered, Client, Hand};

/// The first pause before it is sent again, and the longest.
const AGAIN: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// What was done.
#[derive(Debug)]
pub(super) enum Deed {
    /// These asks, which ask the same, were answered; the answers name the questions of the first.
    Answered {
        /// The asks.
        asks: Vec<AskId>,
        /// The answers.
        answers: Answers,
        /// The same for the person.
        said: String,
    },
    /// An ask was declined.
    Declined {
        /// The ask.
        ask: AskId,
        /// Why.
        reason: Option<String>,
    },
}

impl Deed {
    /// Hands it in until the desk takes it or says no, and tells what became of it. While the desk is
    /// away it is sent again.
    pub(super) async fn carried_out(self, client: &Client) -> News {
        let mut pause = AGAIN.0;
        let mut n_tries = 1;
        loop {
            match self.hand_in(client).await {
                Ok(answered) => return self.arrived(answered),
                Err(error) if error.may_pass() => {
                    sleep(error.retry_after().unwrap_or(pause)).await;
                    pause = (pause * 2).min(AGAIN.1);
                    n_tries += 1;
                }
                Err(error) => return self.not_taken(client, error, n_tries).await,
            }
        }
    }

    fn asks(&self) -> Vec<AskId> {
        match self {
            Self::Answered { asks, .. } => asks.clone(),
            Self::Declined { ask, .. } => vec![*ask],
        }
    }

    async fn hand_in(&self, client: &Client) -> Result<Vec<Answered>, ClientError> {
        match self {
            Self::Answered { asks, answers, .. } => {
                let entries = answers.entries();
                let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
                match asks.as_slice() {
                    [ask] => client.answer(*ask, Hand::Terminal, body).await.map(|_| self.all_taken()),
                    asks => client.answer_many(asks, Hand::Terminal, body).await,
                }
            }
            Self::Declined { ask, reason } => {
                client.cancel(*ask, Hand::Terminal, reason.as_deref()).await.map(|_| self.all_taken())
            }
        }
    }

    fn all_taken(&self) -> Vec<Answered> {
        self.asks().into_iter().map(|ask| Answered { ask, refused: None }).collect()
    }

    fn arrived(self, answered: Vec<Answered>) -> News {
        match self {
            Self::Answered { said, .. } => News::Sent { answered, said },
            Self::Declined { ask, .. } => News::Declined(ask),
        }
    }

    /// Finds out what a refusal means: somebody else was first, or we ourselves were and the first
    /// reply was lost, or the desk said no.
    async fn not_taken(self, client: &Client, error: ClientError, n_tries: usize) -> News {
        let asks = self.asks();
        if n_tries > 1 && asks.len() == 1 && error.code() == Some("already_answered") {
            // It was we who answered, and the first reply was lost.
            let taken = self.all_taken();
            return self.arrived(taken);
        }
        let first = asks.first().filter(|_| error.code() == Some("already_closed"));
        let seen = match first {
            Some(ask) => client.get(KeyFor::Person, *ask, None, Duration::ZERO).await.ok(),
            None => None,
        };
        match seen {
            None => News::Refused { asks, why: error.to_string() },
            Some(seen) if n_tries > 1 && seen.outcome.as_ref().is_some_and(|it| self.is_how(it)) => {
                let taken = self.all_taken();
                self.arrived(taken)
            }
            Some(seen) => News::TooLate(Box::new(seen)),
        }
    }

    fn is_how(&self, outcome: &Outcome) -> bool {
        match self {
            Self::Answered { answers, .. } => outcome.answers.entries() == answers.entries(),
            Self::Declined { .. } => outcome.ending == Ending::Declined,
        }
    }
}
