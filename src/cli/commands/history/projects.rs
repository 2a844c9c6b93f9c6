//! The transcripts that Claude Code keeps itself: one folder a project, one file a conversation.
//!
//! They are only looked at when a person asks for it, and nothing in them is changed.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use askuser_agents::CLAUDE_CODE_SETTINGS;
use askuser_core::time::Timestamp;
use serde_json::Value;

use askuser_system::clock;
use askuser_system::environment::Environment;

/// How much of a file is read to say what it is about.
const LOOKED_BYTES_MAX: u64 = 64 * 1024;
/// How much of the first prompt is told.
const ABOUT_CHARS_MAX: usize = 80;

/// One transcript in a project's folder.
pub(super) struct TranscriptFile {
    pub(super) path: PathBuf,
    /// The agent's own name of the conversation: the name of the file.
    pub(super) id: String,
    pub(super) n_bytes: u64,
    pub(super) at: Timestamp,
}

/// What the first lines of a transcript say.
#[derive(Default)]
pub(super) struct FileSummary {
    /// The folder that the agent worked in.
    pub(super) folder: Option<String>,
    /// The name of the conversation, else the first words of the person.
    pub(super) words: Option<String>,
}

/// Returns where the folders are: `CLAUDE_CONFIG_DIR`, else the home folder's.
pub(super) fn folder(environment: &Environment) -> Option<PathBuf> {
    let home = environment.path("HOME");
    let settings = CLAUDE_CODE_SETTINGS.path(home.as_deref(), |name| environment.path(name));
    settings.map(|settings| settings.join("projects"))
}

/// Finds every transcript, the newest first. A folder that cannot be read holds none for us.
pub(super) fn find(folder: &Path) -> Vec<TranscriptFile> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let projects = entries(folder).filter(|entry| entry.path().is_dir());
    let files = projects.flat_map(|project| entries(&project.path()));
    let found = files.filter_map(|entry| {
        let path = entry.path();
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?.to_owned();
        let about = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(TranscriptFile { path, id, n_bytes: about.len(), at: clock::of(about.modified().ok()?) })
    });
    let mut found: Vec<TranscriptFile> = found.collect();
    found.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.id.cmp(&other.id)));
    found
}

/// Looks at the first lines of a transcript.
pub(super) fn look(path: &Path) -> FileSummary {
    let mut about = FileSummary::default();
    let Ok(file) = File::open(path) else { return about };
    let lines = BufReader::new(file.take(LOOKED_BYTES_MAX)).split(b'\n').map_while(Result::ok);
    for line in lines.filter_map(|line| serde_json::from_slice::<Value>(&line).ok()) {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        about.folder = about.folder.or_else(|| text("cwd"));
        let title = ["customTitle", "aiTitle", "summary"].into_iter().find_map(text);
        about.words = about.words.or(title).or_else(|| prompt(&line));
        if about.folder.is_some() && about.words.is_some() {
            break;
        }
    }
    about.words = about.words.map(|words| words.trim().chars().take(ABOUT_CHARS_MAX).collect());
    about
}

/// Returns what the person says in a line; what the program says in their place begins with a mark.
fn prompt(line: &Value) -> Option<String> {
    let is_person = line.get("type")? == "user" && line.get("isMeta") != Some(&Value::Bool(true));
    let content = line.get("message")?.get("content")?;
    let first = || content.as_array()?.iter().find_map(|block| block.get("text")?.as_str());
    let words = content.as_str().or_else(first)?;
    (is_person && !words.trim_start().starts_with('<')).then(|| words.to_owned())
}
