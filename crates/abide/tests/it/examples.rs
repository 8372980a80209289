//! The example that people copy.

use abide::{Client, Outcome, Policy, ProductToken, Usage};
use decide_again::{Change, changes};

#[path = "../../examples/decide_again.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod decide_again;

#[test]
fn only_what_changed_is_decided_again() {
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    let old = Policy::compile(b"User-agent: *\nDisallow: /a\n", &client);
    let new = Policy::compile(b"# new\nUser-agent: *\nDisallow: /b\n", &client);
    let of = |path: &str, tags: &[&str]| {
        changes(&old, &new, &format!("https://e.example{path}"), tags).unwrap()
    };
    let change = |usage, was, is| Change { usage, was, is };
    let (allowed, disallowed) = (Outcome::Permitted, Outcome::Prohibited);
    assert!(of("/b", &[]).contains(&change(Usage::Crawl, allowed, disallowed)));
    assert!(of("/a", &[]).contains(&change(Usage::Crawl, disallowed, allowed)));
    // The robot may read the tag now.
    let changed = of("/a", &["noindex"]);
    assert!(
        changed
            .iter()
            .any(|one| one.usage == Usage::Index && one.is == disallowed)
    );
    assert_eq!(of("/c", &["noindex"]), []);
}
