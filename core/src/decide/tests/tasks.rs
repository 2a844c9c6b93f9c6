//! Tasks: who gives them, how they move, and the chain of what is said in them.

use super::*;
use crate::command::NewTask;
use crate::id::{MessageId, TaskId};
use crate::limits::{MESSAGE_BYTES_MAX, TASK_BYTES_MAX};
use crate::message::{Message, NewMessage, Said};
use crate::task::{Child, TaskMove, TaskState};

const TASK: TaskId = TaskId(7);

fn start(text: &str) -> Command {
    Command::StartTask(Box::new(NewTask {
        id: TASK,
        session: SessionId(1),
        agent: "claude".to_owned(),
        folder: "/work".to_owned(),
        text: text.to_owned(),
        message: MessageId(100),
    }))
}

fn moved(to: TaskMove) -> Command {
    Command::MoveTask { task: TASK, to }
}

fn running() -> Command {
    moved(TaskMove::Run { child: Child { pid: 5, started: 6 } })
}

fn notice(id: u128, text: &str) -> NewMessage {
    NewMessage { id: MessageId(id), said: Said::Notice(text.to_owned()), whole_bytes: None }
}

fn tell(id: u128) -> Command {
    Command::Tell { task: TASK, messages: vec![notice(id, "x")] }
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
    let told = desk.done(&server(), &Command::Tell { task: TASK, messages: vec![notice(101, &long)] });
    let told = said(&told);
    assert_eq!(told[0].said.text().len(), MESSAGE_BYTES_MAX - 1);
    assert_eq!(told[0].whole_bytes, Some(MESSAGE_BYTES_MAX as u64 + 2));
    let many = vec![notice(1, "x"); 65];
    assert!(matches!(
        desk.tries(&server(), &Command::Tell { task: TASK, messages: many }),
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
    desk.done(&server(), &moved(TaskMove::Interrupt));
    let late = desk.refused(&server(), &moved(TaskMove::Done));
    assert_eq!(late, "the task is interrupted: this cannot be done now");
    desk.now = desk.now.after(Duration::from_hours(9));
    desk.done(&server(), &end);
    assert_eq!(desk.view.session.as_ref().unwrap().status, SessionStatus::Timeout);
    let again = Command::ResumeTask { task: TASK, text: "go on".to_owned(), message: MessageId(200) };
    assert!(matches!(desk.tries(&server(), &again), Err(Refusal::Forbidden(_))));
    desk.done(&person(), &again);
    let task = desk.view.task.clone().unwrap();
    assert_eq!((task.state, task.n_runs, task.agent_session.as_deref()), (TaskState::Queued, 2, Some("abc")));
    assert_eq!((&*task.text, task.child), ("go on", None));
    assert_eq!(desk.view.session.as_ref().unwrap().status, SessionStatus::Active);
    assert_eq!(desk.refused(&person(), &again), "the task is queued: this cannot be done now");
}
