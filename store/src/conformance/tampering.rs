//! Whoever changes what happened behind the store's back is found out, whatever they change.

use std::sync::Arc;

use askuser_core::command::Command;
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;

use super::{Caller, START, answer, one};
use crate::audit::from_address;
use crate::{SecurityEvent, Severity, Store};

/// Every column of a fact but its number, with something else for it, in SQL of any dialect.
pub(crate) type Changes<'a> = &'a [(&'a str, &'a str)];

/// What no longer stands in the chain once a payload is erased: it was in there.
const ONLY_IN_PAYLOAD: [&str; 2] = ["session", "ask"];

/// Changes every column of every fact, one at a time: the fact is named each time. The same again when
/// what is told was erased.
pub(crate) async fn every_change_of_a_fact_is_found(
    store: Arc<dyn Store>,
    changes: Changes<'_>,
    run: impl AsyncFn(String),
) {
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    caller.ask("t", one(2)).await;
    from_address(Some([10, 0, 0, 2].into()), caller.person(1, answer(1, "a"))).await;
    caller.person(2, Command::Decline { ask: AskId(2), reason: Some("no".into()) }).await;
    for id in [1, 2] {
        caller.agent(id, Command::Acknowledge { ask: AskId(id) }).await;
    }
    let last = store.head().await.unwrap().number;
    for is_erased in [false, true] {
        run("CREATE TABLE kept AS SELECT * FROM fact".to_owned()).await;
        let erased = store.verify(1).await.unwrap().n_erased;
        assert_eq!(erased > 0, is_erased);
        for (column, changed) in changes {
            for number in 1..=last {
                // The first of a session is about no ask and is not erased with one.
                if is_erased && ONLY_IN_PAYLOAD.contains(column) {
                    continue;
                }
                run(format!("UPDATE fact SET {column} = {changed} WHERE number = {number}")).await;
                let broken = store.verify(1).await.unwrap().broken;
                assert_eq!(broken.map(|broken| broken.number), Some(number), "{column} of {number}");
                run(format!(
                    "UPDATE fact SET {column} = (SELECT kept.{column} FROM kept WHERE kept.number = {number})
                     WHERE number = {number}"
                ))
                .await;
            }
        }
        for number in 1..=last {
            run(format!("DELETE FROM fact WHERE number = {number}")).await;
            let broken = store.verify(1).await.unwrap().broken;
            assert_eq!(broken.map(|broken| broken.number), Some(number), "without {number}");
            run(format!("INSERT INTO fact SELECT * FROM kept WHERE number = {number}")).await;
        }
        run("DROP TABLE kept".to_owned()).await;
        assert_eq!(store.verify(1).await.unwrap().broken, None);
        if !is_erased {
            run("UPDATE ask_body SET body = replace(body, 'q2?', 'q2!')".to_owned()).await;
            assert!(store.verify(1).await.unwrap().broken.is_some(), "what was asked");
            run("UPDATE ask_body SET body = replace(body, 'q2!', 'q2?')".to_owned()).await;
            let before = Timestamp(START.0 + 1);
            assert_eq!(store.audit().unwrap().erase_before(before, 9).await.unwrap(), 2);
        }
    }
}

/// A security event that was changed, added or taken away is named.
pub(crate) async fn every_change_of_a_security_event_is_found(
    store: Arc<dyn Store>,
    run: impl AsyncFn(String),
) {
    let event = |kind: &str| SecurityEvent {
        number: 0,
        at: START,
        kind: kind.to_owned(),
        severity: Severity::High,
        details: "{}".to_owned(),
    };
    let audit = store.audit().unwrap();
    audit.add_events(vec![event("a"), event("b"), event("c")]).await.unwrap();
    for table in ["security_event", "security_head"] {
        run(format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).await;
    }
    for (spoil, number) in [
        ("UPDATE security_event SET details = '{ }' WHERE number = 1", 1),
        ("UPDATE security_event SET severity = 'low' WHERE number = 2", 2),
        ("UPDATE security_event SET kind = 'x' WHERE number = 2", 2),
        ("UPDATE security_event SET at = at - 1 WHERE number = 3", 3),
        (
            "UPDATE security_event SET hash = (SELECT hash FROM security_event WHERE number = 1) WHERE number = 2",
            2,
        ),
        ("UPDATE security_event SET number = 9 WHERE number = 3", 3),
        (
            "INSERT INTO security_event SELECT 4, at, kind, severity, details, hash FROM security_event WHERE number = 3",
            4,
        ),
        ("UPDATE security_head SET number = 2", 2),
        ("DELETE FROM security_event WHERE number = 2", 2),
        ("DELETE FROM security_event WHERE number = 3", 3),
        ("DELETE FROM security_event", 1),
    ] {
        run(spoil.to_owned()).await;
        let broken = audit.verify_events().await.unwrap().broken;
        assert_eq!(broken.map(|broken| broken.number), Some(number), "{spoil}");
        for table in ["security_event", "security_head"] {
            run(format!("DELETE FROM {table}")).await;
            run(format!("INSERT INTO {table} SELECT * FROM kept_{table}")).await;
        }
    }
    assert_eq!(audit.verify_events().await.unwrap().broken, None);
}
