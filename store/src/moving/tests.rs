//! A desk is moved whole, also where it is stopped on the way, and goes on there.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::asker::{TimeoutPolicy, Timing};
use askuser_core::command::{Command, NewAsk, Role};
use askuser_core::id::{AskId, SessionId};
use askuser_core::outcome::Proof;

use super::*;
use crate::audit::WatchedFile;
use crate::conformance::people::terms;
use crate::conformance::rules::{event as rule_event, rule};
use crate::conformance::tasks::{carried, start};
use crate::conformance::{Caller, START, answer, asking, derived, named, one, question, timed, waiting};
use crate::nudges::{AnswerLink, NudgeKey, NudgeState};
use crate::postgres::tests::{at, server};
use crate::pushes::Browser;
use crate::rules::ConfirmedRule;
use crate::{BrowserId, KeyId, KeyRole, KeyRow, Pass, SecurityEvent, SessionRef, Severity, SignedIn, User};

/// Ann was sent a link, was nudged, is told in her browser, and made a rule.
async fn was_told(store: &dyn Store) {
    let link = AnswerLink {
        ask: AskId(3),
        person: "ann".into(),
        channel: "phone".to_owned(),
        expires_at: START.after(Duration::from_hours(9)),
        used_at: None,
    };
    store.nudging().add_answer_link([10; 32], link.clone(), START).await.unwrap();
    let key = NudgeKey { ask: link.ask, person: link.person, step: 0, channel: link.channel };
    store.nudging().claim_nudge(key.clone(), NudgeState::Trying, START).await.unwrap();
    store.nudging().sent_nudge(key, "m1".to_owned()).await.unwrap();
    let browser = Browser {
        person: "ann".into(),
        endpoint: "https://push.example/1".to_owned(),
        key: vec![4; 65],
        auth: vec![5; 16],
        language: "zh".to_owned(),
        at: START,
    };
    assert!(store.pushing().add_browser([11; 32], browser, 9).await.unwrap());
    store.pushing().push_key(vec![6; 99], START).await.unwrap();
    let rule = rule("ann", 1, START, &[1, 2]);
    assert!(store.ruling().add_rule(rule, 9, rule_event("rule_made", START)).await.unwrap());
    let confirmed =
        ConfirmedRule { person: "ann".into(), digest: [12; 32], at: START, text: "{}".to_owned() };
    store.ruling().confirm_rule(confirmed, rule_event("rule_confirmed", START)).await.unwrap();
    let file = WatchedFile { server: "a".to_owned(), name: "rules.yaml".to_owned(), digest: Some([13; 32]) };
    store.audit().unwrap().note_file(file, rule_event("file_changed", START)).await.unwrap();
}

/// Ann is signed in in a browser, and has a link for another.
async fn is_let_in(store: &dyn Store) {
    let expires_at = START.after(Duration::from_hours(9));
    let pass = Pass { user: "ann".into(), expires_at, made_with: Proof::AsPerson };
    let browser = SignedIn {
        id: BrowserId(8),
        user: "ann".into(),
        made_with: Proof::Terminal,
        name: "Firefox on Linux".into(),
        user_agent: "Mozilla/5.0".into(),
        created_at: START,
        last_seen_at: START,
        told_at: START,
        expires_at,
    };
    store.add_cookie([8; 32], browser, START).await.unwrap();
    store.add_login_link([9; 32], pass, START).await.unwrap();
}

