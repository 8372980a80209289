//! The tools of `abide serve` answer, byte for byte, what the commands write.

use crate::{EXAMPLE, abide};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A service that ends with the test.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args(["serve", "--listen", "127.0.0.1:0", "--offline"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(log.read_line(&mut line).unwrap() > 0, "the service ended");
            let event: Value = serde_json::from_str(&line).unwrap();
            if let Some(address) = find(&event, "address") {
                break address;
            }
        };
        // Nobody may wait for somebody to read the rest.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Self { process, address }
    }

    /// The body of the answer to a request.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        body.to_owned()
    }

    fn post(&self, tool: &str, body: &Value) -> String {
        self.ask("POST", &format!("/v1/{tool}"), &body.to_string())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The text of a member, wherever it is.
fn find(value: &Value, name: &str) -> Option<String> {
    let members = value.as_object()?;
    let own = members.get(name).and_then(Value::as_str);
    own.map(str::to_owned)
        .or_else(|| members.values().find_map(|member| find(member, name)))
}

/// What a command writes for the file on stdin.
fn written(args: &[&str], file: &str) -> String {
    abide(args, file.as_bytes()).stdout
}

#[test]
fn tools_answer_what_the_commands_write() {
    let service = Service::start();
    let file = fs::read_to_string(EXAMPLE).unwrap();
    let draft = "User-agent: *\nDisallow: /\nContent-Signal: ai-train=no\n";
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("draft.txt"), draft).unwrap();
    fs::write(path("file.txt"), &file).unwrap();

    for agents in [
        "GPTBot",
        "GPTBot,CCBot,*",
        "Googlebot-News",
        "Mozilla/5.0 (compatible; bingbot/2.0)",
    ] {
        for urls in [
            vec![],
            vec!["/archive/x", "/"],
            (0..9).map(|_| "/archive/x").collect(),
        ] {
            for profile in ["careful", "google"] {
                let body =
                    json!({"robots": file, "agents": agents, "urls": urls, "profile": profile});
                let mut args = vec!["explain", "-"];
                args.extend(&urls);
                args.extend(["-a", agents, "--profile", profile, "--format", "json"]);
                assert_eq!(
                    service.post("explain", &body),
                    written(&args, &file),
                    "{args:?}"
                );
            }
        }
    }
    for (own, args) in [
        (json!({}), &[][..]),
        (
            json!({"agents": "@search", "literal": true}),
            &["-a", "@search", "--literal"],
        ),
        (
            json!({"agents": ["GPTBot", "*"], "profile": "google", "preferences": true}),
            &[
                "-a",
                "GPTBot",
                "-a",
                "*",
                "--profile",
                "google",
                "--preferences",
            ],
        ),
    ] {
        let mut body = json!({"robots": file, "file": "-"});
        body.as_object_mut()
            .unwrap()
            .extend(own.as_object().unwrap().clone());
        let args = [&["matrix", "-", "--format", "json"], args].concat();
        assert_eq!(
            service.post("matrix", &body),
            written(&args, &file),
            "{args:?}"
        );
    }
    let new = path("draft.txt");
    for (own, args) in [
        (json!({}), &[][..]),
        (
            json!({"agents": "GPTBot,*", "literal": true}),
            &["-a", "GPTBot,*", "--literal"],
        ),
    ] {
        let mut body = json!({"before": {"robots": file, "file": "-"}, "after": {"robots": draft, "file": new}});
        body.as_object_mut()
            .unwrap()
            .extend(own.as_object().unwrap().clone());
        let args = [&["diff", "-", &new, "--format", "json"], args].concat();
        assert_eq!(
            service.post("diff", &body),
            written(&args, &file),
            "{args:?}"
        );
    }
    let cases = "[[case]]\nname = \"closed\"\nagent = [\"GPTBot\", \"*\"]\nurl = [\"/archive/x\", \"/\"]\ncrawl = \"disallowed\"\n";
    fs::write(path("cases.toml"), cases).unwrap();
    let args = [
        "test",
        &path("cases.toml"),
        &path("file.txt"),
        "--format",
        "json",
    ];
    assert_eq!(
        service.post("test", &json!({"robots": file, "cases": cases})),
        written(&args, "")
    );
}

