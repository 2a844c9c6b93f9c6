//! What the other replicas must know of who called here, so that a limit is one limit for all of them.
//!
//! Told a few times a second and as soon as one caller has come ten times, so that whoever spreads their
//! calls over several replicas gets at most about ten more from each than one replica would give.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// A caller who has come this often is told of at once.
const SOON: u32 = 10;
/// But not more often than this.
const APART: Duration = Duration::from_millis(20);
/// Everybody is told of this often, while anybody comes.
const EVERY: Duration = Duration::from_millis(200);
/// The longest text that is told at once: the bell takes 8000 bytes.
const BYTES_MAX: usize = 7000;
/// Callers that wait to be told of; more are not.
const CALLERS_MAX: usize = 10_000;

/// What was counted here and not told yet.
pub(super) struct Sharing {
    untold: Mutex<Untold>,
    say: Box<dyn Fn(&str) + Send + Sync>,
}

struct Untold {
    counts: HashMap<(u8, u64), u32>,
    told: Instant,
}

impl Sharing {
    pub(super) fn new(say: impl Fn(&str) + Send + Sync + 'static) -> Self {
        let untold = Mutex::new(Untold { counts: HashMap::new(), told: Instant::now() });
        Self { untold, say: Box::new(say) }
    }

    /// Notes that one more was let in.
    pub(super) fn note(&self, place: u8, key: u64) {
        let counts = {
            let mut untold = self.untold.lock();
            if untold.counts.len() >= CALLERS_MAX && !untold.counts.contains_key(&(place, key)) {
                return;
            }
            let n = untold.counts.entry((place, key)).or_default();
            *n += 1;
            let soon = *n >= SOON;
            let since = untold.told.elapsed();
            if since < APART || (since < EVERY && !soon) {
                return;
            }
            untold.told = Instant::now();
            std::mem::take(&mut untold.counts)
        };
        let mut words = String::new();
        for ((place, key), n) in counts {
            // Writing to a string does not fail.
            let _ = write!(words, "{place}:{key:x}:{n} ");
            if words.len() > BYTES_MAX {
                (self.say)(words.trim_end());
                words.clear();
            }
        }
        if !words.is_empty() {
            (self.say)(words.trim_end());
        }
    }
}

/// Reads what another replica has told; what makes no sense is passed over.
pub(super) fn entries(words: &str) -> impl Iterator<Item = (u8, u64, u32)> + '_ {
    words.split(' ').filter_map(|entry| {
        let mut parts = entry.split(':');
        let place = parts.next()?.parse().ok()?;
        let key = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some((place, key, parts.next()?.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, OnceLock};

    use super::super::rates::{Limits, Rates};
    use super::*;
    use askuser_api::Bucket;

    /// Two replicas that hear each other.
    fn replicas() -> [Arc<Limits>; 2] {
        let all = [(); 2].map(|()| Arc::new(Limits::new(Rates::default(), None)));
        for (idx, limits) in all.iter().enumerate() {
            let other: OnceLock<_> = OnceLock::from(Arc::downgrade(&all[1 - idx]));
            limits.share(move |words| {
                other
                    .get()
                    .and_then(std::sync::Weak::upgrade)
                    .into_iter()
                    .for_each(|other| other.heard(words));
            });
        }
        all
    }

    /// D11 on several replicas: the limit is one for all, give or take what is under way.
    #[test]
    fn d11_a_caller_who_spreads_over_replicas_gets_little_more_than_one_would_give() {
        let all = replicas();
        let mut n_let_in = 0;
        for call in 0..600 {
            let limits = &all[call % 2];
            n_let_in += u32::from(limits.count(Bucket::Writes, "key", "s").is_ok());
            // As fast as one client calls over a network.
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!((100..=125).contains(&n_let_in), "{n_let_in}");
        // Others are not held to it.
        assert!(all[1].count(Bucket::Writes, "other", "s").is_ok());
    }

    #[test]
    fn what_makes_no_sense_is_passed_over() {
        let read: Vec<_> = entries("2:ff:3 x 1:zz:1 9:0:1 2:1 :: 300:1:1").collect();
        assert_eq!(read, [(2, 255, 3), (9, 0, 1)]);
    }
}
