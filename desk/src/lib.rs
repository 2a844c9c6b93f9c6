//! Ask, wait, close: the only place that changes an ask.
//!
//! The order never changes: load → decide → write → tell. The first three are one transaction in
//! the store; the desk owns what lives in memory: who waits, who listens, which deadline is next.
//! Nothing is told before it is committed (invariant 2).

#![forbid(unsafe_code)]

pub mod archive;
mod error;
mod ids;
mod bulletin;
mod settings;
mod observer;
mod session_names;
mod people;
mod asking;
mod dialog;
mod waiting;
mod listening;
mod past;
mod history;
mod timing;
mod delivering;
mod restoring;
mod access;
mod browsers;
mod own_keys;
mod answer_links;
mod viewers;
mod web_push;
mod log;
mod ruling;
mod files;
mod confirming;
mod replicas;
mod across_users;
mod nudges;
mod audit;
mod tasks;
mod short_ids;

use std::sync::Arc;
use std::time::Duration;

use askuser_core::alike::carried_over;
use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command};
use askuser_core::deadline::urgent_first;
use askuser_core::decide::Refusal;
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId, SessionId};
use askuser_core::session::Session;
use askuser_core::time::Timestamp;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use askuser_store::audit::address;
use askuser_store::{Committed, Order, SessionRef, Store};

pub use access::{Access, Caller, Secret};
pub use across_users::AcrossUsers;
pub use answer_links::{ANSWER_LINK_FOR, AnswerLinks, LinkError, LinkRefusal, Linked, Misuse};
pub use asking::{Asked, Request};
pub use askuser_config::rules::made::MadeRule;
pub use askuser_store::audit::from_address;
pub use askuser_store::chain::Broken;
pub use askuser_store::nudges::{EndedNudge, NudgeKey, NudgeRow, NudgeState};
pub use askuser_store::pushes::Browser;
pub use askuser_store::{
    BrowserId, Difference, IdsOf, KeyId, KeyRole, Numbered, Present, SecurityEvent, Served, Severity,
    SignedIn, StoreError, Subject, Than, User, Verified,
};
pub use audit::{Audit, Walked};
pub use browsers::{BROWSER_NAME_CHARS_MAX, COOKIE_FOR, LINK_FOR, proof_of};
pub use confirming::ConfirmableRule;
pub use error::DeskError;
pub use files::{FileDigest, RulesByHand, RulesFile};
pub use history::{HistoryPage, HistoryQuery};
pub use ids::Ids;
pub use listening::{Listener, Update};
pub use nudges::Nudges;
pub use observer::{Observed, Observer, on_path};
pub use own_keys::NoOwnKey;
pub use people::Groups;
pub use replicas::Replicas;
pub use restoring::{Checkpoint, Point, Restored};
pub use ruling::NoRule;
pub use settings::{Defaults, Notice, Settings};
pub use short_ids::{Kind as IdKind, Thing, Things};
pub use viewers::Viewers;
pub use waiting::{Lease, Waited, WhenLeft};
pub use web_push::{NotABrowser, PushKey, PushRule, Subscription};

/// How many of a thing one list shows at most.
pub const LIST_MAX: usize = 10_000;

/// Reads the clock of the wall.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The one place that takes asks in and closes them. Cloning it is cheap.
#[derive(Clone)]
pub struct Desk(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    bulletin: Arc<bulletin::Bulletin>,
    clock: Clock,
    ids: Ids,
    stopping: CancellationToken,
    tasks: TaskTracker,
    known_keys: access::KnownKeys,
    own_keys: own_keys::OneAtATime,
    deliveries: delivering::Deliveries,
    rules: files::Rules,
    pasts: past::Pasts,
    subscribers: Arc<replicas::Subscribers>,
    settings: parking_lot::RwLock<Arc<Settings>>,
    viewers: Arc<Viewers>,
    session_names: session_names::SessionNames,
    restoring: tokio::sync::Mutex<()>,
    web_push: web_push::WebPush,
}

impl Desk {
    /// Opens the desk over a store: deadlines that passed meanwhile close as expired, and from now
    /// on nothing waits longer than it should.
    pub async fn open(store: Arc<dyn Store>, clock: Clock) -> Result<Self, DeskError> {
        let bulletin = Arc::new(bulletin::Bulletin::new(store.head().await?.number));
        let posted = Arc::clone(&bulletin);
        store.tell(Arc::new(move |facts| posted.post(&facts)));
        let subscribers = Arc::new(replicas::Subscribers::default());
        let received = Arc::clone(&subscribers);
        store.overhear(Arc::new(move |message| received.receive(message)));
        let stopping = CancellationToken::new();
        let tasks = TaskTracker::new();
        let desk = Self(Arc::new(Inner {
            store,
            bulletin,
            clock,
            ids: Ids::default(),
            stopping,
            tasks,
            known_keys: access::KnownKeys::default(),
            own_keys: own_keys::OneAtATime::default(),
            deliveries: delivering::Deliveries::default(),
            rules: files::Rules::default(),
            pasts: past::Pasts::default(),
            subscribers,
            settings: parking_lot::RwLock::default(),
            viewers: Arc::default(),
            session_names: session_names::SessionNames::default(),
            restoring: tokio::sync::Mutex::default(),
            web_push: web_push::WebPush::default(),
        }));
        desk.expire_due().await?;
        desk.0.tasks.spawn(timing::keep_time(desk.clone()));
        desk.0.tasks.spawn(timing::sweep_sessions(desk.clone()));
        desk.0.tasks.spawn(delivering::note_deliveries(desk.clone()));
        Ok(desk)
    }

