//! AI preferences: the engine beside a slow model, and what must hold for every file.

use abide::preference::{
    ControlToken, PreferenceProfile, Revision, SignalScope, UseLevel, Vocabulary,
};
use abide::tag::{FieldLine, Response};
use abide::{Client, Decision, Outcome, Policy, ProductToken, PurposeToken, Target, Usage};
use abide_testkit::model::Question;
use abide_testkit::preference_files::{self as files, Dice};
use abide_testkit::preference_model::{self as model, Said};
use std::collections::BTreeMap;

/// How many random files each test draws; `PROPTEST_CASES` sets another number.
fn cases() -> u64 {
    let given = std::env::var("PROPTEST_CASES").ok();
    given.and_then(|cases| cases.parse().ok()).unwrap_or(3_000)
}

fn client(agents: &[&str], purposes: &[&str], profile: PreferenceProfile) -> Client {
    let mut tokens = agents.iter().map(|token| ProductToken::new(token).unwrap());
    let first = Client::new(tokens.next().unwrap());
    let client = tokens.fold(first, Client::with_product_token);
    let purposes = purposes.iter().map(|one| PurposeToken::new(one).unwrap());
    purposes
        .fold(client, Client::with_purpose)
        .with_preferences(profile)
}

/// What most tests ask about: a file, a client, and a path.
struct Drawn {
    robots: String,
    agents: Vec<&'static str>,
    purposes: Vec<&'static str>,
    path: String,
}

impl Drawn {
    fn new(dice: &mut Dice) -> Self {
        let (agents, purposes) = files::client(dice);
        Self {
            agents,
            purposes,
            robots: files::robots(dice),
            path: files::path(dice),
        }
    }

    fn client(&self, profile: PreferenceProfile) -> Client {
        client(&self.agents, &self.purposes, profile)
    }

    fn policy(&self, profile: PreferenceProfile) -> Policy {
        Policy::compile(&self.robots, &self.client(profile))
    }

    fn target(&self) -> Target<'_> {
        Target::new(&self.path).unwrap()
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

    /// The question, for the message of a failure.
    fn shown(&self, seed: u64) -> String {
        let Self {
            robots,
            agents,
            purposes,
            path,
        } = self;
        format!("seed {seed}: {robots:?} {agents:?} {purposes:?} {path}")
    }
}

fn only(vocabulary: Vocabulary) -> PreferenceProfile {
    PreferenceProfile {
        vocabularies: Some(vec![vocabulary]),
        ..PreferenceProfile::default()
    }
}

fn fields(lines: &[(&str, String)]) -> Response {
    let lines = lines
        .iter()
        .map(|(name, value)| FieldLine::new(*name, value.as_bytes()));
    Response::new(&lines.collect::<Vec<_>>())
}

/// Compares the words and the outcomes of one vocabulary with those of the model.
fn compare(decision: &Decision<'_>, vocabulary: Vocabulary, expected: &Said, shown: &str) {
    let preferences = decision.preferences.as_ref().unwrap();
    let said = &preferences.vocabularies;
    let [said] = said.as_slice() else {
        panic!("{shown}: one vocabulary is asked");
    };
    assert_eq!(said.vocabulary, vocabulary);
    let words = said.words.iter();
    let words: BTreeMap<_, _> = words
        .map(|(word, value)| ((*word).to_owned(), value.to_string()))
        .collect();
    assert_eq!(words, expected.words, "{shown}");
    for &usage in Usage::PREFERENCES {
        let own = decision.usage(usage).unwrap();
        let model = expected.usage(usage.name());
        let name = format!("{shown}\n{usage}");
        assert_eq!(own.outcome.name(), model.outcome.name(), "{name}");
        let conditions = own.conditions.iter().map(ToString::to_string);
        assert!(conditions.eq(model.conditions.iter().cloned()), "{name}");
        evidence_is_sound(own, &name);
    }
}

/// One piece of evidence decides, unless nothing is said; it comes first.
fn evidence_is_sound(said: &abide::UsageDecision<'_>, name: &str) {
    use abide::verdict::Role;
    let deciding = said.evidence.iter().filter(|one| one.role == Role::Decided);
    let expected = usize::from(said.outcome != Outcome::Unspecified);
    assert_eq!(deciding.count(), expected, "{name}: {:?}", said.evidence);
    if expected == 1 {
        assert_eq!(said.evidence[0].role, Role::Decided, "{name}");
    }
}

