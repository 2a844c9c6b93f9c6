//! `/openapi.json`: the contract as a document.

use askuser_api as api;
use askuser_api::Who;
use askuser_api::route::{Described, Header, JSON};
use askuser_api::shapes::Failure as ToldFailure;
use axum::response::Response;
use schemars::generate::SchemaSettings;
use schemars::transform::ReplaceBoolSchemas;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::visit::{Visit, ok};
use askuser_wire::failure::Failure;

/// `GET /openapi.json`
pub(super) async fn show(_: Visit) -> Result<Response, Failure> {
    ok(document())
}

/// Returns the document.
pub fn document() -> Value {
    let mut replace = ReplaceBoolSchemas::default();
    replace.skip_additional_properties = true;
    let mut shapes = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
        // `true` is a schema, and generators of clients do not know that.
        .with_transform(replace)
        .into_generator();
    let failure = shapes.subschema_for::<ToldFailure>();
    let mut paths = Map::new();
    for route in api::routes() {
        let path = paths.entry(route.path).or_insert_with(|| json!({}));
        path[route.method.name().to_lowercase()] = operation(route, &failure, &mut shapes);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "askuser",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Agents ask people structured questions that survive crashes.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": askuser_api::cookie::COOKIE},
            },
            "schemas": shapes.take_definitions(true),
        },
    })
}

fn operation(route: &Described, failure: &Schema, shapes: &mut SchemaGenerator) -> Value {
    let security = match route.who {
        Who::Anyone => json!([]),
        Who::Agent | Who::Admin => json!([{"key": []}]),
        Who::AnyKey | Who::Person | Who::AgentOrPerson | Who::PersonOrAdmin => {
            json!([{"key": []}, {"cookie": []}])
        }
    };
    let mut operation = json!({
        "operationId": route.name,
        "summary": route.summary,
        "description": format!("For: {}.", route.who.words()),
        "security": security,
        "responses": {
            "default": {"description": "Failed", "content": {JSON: {"schema": failure}}},
        },
    });
    let told = (route.reply)(shapes);
    let contents = route.contents.iter().map(|kind| {
        let told = told.as_ref().filter(|_| *kind == JSON);
        ((*kind).to_owned(), json!({"schema": told.map_or(json!({"type": "string"}), |told| json!(told))}))
    });
    let contents: Map<String, Value> = contents.collect();
    for status in route.statuses {
        operation["responses"][status.to_string()] = json!({"description": "Done", "content": contents});
    }
    let parameters = parameters(route, shapes);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(schema) = (route.body)(shapes) {
        operation["requestBody"] = json!({"content": {JSON: {"schema": schema}}});
    }
    operation
}

fn parameters(route: &Described, shapes: &mut SchemaGenerator) -> Vec<Value> {
    let in_path = route.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let in_path = in_path
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let query = (route.query)(shapes).map(Schema::to_value).unwrap_or_default();
    let required = |name: &String| {
        query["required"].as_array().is_some_and(|required| required.iter().any(|required| required == name))
    };
    let named = query["properties"].as_object().into_iter().flatten();
    let in_query = named.map(|(name, schema)| {
        let mut parameter = json!({"name": name, "in": "query", "schema": without_null(schema)});
        if required(name) {
            parameter["required"] = true.into();
        }
        parameter
    });
    let in_headers = route
        .headers
        .iter()
        .map(|header| json!({"name": header.name, "in": "header", "schema": shape(header)}));
    in_path.chain(in_query).chain(in_headers).collect()
}

/// What may stand behind `?` is there or not, and never `null`.
fn without_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    for key in ["type", "enum"] {
        let Some(Value::Array(list)) = schema.get_mut(key) else { continue };
        list.retain(|one| !one.is_null() && one != "null");
        if let ("type", [only]) = (key, list.as_slice()) {
            schema[key] = only.clone();
        }
    }
    schema
}

fn shape(header: &Header) -> Value {
    let mut shape = json!({"type": if header.is_number { "integer" } else { "string" }});
    if !header.one_of.is_empty() {
        shape["enum"] = json!(header.one_of);
    }
    if header.chars_max > 0 {
        shape["maxLength"] = header.chars_max.into();
    }
    shape
}
