//! The log of decisions (D15, P20): who was asked what, in which context, who answered, from where,
//! how long it took. A reading of the facts, so that it cannot say anything else than what happened.

mod entry;
mod export;

use std::collections::HashMap;
use std::time::Duration;

use askuser_core::time::Timestamp;

pub use self::entry::{AuditAnswer, Entry};
pub use self::export::{Form, field, said, to_json, write};
use askuser_config::rules::check;
use askuser_desk::{Desk, DeskError, Numbered};
use askuser_wire::session::SessionNames;

/// Facts read from the store in one go.
const PAGE: usize = 500;
/// Facts that one search looks at; then it comes back with where to go on.
const LOOKED_AT_MAX: usize = 20_000;

/// What is looked for; nothing named is everything.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// After this number.
    pub after: u64,
    /// Not before.
    pub since: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
    /// In this session, by our id or as its caller named it.
    pub session: Option<String>,
    /// Asked by this agent.
    pub agent: Option<String>,
    /// Asked of, or answered by, this person.
    pub person: Option<String>,
    /// Of this action.
    pub action: Option<String>,
    /// With these words somewhere in it.
    pub text: Option<String>,
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct AuditPage {
    /// Entries, the oldest first.
    pub entries: Vec<Entry>,
    /// Where to go on; none where there is nothing more.
    pub next: Option<u64>,
}

impl Search {
    /// Searches the log for at most so many entries.
    pub async fn run(&self, desk: &Desk, limit: usize) -> Result<AuditPage, DeskError> {
        let mut found = AuditPage::default();
        let (mut after, mut n_looked_at) = (self.after, 0);
        loop {
            let facts = desk.audit().facts_since(after, PAGE).await?;
            if facts.is_empty() {
                return Ok(found);
            }
            let addresses = addresses(desk, &facts).await?;
            for numbered in &facts {
                after = numbered.number;
                if self.until.is_some_and(|until| numbered.at >= until) {
                    return Ok(found);
                }
                n_looked_at += 1;
                let entry = self.look(desk, numbered, &addresses).await?;
                found.entries.extend(entry);
                if found.entries.len() >= limit {
                    found.next = Some(after);
                    return Ok(found);
                }
            }
            if n_looked_at >= LOOKED_AT_MAX {
                found.next = Some(after);
                return Ok(found);
            }
        }
    }

    async fn look(
        &self,
        desk: &Desk,
        numbered: &Numbered,
        addresses: &HashMap<u64, String>,
    ) -> Result<Option<Entry>, DeskError> {
        let is_early = self.since.is_some_and(|since| numbered.at < since);
        let Some(action) = entry::action(numbered) else { return Ok(None) };
        if is_early || self.action.as_ref().is_some_and(|wanted| *wanted != action) {
            return Ok(None);
        }
        let given = desk.session_name(numbered.session).await?;
        let session = SessionNames { id: numbered.session, given: given.as_deref() };
        let is = |wanted: &str| wanted == session.id.to_string() || Some(wanted) == session.given;
        if self.session.as_deref().is_some_and(|wanted| !is(wanted)) {
            return Ok(None);
        }
        let ask = match numbered.ask {
            Some(id) => desk.across_users().ask(id).await?,
            None => None,
        };
        // Whoever names its agent finds it all the same.
        if self.agent.is_none() && ask.as_deref().is_some_and(check::is_over) {
            return Ok(None);
        }
        let address = addresses.get(&numbered.number).cloned();
        let entry = Entry::of(action, numbered, session, ask.as_deref(), address);
        Ok(Some(entry).filter(|entry| self.fits(entry)))
    }

    fn fits(&self, entry: &Entry) -> bool {
        let is = |wanted: &Option<String>, has: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| has == Some(wanted.as_str()))
        };
        let by_person = is(&self.person, Some(&entry.owner)) || is(&self.person, entry.user.as_deref());
        let says = |wanted: &String| {
            let wanted = wanted.to_lowercase();
            entry.texts().any(|text| text.to_lowercase().contains(&wanted))
        };
        is(&self.agent, entry.agent.as_deref()) && by_person && self.text.as_ref().is_none_or(says)
    }
}

async fn addresses(desk: &Desk, facts: &[Numbered]) -> Result<HashMap<u64, String>, DeskError> {
    let numbers = facts.iter().filter(|numbered| entry::action(numbered).is_some());
    let numbers = numbers.map(|numbered| numbered.number).collect();
    Ok(desk.audit().addresses(numbers).await?.into_iter().collect())
}

/// Asks that are erased in one go, so that nobody waits long for the store.
const ERASED_AT_ONCE: usize = 100;

/// Erases what asks tell that ended longer ago than this. Returns how many were.
pub async fn erase_older(desk: &Desk, than: Duration) -> Result<u64, DeskError> {
    let before = before(desk, than);
    let mut n_erased = 0;
    loop {
        let n_more = desk.audit().erase_before(before, ERASED_AT_ONCE).await?;
        n_erased += n_more;
        if n_more == 0 {
            return Ok(n_erased);
        }
    }
}

/// Counts the asks that would be erased.
pub async fn erasable_older(desk: &Desk, than: Duration) -> Result<u64, DeskError> {
    desk.audit().erasable_before(before(desk, than)).await
}

fn before(desk: &Desk, than: Duration) -> Timestamp {
    Timestamp(desk.now().0.saturating_sub(i64::try_from(than.as_millis()).unwrap_or(i64::MAX)))
}