    /// Stops taking asks in, tells whoever waits to come back, and flushes everything.
    pub async fn close(&self) -> Result<(), DeskError> {
        self.0.stopping.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
        Ok(self.0.store.close().await?)
    }

    /// Returns what is cancelled when the desk closes.
    pub fn stopping(&self) -> CancellationToken {
        self.0.stopping.clone()
    }

    #[cfg(test)]
    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// Returns the clock of the wall.
    pub fn clock(&self) -> Clock {
        Arc::clone(&self.0.clock)
    }

    /// Returns the time now.
    pub fn now(&self) -> Timestamp {
        (self.0.clock)()
    }

    /// Returns the number of the latest fact: whoever reads now and listens after it misses nothing.
    pub fn head(&self) -> u64 {
        self.0.bulletin.head()
    }

    /// Returns an ask that this actor may see.
    pub async fn ask_of(&self, actor: &Actor, id: AskId) -> Result<Arc<Ask>, DeskError> {
        let ask = self.0.store.ask(id).await?;
        let others = ask.as_ref().filter(|ask| !actor.may_see_ask(ask));
        self.trespass(actor, others.map(|ask| &ask.owner));
        let seen = ask.filter(|ask| actor.may_see_ask(ask)).map(|ask| people::seen_by(actor, ask));
        self.viewed(actor, seen.iter());
        seen.ok_or(DeskError::Refused(Refusal::AskNotFound))
    }

    /// Returns the open asks that wait for the actor's user: the urgent first, then the oldest.
    pub async fn inbox(&self, actor: &Actor) -> Result<Vec<Arc<Ask>>, DeskError> {
        Ok(self.inbox_upto(actor, LIST_MAX).await?.0)
    }

    /// Returns so many of them at most, and whether there may be more.
    pub async fn inbox_upto(&self, actor: &Actor, most: usize) -> Result<(Vec<Arc<Ask>>, bool), DeskError> {
        let asks = self.0.store.inbox(&actor.user, most).await?;
        let is_cut = asks.len() == most;
        Ok((self.waiting_for(actor, asks), is_cut))
    }

    /// Returns those of a session that wait for this actor, in the order of asking.
    pub async fn open_in(&self, actor: &Actor, session: SessionId) -> Result<Vec<Arc<Ask>>, DeskError> {
        let mut asks = self.0.store.open_in(session).await?;
        asks.retain(|ask| actor.may_see(&ask.owner));
        Ok(self.waiting_for(actor, asks))
    }

    fn waiting_for(&self, actor: &Actor, asks: Vec<Arc<Ask>>) -> Vec<Arc<Ask>> {
        let asks = asks.into_iter().filter(|ask| ask.waits_for(&actor.user));
        let mut asks: Vec<_> = asks.map(|ask| people::seen_by(actor, ask)).collect();
        urgent_first(&mut asks, self.now());
        self.viewed(actor, asks.iter());
        asks
    }

    /// Returns a session that this actor may see, by our id or by the agent's own.
    pub async fn session(&self, actor: &Actor, name: &str) -> Result<Session, DeskError> {
        let found = match name.parse::<SessionId>() {
            Ok(id) => self.0.store.session(id).await?,
            Err(_) => self.0.store.session_named(&actor.user, name).await?,
        };
        self.trespass(actor, found.as_ref().map(|session| &session.owner));
        let seen = found.filter(|session| actor.may_see(&session.owner));
        Ok(self.as_of_now(seen.ok_or(DeskError::Refused(Refusal::SessionNotFound))?).await)
    }

