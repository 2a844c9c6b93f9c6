//! Whoever changes what is served behind the store's back is found out, whatever they change: the ask, the
//! session or the task is named, and the column, and the fact that says otherwise.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{Late, Terms};
use askuser_core::command::{Command, Role};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, SessionId};
use askuser_core::question::Question;
use askuser_core::task::TaskMove;
use askuser_core::time::Timestamp;

use super::people::{circle, does, terms};
use super::tasks::{carried, moved, runs, start};
use super::{Caller, START, answer, asking, entry, filled, named, one, question, timed, waiting};
use crate::{SessionRef, Store, StoreError};

/// What was never touched says what happened.
pub(crate) async fn is_whole(store: &Arc<dyn Store>) {
    match store.audit().unwrap().verify_served().await {
        Ok(served) => assert!(served.is_whole(), "{:?}", told(&served.differences)),
        Err(StoreError::Unavailable(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

fn told(differences: &[crate::Difference]) -> Vec<String> {
    differences.iter().map(ToString::to_string).collect()
}

/// Asks of every kind, in every state, and a task.
pub(crate) async fn of_everything(store: &Arc<dyn Store>) {
    let mut caller = Caller::new(store);
    let keyed = Terms { idempotency_key: Some("once".into()), ..timed(60) };
    // 1 is answered and handed over, 2 is declined, 3 is withdrawn, 4 times out and is answered late.
    caller.ask("s", asking(1, vec![question("q1")], keyed)).await;
    caller.person(1, Command::Save { ask: AskId(1), entries: filled(&[("q1", "b")]) }).await;
    caller.person(1, answer(1, "a")).await;
    caller.agent(1, Command::Acknowledge { ask: AskId(1) }).await;
    caller.ask("s", one(2)).await;
    caller.person(2, Command::Decline { ask: AskId(2), reason: Some("not now".into()) }).await;
    caller.ask("s", one(3)).await;
    caller.agent(3, Command::Withdraw { ask: AskId(3), reason: None }).await;
    caller.ask("s", asking(4, vec![question("q4")], Terms { late: Late::Keep, ..timed(5) })).await;
    caller.later(Duration::from_secs(5));
    caller.server(4, Command::Expire { ask: AskId(4) }).await;
    caller.agent(4, Command::Deliver { asks: vec![AskId(4)] }).await;
    caller.person(4, answer(4, "b")).await;
    // 5 asks 2 anew and stays open; 6 has a question answered for good, 7 waits for it; 8 was settled.
    caller.person(2, Command::Reopen { ask: AskId(2), as_new: AskId(5) }).await;
    caller.ask("t", asking(6, vec![question("q6"), question("r6")], Terms::default())).await;
    let one_of = Command::AnswerOne { ask: Some(AskId(6)), question: "q6".into(), entry: entry("a") };
    caller.tries(Role::Person, named("t"), one_of).await.unwrap();
    let also = vec![question("q7"), waiting("p7", "r6", "a")];
    caller.ask("t", asking(7, also, Terms { total_rounds: Some(9), ..Terms::default() })).await;
    caller.ask("s", asking(8, vec![question("q8"), waiting("p8", "q1", "b")], Terms::default())).await;
    // 9 is for several: one has spoken, another has begun.
    let several = terms(circle(&["ann", "bob", "cy"]), 2, Some((10, circle(&["dee"]))));
    caller.ask("u", asking(9, vec![question("q9"), question("r9")], several)).await;
    let whole = Command::Answer { ask: AskId(9), entries: filled(&[("q9", "a"), ("r9", "b")]) };
    does(&caller, "bob", 9, whole).await.unwrap();
    let begun = Command::AnswerOne { ask: Some(AskId(9)), question: "q9".into(), entry: entry("b") };
    does(&caller, "ann", 9, begun).await.unwrap();
    does(&caller, "cy", 9, Command::Save { ask: AskId(9), entries: filled(&[("r9", "a")]) }).await.unwrap();
    caller.later(Duration::from_secs(10));
    caller.server(9, Command::Escalate { ask: AskId(9) }).await;
    // 10 is answered by two, and its session ended.
    caller.ask("v", asking(10, vec![question("q10")], terms(circle(&["ann", "bob"]), 2, None))).await;
    for who in ["ann", "bob"] {
        does(&caller, who, 10, answer(10, "a")).await.unwrap();
    }
    let session = store.session_named(&"ann".into(), "v").await.unwrap().unwrap().id;
    caller.tries(Role::Agent, named("v"), Command::EndSession { session }).await.unwrap();
    carried(&caller, Role::Person, 1, start(1)).await;
    moved(&caller, 1, runs()).await;
    carried(&caller, Role::Person, 2, start(2)).await;
    moved(&caller, 2, TaskMove::Stop { reason: "enough".into() }).await;
    let restore = Command::Restore {
        session: SessionId(900),
        from: session,
        to: None,
        asks: vec![(AskId(11), caller.stored(6).await)],
        reason: "again".into(),
    };
    caller.tries(Role::Person, SessionRef::Id(SessionId(900)), restore).await.unwrap();
    // 12 moves twice, and is answered in the end.
    caller.ask("w", asking(12, vec![question("q12")], Terms::default())).await;
    caller.ask("w", asking(13, vec![question("q13")], Terms::default())).await;
    for session in [SessionId(901), SessionId(902)] {
        let from = store.session_named(&"ann".into(), "w").await.unwrap().unwrap().id;
        let (to, asks) = (None, Vec::new());
        let restore = Command::Restore { session, from, to, asks, reason: "moved".into() };
        caller.tries(Role::Person, SessionRef::Id(session), restore).await.unwrap();
    }
    caller.person(12, answer(12, "a")).await;
}

/// A column, and something else for it in SQL of any dialect.
pub(crate) type Changes<'a> = &'a [(&'a str, &'a str)];

/// Columns of an ask whose every change is found, and the name that it is found under.
const ASK: &[(&str, &str)] = &[
    ("session", "(SELECT o.session FROM ask o WHERE o.session <> ask.session LIMIT 1)"),
    ("owner", "owner || 'x'"),
    ("owner", "'bob'"),
    ("round", "round + 1"),
    ("depth", "depth + 1"),
    ("standing", "(standing + 1) % 3"),
    ("state", "CASE state WHEN 'showing' THEN 'pending' ELSE 'showing' END"),
    ("state", "CASE state WHEN 'processing' THEN 'completed' ELSE 'processing' END"),
    ("state", "'odd'"),
    ("deadline", "coalesce(deadline, 0) + 1"),
    ("idempotency_key", "coalesce(idempotency_key, '') || 'x'"),
    ("closed", "coalesce(closed, 0) + 100000"),
    (
        "outcome",
        "(SELECT outcome FROM ask o WHERE o.outcome IS NOT NULL AND o.outcome <> coalesce(ask.outcome, '') LIMIT 1)",
    ),
    ("outcome", "coalesce(outcome, '') || '}'"),
    ("outcome", "replace(outcome, '\"cookie\"', '\"terminal\"')"),
    ("outcome", "NULL"),
    ("late", "(SELECT late FROM ask o WHERE o.late IS NOT NULL LIMIT 1)"),
    ("late", "replace(late, '\"b\"', '\"a\"')"),
    ("late", "'{'"),
    ("late", "NULL"),
    ("dropped", "'[\"q8\"]'"),
    ("dropped", "NULL"),
    ("dropped", "'{'"),
    ("erased_at", "1"),
    ("people", "coalesce(people, '') || 'eve'"),
    ("sheet", "'{'"),
    ("sheet", "replace(sheet, '\"submitted\":[\"q6\"]', '\"submitted\":[\"r6\"]')"),
    ("sheet", "replace(sheet, '\"submitted\":[\"q9\"]', '\"submitted\":[]')"),
    ("sheet", "replace(sheet, '\"user\":\"bob\"', '\"user\":\"eve\"')"),
    // What was only typed is no fact.
    (
        "sheet",
        "CASE WHEN sheet LIKE '%submitted%' THEN replace(sheet, '\"picked\":[\"a\"]', '\"picked\":[\"b\"]') ELSE sheet END",
    ),
    ("sheet", "replace(sheet, 'reopened_as', 'reopened_at')"),
];

const SESSION: &[(&str, &str)] = &[
    ("restored_to", "coalesce(restored_to, 0) + 1"),
    ("owner", "owner || 'x'"),
    ("external_id", "coalesce(external_id, '') || 'x'"),
    ("restore_reason", "coalesce(restore_reason, '') || 'x'"),
    ("status", "CASE status WHEN 'active' THEN 'completed' ELSE 'active' END"),
    ("round", "round + 1"),
    ("total_rounds", "coalesce(total_rounds, 0) + 1"),
    ("created_at", "created_at + 1"),
    ("last_activity", "last_activity + 1"),
    ("last_depth", "last_depth + 1"),
    ("last_at", "last_at + 1"),
    ("n_open", "n_open + 1"),
    ("timeout_ms", "coalesce(timeout_ms, 0) + 1"),
];

const TASK: &[(&str, &str)] = &[
    ("owner", "owner || 'x'"),
    ("state", "CASE state WHEN 'running' THEN 'done' ELSE 'running' END"),
    ("body", "replace(body, 'mend', 'break')"),
    ("body", "body || 'x'"),
];

/// Changes every served column of every row, one at a time. `id` selects what names a row in a statement.
pub(crate) async fn every_change_of_a_row_is_found(
    store: Arc<dyn Store>,
    changes: Changes<'_>,
    run: impl AsyncFn(String) -> u64,
) {
    of_everything(&store).await;
    is_whole(&store).await;
    let audit = store.audit().unwrap();
    let mut n_found = 0;
    for (table, columns) in [("ask", ASK), ("ask", changes), ("session", SESSION), ("task", TASK)] {
        run(format!("CREATE TABLE kept AS SELECT * FROM {table}")).await;
        let rows = run(format!("UPDATE {table} SET owner = owner")).await;
        for (column, changed) in columns {
            let key = if table == "task" { "session" } else { "id" };
            let mut n_found_here = 0;
            for nth in 0..rows {
                let row = format!("(SELECT {key} FROM kept ORDER BY {key} LIMIT 1 OFFSET {nth})");
                // Only where it changes something: a row that has none of it stays as it is.
                let spoilt = run(format!(
                    "UPDATE {table} SET {column} = {changed} WHERE {key} = {row}
                     AND ({column} <> {changed} OR ({column} IS NULL) <> (({changed}) IS NULL))"
                ))
                .await;
                let served = audit.verify_served().await.unwrap();
                assert_eq!(served.is_whole(), spoilt == 0, "{table}.{column} of {nth} = {changed}");
                let named = |said: &String| {
                    let field = said.split(": ").nth(1).unwrap_or_default();
                    let of_row =
                        ["last_depth", "last_at"].contains(column) && field.starts_with("last_round");
                    of_row
                        || (*column == "timeout_ms" && field.starts_with("timing"))
                        || field.starts_with(column)
                        || field.starts_with(&format!("task.{column}"))
                };
                let said = told(&served.differences);
                assert!(spoilt == 0 || said.iter().any(named), "{table}.{column} = {changed}: {said:?}");
                n_found_here += spoilt;
                // A row that was given another name is found by that it has none of the old ones.
                let spoilt = if column == &key {
                    format!("{key} NOT IN (SELECT {key} FROM kept)")
                } else {
                    format!("{key} = {row}")
                };
                run(format!(
                    "UPDATE {table} SET {column} = (SELECT kept.{column} FROM kept WHERE kept.{key} = {row})
                     WHERE {spoilt}"
                ))
                .await;
            }
            assert!(n_found_here > 0, "{table}.{column} = {changed} changes nothing");
            n_found += n_found_here;
        }
        run("DROP TABLE kept".to_owned()).await;
        is_whole(&store).await;
    }
    assert!(n_found > 100, "{n_found}");
}

/// Changes every single byte of an outcome, of a late answer and of what was submitted.
pub(crate) async fn every_byte_of_an_answer_counts(store: Arc<dyn Store>, run: impl AsyncFn(String) -> u64) {
    let mut caller = Caller::new(&store);
    caller.ask("s", asking(1, vec![question("q1")], Terms { late: Late::Keep, ..timed(5) })).await;
    let note = Some("nüchtern 中文".to_owned());
    caller.later(Duration::from_secs(5));
    caller.server(1, Command::Expire { ask: AskId(1) }).await;
    let entries = vec![("q1".into(), Entry { note, ..entry("a") })];
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    caller.ask("s", one(2)).await;
    caller.person(2, answer(2, "a")).await;
    run("CREATE TABLE kept AS SELECT * FROM ask".to_owned()).await;
    let audit = store.audit().unwrap();
    for (column, having) in [("outcome", 2), ("late", 1)] {
        let mut n_found = 0;
        for at in 1..2000 {
            let flipped = format!(
                "UPDATE ask SET {column} = substr({column}, 1, {at} - 1)
                 || CASE substr({column}, {at}, 1) WHEN '~' THEN '!' ELSE '~' END || substr({column}, {at} + 1)
                 WHERE length({column}) >= {at}"
            );
            let n_flipped = run(flipped).await;
            if n_flipped == 0 {
                break;
            }
            let served = audit.verify_served().await.unwrap();
            assert_eq!(
                served.n_differences,
                n_flipped,
                "byte {at} of {column}: {:?}",
                told(&served.differences)
            );
            assert!(
                told(&served.differences).iter().all(|said| said.contains(&format!(": {column} differs")))
            );
            run(format!("UPDATE ask SET {column} = (SELECT kept.{column} FROM kept WHERE kept.id = ask.id)"))
                .await;
            n_found += 1;
        }
        assert!(n_found > 50 && having > 0, "{column}: {n_found}");
    }
    is_whole(&store).await;
}

/// Rows and facts that come or go are missed.
pub(crate) async fn nothing_comes_or_goes_unseen(store: Arc<dyn Store>, run: impl AsyncFn(String) -> u64) {
    of_everything(&store).await;
    let audit = store.audit().unwrap();
    let spoilt = async |sql: &str| {
        assert!(run(sql.to_owned()).await > 0, "{sql}");
        let served = audit.verify_served().await.unwrap();
        told(&served.differences).join("; ")
    };
    for table in ["ask", "task"] {
        run(format!("CREATE TABLE kept_{table} AS SELECT * FROM {table}")).await;
    }
    let said = spoilt("UPDATE ask_body SET body = replace(body, 'q2?', 'q2!')").await;
    assert!(said.contains(&format!("{}: body differs from fact", AskId(2))), "{said}");
    run("UPDATE ask_body SET body = replace(body, 'q2!', 'q2?')".to_owned()).await;
    is_whole(&store).await;
    let said = spoilt("DELETE FROM task WHERE state = 'running'").await;
    assert!(said.contains("task is missing, but fact"), "{said}");
    run("INSERT INTO task SELECT * FROM kept_task WHERE state = 'running'".to_owned()).await;
    is_whole(&store).await;
    // A fact that tells an answer cannot be made to forget it, so that another answer could be put in.
    let said = spoilt("UPDATE fact SET salt = NULL, payload = NULL WHERE kind = 'closed'").await;
    assert!(
        said.contains(&format!("{}: facts: fact", AskId(1))) && said.contains("erased without"),
        "{said}"
    );
}

/// What was erased verifies, as far as facts go, and stays erased.
pub(crate) async fn what_was_erased_stays_erased(store: Arc<dyn Store>, run: impl AsyncFn(String) -> u64) {
    let caller = Caller::new(&store);
    let secret = vec![Question { secret: true, ..question("q1") }, question("r1")];
    caller.ask("s", asking(1, secret, Terms::default())).await;
    let entries = filled(&[("q1", "a"), ("r1", "a")]);
    caller.person(1, Command::Answer { ask: AskId(1), entries }).await;
    caller.ask("s", one(2)).await;
    caller.person(2, answer(2, "a")).await;
    for id in [1, 2] {
        caller.agent(id, Command::Acknowledge { ask: AskId(id) }).await;
    }
    store.erase_secrets(AskId(1)).await.unwrap();
    let audit = store.audit().unwrap();
    let served = audit.verify_served().await.unwrap();
    assert_eq!((served.n_asks, served.n_asks_erased, served.n_differences), (2, 1, 0), "{served:?}");
    run("CREATE TABLE kept AS SELECT * FROM ask".to_owned()).await;
    let put_back = "UPDATE ask SET outcome = (SELECT kept.outcome FROM kept WHERE kept.id = ask.id),
        state = (SELECT kept.state FROM kept WHERE kept.id = ask.id)";
    // The secret that was taken out does not come back in another's words; when it ended is in the fact.
    for spoil in [
        "UPDATE ask SET outcome = replace(outcome, '\"question\":\"q1\"', '\"question\":\"q1\",\"picked\":[\"b\"]')",
        "UPDATE ask SET outcome = replace(outcome, '\"at\":1000000', '\"at\":1000001')",
        "UPDATE ask SET state = 'processing' WHERE state = 'completed'",
    ] {
        assert!(run(spoil.to_owned()).await > 0, "{spoil}");
        assert!(!audit.verify_served().await.unwrap().is_whole(), "{spoil}");
        run(put_back.to_owned()).await;
        is_whole(&store).await;
    }
    assert_eq!(audit.erase_before(Timestamp(START.0 + 1), 9).await.unwrap(), 2);
    let served = audit.verify_served().await.unwrap();
    assert_eq!((served.n_asks_erased, served.n_differences), (2, 0), "{:?}", told(&served.differences));
    for spoil in [
        "UPDATE ask_body SET body = replace(body, '(erased)', 'Pay?')",
        "UPDATE ask SET outcome = replace(outcome, '\"at\":1000000', '\"at\":1000001')",
        "UPDATE ask SET sheet = '{\"submitted\":[\"q2\"]}'",
    ] {
        assert!(run(spoil.to_owned()).await > 0, "{spoil}");
        assert!(!audit.verify_served().await.unwrap().is_whole(), "{spoil}");
    }
}
