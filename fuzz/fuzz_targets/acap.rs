//! A robots.txt and a path, divided by the last NUL: ACAP records are read and decided without a
//! panic, `allows` equals `decide`, and a text of which the slow model knows every byte is decided
//! as the model decides it.
#![no_main]

use abide::acap::AcapProfile;
use abide::verdict::Role;
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use abide_testkit::acap_model::{self, AcapCrawler, AcapSaid};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let end = bytes
        .iter()
        .rposition(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    let (robots, path) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let path = format!("/{}", String::from_utf8_lossy(path).replace('#', ""));
    let client = Client::new(ProductToken::new("f").expect("a token")).with_acap(AcapProfile {
        purposes: vec!["news".to_owned()],
        prior_arrangement: true,
        ..AcapProfile::default()
    });
    let policy = Policy::compile(robots, &client);
    let _ = policy.diagnostics();
    let decision = policy.decide(&Target::new(&path).expect("a path"));
    assert_eq!(
        policy.allows(&path),
        decision.outcome(Usage::Crawl) == Outcome::Permitted
    );
    for said in &decision.usages {
        assert_eq!(
            said.evidence
                .iter()
                .filter(|one| one.role == Role::Decided)
                .count(),
            said.evidence.len().min(1)
        );
    }
    let text = String::from_utf8_lossy(robots);
    if robots.len() < 2_000
        && path.len() < 40
        && is_known(&text, &path)
        && policy.references().is_empty()
    {
        compare(&text, &path, &decision);
    }
});

/// Whether the model reads the text as the requirements do: it leaves out form C2, control bytes,
/// forgotten colons, escapes in values and endless numbers, and takes fields without a resource,
/// URLs for paths and definitions without a name for more than the engine does.
fn is_known(text: &str, path: &str) -> bool {
    let plain = |line: &str| {
        line.bytes()
            .all(|byte| (b' '..0x7F).contains(&byte) && byte != b'%')
            && (line.contains(':') || !line.to_ascii_lowercase().contains("acap-"))
    };
    let short = |line: &str| {
        line.split(|c: char| !c.is_ascii_digit())
            .all(|digits| digits.len() < 18)
    };
    let foreign = |line: &str| {
        let line = line.to_ascii_lowercase();
        line.matches("the-acap:").count() > line.matches("the-acap:resource-set:").count()
    };
    let whole = |line: &str| {
        let value = line
            .split('#')
            .next()
            .and_then(|line| line.split_once(':'))
            .map_or("", |(_, v)| v.trim());
        let named =
            value.starts_with(|first: char| first.is_ascii_alphabetic() || "/*".contains(first));
        !line.to_ascii_lowercase().contains("acap-")
            || (named && !line.contains("://") && !foreign(line))
    };
    text.lines()
        .all(|line| plain(line) && short(line) && whole(line))
        && path
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte))
        && path != "/robots.txt"
}

fn compare(text: &str, path: &str, decision: &abide::Decision<'_>) {
    let asker = AcapCrawler {
        names: &["f"],
        purposes: &["news"],
        prior_arrangement: true,
        unsupported: &[],
    };
    for usage_decision in &decision.usages {
        // What other records say about crawl, and what preserving means for copies, is not the
        // model's.
        if matches!(
            usage_decision.usage,
            Usage::Crawl | Usage::PresentCurrentcopy | Usage::PresentOldcopy
        ) {
            continue;
        }
        // A substitute that may not be crawled is not the model's business either.
        if text.to_ascii_lowercase().contains("must-use-resource") {
            continue;
        }
        let expected = match acap_model::acap(text, &asker, usage_decision.usage.name(), path) {
            AcapSaid::Unspecified => Outcome::Unspecified,
            AcapSaid::Prohibited => Outcome::Prohibited,
            AcapSaid::Permitted(terms) if terms.is_empty() => Outcome::Permitted,
            AcapSaid::Permitted(_) => Outcome::Conditional,
        };
        assert_eq!(usage_decision.outcome, expected, "{}", usage_decision.usage);
    }
}