#[test]
fn pref_19_content_usage_agrees_with_the_model() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let lines = files::usage_fields(&mut dice);
        let revision = dice.pick(&["08", "07"]);
        let scope = dice.pick(SignalScope::ALL);
        let profile = PreferenceProfile {
            revision: Revision::named(revision).unwrap(),
            signal_scope: scope,
            ..only(Vocabulary::ContentUsage)
        };
        let policy = drawn.policy(profile);
        let stated: Vec<_> = lines
            .iter()
            .map(|line| ("Content-Usage", line.clone()))
            .collect();
        let response = fields(&stated);
        let target = drawn.target().with_response(&response);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected = model::content_usage(&drawn.question(), &lines, revision, scope.name());
        let shown = format!("{} {lines:?} {scope:?}", drawn.shown(seed));
        let decision = policy.decide(&target);
        compare(&decision, Vocabulary::ContentUsage, &expected, &shown);
    }
}

#[test]
fn pref_49_content_signal_agrees_with_the_model() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let lines = files::signal_fields(&mut dice);
        let outside = dice.chance(50);
        let intended = dice.pick(&[None, Some("immediate"), Some("reference"), Some("full")]);
        let scope = dice.pick(SignalScope::ALL);
        let profile = PreferenceProfile {
            signals_outside_groups: outside,
            signal_scope: scope,
            intended_use: intended.map(|level| level.parse::<UseLevel>().unwrap()),
            ..only(Vocabulary::ContentSignal)
        };
        let policy = drawn.policy(profile);
        let stated: Vec<_> = lines
            .iter()
            .map(|line| ("content-signal", line.clone()))
            .collect();
        let response = fields(&stated);
        let target = drawn.target().with_response(&response);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let question = drawn.question();
        let expected = model::content_signal(&question, &lines, outside, scope.name(), intended);
        let shown = format!(
            "{} {lines:?} {outside} {scope:?} {intended:?}",
            drawn.shown(seed)
        );
        let decision = policy.decide(&target);
        compare(&decision, Vocabulary::ContentSignal, &expected, &shown);
    }
}

#[test]
fn pref_115_control_tokens_agree_with_the_model() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let robots = files::robots(&mut dice);
        let path = files::path(&mut dice);
        let tokens: [(&str, &[&str]); 2] = [
            ("Google-Extended", &["train", "ai-input"]),
            ("Applebot-Extended", &["train"]),
        ];
        let asked = tokens.iter().map(|(token, usages)| ControlToken {
            token: ProductToken::new(token).unwrap(),
            usages: usages.iter().map(|usage| usage.parse().unwrap()).collect(),
        });
        let profile = PreferenceProfile {
            control_tokens: asked.collect(),
            ..only(Vocabulary::ControlToken)
        };
        let policy = Policy::compile(&robots, &client(&["f"], &[], profile));
        let target = Target::new(&path).unwrap();
        let expected = model::control_token_usages(robots.as_bytes(), &tokens, path.as_bytes());
        let shown = format!("seed {seed}: {robots:?} {path}");
        let decision = policy.decide(&target);
        compare(&decision, Vocabulary::ControlToken, &expected, &shown);
    }
}

/// A missing file is named only if it can change a usage that the client wants to know.
#[test]
fn pref_136_needs_of_the_usages_asked() {
    let needs = |usages: Option<Vec<Usage>>| {
        let profile = PreferenceProfile {
            usages,
            ..only(Vocabulary::Tdmrep)
        };
        let policy = Policy::compile(b"", &client(&["f"], &[], profile));
        let decision = policy.decide(&Target::new("https://e.example/x").unwrap());
        assert_eq!(decision.outcome(Usage::Train), Outcome::Unknown);
        decision.needs
    };
    let file = ["https://e.example/.well-known/tdmrep.json"];
    assert_eq!(needs(None), file);
    assert_eq!(needs(Some(vec![Usage::Search, Usage::AiInput])), file);
    assert!(needs(Some(vec![Usage::Search])).is_empty());
}

