//! The `OpenAPI` document: its examples are sent, and its schemas hold.

use crate::client::{ask, escaped, get};
use crate::{config, run, site};
use abide_testkit::fault::{ByteServer, Script};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;

fn document() -> (crate::Running, Value) {
    let service = run(&abide_serve::Config {
        turns: Some(true),
        ..config()
    });
    let document = get(service.address, "/openapi.json").json();
    (service, document)
}

#[test]
fn every_path_is_described_and_answers() {
    let (service, document) = document();
    assert_eq!(
        document["openapi"].as_str().unwrap().split('.').next(),
        Some("3")
    );
    let paths = document["paths"].as_object().unwrap();
    for needed in [
        "/v1/decide",
        "/v1/batch",
        "/v1/robots",
        "/v1/history",
        "/healthz",
        "/readyz",
        "/metrics",
    ] {
        assert!(paths.contains_key(needed), "{needed}");
    }
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{method} {path}");
            let answered = ask(service.address, &method.to_uppercase(), path, &[], b"");
            assert_ne!(answered.status, 404, "{method} {path}");
            assert_ne!(answered.status, 405, "{method} {path}");
        }
    }
}

#[test]
fn every_operation_says_how_it_can_be_refused() {
    let (_service, document) = document();
    let guarded = run(&abide_serve::Config {
        tokens: Some(tokens()),
        ..config()
    });
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let described = |status: &str| operation["responses"][status].is_object();
            let method = method.to_uppercase();
            let answered = ask(guarded.address, &method, path, &[], b"");
            let is_refused = answered.status == 401;
            assert_eq!(described("401"), is_refused, "{method} {path}");
            let is_for_callers = path.starts_with("/v1/");
            assert_eq!(described("429"), is_for_callers, "{method} {path}");
            for status in ["500", "503", "504"] {
                let needed = is_for_callers || path == "/authz";
                assert!(!needed || described(status), "{method} {path} {status}");
            }
            if operation["requestBody"].is_object() {
                for status in ["400", "408", "413", "415"] {
                    assert!(described(status), "{method} {path} {status}");
                }
            }
        }
    }
}

/// A file with the hash of a token that nobody has.
fn tokens() -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("document-tokens.toml");
    let token = format!("[[token]]\nname = \"x\"\nsha256 = \"{}\"\n", "0".repeat(64));
    std::fs::write(&path, token).unwrap();
    path
}

#[test]
fn parameters_have_the_types_of_their_values() {
    let (_service, document) = document();
    let parameters = document["paths"]["/v1/decide"]["get"]["parameters"].as_array();
    let of = |name: &str| {
        let mut all = parameters.unwrap().iter();
        all.find(|parameter| parameter["name"] == name).unwrap()
    };
    let agent = of("agent");
    assert_eq!(agent["schema"]["type"], "array");
    assert_eq!(agent["schema"]["items"]["type"], "string");
    assert_eq!(agent["explode"], true);
    let profile = &of("profile")["schema"];
    assert!(errors(&document, profile, &json!("google")).is_empty());
    assert!(
        !errors(&document, profile, &json!("x")).is_empty(),
        "{profile}"
    );
}

#[test]
fn references_lead_somewhere() {
    fn check(value: &Value, document: &Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(target)) = members.get("$ref") {
                    let pointer = target.strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{target}");
                }
                members.values().for_each(|member| check(member, document));
            }
            Value::Array(members) => members.iter().for_each(|member| check(member, document)),
            _ => {}
        }
    }
    let (_service, document) = document();
    check(&document, &document);
}

/// Generators of clients make a class of each definition and of each enumeration: each usage has a
/// name, every enumeration has a type and is defined once, and every body has to be there.
#[test]
fn clients_can_be_generated() {
    let (_service, document) = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let usages = &schemas["Decision"]["properties"]["usages"];
    let names: BTreeSet<&str> = <abide::Usage as abide::Named>::names().collect();
    let members = usages["properties"].as_object().unwrap();
    assert_eq!(
        members.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        names
    );
    assert_eq!(usages["additionalProperties"], false);
    let mut enumerations = BTreeSet::new();
    for (name, schema) in schemas {
        assert!(schema["title"].is_null(), "{name}");
        // Names with a dot are those of schemas that are not made from types.
        let values = schema["enum"].as_array().filter(|_| !name.contains('.'));
        if let Some(values) = values {
            assert_eq!(schema["type"], "string", "{name}");
            let is_new =
                enumerations.insert(values.iter().map(Value::to_string).collect::<BTreeSet<_>>());
            assert!(is_new, "{name} has another name, too");
        }
    }
    let text = schemas["Decision"].to_string() + &schemas["Retrieval"].to_string();
    assert!(!text.contains("\"const\":true"), "{text}");
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let body = &operation["requestBody"];
            assert!(
                body.is_null() || body["required"] == true,
                "{method} {path}"
            );
        }
    }
}

/// A validator for a schema of the document.
fn validator(document: &Value, schema: &Value) -> jsonschema::Validator {
    let whole = json!({"components": document["components"], "allOf": [schema]});
    jsonschema::validator_for(&whole).unwrap()
}

/// What `schema` says against `value`.
fn errors(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let validator = validator(document, schema);
    let errors = validator.iter_errors(value);
    errors.map(|error| error.to_string()).collect()
}

