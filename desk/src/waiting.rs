//! Waiting for an outcome: misses nothing, survives anything.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::id::AskId;

use super::{Desk, DeskError, PATIENCE_MAX};
use askuser_store::waits::uncounted;

/// Open asks that are looked through at once.
const PAGE: usize = 1000;

/// What came of waiting.
#[derive(Debug, Clone)]
pub enum Waited {
    /// The ask ended.
    Closed(Arc<Ask>),
    /// Not a failure: the ask stays open and the caller may wait again by its id.
    StillOpen(Arc<Ask>),
}

impl Desk {
    /// Waits until the ask ends, the caller's patience does, or the desk closes.
    pub async fn wait(&self, actor: &Actor, id: AskId, patience: Duration) -> Result<Waited, DeskError> {
        // Declared before the bell, so that it goes after it, however this ends.
        let forget = Forget(self, id);
        // Listen before looking: a close between the two would otherwise be missed.
        let bell = self.0.bulletin.bell(id);
        // It is here; broken off, it is gone.
        self.0.bulletin.forget_expected(id);
        let ask = self.ask_of(actor, id).await?;
        if !ask.is_open() {
            return Ok(Waited::Closed(ask));
        }
        let person = async {
            tokio::select! {
                _rung = bell => {}
                () = tokio::time::sleep(patience.min(PATIENCE_MAX)) => {}
                () = self.0.stopping.cancelled() => {}
            }
        };
        uncounted(person).await;
        drop(forget);
        // Whatever ended the wait, what is told is how it is now: it may just have closed.
        match self.ask_of(actor, id).await {
            Ok(ask) if ask.is_open() => Ok(Waited::StillOpen(ask)),
            Ok(ask) => Ok(Waited::Closed(ask)),
            // The store closes with the desk: come back and look there.
            Err(_) if self.0.stopping.is_cancelled() => Ok(Waited::StillOpen(ask)),
            Err(error) => Err(error),
        }
    }
}

/// A caller that goes away, however it does, leaves no bell behind.
struct Forget<'a>(&'a Desk, AskId);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.0.0.bulletin.forget(self.1);
    }
}

/// What becomes of an ask whose asker went away and does not come back in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenLeft {
    /// It is taken back, for this reason: nobody would get the answer.
    Withdraw(&'static str),
    /// It stays, and says that nobody waits for it right now: the asker may come back.
    Note,
}

/// An asker that must not go away unnoticed: its connection is its lease of the ask, and dropping this
/// is going away.
pub struct Lease {
    desk: Desk,
    actor: Actor,
    ask: AskId,
    when_left: WhenLeft,
    /// How long it has to come back; none where the ask is done with.
    comes_back_within: Option<Duration>,
}

impl Desk {
    /// Notes that the caller of an open ask was told so and looks again within this time: until then it is not gone.
    pub fn expect(&self, ask: AskId, within: Duration) {
        self.0.bulletin.expect(ask, within);
    }

    /// Leases an ask to somebody who is about to wait for it.
    pub fn lease(
        &self,
        actor: &Actor,
        ask: AskId,
        when_left: WhenLeft,
        comes_back_within: Duration,
    ) -> Lease {
        self.0.bulletin.lease(ask);
        let (desk, actor) = (self.clone(), actor.clone());
        Lease { desk, actor, ask, when_left, comes_back_within: Some(comes_back_within) }
    }

    /// Whether an open ask was left by its asker, who may come back: nobody waits for it right now.
    pub fn is_left(&self, ask: AskId) -> bool {
        self.0.bulletin.is_left(ask)
    }

    /// After a start nobody waits yet. Whoever waited for one of these asks at the last desk comes back to this one;
    /// where they do not, it is left.
    pub async fn expect_back(
        &self,
        is_leased: impl Fn(&Ask) -> bool,
        within: Duration,
    ) -> Result<(), DeskError> {
        // Whoever waits at another server is not known here.
        let mut asks =
            if self.replicas().may_be() { Vec::new() } else { self.0.store.open_asks(None, PAGE).await? };
        while let Some(last) = asks.last().map(|ask| ask.id) {
            for ask in asks.iter().filter(|ask| is_leased(ask)) {
                drop(self.lease(&Actor::server(ask.owner.clone()), ask.id, WhenLeft::Note, within));
            }
            asks = self.0.store.open_asks(Some(last), PAGE).await?;
        }
        Ok(())
    }

    /// Waits whether anybody comes back for an ask; else it is left.
    async fn leave(self, actor: Actor, ask: AskId, when_left: WhenLeft, within: Duration) {
        tokio::select! {
            () = tokio::time::sleep(within) => {}
            // The asker comes back to the next desk.
            () = self.0.stopping.cancelled() => return,
        }
        match when_left {
            _ if self.0.bulletin.is_held(ask) => {}
            WhenLeft::Withdraw(reason) => {
                // Where somebody was quicker, it has ended already.
                let _taken = self.withdraw_because(&actor, ask, Some(reason.to_owned())).await;
            }
            WhenLeft::Note => {
                self.0.bulletin.leave(ask);
                // It may have ended just now: then nobody would take the note away.
                if !self.ask_of(&actor, ask).await.is_ok_and(|ask| ask.is_open()) {
                    self.0.bulletin.forget_left(ask);
                }
            }
        }
    }
}

impl Lease {
    /// The asker has what it waited for.
    pub fn end(mut self) {
        self.comes_back_within = None;
    }

    /// The asker was told to come back, and has so long for it.
    pub fn pause(mut self, comes_back_within: Duration) {
        self.comes_back_within = Some(comes_back_within);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.desk.0.bulletin.release(self.ask);
        let Some(within) = self.comes_back_within else { return };
        // Without a runtime everything ends, and the asker comes back to the next desk.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let leaving = self.desk.clone().leave(self.actor.clone(), self.ask, self.when_left, within);
            self.desk.0.tasks.spawn_on(leaving, &runtime);
        }
    }
}
