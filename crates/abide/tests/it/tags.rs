//! Laws of robots tags and structured lists, and hostile field values.

use abide::app::field::Directives;
use abide::tag::{Binding, FieldLine, Meta, Response, Statement, header};
use abide::verdict::{Note, Source};
use proptest::prelude::*;
use proptest::sample::select;
use sfv::{BareItem, List, ListEntry, Parser};
use std::collections::{BTreeMap, BTreeSet};

const PIECES: [&str; 40] = [
    "*",
    "f",
    "ExampleBot",
    ";",
    "; ",
    ",",
    ", ",
    " ,\t",
    "noindex",
    "nosnippet",
    "max-snippet=5",
    "max-snippet=50",
    "a=1",
    "=",
    "\"",
    "\"x,y\"",
    "\\",
    "(",
    ")",
    "(a b)",
    "1",
    "-1",
    "1.5",
    "?0",
    "?1",
    "@1",
    ":aGk=:",
    "%\"f%c3%bc\"",
    "%\"",
    "NoIndex",
    " ",
    "\t",
    "é",
    "\0",
    "x/y",
    "_",
    "-",
    ".",
    "'",
    "robots",
];

/// Rules as the historical grammar writes them.
const RULES: [&str; 17] = [
    "noindex",
    "nosnippet",
    "nofollow",
    "none",
    "noarchive",
    "nocache",
    "notranslate",
    "noimageindex",
    "max-snippet:-1",
    "max-snippet:0",
    "max-snippet:7",
    "max-image-preview:none",
    "max-image-preview:large",
    "max-video-preview:-1",
    "max-video-preview:9",
    "all",
    "unicorn",
];

fn value() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
}

fn member() -> impl Strategy<Value = String> {
    let names = select(&["*", "f", "other", "\"f\"", "F"][..]);
    let rules = select(
        &[
            "",
            ";noindex",
            ";nosnippet",
            ";nofollow;noindex",
            ";max-snippet=5",
            ";max-snippet=50",
            ";unicorn",
            ";none",
        ][..],
    );
    (names, rules).prop_map(|(name, rule)| format!("{name}{rule}"))
}

fn read(value: &str) -> Vec<Statement> {
    header::read(&[FieldLine::new("Robots-Tag", value)]).0
}

fn bound(statements: &[Statement]) -> (BTreeMap<String, Option<String>>, BTreeSet<String>) {
    let client = crate::client("f");
    let binding = Binding::new(statements, &client);
    (binding.rules, binding.unknown)
}

