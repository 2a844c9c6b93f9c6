//! Short ids: what people type in place of an id, and what is shown to them so that they can.
//!
//! The one place that says what a short id means. It means something only where it is the beginning or the end of one
//! id among all that there ever were, whoever's they are: so it never comes to mean another thing, in a script or in a
//! person's memory. What is told of the ids that fit is only what the caller may see.

use std::collections::HashMap;
use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::{Actor, Role};
use askuser_core::id::{AskId, SessionId, TaskId};
use askuser_core::session::{Session, SessionStatus};
use askuser_core::short_id::{Digits, Part, shortest_end, tail};
use askuser_core::task::Task;
use askuser_core::time::Timestamp;

use super::{Desk, DeskError, HistoryQuery, LIST_MAX, MadeRule, NoRule};
use askuser_store::IdsOf;

/// Things that are told at once.
const TOLD_MAX: usize = 50;
/// Characters of what a thing is about.
const TEXT_CHARS_MAX: usize = 200;

/// What has a short id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ask,
    /// A session, which also goes by the agent's own name for it.
    Session,
    Task,
    /// A rule that a person made; it has the digits of the ask that it was made from.
    Rule,
}

impl Kind {
    fn prefix(self) -> &'static str {
        match self {
            Self::Ask => "ask_",
            Self::Session => "ses_",
            Self::Task => "task_",
            Self::Rule => "rule_",
        }
    }

    fn ids(self) -> IdsOf {
        match self {
            Self::Ask | Self::Rule => IdsOf::Asks,
            Self::Session => IdsOf::Sessions,
            Self::Task => IdsOf::Tasks,
        }
    }
}

/// A thing that a person may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    number: u128,
    /// Its whole id.
    pub id: String,
    /// The shortest end of it that stands for it.
    pub short_id: String,
    /// What it is about, on one line.
    pub text: String,
    /// Whose it is: the agent and the project.
    pub about: String,
    /// Since when it is there.
    pub at: Timestamp,
    /// Whether it waits, goes on or holds.
    pub open: bool,
}

/// Things that a person may mean.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Things {
    /// Those that may be told.
    pub things: Vec<Thing>,
    /// Whether there are others.
    pub more: bool,
}

