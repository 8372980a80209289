//! The conformance vectors at command level: through `abide batch` and through `abide check`.

use crate::abide;
use abide_testkit::vectors::{self, ApplicationVector, DecisionVector, RuleValue, TagVector};
use base64::Engine;
use serde_json::{Value, json};

fn request(name: &str, vector: &DecisionVector) -> Value {
    let mut request = json!({
        "id": name,
        "url": vector.url,
        "agent": vector.agent,
        "purposes": vector.purposes,
        "nonstandard_token": vector.nonstandard_token,
        "profile": vector.profile.as_deref().unwrap_or("careful"),
    });
    if let Some(octets) = vector.octets() {
        match String::from_utf8(octets) {
            Ok(text) => request["robots"] = text.into(),
            Err(error) => {
                let encoded = base64::engine::general_purpose::STANDARD.encode(error.as_bytes());
                request["robots_base64"] = encoded.into();
            }
        }
    }
    if let Some(status) = vector.robots_status {
        request["robots_status"] = status.into();
    }
    if let Some(error) = &vector.robots_error {
        request["robots_error"] = error.as_str().into();
    }
    request
}

fn check(name: &str, vector: &DecisionVector, decision: &Value) {
    let crawl = &decision["usages"]["crawl"];
    assert_eq!(crawl["outcome"], *vector.expect, "{name}: {decision}");
    let decided = &crawl["evidence"][0];
    assert_eq!(decided["role"], "decided", "{name}");
    if let Some(line) = vector.line {
        assert_eq!(decided["line"], line, "{name}");
    }
    if let Some(statement) = &vector.statement {
        assert_eq!(decided["statement"], **statement, "{name}");
    }
    if let Some(by) = &vector.selected_by {
        assert_eq!(decided["selected_by"]["by"], **by, "{name}");
    }
    if let Some(octets) = vector.octets {
        assert_eq!(decided["octets"], octets, "{name}");
    }
    if let Some(sitemaps) = &vector.sitemaps {
        assert_eq!(decision["sitemaps"], json!(sitemaps), "{name}");
    }
    if let Some(delay) = vector.crawl_delay {
        assert_eq!(decision["crawl_delay"], json!(delay), "{name}");
    }
    if let Some(url) = &vector.robots_url {
        assert_eq!(decision["robots_url"], **url, "{name}");
    }
    let codes: Vec<&str> = decision["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|d| d["code"].as_str())
        .collect();
    vectors::check_codes(name, &codes, &vector.diagnostics, &vector.no_diagnostics);
}

#[test]
fn through_batch() {
    let files = vectors::load();
    let named: Vec<(String, &DecisionVector)> = files
        .iter()
        .flat_map(|(file, vectors)| {
            vectors
                .decision
                .iter()
                .map(move |v| (format!("{file}: {}", v.name), v))
        })
        .collect();
    let input: String = named
        .iter()
        .map(|(name, vector)| format!("{}\n", request(name, vector)))
        .collect();
    let ran = abide(&["batch"], input.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let answers: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), named.len());
    for ((name, vector), answer) in named.iter().zip(&answers) {
        assert_eq!(answer["id"], **name, "answers are in order");
        check(name, vector, answer);
    }
}

