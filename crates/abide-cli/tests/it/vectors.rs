//! The conformance vectors at command level, through `abide batch` and `abide check`.

use crate::abide;
use abide_testkit::vectors::{
    self, ApplicationVector, ComposedVector, DecisionVector, RuleValue, SaidForApplication,
    SaidOfUsage, TagVector,
};
use base64::Engine;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn request(name: &str, vector: &DecisionVector) -> Value {
    let mut request = json!({
        "id": name,
        "url": vector.url,
        "agent": vector.agent,
        "purposes": vector.purposes,
        "nonstandard_token": vector.nonstandard_token,
        "profile": vector.profile.as_deref().unwrap_or("careful"),
    });
    if let Some(bytes) = vector.bytes() {
        match String::from_utf8(bytes) {
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
    if let Some(bytes) = vector.bytes {
        assert_eq!(decided["bytes"], bytes, "{name}");
    }
    if let Some(sitemaps) = &vector.sitemaps {
        assert_eq!(decision["sitemaps"], json!(sitemaps), "{name}");
    }
    if vector.crawl_delay.is_some() {
        let found = decision["crawl_delay"].as_f64();
        assert_eq!(
            found.or(Some(0.0)),
            vector.crawl_delay,
            "{name}: crawl_delay"
        );
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
    let ran = abide(&["batch", "--quiet"], input.as_bytes());
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
    let ran = abide(&["batch", "--quiet"], input.as_bytes());
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
    let ran = abide(&["batch", "--quiet"], input.as_bytes());
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

/// The value of a directive as the vectors write it, without quotes.
fn written(value: &Value) -> String {
    match (value["type"].as_str(), &value["value"]) {
        (Some("byte-sequence"), Value::String(encoded)) => format!(":{encoded}:"),
        (Some("display-string"), Value::String(text)) => {
            let escaped = |byte: u8| match byte {
                b' '..=b'~' if !b"%\"".contains(&byte) => char::from(byte).to_string(),
                byte => format!("%{byte:02x}"),
            };
            format!("%{}", text.bytes().map(escaped).collect::<String>())
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
            let (Some(bytes), None, None) =
                (vector.bytes(), vector.robots_status, &vector.robots_error)
            else {
                continue;
            };
            // Empty standard input is an error, because a pipe may have broken.
            let empty = tempfile::NamedTempFile::new().unwrap();
            let source = match bytes.as_slice() {
                [] => empty.path().to_str().unwrap(),
                _ => "-",
            };
            // If a web client would change the URL before sending it, `check` decides about the
            // changed one.
            let target = ::abide::Target::new(&vector.url);
            if target.is_ok_and(|target| target.path_as_sent().is_some()) {
                continue;
            }
            let mut args = vec![
                "check",
                &vector.url,
                "--robots",
                source,
                "--format",
                "jsonl",
            ];
            let agent = vector.agent.join(">");
            args.extend(["--agent", &agent]);
            vector
                .purposes
                .iter()
                .for_each(|purpose| args.extend(["--purpose", purpose]));
            vector
                .profile
                .iter()
                .for_each(|profile| args.extend(["--profile", profile]));
            args.extend(vector.nonstandard_token.then_some("--nonstandard-token"));
            let ran = abide(&args, &bytes);
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

fn composed_request(vector: &ComposedVector) -> Value {
    let application = |text: &String| match text.split_once('@') {
        Some((id, token)) => json!({"id": id, "product_tokens": [token]}),
        None => json!(text),
    };
    let applications: Vec<Value> = vector.applications.iter().map(application).collect();
    json!({
        "id": vector.name, "url": vector.url, "agent": vector.agent, "purposes": vector.purposes,
        "applications": applications, "acap": vector.acap, "readings": vector.readings,
        "robots": vector.bytes().map(|bytes| String::from_utf8(bytes).unwrap()),
        "robots_status": vector.robots_status, "robots_error": vector.robots_error,
        "references": vector.references, "headers": vector.headers, "html": vector.html,
        "rendered_html": vector.rendered_html, "now": vector.instant(),
        "first_indexed": vector.first_indexed, "first_copied": vector.first_copied,
        "version": vector.version.as_deref().unwrap_or("latest"),
        "profile": vector.profile.as_deref().unwrap_or("careful"),
        "preferences": vector.preferences, "registry": vector.registry,
    })
}

/// Compares what the vocabularies say.
fn check_preferences(vector: &ComposedVector, answer: &Value) {
    let texts = |members: &Value| -> BTreeMap<String, String> {
        let members = members.as_object().into_iter().flatten();
        let text = |value: &Value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        };
        members
            .map(|(name, value)| (name.clone(), text(value)))
            .collect()
    };
    let each = |what: &str| -> BTreeMap<String, BTreeMap<String, String>> {
        let said = answer.as_object().into_iter().flatten();
        said.map(|(name, said)| (name.clone(), texts(&said[what])))
            .collect()
    };
    let documents = answer["rsl"]["documents"].as_array().into_iter().flatten();
    let documents: Vec<_> = documents.map(|one| written(&one["url"])).collect();
    vector.check_preferences(&each("words"), &each("usages"), &documents);
}

fn check_composed(vector: &ComposedVector, answer: &Value) {
    if let Some(error) = &vector.error {
        assert_eq!(answer["error"]["code"], **error, "{}", vector.name);
        return;
    }
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let texts = |values: &Value| -> Vec<String> {
        values
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(text)
            .collect()
    };
    vector.check_usages(|usage| {
        let said = &answer["usages"][usage];
        let decided = &said["evidence"][0];
        let conditions = said["conditions"].as_array().unwrap().iter();
        let condition = |one: &Value| {
            format!(
                "{} {}",
                text(&one["kind"]).unwrap(),
                text(&one["value"]).unwrap()
            )
        };
        SaidOfUsage {
            outcome: text(&said["outcome"]).unwrap(),
            conditions: conditions.map(condition).collect(),
            line: decided["line"]
                .as_u64()
                .and_then(|line| u32::try_from(line).ok()),
            source: text(&decided["source"]),
            reason: text(&decided["reason"]),
            notes: texts(&decided["notes"]),
        }
    });
    check_preferences(vector, &answer["preferences"]);
    vector.check_applications(|id, usage| {
        let said = &answer["applications"][id]["preferences"][usage];
        let line = |one: &Value| {
            one["line"]
                .as_u64()
                .and_then(|line| u32::try_from(line).ok())
        };
        let evidence = said["evidence"].as_array().into_iter().flatten();
        let overridden = evidence.filter(|one| one["reason"] == "directive-overrides");
        SaidForApplication {
            outcome: text(&said["outcome"]).unwrap(),
            line: line(&said["evidence"][0]),
            overridden: overridden.filter_map(line).collect(),
        }
    });
    let codes = answer["diagnostics"].as_array().unwrap().iter();
    let codes: Vec<&str> = codes.filter_map(|found| found["code"].as_str()).collect();
    vectors::check_codes(
        &vector.name,
        &codes,
        &vector.diagnostics,
        &vector.no_diagnostics,
    );
    if let Some(needs) = &vector.needs {
        assert_eq!(texts(&answer["needs"]), *needs, "{}: needs", vector.name);
    }
    if let Some(requests) = &vector.action_requests {
        let found = answer["action_requests"].as_array().unwrap().iter();
        let found: Vec<_> = found
            .map(|one| {
                format!(
                    "{} {}",
                    text(&one["action"]).unwrap(),
                    text(&one["path"]).unwrap()
                )
            })
            .collect();
        assert_eq!(found, *requests, "{}: action requests", vector.name);
    }
    for (id, expected) in &vector.directives {
        let found = answer["applications"][id]["directives"]
            .as_object()
            .unwrap()
            .iter();
        let found = found.map(|(name, value)| (name.clone(), written(value)));
        assert!(found.eq(expected.clone()), "{}: {id}", vector.name);
    }
}

#[test]
fn compositions_through_batch() {
    let files = vectors::load();
    let vectors: Vec<_> = files
        .iter()
        .flat_map(|(_, vectors)| &vectors.composed)
        .collect();
    let input: String = vectors
        .iter()
        .map(|vector| format!("{}\n", composed_request(vector)))
        .collect();
    let ran = abide(&["batch", "--quiet"], input.as_bytes());
    let refused = vectors.iter().any(|vector| vector.error.is_some());
    assert_eq!(ran.status, if refused { 2 } else { 0 }, "{}", ran.stderr);
    assert_eq!(ran.stdout.lines().count(), vectors.len());
    for (line, vector) in ran.stdout.lines().zip(vectors) {
        check_composed(vector, &serde_json::from_str(line).unwrap());
    }
}

/// The arguments for references that are files, if there are any.
#[test]
fn compositions_through_check() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compositions");
    std::fs::create_dir_all(&folder).unwrap();
    for (_, vectors) in vectors::load() {
        for vector in &vectors.composed {
            let Some(args) = composed_args(vector, &folder) else {
                continue;
            };
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = abide(&args, &vector.bytes().unwrap());
            check_composed(vector, &serde_json::from_str(&ran.stdout).unwrap());
        }
    }
}

/// The options for the member `preferences` of a request; `None` if there are none for a member of
/// it. Documents that are only a status cannot be given.
fn preference_args(asked: &toml::Table, folder: &std::path::Path) -> Option<Vec<String>> {
    let mut args = vec!["--preferences".to_owned()];
    let mut add = |option: &str, value: &str| args.extend([option.to_owned(), value.to_owned()]);
    let names = |value: &toml::Value| -> Option<Vec<String>> {
        let names = value.as_array()?.iter();
        names.map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    for (member, value) in asked {
        match member.as_str() {
            "vocabularies" => add("--vocabulary", &names(value)?.join(",")),
            "revision" => add("--revision", value.as_str()?),
            "use" => add("--use", value.as_str()?),
            "control_tokens" => {
                for token in value.as_array()? {
                    if let Some(name) = token.as_str() {
                        add("--control-token", name);
                    } else {
                        let usages = names(&token["usages"])?.join(",");
                        let token = token["token"].as_str()?;
                        add("--control-token", &format!("{token}={usages}"));
                    }
                }
            }
            "tdmrep" => {
                let file = folder.join("tdmrep.json");
                std::fs::write(&file, value.as_str()?).unwrap();
                add("--tdmrep", file.to_str()?);
            }
            "rsl" => {
                for (at, (url, body)) in value.as_table()?.iter().enumerate() {
                    let file = folder.join(format!("licence-{at}.xml"));
                    std::fs::write(&file, body.as_str()?).unwrap();
                    add("--rsl", &format!("{url}={}", file.display()));
                }
            }
            _ => return None,
        }
    }
    Some(args)
}

/// The arguments that ask the question of a vector; `None` if the command line cannot express it.
fn composed_args(vector: &ComposedVector, folder: &std::path::Path) -> Option<Vec<String>> {
    let applies = vector.bytes().is_some()
        && vector.robots_status.is_none()
        && vector.robots_error.is_none()
        && vector.error.is_none()
        && !vector.applications.iter().any(|text| text.contains('@'));
    let source = match vector.bytes().as_deref() {
        Some([]) => {
            let file = folder.join("empty.txt");
            std::fs::write(&file, "").unwrap();
            file.to_str().unwrap().to_owned()
        }
        _ => "-".to_owned(),
    };
    let mut args: Vec<String> = [
        "check",
        &vector.url,
        "--robots",
        &source,
        "--format",
        "jsonl",
    ]
    .map(String::from)
    .to_vec();
    if let Some(asked) = &vector.preferences {
        args.extend(preference_args(asked, folder)?);
    }
    let mut add = |option: &str, value: &str| args.extend([option.to_owned(), value.to_owned()]);
    if let Some(registry) = &vector.registry {
        let file = folder.join("registry.toml");
        std::fs::write(&file, toml::to_string(registry).unwrap()).unwrap();
        add("--registry", file.to_str()?);
    }
    add("--now", vector.instant());
    add("--agent", &vector.agent.join(">"));
    for (option, values) in [
        ("--purpose", &vector.purposes),
        ("--application", &vector.applications),
        ("--reading", &vector.readings),
        ("--acap-name", &vector.acap.names),
        ("--acap-purpose", &vector.acap.purposes),
        ("--cannot", &vector.acap.unsupported),
    ] {
        for value in values {
            add(option, value);
        }
    }
    for (option, value) in [
        ("--profile", &vector.profile),
        ("--acap", &vector.acap.mode),
        ("--first-indexed", &vector.first_indexed),
        ("--first-copied", &vector.first_copied),
    ] {
        if let Some(value) = value {
            add(option, value);
        }
    }
    for (name, value) in &vector.headers {
        add("--header", &format!("{name}: {value}"));
    }
    for (option, name, html) in [
        ("--html", "page.html", &vector.html),
        ("--rendered-html", "rendered.html", &vector.rendered_html),
    ] {
        if let Some(html) = html {
            let file = folder.join(name);
            std::fs::write(&file, html).unwrap();
            add(option, file.to_str().unwrap());
        }
    }
    for (at, (locator, text)) in vector.references.iter().enumerate() {
        let vectors::ReferenceText::Body(body) = text else {
            return None;
        };
        let file = folder.join(format!("reference-{at}.txt"));
        std::fs::write(&file, body).unwrap();
        add("--reference", &format!("{locator}={}", file.display()));
    }
    args.extend(
        vector
            .acap
            .prior_arrangement
            .then(|| "--prior-arrangement".to_owned()),
    );
    args.extend((vector.version.as_deref() == Some("old")).then(|| "--old-version".to_owned()));
    applies.then_some(args)
}
