//! ACAP: laws, and a comparison of the engine with a slow model of the requirements.

use abide::acap::{AcapPattern, AcapProfile, Narrower, Qualifier};
use abide::tag::{FieldLine, Response};
use abide::verdict::{Role, Source};
use abide::{Client, Named, Outcome, Policy, ProductToken, Target, Usage};
use abide_testkit::acap_model::{self, AcapCrawler, AcapSaid};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

const NAMES: [&str; 4] = ["f", "a", "News Bot 2.0", "b"];
const PURPOSES: [&str; 3] = ["news", "blog", "http://news.example/uk"];
const PATHS: [&str; 8] = [
    "/",
    "/a",
    "/a/b",
    "/a/b/c",
    "/A/b.gif",
    "/ab/b.gif/a",
    "/b?a=b",
    "/b/a*b",
];

/// A record, in parts that can be reordered.
#[derive(Clone, Debug)]
struct Record {
    crawlers: Vec<String>,
    fields: Vec<String>,
    sub_records: Vec<(Vec<String>, Vec<String>)>,
}

/// The ACAP part of a file.
#[derive(Clone, Debug)]
struct File {
    definitions: Vec<String>,
    records: Vec<Record>,
}

impl File {
    fn text(&self) -> String {
        let mut lines = self.definitions.clone();
        for record in &self.records {
            lines.extend(
                record
                    .crawlers
                    .iter()
                    .map(|name| format!("ACAP-crawler: {name}")),
            );
            lines.extend(record.fields.iter().cloned());
            for (purposes, fields) in &record.sub_records {
                lines.extend(
                    purposes
                        .iter()
                        .map(|purpose| format!("ACAP-usage-purpose: {purpose}")),
                );
                lines.extend(fields.iter().cloned());
            }
        }
        lines.join("\n") + "\n"
    }

    /// Reverses the order of records, fields, sub-records and their fields.
    fn reversed(&self) -> Self {
        let mut file = self.clone();
        file.records.reverse();
        for record in &mut file.records {
            record.crawlers.reverse();
            record.fields.reverse();
            record.sub_records.reverse();
            for (purposes, fields) in &mut record.sub_records {
                purposes.reverse();
                fields.reverse();
            }
        }
        file
    }
}

fn pattern() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "/(a|b|ab|a/b|a/b/|A/|\\*|a\\*|\\*b|\\*\\.gif|\\?|b\\.gif)?(\\$)?",
        1 => select(&["*.gif$", "*", "a/", "/a/*/c", "/**", "/a$b", "/%61/", "$"][..]).prop_map(String::from),
    ]
}

fn resource() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => pattern(),
        1 => select(&[
            "the-acap:resource-set:one",
            "THE-ACAP:resource-set:Two",
            "the-acap:resource-set:twice",
            "the-acap:resource-set:none",
            "acap:resource-set:one",
            "theacap:resource-set:one",
            "resource-set:one",
            "a:b",
        ][..]).prop_map(String::from),
    ]
}

fn usage() -> impl Strategy<Value = String> {
    let standard: Vec<_> = Usage::ACAP.iter().map(|usage| usage.name()).collect();
    prop_oneof![
        3 => select(&["index", "present", "present-snippet", "crawl", "other", "preserve"][..])
            .prop_map(String::from),
        1 => select(standard).prop_map(String::from),
        1 => select(&["(q)", "(Keep)", "(c)", "(twice)", "(nobody)", "cache"][..])
            .prop_map(String::from),
    ]
}

fn qualifiers() -> impl Strategy<Value = String> {
    let one = select(
        &[
            "time-limit=until-recrawled",
            "time-limit=3-days",
            "time-limit=1-days",
            "time-limit=until-2999-12-31",
            "time-limit=0-days",
            "time-limit = 5-days",
            "max-length=50-words",
            "max-length=250-chars",
            "prohibited-modification=style",
            "prohibited-modification=any",
            "prohibited-context=within-user-frame",
            "required-context=within-original-frame",
            "must-use-resource=the-acap:extract:class:abstract",
            "must-include-resource=/x",
            "time-limit=soon",
            "colour=red",
            "/extra",
        ][..],
    );
    prop_oneof![
        3 => Just(String::new()),
        2 => one.clone().prop_map(|one| format!(" {one}")),
        1 => prop::collection::vec(one, 2..4).prop_map(|all| format!(" {}", all.join(" "))),
    ]
}

fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (usage(), resource(), qualifiers())
            .prop_map(|(usage, resource, terms)| format!("ACAP-allow-{usage}: {resource}{terms}")),
        3 => (usage(), resource())
            .prop_map(|(usage, resource)| format!("ACAP-disallow-{usage}: {resource}")),
    ]
}

