//! Any sequence of commands by several actors on the real desk, beside a small model of it.
//!
//! After every command the desk and the model must say the same; every waiter is woken, once; a
//! listener hears the committed facts of its user, all of them, in order; and a restart at any
//! point changes nothing.

use std::collections::HashMap;
use std::path::Path;

use askuser_core::asker::{Late, TimeoutPolicy};
use askuser_core::fact::Fact;
use proptest::prelude::*;
use tokio::task::JoinHandle;

use super::model::{Model, Stage, Terms as ModelTerms, USERS, Verdict, Wording};
use super::*;
use askuser_store::Numbered;

/// Long enough for a loaded machine; nothing waits for it unless something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);
const BEGINNING: i64 = 1_800_000_000_000;

/// What happens next. Asks are meant by their place among all that were made so far.
#[derive(Debug, Clone)]
enum Step {
    Ask {
        user: usize,
        session: u8,
        wording: Wording,
        terms: ModelTerms,
    },
    Answer {
        user: usize,
        ask: usize,
        fits: bool,
    },
    AnswerOne {
        user: usize,
        ask: usize,
        name: u8,
        fits: bool,
    },
    Save {
        user: usize,
        ask: usize,
        fits: bool,
    },
    Decline {
        user: usize,
        ask: usize,
    },
    Withdraw {
        user: usize,
        ask: usize,
    },
    Acknowledge {
        user: usize,
        ask: usize,
    },
    Reopen {
        user: usize,
        ask: usize,
    },
    /// The agent tries what only a person may, and the person what only an agent may.
    Trespass {
        user: usize,
        ask: usize,
    },
    /// A waiter hangs up.
    Leave {
        ask: usize,
    },
    Later {
        millis: i64,
    },
    Restart,
}

fn any_step() -> impl Strategy<Value = Step> {
    // Mostly one's own: another's is refused, which soon proves little more.
    let user = prop_oneof![9 => Just(0_usize), 3 => Just(1)];
    let whose = (user.clone(), 0_usize..64);
    let wording = (0_u8..4, 0_u8..3).prop_map(|(name, words)| Wording { name, words });
    let timeout_ms = prop_oneof![3 => Just(None), 1 => Just(Some(1_000)), 1 => Just(Some(600_000))];
    let terms = (prop::option::weighted(0.2, 0_u8..4), timeout_ms, any::<bool>(), any::<bool>());
    let terms = terms.prop_map(|(key, timeout_ms, takes_default, keeps_late)| ModelTerms {
        key,
        timeout_ms,
        takes_default,
        keeps_late,
    });
    let fits = prop::bool::weighted(0.9);
    prop_oneof![
        12 => (user, 0_u8..4, wording, terms)
            .prop_map(|(user, session, wording, terms)| Step::Ask { user, session, wording, terms }),
        5 => (whose.clone(), fits).prop_map(|((user, ask), fits)| Step::Answer { user, ask, fits }),
        2 => (whose.clone(), 0_u8..4, fits)
            .prop_map(|((user, ask), name, fits)| Step::AnswerOne { user, ask, name, fits }),
        2 => (whose.clone(), fits).prop_map(|((user, ask), fits)| Step::Save { user, ask, fits }),
        2 => whose.clone().prop_map(|(user, ask)| Step::Decline { user, ask }),
        2 => whose.clone().prop_map(|(user, ask)| Step::Withdraw { user, ask }),
        2 => whose.clone().prop_map(|(user, ask)| Step::Acknowledge { user, ask }),
        3 => whose.clone().prop_map(|(user, ask)| Step::Reopen { user, ask }),
        1 => whose.prop_map(|(user, ask)| Step::Trespass { user, ask }),
        1 => (0_usize..64).prop_map(|ask| Step::Leave { ask }),
        3 => prop_oneof![Just(7), Just(1_003), Just(660_037), Just(3_660_041)]
            .prop_map(|millis| Step::Later { millis }),
        1 => Just(Step::Restart),
    ]
}

/// Small ones, so that a short story reaches them.
fn limits() -> DeskLimits {
    DeskLimits { shown_max: 2, active_sessions_max: 2, depth_max: 3, open_max: 4, ..DeskLimits::default() }
}

