//! The contract between the server and its callers: a type for every route, a struct for what it takes and tells.
//!
//! The router, who is let in, the rate limits, `/openapi.json` and `client.call::<Route>(…)` are made from it.

#![forbid(unsafe_code)]

pub mod query;
pub mod route;
pub mod headers;
pub mod page;
pub mod cookie;
pub mod event_protocol;
pub mod shapes;
pub mod asks;
pub mod sessions;
pub mod tasks;
pub mod doorways;
pub mod browsers;
pub mod access;
pub mod templates;
pub mod rules;
pub mod audit;
pub mod figures;
pub mod operating;

pub use route::{About, Bucket, Described, Done, Method, Route, Who};

/// Every route of the contract.
pub fn routes() -> impl Iterator<Item = &'static Described> {
    [
        asks::ROUTES,
        sessions::ROUTES,
        tasks::ROUTES,
        doorways::ROUTES,
        browsers::ROUTES,
        operating::ROUTES,
        access::ROUTES,
        templates::ROUTES,
        rules::ROUTES,
        audit::ROUTES,
        figures::ROUTES,
    ]
    .into_iter()
    .flatten()
}
