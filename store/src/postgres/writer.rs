//! Takes what has queued up and does it in one transaction: many commands, one flush.
//!
//! A connection can be lost in the very act of committing. Then the head is locked over another one,
//! which waits for the lost transaction to end, and the facts say whether it did: nobody is told that
//! something failed which did not, and nothing is done twice.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::limits::DeskLimits;
use deadpool_postgres::{Object, Pool};
use futures_util::future::{try_join, try_join3};
use parking_lot::RwLock;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::time::{Instant, timeout};

use super::bell::Bell;
use super::carry::{Carried, carry_out};
use super::db::Client;
use super::error::{Kind, closed};
use super::fact::{self, NewFact};
use super::floor::{self, Floor};
use super::tail::Tail;
use crate::chain::Salts;
use crate::db::Db;
use crate::fail::Fail;
use crate::sql::facts;
use crate::{Committed, Figures, Head, Numbered, Order, StoreError};

/// Commands in one transaction.
const BATCH_MAX: usize = 256;
/// Commands that may wait; more callers wait to hand theirs in.
pub(super) const QUEUE_MAX: usize = 4096;
/// How long a transaction may take; and how long it may be silent before the database ends it, so that
/// a replica that froze holds nobody up.
const BATCH_FOR: Duration = Duration::from_secs(20);
/// How often a batch is done over because others got in its way or its connection was gone.
const TRIES_MAX: u8 = 4;
/// How long it is tried to learn whether a lost transaction was committed.
const SETTLE_FOR: Duration = Duration::from_secs(20);
/// How long everybody is turned away before the database is tried again, at first and at most.
const FIRST_AWAY: Duration = Duration::from_millis(50);
const AWAY_MAX: Duration = Duration::from_secs(1);

/// Decided by rows and locks that everybody takes in the same order, whatever the database's defaults.
const BEGIN: &str = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = '10s'; SET LOCAL idle_in_transaction_session_timeout = '10s'";

/// A command and who waits for it.
pub(super) struct Job {
    order: Box<Order>,
    /// Where whoever wants it called from.
    address: Option<IpAddr>,
    reply: oneshot::Sender<Result<Committed, StoreError>>,
    n_tries: u8,
}

impl Job {
    pub(super) fn new(
        order: Order,
        address: Option<IpAddr>,
        reply: oneshot::Sender<Result<Committed, StoreError>>,
    ) -> Self {
        Self { order: Box::new(order), address, reply, n_tries: 0 }
    }

    fn answer(self, result: Result<Committed, StoreError>) {
        // Whoever went away learns it when they come back.
        let _told = self.reply.send(result);
    }
}

/// What the writers share.
pub(super) struct Desk {
    pub(super) pool: Pool,
    pub(super) limits: Arc<RwLock<DeskLimits>>,
    pub(super) figures: Figures,
    pub(super) tail: Arc<Tail>,
    pub(super) bell: Arc<Bell>,
    pub(super) queue: Mutex<mpsc::Receiver<Job>>,
    pub(super) again: mpsc::WeakSender<Job>,
}

/// What a batch led to.
#[derive(Default)]
struct Batch {
    results: Vec<Result<Committed, StoreError>>,
    facts: Vec<Numbered>,
}

/// A batch that was not seen to be committed.
enum Lost {
    /// Nothing of it is kept.
    Surely(Fail),
    /// It was being committed; the facts up to this head are there, or none of them.
    Perhaps(Head, Batch, Fail),
}

/// One of the writers.
pub(super) struct Writer {
    desk: Arc<Desk>,
    salts: Salts,
    /// Until when everybody is turned away, and for how long the next time.
    away: Option<(Instant, Duration)>,
}

