//! The document of the API, word for word: no change to it goes unseen.

use askuser_api::{Described, Who, routes};
use askuser_http::document;
use askuser_wire::failure::Code;
use insta::assert_snapshot;

use crate::stage::stage;

const PAGE: &str = include_str!("../../docs/http.md");

#[tokio::test(flavor = "multi_thread")]
async fn the_document_is_served_and_names_every_route() {
    let stage = stage().await;
    let served = stage.send("GET", "/openapi.json", &[], "").await.ok();
    assert_eq!(served, document());
    for route in routes() {
        assert!(
            served["paths"][route.path][route.method.name().to_lowercase()].is_object(),
            "{}",
            route.path
        );
    }
    let document = serde_json::to_string_pretty(&served).unwrap();
    assert_snapshot!("openapi", document.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

/// `docs/http.md` is what people read: it names every route and every code.
#[test]
fn the_page_names_every_route_and_every_code() {
    let missing: Vec<String> = routes()
        .map(|route| format!("`{} {}", route.method, route.path))
        .chain(Code::ALL.iter().map(|code| format!("`{}`", code.name())))
        .filter(|word| !PAGE.contains(word.as_str()))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// In its tables, behind each route, stands who may use it.
#[test]
fn the_page_says_who_may_use_a_route() {
    let mut said: Vec<(String, &str)> = Vec::new();
    for row in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let (routes, who) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        let code = routes.split('`').skip(1).step_by(2);
        let named = code.filter(|code| code.split_once(' ').is_some_and(|(_, path)| path.starts_with('/')));
        said.extend(named.map(|code| (code.split(['[', '?']).next().unwrap().to_owned(), who)));
    }
    let is_said = |route: &Described| {
        let of = |(named, _): &&(String, &str)| *named == format!("{} {}", route.method, route.path);
        let who: Vec<&str> = said.iter().filter(of).map(|(_, who)| *who).collect();
        let wanted = match route.who {
            Who::Anyone => "anyone",
            Who::AnyKey => "any key",
            Who::Agent => "agent",
            Who::Person => "person",
            Who::AgentOrPerson => "agent, person",
            Who::PersonOrAdmin => "person, admin",
            Who::Admin => "admin",
        };
        // A row may name the route of another one; what it says besides narrows it for a part of what is told.
        let fits =
            |who: &str| who == wanted || who.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(';'));
        (!who.into_iter().any(fits)).then(|| format!("{} {}: {wanted}", route.method, route.path))
    };
    let wrong: Vec<String> = routes().filter_map(is_said).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