/// The schema of the JSON that a path answers with.
fn answered_schema<'d>(document: &'d Value, path: &str, method: &str) -> &'d Value {
    &document["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]
}

#[test]
fn every_answer_of_json_has_a_schema() {
    let (_service, document) = document();
    let mut named = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let description = response["description"].as_str().unwrap();
                assert!(!description.contains("schema/"), "{path}: {description}");
                let contents = response["content"].as_object();
                for (media_type, content) in contents.into_iter().flatten() {
                    if ["application/json", "application/problem+json"]
                        .contains(&media_type.as_str())
                    {
                        let schema = content["schema"]["$ref"].as_str();
                        let schema = schema.unwrap_or_else(|| {
                            panic!("{method} {path} {status}: the answer has no named schema")
                        });
                        named.insert(schema.rsplit('/').next().unwrap().to_owned());
                    }
                }
            }
        }
    }
    for name in [
        "Conversion",
        "Decision",
        "Diff",
        "Explanation",
        "FetchedSite",
        "Findings",
        "FormattedFile",
        "KnownRobots",
        "Matrix",
        "Problem",
        "SiteHistory",
        "Table",
        "TestReport",
    ] {
        assert!(named.contains(name), "{name}: {named:?}");
    }
}

#[test]
fn the_examples_are_answered_as_the_document_says() {
    let (service, document) = document();
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let site = ByteServer::at("0.0.0.0:0", None, Script::saying(answer));
    let visited = Cell::new(0);
    // The token of a visit, for a path that has one.
    let new_turn = |path: &str| {
        if !path.contains("{turn}") {
            return String::new();
        }
        // Another site each time: an example may ask not to come back.
        let port = site.address().port();
        visited.set(visited.get() + 1);
        let url = format!("http://127.0.80.{}:{port}/", visited.get());
        let request = json!({"url": url, "agent": "f"}).to_string();
        let turn = crate::client::post(service.address, "/v1/turn", &request).json();
        turn["turn"].as_str().unwrap().to_owned()
    };
    let mut sent = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let Some(content) = operation["requestBody"]["content"].as_object() else {
                continue;
            };
            for (media_type, body) in content {
                let examples = body["examples"].as_object();
                let examples =
                    examples.unwrap_or_else(|| panic!("{method} {path} has no examples"));
                for (name, example) in examples {
                    let value = &example["value"];
                    let text = value
                        .as_str()
                        .map_or_else(|| value.to_string(), str::to_owned);
                    let fields = [("Content-Type", media_type.as_str())];
                    let answered = ask(
                        service.address,
                        &method.to_uppercase(),
                        &path.replace("{turn}", &new_turn(path)),
                        &fields,
                        text.as_bytes(),
                    );
                    assert_eq!(answered.status, 200, "{path} {name}: {}", answered.text());
                    sent += 1;
                    if media_type != "application/json" {
                        continue;
                    }
                    let wrong = errors(&document, &body["schema"], value);
                    assert!(wrong.is_empty(), "the request of {path}, {name}: {wrong:?}");
                    let schema = answered_schema(&document, path, method);
                    let answer = answered.json();
                    let wrong = errors(&document, schema, &answer);
                    assert!(wrong.is_empty(), "{path} {name}: {wrong:?}");
                    // The schema is of this answer, and of no other object.
                    assert!(!errors(&document, schema, &json!({})).is_empty(), "{path}");
                }
            }
        }
    }
    assert!(sent >= 14, "{sent}");
}

#[test]
fn answers_to_get_are_as_the_document_says() {
    let folder = tempfile::tempdir().unwrap();
    let service = run(&abide_serve::Config {
        cache: Some(folder.path().to_str().unwrap().to_owned()),
        ..config()
    });
    let document = get(service.address, "/openapi.json").json();
    let site = site("User-agent: *\nDisallow: /x\n");
    let url = escaped(&site.url("/x"));
    for (path, methods) in document["paths"].as_object().unwrap() {
        if !methods["get"]["responses"]["200"]["content"]["application/json"].is_object() {
            continue;
        }
        let queries = match path.as_str() {
            "/v1/decide" => vec![
                format!("?url={url}&agent=A"),
                format!("?url={url}&agent=*&known_robots=true"),
            ],
            "/v1/robots" => vec![
                format!("?url={url}"),
                "?url=https://127.0.0.1:1/".to_owned(),
            ],
            "/v1/history" => vec![format!("?url={url}")],
            "/v1/known-robots" => vec![String::new(), "?name=@control-token".to_owned()],
            "/v1/lint" => vec!["?code=bom".to_owned(), "?code=typo".to_owned()],
            "/healthz" | "/readyz" => vec![String::new()],
            other => panic!("add a query for {other}"),
        };
        for query in queries {
            let answered = get(service.address, &format!("{path}{query}"));
            assert_eq!(answered.status, 200, "{path}{query}: {}", answered.text());
            let schema = answered_schema(&document, path, "get");
            let wrong = errors(&document, schema, &answered.json());
            assert!(wrong.is_empty(), "{path}{query}: {wrong:?}");
        }
    }
    let problem = get(service.address, "/v1/decide").json();
    let schema = &document["components"]["schemas"]["Problem"];
    let wrong = errors(&document, schema, &problem);
    assert!(wrong.is_empty(), "{problem}: {wrong:?}");
}
