//! Giving a task to an agent, what is said in it, and how it moves on.

use std::sync::Arc;

use super::{Barred, Deciding, Refusal};
use crate::command::{NewTask, Role};
use crate::fact::Fact;
use crate::id::{AskId, MessageId, ServerId, TaskId};
use crate::limits::{MESSAGE_BYTES_MAX, MESSAGES_AT_ONCE_MAX, TASK_BYTES_MAX};
use crate::message::{Message, NewMessage, Said, Speaker};
use crate::outcome::{By, Ending, Outcome};
use crate::problem::{Fault, Problem};
use crate::session::{Origin, SessionStatus};
use crate::task::{Task, TaskMove, TaskState};

/// What is said of an ask whose task has ended, and of one whose agent is gone.
const TASK_ENDED: &str = "the task has ended";
const AGENT_GONE: &str = "the agent that asked is gone: resume the task";

impl Deciding {
    /// Gives a task in a new session. Only a person does: an agent that could would be its own.
    pub(super) fn start_task(&mut self, new: &NewTask) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonTasks)?;
        check_text(&new.text)?;
        if self.view.session.is_some() {
            return Err(Refusal::SessionInUse);
        }
        let session = self.fresh_session(new.session, Origin::Named);
        let task = Task {
            id: new.id,
            session: session.id,
            owner: session.owner.clone(),
            agent: new.agent.clone(),
            folder: new.folder.clone(),
            text: new.text.as_str().into(),
            state: TaskState::Queued,
            reason: None,
            n_runs: 1,
            agent_session: None,
            server: Some(new.server),
            stop_wanted: false,
            child: None,
            last_message: None,
            created_at: self.now,
            changed_at: self.now,
        };
        self.emit(Fact::SessionOpened(Box::new(session)));
        self.change_task(task);
        self.say(new.message, Said::Text { by: Speaker::Person, text: new.text.clone() }, None);
        Ok(())
    }

    /// Takes a task up again that has ended, whichever way.
    pub(super) fn resume_task(
        &mut self,
        id: TaskId,
        server: ServerId,
        text: &str,
        message: MessageId,
    ) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonResumes)?;
        check_text(text)?;
        let task = self.own_task(id)?;
        let again = Task {
            text: text.into(),
            reason: None,
            child: None,
            n_runs: task.n_runs.saturating_add(1),
            server: Some(server),
            ..Task::clone(&task)
        };
        self.become_state(again, TaskState::Queued)?;
        self.say(message, Said::Text { by: Speaker::Person, text: text.to_owned() }, None);
        Ok(())
    }

    /// Says something more to an agent that works.
    pub(super) fn say_to_task(&mut self, id: TaskId, text: &str, message: MessageId) -> Result<(), Refusal> {
        self.only(&[Role::Person], Barred::PersonSpeaks)?;
        check_text(text)?;
        let task = self.own_task(id)?;
        if task.state != TaskState::Running {
            return Err(Refusal::TaskIs(task.state));
        }
        self.say(message, Said::Text { by: Speaker::Person, text: text.to_owned() }, None);
        Ok(())
    }

    /// Moves a task on. Its person may stop it; the rest is seen by whoever runs it.
    pub(super) fn move_task(&mut self, id: TaskId, run: Option<u32>, to: &TaskMove) -> Result<(), Refusal> {
        let stops = matches!(to, TaskMove::Stop { .. } | TaskMove::Halt);
        let roles: &[Role] = if stops { &[Role::Person, Role::Server] } else { &[Role::Server] };
        self.only(roles, Barred::RunnerMoves)?;
        let task = Task::clone(&*self.own_task(id)?);
        if run.is_some_and(|run| run != task.n_runs) {
            return Err(Refusal::RunOver);
        }
        let ended = |reason: Option<&String>| Task {
            reason: reason.cloned(),
            child: None,
            stop_wanted: false,
            ..task.clone()
        };
        match to {
            TaskMove::Run { child } => {
                let runs = Task { child: Some(*child), reason: None, ..task };
                self.become_state(runs, TaskState::Running)
            }
            TaskMove::Named { agent_session } => {
                if task.state != TaskState::Running {
                    return Err(Refusal::TaskIs(task.state));
                }
                if task.agent_session.as_ref() != Some(agent_session) {
                    self.change_task(Task { agent_session: Some(agent_session.clone()), ..task });
                }
                Ok(())
            }
            TaskMove::Halt => {
                if task.state != TaskState::Running {
                    return Err(Refusal::TaskIs(task.state));
                }
                if !task.stop_wanted {
                    self.change_task(Task { stop_wanted: true, ..task });
                }
                Ok(())
            }
            TaskMove::Done => self.end_task(ended(None), TaskState::Done),
            TaskMove::Fail { reason } => self.end_task(ended(Some(reason)), TaskState::Failed),
            TaskMove::Stop { reason } => self.end_task(ended(Some(reason)), TaskState::Stopped),
            TaskMove::Interrupt { reason } => self.end_task(ended(reason.as_ref()), TaskState::Interrupted),
        }
    }

    /// Ends a task with what is open in its session: nobody waits for it.
    fn end_task(&mut self, task: Task, next: TaskState) -> Result<(), Refusal> {
        if !task.state.may_become(next) {
            return Err(Refusal::TaskIs(task.state));
        }
        let why = if next == TaskState::Interrupted { AGENT_GONE } else { TASK_ENDED };
        let open: Vec<AskId> = self.view.open().map(|ask| ask.id).collect();
        for id in open {
            let Some(ask) = self.view.ask(id) else { continue };
            let outcome = Outcome {
                ending: Ending::Withdrawn,
                // Whoever ended the task, the ask was taken back for the agent.
                by: By::server(),
                at: self.now,
                comment: Some(why.to_owned()),
                answers: ask.put_down().answers_so_far(),
                voices: ask.hearing.voices.clone(),
            };
            self.end(id, outcome);
        }
        // What was closed is part of the chain of messages, which the task knows the end of.
        let last_message = self.view.task.as_ref().and_then(|task| task.last_message);
        self.become_state(Task { last_message, ..task }, next)?;
        // Its work is done, and so is its conversation. One that failed, was stopped or interrupted is
        // unfinished: its person may take it up again, and until then it is idle like any other.
        let session = self.view.session.as_ref().filter(|session| session.status == SessionStatus::Active);
        if let Some(session) = session.filter(|_| next == TaskState::Done).map(|session| session.id) {
            self.emit(Fact::SessionEnded { session, status: SessionStatus::Completed });
        }
        Ok(())
    }

    /// In the name of a task that has ended nobody waits for an answer: why that is refused.
    pub(super) fn ended_task(&self) -> Option<Refusal> {
        let ended = self.view.task.as_ref().filter(|task| !task.state.is_alive());
        ended.filter(|task| self.actor.may_see(&task.owner)).map(|task| Refusal::TaskIs(task.state))
    }

    /// Tells what the agent said and did.
    pub(super) fn tell(&mut self, id: TaskId, run: u32, messages: &[NewMessage]) -> Result<(), Refusal> {
        self.only(&[Role::Server], Barred::RunnerTells)?;
        let task = self.own_task(id)?;
        if run != task.n_runs {
            return Err(Refusal::RunOver);
        }
        if !task.state.is_alive() {
            return Err(Refusal::TaskIs(task.state));
        }
        if messages.len() > MESSAGES_AT_ONCE_MAX {
            let fault = Fault::TooManyItems { max: MESSAGES_AT_ONCE_MAX, got: messages.len() };
            return Err(Refusal::UnfitTask(vec![Problem::new("messages", fault)]));
        }
        for message in messages {
            let mut said = message.said.clone();
            let whole = said.text().len();
            let cut = said.text().floor_char_boundary(MESSAGE_BYTES_MAX);
            said.text_mut().truncate(cut);
            // Where whoever tells it did not keep the whole, at least that it is cut is told.
            let whole_bytes = message
                .whole_bytes
                .or_else(|| (cut < whole).then(|| u64::try_from(whole).unwrap_or(u64::MAX)));
            self.say(message.id, said, whole_bytes);
        }
        Ok(())
    }

    fn own_task(&self, id: TaskId) -> Result<Arc<Task>, Refusal> {
        let own = self.view.task.as_ref().filter(|task| task.id == id && self.actor.may_see(&task.owner));
        own.cloned().ok_or(Refusal::TaskNotFound)
    }

    fn become_state(&mut self, task: Task, next: TaskState) -> Result<(), Refusal> {
        if !task.state.may_become(next) {
            return Err(Refusal::TaskIs(task.state));
        }
        self.change_task(Task { state: next, changed_at: self.now, ..task });
        Ok(())
    }

    fn change_task(&mut self, task: Task) {
        self.emit(Fact::TaskChanged { task: Arc::new(task), by: self.actor.by.clone() });
    }

    /// Adds a message at the end of the chain.
    fn say(&mut self, id: MessageId, said: Said, whole_bytes: Option<u64>) {
        let parent = self.view.task.as_ref().and_then(|task| task.last_message);
        let round = self.view.session.as_ref().map_or(0, |session| session.round);
        let message = Message { id, parent, round, at: self.now, said, whole_bytes };
        self.emit(Fact::Said(Arc::new(message)));
    }
}

/// What a person says to an agent is there, and not longer than we carry.
fn check_text(text: &str) -> Result<(), Refusal> {
    let fault = if text.trim().is_empty() {
        Fault::Missing
    } else if text.len() > TASK_BYTES_MAX {
        Fault::TooManyBytes { max: TASK_BYTES_MAX, got: text.len() }
    } else {
        return Ok(());
    };
    Err(Refusal::UnfitTask(vec![Problem::new("text", fault)]))
}
