//! Looking back from afar, and answering several asks alike.

use askuser_core::id::AskId;
use serde_json::Value;

use super::error::ClientError;
use super::seen::{NotAnAsk, SeenAsk};
use super::{Client, Via};
use askuser_api::asks::{AnswerMany, History, Search};
use askuser_api::shapes;
use askuser_core::command::KeyRole;

/// A page of what ended.
#[derive(Debug, Clone)]
pub struct Page {
    /// The asks, the newest first.
    pub asks: Vec<SeenAsk>,
    /// Where the next page begins; none at the end.
    pub next: Option<AskId>,
}

/// What is looked for in what was asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lookup<'a> {
    /// Only in this session.
    pub session: Option<&'a str>,
    /// Words that all have to be there.
    pub words: &'a str,
    /// Where the page begins: `next` of the one before.
    pub after: Option<AskId>,
    /// Whether asks that are still open are wanted too.
    pub open: bool,
    /// Whether the short ids are wanted that stand for them.
    pub short_ids: bool,
}

/// What came of an answer to one of several asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub ask: AskId,
    /// The code of the refusal, where it was not answered.
    pub refused: Option<String>,
}

impl Client {
    /// Returns asks of the person's conversations, a page at a time.
    pub async fn history(&self, lookup: Lookup<'_>) -> Result<Page, ClientError> {
        let query = Search {
            q: Some(lookup.words.to_owned()),
            session: lookup.session.map(str::to_owned),
            after: lookup.after.map(|id| id.to_string()),
            open: lookup.open.then_some(true),
            short_ids: lookup.short_ids.then_some(true),
        };
        let page = self.call::<History>(KeyRole::Person).query(&query).send().await?;
        let next = page.next.and_then(|id| id.parse().ok());
        Ok(Page { asks: self.seen_all(page.asks)?, next })
    }

    /// Gives several asks that ask the same one answer. `body` names the questions of the first one.
    pub async fn answer_many(
        &self,
        asks: &[AskId],
        via: Via,
        body: Value,
    ) -> Result<Vec<Answered>, ClientError> {
        let mut body = body;
        body["ask_ids"] = asks.iter().map(AskId::to_string).collect();
        let call = self.call::<AnswerMany>(KeyRole::Person).through(via).json(body);
        let read = |shapes::Answered(result)| {
            let told: shapes::failure::Answered = serde_json::from_value(result)?;
            let ask = told.ask_id.parse()?;
            Ok(Answered { ask, refused: told.error.map(|code| code.0) })
        };
        let read: Result<_, NotAnAsk> = call.send().await?.results.into_iter().map(read).collect();
        read.map_err(|what| self.garbled(what))
    }
}
