//! Every database that was ever released opens with today's program, with everything in it.
//!
//! Each is kept as SQL under the number of its schema, so that a change to one is seen. `0001.sql` was
//! made by the program that first wrote that schema: one session with an ask of every state, a saved
//! sheet, a key. `0002.sql`, `0003.sql`, `0005.sql`, `0007.sql` and `0008.sql` are the one before, brought
//! forward. The others `scripts/keep-schema.sh` had the program of the day write, before the next migration
//! was added; those of PostgreSQL are in `postgres/`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that meets a surprise should stop")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use askuser_core::limits::DeskLimits;
use askuser_core::time::Timestamp;
use askuser_store::postgres::{self, Postgres};
use askuser_store::sqlite::{Options, Sqlite, backup, soundness};
use askuser_store::{AccessStore, AskStore, FactStore, SessionStore, Store};
use rusqlite::Connection;

use self::server::Server;

#[path = "../crash/postgres.rs"]
mod server;

/// Where the kept databases of PostgreSQL are.
const POSTGRES: &str = "tests/schema/postgres";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a folder that begin with a number of four digits, by that number.
fn numbered(folder: &str) -> BTreeMap<u32, PathBuf> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.extension().is_some_and(|extension| extension == "sql") {
            let number = name[..4].parse().unwrap();
            assert!(found.insert(number, path).is_none(), "{number} twice in {folder}");
        }
    }
    found
}

fn open(path: &Path) -> Sqlite {
    Sqlite::open(path, &Options::new(DeskLimits::default(), Timestamp(0))).unwrap()
}

/// How many rows each table has; none for one that is not there yet.
fn counts(db: &Connection) -> Vec<u64> {
    let count = |table: &str| {
        let there: bool = db
            .query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)", [table], |row| {
                row.get(0)
            })
            .unwrap();
        let sql = format!("SELECT count(*) FROM {table}");
        if there { db.query_row(&sql, [], |row| row.get(0)).unwrap() } else { 0 }
    };
    // People and their keys had other names once.
    let count_of = |now: &str, once: &str| count(now) + count(once);
    let mut all = ["session", "ask", "fact", "task"].map(count).to_vec();
    all.extend([count_of("person", "user"), count_of("access_key", "key")]);
    all
}

/// The same, as the store tells it.
async fn told(store: &dyn Store) -> Vec<u64> {
    let users = store.users().await.unwrap();
    let (mut n_sessions, mut n_rounds, mut n_tasks) = (0, 0, 0);
    for user in &users {
        let sessions = store.sessions(&user.id, 1000).await.unwrap();
        n_sessions += sessions.len();
        for session in sessions {
            n_rounds += store.asks_of(session.id, 0, 1000).await.unwrap().len();
        }
        n_tasks += store.tasks(&user.id, 1000).await.unwrap().len();
    }
    let n_facts = store.facts_since(0, 10_000).await.unwrap().len();
    let n_keys = store.keys().await.unwrap().len();
    [n_sessions, n_rounds, n_facts, n_tasks, users.len(), n_keys].map(|n| n as u64).to_vec()
}

/// Everything that is served says what its facts say, whichever version wrote it.
async fn as_its_facts_say(store: &dyn Store, number: u32) {
    let served = store.audit().unwrap().verify_served().await.unwrap();
    assert!(served.is_whole() && served.n_asks > 0, "{number}: {served:?}");
}

/// A migration without a kept database of the schema before it has never been tried on one.
#[test]
fn every_migration_has_a_kept_database_of_the_schema_before() {
    for (migrations, kept) in
        [("store/src/sqlite/migrations", "tests/schema"), ("store/src/postgres/migrations", POSTGRES)]
    {
        let (made, there) = (numbered(migrations), numbered(kept));
        let latest = *made.keys().next_back().unwrap();
        assert!(made.keys().copied().eq(1..=latest), "a number is missing: {made:?}");
        for number in 1..latest {
            assert!(there.contains_key(&number), "{kept}/{number:04}.sql: scripts/keep-schema.sh makes it");
        }
        assert!(there.keys().all(|number| (1..=latest).contains(number)), "{there:?}");
    }
}

