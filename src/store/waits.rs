//! What an operation waited for: the parts of a request that took time, so that a slow one can be
//! told from a slow disk (D8).

use std::cell::RefCell;
use std::future::Future;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::Sender;
use tokio::sync::mpsc::error::{SendTimeoutError, TrySendError};

use super::StoreError;

/// How long a caller waits to hand its work in; then it is told to come back.
const HAND_IN_MAX: Duration = Duration::from_secs(2);

tokio::task_local! {
    static WAITS: RefCell<Vec<(&'static str, Duration)>>;
}

/// Runs an operation and returns with it what it waited for, in the order in which it first did.
pub async fn watched<T>(operation: impl Future<Output = T>) -> (T, Vec<(&'static str, Duration)>) {
    let watched = async {
        let done = operation.await;
        (done, WAITS.with(RefCell::take))
    };
    WAITS.scope(RefCell::default(), watched).await
}

/// Waits, and notes for what. Outside of a watched operation nothing is noted.
pub async fn waiting<T>(what: &'static str, awaited: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let done = awaited.await;
    let took = begun.elapsed();
    // Whoever does not watch does not want to know.
    let _noted = WAITS.try_with(|waits| {
        let mut waits = waits.borrow_mut();
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
        let (done, waits) = watched(operation).await;
        assert_eq!((done, waits.len(), waits[0].0), (7, 2, "the disk"));
        assert!(waits[0].1 >= Duration::from_millis(10));
        waiting("nobody", pause()).await;
    }
}
