//! Rules that the person set up: an ask that is shown is looked at once, and answered or refused for
//! them where their rules say so (invariant 5). Which rules there are is handed in.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command, Role, RuleReach};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, QuestionId, UserId};
use askuser_core::outcome::{By, Channel, Proof};
use askuser_core::time::Timestamp;

use serde_json::json;

use super::{Desk, DeskError, story};
use crate::store::audit::{SecurityEvent, Severity, address};
use crate::store::{Committed, Order, SessionRef};

/// What the person's rules say of an ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruling {
    /// Nothing: it waits for a person.
    Silent,
    /// The answers.
    Answer {
        /// The whole sheet.
        entries: Vec<(QuestionId, Entry)>,
        /// The name of the rule.
        rule: Option<String>,
        /// What the rule is good for.
        reach: RuleReach,
    },
    /// Nobody is to be asked: it ends unanswered, with what was asked.
    Refuse {
        /// What was asked that no rule answers.
        why: String,
    },
}

/// The person's rules.
pub trait Rulebook: Send + Sync {
    /// Looks an ask up. Called for every ask that is shown, so it must be quick.
    fn rule(&self, ask: &Ask, now: Timestamp) -> Ruling;
    /// Returns the rules that were made from answers of a person, the newest first; not those that ended.
    fn made(&self, user: &UserId, now: Timestamp) -> Result<Vec<MadeRule>, NoRule>;
    /// Makes a rule from an ask that this person answered. Once more, it only ends at another time.
    fn make(&self, ask: &Ask, user: &UserId, until: Timestamp, now: Timestamp) -> Result<MadeRule, NoRule>;
    /// Removes a rule of this person.
    fn remove(&self, id: &str, user: &UserId, now: Timestamp) -> Result<(), NoRule>;
    /// Whether a rule could be made from an ask.
    fn may_make(&self, ask: &Ask, user: &UserId) -> bool;
}

/// The rules of a desk.
pub type Rules = Arc<dyn Rulebook>;

/// A rule that a person made from an answer they gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeRule {
    /// Its id.
    pub id: String,
    /// What it is called in an outcome.
    pub name: String,
    /// The ask that it was made from.
    pub from: AskId,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it ends.
    pub until: Timestamp,
    /// The agent that it answers, where that said who it is.
    pub agent: Option<String>,
    /// The project, or its folder.
    pub project: Option<String>,
    /// What is asked, and the answer, in words.
    pub says: Vec<(String, String)>,
}

/// Why there is no such rule.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NoRule {
    /// The ask cannot be seen.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// It was not proven that a person makes it.
    #[error("rules are made by people, and this came with an agent's mark")]
    ByAgent,
    /// The ask is not one that a rule is made from; the words say why.
    #[error("{0}")]
    Unfit(String),
    /// It would end before it begins, or after longer than anybody remembers it.
    #[error("a rule ends within a year, and not before now")]
    Until,
    /// There are enough.
    #[error("{0} rules of yours are there already: remove some first")]
    TooMany(usize),
    /// There is none of that id, of this person.
    #[error("there is no such rule of yours")]
    NotFound,
    /// This desk has no place for rules.
    #[error("this desk keeps no rules")]
    Off,
    /// The file cannot be read or written.
    #[error("the rules cannot be kept: {0}")]
    File(String),
}

/// How long a rule holds where nobody says.
const USUAL: Duration = Duration::from_hours(30 * 24);
/// How long it may hold.
const LONGEST: Duration = Duration::from_hours(366 * 24);

impl Desk {
    /// Sets the rules; once, before the first ask.
    pub fn set_rules(&self, rules: Rules) {
        // A second set would be a fault of the wiring; the first one holds.
        let _set = self.0.rules.set(rules);
    }

    /// Returns the rules that a person made, the newest first.
    pub async fn made_rules(&self, person: &Actor) -> Result<Vec<MadeRule>, NoRule> {
        let (user, now) = (person.user.clone(), self.now());
        self.with_rules(move |rules| rules.made(&user, now)).await
    }

    /// Makes a rule from an ask that this person answered: the same question from the same agent in the
    /// same project is answered so from now on (invariant 5). Never for an agent (invariant 6).
    pub async fn make_rule(
        &self,
        person: &Actor,
        ask: AskId,
        until: Option<Timestamp>,
    ) -> Result<MadeRule, NoRule> {
        if person.role != Role::Person || matches!(person.by.proof, Proof::AsPerson | Proof::AgentDialog) {
            return Err(NoRule::ByAgent);
        }
        let now = self.now();
        let until = until.unwrap_or_else(|| now.after(USUAL));
        if until <= now || until > now.after(LONGEST) {
            return Err(NoRule::Until);
        }
        let ask = self.ask_of(person, ask).await?;
        let (user, id) = (person.user.clone(), ask.id);
        let made = self.with_rules(move |rules| rules.make(&ask, &user, until, now)).await?;
        if let Err(error) = self.record("rule_made", person, &made.id, Some((id, made.until))).await {
            // One of which nobody could say who made it is none.
            let (user, rule) = (person.user.clone(), made.id);
            self.with_rules(move |rules| rules.remove(&rule, &user, now)).await?;
            return Err(error.into());
        }
        tracing::info!(ask.id = %id, rule = made.id, user = %person.user, proof = person.by.proof.name(),
            "{} was made from {id}", made.id);
        Ok(made)
    }

