//! Rules that the person set up: an ask that is shown is looked at once, and answered or refused for
//! them where their rules say so (invariant 5). Those that were written by hand are handed in; those that
//! people made from answers are in the store, and are looked up there each time, so that they hold on
//! every server alike.

use std::sync::Arc;
use std::time::Duration;

use askuser_core::ask::{Ask, State};
use askuser_core::command::{Actor, Command, Role};
use askuser_core::fact::Fact;
use askuser_core::hearing::Hearing;
use askuser_core::id::AskId;
use askuser_core::outcome::{By, Proof};
use askuser_core::time::Timestamp;
use askuser_words::Both;
use serde_json::{Value, json};

use super::{Desk, DeskError, StoreError, log};
use askuser_config::rules::made::{self, MadeRule, NotMade};
use askuser_config::rules::{Asked, Book, Found, Otherwise, check};
use askuser_store::audit::{SecurityEvent, Severity, address};
use askuser_store::rules::KeptRule;
use askuser_store::{Committed, Order, SessionRef};

/// Why there is no such rule.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NoRule {
    /// The ask cannot be seen.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// It was not proven that a person makes it.
    #[error("it came with an agent's mark")]
    ByAgent,
    /// It was not confirmed where only the person is.
    #[error("a rule for permissions is confirmed on the page, signed in")]
    NotOnThePage,
    /// The ask is not one that a rule is made from; the words say why.
    #[error("no rule is made of this: {0:?}")]
    Unfit(NotMade),
    /// It would end before it begins, or after longer than anybody remembers it.
    #[error("a rule ends within a year, and not before now")]
    Until,
    /// There are enough.
    #[error("{0} rules of yours are there already: remove some first")]
    TooMany(usize),
    /// There is none of that id, of this person.
    #[error("there is no such rule of yours")]
    NotFound,
}

impl From<StoreError> for NoRule {
    fn from(error: StoreError) -> Self {
        Self::Desk(error.into())
    }
}

/// Open asks that are looked at in one go.
const PAGE: usize = 256;
/// How long after it was asked an ask may still be refused because no rule answers it, where that was missed.
const JUST_ASKED: Duration = Duration::from_mins(1);
/// How long a rule holds where nobody says.
const USUAL: Duration = Duration::from_hours(30 * 24);
/// How long it may hold.
const LONGEST: Duration = Duration::from_hours(366 * 24);

impl Desk {
    /// Returns the rules that a person made, the newest first; not those that ended.
    pub async fn made_rules(&self, person: &Actor) -> Result<Vec<MadeRule>, NoRule> {
        let entries = self.0.store.ruling().rules_of(person.user.clone(), self.now()).await?;
        let entries = entries.iter().filter_map(|entry| serde_json::from_str(entry).ok());
        Ok(made::listed(entries).into_iter().map(|(rule, _)| rule).collect())
    }

