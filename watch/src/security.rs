//! Security events (D15): what should not be, with how grave it is; logged, counted, and kept in a
//! chain. Told from wherever it is noticed, and never waited for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::UserId;
use askuser_core::outcome::Proof;
use parking_lot::Mutex;
use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::Watch;
use askuser_desk::{Misuse, SecurityEvent, Severity};
use askuser_store::audit::address as from;
use askuser_system::backoff::Pauses;

/// Events that may wait to be kept.
const QUEUE_MAX: usize = 1000;
/// Events of one kind that are kept in a minute; the rest are counted. Whoever knocks all day must
/// not fill the disk.
const KEPT_PER_MINUTE: u32 = 60;

/// What was noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A key or a cookie that opens nothing.
    WrongKey,
    /// A page of another host tried to act for somebody.
    WrongOrigin,
    /// A request that was meant for another host: DNS rebinding, or a proxy that is not configured.
    WrongHost,
    /// An answer to a question that was answered.
    Replay,
    /// Whoever may not answer tried to.
    ForgedResponse,
    /// A key for one thing was used for another.
    WrongRole,
    /// One caller asked too much.
    RateLimit,
    /// Somebody named what belongs to another user.
    OtherUser,
    /// A person's command ran where an agent's mark is set.
    AsPerson,
    /// A browser signed in.
    SignedIn,
    /// The configuration says that answers of agents' own dialogs are taken.
    AgentDialogOn,
    /// A link or button that answers one ask was misused.
    Link(Misuse),
    /// A key was made for an agent of this machine.
    KeyMade,
}

impl Kind {
    /// Returns its name and how grave it is.
    pub fn name_and_severity(self) -> (&'static str, Severity) {
        match self {
            Self::WrongKey => ("wrong_key", Severity::Medium),
            Self::WrongOrigin => ("wrong_origin", Severity::High),
            Self::WrongHost => ("wrong_host", Severity::Medium),
            Self::Replay => ("replay", Severity::Low),
            Self::ForgedResponse => ("forged_response", Severity::High),
            Self::WrongRole => ("wrong_role", Severity::Medium),
            Self::RateLimit => ("rate_limit", Severity::Low),
            Self::OtherUser => ("other_user", Severity::Medium),
            Self::AsPerson => ("as_person", Severity::Medium),
            Self::SignedIn => ("signed_in", Severity::Low),
            Self::AgentDialogOn => ("agent_dialog_on", Severity::Medium),
            // Whoever taps an old message once more does no harm, and neither does a slow one.
            Self::Link(Misuse::Replayed) => ("link_replayed", Severity::Low),
            Self::Link(Misuse::Expired) => ("link_expired", Severity::Low),
            Self::Link(Misuse::Forged) => ("link_forged", Severity::Medium),
            Self::Link(Misuse::Foreign) => ("link_of_another", Severity::High),
            Self::KeyMade => ("key_made", Severity::Low),
        }
    }
}

/// Who was noticed, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suspect {
    /// Where they called from.
    pub address: Option<IpAddr>,
    /// Whose key it was, where it was one.
    pub user: Option<String>,
    /// What the key is for.
    pub role: Option<&'static str>,
    /// What they called.
    pub path: String,
    /// How we know them, where that matters.
    pub proof: Option<&'static str>,
    /// The browser, by what it is called.
    pub browser: Option<String>,
    /// With which program, where the desk could look at it.
    pub program: Option<String>,
    /// The agent's mark on it, as it was said or found.
    pub mark: Option<String>,
}

impl Suspect {
    /// Somebody of whom only the user is known.
    pub(super) fn user(user: &UserId) -> Self {
        Self { address: from(), user: Some(user.to_string()), ..Self::default() }
    }

    /// Somebody of whom only the user is known, if that, and which way they came.
    pub(super) fn on_way(person: Option<&UserId>, way: String) -> Self {
        Self { address: from(), user: person.map(ToString::to_string), path: way, ..Self::default() }
    }

    /// Somebody who signed in with a browser, by a link that was made so.
    pub(super) fn signed_in(user: &UserId, made_with: Proof, browser: String) -> Self {
        let path = "/login/…".to_owned();
        Self { path, proof: Some(made_with.name()), browser: Some(browser), ..Self::user(user) }
    }
}

/// Events on their way to the store.
pub(super) struct Security {
    queue: mpsc::Sender<SecurityEvent>,
    waiting: Mutex<Option<mpsc::Receiver<SecurityEvent>>>,
    lately: Mutex<HashMap<Kind, Lately>>,
}

