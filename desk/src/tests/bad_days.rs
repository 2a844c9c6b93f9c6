//! A clock that goes back, and callers that go away in the middle.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;

/// A clock that goes back ends nothing early, loses nothing, and new ids still come after old ones.
#[tokio::test]
async fn a_clock_that_goes_back_ends_nothing_early_and_loses_nothing() {
    let forward_ms = Arc::new(AtomicI64::new(0));
    let store = Sqlite::in_memory(&options()).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward_ms)).await.unwrap();
    let timed_out = desk.ask(&agent(), request("first", timed(60_000))).await.unwrap().ask;
    forward_ms.store(-3_600_000, Ordering::SeqCst);
    desk.expire_due().await.unwrap();
    let later = desk.ask(&agent(), request("second", timed(3_600_000))).await.unwrap().ask;
    assert!(later.id > timed_out.id, "ids grow whatever the clock does");
    let inbox = desk.inbox(&person()).await.unwrap();
    assert_eq!(inbox.iter().map(|ask| ask.id).collect::<Vec<_>>(), [timed_out.id, later.id]);
    desk.answer(&person(), later.id, pick("second", "1")).await.unwrap();
    assert!(desk.ask_of(&agent(), timed_out.id).await.unwrap().is_open());
    forward_ms.store(120_000, Ordering::SeqCst);
    desk.expire_due().await.unwrap();
    assert_eq!(desk.ask_of(&agent(), timed_out.id).await.unwrap().state.status(), "timeout");
    assert!(desk.store().verify(1).await.unwrap().broken.is_none());
}

/// A caller that goes away after any number of steps has asked once or not at all; asked again with
/// its key, it joins.
#[tokio::test]
async fn a_caller_that_goes_away_at_any_step_has_asked_once() {
    let desk = desk().await;
    for n_polls in 0..6 {
        let id = format!("q{n_polls}");
        let terms = Terms { idempotency_key: Some(id.clone()), ..Terms::default() };
        {
            let agent = agent();
            let mut asking = pin!(desk.ask(&agent, request(&id, terms.clone())));
            for _ in 0..n_polls {
                if let Poll::Ready(_asked) = asking.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
        let asked = desk.ask(&agent(), request(&id, terms)).await.unwrap().ask;
        let inbox = desk.inbox(&person()).await.unwrap();
        assert_eq!(inbox.iter().filter(|ask| ask.has(&id.as_str().into())).count(), 1, "{n_polls} steps");
        desk.answer(&person(), asked.id, pick(&id, "1")).await.unwrap();
    }
}

/// D5, D16: a session is idle after as long as the desk was told, and a crowd of them ends at once.
#[tokio::test]
async fn d5_d16_idle_sessions_end_after_the_time_that_is_set() {
    const N_SESSIONS: usize = 300;
    let forward_ms = Arc::new(AtomicI64::new(0));
    let limits = DeskLimits { session_idle: Duration::from_mins(2), ..DeskLimits::default() };
    let store = Sqlite::in_memory(&Options::new(limits, Timestamp(0))).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward_ms)).await.unwrap();
    for number in 0..N_SESSIONS {
        desk.open_session(&agent(), Some(format!("s{number}")), None, askuser_core::asker::Timing::default())
            .await
            .unwrap();
    }
    let in_use = Terms { session: Some("in use".into()), ..Terms::default() };
    desk.ask(&agent(), request("q", in_use)).await.unwrap();
    let n_active = async || {
        desk.end_idle_sessions().await.unwrap();
        let sessions = desk.sessions(&agent()).await.unwrap();
        sessions.iter().filter(|session| session.status.name() == "active").count()
    };
    forward_ms.store(60_000, Ordering::SeqCst);
    assert_eq!(n_active().await, N_SESSIONS + 1);
    forward_ms.store(180_000, Ordering::SeqCst);
    assert_eq!(n_active().await, 1, "all but the one with an open ask");
}
