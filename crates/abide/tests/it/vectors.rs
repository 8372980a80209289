//! The conformance vectors at library level.

use abide::rep::Access;
use abide::rep::Cause;
use abide::syntax::normal;
use abide::{Client, Outcome, Policy, ProductToken, Profile, PurposeToken, Robots, Target, Usage};
use abide_testkit::{requirements, vectors};

fn client(vector: &vectors::DecisionVector) -> Client {
    let google = vector.profile.as_deref() == Some("google");
    let token = |token: &String| match (google, vector.nonstandard_token) {
        (true, _) => ProductToken::verbatim(token),
        (false, true) => ProductToken::nonstandard(token).unwrap(),
        (false, false) => ProductToken::new(token).unwrap(),
    };
    let mut tokens = vector.agent.iter().map(token);
    let first = Client::new(tokens.next().unwrap());
    let named = tokens.fold(first, Client::with_product_token);
    let claimed = vector
        .purposes
        .iter()
        .map(|p| PurposeToken::new(p).unwrap());
    claimed
        .fold(named, Client::with_purpose)
        .with_profile(if google {
            Profile::Google
        } else {
            Profile::Careful
        })
}

fn policy(vector: &vectors::DecisionVector, client: &Client) -> Policy {
    let access = match (&vector.robots_error, vector.robots_status) {
        (Some(name), _) => Access::from_failure(name.parse::<Cause>().unwrap()),
        (None, Some(status)) => Access::from_status(status),
        (None, None) => Access::Rules,
    };
    match (access, vector.bytes()) {
        (Access::Rules, Some(bytes)) => Policy::compile(&bytes, client),
        _ => Policy::without_rules(access, client),
    }
}

#[test]
fn decisions() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.decision {
            let name = format!("{file}: {} {}", vector.id, vector.name);
            decision(&name, vector);
        }
    }
}

fn decision(name: &str, vector: &vectors::DecisionVector) {
    let client = client(vector);
    let policy = policy(vector, &client);
    let target = Target::new(&vector.url).unwrap();
    let decision = policy.decide(&target);
    let crawl = decision.usage(Usage::Crawl).unwrap();
    let decided = &crawl.evidence[0];
    let rule = decided.bytes.and(decided.place);
    assert_eq!(crawl.outcome.name(), vector.expect, "{name}: outcome");
    let is_allowed = crawl.outcome == Outcome::Permitted;
    assert_eq!(policy.allows(&vector.url), is_allowed, "{name}: allows");
    if let (Access::Rules, Some(bytes)) = (policy.access(), vector.bytes()) {
        let cold = abide::allows(&bytes, &client, &vector.url);
        assert_eq!(cold, is_allowed, "{name}: allows, not compiled");
    }
    if let Some(line) = vector.line {
        assert_eq!(rule.map(|place| place.line), Some(line), "{name}: line");
    }
    if let Some(statement) = &vector.statement {
        assert_eq!(
            String::from_utf8_lossy(decided.statement),
            *statement,
            "{name}: statement"
        );
    }
    if let Some(by) = &vector.selected_by {
        let selected = decided
            .selected_by
            .as_ref()
            .map(|selection| selection.by.name());
        assert_eq!(selected, Some(by.as_str()), "{name}: selected_by");
    }
    if let Some(bytes) = vector.bytes {
        assert_eq!(decided.bytes, Some(bytes), "{name}: bytes");
    }
    let codes: Vec<_> = policy
        .diagnostics()
        .iter()
        .chain(&policy.diagnostics_of(&decision))
        .map(|found| found.code.name())
        .collect();
    vectors::check_codes(name, &codes, &vector.diagnostics, &vector.no_diagnostics);
    if let Some(sitemaps) = &vector.sitemaps {
        let told: Vec<_> = policy.sitemaps().map(String::from_utf8_lossy).collect();
        assert_eq!(told, *sitemaps, "{name}: sitemaps");
    }
    if vector.crawl_delay.is_some() {
        let found = decision
            .crawl_delay
            .map(|(delay, _)| delay.duration().as_secs_f64());
        assert_eq!(
            found.or(Some(0.0)),
            vector.crawl_delay,
            "{name}: crawl_delay"
        );
    }
    if let Some(url) = &vector.robots_url {
        assert_eq!(
            decision.target.robots_url().as_ref(),
            Some(url),
            "{name}: robots_url"
        );
    }
}

#[test]
fn normal_forms() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.normal {
            let input = vector.input.as_bytes();
            let forms = if vector.pattern {
                normal::pattern(input)
            } else {
                normal::target(input)
            };
            let name = format!("{file}: {} {}", vector.id, vector.name);
            assert_eq!(String::from_utf8_lossy(&forms.c1), vector.c1, "{name}: C1");
            assert_eq!(String::from_utf8_lossy(forms.c2()), vector.c2, "{name}: C2");
        }
    }
}

#[test]
fn tokens() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.token {
            let valid = match vector.kind.as_str() {
                "product" => ProductToken::new(&vector.token).is_ok(),
                "nonstandard" => ProductToken::nonstandard(&vector.token).is_ok(),
                "purpose" => PurposeToken::new(&vector.token).is_ok(),
                kind => panic!("{file}: unknown kind {kind}"),
            };
            assert_eq!(valid, vector.valid, "{file}: {} {}", vector.id, vector.name);
        }
    }
}

#[test]
fn parses() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.parse {
            let name = format!("{file}: {} {}", vector.id, vector.name);
            let robots = Robots::parse(vector.robots.as_bytes());
            assert_eq!(robots.lines().len(), vector.lines, "{name}: lines");
            if let Some(expected) = &vector.line_of {
                let found = robots.lines().iter().find(|line| {
                    line.span.of(robots.text().as_bytes()) == expected.text.as_bytes()
                });
                assert_eq!(
                    found.map(|line| line.number),
                    Some(expected.number),
                    "{name}: number"
                );
            }
        }
    }
}

/// Every requirement has a vector, a test named after it, or a reason in `vectors/uncovered.toml`.
#[test]
fn every_requirement_is_covered() {
    let sources = [
        include_str!("applications.rs"),
        include_str!("tags.rs"),
        include_str!("requirements.rs"),
        include_str!("hostile.rs"),
        include_str!("properties.rs"),
        include_str!("preferences.rs"),
        include_str!("../../../abide-cli/tests/it/fetch.rs"),
        include_str!("../../../abide-cli/tests/it/preferences.rs"),
        include_str!("../../../abide-fetch/tests/it/documents.rs"),
        include_str!("../../../abide-known-robots/tests/it/control_tokens.rs"),
        include_str!("../../../abide-lint/src/format/tests.rs"),
        include_str!("../../../abide-html/tests/it/vectors.rs"),
        include_str!("../../../abide-lint/tests/it/media_type.rs"),
    ];
    if let Err(gaps) = requirements::check(&vectors::load(), &sources) {
        panic!("{gaps}");
    }
}
