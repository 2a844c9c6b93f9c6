//! What a project says of itself: its Git branch, its changed files, the text of a file.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use askuser_words::config::Wrong;
use askuser_words::{Both, both};

/// A file's text that is quoted, at most.
const FILE_BYTES_MAX: u64 = 16 * 1024;
/// Changed files that are listed; the rest are counted.
const CHANGED_MAX: usize = 50;
/// How long Git may take.
const GIT_PATIENCE: Duration = Duration::from_secs(5);

/// What a template may ask of a project.
pub trait Project {
    /// Returns the branch; a short hash where there is none.
    fn branch(&self) -> Result<String, Both>;
    /// Returns the files that are changed and not committed, one a line.
    fn changed(&self) -> Result<String, Both>;
    /// Returns the text of a file of the project.
    fn file(&self, path: &str) -> Result<String, Both>;
}

/// A project in a folder of this machine, as whoever asks sees it.
#[derive(Debug, Clone)]
pub struct Folder(pub PathBuf);

/// No project: the desk does not look into the folders of whoever asks.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere;

impl Project for Nowhere {
    fn branch(&self) -> Result<String, Both> {
        Err(nowhere("git.branch"))
    }

    fn changed(&self) -> Result<String, Both> {
        Err(nowhere("git.changed"))
    }

    fn file(&self, path: &str) -> Result<String, Both> {
        Err(nowhere(&format!("file:{path}")))
    }
}

fn nowhere(what: &str) -> Both {
    both(|say: Wrong| say.only_in_project(format!("{{{{{what}}}}}")))
}

impl Project for Folder {
    fn branch(&self) -> Result<String, Both> {
        let head = git_folder(&self.0).and_then(|git| fs::read_to_string(git.join("HEAD")).ok());
        let head = head.ok_or_else(|| both(Wrong::no_repository))?;
        let head = head.trim();
        Ok(match head.strip_prefix("ref: refs/heads/") {
            Some(branch) => branch.to_owned(),
            None => head.get(..8).unwrap_or(head).to_owned(),
        })
    }

    fn changed(&self) -> Result<String, Both> {
        let listed = run_git(&self.0)?;
        let files: Vec<&str> = listed.lines().filter_map(|line| line.get(3..)).collect();
        let mut told: Vec<String> = files.iter().take(CHANGED_MAX).map(|file| (*file).to_owned()).collect();
        if let Some(rest) = files.len().checked_sub(CHANGED_MAX).filter(|rest| *rest > 0) {
            told.push(format!("and {rest} more"));
        }
        Ok(if told.is_empty() { "nothing".to_owned() } else { told.join("\n") })
    }

    fn file(&self, path: &str) -> Result<String, Both> {
        let name = format!("{{{{file:{path}}}}}");
        let told = |say: fn(Wrong) -> &'static str| both(|wrong: Wrong| wrong.place(&name, say(wrong)));
        let system = |error: io::Error| both(|wrong: Wrong| wrong.place(&name, &error));
        let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let whole = self.0.canonicalize().map_err(system)?;
        let real = whole.join(path).canonicalize().map_err(system)?;
        // Nor by a link: a template quotes the project and nothing else.
        if !is_plain || !real.starts_with(&whole) {
            return Err(told(Wrong::outside));
        }
        let file = fs::File::open(&real).map_err(system)?;
        let mut text = String::new();
        let n_bytes = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
        n_bytes.map_err(system)?;
        if text.len() > usize::try_from(FILE_BYTES_MAX).unwrap_or(usize::MAX) {
            return Err(told(Wrong::file_too_large));
        }
        Ok(text)
    }
}

/// Finds the folder that Git keeps its state in; of a worktree, that worktree's own.
fn git_folder(folder: &Path) -> Option<PathBuf> {
    let git = folder.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists())?;
    if git.is_dir() {
        return Some(git);
    }
    let said = fs::read_to_string(&git).ok()?;
    Some(git.parent()?.join(said.trim().strip_prefix("gitdir: ")?))
}

fn run_git(folder: &Path) -> Result<String, Both> {
    // What a repository's settings would have Git start is not started.
    let quiet = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];
    let mut child = Command::new("git")
        .args(quiet)
        .args(["status", "--porcelain", "--untracked-files=normal"])
        .env("GIT_OPTIONAL_LOCKS", "0")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| both(|say: Wrong| say.git_failed(&error)))?;
    let (tell, told) = mpsc::channel();
    if let Some(mut stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut text = String::new();
            let read = stdout.read_to_string(&mut text).map(|_| text);
            // Nobody listens any more where it took too long.
            let _told = tell.send(read);
        });
    }
    let text = told.recv_timeout(GIT_PATIENCE);
    if text.is_err() {
        // It is this call's own.
        let _killed = child.kill();
    }
    let ended = child.wait().map_err(|error| both(|say: Wrong| say.git_failed(&error)))?;
    match text {
        Ok(Ok(text)) if ended.success() => Ok(text),
        Err(_) => Err(both(|say: Wrong| say.git_slow(GIT_PATIENCE.as_secs()))),
        _ => Err(both(Wrong::no_repository)),
    }
}