/// What the commands take as flags and files about preferences, the tools take as members.
#[test]
fn tools_take_vocabularies_and_documents() {
    let service = Service::start();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = "License: https://example.com/l.xml\n\nUser-agent: *\nContent-Usage: train-ai=y, ai-use=n\n";
    let tdmrep = r#"[{"location": "/blog/*", "tdm-reservation": 1}]"#;
    let rsl = r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>"#;
    let url = "https://example.com/l.xml";
    for (name, text) in [
        ("robots.txt", file),
        ("tdmrep.json", tdmrep),
        ("l.xml", rsl),
    ] {
        fs::write(path(name), text).unwrap();
    }
    let licence = format!("{url}={}", path("l.xml"));
    let tdmrep_file = path("tdmrep.json");
    let variants: [(Value, &[&str]); 6] = [
        (
            json!({"vocabularies": ["content-usage"]}),
            &["--vocabulary", "content-usage"],
        ),
        (json!({"revision": "07"}), &["--revision", "07"]),
        (json!({"tdmrep": tdmrep}), &["--tdmrep", &tdmrep_file]),
        (json!({"rsl": {url: rsl}}), &["--rsl", &licence]),
        (
            json!({"vocabularies": ["rsl", "tdmrep"], "tdmrep": tdmrep, "rsl": {url: rsl}}),
            &[
                "--vocabulary",
                "rsl,tdmrep",
                "--tdmrep",
                &tdmrep_file,
                "--rsl",
                &licence,
            ],
        ),
        (json!({"vocabularies": ["rsl"]}), &["--vocabulary", "rsl"]),
    ];
    let cases =
        "[[case]]\nagent = [\"GPTBot\", \"*\"]\nurl = [\"/blog/x\", \"/\"]\ntrain = \"allowed\"\n";
    fs::write(path("cases.toml"), cases).unwrap();
    let mut answers = Vec::new();
    for (asked, flags) in variants {
        let body = json!({"robots": file, "file": "-", "agents": "GPTBot,*", "preferences": asked});
        let args = [
            &["matrix", "-", "-a", "GPTBot,*", "--format", "json"],
            flags,
        ]
        .concat();
        let matrix = service.post("matrix", &body);
        assert_eq!(matrix, written(&args, file), "{args:?}");
        let body = json!({"robots": file, "cases": cases, "preferences": asked});
        let (named, robots) = (path("cases.toml"), path("robots.txt"));
        let args = [&["test", &named, &robots, "--format", "json"], flags].concat();
        let checks = service.post("test", &body);
        assert_eq!(checks, written(&args, ""), "{args:?}");
        answers.push((matrix, checks));
    }
    answers.sort();
    answers.dedup();
    assert_eq!(answers.len(), 6, "each variant has an answer of its own");
}

#[test]
fn tools_answer_what_the_commands_write_in_parts() {
    let service = Service::start();
    let part = |answer: String, member: &str| -> Value {
        let mut answer: Value = serde_json::from_str(&answer).unwrap();
        answer[member].take()
    };
    let file = "user-agent: *\nDissalow: /x\nContent-Signal: ai-train=no\n\nUser-agent: Google-Extended\nDisallow: /\n";
    for (own, args) in [
        (json!({}), &[][..]),
        (
            json!({"select": ["misspelt-*"]}),
            &["--select", "misspelt-*"],
        ),
        (
            json!({"ignore": ["misspelt-field"]}),
            &["--ignore", "misspelt-field"],
        ),
        (
            json!({"now": "2099-01-01T00:00:00Z"}),
            &["--now", "2099-01-01T00:00:00Z"],
        ),
    ] {
        let mut body = json!({"robots": file, "file": "stdin"});
        body.as_object_mut()
            .unwrap()
            .extend(own.as_object().unwrap().clone());
        let args = [&["lint", "-", "--no-config", "--format", "json"], args].concat();
        let findings = part(service.post("lint", &body), "findings");
        let text = abide_contract::text::pretty(&findings) + "\n";
        let written: Value = serde_json::from_str(&written(&args, file)).unwrap();
        // Members of a Value are sorted.
        assert_eq!(
            text,
            abide_contract::text::pretty(&written) + "\n",
            "{args:?}"
        );
    }
    let formatted = part(service.post("fmt", &json!({"robots": file})), "formatted");
    assert_eq!(formatted, written(&["fmt", "-"], file));
    for to in ["content-usage", "tdmrep", "acap"] {
        let converted = part(
            service.post("convert", &json!({"robots": file, "to": to})),
            "converted",
        );
        let text = written(&["convert", "--to", to, "-"], file);
        assert_eq!(converted.as_str().unwrap_or_default(), text, "{to}");
    }
    let robots = part(
        service.ask("GET", "/v1/known-robots?name=@search&operator=google", ""),
        "robots",
    );
    let text = written(
        &[
            "robots",
            "@search",
            "--operator",
            "google",
            "--format",
            "json",
        ],
        "",
    );
    assert_eq!(robots, serde_json::from_str::<Value>(&text).unwrap());
}

#[test]
fn tables_and_conversions_have_the_form_of_their_schemas() {
    let service = Service::start();
    let file = fs::read_to_string(EXAMPLE).unwrap();
    let table = json!({"robots": file, "agents": "@all", "urls": ["/archive/x", "x", "/a/../b"], "profiles": ["careful", "google"]});
    for (tool, body, schema) in [
        (
            "table",
            table,
            include_str!("../../../../schema/table.json"),
        ),
        (
            "convert",
            json!({"robots": file, "to": "acap"}),
            include_str!("../../../../schema/convert.json"),
        ),
    ] {
        let answer: Value = serde_json::from_str(&service.post(tool, &body)).unwrap();
        let schema: Value = serde_json::from_str(schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let errors: Vec<_> = validator
            .iter_errors(&answer)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{tool}: {errors:?}");
    }
}
