//! How many durable ask → answer cycles the store does, beside what the disk can flush.
//!
//! Each caller asks, waits until that is on the disk,
//! answers, waits again. The figures of one run stand side by side, because machines differ.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use askuser_core::asker::{Terms, Timing};
use askuser_core::command::{Actor, Command, KnownBy, NewAsk, Role};
use askuser_core::entry::Entry;
use askuser_core::id::{AskId, SessionId};
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::question::{Choice, Kind, NamedBy, Question, Questions};
use askuser_core::session::Origin;
use askuser_core::time::Timestamp;
use askuser_store::sqlite::{Options, Sqlite};
use askuser_store::{Order, SessionRef, Store};
use tokio::task::JoinSet;

use crate::Outcome;

/// Rounds of one conversation.
const ROUNDS: u64 = 20;

/// How long each number of callers is watched.
const RUN: Duration = Duration::from_secs(3);

pub(crate) fn run() -> Outcome {
    let folder = tempfile::tempdir_in(std::env::current_dir()?)?;
    let flushes = fsync_rate(folder.path())?;
    println!("disk: {flushes:.0} flushes/s of 4 KiB overwritten in place ({:.0} µs each)", 1e6 / flushes);
    println!(
        "{:>8} {:>12} {:>12} {:>9} {:>9} {:>9}",
        "callers", "cycles/s", "commits/s", "p50 ms", "p99 ms", "× flushes"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for n_callers in [1, 8, 64, 512] {
        let path = folder.path().join(format!("{n_callers}.db"));
        runtime.block_on(measure(&path, n_callers, RUN, flushes))?;
    }
    Ok(())
}

async fn measure(path: &Path, n_callers: u32, run: Duration, flushes: f64) -> Outcome<()> {
    let limits = DeskLimits { repeat_window: Duration::ZERO, ..DeskLimits::default() };
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(path, &Options::new(limits, Timestamp(0)))?);
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for caller in 0..n_callers {
        let store = Arc::clone(&store);
        callers.spawn(async move { cycles(&*store, caller, begun, run).await });
    }
    let mut times = Vec::new();
    while let Some(caller) = callers.join_next().await {
        times.extend(caller??);
    }
    let rate = f64::from(u32::try_from(times.len())?) / begun.elapsed().as_secs_f64();
    times.sort();
    let at = |part: usize| times.get(times.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let (p50, p99) = (at(50), at(99));
    println!(
        "{n_callers:>8} {rate:>12.0} {:>12.0} {p50:>9.3} {p99:>9.3} {:>9.2}",
        rate * 2.0,
        p50 / 1e3 / (2.0 / flushes)
    );
    store.close().await?;
    Ok(())
}

/// Asks and answers until the time is up; returns how long each cycle took.
async fn cycles(store: &dyn Store, caller: u32, begun: Instant, run: Duration) -> Outcome<Vec<Duration>> {
    let mut times = Vec::new();
    let (agent, person) = (actor(Role::Agent), actor(Role::Person));
    for round in 1_u64.. {
        let start = begun.elapsed();
        if start > run {
            break;
        }
        let ask = AskId(fresh(begun, caller));
        let session = SessionRef::Named {
            external_id: format!("caller {caller}, conversation {}", round / ROUNDS),
            origin: Origin::Derived,
            fresh: SessionId(fresh(begun, caller)),
        };
        let now = Timestamp(i64::try_from(start.as_millis())?);
        let mut fingerprint = [0; 16];
        fingerprint[..8].copy_from_slice(&round.to_be_bytes());
        let new = NewAsk {
            id: ask,
            session: SessionId(0),
            questions: questions(),
            terms: Arc::new(terms()),
            otherwise: Timing::default(),
            fingerprint,
            known_by: KnownBy::Nothing,
        };
        let command = Command::Ask(Box::new(new));
        let asked = store.commit(Order { actor: agent.clone(), session, command, now }).await?;
        let asked = asked.ask.ok_or("no ask")?;
        let question = asked.questions.top().first().ok_or("no question")?.id.clone();
        let entry = Entry { picked: vec!["oauth2".into()], ..Entry::default() };
        let command = Command::Answer { ask, entries: vec![(question, entry)] };
        store.commit(Order { actor: person.clone(), session: SessionRef::OfAsk(ask), command, now }).await?;
        times.push(begun.elapsed().saturating_sub(start));
    }
    Ok(times)
}

/// Ordered by time, as real ids are.
fn fresh(begun: Instant, caller: u32) -> u128 {
    (begun.elapsed().as_nanos() << 32) | u128::from(caller)
}

fn actor(role: Role) -> Actor {
    let by = By::new(Some("local".into()), Channel::Api, Proof::KeyFile);
    Actor { role, user: "local".into(), by, key: None }
}

fn terms() -> Terms {
    let mut terms =
        Terms { context: Some("The login page of the shop needs one.".to_owned()), ..Terms::default() };
    terms.asker.agent = Some("claude-code".to_owned());
    terms.asker.folder = Some("~/shop".to_owned());
    terms
}

fn questions() -> Questions {
    let choice = |id: &str, label: &str| Choice {
        id: id.into(),
        label: label.to_owned(),
        description: Some("What it would mean for the users, in a sentence or so".to_owned()),
        preview: None,
        running: None,
        default: false,
        recommended: false,
        follow_ups: Vec::new(),
    };
    Questions::remembered(vec![Question {
        id: "q1".into(),
        named_by: NamedBy::Us,
        header: Some("Auth".to_owned()),
        text: "Which authentication should the login page use?".to_owned(),
        description: None,
        kind: Kind::OneOf,
        choices: vec![choice("oauth2", "OAuth 2.0"), choice("jwt", "JWT"), choice("session", "Sessions")],
        free: None,
        required: true,
        secret: false,
        depends_on: None,
        collected: None,
    }])
}

/// Flushes a second of a block that is written over again and again, as a log is.
fn fsync_rate(folder: &Path) -> Outcome<f64> {
    let mut file = File::create(folder.join("flush"))?;
    let block = [7; 4096];
    for _ in 0..1024 {
        file.write_all(&block)?;
    }
    file.sync_all()?;
    let (begun, mut n_flushes) = (Instant::now(), 0_u32);
    while begun.elapsed() < Duration::from_secs(1) {
        file.seek(SeekFrom::Start(u64::from(n_flushes % 1024) * 4096))?;
        file.write_all(&block)?;
        file.sync_data()?;
        n_flushes += 1;
    }
    Ok(f64::from(n_flushes) / begun.elapsed().as_secs_f64())
}
