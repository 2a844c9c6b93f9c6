//! Rules that people made: each person's own, so many at most, until they end, and who made them.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::START;
use crate::audit::WatchedFile;
use crate::rules::{ConfirmedRule, KeptRule, Mark};
use crate::{SecurityEvent, Severity, Store, User};

/// More than anybody makes here.
const MANY: usize = 99;

/// A rule that holds for an hour, with an entry under each of these marks.
pub(crate) fn rule(person: &str, ask: u128, made_at: Timestamp, marks: &[u8]) -> KeptRule {
    let entry = |mark: &u8| ([*mark; 32], format!("{person} {ask} {mark}"));
    KeptRule {
        person: person.into(),
        ask: AskId(ask),
        made_at,
        until: made_at.after(Duration::from_hours(1)),
        entries: marks.iter().map(entry).collect(),
    }
}

pub(crate) fn event(kind: &str, at: Timestamp) -> SecurityEvent {
    let (kind, details) = (kind.to_owned(), "{}".to_owned());
    SecurityEvent { number: 0, at, kind, severity: Severity::Low, details }
}

async fn add(store: &dyn Store, rule: KeptRule) {
    let made = event("rule_made", rule.made_at);
    assert!(store.ruling().add_rule(rule, MANY, made).await.unwrap());
}

async fn listed(store: &dyn Store, person: &str, now: Timestamp) -> Vec<String> {
    store.ruling().rules_of(person.into(), now).await.unwrap()
}

async fn marked(store: &dyn Store, person: &str, marks: &[u8], now: Timestamp) -> Vec<String> {
    let marks: Vec<Mark> = marks.iter().map(|mark| [*mark; 32]).collect();
    store.ruling().rules_marked(person.into(), marks, now).await.unwrap()
}

fn later(millis: u64) -> Timestamp {
    START.after(Duration::from_millis(millis))
}

async fn recorded(store: &dyn Store) -> Vec<String> {
    let events = store.audit().unwrap().events(0, 999).await.unwrap();
    assert_eq!(store.audit().unwrap().verify_events().await.unwrap().broken, None);
    events.into_iter().map(|event| event.kind).collect()
}

pub(crate) async fn a_rule_is_kept_until_it_ends_or_is_removed(store: Arc<dyn Store>) {
    let store = store.as_ref();
    // Where nobody has one, that is known; and no more as soon as one is there.
    for _ in 0..2 {
        assert!(marked(store, "ann", &[1], START).await.is_empty());
    }
    add(store, rule("ann", 1, START, &[1, 2])).await;
    add(store, rule("ben", 1, START, &[1])).await;
    assert_eq!(listed(store, "ann", START).await, ["ann 1 1", "ann 1 2"]);
    assert_eq!(marked(store, "ann", &[2, 7], START).await, ["ann 1 2"]);
    assert_eq!(marked(store, "ann", &[2, 1], START).await, ["ann 1 1", "ann 1 2"]);
    assert!(marked(store, "ann", &[7], START).await.is_empty());
    assert!(marked(store, "ann", &[], START).await.is_empty());
    assert!(marked(store, "cid", &[1], START).await.is_empty());
    // It ends by itself, at the very moment.
    assert_eq!(listed(store, "ann", later(3_599_999)).await.len(), 2);
    assert!(listed(store, "ann", later(3_600_000)).await.is_empty());
    assert!(marked(store, "ann", &[1], later(3_600_000)).await.is_empty());
    // Nobody removes another's, or one that is not there; and nothing is recorded of that.
    let ruling = store.ruling();
    assert!(ruling.remove_rule("ann".into(), AskId(1), event("rule_removed", START)).await.unwrap());
    for (person, ask) in [("ann", 1), ("ben", 2), ("cid", 1)] {
        let removed = ruling.remove_rule(person.into(), AskId(ask), event("rule_removed", START)).await;
        assert!(!removed.unwrap(), "{person} {ask}");
    }
    assert!(listed(store, "ann", START).await.is_empty());
    assert!(marked(store, "ann", &[1], START).await.is_empty());
    assert_eq!(marked(store, "ben", &[1], START).await, ["ben 1 1"]);
    assert_eq!(recorded(store).await, ["rule_made", "rule_made", "rule_removed"]);
    // Whoever is disabled has none.
    for name in ["ben", "cid"] {
        store.add_user(User { id: name.into(), created_at: START, disabled_at: None }).await.unwrap();
    }
    assert_eq!(listed(store, "ben", START).await, ["ben 1 1"]);
    store.disable_user(&"ben".into(), START).await.unwrap();
    assert!(listed(store, "ben", START).await.is_empty());
    assert!(marked(store, "ben", &[1], START).await.is_empty());
}

pub(crate) async fn of_two_rules_the_newest_comes_first(store: Arc<dyn Store>) {
    let store = store.as_ref();
    add(store, rule("ann", 1, START, &[1, 2])).await;
    add(store, rule("ann", 2, later(1), &[2])).await;
    assert_eq!(listed(store, "ann", later(9)).await, ["ann 2 2", "ann 1 1", "ann 1 2"]);
    assert_eq!(marked(store, "ann", &[2], later(9)).await, ["ann 2 2", "ann 1 2"]);
    // Made once more it is the same one, with another end, and the newest.
    let again = KeptRule { until: later(5), ..rule("ann", 1, later(2), &[2]) };
    add(store, again).await;
    assert_eq!(listed(store, "ann", later(4)).await, ["ann 1 2", "ann 2 2"]);
    assert_eq!(marked(store, "ann", &[2], later(5)).await, ["ann 2 2"]);
}

