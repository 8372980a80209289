//! The example that people copy.

use abide::{Client, Outcome, Policy, ProductToken, Usage};

#[path = "../../examples/page_tags.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod page_tags;

#[test]
fn all_sources_of_a_page_count() {
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    let policy = Policy::compile(b"User-agent: *\nDisallow: /private\n", &client);
    let fields = b"HTTP/1.1 200 OK\r\nX-Robots-Tag: nofollow\r\n\r\n";
    let page = br#"<html><head><meta name="robots" content="noindex"></head></html>"#;
    let url = "https://e.example/";
    let answers = page_tags::answers(&policy, url, fields, page).unwrap();
    let of = |usage| {
        answers
            .iter()
            .find(|(one, _)| *one == usage)
            .map(|(_, outcome)| *outcome)
    };
    assert_eq!(of(Usage::Crawl), Some(Outcome::Permitted));
    assert_eq!(of(Usage::Index), Some(Outcome::Prohibited));
    assert_eq!(of(Usage::Follow), Some(Outcome::Prohibited));
}
