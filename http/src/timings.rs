//! How long what a person did took in their browser, as the page measured it (002 7.1).
//!
//! The page tells of what it knows by name and no more: no text of anybody's gets into a figure or the log.

use std::time::Duration;

use askuser_core::problem::Fault;
use askuser_words::fault::unfit;

use super::failing::wrong_field;
use super::push::browser;
use super::visit::Visit;
use askuser_api::browsers::{NoteTimings, Noted, Timing};
use askuser_wire::failure::Failure;

/// What the page measures.
const OPERATIONS: [&str; 7] = ["load", "answer", "cancel", "undo", "reopen", "save", "refresh"];
/// Measurements of one request, at most.
const TIMINGS_MAX: usize = 100;
/// The longest that is taken for a measurement, in milliseconds: what took longer slept with its machine.
const DURATION_MS_MAX: f64 = 60_000.0;

/// `POST /api/timings {"timings": [{"operation", "duration"}]}`: durations in milliseconds.
pub(super) async fn note(visit: Visit) -> Result<Noted, Failure> {
    browser(&visit)?;
    let list = visit.body::<NoteTimings>()?.timings.0;
    let list = list.ok_or_else(|| wrong_field("timings", Fault::Missing))?;
    if list.len() > TIMINGS_MAX {
        let fault = Fault::TooManyItems { max: TIMINGS_MAX, got: list.len() };
        return Err(wrong_field("timings", fault));
    }
    let timings = list.iter().enumerate().map(|(place, timing)| read(place, timing));
    let timings = timings.collect::<Result<Vec<_>, _>>()?;
    visit.state.watch().timed_in_browser(&timings);
    Ok(Noted { noted: timings.len() })
}

fn read(place: usize, timing: &Timing) -> Result<(&'static str, Duration), Failure> {
    let named = timing.operation.0.as_deref().unwrap_or_default();
    let Some(operation) = OPERATIONS.into_iter().find(|operation| *operation == named) else {
        let expected = OPERATIONS.map(str::to_owned).to_vec();
        let fault = Fault::NotOneOf { expected, received: named.chars().take(20).collect() };
        return Err(wrong_field(&format!("timings[{place}].operation"), fault));
    };
    let duration = timing.duration.0.filter(|ms| (0.0..=DURATION_MS_MAX).contains(ms));
    let Some(ms) = duration else {
        let fault = unfit(|said| said.within_millis(DURATION_MS_MAX));
        return Err(wrong_field(&format!("timings[{place}].duration"), fault));
    };
    Ok((operation, Duration::from_secs_f64(ms / 1000.0)))
}
