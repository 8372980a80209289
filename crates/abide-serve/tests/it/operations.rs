//! Health, metrics, traces and fields of answers.

use crate::client::{ask, escaped, get};
use crate::{config, run, site};
use abide_serve::Config;

/// A13: a service without sites and cache is ready.
#[test]
fn health_and_readiness() {
    let service = run(&config());
    assert_eq!(get(service.address, "/healthz").json()["status"], "ok");
    assert_eq!(get(service.address, "/readyz").json()["status"], "ready");
}

/// A12: there are few series.
#[test]
fn metrics_have_no_names_of_sites() {
    let service = run(&config());
    for number in 0..50 {
        get(
            service.address,
            &format!("/v1/decide?url=ftp://e{number}.example/&agent=A"),
        );
        get(service.address, &format!("/path{number}"));
    }
    let text = get(service.address, "/metrics").text();
    assert!(
        text.contains("# TYPE abide_request_seconds histogram"),
        "{text}"
    );
    assert!(
        text.contains("abide_requests_total{route=\"/v1/decide\",status=\"400\"} 50"),
        "{text}"
    );
    assert!(!text.contains("example") && !text.contains("/path1"));
    assert!(text.lines().count() < 500);
}

/// Every metric of docs/serve.md is there with its type, and every metric is in docs/serve.md.
#[test]
fn metrics_are_those_of_the_page() {
    let page = include_str!("../../../../docs/serve.md");
    let (_, table) = page
        .split_once("| metric | type | meaning |\n|---|---|---|\n")
        .unwrap();
    let table = table.split("\n\n").next().unwrap();
    let mut documented = std::collections::BTreeMap::new();
    for row in table.lines() {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        for name in cells[1].split(", ") {
            let name = name.trim_matches('`').split('{').next().unwrap();
            documented.insert(name.to_owned(), cells[2].to_owned());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let site = site("User-agent: *\nDisallow: /x\n");
    let service = run(&Config {
        cache: Some(folder.path().to_str().unwrap().to_owned()),
        authz: Some(folder.path().to_owned()),
        ..config()
    });
    let query = format!("/v1/decide?url={}&agent=A", escaped(&site.url("/x")));
    for _ in 0..3 {
        get(service.address, &query);
    }
    get(service.address, "/v1/decide");
    get(service.address, "/authz");
    let text = get(service.address, "/metrics").text();
    let types: std::collections::BTreeMap<_, _> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .filter_map(|line| line.split_once(' '))
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .collect();
    assert_eq!(types, documented);
    for name in types.keys() {
        assert!(text.contains(&format!("# HELP {name} ")), "{name}");
    }
    let value = |series: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{series} ")));
        let line = line.unwrap_or_else(|| panic!("{series} is not in {text}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let count = |series: &str| format!("{}", value(series));
    let lookups = |cache: &str, result: &str| {
        value(&format!(
            "abide_cache_lookups_total{{cache=\"{cache}\",result=\"{result}\"}}"
        ))
    };
    assert_eq!(
        (lookups("memory", "miss"), lookups("store", "miss")),
        (1.0, 1.0)
    );
    assert!(lookups("memory", "hit") >= 2.0 && lookups("store", "hit") == 0.0);
    assert_eq!(count("abide_fetch_seconds_count"), "1");
    assert!(value("abide_memory_bytes{cache=\"files\"}") > 1_000.0);
    assert!(value("abide_cache_folder_bytes") > 4_096.0);
    // That of the metrics themselves is counted when it is answered.
    assert_eq!(
        count("abide_token_requests_total{token=\"anonymous\"}"),
        "4"
    );
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        text.contains(&format!(
            "abide_build_info{{version=\"{version}\",revision=\""
        )),
        "{text}"
    );
    if cfg!(target_os = "linux") {
        assert!(value("process_resident_memory_bytes") > 1_000_000.0);
        assert!(value("process_open_fds") > 3.0 && value("process_max_fds") > 3.0);
    }
    assert!(value("process_start_time_seconds") > 1_600_000_000.0);
}

/// A10: browsers read no answer as something else, and other origins read none.
#[test]
fn every_answer_has_fields_that_protect_browsers() {
    let service = run(&config());
    for path in [
        "/healthz",
        "/v1/decide",
        "/nothing",
        "/metrics",
        "/openapi.json",
    ] {
        let answered = get(service.address, path);
        assert_eq!(
            answered.field("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(answered.field("cache-control"), Some("no-store"), "{path}");
        assert!(
            answered
                .field("content-security-policy")
                .unwrap()
                .contains("default-src 'none'")
        );
        assert_eq!(answered.field("access-control-allow-origin"), None);
    }
}

#[test]
fn a_trace_goes_on() {
    let service = run(&config());
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let answered = ask(
        service.address,
        "GET",
        "/healthz",
        &[("traceparent", parent)],
        b"",
    );
    let response = answered.field("traceresponse").unwrap();
    assert!(
        response.starts_with("00-4bf92f3577b34da6a3ce929d0e0e4736-") && response.ends_with("-01")
    );
    assert!(!response.contains("00f067aa0ba902b7"));
    let wrong = ask(
        service.address,
        "GET",
        "/healthz",
        &[("traceparent", "00-x")],
        b"",
    );
    assert_eq!((wrong.status, wrong.field("traceresponse")), (200, None));
}
