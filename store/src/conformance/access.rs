//! Who may come in.

use std::sync::Arc;

use askuser_core::outcome::Proof;
use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::{Caller, START, one};
use crate::{BrowserChange, BrowserId, KeyId, KeyRole, KeyRow, Pass, SignedIn, Store, User};

const LATER: Timestamp = Timestamp(START.0 + 1000);
const MUCH_LATER: Timestamp = Timestamp(START.0 + 2000);

fn user(name: &str) -> User {
    User { id: name.into(), created_at: START, disabled_at: None }
}

fn key(id: u8, role: KeyRole, user: &str) -> KeyRow {
    KeyRow {
        id: KeyId(u128::from(id)),
        hash: [id; 32],
        role,
        user: user.into(),
        name: format!("key {id}"),
        created_at: START,
        revoked_at: None,
    }
}

pub(crate) async fn keys_open_until_they_are_revoked(store: Arc<dyn Store>) {
    assert!(store.add_user(user("bob")).await.unwrap());
    assert!(store.add_user(user("ann")).await.unwrap());
    assert!(!store.add_user(user("ann")).await.unwrap());
    assert!(!store.add_key(key(9, KeyRole::Agent, "nobody")).await.unwrap());
    for (id, role) in KeyRole::ALL.into_iter().enumerate() {
        assert!(store.add_key(key(u8::try_from(id).unwrap(), role, "ann")).await.unwrap());
    }
    assert!(store.add_key(key(7, KeyRole::Person, "bob")).await.unwrap());
    assert_eq!(store.key_by_hash([1; 32]).await.unwrap(), Some(key(1, KeyRole::Person, "ann")));
    assert_eq!(store.key_by_hash([99; 32]).await.unwrap(), None);
    assert!(store.revoke_key(KeyId(1), LATER).await.unwrap());
    assert!(!store.revoke_key(KeyId(1), LATER).await.unwrap());
    assert!(!store.revoke_key(KeyId(99), LATER).await.unwrap());
    assert_eq!(store.key_by_hash([1; 32]).await.unwrap(), None);
    let keys = store.keys().await.unwrap();
    assert_eq!(keys.iter().map(|key| key.id.0).collect::<Vec<_>>(), [0, 1, 2, 7]);
    assert_eq!(keys[1].revoked_at, Some(LATER));
    // A disabled user is out, with every key.
    assert!(store.disable_user(&"ann".into(), LATER).await.unwrap());
    assert!(!store.disable_user(&"ann".into(), LATER).await.unwrap());
    assert!(!store.disable_user(&"nobody".into(), LATER).await.unwrap());
    assert_eq!(store.key_by_hash([0; 32]).await.unwrap(), None);
    assert!(store.key_by_hash([7; 32]).await.unwrap().is_some());
    assert!(!store.add_key(key(8, KeyRole::Agent, "ann")).await.unwrap());
    let users = store.users().await.unwrap();
    assert_eq!(users, [User { disabled_at: Some(LATER), ..user("ann") }, user("bob")]);
    // The same key twice is refused, and nobody else's work with it.
    assert!(store.add_key(key(7, KeyRole::Agent, "bob")).await.is_err());
    store.check_writable().await.unwrap();
}

/// A browser of Ann's, good until [`LATER`].
fn browser(id: u8) -> SignedIn {
    SignedIn {
        id: BrowserId(u128::from(id)),
        user: "ann".into(),
        made_with: Proof::Terminal,
        name: format!("browser {id}"),
        user_agent: "Mozilla/5.0".into(),
        created_at: Timestamp(START.0 + i64::from(id)),
        last_seen_at: START,
        told_at: START,
        expires_at: LATER,
    }
}

