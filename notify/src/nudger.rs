//! Listens to what happens at the desk, has the minders decide, and hands what is to be done to the
//! couriers. It never waits for a channel.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::{Ask, State};
use askuser_core::fact::Fact;
use askuser_core::hearing::Held;
use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use futures_util::FutureExt;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{error, warn};

use super::courier::{Courier, Errand, QUEUE_MAX, ask_once_readable, ended};
use super::minder::{Deed, Minder, Why};
use super::nudge::Nudge;
use super::waiting::{came_later, reached_at, told_before};
use super::{Replies, Settings, make_carrier};
use askuser_config::PersonPart;
use askuser_desk::{Desk, Listener, NudgeKey, NudgeRow, NudgeState, Numbered, Update};
use askuser_system::backoff::Pauses;

/// The wall clock may jump while we sleep by the other one: look at least this often.
pub(super) const LOOK_EVERY: Duration = Duration::from_secs(20);
/// How long channels may take to finish what they are at, when they are stopped.
pub(super) const CLOSE_MAX: Duration = Duration::from_secs(5);
/// Asks read from the store in one go.
pub(super) const PAGE: usize = 256;

/// A channel of a person.
pub(super) type Place = (UserId, String);
/// The way to a courier.
type Queue = mpsc::Sender<Errand>;

/// Everything under one configuration.
pub(super) struct Nudger {
    pub(super) desk: Desk,
    pub(super) rules: BTreeMap<UserId, Arc<PersonPart>>,
    minders: HashMap<UserId, Minder>,
    couriers: HashMap<Place, Queue>,
    look_every: Duration,
}

/// Runs until it is stopped or the desk closes, under each configuration that comes.
pub(super) async fn run(
    desk: Desk,
    mut settings: watch::Receiver<Arc<Settings>>,
    in_force: watch::Sender<Option<u64>>,
    stop: CancellationToken,
) {
    loop {
        let now = Arc::clone(&settings.borrow_and_update());
        let (of_these, tasks) = (stop.child_token(), TaskTracker::new());
        let following = async {
            if now.notify.people.is_empty() {
                in_force.send_replace(Some(now.edition));
                return settings.changed().await.is_ok();
            }
            let mut nudger = Nudger::start(&desk, &now, &of_these, &tasks);
            let mut listener = nudger.begin().await;
            in_force.send_replace(Some(now.edition));
            nudger.follow(&mut listener, &mut settings).await
        };
        let goes_on = tokio::select! {
            goes_on = following => goes_on,
            () = stop.cancelled() => false,
            () = desk.stopping().cancelled_owned() => false,
        };
        of_these.cancel();
        tasks.close();
        // What hangs is not waited for: it is noted as being tried, and not sent twice.
        let _finished = tokio::time::timeout(CLOSE_MAX, tasks.wait()).await;
        if !goes_on {
            return;
        }
    }
}

impl Nudger {
    fn start(desk: &Desk, settings: &Settings, stop: &CancellationToken, tasks: &TaskTracker) -> Self {
        let people = settings.notify.people.iter();
        let rules: BTreeMap<UserId, Arc<PersonPart>> =
            people.map(|(name, part)| (UserId::from(name.as_str()), Arc::new(part.clone()))).collect();
        let mut couriers = HashMap::new();
        for (person, rule) in &rules {
            for (channel, part) in &rule.channels {
                let replies = Replies {
                    desk: desk.clone(),
                    person: person.clone(),
                    channel: channel.clone(),
                    language: rule.language,
                };
                let carrier = match make_carrier(settings, part, desk.clock(), Some(replies)) {
                    Ok(carrier) => carrier,
                    Err(why) => {
                        error!(channel, %person, "The channel {channel} of {person} is not used: {}", why.english);
                        continue;
                    }
                };
                let (queue, errands) = mpsc::channel(QUEUE_MAX);
                let courier = Courier {
                    desk: desk.clone(),
                    person: person.clone(),
                    channel: channel.clone(),
                    rule: Arc::clone(rule),
                    url: settings.notify.url.clone(),
                    carrier: Arc::clone(&carrier),
                    pauses: settings.pauses,
                };
                tasks.spawn(courier.run(errands, stop.clone()));
                let until = stop.clone();
                tasks.spawn(async move {
                    if let Some(listening) = carrier.listen() {
                        tokio::select! { () = listening => {}, () = until.cancelled() => {} }
                    }
                });
                couriers.insert((person.clone(), channel.clone()), queue);
            }
        }
        Self { desk: desk.clone(), rules, minders: HashMap::new(), couriers, look_every: settings.look_every }
    }

