//! What a person's asks say together (D19).

use axum::response::Response;

use super::visit::{Visit, ok};
use crate::wire::ask::source;
use crate::wire::failure::Failure;
use crate::wire::insight;

/// `GET /api/insight`
pub(super) async fn show(visit: Visit) -> Result<Response, Failure> {
    ok(insight::write(&visit.desk().insight(&visit.person()?, source).await?))
}
