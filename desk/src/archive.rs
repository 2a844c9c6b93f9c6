//! Transcripts that were taken in: what other programs wrote, as files of the data folder.
//!
//! They are somebody's account of what happened elsewhere, not facts of this desk, so they are kept
//! as they came, byte for byte, and are no part of its chain (decision 0015).

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use askuser_core::hex::hex;
use askuser_core::time::Timestamp;
use sha2::{Digest, Sha256};
use thiserror::Error;

use askuser_system::{clock, disk};

/// The largest file that is taken in: more than a million lines of an agent.
pub const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// The longest name.
const NAME_CHARS_MAX: usize = 128;
/// How many transcripts of one name there may be.
const ALIKE_MAX: u32 = 1000;

/// The transcripts of one person.
#[derive(Debug, Clone)]
pub struct Archive(PathBuf);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its name here.
    pub name: String,
    pub n_bytes: u64,
    /// When it was taken in, or taken in again.
    pub at: Timestamp,
}

/// Why a transcript was not taken in.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// It is too large.
    #[error("the file is larger than {FILE_BYTES_MAX} bytes")]
    TooLarge,
    /// There are too many of its name.
    #[error("{ALIKE_MAX} other transcripts have this name")]
    TooManyAlike,
    /// It could not be read, or not be written here.
    #[error(transparent)]
    Failed(#[from] io::Error),
}

impl Archive {
    /// Takes the folder of all transcripts, which need not be there, and whose are meant.
    pub fn new(folder: &Path, user: &str) -> Self {
        Self(folder.join(folder_name(user)))
    }

    /// Takes a transcript in under a name, or under the next free one like it. One that was taken in
    /// before and has grown since is replaced.
    pub fn take(&self, name: &str, mut from: impl Read) -> Result<Kept, ArchiveError> {
        disk::make_folder(&self.0, 0o700)?;
        let arriving = self.0.join(format!(".{}.{}", safe(name), std::process::id()));
        let copied = copy(&mut from, &arriving).and_then(|()| self.place(name, &arriving));
        if copied.is_err() {
            // Nothing half is left; what cannot be removed has a name that is never listed.
            let _removed = fs::remove_file(&arriving);
        }
        copied
    }

    /// Gives a file that has arrived its name.
    fn place(&self, name: &str, arriving: &Path) -> Result<Kept, ArchiveError> {
        let name = safe(name);
        for number in 1..=ALIKE_MAX {
            let name = if number == 1 { name.clone() } else { format!("{name}-{number}") };
            let path = self.path(&name);
            if !path.exists() || begins_with(arriving, &path)? {
                fs::rename(arriving, &path)?;
                disk::flush_name(&path)?;
                let about = fs::metadata(&path)?;
                return Ok(Kept { name, n_bytes: about.len(), at: clock::of(about.modified()?) });
            }
        }
        Err(ArchiveError::TooManyAlike)
    }

    /// Returns every transcript, the latest first.
    pub fn list(&self) -> io::Result<Vec<Kept>> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut list = Vec::new();
        for entry in entries {
            let entry = entry?;
            let file = entry.file_name();
            let name = file.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            let Some(name) = name.filter(|name| safe(name) == *name) else { continue };
            let about = entry.metadata()?;
            list.push(Kept { name: name.to_owned(), n_bytes: about.len(), at: clock::of(about.modified()?) });
        }
        list.sort_by(|one, other| other.at.cmp(&one.at).then_with(|| one.name.cmp(&other.name)));
        Ok(list)
    }

    /// Opens a transcript; none where there is none of this name.
    pub fn open(&self, name: &str) -> io::Result<Option<File>> {
        if safe(name) != name {
            return Ok(None);
        }
        match File::open(self.path(name)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.jsonl"))
    }
}

/// The name of a person's folder. One that had to be changed to stand in a path has a mark of the whole name
/// with it: two people never share one.
fn folder_name(user: &str) -> String {
    let name = safe(user);
    if name == user {
        return name;
    }
    let mark: String = hex(&Sha256::digest(user)).chars().take(32).collect();
    format!("{name}%{mark}")
}

