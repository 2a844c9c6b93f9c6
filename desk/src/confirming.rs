//! Rules for permissions that a person confirmed: one that was written by hand counts for nobody who has
//! not read its very text on the page and said so (invariant 6).

use std::collections::HashSet;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::asker::Purpose;
use askuser_core::command::{Actor, Role};
use askuser_core::hex::hex;
use askuser_core::id::UserId;
use askuser_core::outcome::Channel;
use askuser_core::time::Timestamp;
use parking_lot::Mutex;
use serde_json::json;

use super::{Desk, NoRule, StoreError};
use askuser_config::rules::{Book, PermissionRule, RuleDigest};
use askuser_store::audit::{SecurityEvent, Severity, address};
use askuser_store::rules::ConfirmedRule;

/// Rules of which it was told that they wait to be confirmed; more are told again.
const TOLD_MAX: usize = 1000;

/// A rule for permissions, as it stands with a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmableRule {
    /// Its digest, as it is written.
    pub id: String,
    /// Its name, where it has one and is in the file.
    pub name: Option<String>,
    /// All of it.
    pub text: String,
    /// Since when the person has confirmed it.
    pub confirmed_at: Option<Timestamp>,
    /// Whether it is in the file now.
    pub in_file: bool,
}

/// What was said in the log once.
#[derive(Default)]
pub(super) struct ToldUnconfirmed(Mutex<HashSet<(UserId, RuleDigest)>>);

impl Desk {
    /// Returns the rules for permissions that are about a person: those that wait to be confirmed first,
    /// then those that count, then those that were confirmed and are in the file no more.
    pub async fn permission_rules(&self, person: &Actor) -> Result<Vec<ConfirmableRule>, NoRule> {
        let confirmed = self.0.store.ruling().confirmed_rules(person.user.clone()).await?;
        let book = self.rules_by_hand().await.unwrap_or_default();
        let mut listed: Vec<ConfirmableRule> = Vec::new();
        for rule in book.for_permissions().filter(|rule| rule.is_for(person.user.as_str())) {
            let known = confirmed.iter().find(|known| known.digest == rule.digest);
            let (id, name, text) = (rule.id(), rule.name.clone(), rule.text.clone());
            if !listed.iter().any(|other| other.id == id) {
                let confirmed_at = known.map(|known| known.at);
                listed.push(ConfirmableRule { id, name, text, confirmed_at, in_file: true });
            }
        }
        for ConfirmedRule { digest, at, text, .. } in confirmed {
            let id = hex(&digest);
            if !listed.iter().any(|other| other.id == id) {
                listed.push(ConfirmableRule { id, name: None, text, confirmed_at: Some(at), in_file: false });
            }
        }
        listed.sort_by_key(|rule| (!rule.in_file, rule.confirmed_at.is_some()));
        Ok(listed)
    }

    /// Confirms a rule for permissions that is in the file now, by its digest: from now on it answers for
    /// this person. Only on the page, with a proof that may grant the permission itself.
    pub async fn confirm_rule(&self, person: &Actor, id: &str) -> Result<(), NoRule> {
        may_confirm(person)?;
        let book = self.rules_by_hand().await.unwrap_or_default();
        let mut rules = book.for_permissions().filter(|rule| rule.is_for(person.user.as_str()));
        let rule = rules.find(|rule| rule.id() == id).ok_or(NoRule::NotFound)?;
        let now = self.now();
        let confirmed = ConfirmedRule {
            person: person.user.clone(),
            digest: rule.digest,
            at: now,
            text: rule.text.clone(),
        };
        let event = confirming_event("rule_confirmed", person, id, rule.name.as_deref(), now);
        if self.0.store.ruling().confirm_rule(confirmed, event).await? {
            tracing::warn!(rule = id, user = %person.user, "A rule for permissions was confirmed");
        }
        // What it was to answer and nobody has touched is looked at again.
        self.apply_rules_to_open();
        Ok(())
    }

    /// Takes that back: the person is asked again.
    pub async fn unconfirm_rule(&self, person: &Actor, id: &str) -> Result<(), NoRule> {
        if person.role != Role::Person {
            return Err(NoRule::ByAgent);
        }
        let known = self.0.store.ruling().confirmed_rules(person.user.clone()).await?;
        let known = known.iter().find(|known| hex(&known.digest) == id);
        let digest = known.ok_or(NoRule::NotFound)?.digest;
        let event = confirming_event("rule_unconfirmed", person, id, None, self.now());
        if !self.0.store.ruling().unconfirm_rule(person.user.clone(), digest, event).await? {
            return Err(NoRule::NotFound);
        }
        tracing::info!(rule = id, user = %person.user, "The confirmation of a rule for permissions was revoked");
        Ok(())
    }

    /// Returns the rules for permissions that the owner of an ask confirmed; none where it is no
    /// permission, or no rule could answer one.
    pub(super) async fn confirmed_for(&self, ask: &Ask, book: &Book) -> Result<Vec<RuleDigest>, StoreError> {
        if ask.terms.purpose != Purpose::Permission || book.for_permissions().next().is_none() {
            return Ok(Vec::new());
        }
        let confirmed = self.0.store.ruling().confirmed_rules(ask.owner.clone()).await?;
        Ok(confirmed.iter().map(|rule| rule.digest).collect())
    }

    /// Says in the log why an ask waits for its person, once for each rule.
    pub(super) fn tell_unconfirmed(&self, ask: &Ask, rules: &[Arc<PermissionRule>]) {
        let mut told = self.0.rules.told.0.lock();
        for rule in rules {
            if told.len() >= TOLD_MAX {
                told.clear();
            }
            if told.insert((ask.owner.clone(), rule.digest)) {
                let (id, name) = (rule.id(), rule.name.as_deref().unwrap_or_default());
                tracing::warn!(ask.id = %ask.id, rule = id, name, user = %ask.owner,
                    "{} waits for {}, who has not confirmed the rule that would answer it: it is on the page, \
                     under Rules", ask.id, ask.owner);
            }
        }
    }
}

/// A program that runs as the agent's user has the person's key as easily as they have; their browser it
/// has not.
fn may_confirm(person: &Actor) -> Result<(), NoRule> {
    let on_the_page = person.by.channel == Channel::Web && person.by.proof.may_grant();
    if person.role == Role::Person && on_the_page { Ok(()) } else { Err(NoRule::NotOnThePage) }
}

fn confirming_event(
    kind: &str,
    person: &Actor,
    id: &str,
    name: Option<&str>,
    at: Timestamp,
) -> SecurityEvent {
    let details = json!({
        "user": person.user.as_str(), "rule_digest": id, "name": name,
        "channel": person.by.channel.name(), "proof": person.by.proof.name(),
        "address": address().map(|address| address.to_string()),
    });
    let (kind, details) = (kind.to_owned(), details.to_string());
    SecurityEvent { number: 0, at, kind, severity: Severity::Medium, details }
}