impl Desk {
    /// Returns the shortest end of each of these ids that stands for it.
    pub async fn short_ids(&self, of: IdsOf, ids: &[u128]) -> Result<Vec<String>, DeskError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut tails: Vec<u16> = ids.iter().map(|id| tail(*id)).collect();
        tails.sort_unstable();
        tails.dedup();
        let mut alike: HashMap<u16, Vec<u128>> = HashMap::new();
        for id in self.0.store.ids().ids_with_tails(of, tails).await? {
            alike.entry(tail(id)).or_default().push(id);
        }
        let end = |id: &u128| {
            let others = alike.get(&tail(*id)).map(Vec::as_slice).unwrap_or_default();
            shortest_end(*id, others.iter().copied(), Digits::Base32)
        };
        Ok(ids.iter().map(end).collect())
    }

    /// Returns what may be meant by what was typed: one thing and no more where it stands for that.
    pub async fn meant(&self, actor: &Actor, kind: Kind, typed: &str) -> Result<Things, DeskError> {
        if kind == Kind::Session
            && let Some(named) = self.0.store.session_named(&actor.user, typed).await?
        {
            let things = vec![self.session_thing(&named).await?];
            return self.with_short_ids(kind, Things { things, more: false }).await;
        }
        let Some(part) = Part::read(typed, kind.prefix(), Digits::Base32) else {
            return Ok(Things::default());
        };
        let found = self.0.store.ids().ids_with_tails(kind.ids(), vec![part.tail()]).await?;
        let mut ids: Vec<u128> = found.into_iter().filter(|id| part.ends(*id)).collect();
        if let Some(range) = part.beginning() {
            ids.extend(self.0.store.ids().ids_between(kind.ids(), range, TOLD_MAX).await?);
        }
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.dedup();
        let mut things = Vec::new();
        for id in ids.iter().take(TOLD_MAX) {
            things.extend(self.thing(actor, kind, *id).await?);
        }
        // Where none may be told, nothing is said of others either.
        let more = !things.is_empty() && things.len() < ids.len();
        self.with_short_ids(kind, Things { things, more }).await
    }

    /// Returns what may be meant where nothing was typed: what is open first, then the latest.
    pub async fn things(&self, actor: &Actor, kind: Kind, open: bool) -> Result<Things, DeskError> {
        let mut things: Vec<Thing> = match kind {
            Kind::Ask => self.asks_meant(actor, open).await?.iter().map(|ask| ask_thing(ask)).collect(),
            Kind::Task => self.tasks(actor).await?.iter().map(|task| task_thing(task)).collect(),
            Kind::Rule => self.made_rules(actor).await.map_err(of_desk)?.iter().map(rule_thing).collect(),
            Kind::Session => {
                let mut things = Vec::new();
                for session in self.0.store.sessions(&actor.user, TOLD_MAX).await? {
                    things.push(self.session_thing(&session).await?);
                }
                things
            }
        };
        things.retain(|thing| thing.open || !open);
        things.sort_by_key(|thing| !thing.open);
        let more = things.len() > TOLD_MAX;
        things.truncate(TOLD_MAX);
        self.with_short_ids(kind, Things { things, more }).await
    }

    /// The asks that wait for a person, then those that ended; of an agent those that it asked itself.
    async fn asks_meant(&self, actor: &Actor, open: bool) -> Result<Vec<Arc<Ask>>, DeskError> {
        if actor.role == Role::Agent {
            let mut asks = self.0.store.open_asks(None, LIST_MAX).await?;
            asks.retain(|ask| actor.may_see_ask(ask) && ask.asked_by == actor.key);
            return Ok(asks);
        }
        let mut asks = self.inbox_upto(actor, LIST_MAX).await?.0;
        if !open {
            asks.extend(self.history(actor, &HistoryQuery::default()).await?.asks);
        }
        Ok(asks)
    }

    /// Returns a thing, where it is there and this actor may see it.
    async fn thing(&self, actor: &Actor, kind: Kind, id: u128) -> Result<Option<Thing>, DeskError> {
        Ok(match kind {
            Kind::Ask => {
                let ask = self.0.store.ask(AskId(id)).await?;
                ask.filter(|ask| actor.may_see_ask(ask)).map(|ask| ask_thing(&ask))
            }
            Kind::Session => match self.0.store.session(SessionId(id)).await? {
                Some(session) if actor.may_see(&session.owner) => Some(self.session_thing(&session).await?),
                _ => None,
            },
            Kind::Task => {
                let task = self.0.store.task(TaskId(id)).await?;
                task.filter(|task| actor.may_see(&task.owner)).map(|task| task_thing(&task))
            }
            Kind::Rule => {
                let rules = self.made_rules(actor).await.map_err(of_desk)?;
                rules.iter().find(|rule| rule.from == AskId(id)).map(rule_thing)
            }
        })
    }

    /// A session says little by itself: what was last asked in it tells it from others.
    async fn session_thing(&self, session: &Session) -> Result<Thing, DeskError> {
        let before = session.round.saturating_sub(1);
        let last = self.0.store.asks_of(session.id, before, 1).await?;
        let text = last.first().map(|ask| ask.headline()).unwrap_or_default();
        let asker = last.first().map(|ask| asker(ask)).unwrap_or_default();
        let about = [session.given_name(), Some(asker.as_str())].into_iter().flatten();
        Ok(Thing {
            number: session.id.0,
            id: session.id.to_string(),
            short_id: String::new(),
            text: short(&text),
            about: about.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "),
            at: session.last_activity,
            open: session.status == SessionStatus::Active,
        })
    }

    async fn with_short_ids(&self, kind: Kind, mut found: Things) -> Result<Things, DeskError> {
        let numbers: Vec<u128> = found.things.iter().map(|thing| thing.number).collect();
        let short_ids = self.short_ids(kind.ids(), &numbers).await?;
        for (thing, short_id) in found.things.iter_mut().zip(short_ids) {
            thing.short_id = short_id;
        }
        Ok(found)
    }
}

fn ask_thing(ask: &Ask) -> Thing {
    Thing {
        number: ask.id.0,
        id: ask.id.to_string(),
        short_id: String::new(),
        text: short(&ask.headline()),
        about: asker(ask),
        at: ask.asked_at,
        open: ask.is_open(),
    }
}

fn task_thing(task: &Task) -> Thing {
    Thing {
        number: task.id.0,
        id: task.id.to_string(),
        short_id: String::new(),
        text: short(&task.text),
        about: task.agent.clone(),
        at: task.created_at,
        open: task.state.is_alive(),
    }
}

fn rule_thing(rule: &MadeRule) -> Thing {
    let says: Vec<String> =
        rule.says.iter().map(|(question, answer)| format!("{question} → {answer}")).collect();
    let about = [rule.agent.as_deref(), rule.project.as_deref()].into_iter().flatten();
    Thing {
        number: rule.from.0,
        id: rule.id.clone(),
        short_id: String::new(),
        text: short(&says.join("; ")),
        about: about.collect::<Vec<_>>().join(" · "),
        at: rule.made_at,
        open: rule.holds,
    }
}

fn asker(ask: &Ask) -> String {
    let asker = &ask.terms.asker;
    let parts = [asker.agent.as_deref(), asker.project.as_deref()].into_iter().flatten();
    parts.collect::<Vec<_>>().join(" · ")
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TEXT_CHARS_MAX).collect()
}

fn of_desk(error: NoRule) -> DeskError {
    match error {
        NoRule::Desk(error) => error,
        _ => DeskError::Refused(askuser_core::decide::Refusal::AskNotFound),
    }
}
