//! `/openapi.json`: the table of routes, and the shapes of the contract, as a document.

use askuser_core::limits::ID_CHARS_MAX;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::routes::{ROUTES, Route, Who};
use super::shapes;
use super::visit::{Visit, ok};
use askuser_desk::IdKind;
use askuser_wire::Dialect;
use askuser_wire::failure::Failure;

/// `GET /openapi.json`
pub(super) async fn show(_: Visit) -> Result<Response, Failure> {
    ok(document())
}

/// Returns the document.
pub fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.to_lowercase()] = operation(route);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "askuser",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Agents ask people structured questions, durably.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": askuser_wire::cookie::COOKIE},
            },
            "schemas": {
                "Ask": shapes::ask(), "Outcome": shapes::outcome(), "Session": shapes::session(),
                "AuditEntry": shapes::audit_entry(), "SecurityEvent": shapes::security_event(),
                "Failure": shapes::failure(),
            },
        },
    })
}

fn operation(route: &Route) -> Value {
    let (security, who) = match route.who {
        Who::Anyone => (json!([]), "anyone"),
        Who::AnyKey => (json!([{"key": []}, {"cookie": []}]), "any key"),
        Who::Agent => (json!([{"key": []}]), "agent"),
        Who::Person => (json!([{"key": []}, {"cookie": []}]), "person"),
        Who::AgentOrPerson => (json!([{"key": []}, {"cookie": []}]), "agent, person"),
        Who::PersonOrAdmin => (json!([{"key": []}, {"cookie": []}]), "person, admin"),
        Who::Admin => (json!([{"key": []}]), "admin"),
    };
    let mut operation = json!({
        "summary": route.summary,
        "description": format!("For: {who}."),
        "security": security,
        "responses": {
            "default": {
                "description": "Failed",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
            },
        },
    });
    for status in success(route) {
        let content: Map<String, Value> = contents(route)
            .iter()
            .map(|kind| ((*kind).to_owned(), json!({"schema": answer(route, kind)})))
            .collect();
        operation["responses"][*status] = json!({"description": "Done", "content": content});
    }
    let parameters = parameters(route);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(schema) = body(route) {
        operation["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
    }
    operation
}

/// How it may be answered where it was done: an ask that has ended, or a thing that was there, is 200.
fn success(route: &Route) -> &'static [&'static str] {
    match (route.method, route.path) {
        ("POST", "/api/asks" | "/api/keys/own") | ("PUT", "/api/templates/{name}") => &["200", "201"],
        ("PUT", "/api/keys/own")
        | (
            "POST",
            "/api/asks/{ask_id}/reopen"
            | "/api/sessions"
            | "/api/sessions/{session_id}/restore"
            | "/api/users"
            | "/api/keys"
            | "/api/rules"
            | "/api/login-links"
            | "/api/push",
        ) => &["201"],
        ("POST", "/api/hooks/{agent}") => &["200", "202"],
        ("POST", "/api/stop") => &["202"],
        ("POST", "/login/{link}") => &["303"],
        (_, "/api/ws") => &["101"],
        _ => &["200"],
    }
}

fn contents(route: &Route) -> &'static [&'static str] {
    match route.path {
        "/api/events" => &["text/event-stream"],
        "/api/sessions/{session_id}/export" => &["application/x-ndjson", "text/markdown"],
        "/api/tasks/{task_id}/whole" => &["text/plain"],
        "/login/{link}" => &["text/html"],
        "/metrics" => &["application/openmetrics-text"],
        "/api/audit" => &["application/json", "application/x-ndjson", "text/csv", "text/markdown"],
        _ => &["application/json"],
    }
}

fn answer(route: &Route, content: &str) -> Value {
    let listed = matches!(route.path, "/api/inbox" | "/api/history");
    let is_list = listed || (route.method, route.path) == ("GET", "/api/asks");
    let is_ask = route.path.starts_with("/api/asks") && route.path != "/api/asks/answer-many" && !is_list;
    match content {
        "application/json" if is_ask => json!({"$ref": "#/components/schemas/Ask"}),
        "application/json" if is_list => {
            json!({"type": "object", "properties": {"asks": {"type": "array", "items": {"$ref": "#/components/schemas/Ask"}}}})
        }
        "application/json" => other(route),
        _ => json!({"type": "string"}),
    }
}