    /// Follows what happens; true where another configuration has come.
    async fn follow(
        &mut self,
        listener: &mut Listener,
        settings: &mut watch::Receiver<Arc<Settings>>,
    ) -> bool {
        loop {
            let next = self.look().await;
            let wait = next.map_or(self.look_every, |next| next.since(self.desk.now()).min(self.look_every));
            tokio::select! {
                told = listener.next() => match told {
                    Ok(Update::Fact(fact)) => {
                        self.take(&fact).await;
                        self.take_more(listener).await;
                    }
                    Ok(Update::Closing) => return false,
                    Err(_) => tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await,
                },
                changed = settings.changed() => return changed.is_ok(),
                // Clocks of the wall are coarser than those of the runtime.
                () = tokio::time::sleep(wait + Duration::from_millis(1)) => {}
            }
        }
    }

    /// Takes what has happened by now as well, so that a burst is looked at as one.
    async fn take_more(&mut self, listener: &mut Listener) {
        for _ in 0..PAGE {
            match listener.next().now_or_never() {
                Some(Ok(Update::Fact(fact))) => self.take(&fact).await,
                // The next round hears the rest.
                _ => return,
            }
        }
    }

    /// Minds an ask for each person whom it waits for; `rows` is what was told of it before.
    pub(super) fn mind(&mut self, ask: &Ask, shown_at: Timestamp, rows: &[NudgeRow]) {
        if ask.state != State::Showing {
            return;
        }
        for person in self.rules.keys().filter(|person| ask.waits_for(person)) {
            let since = reached_at(ask, person, shown_at);
            let minder = self.minders.entry(person.clone()).or_default();
            minder.opened(ask.id, since, told_before(ask, person, rows));
        }
    }

    /// Whether somebody who is told of asks is concerned by a fact.
    fn concerns(&self, numbered: &Numbered) -> bool {
        match &numbered.people {
            None => self.rules.contains_key(&numbered.owner),
            Some(people) => self.rules.keys().any(|person| people.has(person)),
        }
    }

    async fn take(&mut self, numbered: &Numbered) {
        match numbered.fact.as_deref() {
            // Whoever is shown it as well is told of it as if it had just come.
            Some(Fact::Shown { ask } | Fact::Escalated { ask }) if self.concerns(numbered) => {
                if let Some(found) = ask_once_readable(&self.desk, *ask).await {
                    self.mind(&found, numbered.at, &[]);
                }
            }
            Some(Fact::Saved { ask, by, .. } | Fact::Held { ask, held: Held { by, .. } }) => {
                if let Some(user) = &by.user {
                    self.desk.viewers().note(*ask, user, self.desk.now(), false);
                }
            }
            Some(Fact::Heard { ask, voice }) if self.rules.contains_key(&voice.user) => {
                let told = self.minders.get_mut(&voice.user).is_some_and(|minder| minder.closed(*ask));
                // Another replica may have told of it.
                if told || self.desk.replicas().may_be() {
                    self.end(*ask, Some(&voice.user)).await;
                }
            }
            Some(Fact::Closed { ask, .. }) if self.concerns(numbered) => {
                // Every minder forgets it. Who has spoken is forgotten already, and whom they had told is not.
                let n_told = self.minders.values_mut().filter_map(|minder| minder.closed(*ask).then_some(()));
                if n_told.count() > 0 || numbered.people.is_some() || self.desk.replicas().may_be() {
                    self.end(*ask, None).await;
                }
            }
            _ => {}
        }
    }

    /// Takes back what was told of an ask that has ended, or what one person was told who has spoken.
    pub(super) async fn end(&self, ask: AskId, person: Option<&UserId>) {
        // Before anything is noted as over: what is noted and cannot be read is never taken back.
        let Some(ended_ask) = ask_once_readable(&self.desk, ask).await else { return };
        let told = match person {
            Some(person) => self.desk.nudges().end_of(ask, person.clone(), None).await,
            None => self.desk.nudges().end(ask).await,
        };
        let told = match told {
            Ok(told) if told.is_empty() => return,
            Ok(told) => told,
            Err(error) => {
                return warn!("The notifications of {ask} are removed after the next start: {error}");
            }
        };
        for one in told.into_iter().filter(|one| one.n_left == 0) {
            let Some(rule) = self.rules.get(&one.key.person) else { continue };
            let Some(ended) = ended(&ended_ask, &one.key.person, rule) else { continue };
            self.hand(&one.key.person, &one.key.channel, Errand::TakeBack { receipt: one.receipt, ended });
        }
    }

