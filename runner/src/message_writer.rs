//! What an agent says and does, as messages of its task: gathered, named, written in one go.
//!
//! What is long is kept whole in a file beside the store, and its beginning is told. Text that is
//! still being written is shown as it comes, in pieces that nobody keeps; the message is the fact.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askuser_core::command::Actor;
use askuser_core::id::{MessageId, SessionId, TaskId, UserId};
use askuser_core::limits::{MESSAGE_BYTES_MAX, MESSAGES_AT_ONCE_MAX};
use askuser_core::message::{NewMessage, Said, Speaker};
use askuser_core::task::Task;
use parking_lot::Mutex;
use tokio::sync::broadcast;

use askuser_desk::{Desk, DeskError};
use askuser_system::disk;

/// What is kept of one message, at most.
const KEPT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// What is kept of all messages of one run.
const KEPT_IN_ALL_MAX: usize = 256 * 1024 * 1024;
/// Text that is still being written and has not become a message.
const SPOKEN_BYTES_MAX: usize = 1024 * 1024;

/// Text that an agent is writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// The name that the message will have.
    pub id: MessageId,
    /// Whether it is thought, not said.
    pub thinking: bool,
    /// What there is of it.
    pub text: String,
}

/// What has just come of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Whom it concerns.
    pub owner: UserId,
    /// The session of the task.
    pub session: SessionId,
    pub task: TaskId,
    /// The name that the message will have.
    pub id: MessageId,
    /// Whether it is thought, not said.
    pub thinking: bool,
    /// Where in the text the piece begins, in bytes.
    pub at: usize,
    /// The piece.
    pub text: String,
}

/// What is being written now, for whoever comes in the middle.
pub(super) type Speaking = Arc<Mutex<Option<Spoken>>>;

/// Tells what one agent says.
pub(super) struct MessageWriter {
    desk: Desk,
    actor: Actor,
    task: Arc<Task>,
    folder: PathBuf,
    n_kept: usize,
    waiting: Vec<NewMessage>,
    speaking: Speaking,
    /// How much of what is being written was shown.
    n_shown: usize,
    pieces: broadcast::Sender<Piece>,
}

impl MessageWriter {
    pub(super) fn new(
        desk: Desk,
        actor: Actor,
        task: Arc<Task>,
        folder: PathBuf,
        speaking: Speaking,
        pieces: broadcast::Sender<Piece>,
    ) -> Self {
        Self { desk, actor, task, folder, n_kept: 0, waiting: Vec::new(), speaking, n_shown: 0, pieces }
    }

    /// Tells a message, after those before it.
    pub(super) fn write(&mut self, said: Said) {
        let id = self.desk.message_id();
        self.tell_as(id, said);
    }

    /// Tells the whole of a text, of which pieces may have been shown.
    pub(super) fn write_whole(&mut self, thinking: bool, text: String) {
        let begun = self.spoken(Option::take).filter(|spoken| spoken.thinking == thinking);
        self.n_shown = 0;
        let id = begun.map_or_else(|| self.desk.message_id(), |spoken| spoken.id);
        self.tell_as(id, said(thinking, text));
    }

    /// Adds to the text that is being written. Where another kind was, that one is whole.
    pub(super) fn piece(&mut self, thinking: bool, text: &str) {
        let other = self.spoken(|spoken| {
            spoken.as_ref().is_some_and(|now| now.thinking != thinking || now.text.len() > SPOKEN_BYTES_MAX)
        });
        if other {
            self.end_pieces();
        }
        let id = self.desk.message_id();
        self.spoken(|spoken| {
            let spoken = spoken.get_or_insert_with(|| Spoken { id, thinking, text: String::new() });
            spoken.text.push_str(text);
        });
    }

    /// Makes a message of what was written.
    pub(super) fn end_pieces(&mut self) {
        self.n_shown = 0;
        if let Some(spoken) = self.spoken(Option::take).filter(|spoken| !spoken.text.is_empty()) {
            self.tell_as(spoken.id, said(spoken.thinking, spoken.text));
        }
    }

    /// Forgets what was written and never became whole.
    pub(super) fn forget_pieces(&mut self) {
        self.n_shown = 0;
        self.spoken(|spoken| *spoken = None);
    }

    /// Writes what was told, and shows what is being written.
    pub(super) async fn flush(&mut self) -> Result<(), DeskError> {
        while !self.waiting.is_empty() {
            let n_now = self.waiting.len().min(MESSAGES_AT_ONCE_MAX);
            let now = self.waiting[..n_now].to_vec();
            self.desk.add_messages(&self.actor, &self.task, now).await?;
            self.waiting.drain(..n_now);
        }
        self.show();
        Ok(())
    }

    fn show(&mut self) {
        let at = self.n_shown;
        let piece = self.spoken(|spoken| {
            let spoken = spoken.as_ref()?;
            let text = spoken.text.get(at..).filter(|text| !text.is_empty())?.to_owned();
            Some((spoken.id, spoken.thinking, text))
        });
        let Some((id, thinking, text)) = piece else { return };
        self.n_shown += text.len();
        let Task { owner, session, id: task, .. } = &*self.task;
        let piece = Piece { owner: owner.clone(), session: *session, task: *task, id, thinking, at, text };
        // Nobody need be looking.
        let _n_looking = self.pieces.send(piece);
    }

    fn spoken<T>(&self, look: impl FnOnce(&mut Option<Spoken>) -> T) -> T {
        look(&mut self.speaking.lock())
    }

    fn tell_as(&mut self, id: MessageId, mut said: Said) {
        let n_bytes = said.text().len();
        let whole_bytes = (n_bytes > MESSAGE_BYTES_MAX).then(|| {
            let room = KEPT_IN_ALL_MAX.saturating_sub(self.n_kept).min(KEPT_BYTES_MAX);
            let kept = &said.text()[..said.text().floor_char_boundary(room)];
            match keep(&self.folder, id, kept) {
                Ok(()) => self.n_kept += kept.len(),
                // The beginning is told all the same, and how much there was.
                Err(error) => {
                    tracing::warn!(task.id = %self.task.id, "A long message was not saved: {error}");
                }
            }
            n_bytes as u64
        });
        let cut = said.text().floor_char_boundary(MESSAGE_BYTES_MAX);
        said.text_mut().truncate(cut);
        self.waiting.push(NewMessage { id, said, whole_bytes });
    }
}

fn said(thinking: bool, text: String) -> Said {
    if thinking { Said::Thinking(text) } else { Said::Text { by: Speaker::Agent, text } }
}

fn keep(folder: &Path, id: MessageId, text: &str) -> io::Result<()> {
    disk::make_folder(folder, 0o777)?;
    let path = place(folder, id);
    let mut file = File::create(&path)?;
    file.write_all(text.as_bytes())?;
    // It is told next that all of it is here.
    file.sync_all()?;
    disk::flush_name(&path)
}

/// Where a long message is kept whole.
pub(super) fn place(folder: &Path, id: MessageId) -> PathBuf {
    folder.join(format!("{id}.txt"))
}