pub(crate) async fn cookies_open_until_they_expire(store: Arc<dyn Store>) {
    store.add_user(user("ann")).await.unwrap();
    let one = browser(1);
    assert!(store.add_cookie([1; 32], one.clone(), START).await.unwrap());
    let nobodys = SignedIn { user: "nobody".into(), ..browser(2) };
    assert!(!store.add_cookie([2; 32], nobodys, START).await.unwrap());
    assert_eq!(store.cookie([1; 32], START).await.unwrap(), Some(one));
    assert_eq!(store.cookie([1; 32], LATER).await.unwrap(), None);
    assert_eq!(store.cookie([2; 32], START).await.unwrap(), None);
    assert!(store.revoke_cookie([1; 32]).await.unwrap());
    assert!(!store.revoke_cookie([1; 32]).await.unwrap());
    assert_eq!(store.cookie([1; 32], START).await.unwrap(), None);
    // Those that are over are swept out when one is added.
    store.add_cookie([3; 32], browser(3), START).await.unwrap();
    let next = SignedIn { expires_at: MUCH_LATER, ..browser(4) };
    store.add_cookie([4; 32], next, LATER).await.unwrap();
    assert!(!store.revoke_cookie([3; 32]).await.unwrap());
    store.disable_user(&"ann".into(), LATER).await.unwrap();
    assert_eq!(store.cookie([4; 32], LATER).await.unwrap(), None);
    assert_eq!(store.signed_in(&"ann".into(), LATER).await.unwrap(), []);
}

/// A signed-in browser is listed to its own person, named by them and sent away by them.
pub(crate) async fn browsers_are_listed_named_and_sent_away(store: Arc<dyn Store>) {
    for name in ["ann", "bob"] {
        store.add_user(user(name)).await.unwrap();
    }
    let weak = SignedIn { made_with: Proof::AsPerson, ..browser(2) };
    store.add_cookie([1; 32], browser(1), START).await.unwrap();
    store.add_cookie([2; 32], weak.clone(), START).await.unwrap();
    let (ann, bob) = ("ann".into(), "bob".into());
    assert_eq!(store.signed_in(&ann, START).await.unwrap(), [weak.clone(), browser(1)]);
    assert_eq!(store.signed_in(&bob, START).await.unwrap(), []);
    assert_eq!(store.signed_in(&ann, LATER).await.unwrap(), []);
    let change = async |user, id, change| store.change_browser(user, BrowserId(id), change).await.unwrap();
    for (user, id) in [(&bob, 2), (&ann, 9)] {
        for wrong in [BrowserChange::Revoked, BrowserChange::Named("x".into()), BrowserChange::Seen(LATER)] {
            assert!(!change(user, id, wrong).await);
        }
    }
    assert!(change(&ann, 2, BrowserChange::Named("Phone \u{1f4f1}".into())).await);
    assert!(change(&ann, 2, BrowserChange::Seen(LATER)).await);
    assert!(change(&ann, 2, BrowserChange::Seen(START)).await);
    assert!(change(&ann, 2, BrowserChange::Told(LATER)).await);
    let changed = SignedIn { name: "Phone \u{1f4f1}".into(), last_seen_at: LATER, told_at: LATER, ..weak };
    assert_eq!(store.cookie([2; 32], START).await.unwrap(), Some(changed));
    assert!(change(&ann, 2, BrowserChange::Revoked).await);
    assert!(!change(&ann, 2, BrowserChange::Revoked).await);
    assert_eq!(store.cookie([2; 32], START).await.unwrap(), None);
    assert_eq!(store.signed_in(&ann, START).await.unwrap(), [browser(1)]);
}

pub(crate) async fn a_login_link_opens_once(store: Arc<dyn Store>) {
    store.add_user(user("ann")).await.unwrap();
    let pass = Pass { user: "ann".into(), expires_at: LATER, made_with: Proof::AsPerson };
    assert!(store.add_login_link([1; 32], pass.clone(), START).await.unwrap());
    let mut at_once = JoinSet::new();
    for _ in 0..20 {
        let store = Arc::clone(&store);
        at_once.spawn(async move { store.use_login_link([1; 32], START).await.unwrap() });
    }
    let let_in: Vec<_> = at_once.join_all().await.into_iter().flatten().collect();
    // With how it was made: what it becomes proves no more than that.
    assert_eq!(let_in, std::slice::from_ref(&pass));
    store.add_login_link([2; 32], pass, START).await.unwrap();
    assert_eq!(store.use_login_link([2; 32], LATER).await.unwrap(), None);
    assert_eq!(store.use_login_link([3; 32], START).await.unwrap(), None);
}

pub(crate) async fn a_closed_store_says_so(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    store.check_writable().await.unwrap();
    store.close().await.unwrap();
    let closed = "the store is not available: the store is closed";
    assert_eq!(store.check_writable().await.unwrap_err().to_string(), closed);
    assert_eq!(store.head().await.unwrap_err().to_string(), closed);
    assert_eq!(store.close().await.unwrap_err().to_string(), closed);
}
