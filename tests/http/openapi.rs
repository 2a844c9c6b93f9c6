//! The document of the API, word for word: no change to it goes unseen.

use askuser_http::{ROUTES, document};
use askuser_wire::failure::Code;
use insta::assert_snapshot;

use crate::stage::stage;

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_and_names_every_route() {
    let stage = stage().await;
    let served = stage.send("GET", "/openapi.json", &[], "").await.ok();
    assert_eq!(served, document());
    for route in ROUTES {
        assert!(served["paths"][route.path][route.method.to_lowercase()].is_object(), "{}", route.path);
    }
    let document = serde_json::to_string_pretty(&served).unwrap();
    assert_snapshot!("openapi", document.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

/// `docs/http.md` is what people read: it names every route and every code.
#[test]
fn the_page_names_every_route_and_every_code() {
    const PAGE: &str = include_str!("../../docs/http.md");
    let missing: Vec<String> = ROUTES
        .iter()
        .map(|route| format!("`{} {}", route.method, route.path))
        .chain(Code::ALL.iter().map(|code| format!("`{}`", code.name())))
        .filter(|word| !PAGE.contains(word.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
