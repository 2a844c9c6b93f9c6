//! Tasks: their session, their states, what is said in them.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::command::{Command, NewTask, Role};
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, MessageId, ServerId, SessionId, TaskId};
use askuser_core::message::{Message, NewMessage, Said, Speaker};
use askuser_core::session::SessionStatus;
use askuser_core::task::{Child, Task, TaskMove, TaskState};

use super::{Caller, answer, kinds, one};
use crate::{Committed, Numbered, SessionRef, Store};

pub(crate) fn start(n: u128) -> Command {
    Command::StartTask(Box::new(NewTask {
        id: TaskId(n),
        session: SessionId(n),
        server: ServerId(5),
        agent: "claude".to_owned(),
        folder: "/home/ann/中文".to_owned(),
        text: "mend it".to_owned(),
        message: MessageId(1000 + n),
    }))
}

pub(crate) async fn carried(caller: &Caller, role: Role, n: u128, command: Command) -> Committed {
    caller.tries(role, SessionRef::Id(SessionId(n)), command).await.unwrap()
}

pub(crate) async fn moved(caller: &Caller, n: u128, to: TaskMove) -> Committed {
    carried(caller, Role::Server, n, Command::MoveTask { task: TaskId(n), run: None, to }).await
}

pub(crate) fn runs() -> TaskMove {
    TaskMove::Run { child: Child { pid: 77, started: 123_456 } }
}

fn again(text: &str) -> Command {
    let (task, server, message) = (TaskId(1), ServerId(6), MessageId(1));
    Command::ResumeTask { task, server, text: text.to_owned(), message }
}

fn message(id: u128, said: Said) -> NewMessage {
    NewMessage { id: MessageId(id), said, whole_bytes: None }
}

pub(crate) async fn stored(store: &Arc<dyn Store>, n: u128) -> Arc<Task> {
    store.task(TaskId(n)).await.unwrap().unwrap()
}

pub(crate) async fn a_task_is_given_and_moves_on(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    assert_eq!(store.task(TaskId(1)).await.unwrap(), None);
    let given = carried(&caller, Role::Person, 1, start(1)).await;
    assert_eq!(kinds(&given), ["session_opened", "task_changed", "said"]);
    carried(&caller, Role::Person, 2, start(2)).await;
    let first = stored(&store, 1).await;
    assert_eq!(
        (first.state, first.folder.as_str(), &*first.text),
        (TaskState::Queued, "/home/ann/中文", "mend it")
    );
    assert_eq!(first.last_message, Some(MessageId(1001)));
    assert_eq!(store.task_of(SessionId(1)).await.unwrap(), Some(first));
    caller.later(Duration::from_secs(5));
    moved(&caller, 1, runs()).await;
    let named = TaskMove::Named { agent_session: "its own".to_owned() };
    assert_eq!(kinds(&moved(&caller, 1, named.clone()).await), ["task_changed"]);
    // Told twice, noted once.
    assert!(moved(&caller, 1, named).await.facts.is_empty());
    let running = stored(&store, 1).await;
    assert_eq!(running.child, Some(Child { pid: 77, started: 123_456 }));
    assert_eq!((running.agent_session.as_deref(), running.changed_at), (Some("its own"), caller.now));
    let ids = |tasks: Vec<Arc<Task>>| -> Vec<u128> { tasks.iter().map(|task| task.id.0).collect() };
    assert_eq!(ids(store.tasks_alive(9).await.unwrap()), [1, 2]);
    moved(&caller, 1, TaskMove::Fail { reason: "it died".to_owned() }).await;
    assert_eq!(stored(&store, 1).await.reason.as_deref(), Some("it died"));
    assert_eq!(ids(store.tasks_alive(9).await.unwrap()), [2]);
    assert_eq!(ids(store.tasks(&"ann".into(), 9).await.unwrap()), [2, 1]);
    assert!(store.tasks(&"bob".into(), 9).await.unwrap().is_empty());
    let late = Command::MoveTask { task: TaskId(1), run: None, to: TaskMove::Done };
    let refused = caller.refused(Role::Server, SessionRef::Id(SessionId(1)), late).await;
    assert_eq!(refused, "the task is failed: this cannot be done now");
    carried(&caller, Role::Person, 1, again("once more")).await;
    let again = stored(&store, 1).await;
    assert_eq!((again.state, again.n_runs, &*again.text), (TaskState::Queued, 2, "once more"));
    assert!(store.verify(1).await.unwrap().broken.is_none());
}