    /// Keeps a half-filled sheet.
    pub async fn save(
        &self,
        actor: &Actor,
        ask: AskId,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::Save { ask, entries }).await
    }

    /// Answers the whole ask.
    pub async fn answer(
        &self,
        actor: &Actor,
        ask: AskId,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::Answer { ask, entries }).await
    }

    /// Gives the answers to one ask to another; none where that asks something else.
    pub async fn answer_alike(
        &self,
        actor: &Actor,
        answered: &Ask,
        entries: &[(QuestionId, Entry)],
        other: AskId,
    ) -> Result<Option<Arc<Ask>>, DeskError> {
        let other = self.ask_of(actor, other).await?;
        match carried_over(answered, &other, entries) {
            Some(entries) => self.answer(actor, other.id, entries).await.map(Some),
            None => Ok(None),
        }
    }

    /// Answers the whole ask by one press, which can be taken back for as long as the settings say.
    pub async fn hold(
        &self,
        actor: &Actor,
        ask: AskId,
        entries: Vec<(QuestionId, Entry)>,
    ) -> Result<Arc<Ask>, DeskError> {
        let grace = self.defaults().undo_for;
        if grace.is_zero() {
            return self.answer(actor, ask, entries).await;
        }
        self.on_ask(actor, ask, Command::Hold { ask, entries, grace }).await
    }

    /// Takes back an answer that is held.
    pub async fn take_back(&self, actor: &Actor, ask: AskId) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::TakeBack { ask }).await
    }

    /// Answers one question of a session (P8); of the ask that is meant, where one is.
    pub async fn answer_one(
        &self,
        actor: &Actor,
        session: SessionId,
        meant: Option<AskId>,
        question: QuestionId,
        entry: Entry,
    ) -> Result<Arc<Ask>, DeskError> {
        let command = Command::AnswerOne { ask: meant, question, entry };
        let committed = self.carry_out(actor, SessionRef::Id(session), command).await?;
        let ask = committed.ask.map(|ask| people::seen_by(actor, ask));
        ask.ok_or(DeskError::Refused(Refusal::AskNotFound))
    }

    /// Says no for the person.
    pub async fn decline(
        &self,
        actor: &Actor,
        ask: AskId,
        reason: Option<String>,
    ) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::Decline { ask, reason }).await
    }

    /// Takes an ask back.
    pub async fn withdraw(&self, actor: &Actor, ask: AskId) -> Result<Arc<Ask>, DeskError> {
        self.withdraw_because(actor, ask, None).await
    }

    /// Takes an ask back and says why, to whoever sees it close.
    pub async fn withdraw_because(
        &self,
        actor: &Actor,
        ask: AskId,
        reason: Option<String>,
    ) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::Withdraw { ask, reason }).await
    }

    /// Notes that the asker went on.
    pub async fn acknowledge(&self, actor: &Actor, ask: AskId) -> Result<Arc<Ask>, DeskError> {
        self.on_ask(actor, ask, Command::Acknowledge { ask }).await
    }

    /// Asks an ended ask anew (P13); returns the new one.
    pub async fn reopen(&self, actor: &Actor, ask: AskId) -> Result<Arc<Ask>, DeskError> {
        let as_new = self.0.ids.ask(self.now());
        self.on_ask(actor, ask, Command::Reopen { ask, as_new }).await
    }

    async fn on_ask(&self, actor: &Actor, ask: AskId, command: Command) -> Result<Arc<Ask>, DeskError> {
        let committed = self.carry_out(actor, SessionRef::OfAsk(ask), command).await?;
        let ask = committed.ask.map(|ask| people::seen_by(actor, ask));
        ask.ok_or(DeskError::Refused(Refusal::AskNotFound))
    }

    /// Carries out a command. The first to commit wins; a later one learns what it lost to.
    async fn carry_out(
        &self,
        actor: &Actor,
        session: SessionRef,
        command: Command,
    ) -> Result<Committed, DeskError> {
        self.check_dialog(actor)?;
        // What a person says is part of their past, whichever way they said it.
        let is_said =
            matches!(command, Command::Answer { .. } | Command::AnswerOne { .. } | Command::Decline { .. });
        let is_due = matches!(command, Command::Expire { .. });
        // What these commands do shows nobody anything that rules would be looked up for.
        let shows_nothing = matches!(
            command,
            Command::Save { .. }
                | Command::Hold { .. }
                | Command::TakeBack { .. }
                | Command::Deliver { .. }
                | Command::Acknowledge { .. }
                | Command::Tell { .. }
        );
        let order = Order { actor: actor.clone(), session, command, now: self.now() };
        let committed = if shows_nothing || !self.rules_may_apply() {
            self.commit(order).await
        } else {
            self.see_through(order).await
        };
        if is_said {
            self.0.pasts.forget(&actor.user);
        }
        // A held answer becomes final at its time, and is its person's all the same.
        let closed =
            committed.iter().filter(|_| is_due).filter_map(|done| done.ask.as_ref()?.state.outcome());
        closed.filter_map(|outcome| outcome.by.user.as_ref()).for_each(|user| self.0.pasts.forget(user));
        committed
    }

    /// Carries out a command to its end, also where whoever wanted it goes away meanwhile: an ask that was
    /// shown without a look at the rules would wait for a person whose rule was to answer it.
    async fn see_through(&self, order: Order) -> Result<Committed, DeskError> {
        let (desk, address) = (self.clone(), address());
        let carrying = async move { desk.commit(order).await };
        match self.0.tasks.spawn(from_address(address, carrying)).await {
            Ok(committed) => committed,
            Err(ended) => match ended.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_stopped) => Err(DeskError::Closing),
            },
        }
    }

    async fn commit(&self, order: Order) -> Result<Committed, DeskError> {
        let mut committed = self.0.store.commit(order).await?;
        log::committed(&committed);
        self.apply_rules(&mut committed).await;
        Ok(committed)
    }
}

/// The longest a caller may wait in one go; then it comes back by id.
pub const PATIENCE_MAX: Duration = Duration::from_hours(24);

#[cfg(test)]
pub(crate) mod tests;