/// Makes a name of letters, digits and a few marks, so that it can stand in a path and an address.
fn safe(name: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&letter) { letter } else { '-' }
    };
    let name: String = name.trim_start_matches('.').chars().take(NAME_CHARS_MAX).map(plain).collect();
    if name.is_empty() { "transcript".to_owned() } else { name }
}

fn copy(from: &mut impl Read, to: &Path) -> Result<(), ArchiveError> {
    let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(to)?;
    let n_bytes = io::copy(&mut from.take(FILE_BYTES_MAX + 1), &mut file)?;
    if n_bytes > FILE_BYTES_MAX {
        return Err(ArchiveError::TooLarge);
    }
    file.flush()?;
    Ok(file.sync_all()?)
}

/// Whether one file begins with all of another.
fn begins_with(whole: &Path, beginning: &Path) -> io::Result<bool> {
    let (mut whole, mut beginning) =
        (BufReader::new(File::open(whole)?), BufReader::new(File::open(beginning)?));
    let (mut one, mut other) = ([0; 8192], [0; 8192]);
    loop {
        let n_bytes = beginning.read(&mut other)?;
        if n_bytes == 0 {
            return Ok(true);
        }
        let (Some(one), Some(other)) = (one.get_mut(..n_bytes), other.get(..n_bytes)) else {
            return Ok(false);
        };
        match whole.read_exact(one) {
            Ok(()) if one == other => {}
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
            Ok(()) | Err(_) => return Ok(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(archive: &Archive) -> Vec<String> {
        let mut names: Vec<String> = archive.list().unwrap().into_iter().map(|kept| kept.name).collect();
        names.sort();
        names
    }

    #[test]
    fn a_transcript_is_kept_as_it_came_and_replaced_when_it_has_grown() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(folder.path(), "local");
        assert_eq!(archive.list().unwrap(), []);
        assert!(archive.open("a").unwrap().is_none());
        assert_eq!(archive.take("a", &b"one\n"[..]).unwrap().name, "a");
        assert_eq!(archive.take("a", &b"one\ntwo\n"[..]).unwrap().name, "a");
        let mut text = String::new();
        archive.open("a").unwrap().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "one\ntwo\n");
        assert_eq!(archive.take("a", &b"another\n"[..]).unwrap().name, "a-2");
        assert_eq!(names(&archive), ["a", "a-2"]);
        assert_eq!(Archive::new(folder.path(), "other").list().unwrap(), [], "each person has their own");
    }

    #[test]
    fn two_people_never_share_a_folder_whatever_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let long = "x".repeat(NAME_CHARS_MAX + 1);
        let people =
            ["a-b", "a/b", "a b", ".a-b", "..a-b", "", "transcript", "安", "宁", &long, &format!("{long}y")];
        for user in people {
            assert!(names(&Archive::new(folder.path(), user)).is_empty(), "{user}");
            Archive::new(folder.path(), user).take("t", user.as_bytes()).unwrap();
        }
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive::new(&folder.path().join("t"), "local");
        fs::write(folder.path().join("secret.jsonl"), "x").unwrap();
        for name in ["../../secret", "/etc/passwd", "..", "", "a/b", "a\0b", "框"] {
            assert!(archive.open(name).unwrap().is_none(), "{name:?}");
            let kept = archive.take(name, &b"{}\n"[..]).unwrap();
            assert!(archive.open(&kept.name).unwrap().is_some(), "{name:?} → {}", kept.name);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        let half = archive.take("broken", Read::chain(&b"x"[..], Failing)).unwrap_err();
        assert_eq!(half.to_string(), "no more");
        assert!(!names(&archive).contains(&"broken".to_owned()));
        let hidden = fs::read_dir(folder.path().join("t/local")).unwrap().flatten();
        assert!(hidden.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with('.')));
    }

    struct Failing;

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no more"))
        }
    }
}
