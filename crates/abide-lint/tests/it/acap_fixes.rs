//! Fixes of ACAP fields remove their findings, and safe fixes change no answer about any usage.

use abide::acap::{AcapProfile, Action};
use abide::syntax::FieldKind;
use abide::{Client, Condition, Outcome, ProductToken, Robots, Target, Usage};
use abide_lint::finding::Safety;
use abide_lint::rules::ALL;
use abide_lint::{Context, Linter};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn a_fix_removes_what_it_is_for() {
    for rule in ALL.iter().filter(|rule| rule.code().starts_with("acap-")) {
        let linter = Linter::new().select([rule.code()]).unwrap();
        for example in rule.page().examples {
            let bytes = example.robots_txt.unwrap();
            let found = linter.robots_txt(&bytes, &Context::default());
            let without_fix = found.iter().filter(|finding| finding.fix.is_none()).count();
            let fixed = linter.fixed(&bytes, &Context::default(), Safety::Unsafe);
            let text = String::from_utf8_lossy(&fixed.bytes);
            assert_eq!(fixed.findings.len(), without_fix, "{}: {text}", rule.code());
        }
    }
}

#[test]
fn safe_fixes_leave_the_answers_of_every_example_as_they_were() {
    for rule in ALL.iter().filter(|rule| rule.code().starts_with("acap-")) {
        for example in rule.page().examples {
            let bytes = example.robots_txt.unwrap();
            let fixed = Linter::new().fixed(&bytes, &Context::default(), Safety::Safe);
            same_answers(&bytes, &fixed.bytes);
        }
    }
}

/// Applies the fixes of one rule to a file.
#[track_caller]
fn assert_fixed(code: &str, before: &str, after: &str) {
    let linter = Linter::new().select([code]).unwrap();
    let fixed = linter.fixed(before.as_bytes(), &Context::default(), Safety::Unsafe);
    assert_eq!(String::from_utf8_lossy(&fixed.bytes), after);
}

#[test]
fn acap_records_move_with_their_comments() {
    assert_fixed(
        "acap-before-conventional",
        "##ACAP version=1.0\n\n# Nobody keeps drafts.\nACAP-crawler: *\n\nACAP-disallow-index: /drafts/\n\n\
         # Conventional.\nUser-agent: *\nDisallow: /search/\nACAP-disallow-preserve: /",
        "##ACAP version=1.0\n\n\n# Conventional.\nUser-agent: *\nDisallow: /search/\n\n\
         # Nobody keeps drafts.\nACAP-crawler: *\n\nACAP-disallow-index: /drafts/\nACAP-disallow-preserve: /\n",
    );
    let loose =
        "ACAP-crawler: *\nACAP-allow-index: /\nUser-agent: *\nACAP-allow-crawl: /a\nDisallow: /b\n";
    assert_fixed("acap-before-conventional", loose, loose);
}

#[test]
fn definitions_move_above_the_records() {
    assert_fixed(
        "acap-late-definition",
        "# All\r\nACAP-crawler: *\r\nACAP-disallow-index: the-acap:resource-set:a\r\n\
         # Files\r\nACAP-resource-set: a /a # all of it\r\nACAP-crawler: ABot\r\nACAP-resource-set: b /b",
        "# Files\r\nACAP-resource-set: a /a # all of it\r\nACAP-resource-set: b /b\n# All\r\nACAP-crawler: *\r\n\
         ACAP-disallow-index: the-acap:resource-set:a\r\nACAP-crawler: ABot\r\n",
    );
}

#[test]
fn the_stricter_qualifier_stays() {
    let line = |limits: &str| format!("ACAP-crawler: *\nACAP-allow-present: / {limits} # c\n");
    for (before, after) in [
        (
            "time-limit=5-days time-limit = 3-days",
            "time-limit = 3-days",
        ),
        ("time-limit=3-days time-limit=03-days", "time-limit=3-days"),
        (
            "prohibited-modification=style prohibited-modification=any prohibited-modification=any",
            "prohibited-modification=any",
        ),
        (
            "time-limit=3-days time-limit=until-recrawled",
            "time-limit=3-days time-limit=until-recrawled",
        ),
    ] {
        assert_fixed("acap-duplicate-qualifier", &line(before), &line(after));
    }
}