    /// Has every minder look; returns when to look again.
    async fn look(&mut self) -> Option<Timestamp> {
        let (now, viewers) = (self.desk.now(), self.desk.viewers());
        let mut todo = Vec::new();
        let mut next: Option<Timestamp> = None;
        self.minders.retain(|_, minder| !minder.is_idle());
        for (person, minder) in &mut self.minders {
            let Some(rule) = self.rules.get(person) else { continue };
            let (deeds, again) = minder.look(rule, now, |ask| viewers.has(ask, person, now));
            next = next.into_iter().chain(again).min();
            todo.extend(deeds.into_iter().map(|deed| (person.clone(), deed)));
        }
        for (person, deed) in todo {
            match deed {
                Deed::Seen(ask, step) => {
                    let key = NudgeKey { ask, person, step, channel: String::new() };
                    // Where this fails, they may be nudged after a restart for what they saw.
                    let _noted = self.claim(&key, NudgeState::Over).await;
                }
                Deed::Nudge { why, asks } => self.nudge(&person, why, &asks).await,
            }
        }
        next
    }

    async fn claim(&self, key: &NudgeKey, state: NudgeState) -> bool {
        let claimed = self.desk.nudges().claim(key.clone(), state).await;
        claimed.unwrap_or_else(|error| {
            warn!("A notification could not be recorded, so it is not sent: {error}");
            false
        })
    }

    /// Claims a nudge for each channel that it is for, and hands it over.
    async fn nudge(&self, minded: &UserId, why: Why, asks: &[(AskId, u32)]) {
        let mut open = Vec::new();
        for (ask, step) in asks {
            if let Some(ask) = ask_once_readable(&self.desk, *ask).await
                && ask.waits_for(minded)
            {
                open.push((ask, *step));
            }
        }
        let targets = self.targets(minded, why);
        let is_passed_on = why == Why::New && open.iter().all(|(ask, _)| came_later(ask, minded));
        let why = if is_passed_on { Why::Escalation } else { why };
        for (person, channel) in targets {
            let keys = open.iter().map(|(ask, step)| {
                let key =
                    NudgeKey { ask: ask.id, person: person.clone(), step: *step, channel: channel.clone() };
                (key, Arc::clone(ask))
            });
            let claims = keys.map(|(key, ask)| async move {
                self.claim(&key, NudgeState::Trying).await.then_some((key, ask))
            });
            let claimed = futures_util::future::join_all(claims).await.into_iter().flatten();
            let (keys, asks): (Vec<_>, Vec<_>) = claimed.unzip();
            if !keys.is_empty() {
                let nudge = nudge(why, &person, asks, &keys);
                if !self.hand(&person, &channel, Errand::Send { nudge, keys: keys.clone() }) {
                    self.put_off(&keys).await;
                }
            }
        }
    }

    /// The channels that are for this.
    fn targets(&self, owner: &UserId, why: Why) -> Vec<(UserId, String)> {
        let Some(rule) = self.rules.get(owner) else { return Vec::new() };
        let usual = |person: &UserId, rule: &PersonPart| {
            let kept = rule.escalate.as_ref().map(|escalate| escalate.channels.clone()).unwrap_or_default();
            let names = rule.channels.keys().filter(|name| !kept.contains(name));
            names.map(|name| (person.clone(), name.clone())).collect::<Vec<_>>()
        };
        let Some(escalate) = rule.escalate.as_ref().filter(|_| why == Why::Escalation) else {
            return self.there(usual(owner, rule).into_iter());
        };
        let own = escalate.channels.iter().map(|name| (owner.clone(), name.clone()));
        let to = escalate.to.as_deref().map(UserId::from);
        let theirs = to.and_then(|to| self.rules.get(&to).map(|rule| usual(&to, rule)));
        self.there(own.chain(theirs.into_iter().flatten()))
    }

    /// Those that can be used.
    fn there(&self, channels: impl Iterator<Item = (UserId, String)>) -> Vec<(UserId, String)> {
        channels.filter(|place| self.couriers.contains_key(place)).collect()
    }

    /// Hands an errand to its courier; false where it cannot take it.
    pub(super) fn hand(&self, person: &UserId, channel: &str, errand: Errand) -> bool {
        let queue = self.couriers.get(&(person.clone(), channel.to_owned()));
        let taken = queue.is_some_and(|queue| queue.try_send(errand).is_ok());
        if !taken {
            warn!(channel, %person, "{channel} of {person} is overloaded");
        }
        taken
    }

    /// What no courier takes waits for the next start.
    async fn put_off(&self, keys: &[NudgeKey]) {
        for key in keys {
            let moved =
                self.desk.nudges().move_on(key.clone(), NudgeState::Trying, NudgeState::Waiting).await;
            if let Err(error) = moved {
                warn!("A notification was lost: {error}");
            }
        }
    }
}

/// A nudge with its name: that of its first ask and step, for this channel.
pub(super) fn nudge(why: Why, person: &UserId, asks: Vec<Arc<Ask>>, keys: &[NudgeKey]) -> Nudge {
    let id = keys.first().map(|key| format!("nudge_{}_{}_{}", key.ask, key.step, key.channel));
    Nudge { id: id.unwrap_or_default(), why, person: person.clone(), asks }
}
