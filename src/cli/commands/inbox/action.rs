//! What a person did to an ask, on its way to the desk until it arrives.

use std::time::Duration;

use askuser_core::answer::Answers;
use askuser_core::id::AskId;
use askuser_core::outcome::{Ending, Outcome};

use super::background::News;
use askuser_client::error::ClientError;
use askuser_client::seen::{SeenAsk, write_entries};
use askuser_client::{Answered, Client, Via};
use askuser_core::command::KeyRole;
use askuser_wire::failure::Code;

/// What the desk took.
enum Taken {
    /// What was done to each ask.
    All(Vec<Answered>),
    /// An ask stands like this now.
    Standing(Box<SeenAsk>),
}

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
    /// An ask was answered by one press.
    Held {
        /// The ask.
        ask: AskId,
        /// The answers.
        answers: Answers,
        /// The same for the person.
        said: String,
    },
    /// An answer by one press was taken back.
    TakenBack(AskId),
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
        let mut steady = client.steady();
        match steady.call(|| self.hand_in(client)).await {
            Ok(Taken::All(answered)) => self.arrived(answered),
            Ok(Taken::Standing(seen)) => News::Held(seen),
            Err(error) => self.not_taken(client, error, steady.was_repeated()).await,
        }
    }

    fn asks(&self) -> Vec<AskId> {
        match self {
            Self::Answered { asks, .. } => asks.clone(),
            Self::Declined { ask, .. } | Self::Held { ask, .. } | Self::TakenBack(ask) => vec![*ask],
        }
    }

    async fn hand_in(&self, client: &Client) -> Result<Taken, ClientError> {
        match self {
            Self::Answered { asks, answers, .. } => {
                let entries = answers.entries();
                let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
                let answered = match asks.as_slice() {
                    [ask] => client.answer(*ask, Via::Terminal, body).await.map(|_| self.all_taken()),
                    asks => client.answer_many(asks, Via::Terminal, body).await,
                };
                answered.map(Taken::All)
            }
            Self::Held { ask, answers, .. } => {
                let entries = answers.entries();
                let body = write_entries(entries.iter().map(|(id, entry)| (id, entry)));
                let seen = client.hold(*ask, Via::Terminal, body).await?;
                // Where nothing is held, it is answered at once.
                let is_held = seen.held_here().is_some();
                Ok(if is_held { Taken::Standing(Box::new(seen)) } else { Taken::All(self.all_taken()) })
            }
            Self::TakenBack(ask) => {
                client.take_back(*ask, Via::Terminal).await.map(|seen| Taken::Standing(Box::new(seen)))
            }
            Self::Declined { ask, reason } => client
                .cancel(*ask, Via::Terminal, reason.as_deref())
                .await
                .map(|_| Taken::All(self.all_taken())),
        }
    }

    fn all_taken(&self) -> Vec<Answered> {
        self.asks().into_iter().map(|ask| Answered { ask, refused: None }).collect()
    }

    fn arrived(self, answered: Vec<Answered>) -> News {
        match self {
            Self::Answered { said, .. } | Self::Held { said, .. } => News::Sent { answered, said },
            Self::TakenBack(ask) => News::Refused { asks: vec![ask], why: None },
            Self::Declined { ask, .. } => News::Declined(ask),
        }
    }

    /// Finds out what a refusal means: somebody else was first, or we ourselves were and the first
    /// reply was lost, or the desk said no.
    async fn not_taken(self, client: &Client, error: ClientError, was_repeated: bool) -> News {
        let asks = self.asks();
        if was_repeated && asks.len() == 1 && error.code() == Some(Code::AlreadyAnswered) {
            // It was we who answered, and the first reply was lost.
            let taken = self.all_taken();
            return self.arrived(taken);
        }
        let is_undo = matches!(self, Self::TakenBack(_));
        let first = asks.first().filter(|_| is_undo || error.code() == Some(Code::AlreadyClosed));
        let seen = match first {
            Some(ask) => client.get(KeyRole::Person, *ask, None, Duration::ZERO).await.ok(),
            None => None,
        };
        match seen {
            Some(seen) if matches!(self, Self::TakenBack(_)) => News::NotTakenBack(Box::new(seen)),
            None => News::Refused { asks, why: Some(error) },
            Some(seen) if was_repeated && seen.outcome.as_ref().is_some_and(|it| self.is_how(it)) => {
                let taken = self.all_taken();
                self.arrived(taken)
            }
            Some(seen) => News::TooLate(Box::new(seen)),
        }
    }

    fn is_how(&self, outcome: &Outcome) -> bool {
        match self {
            Self::Answered { answers, .. } | Self::Held { answers, .. } => {
                outcome.answers.entries() == answers.entries()
            }
            Self::Declined { .. } => outcome.ending == Ending::Declined,
            Self::TakenBack(_) => false,
        }
    }
}
