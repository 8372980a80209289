//! Views of files as clients read them.

use crate::{EXPLAIN, fits, odd};
use abide::app::Application;
use abide::syntax::{FieldKind, Inspect};
use abide::tag::{FieldLine, Response};
use abide::verdict::{Role, Source};
use abide::{Client, Policy, ProductToken, Profile, PurposeToken, Target, Usage};
use abide_analysis::view::{EvidencePlace, Extent, FileView, LineState, Tally, sentences};
use abide_contract::explain::Explanation;
use abide_known_robots::Robot;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn client(name: &str) -> Client {
    Client::new(ProductToken::new(name).unwrap())
}

fn standings(robots: &str, client: &Client) -> Vec<&'static str> {
    let policy = Policy::compile(robots.as_bytes(), client);
    let reading = FileView::of(&policy);
    reading.lines().map(|line| line.state.name()).collect()
}

#[test]
fn the_clients_own_groups_count_and_nothing_else() {
    let robots = "User-agent: *\nDisallow: /\nUser-agent: g\nUser-agent: F\nDisallow: /a\n\nCrawl-delay: 1\n\
        User-agent: h\nDisallow: /b\nUser-agent: f\nAllow: /c\n";
    assert_eq!(
        standings(robots, &client("f")),
        [
            "others", "others", "head", "head", "counts", "others", "counts", "others", "others",
            "head", "counts"
        ]
    );
}

#[test]
fn a_delay_is_for_whom_its_group_names_above_it() {
    let robots = "User-agent: g\nCrawl-delay: 5\nUser-agent: f\nCrawl-delay: 2\nCrawl-delay: 1\nDisallow: /a\n";
    assert_eq!(
        standings(robots, &client("f")),
        ["head", "others", "head", "counts", "void", "counts"]
    );
}

#[test]
fn what_has_no_effect_is_told() {
    let robots = "Disallow: /early\nUser-agent: f\nDisallow:\nAllow: x\nCrawl-delay: x\nHost: e\n<p>\nSitemap:\n\
        App-Directives: ;;\n";
    let told = standings(robots, &client("f"));
    assert_eq!(told[1], "head");
    let others: Vec<_> = told.iter().filter(|told| **told != "void").collect();
    assert_eq!(others, [&"head"], "{told:?}");
}

#[test]
fn directives_count_for_the_applications_that_are_asked_for() {
    let robots = "User-agent: *\nApp-Directives: a;x\nApp-Directives: b;x\nUser-agent: g\nApp-Directives: a;y\n";
    let asks = client("f").with_application(Application::new("a", Vec::new()).unwrap());
    assert_eq!(
        standings(robots, &asks),
        ["head", "counts", "others", "others", "others"]
    );
    assert_eq!(standings(robots, &client("f"))[1], "others");
}

#[test]
fn acap_records_count_for_whom_they_name() {
    let robots = "ACAP-resource-set: s /a\nACAP-crawler: f\nACAP-disallow-index: /a\nACAP-crawler: g\n\
        ACAP-disallow-index: /b\n";
    assert_eq!(
        standings(robots, &client("f")),
        ["counts", "head", "counts", "others", "others"]
    );
    assert!(
        standings(robots, &client("h"))
            .iter()
            .all(|told| *told == "others")
    );
}

#[test]
fn a_file_that_was_not_had_has_no_lines() {
    let access = abide::rep::Access::from_status(503);
    let policy = Policy::without_rules(access, &client("f"));
    let reading = FileView::of(&policy);
    assert_eq!(reading.lines().count(), 0);
    assert_eq!(
        sentences::file(&reading),
        "robots.txt is unreachable (HTTP status 503), so nothing is allowed."
    );
}

