//! Files of the data folder that others on this machine can read or replace: said in the log, kept as a
//! security event, and closed where they are ours alone.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use serde_json::json;
use tracing::{error, warn};

use askuser_client::home::Home;
use askuser_desk::{Desk, SecurityEvent, Severity};
use askuser_store::KeyRole;

/// Something that was open to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Exposed {
    path: PathBuf,
    mode: u32,
    /// Whether it is a key, which whoever read it has.
    is_key: bool,
}

/// Looks before anything is mended.
pub(super) fn look(home: &Home) -> Vec<Exposed> {
    let keys = KeyRole::ALL.map(|role| (home.keys().join(role.name()), 0o077, true));
    // What may be read there is closed by itself; who may write there may put another file in its place.
    let folders = [home.folder().to_owned(), home.keys()].map(|path| (path, 0o022, false));
    let found = keys.into_iter().chain(folders).filter_map(|(path, forbidden, is_key)| {
        let mode = fs::metadata(&path).ok()?.permissions().mode() & 0o777;
        (mode & forbidden != 0).then_some(Exposed { path, mode, is_key })
    });
    found.collect()
}

/// Says what was found, and closes the keys. Whoever read one has it: that only a new key mends.
pub(super) async fn record(desk: &Desk, exposed: &[Exposed]) {
    let events: Vec<SecurityEvent> = exposed.iter().map(|exposed| event(desk, exposed)).collect();
    if !events.is_empty()
        && let Err(error) = desk.audit().add_events(events).await
    {
        error!("This exposure could not be recorded as a security event: {error}");
    }
}

fn event(desk: &Desk, exposed: &Exposed) -> SecurityEvent {
    let (path, mode) = (exposed.path.display(), exposed.mode);
    if exposed.is_key {
        let closed = fs::set_permissions(&exposed.path, Permissions::from_mode(0o600)).is_ok();
        let now = if closed { "It is private now" } else { "It could not be made private" };
        warn!(
            "{path} could be read by others (mode {mode:o}). {now}; if this machine has other users, make a new key"
        );
    } else {
        warn!("{path} can be written to by others (mode {mode:o}): they could replace askuser's files");
    }
    let details = json!({"file": exposed.path, "mode": format!("{mode:o}")}).to_string();
    let (kind, severity) = ("exposed_file".to_owned(), Severity::High);
    SecurityEvent { number: 0, at: desk.now(), kind, severity, details }
}
