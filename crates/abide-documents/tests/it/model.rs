//! Documents beside a slow model: it reads the texts by itself, and decides by itself.

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
    for &usage in Usage::PREFERENCES {
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

/// The control tokens of the composed questions, with their usages.
const TOKENS: [(&str, &[&str]); 2] = [
    ("Google-Extended", &["train", "ai-input"]),
    ("Applebot-Extended", &["train"]),
];

/// A question about all vocabularies: files, response fields, documents, and what the client says.
#[derive(Debug)]
struct Composed {
    agents: Vec<&'static str>,
    purposes: Vec<&'static str>,
    robots: String,
    path: String,
    scope: SignalScope,
    outside: bool,
    revision: &'static str,
    intended: Option<&'static str>,
    tdmrep: Option<String>,
    /// The licence documents of robots.txt; `None` for one that is not given.
    licences: Vec<(String, Option<String>)>,
    tdm_lines: Vec<(String, String)>,
    usage_lines: Vec<String>,
    signal_lines: Vec<String>,
}

impl Composed {
    fn new(dice: &mut Dice) -> Self {
        let (agents, purposes) = files::client(dice);
        let licence = dice.pick(&["", "", "License: https://l.example/x.xml\n"]);
        let mut drawn = Self {
            agents,
            purposes,
            robots: format!("{licence}{}", files::robots(dice)),
            path: files::path(dice),
            scope: dice.pick(SignalScope::ALL),
            outside: dice.chance(30),
            revision: dice.pick(&["08", "08", "07"]),
            intended: dice.pick(&[
                None,
                None,
                Some("immediate"),
                Some("reference"),
                Some("full"),
            ]),
            tdmrep: dice.chance(40).then(|| files::tdmrep(dice)),
            licences: Vec::new(),
            tdm_lines: files::tdm_lines(dice),
            usage_lines: files::usage_fields(dice),
            signal_lines: files::signal_fields(dice),
        };
        let urls = model::licences(&drawn.question()).into_iter();
        let licences = urls.map(|url| (url, dice.chance(85).then(|| files::rsl(dice))));
        drawn.licences = licences.collect();
        drawn
    }

    fn question(&self) -> Question<'_> {
        Question {
            robots: self.robots.as_bytes(),
            agents: &self.agents,
            purposes: &self.purposes,
            nonstandard_token: false,
            path: self.path.as_bytes(),
        }
    }

    fn url(&self) -> String {
        format!("https://e.example{}", self.path)
    }

    fn client(&self) -> Client {
        let mut names = self
            .agents
            .iter()
            .map(|token| ProductToken::new(token).unwrap());
        let client = Client::new(names.next().unwrap());
        let client = names.fold(client, Client::with_product_token);
        let claimed = self
            .purposes
            .iter()
            .map(|one| PurposeToken::new(one).unwrap());
        let client = claimed.fold(client, Client::with_purpose);
        let token = |(token, usages): (&str, &[&str])| ControlToken {
            token: ProductToken::new(token).unwrap(),
            usages: usages.iter().map(|usage| usage.parse().unwrap()).collect(),
        };
        client.with_preferences(PreferenceProfile {
            revision: Revision::named(self.revision).unwrap(),
            signals_outside_groups: self.outside,
            signal_scope: self.scope,
            intended_use: self.intended.map(|level| level.parse().unwrap()),
            control_tokens: TOKENS.into_iter().map(token).collect(),
            ..PreferenceProfile::default()
        })
    }

    fn documents(&self) -> Documents {
        let documents = Documents::default().with_tdmrep(match &self.tdmrep {
            Some(file) => abide_documents::tdmrep(file.as_bytes()),
            None => TdmrepState::Absent,
        });
        let given = self.licences.iter();
        let given = given.filter_map(|(url, document)| Some((url, document.as_ref()?)));
        given.fold(documents, |documents, (url, document)| {
            documents.with_licence(url.as_str(), abide_documents::rsl(document.as_bytes()))
        })
    }

    fn response(&self) -> Response {
        let named = |name: &'static str, lines: &[String]| -> Vec<FieldLine> {
            let lines = lines.iter();
            lines
                .map(|line| FieldLine::new(name, line.as_bytes()))
                .collect()
        };
        let tdm = self.tdm_lines.iter();
        let mut fields: Vec<FieldLine> = tdm
            .map(|(name, value)| FieldLine::new(name.as_str(), value.as_bytes()))
            .collect();
        fields.extend(named("Content-Usage", &self.usage_lines));
        fields.extend(named("Content-Signal", &self.signal_lines));
        Response::new(&fields)
    }

    /// What the model says for each vocabulary.
    fn said(&self) -> [Said; 5] {
        let question = self.question();
        let (robots, path) = (self.robots.as_bytes(), self.path.as_bytes());
        let usage: Vec<&str> = self.usage_lines.iter().map(String::as_str).collect();
        let signals: Vec<&str> = self.signal_lines.iter().map(String::as_str).collect();
        let tdm: Vec<(&str, &str)> = self.tdm_lines.iter().map(|(a, b)| (&**a, &**b)).collect();
        let site = self.licences.iter();
        let site: Vec<_> = site
            .map(|(_, one)| body(one.as_ref(), Fetched::NotGiven))
            .collect();
        let tdmrep = body(self.tdmrep.as_ref(), Fetched::Missing);
        let scope = self.scope.name();
        [
            model::content_usage(&question, &usage, self.revision, scope),
            model::content_signal(&question, &signals, self.outside, scope, self.intended),
            model::tdmrep(tdmrep, &tdm, &[], path),
            model::rsl_together(&[], &site, &self.url()),
            model::control_token_usages(robots, &TOKENS, path),
        ]
    }
}

/// A file, or why there is none.
fn body<'a>(text: Option<&'a String>, missing: Fetched<'a>) -> Fetched<'a> {
    text.map_or(missing, |text| Fetched::Body(text.as_bytes()))
}

/// All vocabularies together: the strictest answer about each usage (PREF-6), by files, fields,
/// documents and control tokens, in every scope and for every intended use.
#[test]
fn pref_6_composed_answers_agree_with_the_model() {
    for seed in 0..cases() {
        let drawn = Composed::new(&mut Dice::new(seed));
        let policy = Policy::compile(&drawn.robots, &drawn.client());
        let (url, documents, response) = (drawn.url(), drawn.documents(), drawn.response());
        let target = Target::new(&url).unwrap();
        let target = target.with_documents(&documents).with_response(&response);
        let decision = policy.decide(&target);
        for (usage, expected) in model::strictest(&drawn.said()) {
            let own = decision.usage(usage.parse().unwrap()).unwrap();
            let shown = format!("seed {seed}: {drawn:?}: {usage}");
            assert_eq!(own.outcome.name(), expected.outcome.name(), "{shown}");
            let conditions = own.conditions.iter().map(ToString::to_string);
            let expected: Vec<String> = expected.conditions.into_iter().collect();
            assert_eq!(conditions.collect::<Vec<_>>(), expected, "{shown}");
        }
    }
}
