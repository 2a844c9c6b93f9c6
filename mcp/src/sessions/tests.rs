//! Whose a session is, and when one makes room.

use super::*;

/// Adds sessions that were used so long ago.
fn with(sessions: &Arc<Sessions>, owner: &str, n: usize, ago: Duration) {
    let used = Instant::now().checked_sub(ago).unwrap();
    for number in 0..n {
        let session = Open { used, ..Open::new(owner.to_owned()) };
        sessions.open().insert(format!("{owner} {number:03}").into(), session);
    }
}

/// S5: a key has so many sessions and no more; what it has not used for the longest makes room, what it
/// uses and what is another's never does.
#[tokio::test]
async fn s5_a_key_makes_room_for_its_own_sessions_only() {
    let sessions = Arc::new(Sessions::new(None));
    with(&sessions, "ann", 1, Duration::from_secs(9));
    with(&sessions, "bob", SESSIONS_PER_KEY_MAX - 1, Duration::from_secs(5));
    assert_eq!(sessions.room_for("bob"), Ok(None));
    with(&sessions, "bob", SESSIONS_PER_KEY_MAX, Duration::from_secs(5));
    let used: Vec<_> = (0..SESSIONS_PER_KEY_MAX - 1)
        .map(|number| sessions.find(&format!("bob {number:03}"), "bob"))
        .collect();
    assert_eq!(sessions.room_for("bob"), Ok(Some("bob 099".into())));
    let last = sessions.find("bob 099", "bob");
    assert_eq!(sessions.room_for("bob"), Err(Full::Key));
    assert_eq!(sessions.room_for("ann"), Ok(None));
    for owner in ["cid", "dan", "eve", "fay"] {
        with(&sessions, owner, SESSIONS_PER_KEY_MAX, Duration::ZERO);
    }
    assert_eq!(sessions.room_for("gil"), Err(Full::Desk));
    assert_eq!(sessions.room_for("ann"), Ok(Some("ann 000".into())));
    drop((used, last));
    assert!(matches!(sessions.room_for("bob"), Ok(Some(_))));
}

/// S7: a session is found by the key that began it, and by no other.
#[tokio::test]
async fn s7_a_session_is_its_keys_and_ends_when_nobody_uses_it() {
    let sessions = Arc::new(Sessions::new(None));
    with(&sessions, "ann", 2, Duration::from_secs(9));
    assert!(matches!(sessions.find("ann 000", "bob"), Seen::Foreign));
    assert!(matches!(sessions.find("bob 000", "bob"), Seen::Unknown));
    let held = sessions.find("ann 000", "ann");
    assert!(matches!(held, Seen::Own(_)));
    sessions.end_idle(Duration::from_secs(8)).await;
    assert!(matches!(sessions.find("ann 001", "ann"), Seen::Unknown), "nobody used it");
    sessions.end_idle(Duration::ZERO).await;
    drop(held);
    assert!(matches!(sessions.find("ann 000", "ann"), Seen::Own(_)), "it was in use");
    sessions.end_idle(Duration::ZERO).await;
    assert!(matches!(sessions.find("ann 000", "ann"), Seen::Unknown));
}