#[test]
fn sentences_name_the_lines_that_matter() {
    let robots = "User-agent: *\nDisallow: /\nUser-agent: f\nUser-agent: f-news\nDisallow: /a\nAllow: /a\nAllow: /a/b\n\
        Disallow: /a/b/c\nUser-Agent-Purpose: P\nDisallow: /\n";
    let told = |client: &Client, url: &str| {
        let policy = Policy::compile(robots.as_bytes(), client);
        let reading = FileView::of(&policy);
        let page = reading.page(&Target::new(url).unwrap());
        format!("{} {}", sentences::groups(&reading), sentences::page(&page))
    };
    let f = client("f");
    let own =
        "f has a group of its own, which begins on line 3; it ignores the `*` group on line 1.";
    let elsewhere = "Line 2 also matches, in a group that does not apply to this robot.";
    for (url, expected) in [
        ("/x", "No rule of the group matches /x, so it is allowed."),
        (
            "/a",
            "/a is allowed by line 6: line 5 has the same length (2 bytes), and then Allow wins.",
        ),
        (
            "/a/b",
            "/a/b is allowed by line 7, longer (4 bytes) than the 2 others that match; the next is line 5 (2).",
        ),
        (
            "/robots.txt",
            "Crawling /robots.txt: allowed, because /robots.txt itself may always be fetched.",
        ),
    ] {
        let elsewhere = if url == "/robots.txt" {
            String::new()
        } else {
            format!(" {elsewhere}")
        };
        assert_eq!(told(&f, url), format!("{own} {expected}{elsewhere}"));
    }
    let g = client("g");
    assert_eq!(
        told(&g, "/x"),
        "No group names g, so the `*` group applies, which begins on line 1. /x is disallowed by line 2, the only rule that \
         matches (1 byte)."
    );
    let second = client("g").with_product_token(ProductToken::new("f").unwrap());
    assert!(told(&second, "/x").starts_with(
        "No group names g; under its name f it has a group of its own, which begins on line 3; it ignores the `*` group on line 1"
    ));
    let purpose = client("g").with_purpose(PurposeToken::new("P").unwrap());
    assert!(told(&purpose, "/x").starts_with(
        "No group names g; the group of its purpose P applies, which begins on line 9; it ignores the `*` group on line 1"
    ));
}

/// What a client may crawl, in one sentence.
#[test]
fn verdicts_say_how_much_is_allowed() {
    let told = |rules: &str| {
        let robots = format!("User-agent: f\n{rules}");
        let policy = Policy::compile(robots.as_bytes(), &client("f"));
        sentences::verdict(&FileView::of(&policy))
    };
    for (rules, expected) in [
        ("", "everything on this site"),
        ("Disallow:\n", "everything on this site"),
        ("Allow: /\n", "everything on this site"),
        ("Disallow: /a\nAllow: /a\n", "everything on this site"),
        ("Disallow: /\nAllow: /\n", "everything on this site"),
        ("Disallow: /\n", "nothing on this site"),
        ("Disallow: /*\n", "nothing on this site"),
        ("Disallow: *\nDisallow: /x\n", "nothing on this site"),
        ("Disallow: /\nAllow: /robots.txt$\n", "nothing on this site"),
        (
            "Disallow: /a\nDisallow: /b\nDisallow: /a\n",
            "everything except 2 patterns",
        ),
        (
            "Disallow: /a\nAllow: /a/b\n",
            "everything except 1 pattern, with 1 exception",
        ),
        ("Disallow: /a\nAllow: /b\n", "everything except 1 pattern"),
        ("Disallow: /$\n", "everything except 1 pattern"),
        (
            "Disallow: /\nAllow: /a\nAllow: /b\n",
            "nothing except 2 patterns",
        ),
        (
            "Disallow: /\nAllow: /a\nDisallow: /a/b\nDisallow: /c\n",
            "nothing except 1 pattern, with 1 exception",
        ),
    ] {
        assert_eq!(told(rules), format!("f may crawl {expected}."), "{rules}");
    }
    let closed = Policy::without_rules(abide::rep::Access::from_status(503), &client("f"));
    assert_eq!(
        sentences::verdict(&FileView::of(&closed)),
        "f may crawl nothing on this site, because robots.txt is unreachable (HTTP status 503)."
    );
    let unnamed = Policy::compile(b"User-agent: *\nDisallow: /\n", &Client::unnamed());
    let view = FileView::of(&unnamed);
    assert_eq!(
        sentences::verdict(&view),
        "Any robot without its own group may crawl nothing on this site."
    );
    let page = view.page(&Target::new("/x").unwrap());
    assert_eq!(
        sentences::page_verdict(&view, &page),
        "/x is disallowed for any robot without its own group by line 2."
    );
}