#[test]
fn a_line_for_each_resource() {
    assert_fixed(
        "acap-extra-token",
        "ACAP-crawler: *\n ACAP-allow-index: /a  /b time-limit = 3-days # c\n",
        "ACAP-crawler: *\n ACAP-allow-index: /a time-limit = 3-days\nACAP-allow-index: /b time-limit = 3-days # c\n",
    );
    let no = "ACAP-ignore-conventional-records: no\n";
    assert_fixed("acap-extra-token", no, no);
}

#[test]
fn a_record_for_each_reference() {
    assert_fixed(
        "acap-fields-with-reference",
        "ACAP-crawler: ABot\nACAP-crawler: BBot # c\nACAP-allow-crawl: /\nACAP-permissions-reference: /a\n\
         ACAP-usage-purpose: news\nACAP-allow-index: /\n",
        "ACAP-crawler: ABot\nACAP-crawler: BBot # c\nACAP-allow-crawl: /\n\n\
         ACAP-crawler: ABot\nACAP-crawler: BBot\nACAP-permissions-reference: /a\n\n\
         ACAP-crawler: ABot\nACAP-crawler: BBot\nACAP-usage-purpose: news\nACAP-allow-index: /\n",
    );
    let among = "ACAP-crawler: ABot\nACAP-usage-purpose: news\nACAP-permissions-reference: /a\nACAP-allow-index: /\n";
    assert_fixed("acap-fields-with-reference", among, among);
}

#[test]
fn slips_in_qualifiers() {
    let line = |limits: &str| format!("ACAP-crawler: *\nACAP-allow-present-snippet: / {limits}\n");
    for (before, after) in [
        ("timelimit = 3-day", "time-limit = 3-days"),
        (
            "time-limit=until-recrawld max-lenght=3-char",
            "time-limit=until-recrawled max-length=3-chars",
        ),
        ("max-length=250", "max-length=250"),
        ("time-limit=until-2026-02-30", "time-limit=until-2026-02-30"),
        (
            "prohibited-modification=styel",
            "prohibited-modification=style",
        ),
    ] {
        assert_fixed("acap-bad-qualifier", &line(before), &line(after));
    }
}

#[test]
fn usages_behind_a_name() {
    assert_fixed(
        "acap-local-in-prohibition",
        "ACAP-qualified-usage: q index time-limit=1-days\nACAP-composite-usage: c crawl (Q) index\n\
         ACAP-crawler: *\nacap-disallow-(C): /a\nACAP-disallow-(d): /b\n",
        "ACAP-qualified-usage: q index time-limit=1-days\nACAP-composite-usage: c crawl (Q) index\n\
         ACAP-crawler: *\nacap-disallow-crawl: /a\nacap-disallow-index: /a\nACAP-disallow-(d): /b\n",
    );
    // A part that is defined too late is not used.
    let late = "ACAP-composite-usage: c crawl (q)\nACAP-qualified-usage: q index time-limit=1-days\n\
                ACAP-crawler: *\nACAP-disallow-(c): /\n";
    assert_fixed("acap-local-in-prohibition", late, late);
}

#[test]
fn what_was_probably_meant() {
    let file = |line: &str| {
        format!(
            "ACAP-resource-set: Images *.gif\nACAP-qualified-usage: Cache preserve time-limit=1-days\n{line}\n"
        )
    };
    for (code, before, after) in [
        (
            "acap-unknown-field",
            "ACAP-resourceset: b /b",
            "ACAP-resource-set: b /b",
        ),
        (
            "acap-unknown-usage",
            "ACAP-composite-usage: b crawl indx snippet cache",
            "ACAP-composite-usage: b crawl index present-snippet (Cache)",
        ),
        (
            "acap-unknown-usage",
            "ACAP-qualified-usage: b indx time-limit=1-days",
            "ACAP-qualified-usage: b index time-limit=1-days",
        ),
        (
            "acap-undefined-usage",
            "ACAP-composite-usage: b crawl (index) (cach)",
            "ACAP-composite-usage: b crawl index (Cache)",
        ),
        (
            "acap-nested-composite",
            "ACAP-composite-usage: b crawl (cache)\nACAP-composite-usage: c index (B)",
            "ACAP-composite-usage: b crawl (cache)\nACAP-composite-usage: c index crawl (cache)",
        ),
    ] {
        assert_fixed(code, &file(before), &file(after));
    }
    let record = |line: &str| file(&format!("ACAP-crawler: *\n{line}"));
    for (code, before, after) in [
        (
            "acap-unknown-field",
            "ACAP-alow-(cache): /",
            "ACAP-allow-(cache): /",
        ),
        (
            "acap-undefined-set",
            "ACAP-allow-index: the-acap:images",
            "ACAP-allow-index: the-acap:resource-set:Images",
        ),
        (
            "acap-undefined-set",
            "ACAP-allow-index: the-acap:resource-set:nothing",
            "ACAP-allow-index: the-acap:resource-set:nothing",
        ),
        (
            "acap-old-scheme",
            "ACAP-allow-index: ACAP:resource-set:images",
            "ACAP-allow-index: the-ACAP:resource-set:images",
        ),
        (
            "acap-until-recrawl",
            "ACAP-allow-index: / time-limit = until-recrawl",
            "ACAP-allow-index: / time-limit = until-recrawled",
        ),
    ] {
        assert_fixed(code, &record(before), &record(after));
    }
}

