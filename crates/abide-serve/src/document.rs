//! The `OpenAPI` document: the paths beside their handlers, the contract from its schemas.

use crate::problem::Problem;
use axum::body::Bytes;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

/// The schemas of the contract and of what tools write, by the names that the values of each file
/// have in the document. Where a file is about a list, that is the name of an entry: findings are
/// sent in an object. Where it is about one of several, each has its own name.
const SCHEMAS: [(&str, &str); 12] = [
    ("Request", include_str!("../schema/request.json")),
    ("Decision", include_str!("../schema/decision.json")),
    ("Finding", include_str!("../schema/lint.json")),
    ("Explanation", include_str!("../schema/explain.json")),
    ("Matrix", include_str!("../schema/matrix.json")),
    ("Diff", include_str!("../schema/diff.json")),
    ("TestReport", include_str!("../schema/test.json")),
    ("Conversion", include_str!("../schema/convert.json")),
    ("Table", include_str!("../schema/table.json")),
    ("FetchedSite", include_str!("../schema/fetch.json")),
    ("LintRequest", include_str!("../schema/tool-requests.json")),
    ("Findings", include_str!("../schema/tool-answers.json")),
];

/// What the document says beside its paths.
#[derive(OpenApi)]
#[openapi(
    info(title = "abide", description = "What a robot may do with a URL, and why"),
    components(schemas(Problem)),
    tags(
        (name = "decisions", description = "What a robot may do"),
        (name = "sites", description = "What sites say"),
        (name = "turns", description = "When crawlers may come"),
        (name = "tools", description = "For those who write the files"),
        (name = "forward auth", description = "For proxies that enforce robots.txt"),
        (name = "operations", description = "For those who run the service"),
    ),
)]
struct Document;

/// The document without paths.
pub(crate) fn start() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The document as it is served: with the schemas of the contract and the security scheme.
pub(crate) fn finished(openapi: utoipa::openapi::OpenApi) -> Bytes {
    let mut document = serde_json::to_value(openapi).expect("an OpenAPI document is JSON");
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    document["info"]["license"] =
        json!({"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"});
    for (name, schema) in SCHEMAS {
        add_schema(&mut document, name, schema);
    }
    name_operations(&mut document);
    add_problems(&mut document);
    document["components"]["securitySchemes"] =
        json!({"token": {"type": "http", "scheme": "bearer"}});
    document["security"] = json!([{}, {"token": []}]);
    Bytes::from(serde_json::to_vec_pretty(&document).expect("an OpenAPI document is JSON"))
}

/// Gives each operation a name that no other has, for generators of clients: `post_decide`. And
/// says that its body has to be there.
fn name_operations(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for (path, methods) in paths {
        let path = path.trim_start_matches("/v1").trim_matches('/');
        let name = path.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        for (method, operation) in methods.as_object_mut().into_iter().flatten() {
            operation["operationId"] = format!("{method}_{name}").into();
            if let Some(body) = operation["requestBody"].as_object_mut() {
                body.insert("required".to_owned(), true.into());
            }
        }
    }
}

/// Why any request can be refused, whatever it asks.
const ANY: [(&str, &str); 3] = [
    ("500", "The service has a bug"),
    (
        "503",
        "Too many requests are in progress, or the service ends. `Retry-After` says when to ask again",
    ),
    ("504", "The request took too long"),
];
/// Why a request of a caller can be refused.
const CALLER: [(&str, &str); 2] = [
    ("401", "There is no token, or an unknown one"),
    (
        "429",
        "The quota of the token is used up. `Retry-After` says when to ask again",
    ),
];
/// Why a body can be refused.
const BODY: [(&str, &str); 4] = [
    ("400", "The body cannot be read"),
    ("408", "The body comes too slowly"),
    ("413", "The body is too large"),
    ("415", "The body is not JSON, or is compressed"),
];

/// Adds the problems that are not those of one operation (docs/serve.md).
fn add_problems(document: &mut Value) {
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for (path, methods) in paths {
        let is_for_callers = path.starts_with("/v1/");
        for operation in methods
            .as_object_mut()
            .into_iter()
            .flatten()
            .map(|(_, one)| one)
        {
            let has_body = operation["requestBody"].is_object();
            let mut problems: Vec<_> = Vec::new();
            if has_body {
                problems.extend(BODY);
            }
            if is_for_callers {
                problems.extend(CALLER);
            }
            if path == "/metrics" {
                problems.push(CALLER[0]);
            }
            if is_for_callers || path == "/authz" {
                problems.extend(ANY);
            }
            let Some(responses) = operation["responses"].as_object_mut() else {
                continue;
            };
            for (status, description) in problems {
                responses.entry(status).or_insert_with(|| {
                    json!({
                        "description": description,
                        "content": {"application/problem+json": {
                            "schema": {"$ref": "#/components/schemas/Problem"},
                        }},
                    })
                });
            }
        }
    }
}

/// Adds the definitions of a JSON Schema, which many schemas share, and what it describes itself.
fn add_schema(document: &mut Value, name: &str, schema: &str) {
    let mut schema: Value = serde_json::from_str(schema).expect("the schemas are JSON");
    let own = schema.as_object_mut().expect("a schema is an object");
    for key in ["$schema", "$id", "title"] {
        own.remove(key);
    }
    let definitions = own.remove("$defs");
    let definitions = definitions.as_ref().and_then(Value::as_object);
    let definitions = definitions.cloned().unwrap_or_default();
    let named = definitions
        .into_iter()
        .map(|(definition, schema)| (component(name, &definition), schema));
    let mut parts: Vec<_> = named.collect();
    if !parts.iter().any(|(part, _)| part == name) {
        let is_list = schema["type"] == "array";
        let own = if is_list {
            schema["items"].take()
        } else {
            schema
        };
        parts.push((name.to_owned(), own));
    }
    let schemas = &mut document["components"]["schemas"];
    for (part, mut schema) in parts {
        point_to_components(&mut schema, name);
        schemas[part] = schema;
    }
}

/// The name in the document of a definition of the schema `name`: its own if it is that of a type,
/// which means the same in every schema.
fn component(name: &str, definition: &str) -> String {
    if definition.starts_with(|first: char| first.is_ascii_uppercase()) {
        definition.to_owned()
    } else {
        format!("{name}.{definition}")
    }
}

/// Rewrites references to definitions of the schema `name`.
fn point_to_components(schema: &mut Value, name: &str) {
    match schema {
        Value::Object(members) => {
            redirect(members, name);
            for member in members.values_mut() {
                point_to_components(member, name);
            }
        }
        Value::Array(members) => {
            for member in members {
                point_to_components(member, name);
            }
        }
        _ => {}
    }
}

fn redirect(members: &mut Map<String, Value>, name: &str) {
    let Some(Value::String(target)) = members.get_mut("$ref") else {
        return;
    };
    if let Some(definition) = target.strip_prefix("#/$defs/") {
        *target = format!("#/components/schemas/{}", component(name, definition));
    } else if target == "#" {
        *target = format!("#/components/schemas/{name}");
    }
}
