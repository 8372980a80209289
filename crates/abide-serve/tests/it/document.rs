//! The `OpenAPI` document: its examples are sent, and its schemas hold.

use crate::client::{ask, get};
use crate::{run, settings};
use serde_json::{Value, json};

fn document() -> (crate::Running, Value) {
    let service = run(&settings());
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

/// A validator for a schema of the document.
fn validator(document: &Value, schema: &Value) -> jsonschema::Validator {
    let whole = json!({"components": document["components"], "allOf": [schema]});
    jsonschema::validator_for(&whole).unwrap()
}

#[test]
fn the_examples_are_answered_as_the_document_says() {
    let (service, document) = document();
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
                        path,
                        &fields,
                        text.as_bytes(),
                    );
                    assert_eq!(answered.status, 200, "{path} {name}: {}", answered.text());
                    sent += 1;
                    let schema =
                        &operation["responses"]["200"]["content"]["application/json"]["schema"];
                    if schema.is_object() {
                        assert!(
                            validator(&document, &body["schema"]).is_valid(value),
                            "{path} {name}"
                        );
                        let answer = answered.json();
                        let errors: Vec<_> = validator(&document, schema)
                            .iter_errors(&answer)
                            .map(|error| error.to_string())
                            .collect();
                        assert!(errors.is_empty(), "{path} {name}: {errors:?}");
                    }
                }
            }
        }
    }
    assert!(sent >= 5, "{sent}");
    // Problems and other answers.
    for (path, query) in [
        ("/v1/decide", "?url=https://127.0.0.1:1/&agent=A"),
        ("/v1/robots", "?url=https://127.0.0.1:1/"),
        ("/healthz", ""),
    ] {
        let schema = &document["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]
            ["schema"];
        let answer = get(service.address, &format!("{path}{query}")).json();
        assert!(
            validator(&document, schema).is_valid(&answer),
            "{path}: {answer}"
        );
    }
    let problem = get(service.address, "/v1/decide").json();
    let schema = &document["components"]["schemas"]["Problem"];
    assert!(validator(&document, schema).is_valid(&problem), "{problem}");
}
