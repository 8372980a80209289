//! A site is closed if robots may fetch nothing but files that nobody visits.

use abide::{Client, ProductToken, Robots};
use abide_analysis::compare::{self, Openness};
use abide_analysis::view::{Extent, FileView};

#[test]
fn files_that_nobody_visits_open_no_site() {
    let client = Client::new(ProductToken::new("ExampleBot").unwrap());
    for (rules, class, exception) in [
        ("Disallow: /", Openness::Closed, None),
        ("Disallow: /\nAllow: /robots.txt", Openness::Closed, None),
        (
            "Disallow: /\nAllow: /ads.txt",
            Openness::Closed,
            Some("/ads.txt"),
        ),
        (
            "Disallow: /*\nAllow: /.well-known/\nAllow: /favicon.ico$",
            Openness::Closed,
            Some("/.well-known/page"),
        ),
        (
            "Disallow: /\nAllow: /ads.txt\nAllow: /news/",
            Openness::Partly,
            Some("/news/page"),
        ),
        (
            "Disallow: /\nAllow: /Favicon.ico\nAllow: /ADS.txt",
            Openness::Closed,
            Some("/Favicon.ico"),
        ),
        // Wider than the file, so that it lets in more.
        ("Disallow: /\nAllow: /a", Openness::Partly, Some("/a")),
        (
            "Disallow: /\nAllow: /*.txt$",
            Openness::Partly,
            Some("/x.txt"),
        ),
        ("Disallow: /$", Openness::Partly, None),
        // All of an open site is every path.
        ("Disallow: /ads.txt", Openness::Partly, Some("/ads.txt")),
        // What is closed again is not open.
        (
            "Disallow: /\nAllow: /news/\nDisallow: /news/*",
            Openness::Closed,
            None,
        ),
    ] {
        let robots = Robots::parse(format!("User-agent: *\n{rules}\n"));
        let access = compare::openness(&robots, &client);
        assert_eq!((access.class, access.is_exact), (class, true), "{rules}");
        let found = access.exception.map(|exception| exception.path);
        if exception.is_some() || class == Openness::Closed {
            assert_eq!(found.as_deref(), exception, "{rules}");
        }
    }
}

/// `abide explain` shows every rule that allows something.
#[test]
fn explanations_name_files_that_nobody_visits() {
    let robots = Robots::parse("User-agent: *\nDisallow: /\nAllow: /ads.txt\n");
    let policy = robots.policy(&Client::unnamed());
    let extent = FileView::of(&policy).extent();
    let expected = Extent::NothingExcept {
        patterns: 1,
        exceptions: 0,
    };
    assert_eq!(extent, expected);
}

/// ACAP records decide too, in a search of their own.
#[test]
fn acap_records_open_no_site_for_such_files() {
    for (allowed, class) in [("/ads.txt", Openness::Closed), ("/a/", Openness::Partly)] {
        let text = format!(
            "##ACAP version=1.0\nACAP-crawler: *\nACAP-disallow-crawl: /\nACAP-allow-crawl: {allowed}\n"
        );
        let robots = Robots::parse(&text);
        let access = compare::openness(&robots, &Client::unnamed());
        assert_eq!((access.class, access.is_exact), (class, true), "{text}");
    }
}
