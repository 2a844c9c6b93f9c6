//! Two replicas over one PostgreSQL: asked on one, answered on the other, and the first one's waiter woken.
//!
//! Beside it `pgbench` commits single rows to the same server with
//! as many clients, in the same run, because machines differ: a cycle is two durable commands. Then what
//! the locked head costs: the same commits with every transaction locking one row last.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench that cannot measure must fail, and it prints its table"
)]

use std::fs;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use askuser_core::asker::Terms;
use askuser_core::command::{Actor, KnownBy, Role};
use askuser_core::entry::Entry;
use askuser_core::limits::DeskLimits;
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::question::{Choice, Kind, NamedBy, Question, Questions};
use askuser_desk::{Desk, Request, Waited};
use askuser_store::postgres::{Options, Postgres};
use askuser_system::clock;
use tokio::task::JoinSet;

use self::server::Server;

#[path = "../tests/crash/postgres.rs"]
mod server;

/// How long each number of callers is watched.
const SECONDS: u64 = 4;

pub(crate) fn run() {
    let (seconds, run) = (SECONDS, Duration::from_secs(SECONDS));
    let server = Server::start(true);
    println!(
        "{:>8} {:>12} {:>14} {:>16} {:>9} {:>12} {:>12}",
        "callers", "cycles/s", "commands/s", "pgbench rows/s", "ratio", "woken p50", "woken p99"
    );
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    for n_callers in [1, 8, 64, 256] {
        let beside =
            Bench::new(&server, "INSERT INTO one (who) VALUES (:client_id);").run(n_callers, seconds);
        let (n_cycles, mut woken) = runtime.block_on(measure(&server.database(), n_callers, run));
        woken.sort();
        let at =
            |part: usize| woken.get(woken.len() * part / 100).map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let cycles = f64::from(n_cycles) / run.as_secs_f64();
        println!(
            "{n_callers:>8} {cycles:>12.0} {:>14.0} {beside:>16.0} {:>8.2}x {:>9.2} ms {:>9.2} ms",
            cycles * 2.0,
            cycles * 2.0 / beside,
            at(50),
            at(99)
        );
    }
    println!("\nwhat the order of committing costs one-row transactions that are not batched:");
    println!("{:>8} {:>16} {:>16} {:>9}", "clients", "sequence /s", "locked head /s", "ratio");
    for n_clients in [1, 8, 64] {
        let plain = Bench::new(&server, "INSERT INTO one (who) VALUES (:client_id);").run(n_clients, seconds);
        let locked =
            "BEGIN;\nUPDATE last SET number = number + 1;\nINSERT INTO one (who) VALUES (:client_id);\nEND;";
        let locked = Bench::new(&server, locked).run(n_clients, seconds);
        println!("{n_clients:>8} {plain:>16.0} {locked:>16.0} {:>8.2}x", locked / plain);
    }
}

/// `pgbench` with a script of ours.
struct Bench<'a> {
    server: &'a Server,
    database: String,
}

impl<'a> Bench<'a> {
    fn new(server: &'a Server, script: &str) -> Self {
        let address = server.database();
        let database = address.split(['/', '?']).nth(3).unwrap().to_owned();
        let tables =
            "CREATE TABLE one (n BIGSERIAL PRIMARY KEY, who INT, what TEXT DEFAULT repeat('x', 600));
            CREATE TABLE last (number BIGINT); INSERT INTO last VALUES (0)";
        server.run(&database, tables).unwrap();
        fs::write(server.folder().join("script.sql"), script).unwrap();
        Self { server, database }
    }

    /// Transactions a second.
    fn run(&self, n_clients: u32, seconds: u64) -> f64 {
        let mut pgbench = self.server.program("pgbench");
        pgbench.args(["--no-vacuum", "--protocol=prepared", "--jobs=2", "--username=postgres"]);
        pgbench.arg(format!("--client={n_clients}")).arg(format!("--time={seconds}"));
        pgbench.arg("--file").arg(self.server.folder().join("script.sql"));
        pgbench.arg("--host").arg(self.server.folder()).arg(&self.database);
        let done = pgbench.stderr(Stdio::piped()).output().unwrap();
        let told = String::from_utf8_lossy(&done.stdout).into_owned();
        let tps = told.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.unwrap_or_else(|| panic!("{told}{}", String::from_utf8_lossy(&done.stderr)))
    }
}

/// Asks on one replica, answers on the other, until the time is up.
async fn measure(address: &str, n_callers: u32, run: Duration) -> (u32, Vec<Duration>) {
    let mut desks = Vec::new();
    for _ in 0..2 {
        let options = Options::new(DeskLimits::default(), clock::now());
        let store = Postgres::open(address, &options).await.unwrap();
        desks.push(Desk::open(Arc::new(store), Arc::new(clock::now)).await.unwrap());
    }
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for caller in 0..n_callers {
        let (one, other) = (desks[caller as usize % 2].clone(), desks[(caller as usize + 1) % 2].clone());
        callers.spawn(async move {
            let mut woken = Vec::new();
            for round in 0_u32.. {
                if begun.elapsed() > run {
                    break;
                }
                woken.push(cycle(&one, &other, caller, round).await);
            }
            woken
        });
    }
    let woken: Vec<Duration> = callers.join_all().await.into_iter().flatten().collect();
    for desk in desks {
        desk.close().await.unwrap();
    }
    (u32::try_from(woken.len()).unwrap(), woken)
}

/// One cycle; returns how long the waiter took to be woken after the answer was acknowledged.
async fn cycle(one: &Desk, other: &Desk, caller: u32, round: u32) -> Duration {
    let (agent, person) = (actor(Role::Agent, caller), actor(Role::Person, caller));
    let asker_key = format!("caller {caller}, conversation {}", round / 20);
    let (questions, terms) = (questions(round), Terms::default());
    let request = Request { questions, terms, asker_key, known_by: KnownBy::Nothing };
    let asked = one.ask(&agent, request).await.unwrap().ask;
    let waiting = {
        let (one, agent, id) = (one.clone(), agent.clone(), asked.id);
        tokio::spawn(async move {
            let waited = one.wait(&agent, id, Duration::from_mins(1)).await.unwrap();
            (Instant::now(), waited)
        })
    };
    let question = asked.questions.top()[0].id.clone();
    let entry = Entry { picked: vec!["oauth2".into()], ..Entry::default() };
    other.answer(&person, asked.id, vec![(question, entry)]).await.unwrap();
    let answered = Instant::now();
    let (woken, waited) = waiting.await.unwrap();
    assert!(matches!(waited, Waited::Closed(_)), "not woken");
    woken.saturating_duration_since(answered)
}

fn actor(role: Role, caller: u32) -> Actor {
    let user = format!("user {caller}");
    let by = By::new(Some(user.as_str().into()), Channel::Api, Proof::KeyFile);
    Actor { role, user: user.as_str().into(), by, key: None }
}

fn questions(round: u32) -> Questions {
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
        text: format!("Which authentication should the login page of round {round} use?"),
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