/// The result of a standard parser for a list: names of Items that are Tokens or Strings, with
/// the keys of their parameters that are not false.
fn stock(value: &str) -> Option<Vec<(String, Vec<String>)>> {
    let list: List = Parser::new(value).parse().ok()?;
    let named = list.iter().filter_map(|entry| match entry {
        ListEntry::Item(item) => {
            let name = match &item.bare_item {
                BareItem::Token(name) => name.to_string(),
                BareItem::String(name) => name.to_string(),
                _ => return None,
            };
            let stated = item
                .params
                .iter()
                .filter(|(_, value)| **value != BareItem::Boolean(false));
            Some((name, stated.map(|(key, _)| key.to_string()).collect()))
        }
        ListEntry::InnerList(_) => None,
    });
    Some(named.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// G-14: a value that a standard parser accepts is read the same way; a value that it rejects
    /// is reported.
    #[test]
    fn g_14_valid_fields_are_read_as_a_stock_parser_reads_them(value in value()) {
        let (statements, found) = header::read(&[FieldLine::new("Robots-Tag", value.as_str())]);
        let refused = found.iter().any(|f| matches!(f.code.name(), "robots-tag-malformed" | "robots-tag-key-case"));
        match stock(&value) {
            Some(expected) => {
                prop_assert!(!refused, "{value:?}: {found:?}");
                let ours: Vec<(String, Vec<String>)> = statements.iter().map(|statement| {
                    let name = match &statement.scope {
                        abide::tag::Scope::Token(name) => name.clone(),
                        _ => "*".to_owned(),
                    };
                    (name, statement.rules.iter().map(|rule| rule.name.clone()).collect())
                }).collect();
                prop_assert_eq!(ours, expected, "{:?}", value);
            }
            // The only tolerated difference is spaces and tabs at either end, which a standard
            // parser rejects.
            None => prop_assert!(refused || stock(value.trim_matches(['\t', ' '])).is_some(), "{value:?}"),
        }
    }

    /// The lists of App-Directives are accepted and rejected as by a standard parser.
    #[test]
    fn g_14_directives_are_lists_as_a_stock_parser_knows_them(value in value()) {
        let value = value.trim_matches(['\t', ' ']);
        let read = Directives::read(value.as_bytes()).is_some();
        prop_assert_eq!(read, Parser::new(value).parse::<List>().is_ok(), "{:?}", value);
    }

    /// A broken field keeps what its beginning says: truncating it further never adds a restriction
    /// that the whole lacks, and the whole never has fewer restrictions than its valid beginning.
    #[test]
    fn salvage_keeps_what_stands_before_the_mistake(members in prop::collection::vec(member(), 0..5), broken in value()) {
        let good = members.join(", ");
        let whole = if good.is_empty() { broken } else { format!("{good}, {broken}") };
        let (kept, all) = (bound(&read(&good)), bound(&read(&whole)));
        prop_assert!(kept.0.keys().all(|rule| all.0.contains_key(rule)), "{whole:?}");
        prop_assert!(read(&whole).iter().all(|statement| whole.contains(&statement.text)), "{whole:?}");
    }

    /// The union does not depend on order, repetition, or how members are spread over lines.
    #[test]
    fn union_is_commutative_and_idempotent(members in prop::collection::vec(member(), 0..6)) {
        let forward = bound(&read(&members.join(", ")));
        let mut turned = members.clone();
        turned.reverse();
        prop_assert_eq!(&bound(&read(&turned.join(","))), &forward);
        prop_assert_eq!(&bound(&read(&[&members[..], &members[..]].concat().join(", "))), &forward);
        let lines: Vec<_> = members.iter().map(|member| FieldLine::new("robots-tag", member.as_str())).collect();
        prop_assert_eq!(&bound(&header::read(&lines).0), &forward);
    }

    /// More tags never loosen an outcome.
    #[test]
    fn a_tag_never_loosens(members in prop::collection::vec(member(), 0..5), more in member(), meta in select(&["noindex", "all", "max-snippet:7", "none"][..])) {
        let policy = abide::Policy::compile(b"", &crate::client("f"));
        let outcomes = |response: &Response| -> Vec<abide::Outcome> {
            let target = abide::Target::new("/x").unwrap().with_response(response);
            policy.decide(&target).usages.iter().map(|said| said.outcome).collect()
        };
        let fields = |members: &[String]| Response::new(&[FieldLine::new("Robots-Tag", members.join(", "))]);
        let before = outcomes(&fields(&members));
        let metas = [Meta { name: "robots".into(), content: meta.into(), offset: 0 }];
        let after = outcomes(&fields(&[&members[..], &[more]].concat()).with_source_metas(&metas));
        prop_assert!(before.iter().zip(&after).all(|(before, after)| before <= after), "{before:?} {after:?}");
    }

    /// Tags that the client never sees change no outcome, and each of them is in the evidence of
    /// every usage that it would settle (CLA-24).
    #[test]
    fn cla_24_tags_that_are_not_seen_change_nothing(members in prop::collection::vec(member(), 0..5)) {
        let closed = abide::Policy::compile(b"User-agent: *\nDisallow: /\n", &crate::client("f"));
        let open = abide::Policy::compile(b"", &crate::client("f"));
        let response = Response::new(&[FieldLine::new("Robots-Tag", members.join(", "))]);
        let target = abide::Target::new("/x").unwrap();
        let seen = open.decide(&target.with_response(&response));
        let hidden = closed.decide(&target.with_response(&response));
        let without = closed.decide(&target);
        for ((hidden, seen), without) in hidden.usages.iter().zip(&seen.usages).zip(&without.usages) {
            prop_assert_eq!((hidden.outcome, &hidden.conditions), (without.outcome, &without.conditions));
            if hidden.usage != abide::Usage::Crawl {
                prop_assert_eq!(hidden.evidence.len(), seen.evidence.len());
                prop_assert!(hidden.evidence.iter().all(|one| one.notes() == [Note::NotSeen]));
            }
        }
    }

    /// The engine agrees with the slow model, whether the client sees the tags or not (CLA-24).
    #[test]
    fn cla_24_outcomes_are_those_of_the_model(
        rules in prop::sample::subsequence(&RULES[..], 0..4),
        may_crawl in any::<bool>(),
    ) {
        let robots: &[u8] = if may_crawl { b"" } else { b"User-agent: *\nDisallow: /\n" };
        let policy = abide::Policy::compile(robots, &crate::client("f"));
        let response = Response::new(&[FieldLine::new("X-Robots-Tag", rules.join(", "))]);
        let decision = policy.decide(&abide::Target::new("/x").unwrap().with_response(&response));
        for said in decision.usages.iter().skip(1) {
            let expected = abide_testkit::tag_model::outcome(said.usage.name(), &rules, may_crawl);
            prop_assert_eq!(said.outcome.name(), expected, "{} by {:?}", said.usage, rules);
        }
    }

    #[test]
    fn any_bytes_are_a_field(value in prop::collection::vec(any::<u8>(), 0..200), older in any::<bool>()) {
        let name = if older { "X-Robots-Tag" } else { "Robots-Tag" };
        let response = Response::new(&[FieldLine::new(name, value)]);
        let policy = abide::Policy::compile(b"", &crate::client("f"));
        let decision = policy.decide(&abide::Target::new("/x").unwrap().with_response(&response));
        let _ = abide::explain::text(&policy, &decision, abide::explain::Layout::default());
    }

    /// A limit keeps a prefix: content after 8 KiB changes nothing.
    #[test]
    fn t01_what_lies_behind_the_limit_does_not_count(pad in 8_150_usize..8_200, more in value()) {
        let value = format!("*;nosnippet, {}, *;noindex, {more}", "a".repeat(pad));
        let rules = bound(&read(&value)).0;
        let ends = 13 + pad + 2 + 9;
        prop_assert_eq!(rules.contains_key("noindex"), ends <= header::FieldLimit::FLOOR);
        prop_assert!(rules.contains_key("nosnippet"));
    }
}

/// Large and odd values: the work is bounded, the limit is reported, and content before it counts.
#[test]
fn t02_t03_m1_large_fields() {
    let many = "f;noindex, ".repeat(100_000);
    let parameters = format!("*;noindex{}", ";a".repeat(100_000));
    let same = format!("*;noindex{}", ";noindex".repeat(100_000));
    for (value, expected) in [
        (many, true),
        (parameters, false),
        (same, false),
        ("x".repeat(1 << 20), false),
    ] {
        let (statements, found) = header::read(&[FieldLine::new("Robots-Tag", value)]);
        assert_eq!(bound(&statements).0.contains_key("noindex"), expected);
        assert!(
            found
                .iter()
                .any(|f| f.code.name() == "robots-tag-size-limit")
        );
    }
    let lines: Vec<_> = (0..100_000)
        .map(|_| FieldLine::new("X-Robots-Tag", "noindex"))
        .collect();
    let (statements, _) = header::read(&lines);
    assert!(statements.len() <= header::FieldLimit::FLOOR / 7 + 1);
}

/// Historical values (M2): a slip loses no restriction.
#[test]
fn t06_t07_m2_historical_values() {
    for (value, expected) in [
        (
            "noindex, unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow",
            vec!["nofollow", "noindex", "unavailable_after"],
        ),
        (
            "unavailable_after: Saturday, 25-Jun-10 15:00:00 GMT, nofollow",
            vec!["nofollow", "unavailable_after"],
        ),
        ("f: noindex, other: none", vec!["noindex"]),
        (": noindex", vec!["noindex"]),
        ("noindex:", vec!["noindex"]),
        ("my bot: nofollow", vec![]),
        ("max-snippet:-1", vec!["max-snippet"]),
        ("max-snippet:99999999999999999999", vec!["max-snippet"]),
        ("NOINDEX,,NoFollow ,", vec!["nofollow", "noindex"]),
    ] {
        let (statements, _) = header::read(&[FieldLine::new("X-Robots-Tag", value)]);
        let rules: Vec<String> = bound(&statements).0.into_keys().collect();
        assert_eq!(rules, expected, "{value}");
    }
}

/// A decision ends with the first date that changes it: of a tag, or of a time limit (ACAP-84), in
/// days if it is known since when.
#[test]
fn a_decision_knows_its_dates() {
    let at = |text: &str| text.parse::<abide::Moment>().unwrap();
    let file = b"ACAP-crawler: *\nACAP-allow-index: /a time-limit=10-days\nACAP-allow-crawl: /a\n";
    let policy = abide::Policy::compile(file, &crate::client("f"));
    let fields = [FieldLine::new(
        "X-Robots-Tag",
        "unavailable_after: 2026-12-31T08:00:00Z",
    )];
    let response = Response::new(&fields);
    let until = |url, history, now| {
        let target = abide::Target::new(url).unwrap().with_response(&response);
        let target = target.with_history(history).with_now(at(now));
        policy.decide(&target).valid_until()
    };
    let (new, mut known) = (abide::History::default(), abide::History::default());
    known.first_indexed = Some(at("2026-12-01T00:00:00Z"));
    let (before, tag) = ("2026-12-02T00:00:00Z", Some(at("2026-12-31T08:00:00Z")));
    assert_eq!(until("/b", known, before), tag);
    assert_eq!(
        until("/b", new, "2026-12-31T08:00:01Z"),
        None,
        "nothing changes any more"
    );
    assert_eq!(until("/a", new, before), tag);
    let days = at("2026-12-11T00:00:00Z");
    if cfg!(feature = "acap") {
        assert_eq!(until("/a", known, before), Some(days));
    }
    let policy = abide::Policy::compile(b"", &crate::client("f"));
    let target = abide::Target::new("/b").unwrap();
    assert_eq!(policy.decide(&target).valid_until(), None);
}

/// Dates in every form that sites use.
#[test]
fn dates_of_unavailable_after() {
    for (value, expected) in [
        ("25 Jun 2010 15:00:00 PST", Some("2010-06-25T23:00:00Z")),
        (
            "Fri, 25 Jun 2010 15:00:00 GMT",
            Some("2010-06-25T15:00:00Z"),
        ),
        (
            "Friday, 25-Jun-10 15:00:00 GMT",
            Some("2010-06-25T15:00:00Z"),
        ),
        ("25 June 2010 15:00 +0200", Some("2010-06-25T13:00:00Z")),
        ("2010-06-25T15:00:00-08:00", Some("2010-06-25T23:00:00Z")),
        ("2010-06-25 15:00:00Z", Some("2010-06-25T15:00:00Z")),
        ("2010-06-25", Some("2010-06-26T00:00:00Z")),
        ("25 Jun 2010", Some("2010-06-26T00:00:00Z")),
        ("29 Feb 2024 00:00:00 UTC", Some("2024-02-29T00:00:00Z")),
        ("30 Feb 2024 00:00:00 UTC", None),
        ("0 Jun 2010 00:00:00 UTC", None),
        ("25 Jun 99999 00:00:00 UTC", None),
        ("soon", None),
        ("", None),
        ("25 Jun 2010 25:00:00 UTC", None),
        ("25 Jun 2010 15:00:00 +99:99", None),
    ] {
        let (statements, _) = header::read(&[FieldLine::new(
            "X-Robots-Tag",
            format!("unavailable_after: {value}"),
        )]);
        let policy = abide::Policy::compile(b"", &crate::client("f"));
        let response = Response::from_stored(&abide::tag::StoredTags::new(
            statements,
            abide::Moment::from_unix_seconds(0),
            None,
        ));
        let decision = policy.decide(&abide::Target::new("/x").unwrap().with_response(&response));
        let index = decision.usage(abide::Usage::Index).unwrap();
        let until = index.conditions.first().map(abide::Condition::value);
        assert_eq!(until.as_deref(), expected, "{value}");
        assert_eq!(
            index.outcome == abide::Outcome::Prohibited,
            expected.is_none(),
            "{value}"
        );
        assert!(
            index
                .evidence
                .iter()
                .all(|evidence| evidence.source == Source::XRobotsTag)
        );
    }
}

/// Tags that were stored at an allowed visit go on to count when the page is closed later.
#[test]
fn cla_24_stored_tags_were_seen() {
    let stored =
        abide::tag::StoredTags::new(read("*;noindex"), abide::Moment::from_unix_seconds(0), None);
    let policy = abide::Policy::compile(b"User-agent: *\nDisallow: /\n", &crate::client("f"));
    for (response, outcome, note) in [
        (
            Response::from_stored(&stored),
            abide::Outcome::Prohibited,
            Note::NeedsFetch,
        ),
        (
            Response::new(&[FieldLine::new("Robots-Tag", "*;noindex")]),
            abide::Outcome::Unspecified,
            Note::NotSeen,
        ),
    ] {
        let decision = policy.decide(&abide::Target::new("/x").unwrap().with_response(&response));
        let index = decision.usage(abide::Usage::Index).unwrap();
        assert_eq!(
            (index.outcome, index.evidence[0].notes()),
            (outcome, &[note][..])
        );
        let said = abide::explain::not_seen(&decision, "FooBot");
        let expected = "FooBot may not fetch this page, so it never sees its noindex; the URL can still be indexed";
        assert_eq!(said.as_deref(), (note == Note::NotSeen).then_some(expected));
    }
}

/// a01: hostile App-Directives.
#[test]
fn a01_a02_hostile_directives() {
    let application = |id: &str| abide::app::Application::new(id, Vec::new()).unwrap();
    let long = "i".repeat(64 << 10);
    let stars = format!("/{}", "*".repeat(1_000));
    let same = "App-Directives: /p a;x=1\n".repeat(10_000);
    let members = format!("App-Directives: {}\n", "a;x=1,".repeat(20_000) + "a;y");
    let value = format!("App-Directives: a;x=\"{}\"\n", "v".repeat(8_192));
    for (id, lines, expected) in [
        (&*long, format!("App-Directives: {long};x=1\n"), 1),
        ("a", format!("App-Directives: {stars} a;x=1\n"), 1),
        ("a", same, 1),
        ("a", members, 2),
        ("a", value, 1),
        ("a", "App-Directives: /p a;x=no way\n".to_owned(), 0),
    ] {
        let robots = format!("User-agent: *\n{lines}");
        let policy = abide::Policy::compile(
            robots.as_bytes(),
            &crate::client("f").with_application(application(id)),
        );
        let decision = policy.decide(&abide::Target::new("/p/q").unwrap());
        assert_eq!(
            decision.applications[0].directives.len(),
            expected,
            "{lines:.60}"
        );
    }
}
