//! Documents beside a slow model: it reads the texts by itself, and decides by itself.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide::preference::{Documents, PreferenceProfile, TdmrepState, Vocabulary};
use abide::tag::{FieldLine, Meta, Response};
use abide::{Client, Decision, Policy, ProductToken, Target, Usage};
use abide_testkit::preference_files::{self as files, Dice};
use abide_testkit::preference_model::{self as model, Fetched, Said};
use std::collections::BTreeMap;

/// How many random documents each test draws; `PROPTEST_CASES` sets another number.
fn cases() -> u64 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(3_000)
}

fn policy(robots: &str, vocabulary: Vocabulary) -> Policy {
    let client = Client::new(ProductToken::new("f").unwrap());
    let client = client.with_preferences(PreferenceProfile {
        vocabularies: Some(vec![vocabulary]),
        ..PreferenceProfile::default()
    });
    Policy::compile(robots, &client)
}

fn compare(decision: &Decision<'_>, expected: &Said, shown: &str) {
    let said = &decision.preferences.as_ref().unwrap().vocabularies[0];
    let words = said.words.iter();
    let words = words.map(|(word, value)| ((*word).to_owned(), value.to_string()));
    let words: BTreeMap<_, _> = words.collect();
    assert_eq!(words, expected.words, "{shown}");
    for usage in Usage::PREFERENCES {
        let own = decision.usage(usage).unwrap();
        let model = expected.usage(usage.name());
        assert_eq!(own.outcome.name(), model.outcome.name(), "{shown}: {usage}");
        let conditions = own.conditions.iter().map(ToString::to_string);
        let model: Vec<String> = model.conditions.into_iter().collect();
        assert_eq!(conditions.collect::<Vec<_>>(), model, "{shown}: {usage}");
    }
}

#[test]
fn pref_70_tdmrep_agrees_with_the_model() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let path = files::path(&mut dice);
        let file = dice.chance(80).then(|| files::tdmrep(&mut dice));
        let (lines, metas) = (files::tdm_lines(&mut dice), files::tdm_lines(&mut dice));
        let state = match &file {
            Some(file) => abide_documents::tdmrep(file.as_bytes()),
            None => TdmrepState::Absent,
        };
        let documents = Documents::default().with_tdmrep(state);
        let fields: Vec<_> = lines
            .iter()
            .map(|(name, value)| FieldLine::new(name, value.as_bytes()))
            .collect();
        let elements: Vec<_> = metas
            .iter()
            .map(|(name, content)| Meta {
                name: name.clone(),
                content: content.clone(),
                offset: 0,
            })
            .collect();
        let response = Response::new(&fields).with_source_metas(&elements);
        let policy = policy("", Vocabulary::Tdmrep);
        let target = Target::new(&path)
            .unwrap()
            .with_documents(&documents)
            .with_response(&response);
        let fetched = file
            .as_ref()
            .map_or(Fetched::Missing, |file| Fetched::Body(file.as_bytes()));
        let lines: Vec<(&str, &str)> = lines.iter().map(|(a, b)| (&**a, &**b)).collect();
        let metas: Vec<(&str, &str)> = metas.iter().map(|(a, b)| (&**a, &**b)).collect();
        let expected = model::tdmrep(fetched, &lines, &metas, path.as_bytes());
        let shown = format!("seed {seed}: {file:?} {lines:?} {metas:?} {path}");
        compare(&policy.decide(&target), &expected, &shown);
    }
}

#[test]
fn pref_93_licences_agree_with_the_model() {
    const LICENCE: &str = "https://l.example/x.xml";
    let policy = policy(&format!("License: {LICENCE}\n"), Vocabulary::Rsl);
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let url = files::url(&mut dice);
        let document = files::rsl(&mut dice);
        let state = abide_documents::rsl(document.as_bytes());
        let documents = Documents::default().with_licence(LICENCE, state);
        let target = Target::new(&url).unwrap().with_documents(&documents);
        let expected = model::rsl(&document, &url);
        let shown = format!("seed {seed}: {document} {url}");
        compare(&policy.decide(&target), &expected, &shown);
    }
}
