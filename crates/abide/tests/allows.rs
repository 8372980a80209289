//! Yes or no, without findings: `cargo test -p abide --no-default-features`.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide::{Client, DecidingRule, Outcome, Policy, ProductToken, Target, Usage};

const ROBOTS_TXT: &[u8] = b"User-agent: *\nDisallow: /private/\nAllow: /private/press/\n";

#[test]
fn a_crawler_asks_what_it_may_fetch() {
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    let policy = Policy::compile(ROBOTS_TXT, &client);
    for (path, allowed, line) in [
        ("/private/notes", false, Some(2)),
        ("/private/press/kit.zip", true, Some(3)),
        ("/public", true, None),
    ] {
        let url = format!("https://example.com{path}");
        assert_eq!(policy.allows(&url), allowed, "{path}");
        assert_eq!(abide::allows(ROBOTS_TXT, &client, &url), allowed, "{path}");
        let target = Target::new(&url).unwrap();
        let crawl = policy.decide(&target).outcome(Usage::Crawl);
        assert_eq!(crawl == Outcome::Permitted, allowed, "{path}");
        let deciding = match policy.deciding_rule(&target) {
            DecidingRule::Rule { line, .. } => Some(line),
            DecidingRule::NoRule | DecidingRule::Other => None,
        };
        assert_eq!(deciding, line, "{path}");
    }
}