impl Writer {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        Self { desk, salts: Salts::default(), away: None }
    }

    /// Works until nobody can hand work in any more.
    pub(super) async fn run(mut self) {
        let mut jobs = Vec::with_capacity(BATCH_MAX);
        loop {
            // One waits for work while the others do theirs; what comes meanwhile is the next batch.
            let n_taken = self.desk.queue.lock().await.recv_many(&mut jobs, BATCH_MAX).await;
            if n_taken == 0 {
                return;
            }
            self.serve(std::mem::take(&mut jobs)).await;
        }
    }

    async fn serve(&mut self, mut jobs: Vec<Job>) {
        for n_tries in 0..TRIES_MAX {
            match self.transact(&mut jobs).await {
                Ok(batch) => {
                    self.away = None;
                    return self.desk.tell(jobs, batch).await;
                }
                Err(Lost::Perhaps(head, batch, fail)) => {
                    // Others do not wait until that is known.
                    tokio::spawn(Arc::clone(&self.desk).settle(jobs, head, batch, fail));
                    return;
                }
                Err(Lost::Surely(fail)) => match fail.kind() {
                    // The others do not pay for one that cannot be done: each is done by itself.
                    Kind::Row if jobs.len() > 1 => {
                        for job in jobs {
                            Box::pin(self.serve(vec![job])).await;
                        }
                        return;
                    }
                    Kind::Again => tokio::time::sleep(Duration::from_millis(5) * u32::from(n_tries)).await,
                    Kind::Away if n_tries == 0 && !matches!(fail, Fail::NoConnection(_)) => {}
                    Kind::Row | Kind::Away | Kind::Full | Kind::Schema => {
                        return self.turn_away(jobs, fail);
                    }
                },
            }
        }
        let what = "others got in the way again and again".to_owned();
        self.turn_away(jobs, Fail::NoConnection(what));
    }

    fn turn_away(&mut self, jobs: Vec<Job>, fail: Fail) {
        if matches!(fail, Fail::NoConnection(_)) {
            let wait = self.away.map_or(FIRST_AWAY, |(_, wait)| (wait * 2).min(AWAY_MAX));
            self.away = Some((Instant::now() + wait, wait));
        }
        let error = fail.told();
        for job in jobs {
            job.answer(Err(error.clone()));
        }
    }

    /// Does all the work in one transaction, or none of it.
    async fn transact(&mut self, jobs: &mut [Job]) -> Result<Batch, Lost> {
        if self.away.is_some_and(|(until, _)| Instant::now() < until) {
            return Err(Lost::Surely(Fail::NoConnection("the database is away".to_owned())));
        }
        let db = self.desk.pool.get().await.map_err(|error| Lost::Surely(error.into()))?;
        let (mut sent, begun) = (None, Instant::now());
        let done = timeout(BATCH_FOR, self.attempt(&db, jobs, &mut sent)).await;
        let late = |_| Fail::NoConnection("the database does not answer".to_owned());
        let fail = match done.map_err(late).flatten() {
            Ok(batch) => {
                self.desk.figures.commit_time.observe(begun.elapsed().as_secs_f64());
                self.desk.figures.batch.observe(f64::from(u32::try_from(jobs.len()).unwrap_or(u32::MAX)));
                return Ok(batch);
            }
            Err(fail) => fail,
        };
        match (fail.kind(), sent) {
            (Kind::Away, Some((head, batch))) => {
                drop(Object::take(db));
                Err(Lost::Perhaps(head, batch, fail))
            }
            (Kind::Away, None) => {
                drop(Object::take(db));
                Err(Lost::Surely(fail))
            }
            _ => {
                // A connection that cannot even go back is not kept.
                if db.batch_execute("ROLLBACK").await.is_err() {
                    drop(Object::take(db));
                }
                Err(Lost::Surely(fail))
            }
        }
    }

    /// Everything up to the commit; what it will have led to is put into `sent` before that goes out.
    async fn attempt(
        &mut self,
        db: &Client,
        jobs: &mut [Job],
        sent: &mut Option<(Head, Batch)>,
    ) -> Result<Batch, Fail> {
        for sql in floor::statements().iter().map(String::as_str).chain(fact::STATEMENTS) {
            db.prepare_cached(sql).await?;
        }
        let begin = async { Ok(db.batch_execute(BEGIN).await?) };
        // Nothing panics while they are held.
        let limits = *self.desk.limits.read();
        let orders: Vec<&Order> = jobs.iter().map(|job| &*job.order).collect();
        let ((), mut floor) = try_join(begin, Floor::load(db, limits, &orders)).await?;
        let mut carried: Vec<Result<Carried, StoreError>> = Vec::with_capacity(jobs.len());
        for job in jobs {
            match carry_out(db, &mut floor, &mut self.salts, &mut job.order, job.address).await {
                Ok(done) => carried.push(Ok(done)),
                Err(Fail::Told(error)) => carried.push(Err(error)),
                Err(fail) => return Err(fail),
            }
        }
        if floor.facts.is_empty() {
            db.batch_execute("ROLLBACK").await?;
            return Ok(Batch::new(carried, &[], 0));
        }
        // The head is locked last and let go with the commit: numbers follow the order of committing.
        let ((), head) = try_join(floor.write(db), fact::lock_head(db)).await?;
        let facts = std::mem::take(&mut floor.facts);
        let (last, adding) = fact::add(db, &head, &facts);
        let batch = sent.insert((last, Batch::new(carried, &facts, head.number)));
        let commit = async { Ok::<_, Fail>(db.batch_execute("COMMIT").await?) };
        try_join3(adding, fact::set_head(db, &last), commit).await?;
        Ok(std::mem::take(&mut batch.1))
    }
}