#[test]
fn the_comment_of_the_version_stays_behind_a_byte_order_mark() {
    let mark = "\u{FEFF}";
    let file = "ACAP-crawler: *\r\nACAP-allow-crawl: /\r\n";
    assert_fixed(
        "acap-no-version",
        &format!("{mark}{file}"),
        &format!("{mark}##ACAP version=1.0\r\n{file}"),
    );
    assert_fixed(
        "acap-version-not-first",
        &format!("{mark}# c\n##ACAP version=1.0\n{file}## ACAP version=1.0\n##ACAP version=1.0"),
        &format!("{mark}##ACAP version=1.0\n# c\n{file}## ACAP version=1.0\n"),
    );
}

/// Every crawler that a file names, and one that it does not, with and without a purpose.
fn clients(robots: &Robots) -> Vec<Client> {
    let mut clients = Vec::new();
    for token in ["ABot", "ExampleBot", "unnamed"] {
        let client = Client::new(ProductToken::new(token).unwrap());
        let values = robots.acap_lines().filter_map(|line| line.field());
        let values = values.map(|field| field.value.of(robots.text().as_bytes()));
        let profile = AcapProfile {
            purposes: values
                .filter_map(|value| Some(std::str::from_utf8(value).ok()?.to_owned()))
                .collect(),
            ..AcapProfile::default()
        };
        clients.push(client.clone().with_acap(profile));
        clients.push(client);
    }
    clients
}

/// Paths that match the text of a file, and similar paths.
fn paths(robots: &Robots) -> BTreeSet<String> {
    let mut paths = BTreeSet::from(["/".to_owned(), "/x".to_owned()]);
    let fields = robots.lines().iter().filter_map(|line| line.field());
    for field in fields.filter(|field| field.kind != FieldKind::Other) {
        let value = String::from_utf8_lossy(field.value.of(robots.text().as_bytes())).into_owned();
        for word in value.split_ascii_whitespace() {
            let path = word.trim_end_matches('$').replace('*', "y");
            let path = format!("/{}", path.trim_start_matches('/'));
            paths.insert(format!("{path}x"));
            paths.insert(path);
        }
    }
    paths
}

type Answer = (Vec<(Usage, Outcome, Vec<Condition>)>, Vec<(Action, String)>);

fn answer(robots: &Robots, client: &Client, path: &str) -> Answer {
    let policy = robots.policy(client);
    let decision = policy.decide(&Target::new(path).unwrap());
    let usages = decision.usages.iter();
    let requests = decision.action_requests.iter();
    (
        usages
            .map(|decision| {
                (
                    decision.usage,
                    decision.outcome,
                    decision.conditions.clone(),
                )
            })
            .collect(),
        requests
            .map(|request| (request.action, request.path.clone()))
            .collect(),
    )
}

fn same_answers(before: &[u8], after: &[u8]) {
    let (old, new) = (Robots::parse(before), Robots::parse(after));
    for client in clients(&old) {
        for path in paths(&old) {
            assert_eq!(
                answer(&old, &client, &path),
                answer(&new, &client, &path),
                "{path:?} for {:?}: {:?} became {:?}",
                client.product_tokens(),
                String::from_utf8_lossy(before),
                String::from_utf8_lossy(after)
            );
        }
    }
}

