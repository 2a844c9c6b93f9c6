//! Nudges are claimed once, and links are for one ask and one person.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::START;
use crate::nudges::{AnswerLink, NudgeKey, NudgeState};
use crate::{Store, User};

fn key(ask: u128, step: u32, channel: &str) -> NudgeKey {
    NudgeKey { ask: AskId(ask), person: "ann".into(), step, channel: channel.to_owned() }
}

pub(crate) async fn a_nudge_is_claimed_once_and_moves_on(store: Arc<dyn Store>) {
    let mut at_once = JoinSet::new();
    for _ in 0..20 {
        let store = Arc::clone(&store);
        at_once.spawn(async move {
            store.nudging().claim_nudge(key(1, 0, "phone"), NudgeState::Trying, START).await.unwrap()
        });
    }
    let claimed = at_once.join_all().await;
    assert_eq!(claimed.iter().filter(|claimed| **claimed).count(), 1);
    let nudging = store.nudging();
    // Another step or another channel is another nudge.
    assert!(nudging.claim_nudge(key(1, 1, "phone"), NudgeState::Over, START).await.unwrap());
    assert!(nudging.claim_nudge(key(1, 0, "mail"), NudgeState::Waiting, START).await.unwrap());
    let (waiting, trying) = (NudgeState::Waiting, NudgeState::Trying);
    assert!(!nudging.move_nudge(key(1, 0, "phone"), waiting, trying).await.unwrap());
    assert!(nudging.move_nudge(key(1, 0, "phone"), trying, waiting).await.unwrap());
    assert!(nudging.move_nudge(key(1, 0, "phone"), waiting, trying).await.unwrap());
    assert!(nudging.sent_nudge(key(1, 0, "phone"), "m1".to_owned()).await.unwrap());
    let states: Vec<_> = nudging.nudges().await.unwrap().into_iter().map(|row| row.state).collect();
    assert_eq!(states.len(), 3);
    assert_eq!(states.iter().filter(|state| **state == NudgeState::Sent).count(), 1);
    // Whoever ends it gets what was sent, once; what comes too late must be taken back.
    let ended = nudging.end_nudges(AskId(1)).await.unwrap();
    assert_eq!((ended.len(), ended[0].receipt.as_str(), ended[0].n_left), (1, "m1", 0));
    assert_eq!(ended[0].key, key(1, 0, "phone"));
    assert!(nudging.end_nudges(AskId(1)).await.unwrap().is_empty());
    assert!(!nudging.sent_nudge(key(1, 0, "mail"), "m2".to_owned()).await.unwrap());
    assert!(nudging.nudges().await.unwrap().is_empty());
}

pub(crate) async fn the_nudges_of_one_person_end_without_those_of_others(store: Arc<dyn Store>) {
    let nudging = store.nudging();
    let bob = askuser_core::id::UserId::from("bob");
    let bobs = NudgeKey { person: "bob".into(), ..key(1, 0, "phone") };
    for (key, receipt) in
        [(key(1, 0, "phone"), "to ann"), (bobs.clone(), "to bob"), (key(2, 0, "phone"), "2")]
    {
        assert!(nudging.claim_nudge(key.clone(), NudgeState::Trying, START).await.unwrap());
        assert!(nudging.sent_nudge(key, receipt.to_owned()).await.unwrap());
    }
    assert!(nudging.end_nudges_of(AskId(1), bob.clone(), Some("mail".to_owned())).await.unwrap().is_empty());
    let ended = nudging.end_nudges_of(AskId(1), bob.clone(), Some("phone".to_owned())).await.unwrap();
    assert_eq!(
        ended.iter().map(|one| (&one.key, one.receipt.as_str())).collect::<Vec<_>>(),
        [(&bobs, "to bob")]
    );
    assert!(nudging.end_nudges_of(AskId(1), bob, None).await.unwrap().is_empty());
    let ended = nudging.end_nudges(AskId(1)).await.unwrap();
    assert_eq!(ended.iter().map(|one| one.receipt.as_str()).collect::<Vec<_>>(), ["to ann"]);
    assert_eq!(nudging.nudges().await.unwrap().len(), 1);
}

pub(crate) async fn one_message_for_several_asks_goes_with_the_last(store: Arc<dyn Store>) {
    let nudging = store.nudging();
    for ask in [1, 2] {
        assert!(nudging.claim_nudge(key(ask, 0, "phone"), NudgeState::Trying, START).await.unwrap());
        assert!(nudging.sent_nudge(key(ask, 0, "phone"), "several".to_owned()).await.unwrap());
    }
    let n_left = |ended: Vec<crate::nudges::EndedNudge>| ended[0].n_left;
    assert_eq!(n_left(nudging.end_nudges(AskId(1)).await.unwrap()), 1);
    assert_eq!(n_left(nudging.end_nudges(AskId(2)).await.unwrap()), 0);
}

pub(crate) async fn an_answer_link_is_kept_until_it_expires(store: Arc<dyn Store>) {
    store.add_user(User { id: "ann".into(), created_at: START, disabled_at: None }).await.unwrap();
    let later = Timestamp(START.0 + 1000);
    let link = AnswerLink {
        ask: AskId(7),
        person: "ann".into(),
        channel: "phone".to_owned(),
        expires_at: later,
        used_at: None,
    };
    let nudging = store.nudging();
    assert!(nudging.add_answer_link([1; 32], link.clone(), START).await.unwrap());
    let nobodys = AnswerLink { person: "nobody".into(), ..link.clone() };
    assert!(!nudging.add_answer_link([2; 32], nobodys, START).await.unwrap());
    assert_eq!(nudging.answer_link([1; 32]).await.unwrap(), Some(link.clone()));
    assert_eq!(nudging.answer_link([2; 32]).await.unwrap(), None);
    assert!(nudging.use_answer_link([1; 32], START).await.unwrap());
    assert!(!nudging.use_answer_link([1; 32], later).await.unwrap());
    let used = AnswerLink { used_at: Some(START), ..link.clone() };
    assert_eq!(nudging.answer_link([1; 32]).await.unwrap(), Some(used));
    // Those that are over are known for a month, and swept out when one is added.
    let next = AnswerLink { expires_at: Timestamp(later.0 + 1), ..link };
    assert!(nudging.add_answer_link([3; 32], next.clone(), later).await.unwrap());
    assert!(nudging.answer_link([1; 32]).await.unwrap().is_some());
    let a_month_later = later.after(Duration::from_hours(24 * 30));
    assert!(nudging.add_answer_link([4; 32], next, a_month_later).await.unwrap());
    assert_eq!(nudging.answer_link([1; 32]).await.unwrap(), None);
    store.disable_user(&"ann".into(), later).await.unwrap();
    assert_eq!(nudging.answer_link([3; 32]).await.unwrap(), None);
}
