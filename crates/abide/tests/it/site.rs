//! A policy that is bound to a site says nothing about other sites.

use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};

#[test]
fn spellings_of_one_site() {
    let client = Client::new(ProductToken::new("f").unwrap());
    let bound = |origins: &[&str]| {
        let policy = Policy::compile(b"User-agent: *\nDisallow: /x\n", &client);
        policy.for_site(origins.iter().copied())
    };
    let cases: [(&[&str], &str, bool); 15] = [
        (&["https://e.example"], "https://e.example", true),
        (&["https://e.example"], "https://e.example?q", true),
        (&["https://e.example"], "https://u:p@E.example:443/a", true),
        (&["https://e.example"], "https://e.example./a", true),
        (&["https://e.example:81"], "https://e.example.:81/a", true),
        (&["https://e.example"], "https://%65.example/a", true),
        (&["http://[::1]"], "http://[0:0::1]:80/a", true),
        (
            &["https://xn--bcher-kva.example", "https://bücher.example"],
            "https://BÜCHER.example/a",
            true,
        ),
        (&["https://e.example"], "http://e.example/a", false),
        (&["https://e.example"], "https://e.example:444/a", false),
        (
            &["https://e.example"],
            "https://e.example.evil.example/a",
            false,
        ),
        (
            &["https://e.example"],
            "https://e.example@evil.example/a",
            false,
        ),
        (&["https://e.example"], "https://www.e.example/a", false),
        (&["https://e.example"], "ftp://e.example/a", false),
        (
            &["https://xn--bcher-kva.example"],
            "https://bücher.example/a",
            false,
        ),
    ];
    for (origins, url, is_own) in cases {
        let policy = bound(origins);
        assert_eq!(policy.allows(url), is_own, "{url}");
        let decision = policy
            .decide(&Target::new(url).unwrap())
            .outcome(Usage::Crawl);
        let expected = if is_own {
            Outcome::Permitted
        } else {
            Outcome::Unknown
        };
        assert_eq!(decision, expected, "{url}");
    }
    assert!(bound(&["https://e.example"]).allows("/a"));
    assert!(!bound(&["https://e.example"]).allows("no URL"));
}