/// What is answered that is no ask.
fn other(route: &Route) -> Value {
    let all = |name: &str, of: &str| {
        let items = json!({"$ref": format!("#/components/schemas/{of}")});
        json!({"type": "object", "properties": {name: {"type": "array", "items": items}}})
    };
    match (route.method, route.path) {
        ("GET", "/api/sessions") => all("sessions", "Session"),
        (
            "POST",
            "/api/sessions" | "/api/sessions/{session_id}/end" | "/api/sessions/{session_id}/restore",
        )
        | ("GET", "/api/sessions/{session_id}") => json!({"$ref": "#/components/schemas/Session"}),
        ("GET", "/api/audit") => all("entries", "AuditEntry"),
        ("GET", "/api/security") => all("events", "SecurityEvent"),
        _ => json!({"type": "object"}),
    }
}

/// What a list or a search is asked for.
fn of_lists(route: &Route) -> Vec<(&'static str, Value)> {
    let (text, wanted) = (json!({"type": "string"}), json!({"enum": ["true"]}));
    match (route.method, route.path) {
        (_, "/api/history") => {
            let mut named: Vec<_> =
                ["q", "session", "after", "open"].map(|name| (name, text.clone())).to_vec();
            named.push(("short_ids", wanted));
            named
        }
        ("GET", "/api/inbox" | "/api/sessions" | "/api/tasks" | "/api/rules") => vec![("short_ids", wanted)],
        (_, "/api/ids") => {
            let kinds = json!({"enum": IdKind::NAMES.map(|(name, _)| name)});
            vec![("kind", kinds), ("part", text), ("open", wanted)]
        }
        _ => Vec::new(),
    }
}

fn parameters(route: &Route) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some((_, rest)) = route.path.split_once('{') {
        let name = rest.split('}').next().unwrap_or_default();
        parameters.push(json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    }
    let mut add = |name: &str, place: &str, schema: Value| {
        parameters.push(json!({"name": name, "in": place, "schema": schema}));
    };
    let dialects: Vec<&str> = Dialect::names().collect();
    match (route.method, route.path) {
        ("POST", "/api/asks") => {
            add("wait", "query", json!({"type": "number", "minimum": 0}));
            add("dialect", "query", json!({"enum": dialects}));
            add("reply", "query", json!({"enum": dialects}));
            add("Idempotency-Key", "header", json!({"type": "string", "maxLength": ID_CHARS_MAX}));
            add("Askuser-Whence", "header", json!({"type": "string"}));
        }
        ("GET", "/api/asks") => {
            add("session", "query", json!({"type": "string"}));
            add("agent", "query", json!({"type": "string"}));
            add("folder", "query", json!({"type": "string"}));
            add("Askuser-Whence", "header", json!({"type": "string"}));
        }
        ("POST", "/mcp") => {
            add("hold", "query", json!({"type": "number", "minimum": 0}));
            add("Askuser-Whence", "header", json!({"type": "string"}));
        }
        ("GET", "/api/asks/{ask_id}") => {
            add("wait", "query", json!({"type": "number", "minimum": 0}));
            add("reply", "query", json!({"enum": dialects}));
        }
        (_, "/api/hooks/{agent}") => {
            add("wait", "query", json!({"type": "number", "minimum": 0}));
            add("Idempotency-Key", "header", json!({"type": "string", "maxLength": ID_CHARS_MAX}));
            add("X-Askuser-Mode", "header", json!({"enum": ["interactive", "headless"]}));
            add("X-Askuser-Entrypoint", "header", json!({"type": "string"}));
        }
        (_, "/api/events") => {
            add("protocol", "query", json!({"enum": ["push"]}));
            add("session", "query", json!({"type": "string"}));
            add("since", "query", json!({"type": "integer"}));
            add("Last-Event-ID", "header", json!({"type": "integer"}));
        }
        (_, "/api/ws") => add("protocol", "query", json!({"enum": ["events", "ask_user", "push"]})),
        (_, "/api/metrics/summary") => {
            add("window", "query", json!({"type": "number", "exclusiveMinimum": 0, "maximum": 86_400}));
        }
        ("GET", "/api/purge") => add("older_than", "query", json!({"type": "integer", "minimum": 0})),
        (_, "/api/audit" | "/api/security") => {
            add("after", "query", json!({"type": "integer", "minimum": 0}));
            add("limit", "query", json!({"type": "integer", "minimum": 1, "maximum": 1000}));
            if route.path == "/api/audit" {
                for name in ["since", "until", "session", "agent", "user", "action", "text"] {
                    add(name, "query", json!({"type": "string"}));
                }
                add("form", "query", json!({"enum": ["json", "jsonl", "csv", "md"]}));
            }
        }
        (_, "/api/tasks/{task_id}/whole") => add("message", "query", json!({"type": "string"})),
        (_, "/api/sessions/{session_id}/export") => add("format", "query", json!({"enum": ["jsonl", "md"]})),
        _ => {}
    }
    for (name, schema) in of_lists(route) {
        parameters.push(json!({"name": name, "in": "query", "schema": schema}));
    }
    parameters
}

