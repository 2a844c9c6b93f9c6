//! How much one caller may ask of us (D11): so many in any window of time; and of all replicas together.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};
use std::net::IpAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use tokio::sync::watch;

use askuser_api::Bucket;
use askuser_config::Config;

use super::sharing::{Sharing, entries};
use super::sliding_window::SlidingWindow;

/// Reads and saved sheets are this many times as many.
const READS_FACTOR: u32 = 10;

/// The numbers (D11, D16); 0 is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Requests that change something, for a key and session, in a window.
    pub requests: u32,
    pub window: Duration,
    /// Sign-ins that fail, for an address, in a minute.
    pub failed_sign_ins: u32,
    /// How many times as much a key may as a whole, whatever sessions it names.
    pub key_factor: u32,
}

impl Default for Rates {
    fn default() -> Self {
        let Config { ask_user_question: asks, server, .. } = Config::default();
        Self {
            requests: asks.rate_limit_requests,
            window: asks.rate_limit_window,
            failed_sign_ins: server.failed_sign_ins,
            key_factor: server.key_rate_factor,
        }
    }
}

/// The place of failed sign-ins beside the buckets.
const FAILED: u8 = 9;
/// How far behind the place of a bucket that of keys as a whole is.
const AS_A_WHOLE: u8 = 10;

/// The number of a bucket between replicas.
fn place(bucket: Bucket) -> u8 {
    match bucket {
        Bucket::Free => 0,
        Bucket::Reads => 1,
        Bucket::Writes => 2,
        Bucket::Answers => 3,
    }
}

/// Counts, and begins anew where the numbers change.
pub(super) struct Limits {
    counters: RwLock<Arc<Counters>>,
    changed: Option<watch::Receiver<Rates>>,
    /// Where there are other replicas: what they must know.
    sharing: OnceLock<Sharing>,
}

struct Counters {
    rates: Rates,
    reads: Counter,
    writes: Counter,
    answers: Counter,
    failed_sign_ins: Option<Limit>,
}

/// Counts one kind of request.
struct Counter {
    /// For a key and a session.
    session: Option<Limit>,
    /// For a key as a whole: the name of a session is its caller's to choose.
    key: Option<Limit>,
}

impl Counter {
    fn new(n_requests: u32, rates: &Rates) -> Self {
        let limit = |n| Limit::new(n, rates.window);
        Self { session: limit(n_requests), key: limit(n_requests.saturating_mul(rates.key_factor)) }
    }

    /// Both limits, each with its place behind that of the bucket.
    fn limits(&self) -> [(u8, Option<&Limit>); 2] {
        [(0, self.session.as_ref()), (AS_A_WHOLE, self.key.as_ref())]
    }
}

impl Limits {
    pub(super) fn new(rates: Rates, changed: Option<watch::Receiver<Rates>>) -> Self {
        Self { counters: RwLock::new(Arc::new(Counters::new(rates))), changed, sharing: OnceLock::new() }
    }

    /// Whether requests of this kind are counted at all.
    pub(super) fn counts(&self, bucket: Bucket) -> bool {
        let counters = self.counters();
        counters.of(bucket).is_some_and(|counter| counter.limits().iter().any(|(_, limit)| limit.is_some()))
    }

    /// Counts a request of this caller in this session, and of the caller as a whole; how long to wait where
    /// it is one too many. What its session refuses does not count for the whole: one session that runs away
    /// leaves the others what is theirs.
    pub(super) fn count(&self, bucket: Bucket, caller: &str, session: &str) -> Result<(), Duration> {
        let counters = self.counters();
        let Some(counter) = counters.of(bucket) else { return Ok(()) };
        let own = counter.session.as_ref().map(|limit| (limit, limit.key(&(caller, session))));
        let whole = counter.key.as_ref().map(|limit| (limit, limit.key(&caller)));
        if let Some((limit, key)) = own {
            // Whoever comes back after that long is let in by both.
            limit
                .count(key)
                .map_err(|wait| wait.max(whole.map_or(Duration::ZERO, |(whole, key)| whole.wait(key))))?;
        }
        if let Some((limit, key)) = whole {
            limit
                .count(key)
                .inspect_err(|_| own.into_iter().for_each(|(own, key)| own.window.give_back(key)))?;
        }
        self.note_elsewhere(place(bucket), own);
        self.note_elsewhere(place(bucket) + AS_A_WHOLE, whole);
        Ok(())
    }

