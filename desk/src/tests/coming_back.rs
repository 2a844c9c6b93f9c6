//! An agent that goes away and comes back, in any order of things: the person is asked once, and the agent is never
//! left without the answer.
//!
//! Two small agents ask the same question over and over, each in its own folder, as models do that want an answer.
//! Their calls are cut off, their replies are lost on the way, the desk is killed between any two steps; the person
//! answers whenever there is something to answer. Neither gets what was decided for the other.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tokio::task::JoinHandle;

use super::*;

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// An agent asks, under a new name of its call.
    Ask(usize),
    /// Its connection or process goes away.
    GoAway(usize),
    /// What is on its way to it arrives.
    Arrive(usize),
    /// The person answers what is open.
    Answer,
    /// The person says no.
    Decline,
    /// The desk is killed: what is in memory is gone.
    Crash,
    /// Some time passes, less than an hour.
    Later,
}

fn any_step() -> impl Strategy<Value = Step> {
    let agent = 0..2usize;
    prop_oneof![
        6 => agent.clone().prop_map(Step::Ask),
        3 => agent.clone().prop_map(Step::GoAway),
        3 => agent.prop_map(Step::Arrive),
        3 => Just(Step::Answer),
        1 => Just(Step::Decline),
        1 => Just(Step::Crash),
        1 => Just(Step::Later),
    ]
}

/// An agent's call: it waits, or its reply is on its way.
enum Call {
    Waits(AskId, JoinHandle<Result<Waited, DeskError>>),
    Replied(AskId, SessionId),
}

/// An agent, and what it knows.
#[derive(Default)]
struct AgentSide {
    asker_key: &'static str,
    call: Option<Call>,
    n_calls: u32,
    /// The decision that it wants: the ask that it was made, once there is one.
    wanted: Option<AskId>,
    /// Every decision that has arrived, by its ask.
    arrived: Vec<AskId>,
    /// Whether what arrived last may not have been noted: the desk was killed right then.
    unnoted: Option<AskId>,
}

impl AgentSide {
    /// A call whose ask has ended has its reply on its way.
    async fn replies(&mut self, desk: &Desk) {
        let Some(Call::Waits(id, _)) = &self.call else { return };
        let ask = desk.ask_of(&agent(), *id).await.unwrap();
        if ask.is_open() {
            return;
        }
        let Some(Call::Waits(id, waiting)) = self.call.take() else { return };
        assert!(matches!(waiting.await.unwrap().unwrap(), Waited::Closed(_)));
        self.call = Some(Call::Replied(id, ask.session));
    }

    async fn ask(&mut self, desk: &Desk) -> Result<(), TestCaseError> {
        // One call at a time: whoever calls again has given the last one up.
        self.go_away().await;
        self.n_calls += 1;
        let tool_use = Some(format!("call {} of {}", self.n_calls, self.asker_key));
        let request = unnamed(self.asker_key, Terms { tool_use, ..Terms::default() });
        let asked = desk.ask(&agent(), request).await.unwrap().ask;
        if let Some(had) = self.arrived.iter().find(|had| **had == asked.id) {
            prop_assert_eq!(Some(*had), self.unnoted, "told again what has arrived");
            self.wanted = Some(asked.id);
        }
        let wanted = *self.wanted.get_or_insert(asked.id);
        prop_assert_eq!(asked.id, wanted, "the same decision under another id");
        self.call = Some(if asked.is_open() {
            let (waits, id) = (desk.clone(), asked.id);
            let waiting =
                tokio::spawn(async move { waits.wait(&agent(), id, Duration::from_hours(1)).await });
            // The call waits before anything else happens.
            while !desk.0.bulletin.is_waited_for(id) {
                tokio::task::yield_now().await;
            }
            Call::Waits(id, waiting)
        } else {
            Call::Replied(asked.id, asked.session)
        });
        Ok(())
    }

    async fn go_away(&mut self) {
        match self.call.take() {
            Some(Call::Waits(_, waiting)) => {
                waiting.abort();
                let _gone = waiting.await;
            }
            // Lost on its way.
            Some(Call::Replied(..)) | None => {}
        }
    }

    fn arrive(&mut self, desk: &Desk) {
        match self.call.take() {
            Some(Call::Replied(id, session)) => {
                desk.delivered(&agent(), session, id);
                self.arrived.push(id);
                self.wanted = None;
                self.unnoted = None;
            }
            other => self.call = other,
        }
    }

    fn knows(&self, ask: AskId) -> bool {
        self.wanted == Some(ask) || self.arrived.contains(&ask)
    }
}

