//! Bad days: each has its answer, and nothing that was acknowledged is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};

use askuser_core::asker::Terms;
use askuser_core::command::{Command, Role};
use askuser_core::id::AskId;
use askuser_core::time::Timestamp;
use tokio::task::JoinSet;

use super::*;
use crate::SessionRef;
use crate::conformance::{Caller, actor, answer, asking, derived, filled, one, question};

fn open_fails(path: &Path) -> String {
    let error = Sqlite::open(path, &options()).err().unwrap();
    error.to_string().replace(&path.display().to_string(), "DB")
}

#[test]
fn the_file_and_its_folder_are_closed_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data").join("desk.db");
    let store = at(&path);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    for entry in fs::read_dir(path.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    drop(store);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    drop(at(&path));
    assert_eq!(mode(&path), 0o600);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let error = open_fails(&folder.path().join("file").join("desk.db"));
    assert!(error.contains("cannot write to") && error.contains("make it writable"), "{error}");
    // Whoever runs as root may write everywhere.
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(closed.join("probe"), "").is_err() {
        let error = open_fails(&closed.join("desk.db"));
        assert!(error.contains("cannot write to"), "{error}");
    }
}

#[test]
fn what_is_not_our_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    fs::write(&path, "not a database, but somebody's only copy of something".repeat(100)).unwrap();
    let before = fs::read(&path).unwrap();
    assert_eq!(
        open_fails(&path),
        "DB is not a database or is damaged (file is not a database); restore a backup, or move it away to start over"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE cats (name)").unwrap();
    assert_eq!(open_fails(&other), "DB is a database of another program; choose another data folder");
}

/// What a flush failed for may be lost, so nobody is told of it, nobody sees it, and nothing is built on it.
#[tokio::test]
async fn a_disk_that_does_not_take_what_was_written_is_believed_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let place = Place::File(path.clone());
    let mut opened = open::open(&place, &options()).unwrap();
    // Nothing can be flushed there.
    opened.log = Some(fs::File::open("/dev/null").unwrap());
    let store: Arc<dyn Store> = Arc::new(Sqlite::on(opened, &place, &options()).unwrap());
    let heard = Arc::new(AtomicBool::new(false));
    let ear = Arc::clone(&heard);
    store.tell(Arc::new(move |_| ear.store(true, Ordering::SeqCst)));
    let caller = Caller::new(&store);
    for id in [1, 2] {
        let refused = caller.tries(Role::Agent, derived("s"), Command::Ask(Box::new(one(id)))).await;
        let refused = refused.unwrap_err();
        assert!(matches!(refused, StoreError::NotFlushed(_)), "{refused:?}");
        let why = refused.to_string();
        assert!(why.contains("did not take what was written") && why.contains("restart"), "{why}");
    }
    assert!(store.ask(AskId(1)).await.is_err(), "it is in the log, but perhaps not on the disk");
    assert!(store.check_writable().await.is_err());
    assert!(!heard.load(Ordering::SeqCst));
    drop((caller, store));
    // What is there after all is as good as any, and the second ask was never written.
    let after = at(&path);
    assert!(after.ask(AskId(2)).await.unwrap().is_none());
    assert_eq!(after.verify(1).await.unwrap().broken, None);
    Caller::new(&after).ask("s", one(3)).await;
}

/// A log whose flush failed is left as it is: the database is not built on what the disk may not have.
#[tokio::test]
async fn what_the_disk_did_not_take_is_not_written_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let place = Place::File(path.clone());
    Caller::new(&at(&path)).ask("s", one(1)).await;
    let before = fs::read(&path).unwrap();
    let mut opened = open::open(&place, &options()).unwrap();
    opened.log = Some(fs::File::open("/dev/null").unwrap());
    let store: Arc<dyn Store> = Arc::new(Sqlite::on(opened, &place, &options()).unwrap());
    let caller = Caller::new(&store);
    caller.tries(Role::Agent, derived("s"), Command::Ask(Box::new(one(2)))).await.unwrap_err();
    store.close().await.unwrap();
    drop((caller, store));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(fs::metadata(folder.path().join("desk.db-wal")).unwrap().len() > 0);
    let after = at(&path);
    assert!(after.ask(AskId(1)).await.unwrap().is_some());
    assert_eq!(after.verify(1).await.unwrap().broken, None);
}

