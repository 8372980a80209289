//! The vectors of robots tags at library level, and the requirements that a vector cannot show.

use abide::tag::{FieldLine, Meta, Recrawl, Response, StoredTags, header};
use abide::{Client, Moment, Policy, ProductToken, Profile, PurposeToken, Target, Usage};
use abide_testkit::vectors::{self, TagVector};

fn client(vector: &TagVector) -> Client {
    let mut tokens = vector
        .agent
        .iter()
        .map(|token| ProductToken::new(token).unwrap());
    let first = Client::new(tokens.next().unwrap());
    let named = tokens.fold(first, Client::with_product_token);
    let purposes = vector
        .purposes
        .iter()
        .map(|purpose| PurposeToken::new(purpose).unwrap());
    let google = vector.profile.as_deref() == Some("google");
    purposes
        .fold(named, Client::with_purpose)
        .with_profile(if google {
            Profile::Google
        } else {
            Profile::Careful
        })
}

#[test]
fn tags() {
    for (file, vectors) in vectors::load() {
        for vector in &vectors.tags {
            check(&format!("{file}: {} {}", vector.id, vector.name), vector);
        }
    }
}

fn check(name: &str, vector: &TagVector) {
    let client = client(vector);
    let fields = vector
        .field_lines()
        .into_iter()
        .map(|(name, value)| FieldLine::new(name, value));
    let page = vector.html.as_ref().map(String::as_bytes);
    let response = abide_html::response(
        &fields.collect::<Vec<_>>(),
        page,
        vector.rendered_html.as_deref(),
    );
    let policy = Policy::compile(vector.robots.as_bytes(), &client);
    let mut target = Target::new("https://e.example/x")
        .unwrap()
        .with_response(&response);
    if let Some(now) = &vector.now {
        target = target.with_now(now.parse().unwrap());
    }
    let decision = policy.decide(&target);
    let expected = vector
        .expect
        .iter()
        .map(|(name, value)| (name.clone(), value.text().map(str::to_owned)));
    assert_eq!(decision.tags, expected.collect(), "{name}: rules");
    if let Some(unknown) = &vector.unknown {
        assert!(
            decision.unknown_tag_rules.iter().eq(unknown),
            "{name}: {:?}",
            decision.unknown_tag_rules
        );
    }
    let found = policy.diagnostics_of(&decision);
    let codes: Vec<_> = found.iter().map(|found| found.code.name()).collect();
    vectors::check_codes(name, &codes, &vector.diagnostics, &vector.no_diagnostics);
    for said in &decision.usages {
        if let Some(outcome) = vector.outcomes.get(said.usage.name()) {
            assert_eq!(said.outcome.name(), outcome, "{name}: {}", said.usage);
        }
        if let Some(conditions) = vector.conditions.get(said.usage.name()) {
            let found: Vec<_> = said.conditions.iter().map(ToString::to_string).collect();
            assert_eq!(found, *conditions, "{name}: {}", said.usage);
        }
        let is_seen = decision.outcome(abide::Usage::Crawl) != abide::Outcome::Prohibited;
        let is_of_tags = said.usage != abide::Usage::Crawl;
        let role = if is_of_tags && !is_seen {
            "void"
        } else {
            "decided"
        };
        let mut first = said.evidence.first().into_iter();
        assert!(
            first.all(|first| first.role.name() == role),
            "{name}: {}",
            said.usage
        );
    }
}

/// The values that a standard parser of structured fields accepts or rejects; rejected ones are
/// reported.
#[test]
fn structured_lists() {
    for (_, vectors) in vectors::load() {
        // Vectors about other fields run in the tests of those fields.
        for vector in vectors
            .structured
            .iter()
            .filter(|vector| vector.id.contains("TAG"))
        {
            let (_, found) = header::read(&[FieldLine::new("Robots-Tag", vector.value.as_str())]);
            let refused = found.iter().any(|f| {
                matches!(
                    f.code.name(),
                    "robots-tag-malformed" | "robots-tag-key-case"
                )
            });
            assert_eq!(refused, !vector.valid, "{} {:?}", vector.id, vector.value);
        }
    }
}

fn at(seconds: i64) -> Moment {
    Moment::from_unix_seconds(seconds)
}

fn stored(value: &str, observed: i64, fresh: Option<i64>) -> StoredTags {
    let (statements, _) = header::read(&[FieldLine::new("Robots-Tag", value)]);
    StoredTags::new(statements, at(observed), fresh.map(at))
}

#[test]
fn tag_14_the_limit_of_fields_is_8_kib_or_more() {
    use abide::tag::header::{FieldLimit, read, read_within};
    assert!(FieldLimit::new(8_191).is_err());
    let fields = [FieldLine::new(
        "Robots-Tag",
        format!("{}, *;noindex", "x".repeat(9_000)),
    )];
    let raised = FieldLimit::new(10_000).unwrap();
    assert_eq!(
        (read(&fields).0.len(), read_within(&fields, raised).0.len()),
        (0, 2)
    );
}

