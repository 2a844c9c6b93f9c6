//! What a person's asks say together (D19).

use askuser_words::fault::{Wrong, unfit};
use axum::response::Response;

use super::failing::wrong_field;
use super::visit::{Visit, ok};
use askuser_wire::ask::source;
use askuser_wire::failure::Failure;
use askuser_wire::insight;

/// The furthest that a clock is from UTC.
const MINUTES_EAST_MAX: i32 = 14 * 60;

/// `GET /api/insight[?minutes_east=MINUTES]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let minutes_east = match visit.query("minutes_east") {
        None => 0,
        Some(given) => given
            .parse()
            .ok()
            .filter(|minutes: &i32| minutes.abs() <= MINUTES_EAST_MAX)
            .ok_or_else(|| wrong_field("minutes_east", unfit(Wrong::not_minutes)))?,
    };
    ok(insight::write(&visit.desk().insight(&person, minutes_east, source).await?))
}
