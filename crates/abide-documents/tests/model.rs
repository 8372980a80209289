//! Documents beside a slow model: it reads the texts by itself, and decides by itself.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide::preference::{
    ControlToken, Documents, PreferenceProfile, Revision, SignalScope, TdmrepState, Vocabulary,
};
use abide::tag::{FieldLine, Meta, Response};
use abide::{Client, Decision, Policy, ProductToken, PurposeToken, Target, Usage};
use abide_testkit::model::Question;
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

/// All vocabularies together: the strictest answer about each usage (PREF-6), by files, fields,
/// documents and control tokens, in every scope and for every intended use.
#[test]
fn pref_6_composed_answers_agree_with_the_model() {
    let tokens: [(&str, &[&str]); 2] = [
        ("Google-Extended", &["train", "ai-input"]),
        ("Applebot-Extended", &["train"]),
    ];
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let (agents, purposes) = files::client(&mut dice);
        let robots = match dice.below(3) {
            0 => format!(
                "License: https://l.example/x.xml\n{}",
                files::robots(&mut dice)
            ),
            _ => files::robots(&mut dice),
        };
        let path = files::path(&mut dice);
        let question = Question {
            robots: robots.as_bytes(),
            agents: &agents,
            purposes: &purposes,
            nonstandard_token: false,
            path: path.as_bytes(),
        };
        let scope = dice.pick(&SignalScope::ALL);
        let outside = dice.chance(30);
        let revision = dice.pick(&["08", "08", "07"]);
        let intended = dice.pick(&[
            None,
            None,
            Some("immediate"),
            Some("reference"),
            Some("full"),
        ]);
        let licences: Vec<(String, Option<String>)> = model::licences(&question)
            .into_iter()
            .map(|url| (url, dice.chance(85).then(|| files::rsl(&mut dice))))
            .collect();
        let file = dice.chance(40).then(|| files::tdmrep(&mut dice));
        let tdm_lines = files::tdm_lines(&mut dice);
        let usage_lines = files::usage_fields(&mut dice);
        let signal_lines = files::signal_fields(&mut dice);

        let mut documents = Documents::default().with_tdmrep(match &file {
            Some(file) => abide_documents::tdmrep(file.as_bytes()),
            None => TdmrepState::Absent,
        });
        for (url, document) in &licences {
            if let Some(document) = document {
                let state = abide_documents::rsl(document.as_bytes());
                documents = documents.with_licence(url.as_str(), state);
            }
        }
        let fields: Vec<FieldLine> = tdm_lines
            .iter()
            .map(|(name, value)| FieldLine::new(name.as_str(), value.as_bytes()))
            .chain(
                usage_lines
                    .iter()
                    .map(|line| FieldLine::new("Content-Usage", line.as_bytes())),
            )
            .chain(
                signal_lines
                    .iter()
                    .map(|line| FieldLine::new("Content-Signal", line.as_bytes())),
            )
            .collect();
        let response = Response::new(&fields);
        let mut names = agents.iter().map(|token| ProductToken::new(token).unwrap());
        let client = Client::new(names.next().unwrap());
        let client = names.fold(client, Client::with_product_token);
        let claimed = purposes.iter().map(|one| PurposeToken::new(one).unwrap());
        let client = claimed.fold(client, Client::with_purpose);
        let client = client.with_preferences(PreferenceProfile {
            revision: Revision::named(revision).unwrap(),
            signals_outside_groups: outside,
            signal_scope: scope,
            intended_use: intended.map(|level| level.parse().unwrap()),
            control_tokens: tokens
                .iter()
                .map(|(token, usages)| ControlToken {
                    token: ProductToken::new(token).unwrap(),
                    usages: usages.iter().map(|usage| usage.parse().unwrap()).collect(),
                })
                .collect(),
            ..PreferenceProfile::default()
        });
        let policy = Policy::compile(&robots, &client);
        let url = format!("https://e.example{path}");
        let target = Target::new(&url).unwrap();
        let target = target.with_documents(&documents).with_response(&response);
        let decision = policy.decide(&target);

        let usage_lines: Vec<&str> = usage_lines.iter().map(String::as_str).collect();
        let signal_lines: Vec<&str> = signal_lines.iter().map(String::as_str).collect();
        let tdm: Vec<(&str, &str)> = tdm_lines.iter().map(|(a, b)| (&**a, &**b)).collect();
        let site: Vec<Fetched<'_>> = licences
            .iter()
            .map(|(_, document)| match document {
                Some(document) => Fetched::Body(document.as_bytes()),
                None => Fetched::NotGiven,
            })
            .collect();
        let tdmrep = file
            .as_ref()
            .map_or(Fetched::Missing, |file| Fetched::Body(file.as_bytes()));
        let name = scope.name();
        let all = [
            model::content_usage(&question, &usage_lines, revision, name),
            model::content_signal(&question, &signal_lines, outside, name, intended),
            model::tdmrep(tdmrep, &tdm, &[], path.as_bytes()),
            model::rsl_together(&[], &site, &url),
            model::control_token_usages(robots.as_bytes(), &tokens, path.as_bytes()),
        ];
        let shown = format!(
            "seed {seed}: {robots:?} {agents:?} {purposes:?} {url} {scope:?} {outside} {intended:?} \
             {licences:?} {file:?} {fields:?}"
        );
        for (usage, expected) in model::strictest(&all) {
            let own = decision.usage(usage.parse().unwrap()).unwrap();
            assert_eq!(
                own.outcome.name(),
                expected.outcome.name(),
                "{shown}: {usage}"
            );
            let conditions = own.conditions.iter().map(ToString::to_string);
            let expected: Vec<String> = expected.conditions.into_iter().collect();
            assert_eq!(conditions.collect::<Vec<_>>(), expected, "{shown}: {usage}");
        }
    }
}