/// SQLite writes its log beside the file that a link leads to, and there it is flushed.
#[tokio::test]
async fn a_database_behind_a_link_is_flushed_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().join("elsewhere.db");
    drop(at(&real));
    let link = folder.path().join("desk.db");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    // What lies where the log would be if it were named after the link is somebody else's.
    let stray = folder.path().join("desk.db-wal");
    fs::write(&stray, "not a log").unwrap();
    let store = at(&link);
    Caller::new(&store).ask("s", one(1)).await;
    assert_eq!(fs::read(&stray).unwrap(), b"not a log");
    assert!(fs::metadata(folder.path().join("elsewhere.db-wal")).unwrap().len() > 0);
    drop(store);
    assert!(at(&real).ask(AskId(1)).await.unwrap().is_some());
}

/// Whoever reads sees nothing that a loss of power could take back (invariant 2).
#[tokio::test]
async fn a_reader_waits_until_what_it_saw_is_on_the_disk() {
    let progress = Arc::new(Progress::new());
    assert!(progress.is_settled());
    progress.settled().await.unwrap();
    progress.commits();
    let reading = tokio::spawn({
        let progress = Arc::clone(&progress);
        async move { progress.settled().await }
    });
    tokio::task::yield_now().await;
    assert!(!reading.is_finished() && !progress.is_settled());
    let flusher = Flusher {
        log: None,
        progress: Arc::clone(&progress),
        ear: Arc::default(),
        latest: Arc::new(Latest::new()),
        figures: Figures::default(),
        turn: Mutex::default(),
    };
    let (batches, taken) = std::sync::mpsc::sync_channel(1);
    batches.send(flush::Batch::new(1, std::time::Instant::now())).unwrap();
    drop(batches);
    flush::run(&flusher, &taken);
    reading.await.unwrap().unwrap();
    assert!(progress.is_settled());
    // One that is gone before its time leaves nobody waiting.
    progress.commits();
    assert!(progress.settled().await.is_err());
}

#[test]
fn a_newer_schema_says_who_wrote_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    drop(at(&path));
    let db = Connection::open(&path).unwrap();
    let known: u32 = db.query_row("SELECT max(version) FROM schema_migration", [], |row| row.get(0)).unwrap();
    db.execute_batch("INSERT INTO schema_migration VALUES (99, 'later', '', 0, '9.9.9')").unwrap();
    drop(db);
    let own = env!("CARGO_PKG_VERSION");
    assert_eq!(
        open_fails(&path),
        format!(
            "DB was written by askuser 9.9.9 (schema 99), this is askuser {own} (schema {known}); upgrade askuser"
        )
    );
    let changed = "DELETE FROM schema_migration WHERE version = 99; UPDATE schema_migration SET sha256 = 'x'";
    Connection::open(&path).unwrap().execute_batch(changed).unwrap();
    assert!(open_fails(&path).contains("its schema 1 is not the one that was released"));
}

#[test]
fn two_programs_never_share_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let first = at(&path);
    assert!(open_fails(&path).starts_with("DB is in use by another askuser"));
    drop(first);
    drop(at(&path));
}

/// A child that is being started has a copy of every open file until it becomes its program.
#[test]
fn what_is_closed_is_free_although_children_are_being_started() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    assert!(std::process::Command::new("true").status().unwrap().success());
                }
            });
        }
        let opened: Vec<_> = (0..100).map(|_| Sqlite::open(&path, &options()).map(drop)).collect();
        stop.store(true, Ordering::Relaxed);
        assert!(opened.iter().all(Result::is_ok), "{opened:?}");
    });
}

/// Lets the file grow to so many pages and no further: a full disk.
async fn quota(store: &Sqlite, pages: u32) {
    let limited = store.work(move |db, _| {
        Ok(db.get().query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?)
    });
    limited.await.unwrap();
}

