//! A conversion that succeeds preserves every decision; losses are reported.

use crate::generate::{clients, urls};
use abide::preference::Revision;
use abide::tag::{Binding, FieldLine, Response, header};
use abide::write::FieldRules;
use abide::{Client, Decision, Outcome, Policy, ProductToken, Profile, Robots, Target, Usage};
use abide_analysis::convert::{Conversion, Loss, TagForm, robots_txt, tags, to_acap, to_robots};
use proptest::prelude::*;
use proptest::sample::select;

/// The codes of the findings with their lines; those that refuse the conversion are marked.
fn found(converted: &Conversion) -> Vec<String> {
    let shown = |finding: &abide_analysis::convert::ConversionFinding| {
        let mark = if finding.refuses { "!" } else { "" };
        let line = finding
            .line
            .map_or(String::new(), |line| format!(" {line}"));
        format!("{mark}{}{line}", finding.loss)
    };
    converted.findings().iter().map(shown).collect()
}

/// Compares the decisions of both files about crawling, for every client that either names and one
/// more.
fn differ(before: &[u8], after: &[u8], urls: &[String]) -> Option<String> {
    let (old, new) = (Robots::parse(before), Robots::parse(after));
    let mut known = clients(&old, Profile::Careful, 100);
    known.extend(clients(&new, Profile::Careful, 100));
    for client in known {
        let (old, new) = (old.policy(&client), new.policy(&client));
        let other = urls.iter().find(|url| old.allows(url) != new.allows(url));
        if let Some(url) = other {
            return Some(format!("{:?}: {url}", client.product_tokens()));
        }
    }
    None
}

/// Whether the conversion is proved equal in everything except case.
fn is_sure(converted: &Conversion) -> bool {
    let unsure =
        |finding: &abide_analysis::convert::ConversionFinding| finding.loss == Loss::Unproved;
    !converted.is_refused() && !converted.findings().iter().any(unsure)
}

const VALUES: [&str; 18] = [
    "/", "/a", "/a/", "/a/b", "/a/b$", "/ab", "/*", "*", "*a", "/*b", "/*.gif$", "/a*b", "/a?x=",
    "/%61", "/a b", "", "a", "/$a",
];

fn conventional() -> impl Strategy<Value = String> {
    let agent = select(&["*", "f", "foo-bot", "f/1.0", "mj12", "x y"][..]);
    let line = prop_oneof![
        1 => agent.prop_map(|agent| format!("User-agent: {agent}\n")),
        4 => (select(&["Allow", "Disallow"][..]), select(&VALUES[..]))
            .prop_map(|(key, value)| format!("{key}: {value}\n")),
    ];
    (
        select(&["User-agent: *\n", "User-agent: f\n", ""][..]),
        prop::collection::vec(line, 0..9),
    )
        .prop_map(|(first, lines)| format!("{first}{}", lines.concat()))
}

fn acap() -> impl Strategy<Value = String> {
    let crawler = select(&["*", "f", "foo-bot"][..]);
    let line = prop_oneof![
        1 => crawler.prop_map(|name| format!("ACAP-crawler: {name}\n")),
        4 => (select(&["allow", "disallow"][..]), select(&VALUES[..]))
            .prop_map(|(sense, value)| format!("ACAP-{sense}-crawl: {value}\n")),
        1 => select(&["ACAP-allow-index: /\n", "ACAP-usage-purpose: news\n", "ACAP-disallow-other: /\n"][..]).prop_map(str::to_owned),
    ];
    (
        select(&["ACAP-crawler: *\n", "ACAP-crawler: f\n", ""][..]),
        prop::collection::vec(line, 0..8),
    )
        .prop_map(|(first, lines)| format!("{first}{}", lines.concat()))
}

