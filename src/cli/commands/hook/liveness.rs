//! Whether an agent still waits for its hook. One that is killed leaves its hook behind, and Gemini CLI
//! lets it run on when Esc is pressed: it only writes down that its request was cancelled. A shell may stand between
//! us and the agent, and lives on; what we say is read by the agent itself.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::process::parent_id;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;
use tokio::time::sleep;

use askuser_agents::hook::{Hooks, Note};

/// How often it is looked: Esc is to free the terminal within a second.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// More than this an agent does not write down between two looks.
const NEWS_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// What tells that an agent waits.
pub(super) struct Awaited {
    /// Who started us.
    parent: u32,
    /// What the agent writes down, from where we have not read it.
    notes: Option<Notes>,
}

/// A file of lines of JSON that another program appends to.
struct Notes {
    path: PathBuf,
    from: u64,
    /// What it writes down where it gives up.
    gives_up: Note,
}

impl Awaited {
    /// Looks who started us. At once: an agent that is gone by the time that its event is read was there before.
    pub(super) fn now() -> Self {
        Self { parent: parent_id(), notes: None }
    }

    /// Looks where that agent writes things down.
    pub(super) fn by(self, hooks: &Hooks, event: &Value) -> Self {
        let notes = hooks.gives_up.and_then(|gives_up| {
            let path = PathBuf::from(event.get(gives_up.file)?.as_str()?);
            let from = path.metadata().map_or(0, |file| file.len());
            Some(Notes { path, from, gives_up })
        });
        Self { notes, ..self }
    }

    /// Waits until the agent is gone, or has given up.
    pub(super) async fn no_longer(mut self) {
        while parent_id() == self.parent
            && !is_reader_gone()
            && !self.notes.as_mut().is_some_and(Notes::say_cancelled)
        {
            sleep(LOOK_EVERY).await;
        }
    }
}

/// Whether nobody reads any more what we would say. A file is never gone.
fn is_reader_gone() -> bool {
    let out = std::io::stdout();
    let mut looked_at = [PollFd::new(&out, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut looked_at, Some(&now)).is_ok()
        && looked_at[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

impl Notes {
    /// Whether what was added since the last look says that the request was cancelled.
    fn say_cancelled(&mut self) -> bool {
        let news = self.news().unwrap_or_default();
        // A line that is still being written is read next time.
        let whole = news.rfind('\n').map_or("", |end| news.get(..=end).unwrap_or_default());
        self.from += whole.len() as u64;
        whole.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).any(|note| {
            note.get("type") == Some(&self.gives_up.kind.into())
                && note.get("content") == Some(&self.gives_up.content.into())
        })
    }

    fn news(&self) -> std::io::Result<String> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.from))?;
        let mut news = Vec::new();
        file.take(NEWS_BYTES_MAX).read_to_end(&mut news)?;
        Ok(String::from_utf8_lossy(&news).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use askuser_agents::hook;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_cancelled_request_that_is_new_is_heard() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chat.jsonl");
        let line = |kind: &str, content: &str| format!("{}\n", json!({"type": kind, "content": content}));
        let hooks = |name| hook::agent(name).unwrap().hooks.as_ref().unwrap();
        let cancelled = "Request cancelled.";
        let old = line("info", cancelled);
        std::fs::write(&path, &old).unwrap();
        let event = json!({ "transcript_path": path });
        assert!(Awaited::now().by(hooks("codex"), &event).notes.is_none());
        let mut notes = Awaited::now().by(hooks("gemini"), &event).notes.unwrap();
        assert!(!notes.say_cancelled(), "an earlier request");
        let other = old.clone() + &line("user", cancelled) + &line("info", "something else");
        std::fs::write(&path, &other).unwrap();
        assert!(!notes.say_cancelled());
        let cancelled = other + &line("info", cancelled);
        std::fs::write(&path, &cancelled[..cancelled.len() - 5]).unwrap();
        assert!(!notes.say_cancelled(), "half a line");
        std::fs::write(&path, &cancelled).unwrap();
        assert!(notes.say_cancelled());
        std::fs::remove_file(&path).unwrap();
        assert!(!notes.say_cancelled(), "what cannot be read says nothing");
    }
}
