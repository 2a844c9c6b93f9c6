//! Carries the nudges of one channel, on a task of its own with a bounded queue: a channel that is down,
//! slow or in a bad mood holds up nobody (invariant 13).

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::id::{AskId, UserId};
use futures_util::future::join_all;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use super::carrier::{Carrier, Retry, SendError};
use super::nudge::{Ended, Nudge};
use askuser_config::PersonPart;
use askuser_desk::{Desk, DeskError, NudgeKey, NudgeState, StoreError};
use askuser_system::backoff::Pauses;
use askuser_words::both;
use askuser_words::nudge::Undelivered;

/// Errands that wait for their turn; one more waits in the store for the next start.
pub(super) const QUEUE_MAX: usize = 256;
/// Errands that wait to be tried again.
const AGAIN_MAX: usize = 256;
/// How long one attempt may take, whatever the channel says.
const ATTEMPT_MAX: Duration = Duration::from_mins(1);
/// Asks of one message that are looked at once more after it was sent.
const LOOKED_AT_AGAIN_MAX: usize = 8;

/// Something to be done on a channel.
#[derive(Debug, Clone)]
pub(super) enum Errand {
    /// Send a nudge that was claimed.
    Send { nudge: Nudge, keys: Vec<NudgeKey> },
    /// Send one that waits since an earlier start.
    Resume { nudge: Nudge, keys: Vec<NudgeKey> },
    /// Take a message back.
    TakeBack { receipt: String, ended: Ended },
}

/// One channel of one person, and what it needs.
pub(super) struct Courier {
    pub(super) desk: Desk,
    pub(super) person: UserId,
    pub(super) channel: String,
    pub(super) rule: Arc<PersonPart>,
    pub(super) url: Option<String>,
    pub(super) carrier: Arc<dyn Carrier>,
    pub(super) pauses: Pauses,
}

/// An errand that is tried, perhaps again.
struct Try {
    errand: Errand,
    n_tried: usize,
    /// The secret of its link: made once, so that every attempt says the same.
    token: Option<String>,
    due: Instant,
}

