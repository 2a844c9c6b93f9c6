//! What replicas tell each other that need not be kept: who looks at an ask, how much somebody has called.

use std::sync::Arc;

use parking_lot::RwLock;

use super::Desk;

/// Hears the words of one topic. Must be quick and must not wait.
type Ear = Arc<dyn Fn(&str) + Send + Sync>;

/// Who listens to what.
#[derive(Default)]
pub(super) struct Whispers(RwLock<Vec<(&'static str, Ear)>>);

impl Whispers {
    pub(super) fn hear(&self, whisper: &str) {
        let (topic, words) = whisper.split_once(' ').unwrap_or((whisper, ""));
        let ears = self.0.read().clone();
        // A topic that nobody knows is a newer replica's.
        ears.iter().filter(|(known, _)| *known == topic).for_each(|(_, ear)| ear(words));
    }
}

impl Desk {
    /// Whether other replicas may be there to whisper to.
    pub fn has_others(&self) -> bool {
        self.0.store.is_shared()
    }

    /// Tells the other replicas something; nobody may hear it.
    pub fn whisper(&self, topic: &'static str, words: &str) {
        if self.has_others() {
            self.0.store.whisper(format!("{topic} {words}"));
        }
    }

    /// Has an ear told what other replicas whisper about a topic.
    pub fn overhear(&self, topic: &'static str, ear: Ear) {
        self.0.whispers.0.write().push((topic, ear));
    }
}
