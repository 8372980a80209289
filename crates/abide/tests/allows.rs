//! Yes or no, without findings and without ACAP: `cargo test -p abide --no-default-features`.

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

/// Without the feature, ACAP records neither prohibit nor permit.
#[test]
fn acap_records_count_with_the_feature() {
    let robots_txt = b"ACAP-crawler: *\nACAP-disallow-crawl: /x\nACAP-disallow-index: /x\n";
    let policy = Policy::compile(robots_txt, &Client::unnamed());
    let target = Target::new("https://example.com/x").unwrap();
    let decision = policy.decide(&target);
    let expected = if cfg!(feature = "acap") {
        (false, Outcome::Prohibited)
    } else {
        (true, Outcome::Unspecified)
    };
    let allows = policy.allows(target.url());
    assert_eq!((allows, decision.outcome(Usage::Index)), expected);
    let cold = abide::allows(robots_txt, &Client::unnamed(), target.url());
    assert_eq!(cold, allows);
}
