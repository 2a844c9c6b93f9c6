//! Other servers over the same database: what they tell each other that need not be kept, as who looks at an
//! ask and how much somebody has called; and which of them are there.

use std::sync::Arc;

use askuser_core::id::ServerId;
use askuser_core::task::Task;
use parking_lot::RwLock;

use super::{Desk, DeskError};
use askuser_store::Present;

/// Is told the messages of one topic. Must be quick and must not wait.
type Subscriber = Arc<dyn Fn(&str) + Send + Sync>;

/// Who is told of which topic.
#[derive(Default)]
pub(super) struct Subscribers(RwLock<Vec<(&'static str, Subscriber)>>);

impl Subscribers {
    pub(super) fn receive(&self, message: &str) {
        let (topic, words) = message.split_once(' ').unwrap_or((message, ""));
        let subscribers = self.0.read().clone();
        // A topic that nobody knows is a newer replica's.
        subscribers.iter().filter(|(known, _)| *known == topic).for_each(|(_, tell)| tell(words));
    }
}

/// The other servers over the same database.
#[derive(Clone, Copy)]
pub struct Replicas<'a>(&'a Desk);

impl Desk {
    /// Returns the other servers over the same database.
    pub fn replicas(&self) -> Replicas<'_> {
        Replicas(self)
    }
}

impl Replicas<'_> {
    /// Whether there may be any.
    pub fn may_be(self) -> bool {
        self.0.0.store.is_shared()
    }

    /// Tells the others something; nobody may hear it.
    pub fn publish(self, topic: &'static str, words: &str) {
        if self.may_be() {
            self.0.0.store.whisper(format!("{topic} {words}"));
        }
    }

    /// Is told what others publish on a topic.
    pub fn subscribe(self, topic: &'static str, subscriber: Subscriber) {
        self.0.0.subscribers.0.write().push((topic, subscriber));
    }

    /// Notes that this server begins.
    pub async fn arrive(self, present: Present) -> Result<(), DeskError> {
        Ok(self.0.0.store.arrive(present).await?)
    }

    /// Notes that this server is there. False where another that was started later goes by its name.
    pub async fn attend(self, present: Present) -> Result<bool, DeskError> {
        Ok(self.0.0.store.attend(present).await?)
    }

    /// Returns tasks that wait or are at work on a server that is gone; none while this one was away itself.
    pub async fn tasks_left(self, by: ServerId, most: usize) -> Result<Vec<Arc<Task>>, DeskError> {
        Ok(self.0.0.store.tasks_left(by, most).await?)
    }
}