/// Robots of one group share the extent, others do not.
#[test]
fn extents_are_shared_by_group() {
    let robots = b"User-agent: f\nUser-agent: g\nDisallow: /\nUser-agent: *\nDisallow: /a\n";
    let policies = ["f", "g", "h"].map(|name| Policy::compile(robots, &client(name)));
    let [f, mut g, mut h] = policies.each_ref().map(FileView::of);
    assert!(g.share_extent(&f) && !h.share_extent(&f));
    assert_eq!(g.extent(), Extent::Nothing);
    assert_ne!(h.extent(), Extent::Nothing);
}

/// What is documented about known robots is in the sentences, in both profiles.
#[test]
fn documented_behaviour_is_stated() {
    let robots: &[u8] =
        b"User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n";
    for profile in [Profile::Careful, Profile::Google] {
        let told = |name: &str| {
            let robot = Robot::named(name).unwrap();
            let policy = robot.policy(profile, |client| Policy::compile(robots, client));
            let policy = policy.unwrap();
            let view = FileView::for_robot(&policy, &robot);
            format!("{} {}", sentences::verdict(&view), sentences::file(&view))
        };
        assert_eq!(
            told("Googlebot-News"),
            "Googlebot-News may use nothing on this site. It is a control token, which never crawls. No group names Googlebot-News, so it follows the group for Googlebot, \
             as Google documents, which begins on line 1; it ignores the `*` group on line 4. 1 rule applies: `Disallow: /`. \
             Googlebot-News may not use any page."
        );
        assert_eq!(
            told("AdsBot-Google"),
            "AdsBot-Google may crawl everything on this site. No group names AdsBot-Google, and it ignores groups for `*`, as \
             Google documents, so everything is allowed."
        );
        assert!(told("ChatGPT-User").starts_with(
            "The file says that ChatGPT-User may crawl everything except 1 pattern, but ChatGPT-User does not follow robots.txt"
        ));
    }
}

#[test]
fn pages_are_counted_by_the_lines_that_decided() {
    let robots =
        "User-agent: f\nDisallow: /a\nAllow: /a/b\nDisallow: /never\nUser-agent: *\nDisallow: /x\n";
    let policy = Policy::compile(robots.as_bytes(), &client("f"));
    let reading = FileView::of(&policy);
    let mut tally = Tally::new(&reading);
    for url in ["/a/b/1", "/a", "/a/c", "/x", "/y"] {
        tally.add(&reading.page(&Target::new(url).unwrap()));
    }
    assert_eq!((tally.pages, tally.unmatched), (5, 2));
    assert_eq!(tally.unmatched_witness.as_deref(), Some("/x"));
    let hits = |line| &tally.lines[&line];
    assert_eq!(
        (
            hits(2).decided,
            hits(2).overridden,
            hits(2).witness.as_str()
        ),
        (2, 1, "/a")
    );
    assert_eq!(
        (
            hits(3).decided,
            hits(3).overridden,
            hits(3).witness.as_str()
        ),
        (1, 0, "/a/b/1")
    );
    assert_eq!(tally.lines.len(), 2);
    assert_eq!(tally.without_hits, BTreeSet::from([4]));
}

fn asking(google: bool) -> Client {
    let client = client("foobot-news")
        .with_product_token(ProductToken::new("f").unwrap())
        .with_purpose(PurposeToken::new("train").unwrap())
        .with_application(Application::new("a", Vec::new()).unwrap());
    if google {
        client.with_profile(Profile::Google)
    } else {
        client
    }
}