#[tokio::test]
async fn a_full_disk_refuses_and_then_goes_on_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = Arc::new(Sqlite::open(&path, &options()).unwrap());
    let shared: Arc<dyn Store> = store.clone();
    let caller = Caller::new(&shared);
    caller.ask("s", one(1)).await;
    let pages = fs::metadata(&path).unwrap().len() / 4096;
    quota(&store, u32::try_from(pages).unwrap() + 120).await;
    let mut asked = vec![1];
    let refused = loop {
        let id = u128::from(asked.len() as u64) + 1;
        let command = Command::Ask(Box::new(one(id)));
        match caller.tries(Role::Agent, derived(&format!("s{id}")), command).await {
            Ok(_) => asked.push(id),
            Err(error) => break error,
        }
    };
    assert!(asked.len() > 10);
    assert!(matches!(refused, StoreError::Full(_)), "{refused:?}");
    assert_eq!(refused.to_string(), "the store is not available: database or disk is full");
    // Everything that was acknowledged is there, and reading goes on.
    assert_eq!(shared.counts().await.unwrap().open_asks, asked.len() as u64);
    quota(&store, 1_000_000).await;
    let id = 10_000;
    let after = caller.tries(Role::Agent, derived("after"), Command::Ask(Box::new(one(id)))).await.unwrap();
    assert_eq!(after.facts[0].number, shared.head().await.unwrap().number - 2);
    assert_eq!(shared.verify(1).await.unwrap().broken, None);
    caller.person(id, answer(id, "a")).await;
}

#[tokio::test]
async fn one_that_cannot_be_done_does_not_hurt_the_others() {
    let (store, _folder) = in_file();
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    // An id that is taken breaks a rule of the schema in the middle of a batch.
    let mut at_once = JoinSet::new();
    for id in 1..=40 {
        let store = Arc::clone(&store);
        let mut new = one(if id % 10 == 0 { 1 } else { id + 100 });
        new.fingerprint = (id + 500).to_be_bytes();
        new.questions = asking(0, vec![question(&format!("x{id}"))], Terms::default()).questions;
        let (session, command) = (derived(&format!("d{id}")), Command::Ask(Box::new(new)));
        let order = Order { actor: actor(Role::Agent, "ann"), session, command, now: START };
        at_once.spawn(async move { (id, store.commit(order).await) });
    }
    for (id, committed) in at_once.join_all().await {
        assert_eq!(committed.is_ok(), id % 10 != 0, "{id}");
    }
    assert_eq!(store.counts().await.unwrap().open_asks, 37);
    assert_eq!(store.session_named(&"ann".into(), "d10").await.unwrap(), None);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
    caller.person(1, answer(1, "a")).await;
}

#[tokio::test]
async fn a_damaged_row_is_named_and_the_rest_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = at(&path);
    let caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    caller.ask("t", one(2)).await;
    drop((store, caller));
    let spoil = "UPDATE ask_body SET body = replace(body, '\"text\"', '\"txet\"')
            WHERE ask = (SELECT id FROM ask WHERE n = 1);
        UPDATE fact SET kind = 'sung' WHERE number = 6";
    Connection::open(&path).unwrap().execute_batch(spoil).unwrap();
    let store = at(&path);
    let caller = Caller::new(&store);
    let error = store.ask(AskId(1)).await.unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("the store cannot be read: ask {}: missing field `text`", AskId(1))),
        "{error}"
    );
    let refused = caller.tries(Role::Person, SessionRef::OfAsk(AskId(1)), answer(1, "a")).await.unwrap_err();
    assert!(matches!(refused, StoreError::Damaged(_)), "{refused}");
    let error = store.facts_since(5, 9).await.unwrap_err().to_string();
    assert!(error.ends_with("fact 6: `sung` is not a kind of fact that this version knows"), "{error}");
    caller.person(2, answer(2, "a")).await;
}

