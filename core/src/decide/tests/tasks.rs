//! Tasks: who gives them, how they move, and the chain of what is said in them.

use super::*;
use crate::command::NewTask;
use crate::id::{MessageId, ServerId, TaskId};
use crate::limits::{MESSAGE_BYTES_MAX, TASK_BYTES_MAX};
use crate::message::{Message, NewMessage, Said};
use crate::task::{Child, TaskMove, TaskState};

const TASK: TaskId = TaskId(7);

fn start(text: &str) -> Command {
    Command::StartTask(Box::new(NewTask {
        id: TASK,
        session: SessionId(1),
        server: ServerId(3),
        agent: "claude".to_owned(),
        folder: "/work".to_owned(),
        text: text.to_owned(),
        message: MessageId(100),
    }))
}

fn moved(to: TaskMove) -> Command {
    Command::MoveTask { task: TASK, run: None, to }
}

fn running() -> Command {
    moved(TaskMove::Run { child: Child { pid: 5, started: 6 } })
}

fn notice(id: u128, text: &str) -> NewMessage {
    NewMessage { id: MessageId(id), said: Said::Notice(text.to_owned()), whole_bytes: None }
}

fn tell(id: u128) -> Command {
    Command::Tell { task: TASK, run: 1, messages: vec![notice(id, "x")] }
}

fn again(server: u128) -> Command {
    let (server, message) = (ServerId(server), MessageId(200));
    Command::ResumeTask { task: TASK, server, text: "go on".to_owned(), message }
}

fn interrupted() -> TaskMove {
    TaskMove::Interrupt { reason: None }
}

fn empty() -> Desk {
    Desk { view: View::default(), now: Timestamp(1_000) }
}

fn state(desk: &Desk) -> TaskState {
    desk.view.task.as_ref().unwrap().state
}

fn said(decision: &Decision) -> Vec<Message> {
    let facts = decision.facts.iter();
    facts.filter_map(|fact| if let Fact::Said(said) = fact { Some((**said).clone()) } else { None }).collect()
}

/// D18: a task is a person's to give, never an agent's.
#[test]
fn d18_only_a_person_gives_a_task() {
    let mut desk = empty();
    for actor in [agent(), server()] {
        assert_eq!(desk.refused(&actor, &start("x")), "only a person gives a task to an agent");
    }
    assert_eq!(desk.refused(&person(), &start(" \n")), "the task does not fit: text: is missing");
    let long = "x".repeat(TASK_BYTES_MAX + 1);
    let refused = desk.refused(&person(), &start(&long));
    assert_eq!(refused, "the task does not fit: text: has 65537 bytes, 65536 at most");
    let given = desk.done(&person(), &start("do it"));
    let kinds: Vec<bool> = given.facts.iter().map(|fact| matches!(fact, Fact::TaskChanged { .. })).collect();
    assert_eq!(kinds, [false, true, false]);
    assert_eq!(state(&desk), TaskState::Queued);
    let bob = actor(Role::Person, "bob", Proof::Cookie);
    let stop = || moved(TaskMove::Stop { reason: "user".to_owned() });
    assert_eq!(desk.refused(&bob, &stop()), "there is no such task");
    assert_eq!(desk.refused(&agent(), &stop()), "only the one that runs a task moves it on");
    assert_eq!(desk.refused(&person(), &running()), "only the one that runs a task moves it on");
    desk.done(&person(), &stop());
    assert_eq!(state(&desk), TaskState::Stopped);
}

/// P2: messages, asks and outcomes of a task are one chain, each naming what came before it.
#[test]
fn p2_what_is_said_in_a_task_is_one_chain() {
    let mut desk = empty();
    let given = said(&desk.done(&person(), &start("do it")));
    assert_eq!((given[0].parent, given[0].round), (None, 0));
    desk.done(&server(), &running());
    let told = said(&desk.done(&server(), &tell(101)));
    assert_eq!(told[0].parent, Some(MessageId(100)));
    desk.done(&agent(), &one(40));
    let asked = said(&desk.done(&server(), &tell(102)));
    assert_eq!((asked[0].parent, asked[0].round), (Some(MessageId::of_ask(AskId(40))), 1));
    desk.done(&person(), &answer(40, "a"));
    let answered = said(&desk.done(&server(), &tell(103)));
    assert_eq!(answered[0].parent, Some(MessageId::of_outcome(AskId(40))));
    let say = Command::SayToTask { task: TASK, text: "and this".to_owned(), message: MessageId(104) };
    assert!(matches!(desk.tries(&agent(), &say), Err(Refusal::Forbidden(_))));
    assert_eq!(said(&desk.done(&person(), &say))[0].parent, Some(MessageId(103)));
}