/// A rule that no URL can match closes nothing: the google profile compares bytes, and no URL has a
/// blank.
#[test]
fn rules_with_blanks_close_nothing_for_google() {
    let file = b"User-agent: *\nDisallow: / *\n";
    let extent = |google| FileView::of(&Policy::compile(file, &asking(google))).extent();
    assert_eq!(extent(true), Extent::Everything);
    assert_ne!(extent(false), Extent::Everything);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The view agrees with the engine: it highlights the chosen groups, and every rule that can
    /// decide anything counts.
    #[test]
    fn the_view_agrees_with_the_engine(bytes in odd::file(), path in odd::path(), google in any::<bool>()) {
        let client = asking(google);
        let policy = Policy::compile(&bytes, &client);
        let reading = FileView::of(&policy);
        let lines: Vec<_> = reading.lines().collect();
        let standing = |number: u32| lines[number as usize - 1].state;
        for group in policy.chosen_groups() {
            prop_assert_eq!(standing(group.place.line), LineState::Head);
        }
        let robots = policy.robots();
        for rule in robots.rules(&policy) {
            let counts = rule.pattern.is_ok() && !Inspect::of(&policy).ignores_conventional();
            prop_assert_eq!(standing(rule.line.number) == LineState::Counts, counts);
        }
        let target = Target::new(&path).unwrap();
        let page = reading.page(&target);
        prop_assert_eq!(&page.decision, &policy.decide(&target));
        let crawl = page.decision.usage(Usage::Crawl).unwrap();
        if let Some(first) = crawl.evidence.first().filter(|first| first.source == Source::RobotsTxt) {
            let line = first.place.unwrap().line;
            prop_assert!(page.of_line(line).any(|part| part.role == Role::Decided));
        }
        for part in page.parts.iter().filter(|part| part.role == Role::Decided) {
            if let EvidencePlace::Line(line) = part.spot {
                prop_assert_eq!(standing(line), LineState::Counts, "line {} of {:?}", line, String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// The counts add up, and every witness is correct.
    #[test]
    fn tallies_add_up(bytes in odd::file(), paths in prop::collection::vec(odd::path(), 0..12)) {
        let policy = Policy::compile(&bytes, &asking(false));
        let reading = FileView::of(&policy);
        let mut tally = Tally::new(&reading);
        for path in &paths {
            tally.add(&reading.page(&Target::new(path).unwrap()));
        }
        prop_assert_eq!(tally.pages, paths.len() as u64);
        prop_assert_eq!(tally.crawl.values().sum::<u64>(), tally.pages);
        for (line, hits) in &tally.lines {
            let page = reading.page(&Target::new(&hits.witness).unwrap());
            prop_assert!(page.of_line(*line).any(|part| (part.role == Role::Decided) == (hits.decided > 0)));
            prop_assert!(hits.decided + hits.overridden <= tally.pages);
        }
        for line in tally.without_hits.clone() {
            prop_assert!(!tally.lines.contains_key(&line));
            let kind = reading.lines().find(|read| read.number == line).unwrap().kind;
            prop_assert!(matches!(kind, Some(FieldKind::Allow | FieldKind::Disallow | FieldKind::Acap | FieldKind::AppDirectives)));
        }
    }

    /// *Everything* and *nothing* are true of every path that a URL can have, so of none with
    /// blanks.
    #[test]
    fn extents_agree_with_the_engine(bytes in odd::file(), paths in prop::collection::vec(odd::path(), 1..12), google in any::<bool>()) {
        let policy = Policy::compile(&bytes, &asking(google));
        let extent = FileView::of(&policy).extent();
        for path in paths.iter().map(|path| path.replace(' ', "%20")) {
            let allowed = policy.allows(&path);
            prop_assert!(extent != Extent::Everything || allowed, "{path}");
            let is_file = path.starts_with("/robots.txt");
            prop_assert!(extent != Extent::Nothing || !allowed || is_file, "{path}");
        }
    }

    /// The JSON of any view matches its schema, and the text output contains no control
    /// characters from the file.
    #[test]
    fn json_fits_its_schema(bytes in odd::file(), path in odd::path()) {
        let policy = Policy::compile(&bytes, &asking(false));
        let reading = FileView::of(&policy);
        let response = Response::new(&[FieldLine::new("Robots-Tag", "*;noindex, x;nosnippet")]);
        let target = Target::new(&path).unwrap().with_response(&response);
        let pages = [reading.page(&target)];
        let mut tally = Tally::new(&reading);
        tally.add(&pages[0]);
        let told = [
            sentences::verdict(&reading),
            sentences::page_verdict(&reading, &pages[0]),
            sentences::file(&reading),
            sentences::page(&pages[0]),
        ]
        .concat();
        let unseen = told.contains(['\u{1b}', '\u{202e}', '\n']);
        prop_assert!(!unseen);
        let json = Explanation::new("f", &reading, &response).with_pages(&reading, &pages).with_tally(&tally);
        fits(EXPLAIN, &abide_contract::text::pretty(&json));
    }
}
