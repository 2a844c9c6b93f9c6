//! How long an operation took and what it waited for, so that a slow one can be told from a slow disk
//! (D8). Time that was spent waiting for a person is nobody's slowness and does not count.

use std::cell::RefCell;
use std::future::Future;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::{SendTimeoutError, TrySendError};

use super::StoreError;

/// How long a caller waits to hand its work in; then it is told to come back.
const HAND_IN_MAX: Duration = Duration::from_secs(2);

tokio::task_local! {
    static TIMED: RefCell<Timed>;
}

/// How long an operation took, and what it waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timed {
    /// All of it, without what does not count.
    pub took: Duration,
    /// What it waited for, in the order in which it first did.
    pub waited_for: Vec<(&'static str, Duration)>,
    /// What does not count, as waiting for a person.
    pub uncounted: Duration,
}

impl Timed {
    /// Says where the time went.
    pub fn parts(&self) -> String {
        let waited: Duration = self.waited_for.iter().map(|(_, took)| *took).sum();
        let own = self.took.saturating_sub(waited).as_millis();
        let parts = self.waited_for.iter().map(|(what, took)| (took.as_millis(), *what));
        let parts =
            parts.filter(|(millis, _)| *millis > 0).map(|(millis, what)| format!("{millis} ms for {what}"));
        let own = (own > 0).then(|| format!("{own} ms of its own work"));
        parts.chain(own).collect::<Vec<_>>().join(", ")
    }
}

/// Runs an operation and returns with it how long that took.
pub async fn watched<T>(operation: impl Future<Output = T>) -> (T, Timed) {
    let begun = Instant::now();
    let watched = async {
        let done = operation.await;
        (done, TIMED.with(RefCell::take))
    };
    let (done, mut timed) = TIMED.scope(RefCell::default(), watched).await;
    timed.took = begun.elapsed().saturating_sub(timed.uncounted);
    (done, timed)
}

/// Does something that does not count, as waiting for a person; also where it is dropped before its end.
pub async fn uncounted<T>(awaited: impl Future<Output = T>) -> T {
    let _counted_at_the_end = Uncounted(Instant::now());
    awaited.await
}

struct Uncounted(Instant);

impl Drop for Uncounted {
    fn drop(&mut self) {
        // Whoever does not watch does not want to know.
        let _noted = TIMED.try_with(|timed| timed.borrow_mut().uncounted += self.0.elapsed());
    }
}

/// Waits, and notes for what. Outside of a watched operation nothing is noted.
pub async fn waiting<T>(what: &'static str, awaited: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let done = awaited.await;
    let took = begun.elapsed();
    // Whoever does not watch does not want to know.
    let _noted = TIMED.try_with(|timed| {
        let waits = &mut timed.borrow_mut().waited_for;
        match waits.iter_mut().find(|(known, _)| *known == what) {
            Some((_, sum)) => *sum += took,
            None => waits.push((what, took)),
        }
    });
    done
}

/// Hands work to the writers of a store. Most find room at once, and need no alarm for it.
pub(super) async fn hand_in<T>(
    queue: &Sender<T>,
    work: T,
    closed: impl FnOnce() -> StoreError,
) -> Result<(), StoreError> {
    let work = match queue.try_send(work) {
        Ok(()) => return Ok(()),
        Err(TrySendError::Full(work)) => work,
        Err(TrySendError::Closed(_)) => return Err(closed()),
    };
    let handing_in = queue.send_timeout(work, HAND_IN_MAX);
    waiting("the store's queue", handing_in).await.map_err(|error| match error {
        SendTimeoutError::Timeout(_) => StoreError::Unavailable("too much is asked of it at once".to_owned()),
        SendTimeoutError::Closed(_) => closed(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D11: nobody waits for ever to be heard.
    #[tokio::test]
    async fn d11_a_full_queue_turns_away_in_time() {
        let (queue, mut taken) = tokio::sync::mpsc::channel(1);
        let closed = || StoreError::Unavailable("closed".to_owned());
        hand_in(&queue, 1, closed).await.unwrap();
        let begun = Instant::now();
        let refused = hand_in(&queue, 2, closed).await.unwrap_err();
        assert_eq!(refused.to_string(), "the store is not available: too much is asked of it at once");
        assert!(begun.elapsed() >= HAND_IN_MAX);
        assert_eq!(taken.recv().await, Some(1));
        hand_in(&queue, 3, closed).await.unwrap();
        drop(taken);
        assert!(hand_in(&queue, 4, closed).await.is_err());
    }

    #[tokio::test]
    async fn what_was_waited_for_is_summed_by_its_name() {
        let pause = || tokio::time::sleep(Duration::from_millis(5));
        let operation = async {
            waiting("the disk", pause()).await;
            waiting("the queue", async {}).await;
            waiting("the disk", pause()).await;
            7
        };
        let (done, timed) = watched(operation).await;
        let waits = &timed.waited_for;
        assert_eq!((done, waits.len(), waits[0].0), (7, 2, "the disk"));
        assert!(waits[0].1 >= Duration::from_millis(10) && timed.took >= waits[0].1);
        waiting("nobody", pause()).await;
        let took = Duration::from_millis;
        let timed = Timed {
            took: took(532),
            waited_for: vec![("a commit", took(500)), ("reading", took(0))],
            ..timed
        };
        assert_eq!(timed.parts(), "500 ms for a commit, 32 ms of its own work");
        assert_eq!(Timed { took: took(7), ..Timed::default() }.parts(), "7 ms of its own work");
    }

    /// D8: what a person took is subtracted, the work before and after it is not; however the wait ends.
    #[tokio::test]
    async fn d8_waiting_for_a_person_does_not_count_and_the_work_around_it_does() {
        let pause = |millis| std::thread::sleep(Duration::from_millis(millis));
        let begun = Instant::now();
        let ((), timed) = watched(async {
            pause(30);
            uncounted(async { pause(200) }).await;
            // One that is dropped before its end.
            tokio::select! {
                biased;
                () = uncounted(async { pause(100); std::future::pending().await }) => {}
                () = async {} => {}
            }
            pause(30);
        })
        .await;
        let all = begun.elapsed();
        assert!(timed.took >= Duration::from_millis(60), "{timed:?}");
        assert!(timed.took + Duration::from_millis(300) <= all, "{timed:?} of {all:?}");
    }
}