fn questions(wording: Wording) -> Request {
    let choice = |label: &str, default| DraftChoice {
        label: Given::Value(label.into()),
        default,
        ..DraftChoice::default()
    };
    let question = DraftQuestion {
        id: Given::Value(format!("q{}", wording.name)),
        text: Given::Value(format!("words {}?", wording.words)),
        choices: Given::Value(vec![choice("a", wording.has_default()), choice("b", false)]),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
    let questions = draft.check(&Limits::FOREIGN).unwrap();
    Request { questions, terms: Terms::default(), asker_key: "one agent".into(), known_by: KnownBy::Nothing }
}

fn why(error: &DeskError) -> &'static str {
    let DeskError::Refused(refusal) = error else { return "failed" };
    match refusal {
        Refusal::SessionNotFound => "no session",
        Refusal::AskNotFound => "no ask",
        Refusal::QuestionNotFound(_) => "no question",
        Refusal::UnfitAnswer(_) | Refusal::UnfitQuestions(_) => "unfit",
        Refusal::DuplicateQuestionId(_) | Refusal::AmbiguousQuestionId(_) => "duplicate",
        Refusal::AlreadyAnswered(_) | Refusal::AlreadyHeard => "answered",
        Refusal::Conflict { .. } => "conflict",
        Refusal::AlreadyClosed(_) => "closed",
        Refusal::NothingHeld => "nothing held",
        Refusal::NotShowing => "not showing",
        Refusal::NotReopenable => "not reopenable",
        Refusal::CheckpointNotFound => "no checkpoint",
        Refusal::RecursiveLimit { .. } => "too deep",
        Refusal::TooManySessions { .. } => "too many sessions",
        Refusal::TooManyOpen { .. } => "too many open",
        Refusal::StillOpen => "still open",
        Refusal::TooEarly => "too early",
        Refusal::SessionInUse => "in use",
        Refusal::TaskNotFound | Refusal::TaskIs(_) | Refusal::RunOver | Refusal::UnfitTask(_) => "a task",
        Refusal::Forbidden(_) => "forbidden",
    }
}

fn stage(ask: &Ask) -> Stage {
    match ask.state {
        State::Pending => Stage::Pending,
        State::Showing => Stage::Showing,
        State::Closed(_) => Stage::Closed,
        // Nothing here hands an outcome over without acknowledging it.
        State::Processing(_) | State::Completed(_) => Stage::Completed,
        State::Error(_) => Stage::Error,
    }
}

fn ending(ask: &Ask) -> Option<(&'static str, &'static str)> {
    ask.state.outcome().map(|outcome| (outcome.status(), outcome.reason()))
}

/// What is picked: either, and the same whenever the story is told again.
fn choice(step: &Step) -> &'static str {
    match step {
        Step::Answer { ask, .. } | Step::AnswerOne { ask, .. } if *ask % 2 == 1 => "2",
        _ => "1",
    }
}

/// The desk, its model, and everybody around.
struct Story<'a> {
    file: Option<&'a Path>,
    desk: Desk,
    clock_ms: Arc<AtomicI64>,
    model: Model,
    ids: Vec<AskId>,
    waiters: HashMap<usize, JoinHandle<Result<Waited, DeskError>>>,
    /// What was picked in the asks that people answered.
    picked: HashMap<usize, &'static str>,
    heard: [Vec<Numbered>; 2],
    listeners: Vec<Listener>,
}

async fn open(file: Option<&Path>, clock_ms: &Arc<AtomicI64>) -> Desk {
    let options = Options::new(limits(), Timestamp(0));
    let store = match file {
        Some(path) => Sqlite::open(path, &options).unwrap(),
        None => Sqlite::in_memory(&options).unwrap(),
    };
    let clock_ms = Arc::clone(clock_ms);
    let clock = Arc::new(move || Timestamp(clock_ms.load(Ordering::SeqCst)));
    Desk::open(Arc::new(store), clock).await.unwrap()
}

impl<'a> Story<'a> {
    async fn begin(file: Option<&'a Path>) -> Self {
        let clock_ms = Arc::new(AtomicI64::new(BEGINNING));
        let desk = open(file, &clock_ms).await;
        let listeners = USERS.map(|user| desk.listen(&actor(Role::Person, user), None, Some(0))).into();
        let (model, heard) = (Model::new(limits(), BEGINNING), [Vec::new(), Vec::new()]);
        let (ids, waiters, picked) = (Vec::new(), HashMap::new(), HashMap::new());
        Self { file, desk, clock_ms, model, ids, waiters, picked, heard, listeners }
    }