#[test]
fn tags_through_batch() {
    let files = vectors::load();
    let vectors: Vec<_> = files
        .iter()
        .flat_map(|(_, vectors)| &vectors.tags)
        .collect();
    let request = |vector: &TagVector| {
        json!({
            "id": vector.name, "url": "https://e.example/x", "agent": vector.agent, "purposes": vector.purposes,
            "robots": vector.robots, "headers": vector.field_lines(), "html": vector.html,
            "rendered_html": vector.rendered_html, "now": vector.now.as_deref().unwrap_or("2000-01-01T00:00:00Z"),
            "profile": vector.profile.as_deref().unwrap_or("careful"),
        })
    };
    let input: String = vectors
        .iter()
        .map(|vector| format!("{}\n", request(vector)))
        .collect();
    let ran = abide(&["batch"], input.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    for (line, vector) in ran.stdout.lines().zip(vectors) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let value = |value: &RuleValue| value.text().map_or(json!(true), |text| json!(text));
        let rules: serde_json::Map<_, _> = vector
            .expect
            .iter()
            .map(|(name, v)| (name.clone(), value(v)))
            .collect();
        assert_eq!(answer["tags"], Value::Object(rules), "{}", vector.name);
        for (usage, outcome) in &vector.outcomes {
            assert_eq!(
                answer["usages"][usage]["outcome"], **outcome,
                "{}: {usage}",
                vector.name
            );
        }
        for (usage, conditions) in &vector.conditions {
            let found: Vec<String> = answer["usages"][usage]["conditions"]
                .as_array()
                .unwrap()
                .iter()
                .map(|c| {
                    format!(
                        "{} {}",
                        c["kind"].as_str().unwrap(),
                        c["value"].as_str().unwrap()
                    )
                })
                .collect();
            assert_eq!(found, *conditions, "{}: {usage}", vector.name);
        }
    }
}

#[test]
fn applications_through_batch() {
    let files = vectors::load();
    let vectors: Vec<_> = files
        .iter()
        .flat_map(|(_, vectors)| &vectors.applications)
        .collect();
    let request = |vector: &ApplicationVector| {
        let application =
            json!({"id": vector.application, "product_tokens": vector.product_tokens});
        json!({
            "id": vector.name, "url": vector.url, "agent": "client", "robots": vector.robots,
            "applications": [application],
        })
    };
    let input: String = vectors
        .iter()
        .map(|vector| format!("{}\n", request(vector)))
        .collect();
    let ran = abide(&["batch"], input.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    for (line, vector) in ran.stdout.lines().zip(vectors) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let said = &answer["applications"][&vector.application];
        let found = said["directives"].as_object().unwrap().iter();
        let found = found.map(|(name, value)| (name.clone(), written(value)));
        let expected = vector
            .expect
            .iter()
            .map(|(name, value)| (name.clone(), value.replace('"', "")));
        assert!(found.eq(expected), "{}: {said}", vector.name);
        assert_eq!(
            said["crawl_disallowed"], vector.crawl_disallowed,
            "{}",
            vector.name
        );
    }
}

/// A directive's value as the vectors write it, without quotes.
fn written(value: &Value) -> String {
    match (value["type"].as_str(), &value["value"]) {
        (Some("byte-sequence"), Value::String(encoded)) => {
            let octets = base64::engine::general_purpose::STANDARD
                .decode(encoded)
                .unwrap();
            String::from_utf8(octets).unwrap()
        }
        (Some("date"), seconds) => format!("@{seconds}"),
        (Some(_), Value::String(text)) => text.clone(),
        _ => match value {
            Value::Bool(stated) => format!("?{}", u8::from(*stated)),
            Value::String(text) => text.clone(),
            number => number.to_string(),
        },
    }
}

#[test]
fn through_check() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.decision {
            let (Some(octets), None, None) =
                (vector.octets(), vector.robots_status, &vector.robots_error)
            else {
                continue;
            };
            let mut args = vec!["check", &vector.url, "--robots", "-", "--format", "jsonl"];
            vector
                .agent
                .iter()
                .for_each(|agent| args.extend(["--agent", agent]));
            vector
                .purposes
                .iter()
                .for_each(|purpose| args.extend(["--purpose", purpose]));
            vector
                .profile
                .iter()
                .for_each(|profile| args.extend(["--profile", profile]));
            args.extend(vector.nonstandard_token.then_some("--nonstandard-token"));
            let ran = abide(&args, &octets);
            let name = format!("{file}: {}", vector.name);
            check(&name, vector, &serde_json::from_str(&ran.stdout).unwrap());
            assert_eq!(
                ran.status,
                i32::from(vector.expect != "permitted"),
                "{name}"
            );
        }
    }
}