fn body(route: &Route) -> Option<Value> {
    let text = || json!({"type": "string"});
    let sheet = json!({"answers": {"type": "object"}, "notes": {"type": "object"}});
    let schema = match (route.method, route.path) {
        ("POST", "/api/asks") => json!({"type": "object", "description": "An ask in any dialect"}),
        (_, "/api/asks/{ask_id}/answer" | "/api/asks/{ask_id}/sheet")
        | ("POST", "/api/asks/{ask_id}/hold") => object(&["answers"], sheet),
        (_, "/api/asks/{ask_id}/dialog") => {
            let mut properties = sheet;
            properties["client"] = text();
            object(&["answers"], properties)
        }
        (_, "/api/asks/answer-many") => {
            let mut properties = sheet;
            properties["ask_ids"] = json!({"type": "array", "items": text()});
            object(&["ask_ids", "answers"], properties)
        }
        ("POST", "/api/purge") => {
            object(&["older_than"], json!({"older_than": {"type": "integer", "minimum": 0}}))
        }
        (_, "/api/asks/{ask_id}/cancel") => object(&[], json!({"reason": text()})),
        (_, "/api/task/answer" | "/api/task/cancel" | "/api/sessions/{session_id}/restore")
        | ("POST", "/api/sessions") => in_session(route.path),
        ("POST", "/api/tasks") => {
            object(&["folder", "text"], json!({"agent": text(), "folder": text(), "text": text()}))
        }
        (_, "/api/tasks/{task_id}/say" | "/api/tasks/{task_id}/resume") => {
            object(&["text"], json!({"text": text()}))
        }
        (_, "/api/hooks/{agent}") => {
            json!({"type": "object", "description": "The event as the agent writes it"})
        }
        ("PUT", "/api/templates/{name}") => json!({
            "type": "object",
            "description": "A template as JSON, or `text`: the template as YAML",
            "properties": {"text": text()},
        }),
        (_, "/api/timings") => {
            let timing = object(
                &["operation", "duration"],
                json!({"operation": text(), "duration": {"type": "number", "description": "Milliseconds"}}),
            );
            object(&["timings"], json!({"timings": {"type": "array", "items": timing}}))
        }
        ("POST", "/api/users") => object(&["name"], json!({"name": text()})),
        ("POST", "/api/keys") => object(
            &["role"],
            json!({"role": {"enum": ["agent", "person", "admin"]}, "user": text(), "name": text()}),
        ),
        ("POST", "/api/keys/own") => object(&["agent", "digest"], json!({"agent": text(), "digest": text()})),
        ("PUT", "/api/keys/own") => {
            object(&["agent", "digest"], json!({"agent": text(), "digest": text(), "user": text()}))
        }
        _ => return None,
    };
    Some(schema)
}

#[expect(clippy::needless_pass_by_value, reason = "each caller has just made it, and needs it no more")]
fn object(required: &[&str], properties: Value) -> Value {
    json!({"type": "object", "required": required, "properties": properties})
}

/// What is sent about a session, or a question in it.
fn in_session(path: &str) -> Value {
    let text = json!({"type": "string"});
    let number = |least: u8| json!({"type": "integer", "minimum": least});
    match path {
        "/api/task/answer" => object(
            &["session_id", "question_id", "answer"],
            json!({"session_id": text, "question_id": text, "answer": {}}),
        ),
        "/api/task/cancel" => object(
            &["session_id", "question_id"],
            json!({"session_id": text, "question_id": text, "reason": text}),
        ),
        "/api/sessions" => {
            let policy =
                json!({"enum": ["return_cancel", "use_default", "abort_task", "cancel", "default", "abort"]});
            let fields = json!({
                "session_id": text, "total_rounds": number(1), "timeoutMs": number(1), "timeoutPolicy": policy,
            });
            object(&[], fields)
        }
        _ => {
            let fields = json!({"checkpoint_version": number(0), "round": number(0), "restore_reason": text});
            object(&[], fields)
        }
    }
}