impl Batch {
    fn new(carried: Vec<Result<Carried, StoreError>>, facts: &[NewFact], head: u64) -> Self {
        let facts: Vec<Numbered> =
            facts.iter().zip(head + 1..).map(|(fact, number)| fact.numbered(number)).collect();
        let number = |mut carried: Carried| {
            carried.committed.facts = facts[carried.facts].to_vec();
            carried.committed
        };
        let results = carried.into_iter().map(|result| result.map(number)).collect();
        Self { results, facts }
    }
}

impl Desk {
    /// Tells what was committed, and then answers everybody.
    async fn tell(&self, jobs: Vec<Job>, batch: Batch) {
        if !batch.facts.is_empty() {
            self.bell.ring();
            self.tail.committed(&batch.facts).await;
        }
        jobs.into_iter().zip(batch.results).for_each(|(job, result)| job.answer(result));
    }

    /// Finds out whether a batch was committed, and answers, or does it over.
    async fn settle(self: Arc<Self>, jobs: Vec<Job>, head: Head, batch: Batch, fail: Fail) {
        let begun = Instant::now();
        let mut wait = FIRST_AWAY;
        while begun.elapsed() < SETTLE_FOR {
            match timeout(BATCH_FOR, self.was_committed(&head)).await {
                Ok(Ok(true)) => return self.tell(jobs, batch).await,
                Ok(Ok(false)) => return self.over_again(jobs, fail).await,
                Ok(Err(_)) | Err(_) => {
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(AWAY_MAX);
                }
            }
        }
        let unsure = StoreError::Unsure(fail.told().to_string());
        for job in jobs {
            job.answer(Err(unsure.clone()));
        }
    }

    async fn was_committed(&self, head: &Head) -> Result<bool, Fail> {
        let db = self.pool.get().await?;
        db.batch_execute(BEGIN).await?;
        // A transaction that is still at it has the head; when we have it, there is none.
        let looked = try_join(fact::lock_head(&db), facts::hash(Db::Postgres(&db), head.number)).await;
        if db.batch_execute("ROLLBACK").await.is_err() {
            drop(Object::take(db));
        }
        Ok(looked?.1 == Some(head.hash))
    }

    async fn over_again(&self, jobs: Vec<Job>, fail: Fail) {
        let error = fail.told();
        let queue = self.again.upgrade();
        for mut job in jobs {
            job.n_tries += 1;
            match &queue {
                Some(queue) if job.n_tries < TRIES_MAX => {
                    if let Err(unsent) = queue.send(job).await {
                        unsent.0.answer(Err(closed()));
                    }
                }
                _ => job.answer(Err(error.clone())),
            }
        }
    }
}
