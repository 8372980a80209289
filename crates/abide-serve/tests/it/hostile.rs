//! Random requests: no bug of ours answers.

use crate::client::send;
use crate::{Running, config, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::net::SocketAddr;

/// JSON that is nearly a request.
fn nearly_requests() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("url"),
        Just("agent"),
        Just("robots"),
        Just("robots_base64"),
        Just("robots_status"),
        Just("robots_error"),
        Just("headers"),
        Just("html"),
        Just("preferences"),
        Just("acap"),
        Just("references"),
        Just("applications"),
        Just("known_robots"),
        Just("profile"),
        Just("id"),
        Just("now"),
        Just("x"),
    ];
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("1e999".to_owned()),
        Just("-1".to_owned()),
        Just("404".to_owned()),
        Just("\"https://e.example/x\"".to_owned()),
        Just("\"http://127.0.0.1/\"".to_owned()),
        Just("\"*\"".to_owned()),
        Just("\"GPTBot\"".to_owned()),
        Just("\"\\ud800\"".to_owned()),
        Just("\"User-agent: *\\nDisallow: /\"".to_owned()),
        Just("[]".to_owned()),
        Just("{}".to_owned()),
        Just("[[\"Robots-Tag\",\"*;noindex\"]]".to_owned()),
        any::<String>().prop_map(|text| serde_json::Value::from(text).to_string()),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4)
                .prop_map(|list| format!("[{}]", list.join(","))),
            proptest::collection::vec(("[a-z_]{1,10}", inner), 0..4).prop_map(|members| {
                let members = members
                    .iter()
                    .map(|(name, value)| format!("\"{name}\":{value}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    });
    let members = proptest::collection::vec((name, value), 0..8).prop_map(|members| {
        let members = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    });
    prop_oneof![4 => members, 1 => any::<String>()]
}

fn paths() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("/v1".to_owned()),
        Just("/decide".to_owned()),
        Just("/batch".to_owned()),
        Just("/robots".to_owned()),
        Just("/history".to_owned()),
        Just("?url=".to_owned()),
        Just("http://127.0.0.1:1/".to_owned()),
        Just("&agent=".to_owned()),
        Just("A".to_owned()),
        Just("%00".to_owned()),
        Just("%FF".to_owned()),
        Just("..".to_owned()),
        Just("//".to_owned()),
        Just("&known_robots=true".to_owned()),
        Just("&profile=google".to_owned()),
        "[!-~&&[^ #]]{0,20}",
    ];
    proptest::collection::vec(part, 0..8).prop_map(|parts| format!("/{}", parts.concat()))
}

fn status(address: SocketAddr, method: &str, path: &str, media_type: &str, body: &str) -> u16 {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    send(address, request.as_bytes()).map_or(0, |answered| answered.status)
}

fn service() -> Running {
    let mut config = config();
    // Nothing is fetched: random addresses belong to somebody.
    config.offline = Some(true);
    run(&config)
}

fn runner() -> TestRunner {
    TestRunner::new(Config {
        cases: 400,
        failure_persistence: None,
        ..Config::default()
    })
}

#[test]
fn no_request_finds_a_bug() {
    let service = service();
    let requests = (
        nearly_requests(),
        prop_oneof![Just("/v1/decide"), Just("/v1/batch")],
    );
    runner()
        .run(&requests, |(body, path)| {
            let status = status(service.address, "POST", path, "application/json", &body);
            prop_assert!((200..500).contains(&status), "{status} for {body}");
            Ok(())
        })
        .unwrap();
    assert_eq!(service.count("abide_problems_total", "internal-error"), 0);
}

#[test]
fn no_path_finds_a_bug() {
    let service = service();
    let requests = (
        paths(),
        prop_oneof![Just("GET"), Just("POST"), Just("HEAD"), Just("BREW")],
    );
    runner()
        .run(&requests, |(path, method)| {
            let status = status(service.address, method, &path, "application/json", "{}");
            prop_assert!((200..500).contains(&status), "{status} for {method} {path}");
            Ok(())
        })
        .unwrap();
    assert_eq!(service.count("abide_problems_total", "internal-error"), 0);
}