struct Story<'a> {
    file: &'a Path,
    forward_ms: Arc<AtomicI64>,
    desk: Desk,
    agents: [AgentSide; 2],
}

impl<'a> Story<'a> {
    async fn begin(file: &'a Path) -> Self {
        let forward_ms = Arc::default();
        let desk = open(file, &forward_ms).await;
        let agents = ["an agent", "another"].map(|asker_key| AgentSide { asker_key, ..AgentSide::default() });
        Self { file, forward_ms, desk, agents }
    }

    async fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        for agent in &mut self.agents {
            agent.replies(&self.desk).await;
        }
        match step {
            Step::Ask(who) => self.agents[who].ask(&self.desk).await?,
            Step::GoAway(who) => self.agents[who].go_away().await,
            Step::Arrive(who) => self.agents[who].arrive(&self.desk),
            Step::Answer | Step::Decline => {
                for ask in self.desk.inbox(&person()).await.unwrap() {
                    let askers = self.agents.iter().filter(|agent| agent.wanted == Some(ask.id)).count();
                    prop_assert_eq!(askers, 1, "asked twice, or for two: {:?}", ask);
                    let (question, by) = (ask.questions.top()[0].id.clone(), person());
                    let entry = Entry { picked: vec!["1".into()], ..Entry::default() };
                    match step {
                        Step::Answer => self.desk.answer(&by, ask.id, vec![(question, entry)]).await.unwrap(),
                        _ => self.desk.decline(&by, ask.id, None).await.unwrap(),
                    };
                }
            }
            Step::Crash => {
                for agent in &mut self.agents {
                    agent.go_away().await;
                    agent.unnoted = agent.arrived.last().copied();
                }
                // As a kill does: nothing is noted on the way out.
                self.desk.0.stopping.cancel();
                let closing = std::mem::replace(&mut self.desk, open_in_memory().await);
                closing.0.store.close().await.unwrap();
                drop(closing);
                self.desk = open(self.file, &self.forward_ms).await;
            }
            Step::Later => {
                self.forward_ms.fetch_add(60_000, Ordering::SeqCst);
            }
        }
        let [one, other] = &self.agents;
        let known: Vec<AskId> = one.arrived.iter().copied().chain(one.wanted).collect();
        prop_assert!(!known.into_iter().any(|ask| other.knows(ask)), "one decision for two agents");
        Ok(())
    }

    /// In the end somebody answers, and the agents, which go on asking, have it.
    async fn end(mut self) -> Result<(), TestCaseError> {
        use Step::{Answer, Arrive, Ask};
        for step in [Ask(0), Ask(1), Answer, Ask(0), Ask(1), Arrive(0), Arrive(1)] {
            self.step(step).await?;
        }
        let is_served = |agent: &AgentSide| agent.wanted.is_none();
        prop_assert!(self.agents.iter().all(is_served), "an agent is left without the answer");
        self.desk.close().await.unwrap();
        Ok(())
    }
}

fn unnamed(asker_key: &str, terms: Terms) -> Request {
    let choice = |label: &str| DraftChoice { label: Given::Value(label.into()), ..DraftChoice::default() };
    let question = DraftQuestion {
        text: Given::Value("Deploy?".into()),
        choices: Given::Value(vec![choice("a"), choice("b")]),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
    let questions = draft.check(&Limits::FOREIGN).unwrap();
    Request { questions, terms, asker_key: asker_key.to_owned(), known_by: KnownBy::Place }
}

/// How deep rounds may go is not what this is about.
fn limits() -> DeskLimits {
    DeskLimits { depth_max: 1000, ..DeskLimits::default() }
}

async fn open(file: &Path, forward_ms: &Arc<AtomicI64>) -> Desk {
    let store = Sqlite::open(file, &Options::new(limits(), Timestamp(0))).unwrap();
    Desk::open(Arc::new(store), clock(forward_ms)).await.unwrap()
}

async fn open_in_memory() -> Desk {
    Desk::open(Arc::new(Sqlite::in_memory(&options()).unwrap()), clock(&Arc::default())).await.unwrap()
}

fn cases() -> ProptestConfig {
    let cases = ProptestConfig::default().cases.div_ceil(8).min(400);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn the_person_is_asked_once_and_the_agent_has_the_answer(steps in prop::collection::vec(any_step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("askuser.db");
            let mut story = Story::begin(&file).await;
            for step in steps {
                story.step(step).await?;
            }
            story.end().await
        })?;
    }
}