#[tokio::test]
async fn every_kept_database_opens_with_everything_in_it() {
    for (number, file) in numbered("tests/schema") {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.db");
        let before = {
            let db = Connection::open(&path).unwrap();
            db.execute_batch(&fs::read_to_string(&file).unwrap()).unwrap();
            let schema: u32 =
                db.query_row("SELECT max(version) FROM schema_migration", [], |row| row.get(0)).unwrap();
            assert_eq!(schema, number, "{} is what its name says", file.display());
            counts(&db)
        };
        // As it was found, a copy can be made of it: before an upgrade is when one is wanted.
        let copy = folder.path().join("copy.db");
        assert!(backup(&path, &copy).unwrap().is_sound(), "{number}");
        let store = open(&path);
        assert_eq!(told(&store).await, before, "{number}");
        assert_eq!(store.verify(1).await.unwrap().broken, None, "{number}");
        assert_eq!(store.head().await.unwrap().number, before[2], "{number}");
        as_its_facts_say(&store, number).await;
        let audit = store.audit().unwrap();
        audit.erase_before(Timestamp(i64::MAX), 1000).await.unwrap();
        as_its_facts_say(&store, number).await;
        store.close().await.unwrap();
        let sound = soundness(&path).unwrap();
        assert!(sound.is_sound() && sound.served.is_some(), "{number}: {}", sound.told());
        // And the copy is as good.
        let store = open(&copy);
        assert_eq!(told(&store).await, before, "the copy of {number}");
    }
}

