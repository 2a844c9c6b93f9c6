//! Browsers are each for one person, and the desk has one key for them.

use std::sync::Arc;

use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::START;
use crate::pushes::Browser;
use crate::{Store, User};

fn browser(person: &str, n: u8) -> Browser {
    Browser {
        person: person.into(),
        endpoint: format!("https://push.example/{n}"),
        key: vec![n; 65],
        auth: vec![n; 16],
        language: "en".to_owned(),
        at: Timestamp(START.0 + i64::from(n)),
    }
}

pub(crate) async fn the_key_for_browsers_is_made_once(store: Arc<dyn Store>) {
    let mut at_once = JoinSet::new();
    for n in 0..20 {
        let store = Arc::clone(&store);
        at_once.spawn(async move { store.pushing().push_key(vec![n; 9], START).await.unwrap() });
    }
    let kept = at_once.join_all().await;
    assert!(kept.iter().all(|key| *key == kept[0] && key.len() == 9), "{kept:?}");
    assert_eq!(store.pushing().push_key(vec![77], START).await.unwrap(), kept[0]);
}

pub(crate) async fn a_browser_tells_one_person(store: Arc<dyn Store>) {
    for name in ["ann", "bob"] {
        store.add_user(User { id: name.into(), created_at: START, disabled_at: None }).await.unwrap();
    }
    let pushing = store.pushing();
    assert!(pushing.add_browser([1; 32], browser("ann", 1), 2).await.unwrap());
    assert!(!pushing.add_browser([2; 32], browser("nobody", 2), 2).await.unwrap());
    assert!(pushing.add_browser([3; 32], browser("ann", 3), 2).await.unwrap());
    let anns = async || pushing.browsers(Some("ann".into())).await.unwrap();
    assert_eq!(anns().await, [browser("ann", 1), browser("ann", 3)]);
    // One too many: the oldest goes.
    assert!(pushing.add_browser([4; 32], browser("ann", 4), 2).await.unwrap());
    assert_eq!(anns().await, [browser("ann", 3), browser("ann", 4)]);
    // Somebody else signed in there: it is theirs now, and not hers to remove.
    let his = Browser { person: "bob".into(), ..browser("ann", 5) };
    assert!(pushing.add_browser([3; 32], his.clone(), 2).await.unwrap());
    assert_eq!(anns().await, [browser("ann", 4)]);
    assert!(!pushing.remove_browser([3; 32], "ann".into()).await.unwrap());
    assert_eq!(pushing.browsers(None).await.unwrap(), [browser("ann", 4), his]);
    assert!(pushing.remove_browser([4; 32], "ann".into()).await.unwrap());
    assert!(!pushing.remove_browser([4; 32], "ann".into()).await.unwrap());
    store.disable_user(&"bob".into(), START).await.unwrap();
    assert!(pushing.browsers(None).await.unwrap().is_empty());
}
