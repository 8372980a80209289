//! A conversion of preferences that succeeds preserves every answer; what cannot be said is
//! refused.

use abide::preference::{
    Documents, PreferenceProfile, Revision, TdmrepState, Vocabulary, tdmrep::TdmrepFile,
    tdmrep::TdmrepRule,
};
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use abide_analysis::convert::{Conversion, to_content_signal, to_content_usage, to_tdmrep};
use proptest::prelude::*;
use proptest::sample::select;

fn latest() -> &'static Revision {
    PreferenceProfile::default().revision
}

/// The codes of the refusals.
fn refusals(converted: &Conversion) -> Vec<&'static str> {
    let refusals = converted
        .findings()
        .iter()
        .filter(|finding| finding.refuses);
    refusals.map(|finding| finding.loss.name()).collect()
}

fn policy(file: &str, agent: &str, vocabularies: &[Vocabulary]) -> Policy {
    let client = Client::new(ProductToken::new(agent).unwrap());
    let client = client.with_preferences(PreferenceProfile {
        vocabularies: Some(vocabularies.to_vec()),
        ..PreferenceProfile::default()
    });
    Policy::compile(file.as_bytes(), &client)
}

fn outcomes(policy: &Policy, path: &str, documents: &Documents) -> Vec<Outcome> {
    let url = format!("https://e.example{path}");
    let target = Target::new(&url).unwrap().with_documents(documents);
    let decision = policy.decide(&target);
    let usages = Usage::PREFERENCES.iter();
    usages.map(|usage| decision.outcome(*usage)).collect()
}

