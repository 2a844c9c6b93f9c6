//! The document of the API, word for word: no change to it goes unseen.

use std::collections::BTreeSet;

use askuser_api::{Described, routes};
use askuser_http::document;
use askuser_wire::failure::Code;
use insta::assert_snapshot;
use serde_json::Value;

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

/// What is told as any object, and why nothing more can be said of it.
const OPEN: [(&str, &str); 8] = [
    ("/mcp", "a message of JSON-RPC, which MCP describes"),
    ("/api/hooks/{agent}", "a decision as the agent's own hook wants it"),
    ("/openapi.json", "this document, which OpenAPI describes"),
    ("Template.ask", "an ask in any dialect"),
    ("Sheet.answers", "what is put down, by question"),
    ("Chain.messages", "a line of a transcript, of any agent"),
    ("AuditEntry.details", "differs by what happened"),
    ("SecurityEvent.details", "differs by what happened"),
];

/// A client that is generated from the document knows what it is told.
#[test]
fn every_reply_has_its_shape() {
    let document = document();
    let mut found = BTreeSet::new();
    for (path, route) in document["paths"].as_object().unwrap() {
        for operation in route.as_object().unwrap().values() {
            for response in operation["responses"].as_object().unwrap().values() {
                let contents = response["content"].as_object().into_iter().flatten();
                contents.for_each(|(_, told)| bare(&document, &told["schema"], path, &mut found));
            }
        }
    }
    let known: BTreeSet<String> = OPEN.iter().map(|(place, _)| (*place).to_owned()).collect();
    assert_eq!(found, known, "give it a struct in api/, or say in OPEN why it has none");
}

/// Finds the objects of which nothing is said.
fn bare(document: &Value, schema: &Value, place: &str, found: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = document.pointer(name.trim_start_matches('#')).unwrap();
        return bare(document, schema, name.rsplit('/').next().unwrap(), found);
    }
    let says_nothing = schema.get("properties").is_none()
        && schema.get("additionalProperties").is_none_or(Value::is_boolean);
    if schema["type"] == "object" && says_nothing {
        found.insert(place.to_owned());
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        bare(document, field, &format!("{place}.{name}"), found);
    }
    schema.get("items").into_iter().for_each(|items| bare(document, items, place, found));
    let several = ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|key| schema[key].as_array());
    several.flatten().for_each(|one| bare(document, one, place, found));
}

/// `docs/http.md` is what people read: it names every code.
#[test]
fn the_page_names_every_code() {
    let codes = Code::ALL.iter().map(|code| format!("`{}`", code.name()));
    let missing: Vec<String> = codes.filter(|code| !PAGE.contains(code.as_str())).collect();
    assert!(missing.is_empty(), "docs/http.md lacks {missing:?}");
}

/// Its tables have every route of the contract with who may use it, and no other.
#[test]
fn the_page_has_the_routes_of_the_contract() {
    let named = |route: &Described| format!("{} {}", route.method, route.path);
    let mut said: Vec<(String, &str)> = Vec::new();
    for row in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let (routes, who) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        let code = routes.split('`').skip(1).step_by(2);
        let routes = code.filter(|code| code.split_once(' ').is_some_and(|(_, path)| path.starts_with('/')));
        said.extend(routes.map(|code| (code.split(['[', '?']).next().unwrap().to_owned(), who)));
    }
    // A row may name the route of another one; what it says besides narrows it for a part of what is told.
    let fits = |who: &str, wanted: &str| {
        who == wanted || who.strip_prefix(wanted).is_some_and(|rest| rest.starts_with(';'))
    };
    let is_said = |route: &Described| {
        said.iter().any(|(known, who)| *known == named(route) && fits(who, route.who.words()))
    };
    let missing: Vec<String> = routes()
        .filter(|route| !is_said(route))
        .map(|route| format!("| `{}`: {} | {} |", named(route), route.summary, route.who.words()))
        .collect();
    assert!(missing.is_empty(), "docs/http.md lacks, or says otherwise:\n{}", missing.join("\n"));
    let pages = askuser_web::ROUTES.iter().map(|(method, path)| format!("{} {path}", method.to_uppercase()));
    let there: BTreeSet<String> = routes().map(named).chain(pages).collect();
    let gone: Vec<&String> =
        said.iter().map(|(known, _)| known).filter(|known| !there.contains(*known)).collect();
    assert!(gone.is_empty(), "docs/http.md has routes that there are none of: {gone:?}");
}