/// The file without the lines that carry preferences.
fn without_preferences(robots: &str) -> String {
    let is_preference = |line: &&str| {
        let key = line.split(':').next().unwrap_or_default();
        let key = key.trim().to_ascii_lowercase();
        let keys = [
            "content-usage",
            "content-signal",
            "content-signals",
            "license",
        ];
        !keys.contains(&&*key)
    };
    // A lone CR ends a line too.
    let kept: Vec<_> = robots.split(['\n', '\r']).filter(is_preference).collect();
    kept.join("\n")
}

/// The outcomes for the three usages.
fn outcomes(decision: &Decision<'_>) -> Vec<Outcome> {
    let usages = Usage::PREFERENCES.iter();
    usages.map(|usage| decision.outcome(*usage)).collect()
}

/// Every usage but the three.
fn conventional(decision: &Decision<'_>) -> Vec<(Usage, Outcome)> {
    let usages = decision.usages.iter();
    let usages = usages.filter(|said| !Usage::PREFERENCES.contains(&said.usage));
    usages.map(|said| (said.usage, said.outcome)).collect()
}

/// Preference lines change no other usage, and no group (PREF-3). A client that asks for no
/// preferences gets an answer that does not depend on them at all (PREF-2).
#[test]
fn pref_3_preferences_never_change_another_usage() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let robots = &*drawn.robots;
        let asking = drawn.client(PreferenceProfile::default());
        let target = drawn.target();
        let with = Policy::compile(robots, &asking);
        let without = Policy::compile(without_preferences(robots), &asking);
        let (one, other) = (with.decide(&target), without.decide(&target));
        assert_eq!(conventional(&one), conventional(&other), "{robots:?}");
        assert_eq!(with.allows(&drawn.path), without.allows(&drawn.path));

        let token = ProductToken::new(drawn.agents[0]).unwrap();
        let plain = Policy::compile(robots, &Client::new(token));
        let decision = plain.decide(&target);
        assert!(decision.preferences.is_none());
        assert!(
            decision
                .usages
                .iter()
                .map(|said| said.usage)
                .eq(Usage::ACAP.iter().copied())
        );
    }
}

/// Each vocabulary alone is at most as strict as all of them together (PREF-6).
#[test]
fn pref_6_one_vocabulary_never_loosens_another() {
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let robots = &*drawn.robots;
        let target = drawn.target();
        let asked = |vocabularies| {
            let profile = PreferenceProfile {
                vocabularies,
                ..PreferenceProfile::default()
            };
            let policy = drawn.policy(profile);
            let decision = policy.decide(&target);
            outcomes(&decision)
        };
        let all = asked(None);
        // `tdmrep` is unknown to who names it, and silent to who does not (CLA-PREF-1).
        for &vocabulary in Vocabulary::ALL {
            if vocabulary != Vocabulary::Tdmrep {
                let one = asked(Some(vec![vocabulary]));
                assert!(
                    one.iter().zip(&all).all(|(one, all)| one <= all),
                    "{robots:?}"
                );
            }
        }
    }
}

/// A line that prohibits never makes a usage laxer, wherever it is added.
#[test]
fn pref_24_adding_a_prohibition_never_loosens_a_usage() {
    let lines = [
        "Content-Signal: search=no, ai-input=no, ai-train=no",
        "Content-Signal: use=immediate",
    ];
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let robots = &*drawn.robots;
        let target = drawn.target();
        let at = dice.below(robots.split('\n').count() + 1);
        let mut more: Vec<&str> = robots.split('\n').collect();
        more.insert(at, dice.pick(&lines));
        let more = more.join("\n");
        // Lines without a path never decide against a longer one, so they only restrict.
        let decide = |robots: &str| {
            let client = drawn.client(only(Vocabulary::ContentSignal));
            let policy = Policy::compile(robots, &client);
            let decision = policy.decide(&target);
            outcomes(&decision)
        };
        let (before, after) = (decide(robots), decide(&more));
        assert!(
            before
                .iter()
                .zip(after)
                .all(|(before, after)| *before <= after),
            "{robots:?} and {more:?}"
        );
    }
}

