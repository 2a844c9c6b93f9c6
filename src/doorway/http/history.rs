//! What was asked and how it ended, page by page (P15).

use askuser_core::id::AskId;
use askuser_core::problem::Fault;
use axum::response::Response;
use serde::Serialize;

use super::failing::wrong_field;
use super::visit::{Visit, ok};
use crate::desk::HistoryQuery;
use crate::wire::ask::{Reader, Standing, standing};
use crate::wire::failure::Failure;

#[derive(Serialize)]
struct Page<'a> {
    asks: Vec<Standing<'a>>,
    /// The last ask that was looked at, to go on after it; none at the end.
    next: Option<String>,
}

/// `GET /api/history[?q=TEXT][&session=ID][&after=ASK_ID][&open=true]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let after = match visit.query("after") {
        None => None,
        Some(id) => {
            let wrong = |_| wrong_field("after", Fault::Other("is not the id of an ask".to_owned()));
            Some(id.parse::<AskId>().map_err(wrong)?)
        }
    };
    let query = HistoryQuery {
        words: visit.query("q").unwrap_or_default(),
        session: visit.query("session"),
        after,
        open: visit.query("open") == Some("true"),
    };
    let page = visit.desk().history(&person, &query).await?;
    let next = page.next.map(|id| id.to_string());
    ok(Page { asks: page.asks.iter().map(|ask| standing(ask, Reader::Person)).collect(), next })
}
