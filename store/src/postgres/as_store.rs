//! The verbs of a store, each over a connection of the pool or through the writers.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use askuser_core::command::Command;
use askuser_core::limits::DeskLimits;
use tokio::sync::oneshot;

use super::Postgres;
use super::db::Client;
use super::error::closed;
use super::writer::Job;
use crate::audit::address;
use crate::db::clean;
use crate::fail::Fail;
use crate::waits::{hand_in, waiting};
use crate::{
    AuditStore, Committed, Ear, Figures, IdStore, Later, NudgeStore, Order, PushStore, RuleStore, SessionRef,
    Store, StoreError,
};

/// How often a reading is tried over other connections where one turns out to be gone.
pub(super) const READS_MAX: usize = 4;

impl Store for Postgres {
    fn limits(&self) -> DeskLimits {
        *self.limits.read()
    }

    fn set_limits(&self, limits: DeskLimits) -> bool {
        *self.limits.write() = limits;
        true
    }

    fn tell(&self, ear: Ear) {
        self.tail.tell(ear);
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
        self.figures.clone()
    }

    fn audit(&self) -> Option<&dyn AuditStore> {
        Some(self)
    }

    fn commit(&self, mut order: Order) -> Later<'_, Committed> {
        clean_names(&mut order);
        let address = address();
        Box::pin(async move {
            let (reply, done) = oneshot::channel();
            let queue = self.queue().ok_or_else(closed)?;
            self.figures.queue.inc();
            let sent = hand_in(&queue, Job::new(order, address, reply), closed).await;
            drop(queue);
            let done = match sent {
                Ok(()) => waiting("a commit", done).await.map_err(|_| closed()),
                Err(error) => Err(error),
            };
            self.figures.queue.dec();
            done?
        })
    }

    fn check_writable(&self) -> Later<'_, ()> {
        Box::pin(async move {
            let db = self.reader().await?;
            let probing = tokio::spawn(async move { probe(&db).await.map_err(Fail::told) });
            let probed = waiting("a commit", probing).await;
            probed.map_err(|_| StoreError::Unavailable("a fault in the store".to_owned()))?
        })
    }

    fn close(&self) -> Later<'_, ()> {
        Box::pin(async move {
            if self.closed.swap(true, Ordering::SeqCst) {
                return Err(closed());
            }
            drop(self.queue.lock().take());
            self.writing.close();
            self.writing.wait().await;
            self.stop.cancel();
            self.following.close();
            self.following.wait().await;
            self.readers.close();
            Ok(())
        })
    }
}

/// Names by which something is found again are the same in memory as in the database.
fn clean_names(order: &mut Order) {
    let clean = |name: &mut String| {
        if name.contains('\0') {
            *name = clean(name).into_owned();
        }
    };
    if let SessionRef::Named { external_id, .. } = &mut order.session {
        clean(external_id);
    }
    match &mut order.command {
        Command::OpenSession { external_id, .. } => external_id.iter_mut().for_each(clean),
        Command::Ask(new) => Arc::make_mut(&mut new.terms).idempotency_key.iter_mut().for_each(clean),
        Command::Restore { reason, .. } => clean(reason),
        _ => {}
    }
}

/// Writes what is there already.
async fn probe(db: &Client) -> Result<(), Fail> {
    let sql = "BEGIN; SET LOCAL lock_timeout = '3s'; UPDATE head SET number = number WHERE id = 1; COMMIT";
    let probed = db.batch_execute(sql).await;
    if probed.is_err() {
        let _back = db.batch_execute("ROLLBACK").await;
    }
    Ok(probed?)
}
