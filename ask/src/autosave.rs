//! Keeps a half-filled sheet at the desk while it is being filled, without holding anybody up.

use std::time::Duration;

use askuser_core::entry::Entry;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::question::Questions;
use askuser_core::sheet::Sheet;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use askuser_client::Client;

/// How long the sheet must rest before it is saved.
const REST: Duration = Duration::from_millis(300);
/// How long the last save may take when the person leaves.
const LAST: Duration = Duration::from_secs(2);

type Entries = Vec<(QuestionId, Entry)>;

/// What the desk calls the questions that were shown before it had them: an id that the asker did not give is made
/// of the round, which only the desk knows.
#[derive(Debug, Clone, Default)]
pub struct QuestionIds(Vec<(QuestionId, QuestionId)>);

impl QuestionIds {
    /// Compares the questions as they were shown with the same as the desk has them.
    pub fn between(shown: &Questions, kept: &Questions) -> Self {
        let pairs = shown.all().into_iter().zip(kept.all());
        Self(pairs.map(|(shown, kept)| (shown.id.clone(), kept.id.clone())).collect())
    }

    /// Returns the entries under the desk's names.
    pub fn of(&self, entries: Entries) -> Entries {
        let name = |id: QuestionId| {
            self.0.iter().find(|(shown, _)| *shown == id).map(|(_, kept)| kept.clone()).unwrap_or(id)
        };
        entries.into_iter().map(|(id, entry)| (name(id), entry)).collect()
    }
}

/// Saves the latest sheet, one at a time.
pub struct Autosave {
    names: QuestionIds,
    latest: watch::Sender<Entries>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Autosave {
    /// Begins to save the sheets of an ask.
    pub fn start(client: Client, ask: AskId, names: QuestionIds) -> Self {
        let (latest, mut changed) = watch::channel(Entries::new());
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    change = changed.changed() => if change.is_err() { return },
                    () = stopped.cancelled() => return,
                }
                tokio::select! {
                    () = sleep(REST) => {}
                    () = stopped.cancelled() => {}
                }
                let entries = changed.borrow_and_update().clone();
                // A save that fails is made good by the next one, or by the answer itself.
                let _saved = client.save(ask, &entries).await;
            }
        });
        Self { names, latest, stop, task }
    }

    /// Takes a changed sheet. The desk keeps no secret of it.
    pub fn note(&self, sheet: &Sheet) {
        let kept = sheet.entries().filter(|(_, entry)| !entry.suggested);
        let kept = kept.map(|(id, entry)| (id.clone(), entry.clone())).collect();
        self.latest.send_replace(self.names.of(kept));
    }

    /// Saves what is left to be saved, for a person who leaves.
    pub async fn finish(self) {
        self.stop.cancel();
        let _saved_in_time = timeout(LAST, self.task).await;
    }

    /// Saves nothing more: the answer itself is on its way.
    pub fn abandon(self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::{self, Wishes};

    /// A question without an id is named by its round, which only the desk knows; one with an id keeps it.
    #[test]
    fn what_was_put_down_goes_to_the_desk_under_its_names() {
        let ask = r#"{"questions":[
            {"question":"Which?","type":"multiple_choice",
             "options":[{"id":"a","label":"A"},{"id":"b","label":"B"}],
             "follow_up_questions":{"a":[{"question":"Why?","type":"text"}]}},
            {"question_id":"own","question":"Ship it?","type":"boolean"}]}"#;
        let wishes = Wishes { dialect: Some("full".to_owned()), ..Wishes::default() };
        let questions = shell::read(ask, &wishes, |limits| limits).unwrap().questions;
        let (shown, kept) = (questions.clone().in_round(1), questions.in_round(7));
        let ids = |questions: &Questions| -> Vec<QuestionId> {
            questions.all().into_iter().map(|question| question.id.clone()).collect()
        };
        assert_ne!(ids(&shown), ids(&kept));
        assert!(ids(&kept).contains(&QuestionId::from("own")));
        let entries =
            |ids: Vec<QuestionId>| -> Entries { ids.into_iter().map(|id| (id, Entry::default())).collect() };
        let names = QuestionIds::between(&shown, &kept);
        assert_eq!(names.of(entries(ids(&shown))), entries(ids(&kept)));
        // What is under the desk's names already stays so.
        assert_eq!(names.of(entries(ids(&kept))), entries(ids(&kept)));
    }
}