/// What is too long for a message is cut where a character ends, and says how long it was.
#[test]
fn a_long_message_is_cut_and_says_so() {
    let mut desk = empty();
    desk.done(&person(), &start("do it"));
    desk.done(&server(), &running());
    let long = format!("{}中", "x".repeat(MESSAGE_BYTES_MAX - 1));
    let told = Command::Tell { task: TASK, run: 1, messages: vec![notice(101, &long)] };
    let told = desk.done(&server(), &told);
    let told = said(&told);
    assert_eq!(told[0].said.text().len(), MESSAGE_BYTES_MAX - 1);
    assert_eq!(told[0].whole_bytes, Some(MESSAGE_BYTES_MAX as u64 + 2));
    let many = vec![notice(1, "x"); 65];
    assert!(matches!(
        desk.tries(&server(), &Command::Tell { task: TASK, run: 1, messages: many }),
        Err(Refusal::UnfitTask(_))
    ));
}

#[test]
fn a_task_that_ended_is_taken_up_again_by_its_person_and_wakes_its_session() {
    let mut desk = empty();
    desk.done(&person(), &start("do it"));
    desk.done(&server(), &running());
    desk.done(&server(), &moved(TaskMove::Named { agent_session: "abc".to_owned() }));
    desk.now = desk.now.after(Duration::from_hours(9));
    let end = Command::EndSession { session: SessionId(1) };
    assert_eq!(desk.refused(&server(), &end), "the session is still in use");
    desk.done(&server(), &moved(interrupted()));
    let late = desk.refused(&server(), &moved(TaskMove::Done));
    assert_eq!(late, "the task is interrupted: this cannot be done now");
    desk.now = desk.now.after(Duration::from_hours(9));
    desk.done(&server(), &end);
    assert_eq!(desk.view.session.as_ref().unwrap().status, SessionStatus::Timeout);
    let again = again(4);
    assert!(matches!(desk.tries(&server(), &again), Err(Refusal::Forbidden(_))));
    desk.done(&person(), &again);
    let task = desk.view.task.clone().unwrap();
    assert_eq!((task.state, task.n_runs, task.agent_session.as_deref()), (TaskState::Queued, 2, Some("abc")));
    assert_eq!((&*task.text, task.child), ("go on", None));
    assert_eq!(desk.view.session.as_ref().unwrap().status, SessionStatus::Active);
    assert_eq!(desk.refused(&person(), &again), "the task is queued: this cannot be done now");
}

/// Whoever ran a task that was taken up again elsewhere has no say in it any more.
#[test]
fn a_run_that_is_over_changes_nothing() {
    let mut desk = empty();
    desk.done(&person(), &start("do it"));
    desk.done(&server(), &running());
    desk.done(&server(), &Command::MoveTask { task: TASK, run: Some(1), to: interrupted() });
    // Another noticed it as well.
    let twice = desk.refused(&server(), &Command::MoveTask { task: TASK, run: Some(1), to: interrupted() });
    assert_eq!(twice, "the task is interrupted: this cannot be done now");
    assert_eq!(desk.refused(&server(), &tell(101)), "the task is interrupted: this cannot be done now");
    desk.done(&person(), &again(4));
    desk.done(&server(), &running());
    assert_eq!(desk.view.task.as_ref().unwrap().server, Some(ServerId(4)));
    let over = "this run of the task is over: it was taken up again";
    assert_eq!(desk.refused(&server(), &tell(101)), over);
    for to in [TaskMove::Done, interrupted(), TaskMove::Named { agent_session: "old".to_owned() }] {
        assert_eq!(desk.refused(&server(), &Command::MoveTask { task: TASK, run: Some(1), to }), over);
    }
    desk.done(&server(), &Command::MoveTask { task: TASK, run: Some(2), to: TaskMove::Done });
}

