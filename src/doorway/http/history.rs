//! What was asked and how it ended, page by page: the newest conversation first, and in each the
//! newest round first (P15).

use std::sync::Arc;

use askuser_core::ask::Ask;
use askuser_core::id::AskId;
use askuser_core::problem::Fault;
use askuser_core::search::{Search, readable};
use askuser_core::session::Session;
use axum::response::Response;
use serde::Serialize;

use super::failing::wrong_field;
use super::visit::{Visit, ok};
use crate::wire::ask::{Reader, Standing, standing};
use crate::wire::failure::Failure;
use crate::wire::outcome::hidden;

/// Asks on one page.
const PAGE_MAX: usize = 50;
/// Asks looked at for one page; a search that finds little goes on with the next one.
const LOOKED_AT_MAX: usize = 2000;
/// Rounds read from the store at once.
const ROUNDS: u32 = 100;

#[derive(Serialize)]
struct Page<'a> {
    asks: Vec<Standing<'a>>,
    /// The last ask that was looked at, to go on after it; none at the end.
    next: Option<String>,
}

/// `GET /api/history[?q=TEXT][&session=ID][&after=ASK_ID]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let search = Search::new(visit.query("q").unwrap_or_default());
    let sessions = match visit.query("session") {
        Some(name) => vec![visit.desk().session(&person, name).await?],
        None => visit.desk().sessions(&person).await?,
    };
    let after = match visit.query("after") {
        None => None,
        Some(id) => {
            let wrong = || wrong_field("after", Fault::Other("is not the id of an ask".to_owned()));
            let id: AskId = id.parse().map_err(|_| wrong())?;
            Some(visit.desk().ask_of(&person, id).await?)
        }
    };
    let begins = after.as_ref().map_or(Some(0), |ask| sessions.iter().position(|it| it.id == ask.session));
    let rest = begins.and_then(|idx| sessions.get(idx..)).unwrap_or_default();
    let mut looking = Looking { search, found: Vec::new(), n_looked_at: 0, last: None };
    for (idx, session) in rest.iter().enumerate() {
        let below = after.as_ref().filter(|_| idx == 0).map_or(u32::MAX, |ask| ask.round);
        if looking.through(&visit, session, below).await? {
            break;
        }
    }
    let next = looking.last.filter(|_| looking.is_full()).map(|id| id.to_string());
    ok(Page { asks: looking.found.iter().map(|ask| standing(ask, Reader::Person)).collect(), next })
}

/// A page being filled.
struct Looking {
    search: Search,
    found: Vec<Arc<Ask>>,
    n_looked_at: usize,
    last: Option<AskId>,
}

impl Looking {
    fn is_full(&self) -> bool {
        self.found.len() >= PAGE_MAX || self.n_looked_at >= LOOKED_AT_MAX
    }

    /// Goes back through the rounds of a session that lie below one; whether the page is full.
    async fn through(&mut self, visit: &Visit, session: &Session, below: u32) -> Result<bool, Failure> {
        let mut highest = session.round.min(below.saturating_sub(1));
        while highest > 0 {
            let lowest = highest.saturating_sub(ROUNDS);
            let rounds = visit.desk().rounds_after(session.id, lowest, ROUNDS as usize).await?;
            for ask in rounds.into_iter().rev().filter(|ask| ask.round <= highest) {
                self.n_looked_at += 1;
                self.last = Some(ask.id);
                if self.finds(&ask) {
                    self.found.push(ask);
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
        let Some(outcome) = ask.state.outcome() else { return false };
        if self.search.is_empty() {
            return true;
        }
        let outcome = hidden(&ask.questions, outcome);
        let text = readable(&ask.terms.asker, ask.terms.context.as_deref(), &ask.questions, Some(&outcome));
        self.search.finds(&text)
    }
}