/// Lines with every mistake that has a fix, alone and in combination.
fn line() -> impl Strategy<Value = String> {
    let field = prop_oneof![
        Just("User-agent: *"),
        Just("Disallow: /a"),
        Just("# c"),
        Just(""),
        Just("##ACAP version=1.0"),
        Just("## ACAP version=1.1"),
        Just("ACAP-ignore-conventional-records"),
        Just("ACAP-ignore-conventional-records: yes"),
        Just("ACAP-resource-set: set /a /b*$ *.gif"),
        Just("ACAP-qualified-usage: q index time-limit=3-days"),
        Just("ACAP-qualified-usage: r present-snippet max-length=3-chars time-limit=until-recrawl"),
        Just("ACAP-composite-usage: c crawl (q) present-link"),
        Just("ACAP-composite-usage: d (c) (r)"),
        Just("ACAP-crawler: *"),
        Just("ACAP-crawler: ABot"),
        Just("  ACAP-crawler\t: ABot"),
        Just("ACAP-usage-purpose: news"),
        Just("ACAP-permissions-reference: /a.txt"),
        Just("ACAP-permissions-reference: /robots.txt"),
        Just("ACAP-request-take-down: /a"),
        Just("ACAP-request-takedown: /b"),
        Just("ACAP-alow-crawl: /"),
    ];
    let key = prop_oneof![
        Just("ACAP-allow-present"),
        Just("ACAP-allow-index"),
        Just("ACAP-allow-indx"),
        Just("ACAP-allow-crawl "),
        Just("ACAP-disallow-index"),
        Just("ACAP-disallow-crawl"),
        Just("ACAP-allow-(q)"),
        Just("ACAP-allow-(c)"),
        Just("ACAP-disallow-(q)"),
        Just("ACAP-disallow-(c)"),
        Just("ACAP-disallow-(dd)"),
        Just("ACAP-disallow-(index)"),
    ];
    let resource = prop_oneof![
        Just("/"),
        Just("/a"),
        Just("/a /b"),
        Just("/b*"),
        Just("the-acap:resource-set:set"),
        Just("the-acap:resource-set:sett"),
        Just("acap:resource-set:set"),
    ];
    let limit = prop_oneof![
        Just(""),
        Just(" time-limit=3-days time-limit = 2-days"),
        Just(" time-limit=until-recrawl time-limit=until-recrawled"),
        Just(" prohibited-modification=any prohibited-modification=style"),
        Just(" timelimit=3-day max-length=5-char"),
    ];
    let statement = (key, resource, limit)
        .prop_map(|(key, resource, limit)| format!("{key}: {resource}{limit}"));
    let end = prop_oneof![Just("\n"), Just("\n"), Just("\r\n"), Just(" # c\r")];
    let line = prop_oneof![field.prop_map(str::to_owned), statement];
    (line, end).prop_map(|(line, end)| format!("{line}{end}"))
}

fn file() -> impl Strategy<Value = String> {
    let lines = proptest::collection::vec(line(), 0..12);
    (lines, any::<bool>(), any::<bool>()).prop_map(|(lines, marked, cut)| {
        let text = lines.concat();
        let text = if cut { text.trim_end() } else { &text };
        format!("{}{text}", if marked { "\u{FEFF}" } else { "" })
    })
}

proptest! {
    #[test]
    fn safe_fixes_change_no_answer(text in file()) {
        let fixed = Linter::new().fixed(text.as_bytes(), &Context::default(), Safety::Safe);
        same_answers(text.as_bytes(), &fixed.bytes);
    }

    /// Fixing terminates, and leaves no finding that has a fix.
    #[test]
    fn nothing_that_can_be_fixed_is_left(text in file()) {
        for safety in [Safety::Safe, Safety::Unsafe] {
            let linter = Linter::new().select(["acap-*"]).unwrap();
            let mut bytes = text.clone().into_bytes();
            for _ in 0..5 {
                bytes = linter.fixed(&bytes, &Context::default(), safety).bytes;
            }
            let left = linter.robots_txt(&bytes, &Context::default());
            let left = left.iter().filter_map(|finding| Some((finding.rule.code(), finding.fix.as_ref()?)));
            let left: Vec<_> = left.filter(|(_, fix)| fix.safety <= safety).collect();
            prop_assert!(left.is_empty(), "{:?}: {:?}", String::from_utf8_lossy(&bytes), left);
        }
    }
}
