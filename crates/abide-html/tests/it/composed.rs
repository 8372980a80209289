//! The vectors of all sources together, at library level: ACAP, and compositions. They run in this
//! crate because some of them have a page.

use crate::preferences;
use abide::acap::{AcapMode, AcapPattern, AcapProfile, FetchedReference, Narrower, Qualifier};
use abide::app::{Application, DirectiveEntry, DirectiveStatus, Registry};
use abide::rep::Access;
use abide::rep::Cause;
use abide::tag::FieldLine;
use abide::verdict::{Reason, Sense};
use abide::{
    Client, Decision, Evidence, History, Policy, ProductToken, Profile, PurposeToken, Target,
    Usage, Version,
};
use abide_testkit::vectors::{
    self, ComposedVector, ReferenceText, SaidForApplication, SaidOfUsage,
};
use std::collections::BTreeMap;

fn client(vector: &ComposedVector) -> Client {
    let profile = match vector.profile.as_deref() {
        Some("google") => Profile::Google,
        _ => Profile::Careful,
    };
    let token = |text: &String| ProductToken::read(text, profile, false).unwrap();
    let mut tokens = vector.agent.iter().map(token);
    let first = Client::new(tokens.next().unwrap());
    let mut client = tokens.fold(first, Client::with_product_token);
    for purpose in &vector.purposes {
        client = client.with_purpose(PurposeToken::new(purpose).unwrap());
    }
    for application in &vector.applications {
        let own = application.split_once('@');
        let (id, tokens) = match own {
            Some((id, token)) => (id, vec![ProductToken::new(token).unwrap()]),
            None => (application.as_str(), client.product_tokens().to_vec()),
        };
        client = client.with_application(Application::new(id, tokens).unwrap());
    }
    if let Some(registry) = &vector.registry {
        client = client.with_registry(read_registry(registry));
    }
    client = client.with_profile(profile);
    for reading in &vector.readings {
        client = client.with_reading(reading.parse().unwrap());
    }
    if let Some(asked) = &vector.preferences {
        let profile = preferences::profile(asked, client.product_tokens());
        client = client.with_preferences(profile);
    }
    let acap = &vector.acap;
    let qualifier = |name: &String| name.parse::<Qualifier>().unwrap();
    client.with_acap(AcapProfile {
        names: acap.names.clone(),
        purposes: acap.purposes.clone(),
        prior_arrangement: acap.prior_arrangement,
        unsupported: acap.unsupported.iter().map(qualifier).collect(),
        mode: acap
            .mode
            .as_deref()
            .map_or(AcapMode::Full, |name| name.parse::<AcapMode>().unwrap()),
    })
}

/// The applications of the member `registry` of a request.
fn read_registry(written: &toml::Table) -> Registry {
    let mut registry = Registry::default();
    for application in written["application"].as_array().unwrap() {
        let id = application["id"].as_str().unwrap();
        registry.application(id, &[]).unwrap();
        for (name, written) in application["directive"].as_table().unwrap() {
            let text = |member: &str| written.get(member).and_then(toml::Value::as_str);
            let mut entry = DirectiveEntry::new(text("type").unwrap().parse().unwrap());
            if text("status") == Some("deprecated") {
                entry.status = DirectiveStatus::Deprecated;
            }
            let words = written.get("overrides").and_then(toml::Value::as_array);
            let words = words.into_iter().flatten();
            entry.overrides = words
                .map(|word| word.as_str().unwrap().to_owned())
                .collect();
            let means = written.get("means").and_then(toml::Value::as_table);
            let sense = |(value, word): (&String, &toml::Value)| match word.as_str() {
                Some("y") => (value.clone(), Sense::Allow),
                _ => (value.clone(), Sense::Disallow),
            };
            entry.means = means.into_iter().flatten().map(sense).collect();
            registry.directive(id, name, entry).unwrap();
        }
    }
    registry
}

fn policy(vector: &ComposedVector, client: &Client) -> Policy {
    let access = match (&vector.robots_error, vector.robots_status, vector.bytes()) {
        (Some(error), ..) => Access::from_failure(error.parse::<Cause>().unwrap()),
        (None, Some(status), _) => Access::from_status(status),
        (None, None, Some(_)) => Access::Rules,
        (None, None, None) => Access::Unknown,
    };
    let policy = match (access, vector.bytes()) {
        (Access::Rules, Some(bytes)) => Policy::compile(&bytes, client),
        _ => Policy::without_rules(access, client),
    };
    policy.with_references(vector.references.iter().map(|(locator, text)| {
        let referenced = match text {
            ReferenceText::Body(body) => FetchedReference::Bytes(body.as_bytes()),
            ReferenceText::Status { status } => {
                FetchedReference::Failed(Access::from_status(*status))
            }
            ReferenceText::Error { error } => {
                FetchedReference::Failed(Access::from_failure(error.parse::<Cause>().unwrap()))
            }
        };
        (locator.as_str(), referenced)
    }))
}

