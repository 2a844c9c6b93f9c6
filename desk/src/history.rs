//! What was asked and how it ended, page by page and searched by words: the newest conversation first, and
//! in each the newest round first (P15). The one search there is: the page, the API and the terminal ask here.

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::command::Actor;
use askuser_core::id::{AskId, SessionId};
use askuser_core::search::{Search, readable};
use askuser_core::session::Session;
use askuser_core::time::Timestamp;

use super::{Desk, DeskError, LIST_MAX, people};
use askuser_config::rules::check;
use askuser_store::Numbered;

/// Asks on one page.
const PAGE_MAX: usize = 50;
/// Asks looked at for one page; a search that finds little goes on with the next one.
const LOOKED_AT_MAX: usize = 2000;
/// Rounds read from the store at once.
const ROUNDS: u32 = 100;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct HistoryQuery<'a> {
    /// Words that all have to be there.
    pub words: &'a str,
    /// Only in this session, by our id or by the agent's own.
    pub session: Option<&'a str>,
    /// The ask to go on after: `next` of the page before.
    pub after: Option<AskId>,
    /// Whether asks that are still open are wanted too.
    pub open: bool,
}

/// A page of what was found.
#[derive(Debug, Clone)]
pub struct HistoryPage {
    /// The asks, as their person sees them.
    pub asks: Vec<Arc<Ask>>,
    /// The last ask that was looked at, to go on after it; none at the end.
    pub next: Option<AskId>,
}

impl Desk {
    /// Returns the sessions of the actor's user, the newest first.
    pub async fn sessions(&self, actor: &Actor) -> Result<Vec<Session>, DeskError> {
        let sessions = self.0.store.sessions(&actor.user, LIST_MAX).await?;
        Ok(futures_util::future::join_all(sessions.into_iter().map(|session| self.as_of_now(session))).await)
    }

    /// Whether a session holds nothing but test questions of ours, of which this is the latest.
    pub async fn is_a_test(&self, actor: &Actor, latest: &Ask) -> Result<bool, DeskError> {
        // Most often the latest one says no.
        Ok(check::is_over(latest)
            && self.rounds(actor, latest.session).await?.iter().all(|ask| check::is_over(ask)))
    }

    /// Returns the rounds of a session, in order, those before included that it goes on from (D13); the newest,
    /// where there are more than one list shows.
    pub async fn rounds(&self, actor: &Actor, session: SessionId) -> Result<Vec<Arc<Ask>>, DeskError> {
        let found = self.0.store.session(session).await?;
        let listed = u32::try_from(LIST_MAX).unwrap_or(u32::MAX);
        let before = found.map_or(0, |session| session.round.saturating_sub(listed));
        let rounds = self.rounds_after(session, before, LIST_MAX).await?;
        Ok(rounds.into_iter().map(|ask| people::seen_by(actor, ask)).collect())
    }

    /// Returns at most so many rounds of a session, in order, that come after a round; those before included that it
    /// goes on from.
    pub async fn rounds_after(
        &self,
        session: SessionId,
        round: u32,
        most: usize,
    ) -> Result<Vec<Arc<Ask>>, DeskError> {
        let most = most.min(LIST_MAX);
        let mut rounds = self.0.store.asks_of(session, round, most).await?;
        let (mut last, mut until) = (session, Timestamp(i64::MAX));
        while let Some((from, to)) = self.0.store.session(last).await?.and_then(|it| it.goes_on_from()) {
            until = until.min(to);
            let mut earlier = self.0.store.asks_of(from, round, most).await?;
            let is_asked_anew = |ask: &Ask| {
                rounds.iter().any(|later| later.reopens == Some(ask.id) && later.round == ask.round)
            };
            earlier.retain(|ask| ask.has_ended_by(until) && !is_asked_anew(ask));
            rounds.extend(earlier);
            last = from;
        }
        rounds.sort_by_key(|ask| ask.round);
        rounds.truncate(most);
        Ok(rounds)
    }

    /// Returns the last facts of a session before a number, in order; before its end where none is given.
    pub async fn facts_before(
        &self,
        session: SessionId,
        before: Option<u64>,
        most: usize,
    ) -> Result<Vec<Numbered>, DeskError> {
        Ok(self.0.store.facts_before(session, before, most.min(LIST_MAX)).await?)
    }

    /// Returns the facts of a session after a number, in order.
    pub async fn facts_after(
        &self,
        session: SessionId,
        after: u64,
        most: usize,
    ) -> Result<Vec<Numbered>, DeskError> {
        Ok(self.0.store.facts_of(session, after, most.min(LIST_MAX)).await?)
    }

    /// Returns a page of the asks in a person's own sessions in which every word can be read. What was
    /// answered to a secret question cannot.
    pub async fn history(&self, person: &Actor, query: &HistoryQuery<'_>) -> Result<HistoryPage, DeskError> {
        let sessions = match query.session {
            Some(name) => vec![self.session(person, name).await?],
            None => self.sessions(person).await?,
        };
        let after = match query.after {
            None => None,
            Some(id) => Some(self.ask_of(person, id).await?),
        };
        let begins =
            after.as_ref().map_or(Some(0), |ask| sessions.iter().position(|it| it.id == ask.session));
        let rest = begins.and_then(|idx| sessions.get(idx..)).unwrap_or_default();
        let search = Search::new(query.words);
        let mut looking =
            Looking { person, search, open: query.open, found: Vec::new(), n_looked_at: 0, last: None };
        for (idx, session) in rest.iter().enumerate() {
            let below = after.as_ref().filter(|_| idx == 0).map_or(u32::MAX, |ask| ask.round);
            if looking.through(self, session, below).await? {
                break;
            }
        }
        let next = looking.last.filter(|_| looking.is_full());
        Ok(HistoryPage { asks: looking.found, next })
    }
}

/// A page being filled.
struct Looking<'a> {
    person: &'a Actor,
    search: Search,
    open: bool,
    found: Vec<Arc<Ask>>,
    n_looked_at: usize,
    last: Option<AskId>,
}

impl Looking<'_> {
    fn is_full(&self) -> bool {
        self.found.len() >= PAGE_MAX || self.n_looked_at >= LOOKED_AT_MAX
    }

    /// Goes back through the rounds of a session that lie below one; whether the page is full.
    async fn through(&mut self, desk: &Desk, session: &Session, below: u32) -> Result<bool, DeskError> {
        let mut highest = session.round.min(below.saturating_sub(1));
        while highest > 0 {
            let lowest = highest.saturating_sub(ROUNDS);
            let rounds = desk.0.store.asks_of(session.id, lowest, ROUNDS as usize).await?;
            for ask in rounds.into_iter().rev().filter(|ask| ask.round <= highest) {
                self.n_looked_at += 1;
                self.last = Some(ask.id);
                if self.finds(&ask) {
                    self.found.push(people::seen_by(self.person, ask));
                }
                if self.is_full() {
                    return Ok(true);
                }
            }
            highest = lowest;
        }
        Ok(false)
    }

    fn finds(&self, ask: &Ask) -> bool {
        let outcome = ask.state.outcome();
        if !self.person.may_see_ask(ask) || (outcome.is_none() && !self.open) || check::is_over(ask) {
            return false;
        }
        if self.search.is_empty() {
            return true;
        }
        let (asker, context) = (&ask.terms.asker, ask.terms.context.as_deref());
        self.search.finds(&readable(asker, context, &ask.questions, outcome))
    }
}