/// Records about what tags may restrict.
fn records() -> impl Strategy<Value = String> {
    let crawler = select(&["*", "f", "foo-bot"][..]);
    let usage = select(
        &[
            "index",
            "follow",
            "index",
            "present-snippet",
            "(both)",
            "other",
        ][..],
    );
    let path = select(
        &[
            "/a/",
            "/a/b",
            "/",
            "*.gif$",
            "/c$",
            "the-acap:resource-set:s",
        ][..],
    );
    let line = prop_oneof![
        1 => crawler.prop_map(|name| format!("ACAP-crawler: {name}\n")),
        4 => (select(&["allow", "disallow"][..]), usage, path)
            .prop_map(|(sense, usage, path)| format!("ACAP-{sense}-{usage}: {path}\n")),
    ];
    let definitions = "ACAP-composite-usage: both index follow\nACAP-resource-set: s /d/ /e/\n";
    let lines = prop::collection::vec(line, 0..5);
    lines.prop_map(move |lines| format!("{definitions}ACAP-crawler: *\n{}", lines.concat()))
}

/// What the text of a conversion to tags by path says.
fn field_rules(text: &str) -> FieldRules {
    let of_pattern = text.split("\n\n").filter(|part| !part.is_empty());
    of_pattern.fold(FieldRules::new(), |rules, part| {
        let mut lines = part.lines();
        let pattern = lines.next().unwrap().strip_prefix("# ").unwrap();
        let pattern = pattern.strip_suffix(": no field").unwrap_or(pattern);
        let fields: Vec<(&str, &str)> = lines.map(|line| line.split_once(": ").unwrap()).collect();
        let name = fields.first().map_or("Robots-Tag", |(name, _)| *name);
        let values: Vec<&str> = fields.iter().map(|(_, value)| *value).collect();
        // Patterns without fields have none of either name.
        let names = if values.is_empty() {
            vec!["Robots-Tag", "X-Robots-Tag"]
        } else {
            vec![name]
        };
        names.into_iter().fold(rules, |rules, name| {
            rules.with(pattern, name.parse().unwrap(), &values).unwrap()
        })
    })
}

/// The usages that a decision restricts, but for crawling.
fn restricted(decision: &Decision<'_>) -> Vec<(Usage, Outcome)> {
    let outcomes = Usage::ALL
        .iter()
        .map(|usage| (*usage, decision.outcome(*usage)));
    let is_restricted = |one: &(Usage, Outcome)| {
        !matches!(one.1, Outcome::Permitted | Outcome::Unspecified) && one.0 != Usage::Crawl
    };
    outcomes.filter(is_restricted).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn what_to_acap_accepts_decides_alike(file in conventional()) {
        let converted = to_acap(file.as_bytes());
        if !is_sure(&converted) {
            return Ok(());
        }
        let text = converted.text().unwrap();
        let urls: Vec<_> = urls(file.as_bytes(), 200).iter().map(|url| url.to_ascii_lowercase()).collect();
        prop_assert_eq!(differ(file.as_bytes(), text.as_bytes(), &urls), None, "{}", text);
    }

    #[test]
    fn what_to_robots_accepts_decides_alike(file in acap()) {
        let converted = to_robots(file.as_bytes());
        if !is_sure(&converted) {
            return Ok(());
        }
        let text = converted.text().unwrap();
        let urls: Vec<_> = urls(file.as_bytes(), 200).iter().map(|url| url.to_ascii_lowercase()).collect();
        prop_assert_eq!(differ(file.as_bytes(), text.as_bytes(), &urls), None, "{}", text);
    }

    #[test]
    fn tags_by_path_restrict_what_the_records_do(file in records()) {
        for to in [TagForm::RobotsTag, TagForm::XRobotsTag] {
            let converted = robots_txt(file.as_bytes(), to, Revision::latest());
            let Some(text) = converted.text() else { continue };
            let rules = field_rules(text);
            let mut urls = urls(file.as_bytes(), 100);
            urls.retain(|url| *url == url.to_ascii_lowercase());
            for client in clients(&Robots::parse(file.as_bytes()), Profile::Careful, 100) {
                let (records, open) = (Policy::compile(file.as_bytes(), &client), Policy::compile(b"", &client));
                for url in &urls {
                    let target = Target::new(url).unwrap();
                    let fields: Vec<_> = rules.fields(url).map(|(field, value)| FieldLine::new(field.name(), value)).collect();
                    let response = Response::new(&fields);
                    let tagged = target.with_response(&response);
                    prop_assert_eq!(restricted(&records.decide(&target)), restricted(&open.decide(&tagged)), "{} {:?}: {}", url, client.product_tokens(), text);
                }
            }
        }
    }

    #[test]
    fn tags_that_are_accepted_bind_alike(lines in prop::collection::vec((select(&["Robots-Tag", "X-Robots-Tag"][..]), field_value()), 0..4)) {
        let fields: Vec<_> = lines.iter().map(|(name, value)| FieldLine::new(*name, value.as_bytes())).collect();
        let (statements, _) = header::read(&fields);
        for to in [TagForm::RobotsTag, TagForm::XRobotsTag, TagForm::Meta] {
            let converted = tags(&statements, to);
            let Some(text) = converted.text() else { continue };
            let response = abide_html::response(&read(text), to_page(text).as_deref(), None);
            for name in ["f", "examplebot", "b-c"] {
                let client = Client::new(ProductToken::new(name).unwrap());
                let (own, other) = (Binding::new(&statements, &client), Binding::new(response.statements(), &client));
                prop_assert_eq!(own.rules, other.rules, "{:?} {}", to, text);
            }
        }
    }
}

