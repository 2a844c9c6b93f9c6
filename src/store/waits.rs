//! What an operation waited for: the parts of a request that took time, so that a slow one can be
//! told from a slow disk (D8).

use std::cell::RefCell;
use std::future::Future;
use std::time::{Duration, Instant};

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

#[cfg(test)]
mod tests {
    use super::*;

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
