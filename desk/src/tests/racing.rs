//! Answer, decline, withdraw and expire at once, from threads of their own.

use std::sync::Barrier;
use std::thread;

use askuser_core::outcome::Outcome;

use super::*;

const N_ROUNDS: usize = 40;
const N_RIVALS: usize = 5;

/// Runs something in a thread and a runtime of its own, once every rival is ready.
fn rival<T: Send + 'static>(
    line: &Arc<Barrier>,
    act: impl Future<Output = T> + Send + 'static,
) -> thread::JoinHandle<T> {
    let line = Arc::clone(line);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    thread::spawn(move || {
        line.wait();
        runtime.block_on(act)
    })
}

/// What a rival learnt: that it won, or what it lost to.
fn learnt(tried: Result<Arc<Ask>, DeskError>) -> (bool, Outcome) {
    match tried {
        Ok(ask) => (true, ask.state.outcome().unwrap().clone()),
        Err(DeskError::Refused(refusal)) => {
            let Refusal::AlreadyClosed(outcome) = &refusal else { panic!("{refusal}") };
            let who = outcome.by.user.as_ref().map_or("server", askuser_core::id::UserId::as_str);
            let words = refusal.to_string();
            assert!(words.contains(outcome.status()) && words.contains(who), "does not say who: {words}");
            (false, (**outcome).clone())
        }
        Err(error) => panic!("{error}"),
    }
}

/// O2: exactly one wins, every other is told who and how, and so is whoever waits.
#[tokio::test(flavor = "multi_thread")]
async fn o2_of_many_at_once_exactly_one_ends_the_ask_and_all_learn_which() {
    let forward_ms = Arc::new(AtomicI64::new(0));
    let store = Sqlite::in_memory(&options()).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward_ms)).await.unwrap();
    for round in 0..N_ROUNDS {
        let id = format!("q{round}");
        forward_ms.store(0, Ordering::SeqCst);
        let ask = desk.ask(&agent(), request(&id, timed(60_000))).await.unwrap().ask.id;
        let line = Arc::new(Barrier::new(N_RIVALS));
        let desks: [Desk; N_RIVALS] = std::array::from_fn(|_| desk.clone());
        let [one, two, three, four, five] = desks;
        let entries = pick(&id, "1");
        let answer = rival(&line, async move { one.answer(&person(), ask, entries).await });
        let decline = rival(&line, async move { two.decline(&person(), ask, None).await });
        let withdraw = rival(&line, async move { three.withdraw(&agent(), ask).await });
        let ahead = Arc::clone(&forward_ms);
        let expire = rival(&line, async move {
            ahead.store(120_000, Ordering::SeqCst);
            four.expire_due().await.unwrap();
        });
        let wait = rival(&line, async move { five.wait(&agent(), ask, Duration::from_mins(1)).await });
        let told = [answer, decline, withdraw].map(|rival| learnt(rival.join().unwrap()));
        expire.join().unwrap();
        let Waited::Closed(ended) = wait.join().unwrap().unwrap() else { panic!("the waiter hangs") };
        let outcome = ended.state.outcome().unwrap();
        let n_won = told.iter().filter(|(won, _)| *won).count() + usize::from(outcome.status() == "timeout");
        assert_eq!(n_won, 1, "round {round}");
        for (_, learnt) in told {
            assert_eq!(learnt, *outcome, "round {round}");
        }
        let facts = desk.store().facts_since(0, 10_000).await.unwrap();
        let closes = facts.iter().filter(|fact| fact.ask == Some(ask));
        let closes = closes.filter(|fact| matches!(fact.fact.as_deref(), Some(Fact::Closed { .. })));
        assert_eq!(closes.count(), 1, "round {round}");
    }
}
