//! A file of another program: read with what it is, written whole or not at all.
//!
//! A link stays a link and its target is written; the mode stays; a file that changed since it was
//! read is left alone.

use askuser_system::disk;
use askuser_words::Language;
use askuser_words::commands::setup::Editing;
use askuser_words::config::Wrong;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// More than this no settings file has.
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// How many links may follow one another.
const LINKS_MAX: usize = 16;

/// A file as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileContent {
    /// Where it really lies, past every link.
    pub real: PathBuf,
    /// What stands in it; none where it is not there.
    pub text: Option<String>,
    /// Its mode.
    pub mode: Option<u32>,
}

/// Why a file cannot be used.
#[derive(Debug)]
pub enum FileError {
    /// The system says no.
    System {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is a folder, a pipe or a device.
    NotAFile {
        /// The file.
        path: PathBuf,
    },
    /// It is not text.
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// It is too large to be settings.
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else wrote it in between.
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    /// Says it to a person.
    pub fn said(&self, language: Language) -> String {
        let said = Editing(language);
        match self {
            Self::System { path, source } => Wrong(language).in_file(path.display(), source),
            Self::NotAFile { path } => said.not_a_file(path.display()),
            Self::NotText { path } => said.not_text(path.display()),
            Self::TooLarge { path } => said.too_large(path.display()),
            Self::Changed { path } => said.changed_meanwhile(path.display()),
        }
    }
}

/// Reads a file.
pub fn read(path: &Path) -> Result<FileContent, FileError> {
    let system = |source| FileError::System { path: path.to_owned(), source };
    let real = follow(path).map_err(system)?;
    let metadata = match fs::metadata(&real) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(FileContent { real, text: None, mode: None });
        }
        Err(error) => return Err(system(error)),
    };
    // A pipe would keep whoever reads it waiting for as long as nobody writes.
    if !metadata.is_file() {
        return Err(FileError::NotAFile { path: path.to_owned() });
    }
    if metadata.len() > BYTES_MAX {
        return Err(FileError::TooLarge { path: path.to_owned() });
    }
    let bytes = fs::read(&real).map_err(system)?;
    let text = String::from_utf8(bytes).map_err(|_| FileError::NotText { path: path.to_owned() })?;
    Ok(FileContent { real, text: Some(text), mode: Some(metadata.mode() & 0o7777) })
}

/// Follows links to where the file lies or would lie.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&at) {
            Ok(target) => at = at.parent().unwrap_or(Path::new("/")).join(target),
            Err(_) => return Ok(at),
        }
    }
    Err(io::Error::other("too many links follow one another"))
}

/// Returns the folders of a file that are not there yet, the outermost first.
pub fn missing_folders(real: &Path) -> Vec<PathBuf> {
    let above = real.ancestors().skip(1);
    let mut missing: Vec<PathBuf> = above.take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    missing.retain(|folder| !folder.as_os_str().is_empty());
    missing.reverse();
    missing
}

/// Removes folders that hold nothing, the innermost first, and returns which those were.
pub fn remove_empty(folders: &[PathBuf]) -> Vec<PathBuf> {
    let inner_first = folders.iter().rev();
    // One that holds something is somebody's by now, and so is every one around it.
    inner_first.take_while(|folder| fs::remove_dir(folder).is_ok()).cloned().collect()
}

/// Writes a file whole or not at all; `new_mode` is for one that was not there. None removes it.
pub fn write(path: &Path, found: &FileContent, text: Option<&str>, new_mode: u32) -> Result<(), FileError> {
    if read(path)? != *found {
        return Err(FileError::Changed { path: path.to_owned() });
    }
    let system = |source| FileError::System { path: path.to_owned(), source };
    let Some(text) = text else {
        return match fs::remove_file(&found.real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.and_then(|()| disk::flush_name(&found.real)).map_err(system),
        };
    };
    replace(&found.real, text, found.mode.unwrap_or(new_mode)).map_err(system)
}

fn replace(real: &Path, text: &str, mode: u32) -> io::Result<()> {
    let folder = real.parent().unwrap_or(Path::new("."));
    disk::make_folder(folder, 0o777)?;
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.askuser-{}", std::process::id()));
    let written = (|| {
        let mut file = File::options().write(true).create_new(true).mode(mode).open(&new)?;
        // What the process masks must not narrow a mode that the person chose.
        file.set_permissions(fs::Permissions::from_mode(mode))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, real)?;
        disk::flush_name(real)
    })();
    if written.is_err() {
        // Half a file is worse than none; where it cannot be removed, nothing can be.
        let _removed = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("settings.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let (told, heard) = std::sync::mpsc::channel();
        std::thread::spawn(move || told.send(read(&pipe).unwrap_err().said(Language::English)));
        let said = heard.recv_timeout(std::time::Duration::from_secs(5)).expect("it waits for a writer");
        assert!(said.contains("is not a regular file"), "{said}");
    }

    #[test]
    fn a_link_stays_a_link_and_the_mode_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("dotfiles.json"), folder.path().join("settings.json"));
        fs::write(&real, "{}").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("dotfiles.json", &link).unwrap();
        let found = read(&link).unwrap();
        write(&link, &found, Some("{\"a\":1}"), 0o600).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&real).unwrap(), "{\"a\":1}");
        assert_eq!(fs::metadata(&real).unwrap().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(&path, "{}").unwrap();
        let found = read(&path).unwrap();
        fs::write(&path, "{\"theirs\":1}").unwrap();
        let refused = write(&path, &found, Some("{}"), 0o600).unwrap_err();
        assert!(matches!(refused, FileError::Changed { .. }), "{refused:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"theirs\":1}");
    }

    #[test]
    fn a_new_file_gets_its_folders_and_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c.json");
        let made = missing_folders(&path);
        assert_eq!(made, [folder.path().join("a"), folder.path().join("a/b")]);
        write(&path, &read(&path).unwrap(), Some("{}"), 0o600).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(missing_folders(&path), Vec::<PathBuf>::new());
        write(&path, &read(&path).unwrap(), None, 0o600).unwrap();
        assert!(!path.exists());
        fs::write(folder.path().join("a/theirs"), "").unwrap();
        assert_eq!(remove_empty(&made), [folder.path().join("a/b")], "what holds something stays");
    }
}