/// All paths of up to four pieces.
fn paths() -> Vec<String> {
    let mut all = vec![String::from("/")];
    let mut longest = all.clone();
    for _ in 0..4 {
        let longer = |path: &String| ["a", "b", "/", ".p"].map(|piece| format!("{path}{piece}"));
        longest = longest.iter().flat_map(longer).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

fn file(key: &'static str, statements: &'static [&'static str]) -> impl Strategy<Value = String> {
    let path = select(
        &[
            "", "/ ", "/a ", "/a/ ", "/a/b ", "/*.p ", "/b$ ", "/*b ", "/a* ",
        ][..],
    );
    let line =
        (path, select(statements)).prop_map(move |(path, said)| format!("{key}: {path}{said}\n"));
    let agent = select(&["User-agent: f\nAllow:\n", "User-agent: *\nAllow:\n"][..]);
    let lines = prop::collection::vec(
        prop_oneof![8 => line, 1 => agent.prop_map(str::to_owned)],
        1..6,
    );
    lines.prop_map(|lines| format!("User-agent: *\n{}", lines.concat()))
}

/// Checks the answers of both sides on every short path; returns whether there is a result.
fn agrees(file: &str, converted: &Conversion, from: &[Vocabulary], to: Vocabulary) -> bool {
    let Some(text) = converted.text() else {
        return false;
    };
    let (new, documents) = match to {
        Vocabulary::Tdmrep => (file, Documents::default().with_tdmrep(tdmrep(text))),
        _ => (text, Documents::default()),
    };
    for agent in ["f", "nobody"] {
        let (old, new) = (policy(file, agent, from), policy(new, agent, &[to]));
        for path in paths() {
            let before = outcomes(&old, &path, &Documents::default());
            let after = outcomes(&new, &path, &documents);
            assert_eq!(before, after, "{agent} {path}\n{file}---\n{text}");
        }
    }
    true
}

fn tdmrep(json: &str) -> TdmrepState {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let rules = json.as_array().unwrap().iter().map(|rule| {
        let mut read = TdmrepRule::default();
        read.location = rule["location"].as_str().map(str::to_owned);
        read.reservation = rule["tdm-reservation"].as_u64().map(|value| value == 1);
        Some(read)
    });
    TdmrepState::File(TdmrepFile::new(rules.collect()).into())
}

#[test]
fn results_say_on_every_path_what_the_source_says() {
    use Vocabulary::{ContentSignal, ContentUsage, Tdmrep};
    const USAGE: &[&str] = &[
        "train-ai=n",
        "train-ai=n, search=y",
        "train-ai=y, search=y",
        "ai-use=n, train-ai=n",
    ];
    const BOTH: &[&str] = &["train-ai=n, ai-use=n", "train-ai=y, ai-use=y"];
    const SIGNAL: &[&str] = &[
        "ai-train=no",
        "search=yes",
        "ai-train=yes, search=no",
        "ai-input=no",
    ];
    let (mut made, mut refused) = (0, 0);
    let mut count = |is_made: bool| if is_made { made += 1 } else { refused += 1 };
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..300 {
        let mut next = |key, statements| {
            let tree = file(key, statements).new_tree(&mut runner).unwrap();
            proptest::strategy::ValueTree::current(&tree)
        };
        let usage = next("Content-Usage", USAGE);
        let converted = to_content_signal(usage.as_bytes(), latest());
        count(agrees(&usage, &converted, &[ContentUsage], ContentSignal));
        let signal = next("Content-Signal", SIGNAL);
        let converted = to_content_usage(signal.as_bytes(), latest());
        count(agrees(&signal, &converted, &[ContentSignal], ContentUsage));
        let both = next("Content-Usage", BOTH);
        let converted = to_tdmrep(both.as_bytes(), latest());
        count(agrees(
            &both,
            &converted,
            &[ContentUsage, ContentSignal],
            Tdmrep,
        ));
    }
    println!("{made} made, {refused} refused");
    assert!(
        made > 100 && refused > 100,
        "{made} made, {refused} refused"
    );
}

#[test]
fn what_the_other_vocabulary_cannot_say_is_refused() {
    let group = |lines: &str| format!("User-agent: *\n{lines}\n");
    let older = Revision::named("07").unwrap();
    let signal = |lines: &str| refusals(&to_content_usage(group(lines).as_bytes(), latest()));
    assert_eq!(
        signal("Content-Signal: ai-train=no, use=full"),
        ["convert-use"]
    );
    assert_eq!(signal("Content-Signal: ai-train=n"), ["convert-value"]);
    assert_eq!(
        signal("Content-Signal: ai-train=no\nContent-Usage: search=y"),
        ["convert-present"]
    );
    assert_eq!(
        signal("Content-Signal: /*.p ai-train=no\nContent-Signal: /blog/ search=yes"),
        ["convert-path"]
    );
    assert_eq!(signal("Disallow: /"), ["convert-nothing"]);
    let usage = |lines: &str| refusals(&to_content_signal(group(lines).as_bytes(), latest()));
    assert_eq!(
        usage("Content-Usage: train-ai=n\nContent-Usage: /s/ search=y"),
        ["convert-path"]
    );
    assert_eq!(usage("Content-Usage: train-ai=n,"), ["convert-malformed"]);
    assert_eq!(usage("Content-Usage: train-ai=no"), ["convert-value"]);
    let old_words = to_content_signal(group("Content-Usage: ai-use=n").as_bytes(), older);
    assert_eq!(refusals(&old_words), ["convert-word"]);
    let old_words = to_content_usage(group("Content-Signal: ai-input=no").as_bytes(), older);
    assert_eq!(refusals(&old_words), ["convert-word"]);
    let reserved = |lines: &str| refusals(&to_tdmrep(group(lines).as_bytes(), latest()));
    assert_eq!(reserved("Content-Usage: train-ai=n"), ["convert-word"]);
    assert_eq!(reserved("Content-Usage: search=y"), ["convert-nothing"]);
    assert_eq!(
        reserved("Content-Usage: train-ai=n, ai-use=n\nContent-Usage: /s/ search=y"),
        ["convert-path"]
    );
    let other = "Content-Usage: train-ai=n, ai-use=n\nAllow:\nUser-agent: f\nDisallow: /x";
    assert_eq!(reserved(other), ["convert-robots"]);
}

/// A `tdmrep.json` has no word for search, which stays in robots.txt: the recipe of
/// docs/preferences.md converts.
#[test]
fn search_stays_in_robots_txt_beside_a_tdmrep_json() {
    let file = b"User-agent: *\nContent-Usage: search=y, ai-use=n, train-ai=n\n\
        Content-Signal: search=yes, ai-input=no, ai-train=no\nAllow: /\n\n\
        User-agent: Google-Extended\nUser-agent: Applebot-Extended\nDisallow: /\n";
    let converted = to_tdmrep(file, latest());
    let expected = "[\n  {\"location\": \"/\", \"tdm-reservation\": 1}\n]\n";
    assert_eq!(converted.text(), Some(expected));
    let told: Vec<_> = converted
        .findings()
        .iter()
        .map(|found| found.loss.name())
        .collect();
    assert!(told.contains(&"convert-word"), "{told:?}");
}

/// A legal notice in comments, another encoding of line ends and a last line without one stay.
#[test]
fn everything_else_stays_byte_for_byte() {
    let file = "\u{FEFF}# ANY RESTRICTIONS ARE EXPRESS RESERVATIONS\r\n#  of rights\r\nUser-Agent: *\r\n\
        Content-signal:search=yes,ai-train=no # see above\r\nAllow: /";
    let converted = to_content_usage(file.as_bytes(), latest());
    let text = converted.text().unwrap();
    let added = "Content-Usage: train-ai=n, search=y\r\n";
    assert!(text.contains(added));
    assert_eq!(text.replace(added, ""), file);
}
