//! Rules that the person set up: an ask that is shown is looked at once, and answered or refused for
//! them where their rules say so (invariant 5). Which rules there are is handed in.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Command, Role, RuleReach};
use askuser_core::entry::Entry;
use askuser_core::fact::Fact;
use askuser_core::id::{AskId, QuestionId};
use askuser_core::outcome::{By, Channel, Proof};

use super::{Desk, story};
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

/// Looks an ask up in the rules. Called for every ask that is shown, so it must be quick.
pub type Rules = Arc<dyn Fn(&Ask) -> Ruling + Send + Sync>;

impl Desk {
    /// Sets the rules; once, before the first ask.
    pub fn set_rules(&self, rules: Rules) {
        // A second set would be a fault of the wiring; the first one holds.
        let _set = self.0.rules.set(rules);
    }

    /// Applies the rules to every ask that was just shown, and to those that move up for it.
    pub(super) async fn apply_rules(&self, committed: &mut Committed) {
        let Some(rules) = self.0.rules.get() else { return };
        let mut shown = shown(committed);
        while let Some(id) = shown.pop() {
            let Ok(Some(ask)) = self.0.store.ask(id).await else { continue };
            let ruling = rules(&ask);
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