fn record() -> impl Strategy<Value = Record> {
    let crawlers = prop_oneof![
        3 => Just(vec!["*".to_owned()]),
        3 => Just(vec!["f".to_owned()]),
        1 => prop::collection::vec(select(&["*", "f", "a", "news bot 2.0", "s*"][..])
            .prop_map(String::from), 1..3),
    ];
    let purposes = prop::collection::vec(
        select(&["news", "BLOG", "n*", "http://news.*/*", "news$", "paper"][..])
            .prop_map(String::from),
        1..3,
    );
    let sub_record = (purposes, prop::collection::vec(field(), 1..3));
    let fields = prop::collection::vec(field(), 0..5);
    (crawlers, fields, prop::collection::vec(sub_record, 0..2)).prop_map(
        |(crawlers, mut fields, sub_records)| {
            if fields.is_empty() && sub_records.is_empty() {
                fields.push("ACAP-allow-follow: /".to_owned());
            }
            Record {
                crawlers,
                fields,
                sub_records,
            }
        },
    )
}

fn file() -> impl Strategy<Value = File> {
    let definitions = subsequence(
        vec![
            "ACAP-resource-set: one /a/ /b",
            "ACAP-resource-set: two /a/b /ab/ *.gif$",
            "ACAP-resource-set: twice /a",
            "ACAP-resource-set: twice /b",
            "ACAP-qualified-usage: q present-snippet time-limit=5-days max-length=30-words",
            "ACAP-qualified-usage: keep preserve time-limit=until-recrawled",
            "ACAP-qualified-usage: bad crawl time-limit=1-days",
            "ACAP-composite-usage: c index (keep) present",
            "ACAP-composite-usage: d (c) (bad) follow",
            "ACAP-qualified-usage: twice index time-limit=2-days",
            "ACAP-composite-usage: twice follow",
        ],
        0..=11,
    );
    (definitions, prop::collection::vec(record(), 1..4)).prop_map(|(definitions, records)| File {
        definitions: definitions.into_iter().map(String::from).collect(),
        records,
    })
}

/// A client: positions in [`NAMES`] and [`PURPOSES`], and whether there is a prior arrangement.
#[derive(Clone, Debug)]
struct Who {
    names: Vec<&'static str>,
    purposes: Vec<&'static str>,
    prior_arrangement: bool,
    unsupported: Vec<&'static str>,
}

fn who() -> impl Strategy<Value = Who> {
    (
        subsequence(NAMES.to_vec(), 1..=2),
        subsequence(PURPOSES.to_vec(), 0..=2),
        any::<bool>(),
        subsequence(vec!["max-length", "time-limit"], 0..=1),
    )
        .prop_map(|(names, purposes, prior_arrangement, unsupported)| Who {
            names,
            purposes,
            prior_arrangement,
            unsupported,
        })
}

impl Who {
    fn client(&self) -> Client {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Client::new(ProductToken::new("somebody").unwrap()).with_acap(AcapProfile {
            names: owned(&self.names),
            purposes: owned(&self.purposes),
            prior_arrangement: self.prior_arrangement,
            unsupported: self
                .unsupported
                .iter()
                .map(|name| name.parse::<Qualifier>().unwrap())
                .collect(),
            ..AcapProfile::default()
        })
    }

    fn asker(&self) -> AcapCrawler<'_> {
        AcapCrawler {
            names: &self.names,
            purposes: &self.purposes,
            prior_arrangement: self.prior_arrangement,
            unsupported: &self.unsupported,
        }
    }
}

/// The model's answer, extended by what preserving implies for presenting copies (ACAP-96,
/// ACAP-97).
fn modelled(robots: &str, who: &Who, usage: Usage, path: &str) -> AcapSaid {
    let of = |usage: Usage| acap_model::acap(robots, &who.asker(), usage.name(), path);
    let until = |terms: &[String]| {
        terms
            .iter()
            .any(|term| term == "time-limit=until-recrawled")
    };
    match (usage, of(Usage::Preserve)) {
        (Usage::PresentCurrentcopy | Usage::PresentOldcopy, AcapSaid::Prohibited) => {
            AcapSaid::Prohibited
        }
        (Usage::PresentOldcopy, AcapSaid::Permitted(terms)) if until(&terms) => {
            AcapSaid::Prohibited
        }
        _ => of(usage),
    }
}