struct Lately {
    since: Instant,
    n_kept: u32,
    n_left_out: u64,
}

impl Default for Security {
    fn default() -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE_MAX);
        Self { queue, waiting: Mutex::new(Some(waiting)), lately: Mutex::default() }
    }
}

impl Watch {
    /// Notes a security event.
    pub fn security(&self, kind: Kind, suspect: &Suspect) {
        let (name, severity) = kind.name_and_severity();
        let labels = [("event_type", name.to_owned()), ("severity", severity.name().to_owned())];
        self.metrics.security.get_or_create(&labels).inc();
        let Some(n_left_out) = self.security.may_keep(kind) else { return };
        let details = details(suspect, n_left_out);
        match severity {
            Severity::Low => {
                tracing::info!(event_type = name, severity = "low", %details, "Security event: {name}");
            }
            Severity::Medium => {
                tracing::warn!(event_type = name, severity = "medium", %details, "Security event: {name}");
            }
            Severity::High => {
                tracing::error!(event_type = name, severity = "high", %details, "Security event: {name}");
            }
        }
        let event = SecurityEvent { number: 0, at: self.now(), kind: name.to_owned(), severity, details };
        if self.security.queue.try_send(event).is_err() {
            tracing::warn!("A security event was not saved: too many are waiting");
        }
    }

    pub(super) fn security_queue(&self) -> Option<mpsc::Receiver<SecurityEvent>> {
        self.security.waiting.lock().take()
    }
}

impl Security {
    /// Whether one more of this kind is kept; then how many before it were not.
    fn may_keep(&self, kind: Kind) -> Option<u64> {
        let mut lately = self.lately.lock();
        let new = || Lately { since: Instant::now(), n_kept: 0, n_left_out: 0 };
        let lately = lately.entry(kind).or_insert_with(new);
        if lately.since.elapsed() >= Duration::from_mins(1) {
            (lately.since, lately.n_kept) = (Instant::now(), 0);
        }
        if lately.n_kept >= KEPT_PER_MINUTE {
            lately.n_left_out += 1;
            return None;
        }
        lately.n_kept += 1;
        Some(std::mem::take(&mut lately.n_left_out))
    }
}

fn details(suspect: &Suspect, n_left_out: u64) -> String {
    let mut told = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            told.insert(name.to_owned(), value);
        }
    };
    put("address", suspect.address.map(|address| address.to_string().into()));
    put("user", suspect.user.clone().map(Value::from));
    put("role", suspect.role.map(Value::from));
    put("path", Some(suspect.path.clone().into()));
    put("proof", suspect.proof.map(Value::from));
    put("browser", suspect.browser.clone().map(Value::from));
    put("program", suspect.program.clone().map(Value::from));
    put("mark", suspect.mark.clone().map(Value::from));
    put("alike_before", (n_left_out > 0).then(|| n_left_out.into()));
    Value::Object(told).to_string()
}

/// Keeps events until the desk closes.
pub(super) async fn keep(watch: Arc<Watch>) {
    let Some(mut queue) = watch.security_queue() else { return };
    let stopping = watch.desk.stopping();
    let mut events = Vec::new();
    loop {
        tokio::select! {
            n_received = queue.recv_many(&mut events, 100) => if n_received == 0 { return },
            () = stopping.cancelled() => return,
        }
        let audit = watch.desk.audit();
        // The log has them; the store is tried twice.
        if audit.add_events(events.clone()).await.is_err() {
            tokio::time::sleep(Pauses::OF_THE_STORE.after(1)).await;
            let _kept = audit.add_events(events.clone()).await;
        }
        events.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D15: a flood of one kind is counted, not kept; another kind is not concerned.
    #[test]
    fn d15_a_flood_is_counted_and_not_kept() {
        let security = Security::default();
        let n_kept = (0..1000).filter(|_| security.may_keep(Kind::WrongKey).is_some()).count();
        assert_eq!(n_kept, KEPT_PER_MINUTE as usize);
        assert_eq!(security.may_keep(Kind::Replay), Some(0));
        let suspect =
            Suspect { address: Some([10, 0, 0, 9].into()), path: "/api/inbox".into(), ..Suspect::default() };
        let told: Value = serde_json::from_str(&details(&suspect, 940)).unwrap();
        assert_eq!(
            told,
            serde_json::json!({"address": "10.0.0.9", "path": "/api/inbox", "alike_before": 940})
        );
    }
}
