//! AI preferences of vectors: what the client asks, what it knows, and what the answer says.

use abide::preference::{
    ControlToken, Documents, LicenceState, PreferenceProfile, Revision, SignalScope, TdmrepState,
};
use abide::rep::{Access, Cause};
use abide::{Decision, ProductToken, Usage};
use abide_testkit::vectors::ComposedVector;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// What a client with these product tokens asks for.
pub(crate) fn profile(asked: &Table, tokens: &[ProductToken]) -> PreferenceProfile {
    let text = |name: &str| asked.get(name).and_then(Value::as_str);
    let flag = |name: &str| asked.get(name).and_then(Value::as_bool);
    let names = |value: &Value| -> Vec<String> {
        let list = value.as_array().unwrap().iter();
        list.map(|one| one.as_str().unwrap().to_owned()).collect()
    };
    let vocabularies = asked.get("vocabularies").map(|value| {
        let names = names(value);
        names.iter().map(|name| name.parse().unwrap()).collect()
    });
    let control_tokens = match asked.get("control_tokens") {
        None => abide_known_robots::control_tokens(tokens.iter().map(ProductToken::as_str)),
        Some(list) => list.as_array().unwrap().iter().map(control_token).collect(),
    };
    PreferenceProfile {
        vocabularies,
        usages: None,
        revision: Revision::named(text("revision").unwrap_or("08")).unwrap(),
        vendor_tags: flag("vendor_tags").unwrap_or(true),
        signals_outside_groups: flag("signals_outside_groups").unwrap_or_default(),
        signal_scope: text("signal_scope")
            .map_or_else(SignalScope::default, |name| name.parse().unwrap()),
        intended_use: text("use").map(|level| level.parse().unwrap()),
        control_tokens,
    }
}

fn control_token(given: &Value) -> ControlToken {
    match given {
        Value::String(name) => {
            let known = abide_known_robots::named(name).unwrap();
            known.control_token().unwrap()
        }
        own => ControlToken {
            token: ProductToken::new(own["token"].as_str().unwrap()).unwrap(),
            usages: own["usages"]
                .as_array()
                .unwrap()
                .iter()
                .map(|usage| usage.as_str().unwrap().parse::<Usage>().unwrap())
                .collect(),
        },
    }
}

/// What the client knows of the documents beside robots.txt.
pub(crate) fn documents(asked: &Table) -> Documents {
    let mut documents = Documents::default();
    if let Some(given) = asked.get("tdmrep") {
        documents = match given.as_str() {
            Some(body) => abide_documents::add_tdmrep(documents, body.as_bytes()),
            None => documents.with_tdmrep(match access(given) {
                Access::Unreachable(_) | Access::Unknown => TdmrepState::NotKnown,
                _ => TdmrepState::Absent,
            }),
        };
    }
    for (url, given) in asked
        .get("rsl")
        .and_then(Value::as_table)
        .into_iter()
        .flatten()
    {
        documents = match given.as_str() {
            Some(body) => abide_documents::add_rsl(documents, url, body.as_bytes()),
            None => documents.with_licence(url.as_str(), LicenceState::Unreadable),
        };
    }
    documents
}

fn access(given: &Value) -> Access {
    if let Some(cause) = given.get("error").and_then(Value::as_str) {
        Access::from_failure(cause.parse::<Cause>().unwrap())
    } else {
        let status = given["status"].as_integer().unwrap();
        Access::from_status(u16::try_from(status).unwrap())
    }
}

/// Compares what the vocabularies say.
pub(crate) fn check(vector: &ComposedVector, decision: &Decision<'_>) {
    let (mut words, mut usages, mut documents) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for said in decision
        .preferences
        .iter()
        .flat_map(|told| &told.vocabularies)
    {
        let name = said.vocabulary.name().to_owned();
        let own = said.words.iter();
        let own = own.map(|(word, value)| ((*word).to_owned(), value.to_string()));
        words.insert(name.clone(), own.collect());
        let outcomes = said.outcomes();
        let outcomes =
            outcomes.map(|(usage, outcome)| (usage.name().to_owned(), outcome.name().to_owned()));
        usages.insert(name, outcomes.collect());
        documents.extend(said.documents.iter().filter_map(|one| one.url.clone()));
    }
    vector.check_preferences(&words, &usages, &documents);
}