    /// Removes a rule that this person made.
    pub async fn remove_rule(&self, person: &Actor, id: &str) -> Result<(), NoRule> {
        let (user, rule, now) = (person.user.clone(), id.to_owned(), self.now());
        self.with_rules(move |rules| rules.remove(&rule, &user, now)).await?;
        if let Err(error) = self.record("rule_removed", person, id, None).await {
            tracing::error!(rule = id, "Who removed {id} is in this log and nowhere else: {error}");
        }
        tracing::info!(rule = id, user = %person.user, "{id} was removed");
        Ok(())
    }

    /// Whether this person may make a rule from an ask.
    pub fn may_make_rule(&self, person: &Actor, ask: &Ask) -> bool {
        self.0.rules.get().is_some_and(|rules| rules.may_make(ask, &person.user))
    }

    /// Puts into the chain of security events who made or removed a rule. What it says is in the facts of
    /// the ask that it was made from: those can be erased by age.
    async fn record(
        &self,
        kind: &str,
        person: &Actor,
        rule: &str,
        made: Option<(AskId, Timestamp)>,
    ) -> Result<(), DeskError> {
        let Some(audit) = self.0.store.audit() else { return Ok(()) };
        let mut details = json!({
            "user": person.user.as_str(), "rule_id": rule,
            "channel": person.by.channel.name(), "proof": person.by.proof.name(),
        });
        if let Some(address) = address() {
            details["address"] = address.into();
        }
        if let Some((ask, until)) = made {
            details["ask_id"] = ask.to_string().into();
            details["until_ms"] = until.0.into();
        }
        let (kind, details) = (kind.to_owned(), details.to_string());
        let event = SecurityEvent { number: 0, at: self.now(), kind, severity: Severity::Low, details };
        Ok(audit.add_events(vec![event]).await?)
    }

    /// Rules lie in a file: not on a thread that others wait for.
    async fn with_rules<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Rulebook) -> Result<T, NoRule> + Send + 'static,
    ) -> Result<T, NoRule> {
        let rules = Arc::clone(self.0.rules.get().ok_or(NoRule::Off)?);
        let worked = tokio::task::spawn_blocking(move || work(rules.as_ref()));
        worked.await.unwrap_or_else(|error| Err(NoRule::File(error.to_string())))
    }

    /// Applies the rules to every ask that was just shown, and to those that move up for it.
    pub(super) async fn apply_rules(&self, committed: &mut Committed) {
        let Some(rules) = self.0.rules.get() else { return };
        let mut shown = shown(committed);
        while let Some(id) = shown.pop() {
            let Ok(Some(ask)) = self.0.store.ask(id).await else { continue };
            let ruling = rules.rule(&ask, self.now());
            if ask.terms.audience.is_some() && matches!(ruling, Ruling::Answer { .. }) {
                // A rule speaks for whoever wrote it, and this ask is for people by their names.
                continue;
            }
            let Some(command) = command(id, ruling) else { continue };
            let order =
                Order { actor: server(&ask), session: SessionRef::OfAsk(id), command, now: self.now() };
            match self.0.store.commit(order).await {
                Ok(done) => {
                    story::tell(&done);
                    shown.extend(self::shown(&done));
                    if committed.ask.as_ref().is_some_and(|about| about.id == id) {
                        committed.ask.clone_from(&done.ask);
                    }
                }
                // A person was quicker, or the rule does not fit: it is theirs.
                Err(error) => tracing::warn!(ask.id = %id, "A rule was not applied to {id}: {error}"),
            }
        }
    }
}

fn shown(committed: &Committed) -> Vec<AskId> {
    let facts = committed.facts.iter().filter_map(|numbered| numbered.fact.as_deref());
    facts.filter_map(|fact| if let Fact::Shown { ask } = fact { Some(*ask) } else { None }).collect()
}

fn command(ask: AskId, ruling: Ruling) -> Option<Command> {
    match ruling {
        Ruling::Silent => None,
        Ruling::Answer { entries, rule, reach } => Some(Command::AnswerByRule { ask, entries, rule, reach }),
        Ruling::Refuse { why } => Some(Command::Withdraw { ask, reason: Some(why) }),
    }
}

fn server(ask: &Ask) -> Actor {
    let by = By { user: None, channel: Channel::Server, proof: Proof::Rule };
    Actor { role: Role::Server, user: ask.owner.clone(), by }
}
