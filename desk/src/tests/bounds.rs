//! What one user's agents may put to another person, and clocks that jump.

use askuser_core::audience::{Audience, Circle};

use super::*;

/// Bob's agents put 2,000 asks into Ann's inbox.
#[tokio::test]
async fn the_agents_of_one_user_do_not_fill_the_inbox_of_another() {
    let limits = DeskLimits { active_sessions_max: 1000, open_max: 1000, ..DeskLimits::default() };
    let store = Sqlite::in_memory(&Options::new(limits, Timestamp(0))).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&Arc::default())).await.unwrap();
    for user in ["ann", "bob", "cid"] {
        desk.access().add_user(&user.into()).await.unwrap();
    }
    let for_ann = |number: usize| {
        let circle = Circle { people: vec!["ann".into()], ..Circle::default() };
        let audience = Audience { circle, quorum: 1, escalation: None };
        let terms = Terms {
            audience: Some(audience),
            session: Some(format!("s{}", number / 50)),
            ..Terms::default()
        };
        request(&format!("q{number}"), terms)
    };
    let bob = actor(Role::Agent, "bob");
    let mut n_asked = 0;
    for number in 0..300 {
        n_asked += usize::from(desk.ask(&bob, for_ann(number)).await.is_ok());
    }
    assert_eq!(n_asked, 100);
    let refused = desk.ask(&bob, for_ann(300)).await.unwrap_err();
    assert!(refused.to_string().contains("which is the limit"), "{refused}");
    // Neither another's agents nor Ann's own are concerned.
    desk.ask(&actor(Role::Agent, "cid"), for_ann(301)).await.unwrap();
    desk.ask(&agent(), for_ann(302)).await.unwrap();
}

/// A deadline was noticed some 17 s after the clock had jumped over it.
#[tokio::test]
async fn a_clock_that_jumps_forward_ends_what_is_due_within_seconds() {
    let forward_ms = Arc::new(AtomicI64::new(0));
    let store = Sqlite::in_memory(&options()).unwrap();
    let desk = Desk::open(Arc::new(store), clock(&forward_ms)).await.unwrap();
    let asked = desk.ask(&agent(), request("q", timed(3_600_000))).await.unwrap().ask.id;
    // The alarm is set, and then the clock jumps.
    tokio::time::sleep(Duration::from_millis(200)).await;
    forward_ms.store(7_200_000, Ordering::SeqCst);
    let begun = Instant::now();
    while desk.ask_of(&agent(), asked).await.unwrap().is_open() {
        assert!(begun.elapsed() < Duration::from_secs(8), "not noticed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