#[tokio::test]
async fn every_kept_database_of_postgresql_opens_with_everything_in_it() {
    let server = Server::start(false);
    for (number, file) in numbered(POSTGRES) {
        let name = format!("kept{number}");
        let run = |sql: &str| server.run(&name, sql).unwrap();
        server.run("template1", &format!("CREATE DATABASE {name} TEMPLATE template0")).unwrap();
        run(&fs::read_to_string(&file).unwrap());
        let schema = run("SELECT max(version) FROM public.schema_migration");
        assert_eq!(schema, number.to_string(), "{} is what its name says", file.display());
        let count = |table: &str| run(&format!("SELECT count(*) FROM {table}")).parse::<u64>().unwrap();
        let before = ["session", "ask", "fact", "task", "person", "access_key"].map(count).to_vec();
        assert!(before.iter().all(|count| *count > 0), "{before:?}");
        let options = postgres::Options::new(DeskLimits::default(), Timestamp(0));
        let store = Postgres::open(&server.address(&name), &options).await.unwrap();
        assert_eq!(told(&store).await, before, "{number}");
        assert_eq!(store.verify(1).await.unwrap().broken, None, "{number}");
        assert_eq!(store.head().await.unwrap().number, before[2], "{number}");
        let audit = store.audit().unwrap();
        assert_eq!(audit.verify_events().await.unwrap().broken, None, "{number}");
        as_its_facts_say(&store, number).await;
        // What ended is known to have ended, whichever schema it ended under: it can be erased by age.
        let ended = run("SELECT count(*) FROM ask WHERE standing = 2").parse::<u32>().unwrap();
        let erased = audit.erase_before(Timestamp(i64::MAX), 1000).await.unwrap();
        assert!(ended > 0 && erased == u64::from(ended), "{number}: {erased} of {ended}");
        as_its_facts_say(&store, number).await;
        assert_eq!(store.verify(1).await.unwrap().broken, None, "{number}, erased");
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn the_first_schema_opens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    Connection::open(&path).unwrap().execute_batch(include_str!("0001.sql")).unwrap();
    let store = open(&path);
    let sessions = store.sessions(&"ann".into(), 10).await.unwrap();
    assert_eq!(sessions.len(), 1);
    let asks = store.asks_of(sessions[0].id, 0, 10).await.unwrap();
    let told: Vec<String> =
        asks.iter().map(|ask| format!("{} {}", ask.state.status(), ask.entries.len())).collect();
    assert_eq!(told, ["answered 0", "cancelled 0", "timeout 1", "completed 0", "showing 1"]);
    let facts = store.facts_since(0, 1000).await.unwrap();
    // One session: its thread leads through all of them.
    assert_eq!(store.facts_of(sessions[0].id, 0, 1000).await.unwrap(), facts);
    assert_eq!(facts.len() as u64, store.head().await.unwrap().number);
    assert_eq!(store.verify(1).await.unwrap().broken, None);
    assert!(store.key_by_hash([7; 32]).await.unwrap().is_some());
}

/// What was kept of people by numbers is kept by their names, and opens, tells and answers as before.
#[tokio::test]
async fn what_people_had_before_they_were_known_by_name_is_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("desk.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(include_str!("0015.sql")).unwrap();
    db.execute_batch(
        "INSERT INTO user (n, name, created_at) VALUES (71, 'zoe', 5);
         INSERT INTO user (n, name, created_at, disabled_at) VALUES (72, 'abe', 6, 7);
         INSERT INTO key (id, hash, role, user, name, created_at)
            VALUES (zeroblob(16), zeroblob(32), 'person', 71, 'laptop', 8);
         INSERT INTO cookie (id, hash, user, made_with, name, user_agent, created_at, last_seen_at, told_at,
            expires_at) VALUES (zeroblob(16), zeroblob(32), 71, 'terminal', 'Firefox', 'Mozilla', 1, 2, 3, 1000);
         INSERT INTO login_link (hash, user, expires_at, made_with) VALUES (zeroblob(32), 71, 1000, 'terminal');
         INSERT INTO answer_link (hash, ask, user, channel, expires_at)
            VALUES (zeroblob(32), zeroblob(16), 71, 'phone', 1000);
         INSERT INTO browser (hash, user, endpoint, key, auth, language, at)
            VALUES (zeroblob(32), 71, 'https://push', zeroblob(65), zeroblob(16), 'zh', 4);
         INSERT INTO nudge (ask, person, step, channel, at, state, receipt)
            VALUES (zeroblob(16), 'zoe', 0, 'phone', 4, 'sent', 'm1');
         INSERT INTO made_rule (person, ask, place, mark, made_at, until, entry)
            VALUES ('zoe', zeroblob(16), 0, zeroblob(32), 4, 1000, 'always');
         INSERT INTO confirmed_rule (person, digest, at, entry) VALUES ('zoe', zeroblob(32), 4, '{}');
         INSERT INTO watched_file (server, name, digest, at) VALUES ('a', 'rules.yaml', zeroblob(32), 4);",
    )
    .unwrap();
    drop(db);
    let (store, now, none) = (open(&path), Timestamp(10), [0; 32]);
    let zoe = || "zoe".into();
    let users = store.users().await.unwrap();
    let disabled: Vec<_> = users.iter().filter(|user| user.disabled_at.is_some()).collect();
    assert_eq!((disabled.len(), disabled[0].id.as_str()), (1, "abe"));
    assert!(users.is_sorted_by_key(|user| user.id.as_str().to_owned()));
    let key = store.key_by_hash(none).await.unwrap().unwrap();
    assert_eq!((key.user.as_str(), key.name.as_str()), ("zoe", "laptop"));
    assert_eq!(store.keys().await.unwrap().last(), Some(&key));
    let browser = store.cookie(none, now).await.unwrap().unwrap();
    assert_eq!(
        (browser.user.as_str(), browser.name.as_str(), browser.told_at),
        ("zoe", "Firefox", Timestamp(3))
    );
    assert_eq!(store.signed_in(&zoe(), now).await.unwrap(), [browser]);
    assert_eq!(store.use_login_link(none, now).await.unwrap().unwrap().user.as_str(), "zoe");
    assert_eq!(store.use_login_link(none, now).await.unwrap(), None);
    assert_eq!(store.nudging().answer_link(none).await.unwrap().unwrap().person.as_str(), "zoe");
    let nudges = store.nudging().nudges().await.unwrap();
    assert_eq!((nudges.len(), nudges[0].receipt.as_deref()), (1, Some("m1")));
    let told = store.pushing().browsers(Some(zoe())).await.unwrap();
    assert_eq!((told.len(), told[0].language.as_str()), (1, "zh"));
    assert_eq!(store.ruling().rules_marked(zoe(), vec![none], now).await.unwrap(), ["always"]);
    assert_eq!(store.ruling().confirmed_rules(zoe()).await.unwrap().len(), 1);
    let digest = store.audit().unwrap().file_digest("a".to_owned(), "rules.yaml".to_owned()).await.unwrap();
    assert_eq!(digest, Some(none));
}