fn said(decision: &Decision<'_>, usage: &str) -> SaidOfUsage {
    let said = decision.usage(usage.parse::<Usage>().unwrap()).unwrap();
    let decided = said.evidence.first();
    SaidOfUsage {
        outcome: said.outcome.name().to_owned(),
        conditions: said.conditions.iter().map(ToString::to_string).collect(),
        line: decided.and_then(|one| one.place).map(|place| place.line),
        source: decided.map(|one| one.source.name().to_owned()),
        reason: decided.map(|one| one.reason.name().to_owned()),
        notes: decided.map_or_else(Vec::new, |one| {
            one.notes()
                .iter()
                .map(|note| note.name().to_owned())
                .collect()
        }),
    }
}

#[test]
fn compositions() {
    for (file, vectors) in vectors::load() {
        // Requests that are refused, and what their statuses leave unknown (CLA-20), are a matter
        // of the contract.
        let answered = vectors
            .composed
            .iter()
            .filter(|vector| vector.error.is_none())
            .filter(|vector| !matches!(vector.robots_status, Some(300..=399)));
        for vector in answered {
            let name = format!("{file}: {} {}", vector.id, vector.name);
            let client = client(vector);
            let policy = policy(vector, &client);
            let fields = vector.headers.iter();
            let fields: Vec<_> = fields
                .map(|(name, value)| FieldLine::new(name, value.as_bytes()))
                .collect();
            let page = vector.html.as_ref().map(String::as_bytes);
            let response = abide_html::response(&fields, page, vector.rendered_html.as_deref());
            let documents = vector.preferences.as_ref().map(preferences::documents);
            let documents = documents.unwrap_or_default();
            let moment = |text: &str| text.parse().unwrap();
            let is_old = vector.version.as_deref() == Some("old");
            let history = History {
                first_indexed: vector.first_indexed.as_deref().map(moment),
                first_copied: vector.first_copied.as_deref().map(moment),
                version: if is_old {
                    Version::Old
                } else {
                    Version::Latest
                },
            };
            let target = Target::new(&vector.url).unwrap();
            let target = target
                .with_response(&response)
                .with_documents(&documents)
                .with_now(moment(vector.instant()))
                .with_history(history);
            let decision = policy.decide(&target);
            vector.check_usages(|usage| said(&decision, usage));
            let permitted = decision.outcome(Usage::Crawl) == abide::Outcome::Permitted;
            assert_eq!(policy.allows(&vector.url), permitted, "{name}: allows");
            rest(&name, vector, &policy, &decision);
        }
    }
}

fn rest(name: &str, vector: &ComposedVector, policy: &Policy, decision: &Decision<'_>) {
    let of_decision = policy.diagnostics_of(decision);
    let codes = policy.diagnostics().iter().chain(&of_decision);
    let codes: Vec<_> = codes.map(|found| found.code.name()).collect();
    vectors::check_codes(name, &codes, &vector.diagnostics, &vector.no_diagnostics);
    preferences::check(vector, decision);
    vector.check_applications(|id, usage| {
        let said = decision
            .applications
            .iter()
            .find(|said| said.id == id)
            .unwrap();
        let mut preferences = said.preferences.iter();
        let said = preferences.find(|one| one.usage.name() == usage).unwrap();
        let line = |one: &Evidence<'_>| one.place.map(|place| place.line);
        let evidence = said.evidence.iter();
        let overridden = evidence.filter(|one| one.reason == Reason::DirectiveOverrides);
        SaidForApplication {
            outcome: said.outcome.name().to_owned(),
            line: said.evidence.first().and_then(line),
            overridden: overridden.filter_map(line).collect(),
        }
    });
    if let Some(needs) = &vector.needs {
        assert_eq!(decision.needs, *needs, "{name}: needs");
    }
    if let Some(requests) = &vector.action_requests {
        let found = decision.action_requests.iter();
        let found: Vec<_> = found
            .map(|one| format!("{} {}", one.action.name(), one.path))
            .collect();
        assert_eq!(found, *requests, "{name}: action requests");
    }
    for (id, expected) in &vector.directives {
        let said = decision
            .applications
            .iter()
            .find(|said| said.id == *id)
            .unwrap();
        let found = said.directives.iter();
        let found: BTreeMap<_, _> = found
            .map(|(key, value)| (key.clone(), value.to_string()))
            .collect();
        assert_eq!(found, *expected, "{name}: {id}");
    }
}

#[test]
fn scopes() {
    let mut seen = 0;
    for (file, vectors) in vectors::load() {
        for vector in &vectors.scope {
            let read = |text: &str| AcapPattern::read(text.as_bytes()).unwrap();
            let found = match read(&vector.a).compare(&read(&vector.b)) {
                Narrower::First => "a",
                Narrower::Second => "b",
                Narrower::Same => "same",
                Narrower::Undecidable => "undecidable",
            };
            assert_eq!(
                found, vector.narrower,
                "{file}: {} {}",
                vector.id, vector.name
            );
            seen += 1;
        }
    }
    assert!(seen > 0, "no vectors");
}