#[tokio::test]
async fn a_tampered_fact_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = at(&path);
    let caller = Caller::new(&store);
    for id in 1..=4 {
        caller.ask("s", one(id)).await;
        caller.person(id, answer(id, "a")).await;
    }
    drop((store, caller));
    let follows = "has a hash that does not follow from the fact before it";
    let payload = "has a payload that does not match its digest";
    for (spoil, expected) in [
        (
            "UPDATE fact SET payload = replace(payload, '\"a\"', '\"b\"') WHERE number = 4",
            format!("fact 4 {payload}"),
        ),
        ("UPDATE ask_body SET body = replace(body, 'q3?', 'q3!')", format!("fact 8 {payload}")),
        ("UPDATE fact SET at = at + 1 WHERE number = 5", format!("fact 5 {follows}")),
        ("UPDATE fact SET payload = NULL WHERE number = 6", format!("fact 6 {payload}")),
        ("DELETE FROM fact WHERE number = 7", "fact 7 is missing".to_owned()),
        ("DELETE FROM fact WHERE number = 13", "fact 13 is missing".to_owned()),
        ("UPDATE head SET number = 12", format!("fact 12 {follows}")),
        (
            "UPDATE head SET number = 12, hash = (SELECT hash FROM fact WHERE number = 12)",
            "fact 13 comes after the head".to_owned(),
        ),
    ] {
        let copy = folder.path().join("copy.db");
        fs::copy(&path, &copy).unwrap();
        Connection::open(&copy).unwrap().execute_batch(spoil).unwrap();
        let store = at(&copy);
        let broken = store.verify(1).await.unwrap().broken.unwrap();
        assert_eq!(broken.to_string(), expected, "{spoil}");
    }
}

#[tokio::test]
async fn a_clock_that_goes_back_loses_nothing() {
    let (store, _folder) = in_file();
    let mut caller = Caller::new(&store);
    caller.ask("s", one(1)).await;
    caller.now = Timestamp(START.0 - 500_000);
    let answered = caller.person(1, answer(1, "a")).await;
    assert_eq!(answered.session.unwrap().last_activity, START);
    assert_eq!(answered.facts[0].at, caller.now);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
}

#[tokio::test]
async fn closing_empties_the_log_and_everything_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = at(&path);
    let caller = Caller::new(&store);
    for id in 1..=30 {
        caller.ask(&format!("s{}", id % 3), one(id)).await;
        if id % 2 == 0 {
            caller.tries(Role::Person, SessionRef::OfAsk(AskId(id)), answer(id, "a")).await.ok();
        }
    }
    caller.person(1, Command::Save { ask: AskId(1), entries: filled(&[("q1", "b")]) }).await;
    let before = everything(&store).await;
    store.close().await.unwrap();
    assert!(!path.with_extension("db-wal").exists());
    // Closed, though not dropped: another may open it.
    let again = at(&path);
    assert_eq!(everything(&again).await, before);
    let caller = Caller::new(&again);
    let next = caller.ask("s0", one(50)).await;
    assert_eq!(next.facts[0].number, again.head().await.unwrap().number - next.facts.len() as u64 + 1);
    drop((again, caller));
    // Also without closing.
    assert_eq!(at(&path).counts().await.unwrap().facts, next.facts.last().unwrap().number);
}

/// The log does not grow with every commit, and what is read of it after a crash is what was written.
#[tokio::test]
async fn what_follows_the_last_frame_of_the_log_is_nobodys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let store = at(&path);
    let caller = Caller::new(&store);
    let log = path.with_extension("db-wal");
    caller.ask("s", one(1)).await;
    // Room is made after whoever waits was answered, and before the next is.
    caller.ask("s", one(2)).await;
    let length = fs::metadata(&log).unwrap().len();
    for id in 3..=6 {
        caller.ask("s", one(id)).await;
    }
    assert_eq!(fs::metadata(&log).unwrap().len(), length);
    let crashed = folder.path().join("crashed.db");
    fs::copy(&log, crashed.with_extension("db-wal")).unwrap();
    fs::copy(&path, &crashed).unwrap();
    assert_eq!(everything(&at(&crashed)).await, everything(&store).await);
}

async fn everything(store: &Arc<dyn Store>) -> String {
    let sessions = store.sessions(&"ann".into(), 1000).await.unwrap();
    let mut asks = Vec::new();
    for session in &sessions {
        asks.extend(store.asks_of(session.id, 0, 1000).await.unwrap());
    }
    let facts = store.facts_since(0, 10_000).await.unwrap();
    format!("{sessions:?} {asks:?} {facts:?} {:?}", store.counts().await.unwrap())
}