fn said(facts: &[Numbered]) -> Vec<Message> {
    let facts = facts.iter().filter_map(|numbered| numbered.fact.as_deref());
    facts.filter_map(|fact| if let Fact::Said(said) = fact { Some((**said).clone()) } else { None }).collect()
}

pub(crate) async fn what_is_said_in_a_task_is_kept_in_order(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    carried(&caller, Role::Person, 1, start(1)).await;
    moved(&caller, 1, runs()).await;
    let call = || "toolu_1".to_owned();
    let every = [
        Said::Text { by: Speaker::Agent, text: "<b>hi</b> \u{1}".to_owned() },
        Said::Thinking("hm".to_owned()),
        Said::ToolUse { call: call(), name: "Bash".to_owned(), input: "{\"command\":\"ls\"}".to_owned() },
        Said::ToolResult { call: call(), text: "a\nb".to_owned(), is_error: true },
        Said::Error("no".to_owned()),
        Said::Complete("done".to_owned()),
        Said::Notice("note".to_owned()),
        Said::Ask { call: call(), input: "{}".to_owned() },
    ];
    let messages = every.iter().cloned().zip(10..).map(|(said, id)| message(id, said)).collect();
    let told = carried(&caller, Role::Server, 1, Command::Tell { task: TaskId(1), run: 1, messages }).await;
    assert_eq!(told.facts.len(), 8);
    // An ask and its outcome have their places in the chain.
    let ask = Command::Ask(Box::new(one(40)));
    carried(&caller, Role::Agent, 1, ask).await;
    assert_eq!(stored(&store, 1).await.last_message, Some(MessageId::of_ask(AskId(40))));
    caller.person(40, answer(40, "a")).await;
    let last = vec![NewMessage { whole_bytes: Some(99), ..message(50, Said::Notice("end".to_owned())) }];
    carried(&caller, Role::Server, 1, Command::Tell { task: TaskId(1), run: 1, messages: last }).await;
    let facts = store.facts_of(SessionId(1), 0, 99).await.unwrap();
    let kept = said(&facts);
    assert_eq!(kept[1..9].iter().map(|message| message.said.clone()).collect::<Vec<_>>(), every);
    assert_eq!(said(&told.facts), kept[1..9]);
    let parents: Vec<Option<u128>> = kept.iter().map(|message| message.parent.map(|id| id.0)).collect();
    let outcome = MessageId::of_outcome(AskId(40)).0;
    let expected = [1001, 10, 11, 12, 13, 14, 15, 16, outcome].map(Some);
    assert_eq!((parents[0], &parents[1..]), (None, &expected[..]));
    assert_eq!((kept[9].round, kept[9].whole_bytes), (1, Some(99)));
    // From the end, a page at a time.
    let numbers = |facts: &[Numbered]| -> Vec<u64> { facts.iter().map(|numbered| numbered.number).collect() };
    let end = store.facts_before(SessionId(1), None, 3).await.unwrap();
    assert_eq!(numbers(&end), numbers(&facts[facts.len() - 3..]));
    let before = store.facts_before(SessionId(1), Some(end[0].number), 99).await.unwrap();
    assert_eq!(numbers(&before), numbers(&facts[..facts.len() - 3]));
    assert!(store.verify(1).await.unwrap().broken.is_none());
}

