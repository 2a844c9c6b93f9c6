//! Who else looks at an ask right now. Kept in memory only, for as long as their page says so; the other
//! replicas are told.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askuser_core::id::{AskId, UserId};
use askuser_core::time::Timestamp;
use axum::response::IntoResponse;
use parking_lot::Mutex;
use serde_json::json;

use super::failing::Shown;
use super::look::NAME_CHARS_MAX;
use super::visit::Visit;
use askuser_desk::Desk;

/// A page that was silent for this long is gone.
const GONE_AFTER: Duration = Duration::from_secs(40);
/// People at one ask, and asks looked at, at most; more are not told of each other.
const PEOPLE_MAX: usize = 20;
const ASKS_MAX: usize = 10_000;
/// The longest name of a tab.
const TAB_CHARS_MAX: usize = 40;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Someone {
    tab: String,
    name: String,
    typing: bool,
    seen: Timestamp,
    user: UserId,
}

/// What it is called between replicas.
const TOPIC: &str = "present";

/// The ask, the tab, the name, whether they type, when, whether they left, and who it is.
type Words = (String, String, String, bool, i64, bool, String);

impl Someone {
    fn whisper(&self, ask: AskId, is_gone: bool) -> String {
        let Self { tab, name, typing, seen, user } = self;
        json!([ask.to_string(), tab, name, typing, seen.0, is_gone, user.as_str()]).to_string()
    }

    /// Reads what another replica has told; nothing where it makes no sense.
    fn read(words: &str) -> Option<(AskId, Self, bool)> {
        let (ask, tab, name, typing, seen, is_gone, user): Words = serde_json::from_str(words).ok()?;
        let (seen, user) = (Timestamp(seen), UserId::new(user));
        Some((ask.parse().ok()?, Self { tab, name, typing, seen, user }, is_gone))
    }
}

/// Who is where.
#[derive(Default)]
pub(super) struct Presence(Mutex<HashMap<AskId, Vec<Someone>>>);

impl Presence {
    /// Hears of those who look at an ask through another replica.
    pub(super) fn listen(self: &Arc<Self>, desk: &Desk) {
        let presence = Arc::downgrade(self);
        let viewers = desk.viewers();
        desk.replicas().subscribe(
            TOPIC,
            Arc::new(move |words| {
                if let (Some(presence), Some((ask, someone, is_gone))) =
                    (presence.upgrade(), Someone::read(words))
                {
                    viewers.note(ask, &someone.user, someone.seen, is_gone);
                    presence.note(ask, someone, is_gone);
                }
            }),
        );
    }

    /// Notes someone, or that they left, and returns the others.
    fn note(&self, ask: AskId, someone: Someone, is_gone: bool) -> Vec<(String, bool)> {
        let now = someone.seen;
        let mut asks = self.0.lock();
        if asks.len() >= ASKS_MAX {
            asks.retain(|_, people| people.iter().any(|other| now.since(other.seen) < GONE_AFTER));
        }
        if asks.len() >= ASKS_MAX && !asks.contains_key(&ask) {
            return Vec::new();
        }
        let people = asks.entry(ask).or_default();
        people.retain(|other| now.since(other.seen) < GONE_AFTER && other.tab != someone.tab);
        let others = people.iter().map(|other| (other.name.clone(), other.typing)).collect();
        if !is_gone && people.len() < PEOPLE_MAX {
            people.push(someone);
        }
        others
    }
}

/// `POST /asks/{ask}/present`: the script says that its page is looked at.
pub(super) async fn note(visit: &Visit) -> Shown {
    let person = visit.person()?;
    let ask = visit.desk().ask_of(&person, visit.ask_id()?).await?;
    let given = visit.form.get("name").unwrap_or_default().trim();
    let name =
        if given.is_empty() { visit.shown_name() } else { given.chars().take(NAME_CHARS_MAX).collect() };
    let someone = Someone {
        tab: visit.form.get("tab").unwrap_or_default().chars().take(TAB_CHARS_MAX).collect(),
        name,
        typing: visit.form.get("typing") == Some("1"),
        seen: visit.desk().now(),
        user: person.user.clone(),
    };
    let is_gone = visit.form.get("gone") == Some("1");
    visit.desk().replicas().publish(TOPIC, &someone.whisper(ask.id, is_gone));
    visit.desk().viewers().note(ask.id, &person.user, someone.seen, is_gone);
    let others = visit.site.presence.note(ask.id, someone, is_gone);
    let others: Vec<_> =
        others.into_iter().map(|(name, typing)| json!({"name": name, "typing": typing})).collect();
    Ok(axum::Json(json!({ "others": others })).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn someone(tab: &str, at: i64) -> Someone {
        let (tab, name, user) = (tab.to_owned(), tab.to_uppercase(), UserId::new(tab));
        Someone { tab, name, typing: false, seen: Timestamp(at), user }
    }

    #[test]
    fn d19_two_people_on_two_replicas_see_each_other_too() {
        let (presence, ann) = (Presence::default(), someone("ann", 0));
        let (ask, heard, is_gone) = Someone::read(&ann.whisper(AskId(1), false)).unwrap();
        assert_eq!((ask, &heard, is_gone), (AskId(1), &ann, false));
        presence.note(ask, heard, is_gone);
        assert_eq!(presence.note(AskId(1), someone("bob", 1000), false), [("ANN".to_owned(), false)]);
        assert_eq!(Someone::read("[1]"), None);
    }

    #[test]
    fn d19_two_people_on_one_ask_see_each_other_while_they_are_there() {
        let (presence, ask) = (Presence::default(), AskId(1));
        assert_eq!(presence.note(ask, someone("ann", 0), false), []);
        assert_eq!(presence.note(ask, someone("bob", 1000), false), [("ANN".to_owned(), false)]);
        assert_eq!(presence.note(ask, someone("ann", 2000), false), [("BOB".to_owned(), false)]);
        assert_eq!(presence.note(AskId(2), someone("cid", 2000), false), []);
        assert_eq!(presence.note(ask, someone("ann", 42_000), false), [], "Bob's page was silent");
        assert_eq!(presence.note(ask, someone("bob", 43_000), false).len(), 1);
        assert_eq!(presence.note(ask, someone("bob", 44_000), true).len(), 1);
        assert_eq!(presence.note(ask, someone("ann", 45_000), false), [], "Bob said that he left");
    }
}
