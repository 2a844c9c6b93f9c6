//! What others did to the tasks that run here, heard from the facts: whichever server somebody speaks
//! to, the one that runs the task acts.

use std::time::Duration;

use askuser_core::command::{Actor, Role};
use askuser_core::fact::Fact;
use askuser_core::id::SessionId;
use askuser_core::message::{Said, Speaker};
use askuser_core::outcome::{By, Ending};
use askuser_core::task::{Task, TaskState};

use super::Runner;
use super::run_handle::RunHandle;
use askuser_desk::{Listener, Update};
use askuser_system::backoff::Pauses;

/// What the runner asked for its agent it sees to itself, and by then it has.
const SEEN_TO_WITHIN: Duration = Duration::from_secs(1);

/// Hears every fact, in the order of committing, until the runner closes.
pub(super) async fn listen(runner: Runner, mut facts: Listener) {
    let closing = runner.closing().clone();
    loop {
        let told = tokio::select! {
            told = facts.next() => told,
            () = closing.cancelled() => return,
        };
        match told {
            Ok(Update::Fact(numbered)) => match numbered.fact.as_deref() {
                Some(Fact::TaskChanged { task, by }) => runner.heard_change(task, by),
                Some(Fact::Said(message)) => {
                    if let Said::Text { by: Speaker::Person, text } = &message.said {
                        runner.heard_words(numbered.session, text);
                    }
                }
                Some(Fact::Closed { outcome, .. })
                    if matches!(outcome.ending, Ending::Expired { abort: true, .. }) =>
                {
                    runner.heard_abort(numbered.session);
                }
                _ => {}
            },
            Ok(Update::Closing) => return,
            // It goes on where it was: nothing is missed.
            Err(_) => tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await,
        }
    }
}

impl Runner {
    /// A task has changed. What is heard may be old: only what is about this very run counts, or about
    /// a later one.
    fn heard_change(&self, task: &Task, by: &By) {
        let over = |run: u32| task.n_runs > run || (task.n_runs == run && !task.state.is_alive());
        let mut slots = self.slots();
        slots.waiting.retain(|waiting| waiting.id != task.id || !over(waiting.n_runs));
        let Some(handle) = slots.running.get(&task.id).cloned() else { return };
        drop(slots);
        if over(handle.run) {
            handle.over.cancel();
        } else if handle.run == task.n_runs && task.state == TaskState::Running {
            handle.hear();
            if task.stop_wanted {
                handle.stop(&Actor {
                    role: Role::Person,
                    user: task.owner.clone(),
                    by: by.clone(),
                    key: None,
                });
            }
        }
    }

    /// Nobody answered in time what ends its task then (O4), also where the agent asked it by a command or a
    /// server of ours.
    fn heard_abort(&self, session: SessionId) {
        let handle = self.slots().running.values().find(|handle| handle.session == session).cloned();
        let Some(handle) = handle else { return };
        tokio::spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(SEEN_TO_WITHIN) => handle.time_out(),
                () = handle.over.cancelled() => {}
            }
        });
    }

    /// A person said something. What came before the process ran is what the run began with.
    fn heard_words(&self, session: SessionId, text: &str) {
        let handle = self.slots().running.values().find(|handle| handle.session == session).cloned();
        let Some(handle) = handle.filter(RunHandle::hears) else { return };
        if handle.says.try_send(text.to_owned()).is_err() {
            // A run that ends in this very moment does not hear it; the message stands all the same.
            tracing::warn!("A message in {session} did not reach its agent");
        }
    }
}