pub(crate) async fn a_session_with_a_task_at_work_is_not_idle(store: Arc<dyn Store>) {
    let mut caller = Caller::new(&store);
    carried(&caller, Role::Person, 1, start(1)).await;
    moved(&caller, 1, runs()).await;
    caller.later(Duration::from_hours(2));
    assert!(store.idle_sessions(caller.now, 9).await.unwrap().is_empty());
    moved(&caller, 1, TaskMove::Interrupt { reason: None }).await;
    caller.later(Duration::from_hours(2));
    assert_eq!(store.idle_sessions(caller.now, 9).await.unwrap(), [SessionId(1)]);
    carried(&caller, Role::Server, 1, Command::EndSession { session: SessionId(1) }).await;
    let woken = carried(&caller, Role::Person, 1, again("go on")).await.session.unwrap();
    assert_eq!(woken.status, SessionStatus::Active);
    let status = async || store.session(SessionId(1)).await.unwrap().unwrap().status;
    assert_eq!(status().await, SessionStatus::Active);
    // One that is done completes it (002, 4.2.2), and wakes it when it is taken up again.
    moved(&caller, 1, runs()).await;
    let done = moved(&caller, 1, TaskMove::Done).await;
    assert_eq!(kinds(&done), ["task_changed", "session_ended"]);
    assert_eq!(done.session.unwrap().status, SessionStatus::Completed);
    assert_eq!(status().await, SessionStatus::Completed);
    caller.later(Duration::from_hours(2));
    assert!(store.idle_sessions(caller.now, 9).await.unwrap().is_empty());
    carried(&caller, Role::Person, 1, again("and now")).await;
    assert_eq!(status().await, SessionStatus::Active);
    let served = store.audit().unwrap().verify_served().await.unwrap();
    assert!(served.is_whole(), "{served:?}");
}

/// A task is on a server from when it is given to when it is given to another, in its row and in its
/// facts; whoever finds it left behind interrupts that run of it, once, with what is open in it.
pub(crate) async fn a_task_is_on_a_server_and_interrupted_once(store: Arc<dyn Store>) {
    let caller = Caller::new(&store);
    carried(&caller, Role::Person, 1, start(1)).await;
    assert_eq!(stored(&store, 1).await.server, Some(ServerId(5)));
    moved(&caller, 1, runs()).await;
    for id in [40, 41] {
        carried(&caller, Role::Agent, 1, Command::Ask(Box::new(one(id)))).await;
    }
    let halted = carried(
        &caller,
        Role::Person,
        1,
        Command::MoveTask { task: TaskId(1), run: Some(1), to: TaskMove::Halt },
    );
    assert_eq!(kinds(&halted.await), ["task_changed"]);
    assert!(stored(&store, 1).await.stop_wanted);
    let interrupt = || Command::MoveTask {
        task: TaskId(1),
        run: Some(1),
        to: TaskMove::Interrupt { reason: Some("its server is gone".to_owned()) },
    };
    let session = || SessionRef::Id(SessionId(1));
    let both = tokio::join!(
        caller.tries(Role::Server, session(), interrupt()),
        caller.tries(Role::Server, session(), interrupt())
    );
    let (won, lost) = match both {
        (Ok(won), Err(lost)) | (Err(lost), Ok(won)) => (won, lost.to_string()),
        (one, other) => panic!("{one:?} and {other:?}"),
    };
    assert_eq!(kinds(&won), ["closed", "closed", "task_changed"]);
    assert_eq!(lost, "the task is interrupted: this cannot be done now");
    for id in [40, 41] {
        assert_eq!(caller.status(id).await, "cancelled");
    }
    let interrupted = stored(&store, 1).await;
    assert_eq!((interrupted.stop_wanted, interrupted.reason.as_deref()), (false, Some("its server is gone")));
    carried(&caller, Role::Person, 1, again("once more")).await;
    assert_eq!(stored(&store, 1).await.server, Some(ServerId(6)));
    moved(&caller, 1, runs()).await;
    // The first run is over, whatever it still has to say.
    let late = Command::Tell { task: TaskId(1), run: 1, messages: Vec::new() };
    for late in [late, interrupt()] {
        let refused = caller.refused(Role::Server, session(), late).await;
        assert_eq!(refused, "this run of the task is over: it was taken up again");
    }
    let facts = store.facts_of(SessionId(1), 0, 99).await.unwrap();
    let servers: Vec<_> = facts
        .iter()
        .filter_map(|numbered| match numbered.fact.as_deref() {
            Some(Fact::TaskChanged { task, .. }) => Some((task.state.name(), task.server, task.stop_wanted)),
            _ => None,
        })
        .collect();
    let (first, second) = (Some(ServerId(5)), Some(ServerId(6)));
    assert_eq!(
        servers,
        [
            ("queued", first, false),
            ("running", first, false),
            ("running", first, true),
            ("interrupted", first, false),
            ("queued", second, false),
            ("running", second, false),
        ]
    );
    assert!(store.verify(1).await.unwrap().broken.is_none());
}