/// A response field that prohibits never makes a usage laxer.
#[test]
fn pref_41_adding_a_field_that_prohibits_never_loosens_a_usage() {
    let added = [
        ("Content-Signal", "search=no, ai-input=no, ai-train=no"),
        ("tdm-reservation", "1"),
        ("X-Robots-Tag", "noml"),
    ];
    for seed in 0..cases() {
        let mut dice = Dice::new(seed);
        let drawn = Drawn::new(&mut dice);
        let robots = &*drawn.robots;
        let mut lines: Vec<(&str, String)> = Vec::new();
        lines.extend(
            files::usage_fields(&mut dice)
                .into_iter()
                .map(|line| ("Content-Usage", line)),
        );
        lines.extend(
            files::signal_fields(&mut dice)
                .into_iter()
                .map(|line| ("Content-Signal", line)),
        );
        let policy = drawn.policy(PreferenceProfile::default());
        let decide = |lines: &[(&str, String)]| {
            let response = fields(lines);
            let target = drawn.target().with_response(&response);
            let decision = policy.decide(&target);
            outcomes(&decision)
        };
        let before = decide(&lines);
        let (name, value) = dice.pick(&added);
        lines.push((name, value.to_owned()));
        let after = decide(&lines);
        assert!(
            before
                .iter()
                .zip(after)
                .all(|(before, after)| *before <= after),
            "{robots:?} {lines:?}"
        );
    }
}

/// What people read says that a site asks, and never that something is forbidden (PREF-9).
#[test]
fn pref_9_a_preference_is_a_request() {
    const ROBOTS: &str = "License: https://l.example/a.xml\nUser-agent: *\n\
        Content-Usage: train-ai=n, search=y\nContent-Usage: /a ai-use=n,\n\
        Content-Signal: ai-train=yes, use=reference\nDisallow: /b\n\
        User-agent: Google-Extended\nDisallow: /\n";
    for (path, word) in [
        ("/", "forbid"),
        ("/a", "block"),
        ("/b", "denied"),
        ("/", "illegal"),
    ] {
        let told = told(ROBOTS, path);
        assert!(!told.contains(word), "{told}");
    }
}

/// The words for the three usages are training, AI input and search (CLA-PREF-3).
#[test]
fn cla_pref_3_conditions_in_words() {
    let told = told("User-agent: *\nContent-Signal: use=reference\n", "/");
    for words in ["used for training", "used as AI input", "used for search"] {
        assert!(told.contains(words), "{told}");
    }
}

/// The explanation of a decision for people.
fn told(robots: &str, path: &str) -> String {
    let policy = Policy::compile(robots, &client(&["f"], &[], PreferenceProfile::default()));
    let decision = policy.decide(&Target::new(path).unwrap());
    abide::explain::text(&policy, &decision, abide::explain::Layout::default())
}

/// Sources are places and texts: nobody is said to own a statement, and files other than those of
/// the vocabularies are not read (PREF-10).
#[test]
fn pref_10_evidence_names_no_owner() {
    let schema = include_str!("../../../../schema/decision.json");
    for word in ["\"owner\"", "\"rightsholder\"", "\"author\""] {
        assert!(!schema.contains(word), "{word}");
    }
}

/// Metadata inside of EPUB and PDF files is no source (PREF-83).
#[test]
fn pref_83_no_source_is_inside_of_another_format() {
    let schema = include_str!("../../../../schema/decision.json");
    for word in ["\"epub", "\"pdf", "\"xmp"] {
        assert!(!schema.contains(word), "{word}");
    }
}

/// While robots.txt is out of reach, only what its last known copy prohibits stays (CLA-PREF-15).
#[test]
fn cla_pref_15_a_last_known_copy_only_prohibits() {
    let asking = client(&["f"], &[], PreferenceProfile::default());
    let access = abide::rep::Access::from_status(503);
    let policy = Policy::without_rules(access, &asking)
        .with_last_known("User-agent: *\nContent-Signal: ai-train=no, search=yes, use=full\n");
    let decision = policy.decide(&Target::new("https://e.example/x").unwrap());
    let expected = [Outcome::Prohibited, Outcome::Unknown, Outcome::Unknown];
    assert_eq!(outcomes(&decision), expected);
}
