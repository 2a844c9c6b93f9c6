//! How it is doing, in figures: for Prometheus, and over a span of time.

use std::time::Duration;

use askuser_words::fault::unfit;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use super::failing::wrong_field;
use super::visit::Visit;
use askuser_api::figures::{self as told, Summaries, Summarize, WINDOW_SECONDS_MAX};
use askuser_api::query::Seconds;
use askuser_watch::window::Summary;
use askuser_wire::failure::Failure;

/// What Prometheus expects.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
/// The window where none is named, and the longest (D14).
const USUAL: Duration = Duration::from_hours(1);
const LONGEST: Duration = Duration::from_secs(WINDOW_SECONDS_MAX as u64);

/// `GET /metrics`
pub(super) async fn metrics(visit: Visit) -> Result<Response, Failure> {
    let mut response = visit.state.watch().exposition().into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS));
    Ok(response)
}

/// `GET /api/metrics/summary[?window=SECONDS]`
pub(super) async fn summary(visit: Visit) -> Result<Summaries, Failure> {
    let window = visit.query::<Summarize>()?.window.map_or(USUAL, |Seconds(window)| window);
    if window.is_zero() || window > LONGEST {
        return Err(wrong_field("window", unfit(|said| said.within_seconds(LONGEST.as_secs()))));
    }
    let summaries = visit.state.watch().summaries(window);
    let metrics = summaries.into_iter().map(|(name, summary)| (name.to_owned(), to_api(&summary))).collect();
    Ok(Summaries { window: window.as_secs_f64(), metrics })
}

/// The figures, as the source document names them; none where nothing was measured.
fn to_api(summary: &Summary) -> told::Summary {
    let known = |value: f64| (summary.count > 0).then_some(value);
    told::Summary {
        count: summary.count,
        avg: known(summary.average()),
        min: known(summary.min),
        max: known(summary.max),
        p95: known(summary.p95),
    }
}