    /// Makes a rule from an ask that this person answered: the same question from the same agent in the
    /// same project is answered so from now on (invariant 5). Never for an agent (invariant 6). Once more,
    /// it only ends at another time.
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
        let new = made::make(&ask, &person.user, until, now);
        let new = made::listed(new.map_err(NoRule::Unfit)?).pop();
        let (made, entries) = new.ok_or(NoRule::NotFound)?;
        let event = self.event("rule_made", person, &made.id, Some((ask.id, made.until)));
        self.keep(&made, &entries, event).await?;
        tracing::info!(ask.id = %ask.id, rule = made.id, user = %person.user,
            proof = person.by.proof.name(), "{} was made from {}", made.id, ask.id);
        Ok(made)
    }

    async fn keep(&self, made: &MadeRule, entries: &[Value], event: SecurityEvent) -> Result<(), NoRule> {
        let rule = KeptRule {
            person: made.user.clone(),
            ask: made.from,
            made_at: made.made_at,
            until: made.until,
            entries: entries.iter().map(|entry| (made::mark(entry), entry.to_string())).collect(),
        };
        let kept = self.0.store.ruling().add_rule(rule, made::PER_PERSON_MAX, event).await?;
        if kept { Ok(()) } else { Err(NoRule::TooMany(made::PER_PERSON_MAX)) }
    }

    /// Removes a rule that this person made: what is shown from now on, on whichever server, is theirs to
    /// answer.
    pub async fn remove_rule(&self, person: &Actor, id: &str) -> Result<(), NoRule> {
        let ask = made::from(id).ok_or(NoRule::NotFound)?;
        let event = self.event("rule_removed", person, id, None);
        if !self.0.store.ruling().remove_rule(person.user.clone(), ask, event).await? {
            return Err(NoRule::NotFound);
        }
        tracing::info!(rule = id, user = %person.user, "{id} was removed");
        Ok(())
    }

    /// Whether this person may make a rule from an ask.
    pub fn may_make_rule(&self, person: &Actor, ask: &Ask) -> bool {
        made::may(ask, &person.user).is_ok()
    }

    /// What the chain of security events says of a rule: who made or removed it. What it says is in the
    /// facts of the ask that it was made from: those can be erased by age.
    fn event(
        &self,
        kind: &str,
        actor: &Actor,
        rule: &str,
        made: Option<(AskId, Timestamp)>,
    ) -> SecurityEvent {
        let mut details = json!({
            "user": actor.user.as_str(), "rule_id": rule,
            "channel": actor.by.channel.name(), "proof": actor.by.proof.name(),
        });
        if let Some(address) = address() {
            details["address"] = address.to_string().into();
        }
        if let Some((ask, until)) = made {
            details["ask_id"] = ask.to_string().into();
            details["until_ms"] = until.0.into();
        }
        let (kind, details) = (kind.to_owned(), details.to_string());
        SecurityEvent { number: 0, at: self.now(), kind, severity: Severity::Low, details }
    }

    /// Whether there is anything that could answer an ask in place of a person.
    pub(super) fn rules_may_apply(&self) -> bool {
        self.0.store.ruling().may_have_rules() || self.may_have_rules_by_hand()
    }

    /// Looks once more at what is open and nobody has begun to answer, in the background: a desk that was
    /// killed between showing an ask and applying its rule left it waiting.
    pub fn apply_rules_to_open(&self) {
        if self.rules_may_apply() {
            let desk = self.clone();
            self.0.tasks.spawn(async move {
                if let Err(error) = desk.look_again().await {
                    tracing::warn!("Open questions were not checked against the rules: {error}");
                }
            });
        }
    }

    pub(super) async fn look_again(&self) -> Result<(), DeskError> {
        let mut after = None;
        while !self.0.stopping.is_cancelled() {
            let page = self.0.store.open_asks(after, PAGE).await?;
            after = page.last().map(|ask| ask.id);
            for ask in page {
                let mut found = Committed { facts: Vec::new(), ask: Some(ask), session: None, joined: true };
                self.apply_rules(&mut found).await;
            }
            if after.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Applies the rules to every ask that was just shown, and to those that move up for it; and to one that
    /// was asked again while nobody had begun to answer it: whoever asked first may not have got that far.
    pub(super) async fn apply_rules(&self, committed: &mut Committed) {
        let mut shown = shown(committed);
        shown.extend(
            committed.ask.iter().filter(|ask| committed.joined && is_untouched(ask)).map(|ask| ask.id),
        );
        while let Some(id) = shown.pop() {
            // Mostly it is the ask that all this was about, and need not be read again.
            let ask = match committed.ask.as_ref().filter(|about| about.id == id) {
                Some(about) => Some(Arc::clone(about)),
                None => self.0.store.ask(id).await.ok().flatten(),
            };
            let Some(ask) = ask else { continue };
            let Some(command) = self.ruling(&ask).await else { continue };
            // One that has waited for long was shown to its person then, and is not taken from them now.
            let is_late = committed.joined && self.now().since(ask.asked_at) > JUST_ASKED;
            if is_late && matches!(command, Command::Withdraw { .. }) {
                continue;
            }
            let order =
                Order { actor: server(&ask), session: SessionRef::OfAsk(id), command, now: self.now() };
            match self.0.store.commit(order).await {
                Ok(done) => {
                    log::committed(&done);
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

    /// What the rules make of an ask: those that were written by hand, and behind them those that its
    /// owner made. Nothing where it waits for a person.
    async fn ruling(&self, ask: &Ask) -> Option<Command> {
        if let Some(found) = check::answered(ask) {
            return command(ask, found, None);
        }
        let mut book = self.rules_by_hand().await?;
        let confirmed = self.confirmed_for(ask, &book).await.map_err(|error| error.to_string());
        let made = match &confirmed {
            Ok(_) => self.made_for(ask).await,
            Err(why) => Err(why.clone()),
        };
        match made {
            Ok(None) => {}
            Ok(Some(made)) => book = Arc::new(Book::clone(&book).and(made)),
            // Rather ask than answer, or refuse, without having looked.
            Err(why) => {
                tracing::error!(ask.id = %ask.id, "No rule is applied to {}; it waits for a person: {why}", ask.id);
                return None;
            }
        }
        if book.is_silent() {
            return None;
        }
        let asked = Asked {
            questions: &ask.questions,
            terms: &ask.terms,
            owner: Some(&ask.owner),
            asked_by: ask.asked_by,
            confirmed: &confirmed.unwrap_or_default(),
            now: self.now(),
        };
        let found = book.look_up(&asked);
        if let Found::Unconfirmed(rules) = &found {
            self.tell_unconfirmed(ask, rules);
        }
        command(ask, found, book.otherwise())
    }

    /// The rules that the owner of an ask made and that may answer it.
    async fn made_for(&self, ask: &Ask) -> Result<Option<Book>, String> {
        let kept = self.0.store.ruling();
        let marks = if kept.may_have_rules() { made::marks(ask) } else { Vec::new() };
        if marks.is_empty() {
            return Ok(None);
        }
        let entries = kept.rules_marked(ask.owner.clone(), marks, self.now()).await;
        let entries = entries.map_err(|error| error.to_string())?;
        if entries.is_empty() {
            return Ok(None);
        }
        made::book(&entries).map(Some).map_err(|faults| {
            let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
            format!("a rule that was made cannot be read: {}", told.join("; "))
        })
    }
}

fn shown(committed: &Committed) -> Vec<AskId> {
    let facts = committed.facts.iter().filter_map(|numbered| numbered.fact.as_deref());
    facts.filter_map(|fact| if let Fact::Shown { ask } = fact { Some(*ask) } else { None }).collect()
}

/// Whether an ask is shown and nobody has put anything down for it.
fn is_untouched(ask: &Ask) -> bool {
    ask.state == State::Showing && ask.entries.is_empty() && ask.hearing == Hearing::default()
}

fn command(ask: &Ask, found: Found, otherwise: Option<Otherwise>) -> Option<Command> {
    match found {
        // A rule speaks for whoever wrote it, and such an ask is for people by their names.
        Found::Answers { .. } if ask.terms.audience.is_some() => None,
        Found::Answers { entries, rule, reach } => {
            Some(Command::AnswerByRule { ask: ask.id, entries, rule, reach })
        }
        // Whatever becomes of other asks, this one is for the person.
        Found::Unconfirmed(_) => None,
        Found::Unanswered(why) => (otherwise == Some(Otherwise::Fail))
            .then(|| Command::Withdraw { ask: ask.id, reason: Some(in_english(&why)) }),
    }
}

fn in_english(why: &[Both]) -> String {
    why.iter().map(|why| why.english.as_str()).collect::<Vec<_>>().join("; ")
}

fn server(ask: &Ask) -> Actor {
    Actor { by: By::rule(), ..Actor::server(ask.owner.clone()) }
}
