//! An agent that goes away and comes back, in any order of things: the person is asked once, and the agent is never
//! left without the answer.
//!
//! A small agent asks the same question over and over, as a model does that wants an answer. Its calls are cut off,
//! its replies are lost on the way, the desk is killed between any two steps; the person answers whenever there is
//! something to answer.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tokio::task::JoinHandle;

use super::*;

/// What happens next.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The agent asks, under a new name of its call.
    Ask,
    /// Its connection or process goes away.
    GoAway,
    /// The person answers what is open.
    Answer,
    /// The person says no.
    Decline,
    /// What is on its way to the agent arrives.
    Arrive,
    /// The desk is killed: what is in memory is gone.
    Crash,
    /// Some time passes, less than an hour.
    Later,
}

fn any_step() -> impl Strategy<Value = Step> {
    use Step::{Answer, Arrive, Ask, Crash, Decline, GoAway, Later};
    prop_oneof![
        6 => Just(Ask), 3 => Just(GoAway), 3 => Just(Answer), 1 => Just(Decline), 3 => Just(Arrive), 1 => Just(Crash),
        1 => Just(Later),
    ]
}

/// An agent's call: it waits, or its reply is on its way.
enum Call {
    Waits(AskId, JoinHandle<Result<Waited, DeskError>>),
    Replied(AskId, SessionId),
}

struct Story<'a> {
    file: &'a Path,
    forward_ms: Arc<AtomicI64>,
    desk: Desk,
    call: Option<Call>,
    n_calls: u32,
    /// The decision that the agent wants: the ask that it was made, once there is one.
    wanted: Option<AskId>,
    /// Every decision that has arrived, by its ask.
    arrived: Vec<AskId>,
    /// Whether what arrived last may not have been noted: the desk was killed right then.
    unnoted: Option<AskId>,
}

impl<'a> Story<'a> {
    async fn begin(file: &'a Path) -> Self {
        let forward_ms = Arc::default();
        let desk = open(file, &forward_ms).await;
        let (call, wanted, unnoted) = (None, None, None);
        Self { file, forward_ms, desk, call, n_calls: 0, wanted, arrived: Vec::new(), unnoted }
    }

    async fn step(&mut self, step: Step) -> Result<(), TestCaseError> {
        self.replies().await;
        match step {
            Step::Ask => self.ask().await?,
            Step::GoAway => self.go_away().await,
            Step::Answer | Step::Decline => {
                let open = self.desk.inbox(&person()).await.unwrap();
                prop_assert!(open.len() <= 1, "the person is asked twice: {:?}", open);
                if let Some(ask) = open.first() {
                    let (question, by) = (ask.questions.top()[0].id.clone(), person());
                    let entry = Entry { picked: vec!["1".into()], ..Entry::default() };
                    match step {
                        Step::Answer => self.desk.answer(&by, ask.id, vec![(question, entry)]).await.unwrap(),
                        _ => self.desk.decline(&by, ask.id, None).await.unwrap(),
                    };
                }
            }
            Step::Arrive => self.arrive(),
            Step::Crash => {
                self.go_away().await;
                // As a kill does: nothing is noted on the way out.
                self.desk.0.stopping.cancel();
                self.unnoted = self.arrived.last().copied();
                let closing = std::mem::replace(&mut self.desk, open_in_memory().await);
                closing.0.store.close().await.unwrap();
                drop(closing);
                self.desk = open(self.file, &self.forward_ms).await;
            }
            Step::Later => {
                self.forward_ms.fetch_add(60_000, Ordering::SeqCst);
            }
        }
        Ok(())
    }

    /// A call whose ask has ended has its reply on its way.
    async fn replies(&mut self) {
        let Some(Call::Waits(id, _)) = &self.call else { return };
        let ask = self.desk.ask_of(&agent(), *id).await.unwrap();
        if ask.is_open() {
            return;
        }
        let Some(Call::Waits(id, waiting)) = self.call.take() else { return };
        assert!(matches!(waiting.await.unwrap().unwrap(), Waited::Closed(_)));
        self.call = Some(Call::Replied(id, ask.session));
    }

    async fn ask(&mut self) -> Result<(), TestCaseError> {
        // One call at a time: whoever calls again has given the last one up.
        self.go_away().await;
        self.n_calls += 1;
        let terms = Terms { tool_use: Some(format!("call {}", self.n_calls)), ..Terms::default() };
        let request = Request { known_by: KnownBy::Place, ..unnamed(terms) };
        let asked = self.desk.ask(&agent(), request).await.unwrap().ask;
        if let Some(had) = self.arrived.iter().find(|had| **had == asked.id) {
            prop_assert_eq!(Some(*had), self.unnoted, "told again what has arrived");
            self.wanted = Some(asked.id);
        }
        let wanted = *self.wanted.get_or_insert(asked.id);
        prop_assert_eq!(asked.id, wanted, "the same decision under another id");
        self.call = Some(if asked.is_open() {
            let (desk, id) = (self.desk.clone(), asked.id);
            let waiting = tokio::spawn(async move { desk.wait(&agent(), id, Duration::from_hours(1)).await });
            // The call waits before anything else happens.
            while !self.desk.0.bulletin.is_waited_for(id) {
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

    fn arrive(&mut self) {
        match self.call.take() {
            Some(Call::Replied(id, session)) => {
                self.desk.delivered(&agent(), session, id);
                self.arrived.push(id);
                self.wanted = None;
                self.unnoted = None;
            }
            other => self.call = other,
        }
    }

    /// In the end somebody answers, and the agent, which goes on asking, has it.
    async fn end(mut self) -> Result<(), TestCaseError> {
        for step in [Step::Ask, Step::Answer, Step::Ask, Step::Arrive] {
            self.step(step).await?;
        }
        prop_assert!(self.wanted.is_none(), "the agent is left without the answer");
        self.desk.close().await.unwrap();
        Ok(())
    }
}

fn unnamed(terms: Terms) -> Request {
    let choice = |label: &str| DraftChoice { label: Given::Value(label.into()), ..DraftChoice::default() };
    let question = DraftQuestion {
        text: Given::Value("Deploy?".into()),
        choices: Given::Value(vec![choice("a"), choice("b")]),
        ..DraftQuestion::default()
    };
    let draft = Draft { questions: Given::Value(vec![question]), ..Draft::default() };
    let questions = draft.check(&Limits::FOREIGN).unwrap();
    Request { questions, terms, whence: "an agent".into(), known_by: KnownBy::Place }
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
    fn the_person_is_asked_once_and_the_agent_has_the_answer(steps in prop::collection::vec(any_step(), 1..30)) {
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
