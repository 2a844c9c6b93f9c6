//! What only this store does as it does: it hands commands to the writer.

use askuser_core::limits::DeskLimits;
use tokio::sync::oneshot;

use super::read::closed;
use super::work::Job;
use super::{Sqlite, carry, fact};
use crate::audit::address;
use crate::waits::hand_in;
use crate::{
    AuditStore, Committed, Ear, Figures, IdStore, Later, NudgeStore, Order, PushStore, ReplicaStore,
    RuleStore, Store,
};

impl Store for Sqlite {
    fn limits(&self) -> DeskLimits {
        carry::read(&self.limits)
    }

    fn set_limits(&self, limits: DeskLimits) -> bool {
        *self.limits.write() = limits;
        true
    }

    fn nudging(&self) -> &dyn NudgeStore {
        self
    }

    fn pushing(&self) -> &dyn PushStore {
        self
    }

    fn ruling(&self) -> &dyn RuleStore {
        self
    }

    fn ids(&self) -> &dyn IdStore {
        self
    }

    fn figures(&self) -> Figures {
        let n_waiting = self.queue.as_ref().map_or(0, |queue| queue.max_capacity() - queue.capacity());
        self.figures.queue.set(i64::try_from(n_waiting).unwrap_or(i64::MAX));
        self.figures.clone()
    }

    fn audit(&self) -> Option<&dyn AuditStore> {
        Some(self)
    }

    fn tell(&self, ear: Ear) {
        // A second ear would hear everything twice over: the desk is one.
        let _first = self.ear.set(ear);
    }

    fn commit(&self, mut order: Order) -> Later<'_, Committed> {
        let address = address();
        Box::pin(self.work(move |db, desk| {
            desk.address = address;
            carry::carry_out(db, desk, &mut order)
        }))
    }

    fn check_writable(&self) -> Later<'_, ()> {
        Box::pin(self.work(|db, desk| fact::set_head(&db.get(), &desk.head)))
    }

    fn close(&self) -> Later<'_, ()> {
        Box::pin(async {
            // The readers first: the log is only emptied when nobody reads it.
            self.readers.finish().await;
            let (reply, done) = oneshot::channel();
            let queue = self.queue.as_ref().ok_or_else(closed)?;
            hand_in(queue, Job::Close(reply), closed).await?;
            done.await.map_err(|_| closed())?
        })
    }
}

/// Nobody shares it.
impl ReplicaStore for Sqlite {}
