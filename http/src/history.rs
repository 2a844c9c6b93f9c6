//! What was asked and how it ended, page by page (P15).

use askuser_core::id::AskId;
use askuser_words::fault::{Wrong, unfit};
use axum::response::Response;
use serde::Serialize;

use super::failing::wrong_field;
use super::ids::short_ids;
use super::visit::{Visit, ok};
use askuser_api::asks::{History, Search};
use askuser_desk::{HistoryQuery, IdsOf};
use askuser_wire::ask::{AskView, Reader, ask_view};
use askuser_wire::failure::Failure;

#[derive(Serialize)]
struct Page<'a> {
    asks: Vec<AskView<'a>>,
    /// The last ask that was looked at, to go on after it; none at the end.
    next: Option<String>,
}

/// `GET /api/history[?q=TEXT][&session=ID][&after=ASK_ID][&open=true][&short_ids=true]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let Search { q, session, after, open, short_ids: wanted } = visit.query::<History>()?;
    let wrong = |_| wrong_field("after", unfit(Wrong::not_ask_id));
    let query = HistoryQuery {
        words: &q.unwrap_or_default(),
        session: session.as_deref(),
        after: after.map(|id| id.parse::<AskId>()).transpose().map_err(wrong)?,
        open: open.unwrap_or_default(),
    };
    let page = visit.desk().history(&person, &query).await?;
    let next = page.next.map(|id| id.to_string());
    let short_ids =
        short_ids(visit.desk(), wanted, IdsOf::Asks, page.asks.iter().map(|ask| ask.id.0)).await?;
    let told = page.asks.iter().zip(short_ids);
    let asks = told.map(|(ask, short_id)| ask_view(ask, Reader::Person).called(short_id)).collect();
    ok(Page { asks, next })
}