fn field_value() -> impl Strategy<Value = String> {
    let piece = select(
        &[
            "noindex",
            "NOINDEX",
            "nosnippet",
            "none",
            "all",
            "max-snippet: 10",
            "max-snippet=-1",
            "unicorn",
            "a\"b",
            "unavailable_after: Saturday, 25-Jun-26 15:00:00 GMT",
            "unavailable_after=\"25 Jun 2026\"",
            "max-image-preview=large",
            "*",
            "f",
            "ExampleBot",
            "robots",
            "f:",
            "ExampleBot: ",
            ";",
            ";",
            ";",
            ",",
            ", ",
            ", ",
            ":",
            "\"x y\"",
            "=",
            "=@5",
        ][..],
    );
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

fn read(text: &str) -> Vec<FieldLine> {
    let fields = text
        .lines()
        .filter(|line| !line.starts_with('<'))
        .filter_map(|line| line.split_once(": "));
    fields
        .map(|(name, value)| FieldLine::new(name, value))
        .collect()
}

fn to_page(text: &str) -> Option<Vec<u8>> {
    text.starts_with('<').then(|| text.as_bytes().to_vec())
}

#[test]
fn the_ways_in_which_the_specifications_part() {
    for (file, expected) in [
        ("User-agent: *\nDisallow: /1\n", &[][..]),
        ("User-agent: *\nDisallow: /private/\n", &["convert-case 2"]),
        // Ties, and a different order.
        (
            "User-agent: *\nDisallow: /1\nAllow: /1\n",
            &["!convert-precedence 3"],
        ),
        (
            "User-agent: *\nDisallow: /*.1$\nAllow: /22\n",
            &["!convert-precedence 3"],
        ),
        (
            "User-agent: *\nDisallow: /A\nAllow: /a\n",
            &["!convert-precedence 3", "convert-case 2"],
        ),
        (
            "User-agent: *\nDisallow: /1?x=1\n",
            &["convert-query 2", "convert-case 2"],
        ),
        ("User-agent: *\nDisallow: /1$1\n", &["convert-dollar 2"]),
        (
            "User-agent: *\nCrawl-delay: 1\nDisallow: /1\nSitemap: /2\n",
            &["convert-record 2", "convert-record 4"],
        ),
        (
            "User-agent-purpose: x\nDisallow: /1\n",
            &["!convert-purpose 1"],
        ),
        (
            "User-agent: 5x\nDisallow: /1\n",
            &["!convert-nothing", "convert-name 1"],
        ),
        (
            "User-agent: MJ12bot\nDisallow: /1\nUser-agent: f*\nDisallow: /2\n",
            &["convert-name 3"],
        ),
        (
            "User-agent: a\nDisallow: /1\n\nUser-agent: *\nDisallow: /\n",
            &[],
        ),
        ("Disallow: /1\n", &["!convert-nothing"]),
    ] {
        let converted = to_acap(file.as_bytes());
        assert_eq!(
            found(&converted),
            expected,
            "{file}{:?}",
            converted.findings()
        );
    }
    for (file, expected) in [
        (
            "ACAP-crawler: *\nACAP-disallow-crawl: /1\nACAP-allow-crawl: /1/2\n",
            &[][..],
        ),
        (
            "ACAP-crawler: *\nACAP-disallow-crawl: /1\nACAP-allow-crawl: /1\n",
            &["!convert-precedence 3"],
        ),
        (
            "ACAP-crawler: *\nACAP-allow-crawl: /1 time-limit=3-days\n",
            &["!convert-qualifier 2"],
        ),
        (
            "ACAP-crawler: *\nACAP-disallow-index: /1\n",
            &["!convert-nothing", "convert-usage 2"],
        ),
        // An empty result would open the site.
        ("User-agent: *\nDisallow: /cart/\n", &["!convert-nothing"]),
        ("# nothing\n", &["!convert-nothing"]),
        (
            "User-agent: *\nDisallow: /cart/\nACAP-crawler: *\nACAP-disallow-crawl: /1\n",
            &["convert-record 2"],
        ),
        (
            "ACAP-crawler: *\nACAP-disallow-other: /1\n",
            &["!convert-usage 2"],
        ),
        (
            "ACAP-crawler: *\nACAP-allow-(x): /1\n",
            &["!convert-local-name 2"],
        ),
        (
            "ACAP-resource-set: x /1\nACAP-crawler: *\nACAP-allow-crawl: the-acap:resource-set:x\n",
            &[],
        ),
        (
            "ACAP-resource-set: x /1\nACAP-crawler: *\nACAP-allow-crawl: the-acap:resource-set:y\n",
            &["!convert-local-name 3"],
        ),
        (
            "ACAP-resource-set: x /1\nACAP-resource-set: x /2\nACAP-crawler: *\nACAP-allow-crawl: the-acap:resource-set:x\n",
            &["!convert-local-name 4"],
        ),
        (
            "ACAP-composite-usage: both crawl index\nACAP-crawler: *\nACAP-disallow-(both): /1\n",
            &["!convert-local-name 3"],
        ),
        (
            "ACAP-composite-usage: both crawl index\nACAP-crawler: *\nACAP-disallow-crawl: /\nACAP-allow-(both): /1\n",
            &["convert-usage 4"],
        ),
        (
            "ACAP-qualified-usage: short index time-limit=3-days\nACAP-crawler: *\nACAP-disallow-crawl: /1\nACAP-allow-(short): /1\n",
            &["convert-usage 4"],
        ),
        (
            "ACAP-composite-usage: all crawl other\nACAP-crawler: *\nACAP-allow-(all): /1\n",
            &["!convert-usage 3"],
        ),
        (
            "ACAP-crawler: *\nACAP-permissions-reference: /x.txt\n",
            &["!convert-reference 2"],
        ),
        (
            "ACAP-crawler: News Bot\nACAP-disallow-crawl: /1\n",
            &["!convert-name 1"],
        ),
        (
            "ACAP-crawler: *\nACAP-disallow-crawl: /1\nACAP-crawler: f\nACAP-allow-crawl: /\n",
            &[],
        ),
        // A permission for a named crawler outranks a prohibition for all, although its pattern is
        // shorter.
        (
            "ACAP-crawler: *\nACAP-disallow-crawl: /1/2\nACAP-crawler: f\nACAP-allow-crawl: /1\n",
            &["!convert-precedence 4"],
        ),
    ] {
        let converted = to_robots(file.as_bytes());
        assert_eq!(
            found(&converted),
            expected,
            "{file}{:?}",
            converted.findings()
        );
    }
}

/// Names that the file defines are written out, with the paths of a set as they are written.
#[test]
fn sets_and_local_usages_are_written_out() {
    let converted = to_robots(
        b"ACAP-resource-set: open /Public/ *.gif$\n\
          ACAP-composite-usage: both crawl index\n\
          ACAP-crawler: *\nACAP-disallow-crawl: /\n\
          ACAP-crawler: f\nACAP-allow-(both): the-acap:resource-set:OPEN\n",
    );
    let expected = "User-agent: *\nDisallow: /\n\n\
                    User-agent: f\nAllow: /Public/\nAllow: *.gif$\nDisallow: /\n";
    assert_eq!(converted.text(), Some(expected), "{converted:?}");
}

/// A refused conversion comes with a URL that shows the reason.
#[test]
fn a_witness_is_decided_otherwise() {
    let file = b"User-agent: *\nDisallow: /*.gif$\nAllow: /img\n";
    let converted = to_acap(file);
    assert!(
        converted.findings()[0]
            .message
            .contains("/img.gif would become allowed"),
        "{converted:?}"
    );
    let client = Client::new(ProductToken::new("f").unwrap());
    assert!(!Policy::compile(file, &client).allows("/img.gif"));
}

#[test]
fn corpus_conversions_decide_alike() {
    let (mut sure, mut refused, mut told) = (0, 0, std::collections::BTreeMap::new());
    for (name, bytes) in abide_testkit::corpus::files().into_iter().step_by(8) {
        let converted = to_acap(&bytes);
        for loss in converted
            .findings()
            .iter()
            .map(|f| (f.loss, f.refuses))
            .collect::<std::collections::BTreeSet<_>>()
        {
            *told.entry(loss).or_insert(0) += 1;
        }
        refused += usize::from(converted.is_refused());
        if !is_sure(&converted) {
            continue;
        }
        sure += 1;
        // Compared without case, which is reported separately.
        let lower = bytes.to_ascii_lowercase();
        let again = to_acap(&lower);
        if !is_sure(&again) {
            continue;
        }
        let urls: Vec<_> = urls(&lower, 100)
            .iter()
            .map(|url| url.to_ascii_lowercase())
            .collect();
        let robots = Robots::parse(&lower);
        if robots.acap_lines().next().is_none() {
            assert_eq!(
                differ(&lower, again.text().unwrap().as_bytes(), &urls),
                None,
                "{name}"
            );
        }
    }
    println!(
        "every eighth file to ACAP: {sure} converted, {refused} refused; files by finding: {told:?}"
    );
}

/// A rule given twice for the same robots counts once, with the stricter value.
#[test]
fn amb_tag_12_of_a_rule_given_twice_the_stricter_value_is_written() {
    let converted = |values: &[&str], to| {
        let fields: Vec<_> = values
            .iter()
            .map(|value| abide::tag::FieldLine::new("X-Robots-Tag", *value))
            .collect();
        let (statements, _) = abide::tag::header::read(&fields);
        tags(&statements, to)
    };
    for (values, expected) in [
        (
            &["max-image-preview: none, max-image-preview:large"][..],
            "Robots-Tag: *;max-image-preview=none\n",
        ),
        (
            &[
                "max-snippet: 20",
                "noindex, max-snippet: 5",
                "f: max-snippet: 9",
            ],
            "Robots-Tag: *;max-snippet=5;noindex, f;max-snippet=9\n",
        ),
    ] {
        let conversion = converted(values, TagForm::RobotsTag);
        assert_eq!(
            conversion.text(),
            Some(expected),
            "{:?}",
            conversion.findings()
        );
    }
    // Rules about AI are known, and messages name no robot that nobody wrote.
    let conversion = converted(&["noai, noml, noindex"], TagForm::Meta);
    assert_eq!(
        conversion.findings().len(),
        0,
        "{:?}",
        conversion.findings()
    );
    for values in [
        &["noai"][..],
        &["unavailable_after: 1, unicorn: 1, unicorn: 2"],
    ] {
        for to in [TagForm::RobotsTag, TagForm::Meta, TagForm::XRobotsTag] {
            let conversion = converted(values, to);
            let findings = conversion.findings();
            let unnamed = findings.iter().any(|one| one.message.contains("unnamed"));
            assert!(!unnamed, "{findings:?}");
        }
    }
}

#[test]
fn acap_records_that_no_tag_can_say_are_refused() {
    for (records, found_there) in [
        ("ACAP-disallow-index: /1\n", &[][..]),
        ("ACAP-disallow-preserve: /1\n", &["!convert-usage 2"]),
        (
            "ACAP-allow-index: /1 time-limit=3-days\n",
            &["!convert-qualifier 2"],
        ),
        (
            "ACAP-disallow-index: /1\nACAP-crawler: f\nACAP-allow-index: /1\n",
            &["!convert-robots 4"],
        ),
        (
            "ACAP-disallow-index: /1/\nACAP-disallow-follow: /*2$\n",
            &["!convert-path 2"],
        ),
        (
            "ACAP-disallow-index: the-acap:resource-set:x\n",
            &["!convert-local-name 2"],
        ),
        (
            "ACAP-permissions-reference: http://a.example/\nACAP-disallow-index: /1\n",
            &["!convert-reference 2"],
        ),
        (
            "ACAP-usage-purpose: news\nACAP-disallow-index: /1\n",
            &["!convert-qualifier 2"],
        ),
        ("ACAP-allow-index: /1\n", &["!convert-nothing"]),
        (
            "ACAP-disallow-crawl: /1\nACAP-disallow-index: /2\n",
            &["convert-usage 2"],
        ),
        ("ACAP-disallow-index: /%e9\n", &[]),
        (
            "ACAP-disallow-index: /1\nACAP-crawler: My Bot 2\nACAP-disallow-index: /2\n",
            &["!convert-name 3"],
        ),
        ("ACAP-disallow-index: /A\n", &["convert-case 2"]),
    ] {
        let file = format!("ACAP-crawler: *\n{records}");
        let converted = robots_txt(file.as_bytes(), TagForm::RobotsTag, Revision::latest());
        assert_eq!(found(&converted), found_there, "{records}");
    }
    let bytes = b"ACAP-crawler: *\nACAP-disallow-index: /caf\xe9/\nACAP-disallow-index: /1\n";
    let converted = robots_txt(bytes, TagForm::RobotsTag, Revision::latest());
    assert_eq!(found(&converted), ["!convert-malformed 2"]);
    let meta = robots_txt(
        b"ACAP-crawler: *\nACAP-disallow-index: /\n",
        TagForm::Meta,
        Revision::latest(),
    );
    assert_eq!(found(&meta), ["!convert-path"]);
}

/// A page can name thousands of robots in 500 KiB: each is compared by its own statements, not by
/// all of the page.
#[test]
fn a_page_with_tags_for_thousands_of_robots_is_converted() {
    let letters = |number: u32| -> String {
        let digits = (0..4).map(|at| number / 26_u32.pow(at) % 26);
        digits
            .map(|digit| char::from_digit(10 + digit, 36).unwrap())
            .collect()
    };
    let page: String = (0..12_000)
        .map(|number| format!("<meta name={}bot content=noindex>\n", letters(number)))
        .collect();
    let response = abide_html::response(&[], Some(page.as_bytes()), None);
    let converted = tags(response.statements(), TagForm::Meta);
    assert_eq!(converted.text().unwrap().lines().count(), 12_000);
}