/// However a task ends, nothing that was asked in it stays open, and each ask ends once.
#[test]
fn a_task_that_ends_takes_back_what_is_open_in_it() {
    let reason = || "it died".to_owned();
    for (to, word) in [
        (TaskMove::Done, "the task has ended"),
        (TaskMove::Fail { reason: reason() }, "the task has ended"),
        (TaskMove::Interrupt { reason: Some(reason()) }, "the agent that asked is gone: resume the task"),
    ] {
        let mut desk = empty();
        desk.done(&person(), &start("do it"));
        desk.done(&server(), &running());
        desk.done(&agent(), &one(40));
        desk.done(&agent(), &one(41));
        desk.done(&person(), &answer(40, "a"));
        let ended = desk.done(&server(), &moved(to));
        let closed: Vec<_> = ended
            .facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::Closed { ask, outcome } => Some((ask.0, outcome.comment.as_deref())),
                _ => None,
            })
            .collect();
        assert_eq!(closed, [(41, Some(word))]);
        assert_eq!(ended.ask, None);
        assert!(ended.facts.iter().any(|fact| matches!(fact, Fact::TaskChanged { .. })));
        let task = desk.view.task.as_ref().unwrap();
        assert_eq!(task.last_message, Some(MessageId::of_outcome(AskId(41))));
        // Nor is anything asked in its name after that, whoever comes late.
        let status = task.state.name();
        let late = desk.refused(&agent(), &one(42));
        assert_eq!(late, format!("the task is {status}: this cannot be done now"));
    }
}

/// D5 (002, 4.2.2): the session of a task that is done is completed, in the same moment and with nothing open
/// in it; one that is unfinished can be gone on with. Taken up again, it is active as before.
#[test]
fn d5_a_session_is_completed_when_its_task_is_done() {
    let reason = || "why".to_owned();
    for (to, status) in [
        (TaskMove::Done, SessionStatus::Completed),
        (TaskMove::Fail { reason: reason() }, SessionStatus::Active),
        (TaskMove::Stop { reason: reason() }, SessionStatus::Active),
        (interrupted(), SessionStatus::Active),
    ] {
        let mut desk = empty();
        let stands = |desk: &Desk| desk.view.session.as_ref().unwrap().status;
        desk.done(&person(), &start("do it"));
        desk.done(&server(), &running());
        desk.done(&agent(), &one(40));
        let ended = desk.done(&server(), &moved(to.clone()));
        assert_eq!(stands(&desk), status, "{to:?}");
        let told = matches!(ended.facts.last(), Some(Fact::SessionEnded { session: SessionId(1), .. }));
        assert_eq!(told, status == SessionStatus::Completed, "{to:?}");
        assert_eq!(desk.view.open().count(), 0);
        desk.done(&person(), &again(4));
        assert_eq!(stands(&desk), SessionStatus::Active);
        desk.done(&server(), &running());
        desk.done(&agent(), &one(41));
        assert_eq!(desk.view.open().count(), 1, "it asks again");
        desk.done(&server(), &moved(TaskMove::Done));
        assert_eq!(stands(&desk), SessionStatus::Completed);
    }
}

#[test]
fn an_answer_that_is_held_when_its_task_ends_is_kept_as_the_draft() {
    let mut desk = empty();
    desk.done(&person(), &start("Deploy it"));
    desk.done(&server(), &running());
    desk.done(&agent(), &one(1));
    let held = vec![("q1".into(), entry("a"))];
    desk.done(
        &person(),
        &Command::Hold { ask: AskId(1), entries: held.clone(), grace: Duration::from_secs(5) },
    );
    desk.done(&server(), &moved(interrupted()));
    let ask = desk.view.ask(AskId(1)).unwrap();
    assert_eq!(ask.state.outcome().unwrap().ending, Ending::Withdrawn);
    assert!(ask.hearing.held.is_empty());
    assert_eq!(ask.entries, held);
}

/// One that waits for its turn on a server that is gone is interrupted as well.
#[test]
fn a_task_that_waits_can_be_interrupted_and_one_that_runs_can_be_halted() {
    let mut desk = empty();
    desk.done(&person(), &start("do it"));
    let halt = || moved(TaskMove::Halt);
    assert_eq!(desk.refused(&person(), &halt()), "the task is queued: this cannot be done now");
    desk.done(&server(), &moved(TaskMove::Interrupt { reason: Some("gone".to_owned()) }));
    assert_eq!(desk.view.task.as_ref().unwrap().reason.as_deref(), Some("gone"));
    desk.done(&person(), &again(3));
    desk.done(&server(), &running());
    assert!(matches!(desk.tries(&agent(), &halt()), Err(Refusal::Forbidden(_))));
    desk.done(&person(), &halt());
    assert_eq!((state(&desk), desk.view.task.as_ref().unwrap().stop_wanted), (TaskState::Running, true));
    // Wanted twice, noted once.
    assert!(desk.done(&person(), &halt()).facts.is_empty());
    desk.done(&server(), &moved(TaskMove::Stop { reason: "user".to_owned() }));
    assert!(!desk.view.task.as_ref().unwrap().stop_wanted);
}
