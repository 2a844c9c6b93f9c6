//! The log as a file in the data folder: a new one is begun when it is long enough, and a few old
//! ones are kept.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use askuser_config::LogKeys;
use parking_lot::Mutex;

/// How long a log gets, and how many older ones are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keep {
    pub(super) bytes_max: u64,
    pub(super) n_old: usize,
}

impl Keep {
    /// Returns what is configured.
    pub(super) fn of(keys: &LogKeys) -> Self {
        Self { bytes_max: (keys.file_mb as u64).saturating_mul(1024 * 1024), n_old: keys.files_kept }
    }
}

/// A log that is written to. Whoever logs writes a line at once, so no line is ever cut in two.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    /// Whether standard output and standard error are this file, and move on with it.
    with_streams: bool,
    latest: Mutex<Latest>,
}

#[derive(Debug)]
struct Latest {
    file: File,
    n_bytes: u64,
    keep: Keep,
}

impl LogFile {
    /// Opens the log and goes on at its end.
    pub(super) fn open(path: &Path, keep: Keep, with_streams: bool) -> io::Result<Self> {
        let (file, n_bytes) = append(path)?;
        Ok(Self { path: path.to_owned(), with_streams, latest: Mutex::new(Latest { file, n_bytes, keep }) })
    }

    /// Keeps this much from now on.
    pub(super) fn keep(&self, keep: Keep) {
        let mut latest = self.latest.lock();
        latest.keep = keep;
        // Devices write there too, as commands that could not start a daemon.
        latest.n_bytes = latest.file.metadata().map_or(latest.n_bytes, |file| file.len());
    }

    fn write(&self, line: &[u8]) -> io::Result<()> {
        let mut latest = self.latest.lock();
        let longer = latest.n_bytes.saturating_add(line.len() as u64);
        if latest.n_bytes > 0 && longer > latest.keep.bytes_max {
            let begun = move_away(&self.path, latest.keep.n_old).and_then(|()| append(&self.path));
            match begun {
                Ok((file, n_bytes)) => {
                    // What a panic says, and what a library prints, goes where the log goes.
                    let _moved = self.with_streams.then(|| take_streams(&file));
                    (latest.file, latest.n_bytes) = (file, n_bytes);
                }
                // It grows on, and is tried again after as much once more: a log that cannot be moved
                // is better than none.
                Err(_) => latest.n_bytes = 0,
            }
        }
        latest.file.write_all(line)?;
        latest.n_bytes = latest.n_bytes.saturating_add(line.len() as u64);
        Ok(())
    }
}

/// One line on its way.
impl Write for &LogFile {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        LogFile::write(self, line)?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn take_streams(file: &File) -> rustix::io::Result<()> {
    rustix::stdio::dup2_stdout(file)?;
    rustix::stdio::dup2_stderr(file)
}

/// Appending, so that others who write there, as a daemon that could not start, overwrite nothing.
fn append(path: &Path) -> io::Result<(File, u64)> {
    let file = File::options().append(true).create(true).mode(0o600).open(path)?;
    let n_bytes = file.metadata()?.len();
    Ok((file, n_bytes))
}

/// Returns where the log of so many ago lies: `askuser.log.1` is the one before this.
fn old(path: &Path, n_ago: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{n_ago}"));
    PathBuf::from(name)
}

fn move_away(path: &Path, n_old: usize) -> io::Result<()> {
    // Also those of a time when more were kept, as many as there are without a gap.
    let mut too_old = n_old.max(1);
    loop {
        match fs::remove_file(old(path, too_old)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            removed => removed?,
        }
        too_old += 1;
    }
    if n_old == 0 {
        return fs::remove_file(path);
    }
    for n_ago in (1..n_old).rev() {
        move_over(&old(path, n_ago), &old(path, n_ago + 1))?;
    }
    move_over(path, &old(path, 1))
}

fn move_over(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn logs_move_on_one_by_one_and_the_oldest_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("askuser.log");
        let say = |number: u32| fs::write(&path, format!("{number}\n")).unwrap();
        for number in 1..=5 {
            say(number);
            move_away(&path, 3).unwrap();
        }
        say(6);
        assert_eq!(names(folder.path()), ["askuser.log", "askuser.log.1", "askuser.log.2", "askuser.log.3"]);
        let read = |n_ago| fs::read_to_string(old(&path, n_ago)).unwrap();
        assert_eq!([read(1), read(2), read(3)], ["5\n", "4\n", "3\n"]);
        // Fewer are kept from now on: the rest goes too.
        move_away(&path, 1).unwrap();
        assert_eq!(names(folder.path()), ["askuser.log.1"]);
        say(7);
        move_away(&path, 0).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
    }
}