/// The engine's answer in the model's terms. Without conventional records, a default about crawl
/// counts as unspecified.
fn said(policy: &Policy, usage: Usage, path: &str) -> AcapSaid {
    let decision = policy.decide(&Target::new(path).unwrap());
    let found = decision.usage(usage).unwrap();
    let spoken = found
        .evidence
        .first()
        .is_some_and(|one| one.source != Source::Default);
    let terms =
        |condition: &abide::Condition| format!("{}={}", condition.kind(), condition.value());
    match found.outcome {
        Outcome::Prohibited => AcapSaid::Prohibited,
        Outcome::Permitted | Outcome::Conditional if spoken => {
            AcapSaid::Permitted(found.conditions.iter().map(terms).collect())
        }
        _ => AcapSaid::Unspecified,
    }
}

fn outcomes(policy: &Policy, target: &Target<'_>) -> Vec<(Outcome, Vec<String>)> {
    let decision = policy.decide(target);
    let usages = decision.usages.iter();
    let conditions = |said: &abide::UsageDecision<'_>| -> Vec<String> {
        said.conditions.iter().map(ToString::to_string).collect()
    };
    usages
        .map(|said| (said.outcome, conditions(said)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The engine agrees with the slow model about every usage.
    #[test]
    fn engine_equals_model(file in file(), who in who(), path in select(&PATHS[..])) {
        let text = file.text();
        let policy = Policy::compile(text.as_bytes(), &who.client());
        for &usage in Usage::ACAP {
            let expected = modelled(&text, &who, usage, path);
            prop_assert_eq!(said(&policy, usage, path), expected, "{} of {} in\n{}", usage, path, text);
        }
    }

    /// The hot path agrees with the full decision.
    #[test]
    fn allows_equals_decide(file in file(), rules in "(User-agent: \\*\n((Dis)?[Aa]llow: /[ab]{0,2}\\$?\n){1,3})?", who in who()) {
        let text = format!("{rules}{}", file.text());
        let policy = Policy::compile(text.as_bytes(), &who.client());
        for path in PATHS {
            let crawl = policy.decide(&Target::new(path).unwrap()).outcome(Usage::Crawl);
            prop_assert_eq!(policy.allows(path), crawl == Outcome::Permitted, "{} in\n{}", path, text);
            let cold = abide::allows(text.as_bytes(), &who.client(), path);
            prop_assert_eq!(policy.allows(path), cold, "{} in\n{}", path, text);
        }
    }

    /// ACAP-7: the order of records and fields makes no difference.
    #[test]
    fn order_decides_nothing(file in file(), who in who(), path in select(&PATHS[..])) {
        let client = who.client();
        let target = Target::new(path).unwrap();
        let one = Policy::compile(file.text().as_bytes(), &client);
        let other = Policy::compile(file.reversed().text().as_bytes(), &client);
        prop_assert_eq!(outcomes(&one, &target), outcomes(&other, &target), "{}", file.text());
    }

    /// A prohibition for any crawler never loosens an outcome. One for a name may, because it
    /// overrides the fields for any crawler (CLA-1), so the law holds only if there are none.
    #[test]
    fn a_prohibition_loosens_nothing(
        file in file(),
        who in who(),
        usage in usage(),
        resource in resource(),
        path in select(&PATHS[..]),
        named in any::<bool>(),
    ) {
        let mut file = file;
        if named {
            let name = who.names[0].to_owned();
            for record in &mut file.records {
                record.crawlers = vec![name.clone()];
            }
        }
        let client = who.client();
        let target = Target::new(path).unwrap();
        let before = outcomes(&Policy::compile(file.text().as_bytes(), &client), &target);
        // If no field mentions a usage, `other` applies; a field about the usage ends that.
        let speaks_of_other = file.text().contains("-other");
        file.records.push(Record {
            crawlers: vec![if named { who.names[0].to_owned() } else { "*".to_owned() }],
            fields: vec![format!("ACAP-disallow-{usage}: {resource}")],
            sub_records: Vec::new(),
        });
        let after = outcomes(&Policy::compile(file.text().as_bytes(), &client), &target);
        for ((usage, before), after) in Usage::ACAP.iter().zip(&before).zip(&after) {
            if !(named && speaks_of_other) {
                prop_assert!(before.0 <= after.0, "{} of {}: {:?} -> {:?} in\n{}", usage, path, before, after, file.text());
            }
        }
    }

    /// A tag never loosens an outcome.
    #[test]
    fn a_tag_loosens_nothing(
        file in file(),
        who in who(),
        path in select(&PATHS[..]),
        rule in select(&["noindex", "nosnippet", "none", "noarchive", "max-snippet=3", "notranslate"][..]),
    ) {
        let policy = Policy::compile(file.text().as_bytes(), &who.client());
        let response = Response::new(&[FieldLine::new("Robots-Tag", format!("*;{rule}").as_bytes())]);
        let target = Target::new(path).unwrap();
        let before = outcomes(&policy, &target);
        let after = outcomes(&policy, &target.with_response(&response));
        for (before, after) in before.iter().zip(&after) {
            prop_assert!(before.0 <= after.0, "{:?} -> {:?} in\n{}", before, after, file.text());
        }
    }

    /// Removing the deciding line changes the answer or its evidence.
    #[test]
    fn evidence_is_complete(file in file(), who in who(), path in select(&PATHS[..])) {
        let text = file.text();
        let policy = Policy::compile(text.as_bytes(), &who.client());
        let target = Target::new(path).unwrap();
        for said in &policy.decide(&target).usages {
            let Some(decided) = said.evidence.first().filter(|one| one.source == Source::Acap) else {
                continue;
            };
            prop_assert_eq!(decided.role, Role::Decided);
            let line = decided.place.unwrap().line as usize;
            let written = text.lines().nth(line - 1).unwrap();
            prop_assert_eq!(written.as_bytes(), decided.statement);
            let without: Vec<_> = text.lines().enumerate().map(|(at, text)| {
                if at + 1 == line { "" } else { text }
            }).collect();
            let without = without.join("\n");
            let other = Policy::compile(without.as_bytes(), &who.client());
            let other = other.decide(&target);
            let other = other.usage(said.usage).unwrap();
            prop_assert!(
                (other.outcome, &other.conditions, &other.evidence) != (said.outcome, &said.conditions, &said.evidence)
            );
        }
    }

    /// The narrower of two patterns does not depend on their order, and agrees with the model.
    #[test]
    fn scope_is_antisymmetric(a in pattern(), b in pattern()) {
        let read = |text: &str| AcapPattern::read(text.as_bytes()).unwrap();
        let expected = match read(&b).compare(&read(&a)) {
            Narrower::First => Narrower::Second,
            Narrower::Second => Narrower::First,
            same => same,
        };
        prop_assert_eq!(read(&a).compare(&read(&b)), expected);
        let modelled = match acap_model::narrower(&a, &b) {
            'A' => Narrower::First,
            'B' => Narrower::Second,
            '=' => Narrower::Same,
            _ => Narrower::Undecidable,
        };
        prop_assert_eq!(read(&a).compare(&read(&b)), modelled);
    }

    /// If neither pattern has a `$` and each has at most one `*`, the narrower one never matches
    /// more. (With more wildcards, the steps of the specification disagree with the sets of paths:
    /// `/*ab` counts as narrower than `/*a*ab`, although every path of the latter also matches the
    /// former.)
    #[test]
    fn scope_agrees_with_sets(a in "/[ab]{0,2}\\*?[ab]{0,2}", b in "/[ab]{0,2}\\*?[ab]{0,2}") {
        let (a, b) = (AcapPattern::read(a.as_bytes()).unwrap(), AcapPattern::read(b.as_bytes()).unwrap());
        let paths = short_paths();
        let matched = |pattern: &AcapPattern| -> Vec<bool> {
            paths.iter().map(|path| pattern.matches(path.as_bytes())).collect()
        };
        let (own, others) = (matched(&a), matched(&b));
        let within = |inner: &[bool], outer: &[bool]| inner.iter().zip(outer).all(|(i, o)| !i || *o);
        match a.compare(&b) {
            Narrower::First => prop_assert!(!within(&others, &own) || own == others),
            Narrower::Second => prop_assert!(!within(&own, &others) || own == others),
            Narrower::Same => prop_assert_eq!(own, others),
            Narrower::Undecidable => {}
        }
    }
}

/// Every path of up to seven letters `a`, `b` and `c`.
fn short_paths() -> &'static [String] {
    static PATHS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    PATHS.get_or_init(|| {
        let mut paths = vec!["/".to_owned()];
        let mut at = 0;
        while paths[at].len() < 8 {
            for letter in ["a", "b", "c"] {
                paths.push(format!("{}{letter}", paths[at]));
            }
            at += 1;
        }
        paths
    })
}

/// Decisions list conditions by kind, so kinds are in the order of their names (CLA-4).
#[test]
fn cla_4_kinds_of_conditions_are_in_the_order_of_their_names() {
    assert!(abide::verdict::ConditionKind::names().is_sorted());
    assert!(abide::verdict::ConditionKind::ALL.is_sorted());
}
