//! Health, metrics, traces and fields of answers.

use crate::client::{ask, get};
use crate::{config, run};

#[test]
fn health_and_readiness() {
    let service = run(&config());
    assert_eq!(get(service.address, "/healthz").json()["status"], "ok");
    assert_eq!(get(service.address, "/readyz").json()["status"], "ready");
}

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
