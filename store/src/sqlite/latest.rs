//! Asks as they were last committed, for whoever reads one by its id: no thread and no SQL.
//!
//! Whoever flushes a transaction puts in what it changed, after that and before anybody is told, so a
//! reader never sees less than it was told, nor anything that is not on the disk. Nobody else puts
//! anything in: a slow reader cannot bring back what is old. Bounded by bytes; the oldest go.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use parking_lot::{Mutex, MutexGuard};

const N_SHARDS: usize = 16;
/// What all shards together may hold.
const BYTES_MAX: usize = 16 * 1024 * 1024;

/// The latest asks.
pub(super) struct Latest {
    shards: [Mutex<Shard>; N_SHARDS],
    bytes_max: usize,
}

#[derive(Default)]
struct Shard {
    asks: HashMap<AskId, (Arc<Ask>, usize)>,
    order: VecDeque<AskId>,
    bytes: usize,
}

/// How an ask is now, and about how many bytes it takes; none where memory must forget it.
pub(super) type Changed = (AskId, Option<(Arc<Ask>, usize)>);

impl Latest {
    pub(super) fn new() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), bytes_max: BYTES_MAX / N_SHARDS }
    }

    /// Returns an ask, where it is one of the latest.
    pub(super) fn get(&self, id: AskId) -> Option<Arc<Ask>> {
        self.shard(id).asks.get(&id).map(|(ask, _)| Arc::clone(ask))
    }

    /// Takes in what was committed, in order. Returns what it let go: taking that apart costs more than all
    /// of this, and somebody waits.
    #[must_use = "it is to be dropped when nobody waits any more"]
    pub(super) fn put(&self, changed: impl IntoIterator<Item = Changed>) -> Vec<Arc<Ask>> {
        let mut gone = Vec::new();
        for (id, now) in changed {
            let mut shard = self.shard(id);
            match now {
                Some((ask, bytes)) => {
                    shard.bytes += bytes;
                    match shard.asks.insert(id, (ask, bytes)) {
                        Some((before, bytes)) => {
                            shard.bytes -= bytes;
                            gone.push(before);
                        }
                        None => shard.order.push_back(id),
                    }
                }
                None => shard.forget(id),
            }
            while shard.bytes > self.bytes_max {
                let Some(oldest) = shard.order.pop_front() else { break };
                if let Some((ask, bytes)) = shard.asks.remove(&oldest) {
                    shard.bytes -= bytes;
                    gone.push(ask);
                }
            }
        }
        gone
    }

    fn shard(&self, id: AskId) -> MutexGuard<'_, Shard> {
        // The low bits of an id are random.
        let place = usize::try_from(id.0 % N_SHARDS as u128).unwrap_or(0);
        // Nothing panics while it is held.
        self.shards[place].lock()
    }
}

impl Shard {
    fn forget(&mut self, id: AskId) {
        if let Some((_, bytes)) = self.asks.remove(&id) {
            self.bytes -= bytes;
            self.order.retain(|other| *other != id);
        }
    }
}