    /// Counts a sign-in that failed.
    pub(super) fn count_failed_sign_in(&self, address: Option<IpAddr>) -> Result<(), Duration> {
        let counters = self.counters();
        let Some(limit) = &counters.failed_sign_ins else { return Ok(()) };
        let key = limit.key(&address);
        limit.count(key)?;
        self.note_elsewhere(FAILED, Some((limit, key)));
        Ok(())
    }

    /// Has the other replicas told of one who was let in.
    fn note_elsewhere(&self, place: u8, counted: Option<(&Limit, u64)>) {
        if let (Some(sharing), Some((_, key))) = (self.sharing.get(), counted) {
            sharing.note(place, key);
        }
    }

    /// From now on the other replicas are told what was counted here.
    pub(super) fn share(&self, say: impl Fn(&str) + Send + Sync + 'static) {
        // A state has one desk.
        let _first = self.sharing.set(Sharing::new(say));
    }

    /// Counts what another replica has let in.
    pub(super) fn heard(&self, words: &str) {
        let counters = self.counters();
        for (said, key, n) in entries(words) {
            let limit = match said {
                FAILED => counters.failed_sign_ins.as_ref(),
                named => Bucket::ALL.into_iter().find_map(|bucket| {
                    let limits = counters.of(bucket)?.limits();
                    limits.into_iter().find(|(behind, _)| place(bucket) + behind == named)?.1
                }),
            };
            if let Some(limit) = limit {
                // Until there is nothing left to take: a debt nobody can pay is not kept.
                let _left = (0..n).try_for_each(|_| limit.count(key).map_err(|_| ()));
            }
        }
    }

    fn counters(&self) -> Arc<Counters> {
        let counters = Arc::clone(&self.counters.read());
        let Some(rates) = self.changed.as_ref().map(|changed| *changed.borrow()) else { return counters };
        if rates == counters.rates {
            return counters;
        }
        let mut kept = self.counters.write();
        if kept.rates != rates {
            *kept = Arc::new(Counters::new(rates));
        }
        Arc::clone(&kept)
    }
}

impl Counters {
    fn new(rates: Rates) -> Self {
        Self {
            rates,
            reads: Counter::new(rates.requests.saturating_mul(READS_FACTOR), &rates),
            writes: Counter::new(rates.requests, &rates),
            answers: Counter::new(rates.requests, &rates),
            failed_sign_ins: Limit::new(rates.failed_sign_ins, Duration::from_mins(1)),
        }
    }

    fn of(&self, bucket: Bucket) -> Option<&Counter> {
        match bucket {
            Bucket::Free => None,
            Bucket::Reads => Some(&self.reads),
            Bucket::Writes => Some(&self.writes),
            Bucket::Answers => Some(&self.answers),
        }
    }
}

struct Limit {
    window: SlidingWindow,
    /// The same on every replica.
    hasher: BuildHasherDefault<DefaultHasher>,
    begun: Instant,
}

impl Limit {
    /// None where it is no limit.
    fn new(n_requests: u32, window: Duration) -> Option<Self> {
        let window = SlidingWindow::new(n_requests, window)?;
        Some(Self { window, hasher: BuildHasherDefault::default(), begun: Instant::now() })
    }

    fn key(&self, who: &impl Hash) -> u64 {
        self.hasher.hash_one(who)
    }

    fn count(&self, key: u64) -> Result<(), Duration> {
        self.window.admit(key, self.begun.elapsed())
    }