#[test]
fn tag_40_rules_carry_the_freshness_of_their_response() {
    assert_eq!(stored("*;noindex", 0, Some(60)).fresh_until(), Some(at(60)));
}

#[test]
fn tag_41_rules_stay_until_a_recrawl() {
    let failed = stored("*;noindex", 0, Some(60))
        .recrawled(Recrawl::Failed)
        .unwrap();
    assert_eq!(failed, stored("*;noindex", 0, Some(60)));
    assert!(failed.recrawled(Recrawl::Gone).is_none());
}

#[test]
fn tag_42_stale_rules_ask_for_a_recrawl() {
    let tags = stored("*;noindex", 0, Some(60));
    assert!(!tags.is_stale(at(60)) && tags.is_stale(at(61)));
}

#[test]
fn tag_43_without_directives_nothing_is_stale_but_by_plan() {
    assert!(!stored("*;noindex", 0, None).is_stale(at(i64::MAX)));
}

#[test]
fn tag_44_the_last_known_rules_continue() {
    let tags = stored("*;noindex", 0, Some(60));
    let year = at(31_536_000);
    assert!(tags.is_stale(year));
    let response = Response::from_stored(&tags);
    let policy = Policy::compile(b"", &Client::new(ProductToken::new("f").unwrap()));
    let target = Target::new("/x")
        .unwrap()
        .with_response(&response)
        .with_now(year);
    assert_eq!(
        policy.decide(&target).outcome(Usage::Index).name(),
        "prohibited"
    );
}

#[test]
fn tag_45_a_recrawl_replaces_the_rules_by_laxer_ones_too() {
    let lax = stored("", 90, None);
    let tags = stored("*;noindex", 0, Some(60)).recrawled(Recrawl::Replaced(lax.clone()));
    assert_eq!(tags, Some(lax));
}

#[test]
fn amb_tag_11_not_modified_keeps_what_it_does_not_carry() {
    let meta = Meta {
        name: "robots".into(),
        content: "nosnippet".into(),
        offset: 9,
    };
    let mut statements = stored("*;noindex", 0, None).statements().to_vec();
    statements.push(meta.statement(abide::verdict::Source::Meta));
    let overlay = stored("*;nofollow", 0, None).statements().to_vec();
    let recrawl = Recrawl::NotModified {
        overlay,
        observed_at: at(9),
        fresh_until: Some(at(99)),
    };
    let tags = StoredTags::new(statements, at(0), None)
        .recrawled(recrawl)
        .unwrap();
    let rules: Vec<_> = tags
        .statements()
        .iter()
        .flat_map(|s| &s.rules)
        .map(|rule| &*rule.name)
        .collect();
    assert_eq!(rules, ["nosnippet", "nofollow"]);
    assert_eq!(
        (tags.observed_at(), tags.fresh_until()),
        (at(9), Some(at(99)))
    );
}

/// The engine gets only the fields of the final response; the command uses the last head.
#[test]
fn amb_tag_16_a_response_speaks_for_itself() {
    let redirect = Response::new(&[FieldLine::new("Robots-Tag", "*;noindex")]);
    let page = Response::new(&[]);
    assert_eq!(
        (redirect.statements().len(), page.statements().len()),
        (1, 0)
    );
}

#[test]
fn tag_46_documentation_points_to_access_control() {
    let guide = include_str!("../../../../docs/tags.md");
    assert!(guide.contains("HTTP authentication"));
}

#[test]
fn tag_47_a_decision_tells_by_which_scheme() {
    let target = Target::new("http://e.example/x").unwrap();
    assert!(target.robots_url().unwrap().starts_with("http://"));
    assert!(include_str!("../../../../docs/tags.md").contains("TLS"));
}

#[test]
fn amb_tag_20_vendor_rules_can_be_switched_off() {
    let response = Response::new(&[FieldLine::new("Robots-Tag", "*;noindex;nofollow")]);
    let client = Client::new(ProductToken::new("f").unwrap()).with_vendor_rules(false);
    let policy = Policy::compile(b"", &client);
    let decision = policy.decide(&Target::new("/x").unwrap().with_response(&response));
    assert_eq!(decision.outcome(Usage::Follow).name(), "unspecified");
    assert_eq!(decision.outcome(Usage::Index).name(), "prohibited");
    assert!(decision.unknown_tag_rules.contains("nofollow"));
}

#[test]
fn amb_tag_10_metas_of_the_body_count_for_clients_that_ask_for_them() {
    let response = abide_html::response(&[], Some(b"<p><meta name=robots content=noindex>"), None);
    let client = Client::new(ProductToken::new("f").unwrap());
    let index = |client: &Client| {
        let policy = Policy::compile(b"", client);
        policy
            .decide(&Target::new("/x").unwrap().with_response(&response))
            .outcome(Usage::Index)
            .name()
    };
    assert_eq!(
        (index(&client), index(&client.clone().with_body_metas(true))),
        ("unspecified", "prohibited")
    );
}
