//! The person's rules for this desk that were written by hand: `rules.yaml` in the data folder. A change
//! is seen at once.
//!
//! Only the file counts: nothing in an agent's environment or in an ask adds a rule. A file that is
//! faulty or that others may write to has no rules, and every ask waits for a person.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use askuser_words::config::Wrong;
use askuser_words::{Both, Language, both};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use askuser_client::home::Home;
use askuser_config::rules::{self, Book};
use askuser_config::{Fault, Said};
use askuser_desk::{Desk, FileDigest, RulesByHand, RulesFile};

/// The largest file.
const BYTES_MAX: u64 = 1024 * 1024;

/// What changes when a file does, or who may write to it.
type Stamp = [i128; 7];

/// Gives a desk the rules of its data folder, then looks at what is open.
pub(super) async fn set(desk: &Desk, home: &Home) {
    desk.configure(|settings| settings.rules_by_hand = Some(of(home)));
    // A change since the last run is noted now, and not only when somebody asks.
    let _book = desk.rules_by_hand().await;
    desk.apply_rules_to_open();
}

/// Returns the rules of a data folder, to be asked for every ask.
pub fn of(home: &Home) -> RulesByHand {
    let path = home.rules();
    let latest = Mutex::new((stamp(&path), believed(&path)));
    Arc::new(move || {
        let stamp = stamp(&path);
        let mut latest = latest.lock();
        if latest.0 != stamp {
            *latest = (stamp, believed(&path));
        }
        latest.1.clone()
    })
}

/// What is wrong with the file holds for every rule: rather ask than answer wrongly.
fn believed(path: &Path) -> RulesFile {
    let (digest, read) = look(path);
    let read = read.map(Arc::new);
    let book = read
        .inspect_err(|why| {
            tracing::error!("No rules are applied, and every question waits for a person: {}", why.english);
        })
        .ok();
    RulesFile { digest, book }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    let (ino, len, mode) = (file.ino().into(), file.len().into(), file.mode().into());
    let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()].map(i128::from);
    let [mtime, mtime_nsec, ctime, ctime_nsec] = times;
    Some([ino, len, mode, mtime, mtime_nsec, ctime, ctime_nsec])
}

/// Reads the rules of a file; says what is wrong with it. None there is no fault.
pub fn read(path: &Path) -> Result<Book, Both> {
    look(path).1
}

/// Reads a file once: the digest of what stands in it, and its rules or what is wrong with it. No digest
/// where there is no file, or nothing of it can be read.
fn look(path: &Path) -> (Option<FileDigest>, Result<Book, Both>) {
    let Ok(metadata) = fs::metadata(path) else { return (None, Ok(Book::default())) };
    let of_file = |what: Both| both(|said: Wrong| said.in_file(path.display(), said.0.of(&what)));
    let bytes = match bytes(path, &metadata) {
        Ok(bytes) => bytes,
        Err(why) => return (None, Err(of_file(why))),
    };
    let digest = Some(Sha256::digest(&bytes).into());
    (digest, book(&bytes, &metadata).map_err(of_file))
}

fn bytes(path: &Path, metadata: &Metadata) -> Result<Vec<u8>, Both> {
    // Whoever opens a pipe waits for its other end.
    if !metadata.is_file() {
        return Err(both(Wrong::not_a_file));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| both(|said: Wrong| said.cannot_be_read(&error)))?;
    let n_read = file
        .take(BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| both(|said: Wrong| said.cannot_be_read(&error)))?;
    if n_read as u64 > BYTES_MAX {
        return Err(both(|said: Wrong| said.too_large(n_read, BYTES_MAX)));
    }
    Ok(bytes)
}

fn book(bytes: &[u8], metadata: &Metadata) -> Result<Book, Both> {
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !own || metadata.mode() & 0o022 != 0 {
        return Err(both(Wrong::writable_by_others));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| both(Wrong::not_utf8))?;
    let book = rules::read(text).map_err(|faults| {
        both(|language: Language| {
            let told: Vec<Said> = faults.iter().map(Fault::said).collect();
            told.iter().map(|said| said.in_language(language)).collect::<Vec<_>>().join("\n")
        })
    })?;
    if book.otherwise().is_none() {
        return Err(both(Wrong::otherwise_missing));
    }
    Ok(book)
}
