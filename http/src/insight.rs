//! What a person's asks say together (D19).

use axum::response::Response;

use super::visit::{Visit, ok};
use askuser_api::rules::{MinutesEast, ShowInsight};
use askuser_wire::ask::source;
use askuser_wire::failure::Failure;
use askuser_wire::insight;

/// `GET /api/insight[?minutes_east=MINUTES]`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    let person = visit.person()?;
    let minutes_east = visit.query::<ShowInsight>()?.minutes_east.map_or(0, MinutesEast::minutes);
    ok(insight::write(&visit.desk().insight(&person, minutes_east, source).await?))
}
