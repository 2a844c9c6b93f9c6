//! Who is waiting for what. Facts are posted here in the order of committing, and only then.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use askuser_core::fact::Fact;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, broadcast, oneshot, watch};

use askuser_store::Numbered;

/// Batches that a listener may lag behind before it catches up from the store.
const BACKLOG_MAX: usize = 1024;
/// Enough that a thousand callers rarely meet at one lock.
const N_SHARDS: usize = 64;

type Shard = HashMap<AskId, Vec<oneshot::Sender<()>>>;

/// Who waits on a connection that must not go unnoticed.
#[derive(Default)]
struct Leases {
    /// How many hold which ask.
    held: HashMap<AskId, usize>,
    /// Open asks whose last holder went away and may come back.
    left: HashSet<AskId>,
    /// Open asks whose caller was told that they are open and looks again, until when.
    expected: HashMap<AskId, Instant>,
}

/// Waiters by ask, listeners to everything, and the earliest deadline that came in.
pub(super) struct Bulletin {
    waiters: [Mutex<Shard>; N_SHARDS],
    leases: Mutex<Leases>,
    listeners: broadcast::Sender<Arc<[Numbered]>>,
    head: watch::Sender<u64>,
    earliest: Mutex<Option<Timestamp>>,
    /// Rung when a deadline came in that is earlier than all before it.
    pub(super) sooner: Notify,
}

impl Bulletin {
    pub(super) fn new(head: u64) -> Self {
        Self {
            waiters: std::array::from_fn(|_| Mutex::default()),
            leases: Mutex::default(),
            listeners: broadcast::Sender::new(BACKLOG_MAX),
            head: watch::Sender::new(head),
            earliest: Mutex::new(None),
            sooner: Notify::new(),
        }
    }

    /// Tells what was committed, by whomever. Called by the store, so it never waits.
    pub(super) fn post(&self, facts: &Arc<[Numbered]>) {
        // What was committed elsewhere while the desk was being opened may be told once more.
        let head = self.head();
        let new = &facts[facts.partition_point(|numbered| numbered.number <= head)..];
        for numbered in new {
            match numbered.fact.as_deref() {
                Some(Fact::Closed { ask, .. }) => self.wake(*ask),
                Some(Fact::Asked(ask)) => self.note_deadline(ask.next_alarm()),
                Some(Fact::Held { held, .. }) => self.note_deadline(Some(held.until)),
                _ => {}
            }
        }
        if let Some(last) = new.last() {
            self.head.send_replace(last.number);
            if self.listeners.receiver_count() > 0 {
                // Without a listener there is nobody to tell; one that knows some of it skips that.
                let _told = self.listeners.send(Arc::clone(facts));
            }
        }
    }

    /// Returns a bell that rings when the ask closes. Whoever drops it stops waiting.
    pub(super) fn bell(&self, ask: AskId) -> oneshot::Receiver<()> {
        let (ring, bell) = oneshot::channel();
        let mut shard = self.shard(ask);
        let waiting = shard.entry(ask).or_default();
        // Callers that went away leave no trace for long.
        waiting.retain(|ring| !ring.is_closed());
        waiting.push(ring);
        bell
    }

    /// Forgets the bells of callers that went away.
    pub(super) fn forget(&self, ask: AskId) {
        let mut shard = self.shard(ask);
        if let Some(waiting) = shard.get_mut(&ask) {
            waiting.retain(|ring| !ring.is_closed());
            if waiting.is_empty() {
                shard.remove(&ask);
            }
        }
    }

    /// Whether a caller waits for it at this desk.
    pub(super) fn is_waited_for(&self, ask: AskId) -> bool {
        self.shard(ask).get(&ask).is_some_and(|waiting| waiting.iter().any(|ring| !ring.is_closed()))
    }

    /// Notes that somebody holds an ask, also where it was left before.
    pub(super) fn lease(&self, ask: AskId) {
        let mut leases = self.leases.lock();
        *leases.held.entry(ask).or_default() += 1;
        leases.left.remove(&ask);
    }

    /// Notes that one of those who hold an ask went away.
    pub(super) fn release(&self, ask: AskId) {
        let mut leases = self.leases.lock();
        if let Some(n) = leases.held.get_mut(&ask) {
            *n -= 1;
            if *n == 0 {
                leases.held.remove(&ask);
            }
        }
    }

    /// Whether somebody holds an ask.
    pub(super) fn is_held(&self, ask: AskId) -> bool {
        self.leases.lock().held.contains_key(&ask)
    }

    /// Notes that an open ask is left, until somebody holds it again or it ends.
    pub(super) fn leave(&self, ask: AskId) {
        self.leases.lock().left.insert(ask);
    }

    /// Forgets that an ask is left.
    pub(super) fn forget_left(&self, ask: AskId) {
        self.leases.lock().left.remove(&ask);
    }

    /// Whether an open ask is left.
    pub(super) fn is_left(&self, ask: AskId) -> bool {
        self.leases.lock().left.contains(&ask)
    }

    /// Notes that the caller of an open ask looks again within this time.
    pub(super) fn expect(&self, ask: AskId, within: Duration) {
        let (mut leases, now) = (self.leases.lock(), Instant::now());
        // Whoever did not come back leaves no trace for long.
        leases.expected.retain(|_, until| *until > now);
        leases.expected.insert(ask, now + within);
    }

    /// Whether the caller of an open ask is to look again.
    pub(super) fn is_expected(&self, ask: AskId) -> bool {
        self.leases.lock().expected.get(&ask).is_some_and(|until| *until > Instant::now())
    }

    /// Forgets that a caller is to look again: it does, or the ask ended.
    pub(super) fn forget_expected(&self, ask: AskId) {
        self.leases.lock().expected.remove(&ask);
    }

    /// Returns what listens to everything from now on.
    pub(super) fn listen(&self) -> broadcast::Receiver<Arc<[Numbered]>> {
        self.listeners.subscribe()
    }

    /// Returns the number of the latest fact.
    pub(super) fn head(&self) -> u64 {
        *self.head.borrow()
    }

    /// Returns the earliest deadline that came in since it was last asked for.
    pub(super) fn take_earliest(&self) -> Option<Timestamp> {
        self.earliest.lock().take()
    }

    /// Returns how many asks somebody waits for.
    #[cfg(test)]
    pub(super) fn n_waiting(&self) -> usize {
        self.waiters.iter().map(|shard| shard.lock().len()).sum()
    }

    fn wake(&self, ask: AskId) {
        self.forget_left(ask);
        self.forget_expected(ask);
        let waiting = self.shard(ask).remove(&ask).unwrap_or_default();
        for ring in waiting {
            // Whoever is gone need not be woken.
            let _woken = ring.send(());
        }
    }

    fn note_deadline(&self, deadline: Option<Timestamp>) {
        let Some(deadline) = deadline else { return };
        let mut earliest = self.earliest.lock();
        if earliest.is_none_or(|known| deadline < known) {
            *earliest = Some(deadline);
            self.sooner.notify_one();
        }
    }

    fn shard(&self, ask: AskId) -> MutexGuard<'_, Shard> {
        // The low bits of an id are random.
        let place = usize::try_from(ask.0 % N_SHARDS as u128).unwrap_or(0);
        self.waiters[place].lock()
    }
}
