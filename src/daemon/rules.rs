//! The person's rules for this desk that were written by hand: `rules.yaml` in the data folder. A change
//! is seen at once.
//!
//! Only the file counts: nothing in an agent's environment or in an ask adds a rule. A file that is
//! faulty or that others may write to has no rules, and every ask waits for a person.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::rules_left;
use crate::client::home::Home;
use crate::desk::{Desk, RulesByHand};
use crate::rules::{self, Book};

/// What changes when a file does.
type Stamp = (u64, i64, i64, u64);

/// Gives a desk the rules of its data folder, and what an earlier program left there; then looks at what is
/// open.
pub(super) async fn set(desk: &Desk, home: &Home) {
    desk.set_rules(of(home));
    rules_left::take_in(desk, home).await;
    desk.apply_rules_to_open();
}

/// Returns the rules of a data folder, to be asked for every ask.
pub fn of(home: &Home) -> RulesByHand {
    let path = home.rules();
    let latest = Mutex::new((stamp(&path), believed(&path)));
    Arc::new(move || {
        let stamp = stamp(&path);
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.0 != stamp {
            *latest = (stamp, believed(&path));
        }
        latest.1.clone()
    })
}

/// What is wrong with the file holds for every rule: rather ask than answer wrongly.
fn believed(path: &Path) -> Option<Arc<Book>> {
    let read = read(path).map(Arc::new);
    read.inspect_err(|why| tracing::error!("No rule is applied, and every ask waits for a person: {why}"))
        .ok()
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::metadata(path).ok()?;
    Some((file.ino(), file.mtime(), file.mtime_nsec(), file.len()))
}

/// Reads the rules of a file; says what is wrong with it. None there is no fault.
pub fn read(path: &Path) -> Result<Book, String> {
    let Ok(metadata) = fs::metadata(path) else { return Ok(Book::default()) };
    let shown = path.display();
    let own = metadata.uid() == rustix::process::geteuid().as_raw();
    if !own || metadata.mode() & 0o022 != 0 {
        return Err(format!("{shown} may be written by others: `chmod go-w` it"));
    }
    let text = fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let book = rules::read(&text).map_err(|faults| {
        let told: Vec<String> = faults.iter().map(|fault| format!("{shown}: {fault}")).collect();
        told.join("; ")
    })?;
    if book.otherwise().is_none() {
        return Err(format!(
            "{shown} does not say what becomes of other questions: `otherwise: ask` or `otherwise: fail`"
        ));
    }
    Ok(book)
}
