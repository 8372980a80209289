//! REP-69: the media type of a robots.txt is checked by the linter, and never by the parser.

use abide::{Client, Policy, ProductToken};
use abide_lint::{Context, Linter};

const ROBOTS: &[u8] = b"User-agent: *\nDisallow: /x\nAlow: /x/y\n";

/// The codes of the findings in [`ROBOTS`], served as `media_type`.
fn codes(media_type: Option<&str>) -> Vec<&'static str> {
    let context = Context {
        media_type: media_type.map(str::to_owned),
        ..Context::default()
    };
    let findings = Linter::new().robots_txt(ROBOTS, &context);
    findings.iter().map(|finding| finding.rule.code()).collect()
}

#[test]
fn rep_69_media_types_are_reported_and_the_file_is_read() {
    let plain = codes(None);
    assert!(!plain.is_empty(), "the file has findings of its own");
    for served in [
        "text/plain",
        "Text/Plain;charset=UTF-8",
        "text/plain; charset=\"utf-8\"",
    ] {
        assert_eq!(codes(Some(served)), plain, "{served}");
    }
    for served in [
        "text/html",
        "text/html; charset=utf-8",
        "text/plain; charset=latin1",
        "application/octet-stream",
        "",
    ] {
        // The findings about the lines are still there: the file was parsed.
        let found = codes(Some(served));
        let lines = found.iter().filter(|code| **code != "media-type");
        assert!(found.contains(&"media-type"), "{served}: {found:?}");
        assert!(lines.eq(&plain), "{served}: {found:?}");
    }
    // Neither `Policy` nor `Robots` takes a media type, so no answer can depend on it.
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    assert!(!Policy::compile(ROBOTS, &client).allows("/x"));
}