    async fn tell(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step).await;
            self.same_inbox().await;
            self.wakes().await;
        }
        self.same_in_all().await;
        self.hear_all().await;
        for (_, waiter) in self.waiters.drain() {
            waiter.abort();
            // Aborted, or closed by a hair before: either way it is gone.
            let _gone = waiter.await;
        }
        assert_eq!(self.desk.0.bulletin.n_waiting(), 0, "a bell is left that nobody hears");
        self.desk.close().await.unwrap();
    }

    /// Which ask a step means; none where there is none yet.
    fn meant(&self, ask: usize) -> Option<usize> {
        (!self.ids.is_empty()).then(|| ask % self.ids.len())
    }

    async fn step(&mut self, step: &Step) {
        match *step {
            Step::Ask { user, session, wording, terms } => self.ask(user, session, wording, terms).await,
            Step::Later { millis } => {
                self.model.later(millis);
                self.model.sweep();
                self.clock_ms.store(self.model.now, Ordering::SeqCst);
                self.desk.expire_due().await.unwrap();
                self.desk.end_idle_sessions().await.unwrap();
            }
            Step::Restart => self.restart().await,
            Step::Leave { ask } => {
                if let Some(waiter) = self.meant(ask).and_then(|ask| self.waiters.remove(&ask)) {
                    waiter.abort();
                    let _gone = waiter.await;
                }
            }
            Step::Answer { ask, .. }
            | Step::AnswerOne { ask, .. }
            | Step::Save { ask, .. }
            | Step::Decline { ask, .. }
            | Step::Withdraw { ask, .. }
            | Step::Acknowledge { ask, .. }
            | Step::Reopen { ask, .. }
            | Step::Trespass { ask, .. } => {
                if let Some(ask) = self.meant(ask) {
                    self.on_ask(step, ask).await;
                }
            }
        }
    }

    async fn ask(&mut self, user: usize, session: u8, wording: Wording, terms: ModelTerms) {
        let expected = self.model.ask(user, session, wording, terms);
        let mut request = questions(wording);
        request.terms = Terms {
            session: (session > 0).then(|| format!("s{session}")),
            timeout: terms.timeout_ms.map(|millis| Duration::from_millis(millis.unsigned_abs())),
            policy: terms.takes_default.then_some(TimeoutPolicy::Default),
            late: if terms.keeps_late { Late::Keep } else { Late::Refuse },
            idempotency_key: terms.key.map(|key| format!("key {key}")),
            ..Terms::default()
        };
        request.known_by = if session > 0 { KnownBy::Place } else { KnownBy::Nothing };
        let asked = self.desk.ask(&actor(Role::Agent, USERS[user]), request).await;
        let got = asked.map(|asked| (asked.ask, asked.joined));
        self.agree(expected, got);
    }

    async fn on_ask(&mut self, step: &Step, ask: usize) {
        let id = self.ids[ask];
        let person = |user: usize| actor(Role::Person, USERS[user]);
        let agent = |user: usize| actor(Role::Agent, USERS[user]);
        let question = format!("q{}", self.model.asks[ask].wording.name);
        let choice = choice(step);
        let entries = |fits: bool| pick(&question, if fits { choice } else { "no such choice" });
        let desk = self.desk.clone();
        let (expected, got) = match *step {
            Step::Answer { user, fits, .. } => {
                (self.model.answer(user, ask, fits), desk.answer(&person(user), id, entries(fits)).await)
            }
            Step::AnswerOne { user, name, fits, .. } => {
                let session = self.model.asks[ask].session;
                let place = desk.ask_of(&agent(self.model.owner(ask)), id).await.unwrap().session;
                let (_, entry) = entries(fits).remove(0);
                let name_given = format!("q{name}").as_str().into();
                let got = desk.answer_one(&person(user), place, None, name_given, entry).await;
                (self.model.answer_one(user, session, name, fits), got)
            }
            Step::Save { user, fits, .. } => {
                // Half-filled may be wrong still; only what was never asked cannot be kept.
                let entries = if fits { entries(true) } else { pick("never asked", "1") };
                (self.model.save(user, ask, fits), desk.save(&person(user), id, entries).await)
            }
            Step::Decline { user, .. } => {
                (self.model.decline(user, ask), desk.decline(&person(user), id, None).await)
            }
            Step::Withdraw { user, .. } => {
                (self.model.withdraw(user, ask), desk.withdraw(&agent(user), id).await)
            }
            Step::Acknowledge { user, .. } => {
                (self.model.acknowledge(user, ask), desk.acknowledge(&agent(user), id).await)
            }
            Step::Reopen { user, .. } => (self.model.reopen(user, ask), desk.reopen(&person(user), id).await),
            Step::Trespass { user, .. } => {
                let refused = desk.withdraw(&person(user), id).await.unwrap_err();
                assert_eq!(why(&refused), "forbidden");
                (Err("forbidden"), desk.answer(&agent(user), id, entries(true)).await)
            }
            _ => return,
        };
        if let (Step::Answer { .. } | Step::AnswerOne { .. }, Ok((ended, _))) = (step, &expected) {
            // A late answer is kept beside the outcome.
            if self.model.asks[*ended].ending == Some(("answered", "user")) {
                self.picked.insert(*ended, choice);
            }
        }
        self.agree(expected, got.map(|ask| (ask, false)));
    }

    /// The desk and the model say the same; a new ask gets a waiter.
    fn agree(&mut self, expected: Verdict, got: Result<(Arc<Ask>, bool), DeskError>) {
        match (expected, got) {
            (Ok((ask, joined)), Ok((got, got_joined))) => {
                assert_eq!(joined, got_joined);
                if ask == self.ids.len() {
                    self.ids.push(got.id);
                    self.wait_for(ask);
                }
                assert_eq!(self.ids[ask], got.id, "another ask than the model's");
                self.same(ask, &got);
            }
            (Err(expected), Err(got)) => assert_eq!(expected, why(&got)),
            (expected, got) => {
                let got = got.map(|(ask, joined)| (ask.id, joined)).map_err(|error| error.to_string());
                panic!("the model says {expected:?}, the desk {got:?}")
            }
        }
    }

    fn wait_for(&mut self, ask: usize) {
        let (desk, id, user) = (self.desk.clone(), self.ids[ask], USERS[self.model.owner(ask)]);
        let waiting = async move { desk.wait(&actor(Role::Agent, user), id, PATIENCE * 60).await };
        self.waiters.insert(ask, tokio::spawn(waiting));
    }

    fn same(&self, ask: usize, got: &Ask) {
        let expected = &self.model.asks[ask];
        assert_eq!((expected.stage, expected.ending), (stage(got), ending(got)), "ask {ask}");
        assert_eq!(got.owner.as_str(), USERS[self.model.owner(ask)]);
        assert_eq!(got.questions.top()[0].id.as_str(), format!("q{}", expected.wording.name));
        assert_eq!(got.questions.top()[0].text, format!("words {}?", expected.wording.words));
        let answered = got.state.outcome().filter(|outcome| outcome.status() == "answered");
        if let Some(outcome) = answered {
            let picked = self.picked.get(&ask);
            assert_eq!(outcome.answered_by(), Some(picked.map_or("default", |_| "person")));
            if let Some(choice) = picked {
                assert_eq!(outcome.answers.0[0].picked, [(*choice).into()], "ask {ask}");
            }
        }
    }

    async fn same_inbox(&self) {
        for (user, name) in USERS.into_iter().enumerate() {
            let inbox = self.desk.inbox(&actor(Role::Person, name)).await.unwrap();
            let open = (0..self.ids.len())
                .filter(|ask| self.model.asks[*ask].is_open() && self.model.owner(*ask) == user);
            let mut open: Vec<usize> = open.collect();
            // What is urgent comes first.
            let soon =
                |ask: &usize| self.model.asks[*ask].deadline.filter(|it| it - self.model.now < 120_000);
            open.sort_by_key(|ask| soon(ask).map_or((true, 0), |deadline| (false, deadline)));
            let ids: Vec<AskId> = open.iter().map(|ask| self.ids[*ask]).collect();
            assert_eq!(inbox.iter().map(|ask| ask.id).collect::<Vec<_>>(), ids, "{name}'s inbox");
            open.iter().zip(&inbox).for_each(|(ask, got)| self.same(*ask, got));
        }
    }

    /// Everybody whose ask has ended learns it; everybody else still waits.
    async fn wakes(&mut self) {
        let ended = self.waiters.keys().copied().filter(|ask| !self.model.asks[*ask].is_open());
        for ask in ended.collect::<Vec<_>>() {
            let waiter = self.waiters.remove(&ask).unwrap();
            let woken = tokio::time::timeout(PATIENCE, waiter).await.expect("a waiter hangs");
            let Waited::Closed(got) = woken.unwrap().unwrap() else { panic!("told that it is open") };
            assert_eq!(ending(&got), self.model.asks[ask].ending);
        }
        assert!(self.waiters.values().all(|waiter| !waiter.is_finished()), "woken for nothing");
    }

    async fn same_in_all(&self) {
        for ask in 0..self.ids.len() {
            let owner = actor(Role::Agent, USERS[self.model.owner(ask)]);
            self.same(ask, &self.desk.ask_of(&owner, self.ids[ask]).await.unwrap());
            let other = actor(Role::Person, USERS[1 - self.model.owner(ask)]);
            assert_eq!(why(&self.desk.ask_of(&other, self.ids[ask]).await.unwrap_err()), "no ask");
        }
    }

    /// Closes and opens again, as a daemon that was stopped. In memory there is nothing to find.
    async fn restart(&mut self) {
        if self.file.is_none() {
            return;
        }
        self.hear_all().await;
        self.desk.close().await.unwrap();
        let waited = std::mem::take(&mut self.waiters);
        let mut back = Vec::new();
        for (ask, waiter) in waited {
            let told = tokio::time::timeout(PATIENCE, waiter).await.expect("a waiter hangs");
            assert!(matches!(told.unwrap().unwrap(), Waited::StillOpen(_)), "told to come back");
            back.push(ask);
        }
        self.listeners.clear();
        self.desk = open(self.file, &self.clock_ms).await;
        for ask in back {
            self.wait_for(ask);
        }
        for (user, heard) in USERS.into_iter().zip(&self.heard) {
            let since = heard.last().map_or(0, |fact| fact.number);
            self.listeners.push(self.desk.listen(&actor(Role::Person, user), None, Some(since)));
        }
        self.same_in_all().await;
    }

    /// Each listener has heard exactly what was committed for its user, and the chain holds.
    async fn hear_all(&mut self) {
        let facts = self.desk.store().facts_since(0, 100_000).await.unwrap();
        let numbers = facts.iter().map(|fact| fact.number);
        assert!(numbers.eq(1..=facts.len() as u64), "a gap in the numbers");
        let mine = |user: usize| facts.iter().filter(move |fact| fact.owner.as_str() == USERS[user]);
        for user in 0..USERS.len() {
            while self.heard[user].len() < mine(user).count() {
                let next = tokio::time::timeout(PATIENCE, self.listeners[user].next());
                let told = next.await.expect("a fact is missing").unwrap();
                let Update::Fact(fact) = told else { panic!("told that it closes") };
                self.heard[user].push(fact);
            }
            let numbers = |facts: &[Numbered]| facts.iter().map(|fact| fact.number).collect::<Vec<_>>();
            assert_eq!(numbers(&self.heard[user]), mine(user).map(|fact| fact.number).collect::<Vec<_>>());
        }
        assert!(self.desk.store().verify(1).await.unwrap().broken.is_none());
        for (ask, id) in self.ids.iter().enumerate() {
            let of_it = facts.iter().filter(|fact| fact.ask == Some(*id)).filter_map(|it| it.fact.as_deref());
            let n_ends = of_it.filter(|fact| matches!(fact, Fact::Closed { .. })).count();
            assert_eq!(n_ends, usize::from(!self.model.asks[ask].is_open()), "ends of ask {ask}");
        }
    }
}

/// Runs a story in a runtime of its own: nothing of it outlives it.
fn play(steps: &[Step], file: Option<&Path>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { Story::begin(file).await.tell(steps).await });
}

fn cases(of: u32) -> ProptestConfig {
    let cases = ProptestConfig::default().cases.div_ceil(of).min(400);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(4))]
    #[test]
    fn any_sequence_of_commands_agrees_with_the_model(steps in prop::collection::vec(any_step(), 1..80)) {
        play(&steps, None);
    }
}

proptest! {
    #![proptest_config(cases(16))]
    #[test]
    fn a_restart_at_any_point_changes_nothing(steps in prop::collection::vec(any_step(), 1..60)) {
        let home = tempfile::tempdir().unwrap();
        play(&steps, Some(&home.path().join("askuser.db")));
    }
}