impl Courier {
    /// Runs errands until it is told to stop. What waits then waits in the store.
    pub(super) async fn run(self, mut queue: mpsc::Receiver<Errand>, stop: CancellationToken) {
        let mut again: Vec<Try> = Vec::new();
        loop {
            let next = again.iter().map(|one| one.due).min();
            let soonest = async {
                match next {
                    Some(due) => tokio::time::sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            let one = tokio::select! {
                errand = queue.recv() => match errand {
                    Some(errand) => Try { errand, n_tried: 0, token: None, due: Instant::now() },
                    None => return,
                },
                () = soonest => match again.iter().position(|one| Some(one.due) == next) {
                    Some(place) => again.swap_remove(place),
                    None => continue,
                },
                () = stop.cancelled() => return self.wind_up(queue).await,
            };
            if let Some(one) = self.attempt(one).await {
                if again.len() < AGAIN_MAX {
                    again.push(one);
                } else {
                    warn!(
                        channel = self.channel,
                        "Too many messages wait for {}: one is not retried", self.channel
                    );
                }
            }
        }
    }

    /// What was not begun waits in the store for the next start; what is to be taken back is, once.
    async fn wind_up(&self, mut queue: mpsc::Receiver<Errand>) {
        queue.close();
        while let Some(errand) = queue.recv().await {
            match errand {
                Errand::Send { keys, .. } => {
                    self.move_all(&keys, NudgeState::Trying, NudgeState::Waiting).await;
                }
                Errand::Resume { .. } => {}
                taking_back @ Errand::TakeBack { .. } => {
                    let one = Try { errand: taking_back, n_tried: 0, token: None, due: Instant::now() };
                    drop(self.attempt(one).await);
                }
            }
        }
    }

    /// Tries once; returns what is to be tried again.
    async fn attempt(&self, mut one: Try) -> Option<Try> {
        if let Errand::Resume { nudge, keys } = &one.errand {
            one.errand = Errand::Send { nudge: nudge.clone(), keys: keys.clone() };
            one.n_tried = one.n_tried.max(1);
        }
        let tried = match &one.errand {
            Errand::Send { nudge, keys } => {
                let keys = if one.n_tried == 0 { keys.clone() } else { self.still_wanted(keys).await };
                if keys.is_empty() {
                    return None;
                }
                if one.token.is_none() {
                    one.token = self.token(nudge).await;
                }
                let tried = self.send(nudge, &keys, one.token.as_deref()).await;
                if let Err(trouble) = &tried {
                    let gives_up = self.gives_up(trouble, one.n_tried);
                    let to = if gives_up { NudgeState::Over } else { NudgeState::Waiting };
                    self.move_all(&keys, NudgeState::Trying, to).await;
                }
                tried
            }
            Errand::TakeBack { receipt, ended } => {
                self.within(self.carrier.take_back(given(receipt), ended)).await
            }
            Errand::Resume { .. } => Ok(()),
        };
        let trouble = tried.err()?;
        let (channel, person, why) = (&self.channel, &self.person, &trouble);
        if self.gives_up(&trouble, one.n_tried) {
            error!(channel, %person, "Gave up on {channel} of {person}: {why}");
            return None;
        }
        warn!(channel, %person, "{channel} of {person} failed and is retried: {why}");
        one.n_tried += 1;
        one.due = Instant::now() + trouble.again.no_sooner(self.pauses.after(one.n_tried));
        Some(one)
    }

    fn gives_up(&self, trouble: &SendError, n_tried: usize) -> bool {
        trouble.again == Retry::Never || n_tried >= self.pauses.count()
    }

    /// A link for the one ask of a nudge, where the person may answer it so.
    async fn token(&self, nudge: &Nudge) -> Option<String> {
        let [ask] = nudge.asks.as_slice() else { return None };
        // Without a link it is a nudge all the same.
        let made = self.desk.links().make(ask, &nudge.person, &self.channel).await.ok().flatten();
        made.map(|secret| secret.reveal().to_owned())
    }

    async fn send(&self, nudge: &Nudge, keys: &[NudgeKey], token: Option<&str>) -> Result<(), SendError> {
        let letter = nudge.write(&self.rule, self.url.as_deref(), token);
        let receipt = self.within(self.carrier.send(&letter)).await?;
        info!(channel = self.channel, nudge.id = nudge.id, "Notified {} by {}", self.person, self.channel);
        let noted = noted(&nudge.id, &receipt);
        let nudges = self.desk.nudges();
        let noting = keys.iter().map(|key| nudges.sent(key.clone(), noted.clone()));
        // Where the store is away it is not known to be over.
        let kept = join_all(noting).await.into_iter().map(|kept| kept.unwrap_or(true));
        let n_kept = kept.filter(|kept| *kept).count();
        if n_kept == 0 {
            // Every ask has ended while it was on its way.
            self.take_back(keys.first().map(|key| key.ask), &receipt).await;
            return Ok(());
        }
        for key in keys.iter().take(LOOKED_AT_AGAIN_MAX) {
            self.look_again(key.ask).await;
        }
        Ok(())
    }

    /// An ask that had ended before its nudge was claimed, by a hair; or the person had spoken.
    async fn look_again(&self, ask: AskId) {
        let Some(ask) = ask_once_readable(&self.desk, ask).await else { return };
        if ask.is_open() && !ask.hearing.has_heard(&self.person) {
            return;
        }
        // The other channels look for themselves.
        let (person, channel) = (self.person.clone(), Some(self.channel.clone()));
        let ended = self.desk.nudges().end_of(ask.id, person, channel).await;
        for one in ended.unwrap_or_default().into_iter().filter(|one| one.n_left == 0) {
            self.take_back(Some(ask.id), given(&one.receipt)).await;
        }
    }

    async fn take_back(&self, ask: Option<AskId>, receipt: &str) {
        let Some(ask) = ask else { return };
        let Some(ask) = ask_once_readable(&self.desk, ask).await else { return };
        let Some(ended) = ended(&ask, &self.person, &self.rule) else { return };
        if let Err(trouble) = self.within(self.carrier.take_back(receipt, &ended)).await {
            warn!(channel = self.channel, "A message could not be removed: {trouble}");
        }
    }

    async fn within<T>(&self, doing: impl Future<Output = Result<T, SendError>>) -> Result<T, SendError> {
        let late = |_| SendError::later(both(|say: Undelivered| say.late(ATTEMPT_MAX.as_secs())));
        tokio::time::timeout(ATTEMPT_MAX, doing).await.map_err(late)?
    }

    /// Takes those on again that still wait; their asks are open, and nobody else has them.
    async fn still_wanted(&self, keys: &[NudgeKey]) -> Vec<NudgeKey> {
        self.move_all(keys, NudgeState::Waiting, NudgeState::Trying).await
    }

    async fn move_all(&self, keys: &[NudgeKey], from: NudgeState, to: NudgeState) -> Vec<NudgeKey> {
        let nudges = self.desk.nudges();
        let moved = join_all(keys.iter().map(|key| nudges.move_on(key.clone(), from, to))).await;
        let moved = keys.iter().zip(moved).filter(|(_, moved)| matches!(moved, Ok(true)));
        moved.map(|(key, _)| key.clone()).collect()
    }
}

/// Reads an ask, as soon as the store can: one that cannot be read just now is not gone. None where it is
/// not there, is damaged, or the desk closes.
pub(super) async fn ask_once_readable(desk: &Desk, ask: AskId) -> Option<Arc<Ask>> {
    let stopping = desk.stopping();
    loop {
        match desk.across_users().ask(ask).await {
            Ok(ask) => return ask,
            Err(error @ DeskError::Store(StoreError::Damaged(_))) => {
                warn!("{ask} cannot be read, so nobody is notified of it: {error}");
                return None;
            }
            Err(_) => tokio::select! {
                () = tokio::time::sleep(Pauses::OF_THE_STORE.after(1)) => {}
                () = stopping.cancelled() => return None,
            },
        }
    }
}

/// A receipt as it is kept: with the name of our message, which tells two apart that a service, or a
/// program, calls the same.
fn noted(id: &str, receipt: &str) -> String {
    format!("{id}\t{receipt}")
}

/// What the service called it.
fn given(noted: &str) -> &str {
    noted.split_once('\t').map_or(noted, |(_, receipt)| receipt)
}

/// How an ask ended, or what its person said to it, in the person's words; none where it is open to them.
pub(super) fn ended(ask: &Ask, person: &UserId, rule: &PersonPart) -> Option<Ended> {
    if let Some(outcome) = ask.state.outcome() {
        return Some(Ended::of(ask, outcome, rule.language));
    }
    let voice = ask.hearing.voices.iter().find(|voice| voice.user == *person);
    voice.map(|voice| Ended::heard(ask, voice, rule.language))
}