/// A desk in which everything has happened that a table can hold.
async fn lived_in(path: &Path) -> Arc<dyn Store> {
    let options = sqlite::Options::new(DeskLimits::default(), START);
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(path, &options).unwrap());
    store.add_user(User { id: "ann".into(), created_at: START, disabled_at: None }).await.unwrap();
    let (role, name) = (KeyRole::Agent, "key".to_owned());
    let key = KeyRow {
        id: KeyId(7),
        hash: [7; 32],
        role,
        user: "ann".into(),
        name,
        created_at: START,
        revoked_at: None,
    };
    store.add_key(key).await.unwrap();
    is_let_in(store.as_ref()).await;
    was_told(store.as_ref()).await;
    let mut caller = Caller::new(&store);
    for id in 1..=7 {
        caller.ask("s", one(id)).await;
    }
    caller.person(1, answer(1, "b")).await;
    caller.person(2, Command::Decline { ask: AskId(2), reason: Some("no".into()) }).await;
    caller.ask("s", asking(20, vec![question("q20"), waiting("later", "q20", "a")], timed(600))).await;
    let mut keyed = one(21);
    Arc::make_mut(&mut keyed.terms).idempotency_key = Some("中文 key".to_owned());
    caller.ask("t", keyed).await;
    caller.tries(Role::Agent, derived("d"), Command::Ask(Box::new(one(22)))).await.unwrap();
    caller.person(22, answer(22, "a")).await;
    caller.agent(22, Command::Deliver { asks: vec![AskId(22)] }).await;
    let opens = Command::OpenSession {
        session: SessionId(88),
        external_id: Some("timed".to_owned()),
        origin: askuser_core::session::Origin::Named,
        total_rounds: None,
        timing: Timing { timeout: Some(Duration::from_secs(9)), policy: Some(TimeoutPolicy::Default) },
    };
    caller.tries(Role::Agent, SessionRef::Id(SessionId(88)), opens).await.unwrap();
    carried(&caller, Role::Person, 77, start(77)).await;
    let bob = askuser_core::audience::Circle { people: vec!["bob".into()], ..Default::default() };
    caller.ask("p", asking(50, vec![question("q50")], terms(bob.clone(), 1, Some((60, bob))))).await;
    // A name that was taken over.
    caller.tries(Role::Agent, named("gone"), Command::Ask(Box::new(one(30)))).await.unwrap();
    caller.person(30, answer(30, "a")).await;
    let gone = store.session_named(&"ann".into(), "gone").await.unwrap().unwrap().id;
    caller.tries(Role::Agent, SessionRef::Id(gone), Command::EndSession { session: gone }).await.unwrap();
    caller.later(Duration::from_secs(1));
    let again = SessionRef::Named {
        external_id: "gone".to_owned(),
        origin: askuser_core::session::Origin::Named,
        fresh: SessionId(4242),
    };
    caller.tries(Role::Agent, again, Command::Ask(Box::new(one(31)))).await.unwrap();
    let event = |kind: &str| SecurityEvent {
        number: 0,
        at: START,
        kind: kind.to_owned(),
        severity: Severity::High,
        details: "{\"path\":\"/x\"}".to_owned(),
    };
    let audit = store.audit().unwrap();
    audit.add_events(vec![event("wrong_key"), event("replay")]).await.unwrap();
    assert_eq!(audit.erase_before(caller.now, 1).await.unwrap(), 1);
    store
}

#[tokio::test]
async fn a_desk_is_moved_with_everything_in_it_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askuser.db");
    let old = lived_in(&path).await;
    let (facts, inbox) =
        (old.facts_since(0, 999).await.unwrap(), old.inbox(&"ann".into(), 99).await.unwrap());
    let sessions = old.sessions(&"ann".into(), 99).await.unwrap();
    let events = old.audit().unwrap().events(0, 99).await.unwrap();
    let tasks = old.tasks(&"ann".into(), 99).await.unwrap();
    assert!(tasks.iter().all(|task| task.server.is_some()) && tasks.len() == 1);
    old.close().await.unwrap();
    drop(old);
    let address = server().corner();
    let moved = move_over(&path, &address, START, |_, _| {}).await.unwrap();
    assert_eq!(moved.head.number, facts.len() as u64);
    let rows = |name: &str| moved.tables.iter().find(|(table, _)| *table == name).unwrap().1;
    assert_eq!(
        (rows("fact"), rows("ask"), rows("cookie"), rows("access_key")),
        (moved.head.number, 13, 1, 1)
    );
    assert!(rows("ask_question") > 0);
    assert_eq!((rows("confirmed_rule"), rows("watched_file")), (1, 1));
    assert_eq!((rows("security_event"), moved.events.number), (5, 5));
    let new = at(&address).await;
    let audit = new.audit().unwrap();
    assert_eq!(audit.events(0, 99).await.unwrap(), events);
    assert_eq!(audit.verify_events().await.unwrap().upto, moved.events);
    assert!(new.verify(1).await.unwrap().n_erased > 0);
    assert_eq!(new.facts_since(0, 999).await.unwrap(), facts);
    assert_eq!(new.inbox(&"ann".into(), 99).await.unwrap(), inbox);
    assert_eq!(new.sessions(&"ann".into(), 99).await.unwrap(), sessions);
    assert_eq!(new.tasks(&"ann".into(), 99).await.unwrap(), tasks);
    // Whom an ask is for, and when others are shown it.
    assert_eq!(new.inbox(&"bob".into(), 9).await.unwrap().len(), 1);
    assert_eq!(new.next_deadline().await.unwrap(), Some(START.after(Duration::from_mins(1))));
    assert!(new.key_by_hash([7; 32]).await.unwrap().is_some());
    // Whoever was nudged is not nudged again, and the link in their pocket still answers.
    assert_eq!(new.nudging().nudges().await.unwrap()[0].receipt.as_deref(), Some("m1"));
    assert!(new.nudging().answer_link([10; 32]).await.unwrap().is_some());
    // Browsers are told under the key that they know.
    assert_eq!(new.pushing().browsers(None).await.unwrap()[0].auth, [5; 16]);
    assert_eq!(new.pushing().push_key(vec![7], START).await.unwrap(), [6; 99]);
    // Her rule holds there.
    assert_eq!(new.ruling().rules_marked("ann".into(), vec![[2; 32]], START).await.unwrap(), ["ann 1 2"]);
    // It goes on as if nothing had been: what moves up, what waits, what joins, what comes next.
    let caller = Caller::new(&new);
    caller.person(3, answer(3, "a")).await;
    let mut keyed = NewAsk { id: AskId(99), ..one(21) };
    Arc::make_mut(&mut keyed.terms).idempotency_key = Some("中文 key".to_owned());
    assert!(caller.ask("t", keyed).await.joined);
    caller.ask("s", one(40)).await;
    assert_eq!(new.inbox(&"ann".into(), 99).await.unwrap().last().unwrap().id.0, 40);
    assert_eq!(new.verify(1).await.unwrap().broken, None);
    // What was erased is not erased again, what ended since the beginning is.
    caller.agent(3, Command::Acknowledge { ask: AskId(3) }).await;
    let later = START.after(Duration::from_hours(1));
    assert_eq!(audit.erase_before(later, 99).await.unwrap(), 1);
    audit.add_events(events).await.unwrap();
    assert_eq!(audit.verify_events().await.unwrap().upto.number, 10);
    let again = move_over(&path, &address, START, |_, _| {}).await.unwrap_err();
    assert!(matches!(again, MoveError::NotEmpty(_)), "{again}");
}

