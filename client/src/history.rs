//! Looking back from afar, and answering several asks alike.

use askuser_core::id::AskId;
use hyper::Method;
use serde_json::Value;

use super::error::ClientError;
use super::keys::KeyFor;
use super::link::escaped;
use super::seen::SeenAsk;
use super::{CHANNEL_HEADER, Client, Hand};

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
    /// The ask.
    pub ask: AskId,
    /// The code of the refusal, where it was not answered.
    pub refused: Option<String>,
}

impl Client {
    /// Returns asks of the person's conversations, a page at a time.
    pub async fn history(&self, lookup: Lookup<'_>) -> Result<Page, ClientError> {
        let after = lookup.after.map(|id| id.to_string());
        let open = lookup.open.then_some("true");
        let short_ids = lookup.short_ids.then_some("true");
        let named = [
            ("session", lookup.session),
            ("q", Some(lookup.words)),
            ("after", after.as_deref()),
            ("open", open),
            ("short_ids", short_ids),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let query: Vec<String> = named.map(|(name, value)| format!("{name}={}", escaped(value))).collect();
        let call = self.call(Method::GET, &format!("/api/history?{}", query.join("&")), KeyFor::Person)?;
        let told = self.exchange(call).await?;
        let list = told.get("asks").and_then(Value::as_array).cloned().unwrap_or_default();
        let asks = list.into_iter().map(|ask| self.seen(ask)).collect::<Result<_, _>>()?;
        let next = told.get("next").and_then(Value::as_str).and_then(|id| id.parse().ok());
        Ok(Page { asks, next })
    }

    /// Gives several asks that ask the same one answer. `body` names the questions of the first one.
    pub async fn answer_many(
        &self,
        asks: &[AskId],
        hand: Hand,
        body: Value,
    ) -> Result<Vec<Answered>, ClientError> {
        let mut call = self.call(Method::POST, "/api/asks/answer-many", KeyFor::Person)?;
        call.headers.push((CHANNEL_HEADER, hand.name().to_owned()));
        let mut body = body;
        body["ask_ids"] = asks.iter().map(AskId::to_string).collect();
        call.body = Some(body);
        let told = self.exchange(call).await?;
        let results = told.get("results").and_then(Value::as_array).cloned().unwrap_or_default();
        let read = |result: &Value| {
            let ask = result.get("ask_id")?.as_str()?.parse().ok()?;
            let refused = result.get("error").and_then(Value::as_str).map(str::to_owned);
            Some(Answered { ask, refused })
        };
        let read: Option<Vec<Answered>> = results.iter().map(read).collect();
        let garbled = || ClientError::Garbled {
            url: self.url().unwrap_or_default(),
            what: "results without `ask_id`".to_owned(),
        };
        read.ok_or_else(garbled)
    }
}