pub(crate) async fn a_person_has_so_many_rules_and_no_more(store: Arc<dyn Store>) {
    let mut at_once = JoinSet::new();
    for ask in 1..=12 {
        let store = Arc::clone(&store);
        at_once.spawn(async move {
            let rule = rule("ann", ask, START, &[1, 2, 3]);
            store.ruling().add_rule(rule, 5, event("rule_made", START)).await.unwrap()
        });
    }
    let added = at_once.join_all().await;
    assert_eq!(added.iter().filter(|added| **added).count(), 5);
    let store = store.as_ref();
    assert_eq!(listed(store, "ann", START).await.len(), 15);
    assert_eq!(recorded(store).await.len(), 5, "nothing is recorded of what was not made");
    // Others have their own, one that is made again is no more than it was, and what ended does not count.
    let add = async |person: &str, ask: u128, at: Timestamp| {
        let rule = rule(person, ask, at, &[1]);
        store.ruling().add_rule(rule, 5, event("rule_made", at)).await.unwrap()
    };
    assert!(add("ben", 1, START).await);
    let first = listed(store, "ann", START).await.pop().unwrap();
    let known: u128 = first.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(add("ann", known, START).await);
    assert!(!add("ann", 77, START).await);
    assert!(add("ann", 77, later(3_600_000)).await);
}

pub(crate) async fn rules_that_ended_go(store: Arc<dyn Store>) {
    let store = store.as_ref();
    add(store, rule("ann", 1, START, &[1])).await;
    add(store, rule("ben", 2, later(10), &[1])).await;
    // With the next change, whoever makes it: even before it ended nothing of it is found then.
    add(store, rule("cid", 3, later(3_600_005), &[1])).await;
    assert!(listed(store, "ann", START).await.is_empty());
    assert_eq!(listed(store, "ben", START).await, ["ben 2 1"]);
    // And with what is erased by age.
    store.audit().unwrap().erase_before(later(3_600_010), 9).await.unwrap();
    assert!(listed(store, "ben", START).await.is_empty());
    assert_eq!(listed(store, "cid", START).await, ["cid 3 1"]);
}

pub(crate) async fn a_rule_is_confirmed_by_each_person_for_themselves(store: Arc<dyn Store>) {
    let store = store.as_ref();
    let ruling = store.ruling();
    let of = |person: &str, digest: u8, at: Timestamp| ConfirmedRule {
        person: person.into(),
        digest: [digest; 32],
        at,
        text: format!("rule {digest}"),
    };
    for (rule, is_new) in [
        (of("ann", 1, START), true),
        (of("ann", 1, later(9)), false),
        (of("ann", 2, later(1)), true),
        (of("ben", 1, START), true),
    ] {
        let confirmed = ruling.confirm_rule(rule.clone(), event("rule_confirmed", rule.at)).await.unwrap();
        assert_eq!(confirmed, is_new, "{rule:?}");
    }
    let all = async |person: &str| ruling.confirmed_rules(person.into()).await.unwrap();
    assert_eq!(all("ann").await, [of("ann", 2, later(1)), of("ann", 1, START)]);
    assert!(all("cid").await.is_empty());
    let back = event("rule_unconfirmed", START);
    assert!(ruling.unconfirm_rule("ann".into(), [1; 32], back.clone()).await.unwrap());
    for (person, digest) in [("ann", 1), ("cid", 1), ("ben", 2)] {
        let taken = ruling.unconfirm_rule(person.into(), [digest; 32], back.clone()).await.unwrap();
        assert!(!taken, "{person} {digest}");
    }
    assert_eq!(all("ann").await, [of("ann", 2, later(1))]);
    let kinds = ["rule_confirmed", "rule_confirmed", "rule_confirmed", "rule_unconfirmed"];
    assert_eq!(recorded(store).await, kinds, "what changes nothing is not recorded");
    // Whoever is disabled has confirmed nothing.
    store.add_user(User { id: "ben".into(), created_at: START, disabled_at: None }).await.unwrap();
    assert_eq!(all("ben").await.len(), 1);
    store.disable_user(&"ben".into(), START).await.unwrap();
    assert!(all("ben").await.is_empty());
}

pub(crate) async fn a_file_is_noted_with_the_event_that_says_so(store: Arc<dyn Store>) {
    let store = store.as_ref();
    let audit = store.audit().unwrap();
    let digest =
        async |server: &str, name: &str| audit.file_digest(server.to_owned(), name.to_owned()).await.unwrap();
    let note = async |server: &str, name: &str, digest: Option<[u8; 32]>| {
        let file = WatchedFile { server: server.to_owned(), name: name.to_owned(), digest };
        audit.note_file(file, event("file_changed", START)).await.unwrap();
    };
    assert_eq!(digest("a", "rules.yaml").await, None);
    note("a", "rules.yaml", Some([1; 32])).await;
    note("b", "rules.yaml", Some([2; 32])).await;
    note("a", "config.yaml", Some([3; 32])).await;
    note("a", "rules.yaml", Some([4; 32])).await;
    assert_eq!(digest("a", "rules.yaml").await, Some([4; 32]));
    assert_eq!(digest("b", "rules.yaml").await, Some([2; 32]));
    note("a", "rules.yaml", None).await;
    assert_eq!(digest("a", "rules.yaml").await, None);
    assert_eq!(digest("a", "config.yaml").await, Some([3; 32]));
    assert_eq!(recorded(store).await, ["file_changed"; 5]);
}