#[tokio::test]
async fn a_move_that_was_stopped_goes_on_and_until_then_no_server_starts_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askuser.db");
    let old = lived_in(&path).await;
    let head = old.head().await.unwrap();
    old.close().await.unwrap();
    drop(old);
    let address = server().corner();
    // Stopped in the middle: some rows are there, and the mark.
    let mut half = Filling::begin(&address, &head, START).await.unwrap();
    let options = sqlite::Options::new(DeskLimits::default(), START);
    let old = Sqlite::open(&path, &options).unwrap();
    for name in ["person", "session", "fact"] {
        let table = half.table(name).await.unwrap();
        let rows = page(&old, &table, i64::MIN, 3).await.unwrap();
        half.add(&table, rows).await.unwrap();
    }
    old.close().await.unwrap();
    drop((old, half));
    let options = postgres::Options::new(DeskLimits::default(), START);
    let refused = postgres::Postgres::open(&address, &options).await.err().unwrap();
    assert!(matches!(refused, postgres::OpenError::HalfMoved { .. }), "{refused}");
    let moved = move_over(&path, &address, START, |_, _| {}).await.unwrap();
    assert_eq!(moved.head, head);
    assert_eq!(at(&address).await.head().await.unwrap(), head);
}

#[tokio::test]
async fn what_was_changed_on_the_way_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askuser.db");
    let old = lived_in(&path).await;
    let head = old.head().await.unwrap();
    old.close().await.unwrap();
    drop(old);
    let address = server().corner();
    let schema = address.rsplit("%3D").next().unwrap().to_owned();
    drop(Filling::begin(&address, &head, START).await.unwrap());
    server().run("postgres", &format!("INSERT INTO {schema}.person VALUES ('ann', 1, NULL)")).unwrap();
    let noticed = move_over(&path, &address, START, |_, _| {}).await.unwrap_err();
    assert!(matches!(noticed, MoveError::Differs { table: "person", .. }), "{noticed}");
    let source = Head { number: 1, ..head };
    let other = Filling::begin(&address, &source, START).await.err().unwrap();
    assert!(matches!(other, MoveError::AnotherSource(_)), "{other}");
}

/// One schema: what is there in one database is there in the other, under the same name, or is said here.
#[tokio::test]
async fn both_databases_have_the_same_tables_and_columns() {
    const ONLY_SQLITE: [&str; 2] = ["fact.before", "session.last_fact"];
    const ONLY_POSTGRES: [&str; 5] =
        ["server.id", "server.patience", "server.seen", "server.since", "server.start"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("askuser.db");
    drop(Sqlite::open(&path, &sqlite::Options::new(DeskLimits::default(), START)).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    let sql = "SELECT t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
        WHERE t.type = 'table'";
    let mut statement = file.prepare(sql).unwrap();
    let here: BTreeSet<String> =
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    let address = server().corner();
    drop(at(&address).await);
    let new = Filling::begin(&address, &Head { number: 0, hash: [0; 32] }, START).await.unwrap();
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name <> 'half_moved'";
    let there: Vec<String> = new.db().rows(sql, &[], |row| row.get(0)).await.unwrap();
    let there: BTreeSet<String> = there.into_iter().collect();
    assert!(here.difference(&there).eq(ONLY_SQLITE.iter()), "{:?}", here.difference(&there));
    assert!(there.difference(&here).eq(ONLY_POSTGRES.iter()), "{:?}", there.difference(&here));
    // Whatever has rows is copied.
    let tables: BTreeSet<&str> = here.iter().filter_map(|column| column.split('.').next()).collect();
    let kept: BTreeSet<&str> =
        TABLES.into_iter().chain(["head", "security_head", "schema_migration"]).collect();
    assert_eq!(tables, kept);
}