    fn wait(&self, key: u64) -> Duration {
        self.window.wait(key, self.begun.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d11_a_key_and_session_may_change_a_hundred_things_a_minute_and_read_ten_times_as_many() {
        let limits = Limits::new(Rates::default(), None);
        let n_writes = (0..200).filter(|_| limits.count(Bucket::Writes, "key", "s").is_ok()).count();
        assert_eq!(n_writes, 100);
        let wait = limits.count(Bucket::Writes, "key", "s").unwrap_err();
        assert!(wait > Duration::from_secs(50) && wait <= Duration::from_mins(1), "{wait:?}");
        // Another session, another key and the person's answers are counted apart.
        assert!(limits.count(Bucket::Writes, "key", "t").is_ok());
        assert!(limits.count(Bucket::Writes, "other", "s").is_ok());
        assert!(limits.count(Bucket::Answers, "key", "s").is_ok());
        let n_reads = (0..2000).filter(|_| limits.count(Bucket::Reads, "key", "s").is_ok()).count();
        assert_eq!(n_reads, 1000);
    }

    /// S6: a name that the caller chooses raised the limit without an end.
    #[test]
    fn s6_a_key_as_a_whole_may_ten_times_as_much_whatever_sessions_it_names() {
        let limits = Limits::new(Rates::default(), None);
        for (bucket, expected) in [(Bucket::Writes, 1000), (Bucket::Answers, 1000), (Bucket::Reads, 10_000)] {
            let n_let_in = (0..20_000)
                .filter(|number| limits.count(bucket, "key", &format!("s{number}")).is_ok())
                .count();
            assert_eq!(n_let_in, expected, "{bucket:?}");
            assert!(limits.count(bucket, "other", "s0").is_ok(), "another key is not concerned");
        }
        let more = Limits::new(Rates { key_factor: 20, ..Rates::default() }, None);
        let n_let_in = (0..5000)
            .filter(|number| more.count(Bucket::Writes, "key", &format!("s{number}")).is_ok())
            .count();
        assert_eq!(n_let_in, 2000);
        let none = Limits::new(Rates { key_factor: 0, ..Rates::default() }, None);
        assert!((0..5000).all(|number| none.count(Bucket::Writes, "key", &format!("s{number}")).is_ok()));
    }

    /// One session that runs away does not use up what its key has for the others.
    #[test]
    fn s6_what_a_session_is_refused_does_not_count_for_its_key() {
        let limits = Limits::new(Rates::default(), None);
        for _ in 0..5000 {
            let _counted = limits.count(Bucket::Writes, "key", "runs away");
        }
        let n_let_in = (0..200).filter(|_| limits.count(Bucket::Writes, "key", "another").is_ok()).count();
        assert_eq!(n_let_in, 100);
    }

    /// What the key as a whole is refused does not count in the session that it was for.
    #[test]
    fn d11_what_a_key_is_refused_does_not_count_for_its_session() {
        let limits = Limits::new(Rates { requests: 3, key_factor: 1, ..Rates::default() }, None);
        let counted = |session: &str| limits.count(Bucket::Writes, "key", session);
        assert!((0..3).all(|number| counted(&format!("s{number}")).is_ok()));
        for _ in 0..10 {
            assert!(counted("other").is_err());
        }
        let counters = limits.counters();
        let limit = counters.writes.session.as_ref().unwrap();
        assert!((0..3).all(|_| limit.count(limit.key(&("key", "other"))).is_ok()), "all three are left");
    }

    #[test]
    fn d11_zero_is_no_limit() {
        let none = Limits::new(Rates { requests: 0, failed_sign_ins: 0, ..Rates::default() }, None);
        assert!((0..5000).all(|_| none.count(Bucket::Writes, "key", "s").is_ok()));
        assert!((0..5000).all(|_| none.count_failed_sign_in(None).is_ok()));
    }
}
