//! The files that say what the desk does: a change of one is a security event before it takes effect
//! (D15), whether it was made while the desk ran or while it was away.

use std::sync::Arc;

use askuser_core::hex::hex;
use parking_lot::RwLock;
use serde_json::json;
use tokio::sync::Mutex;

use super::confirming::ToldUnconfirmed;
use super::{Caller, Desk, DeskError};
use askuser_config::rules::Book;
use askuser_store::audit::{SecurityEvent, Severity, WatchedFile, address, no_audit};

/// The SHA-256 of what stands in a file.
pub type FileDigest = [u8; 32];

/// The name by which a change of the rules that were written by hand is told.
const RULES: &str = "rules.yaml";

/// The rules that were written by hand, as their file says now.
#[derive(Debug, Clone, Default)]
pub struct RulesFile {
    /// The digest of its text; none where there is no file.
    pub digest: Option<FileDigest>,
    /// What it says; nothing where it cannot be believed: then no rule is applied.
    pub book: Option<Arc<Book>>,
}

/// Looks at that file. Called for every ask that is shown, so it must be quick.
pub type RulesByHand = Arc<dyn Fn() -> RulesFile + Send + Sync>;

/// What is known of the rules that were written by hand.
#[derive(Default)]
pub(super) struct Rules {
    /// Those that hold: their text is named in the chain of security events.
    now: RwLock<Option<RulesFile>>,
    /// A change is noted once, whoever sees it first.
    changing: Mutex<()>,
    pub(super) told: ToldUnconfirmed,
}

impl RulesFile {
    fn is(&self, other: &Self) -> bool {
        let same_book = match (&self.book, &other.book) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        self.digest == other.digest && same_book
    }
}

impl Rules {
    fn get(&self) -> Option<RulesFile> {
        self.now.read().clone()
    }

    fn set(&self, file: RulesFile) {
        *self.now.write() = Some(file);
    }
}

impl Desk {
    /// Notes what a file is now that says what the desk does: a security event where it was another
    /// before. Whoever applies what stands in it does so after this, and not where it fails.
    pub async fn note_file(&self, name: &str, digest: Option<FileDigest>) -> Result<(), DeskError> {
        let audit = self.0.store.audit().ok_or_else(no_audit)?;
        let server = self.settings().server.clone();
        let before = audit.file_digest(server.clone(), name.to_owned()).await?;
        if before == digest {
            return Ok(());
        }
        let [before, after] = [before, digest].map(|digest| digest.map(|digest| hex(&digest)));
        let details = json!({"file": name, "server": &server, "before": before, "after": after}).to_string();
        let (kind, severity) = ("file_changed".to_owned(), Severity::Medium);
        let event = SecurityEvent { number: 0, at: self.now(), kind, severity, details };
        audit.note_file(WatchedFile { server, name: name.to_owned(), digest }, event).await?;
        let [before, after] = [before, after].map(|digest| digest.unwrap_or_else(|| "nothing".to_owned()));
        tracing::warn!(file = name, before, after, "{name} has changed since it was last seen");
        Ok(())
    }

    /// Notes that an admin changes a template of the desk, before it is changed: everybody's agents ask it.
    pub async fn note_template(
        &self,
        admin: &Caller,
        name: &str,
        before: Option<FileDigest>,
        after: Option<FileDigest>,
    ) -> Result<(), DeskError> {
        let [before, after] = [before, after].map(|digest| digest.map(|digest| hex(&digest)));
        let details = json!({
            "template": name, "user": admin.user.as_str(), "before": before, "after": after,
            "address": address().map(|address| address.to_string()),
        });
        let (kind, details) = ("template_changed".to_owned(), details.to_string());
        let event = SecurityEvent { number: 0, at: self.now(), kind, severity: Severity::Low, details };
        let audit = self.0.store.audit().ok_or_else(no_audit)?;
        Ok(audit.add_events(vec![event]).await?)
    }

    /// Returns the rules that were written by hand and that hold now; nothing where they cannot be
    /// believed. A change of their file holds once it is noted; until then what was there before does.
    pub async fn rules_by_hand(&self) -> Option<Arc<Book>> {
        let rules = &self.0.rules;
        let Some(look) = self.settings().rules_by_hand.clone() else { return Some(Arc::default()) };
        let found = look();
        if let Some(now) = rules.get().filter(|now| now.is(&found)) {
            return now.book;
        }
        let _one_at_a_time = rules.changing.lock().await;
        let (found, now) = (look(), rules.get());
        if let Some(now) = now.as_ref().filter(|now| now.is(&found)) {
            return now.book.clone();
        }
        if let Err(error) = self.note_file(RULES, found.digest).await {
            tracing::error!("{RULES} has changed, and its earlier contents stay in force: {error}");
            return now?.book;
        }
        rules.set(found.clone());
        found.book
    }

    /// Whether rules that were written by hand could answer an ask, or a change of them is to be noted.
    pub(super) fn may_have_rules_by_hand(&self) -> bool {
        let Some(look) = self.settings().rules_by_hand.clone() else { return false };
        let found = look();
        let holds = |now: RulesFile| now.is(&found) && now.book.is_none_or(|book| book.is_silent());
        !self.0.rules.get().is_some_and(holds)
    }
}
