//! Tasks at the desk: given, moved on, spoken to, told about.

use std::sync::Arc;

use askuser_core::command::{Actor, Command, NewTask};
use askuser_core::decide::Refusal;
use askuser_core::id::{MessageId, ServerId, SessionId, TaskId};
use askuser_core::message::{NewMessage, Said};
use askuser_core::task::{Task, TaskMove};

use super::{Desk, DeskError, LIST_MAX};
use askuser_store::SessionRef;

impl Desk {
    /// Gives a task to an agent, in a new session. When this returns, it is on the disk.
    pub async fn start_task(
        &self,
        actor: &Actor,
        server: ServerId,
        agent: String,
        folder: String,
        text: String,
    ) -> Result<Arc<Task>, DeskError> {
        if self.0.stopping.is_cancelled() {
            return Err(DeskError::Closing);
        }
        let now = self.now();
        let id = TaskId(self.0.ids.next(now));
        let session = self.0.ids.session(now);
        let message = MessageId(self.0.ids.next(now));
        let new = NewTask { id, session, server, agent, folder, text, message };
        self.carry_out(actor, SessionRef::Id(session), Command::StartTask(Box::new(new))).await?;
        self.task(id).await
    }

    /// Takes a task up again that has ended.
    pub async fn resume_task(
        &self,
        actor: &Actor,
        server: ServerId,
        id: TaskId,
        text: String,
    ) -> Result<Arc<Task>, DeskError> {
        let message = self.message_id();
        self.on_task(actor, id, Command::ResumeTask { task: id, server, text, message }).await
    }

    /// Says something more to an agent that works.
    pub async fn say_to_task(&self, actor: &Actor, id: TaskId, text: String) -> Result<Arc<Task>, DeskError> {
        let message = self.message_id();
        self.on_task(actor, id, Command::SayToTask { task: id, text, message }).await
    }

    /// Moves a task on, whichever run of it there is.
    pub async fn move_task(&self, actor: &Actor, id: TaskId, to: TaskMove) -> Result<Arc<Task>, DeskError> {
        self.on_task(actor, id, Command::MoveTask { task: id, run: None, to }).await
    }

    /// Moves this run of a task on; refused where it is over.
    pub async fn move_run(&self, actor: &Actor, task: &Task, to: TaskMove) -> Result<Arc<Task>, DeskError> {
        let command = Command::MoveTask { task: task.id, run: Some(task.n_runs), to };
        self.carry_out(actor, SessionRef::Id(task.session), command).await?;
        self.task(task.id).await
    }

    /// Tells what an agent said and did, in order.
    pub async fn add_messages(
        &self,
        actor: &Actor,
        task: &Task,
        messages: Vec<NewMessage>,
    ) -> Result<(), DeskError> {
        let command = Command::Tell { task: task.id, run: task.n_runs, messages };
        self.carry_out(actor, SessionRef::Id(task.session), command).await?;
        Ok(())
    }

    /// Returns a task that this actor may see.
    pub async fn task_of(&self, actor: &Actor, id: TaskId) -> Result<Arc<Task>, DeskError> {
        let task = self.task(id).await?;
        if actor.may_see(&task.owner) { Ok(task) } else { Err(DeskError::Refused(Refusal::TaskNotFound)) }
    }

    /// Returns the task that asks in a session, if the session is a task's; whoever may see the one may
    /// see the other.
    pub async fn task_in(&self, session: SessionId) -> Result<Option<Arc<Task>>, DeskError> {
        Ok(self.0.store.task_of(session).await?)
    }

    /// Returns the tasks of the actor's user, the newest first.
    pub async fn tasks(&self, actor: &Actor) -> Result<Vec<Arc<Task>>, DeskError> {
        Ok(self.0.store.tasks(&actor.user, LIST_MAX).await?)
    }

    /// Gives a message its name.
    pub fn message(&self, said: Said) -> NewMessage {
        NewMessage { id: self.message_id(), said, whole_bytes: None }
    }

    /// Returns the name of a new message.
    pub fn message_id(&self) -> MessageId {
        MessageId(self.0.ids.next(self.now()))
    }

    async fn task(&self, id: TaskId) -> Result<Arc<Task>, DeskError> {
        self.0.store.task(id).await?.ok_or(DeskError::Refused(Refusal::TaskNotFound))
    }

    async fn on_task(&self, actor: &Actor, id: TaskId, command: Command) -> Result<Arc<Task>, DeskError> {
        // A task never moves to another session.
        let session = self.task_of(actor, id).await?.session;
        self.carry_out(actor, SessionRef::Id(session), command).await?;
        self.task(id).await
    }
}
