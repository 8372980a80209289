//! Comparisons agree with brute force: every short path, decided by both files.

use abide::preference::{ControlToken, PreferenceProfile, Vocabulary};
use abide::syntax::{Inspect, PathPattern, normal};
use abide::verdict::{Reason, Role};
use abide::{Decision, Policy, ProductToken, Robots, Target, Usage};
use abide_analysis::Bound;
use abide_analysis::ShortAnswer;
use abide_analysis::compare::{self, Comparison, NamedClient};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeMap;

/// The elements of paths: some that patterns can distinguish, and some that they cannot.
const UNITS: [&str; 10] = ["/", "a", "B", "?", ":", "%", "%3a", "4", "*", "$"];

/// All paths of up to `most` units after the first slash, in form C1, without duplicates, shortest
/// first.
fn paths(units: &[&str], most: usize) -> Vec<String> {
    let mut longest = vec![String::from("/")];
    let mut all = longest.clone();
    for _ in 0..most {
        let longer = longest
            .iter()
            .flat_map(|path| units.iter().map(move |unit| format!("{path}{unit}")));
        longest = longer.collect();
        all.extend(longest.iter().cloned());
    }
    let canonical =
        |path: &String| String::from_utf8(normal::target(path.as_bytes()).c1.into_owned()).unwrap();
    let mut all: Vec<String> = all.iter().map(canonical).collect();
    all.push("/robots.txt".into());
    all.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    all.dedup();
    all
}

/// The answer about a usage as text: outcome, conditions, deciding line.
fn said(decision: &abide::UsageDecision<'_>) -> String {
    let is_preference = Usage::PREFERENCES.contains(&decision.usage);
    let mut evidence = decision.evidence.iter();
    let line = evidence
        .find(|one| !is_preference || one.role == Role::Decided)
        .map(|one| (one.source, one.place.map(|place| place.line)));
    format!("{:?} {:?} {line:?}", decision.outcome, decision.conditions)
}

/// The changes for one path.
pub(crate) fn changes(old: &Policy, new: &Policy, path: &str) -> Vec<String> {
    let target = Target::new(path).unwrap();
    let (old, new) = (old.decide(&target), new.decide(&target));
    let mut changes = Vec::new();
    for (old, new) in old.usages.iter().zip(&new.usages) {
        if (old.outcome, &old.conditions) != (new.outcome, &new.conditions) {
            changes.push(format!("{}: {} -> {}", old.usage, said(old), said(new)));
        }
    }
    changes.extend(hidden_changes(&old, &new));
    for (old, new) in old.applications.iter().zip(&new.applications) {
        if old.directives != new.directives {
            let lines = |rules: &[abide::app::DirectiveRule]| {
                let applies = rules.iter().filter(|rule| rule.applies);
                applies.map(|rule| rule.place.line).collect::<Vec<_>>()
            };
            changes.push(format!(
                "{}: {:?} -> {:?}",
                old.id,
                lines(&old.rules),
                lines(&new.rules)
            ));
        }
    }
    changes
}

/// What single vocabularies say otherwise while the outcome stays.
fn hidden_changes(old: &Decision<'_>, new: &Decision<'_>) -> Vec<String> {
    let (Some(of_old), Some(of_new)) = (&old.preferences, &new.preferences) else {
        return Vec::new();
    };
    if old.usages.crawl().outcome != new.usages.crawl().outcome {
        return Vec::new();
    }
    let mut changes = Vec::new();
    for (one, other) in of_old.vocabularies.iter().zip(&of_new.vocabularies) {
        for (usage, own_old) in one.outcomes() {
            let own_new = other.outcome(usage);
            let whole = |decision: &Decision<'_>| {
                let said = decision.usage(usage).unwrap();
                (said.outcome, said.conditions.clone())
            };
            let vocabulary = one.vocabulary;
            if vocabulary != Vocabulary::Rsl && own_old != own_new && whole(old) == whole(new) {
                changes.push(format!("{vocabulary} {usage}: {own_old:?} -> {own_new:?}"));
            }
        }
    }
    changes
}

/// Compares, confirms every witness, and returns the witness of every change.
pub(crate) fn compared(
    old: &Robots,
    new: &Robots,
    client: &NamedClient,
) -> (Comparison, BTreeMap<String, String>) {
    let comparison = compare::policies(old, new, &client.client, Bound::default());
    let (old, new) = (old.policy(&client.client), new.policy(&client.client));
    let mut found = BTreeMap::new();
    for region in &comparison.regions {
        let shown = |answer: &ShortAnswer| {
            let by = answer.decided_by.as_ref();
            let by = by.filter(|by| by.reason != Reason::CrawlProhibited);
            let line = by.map(|by| (by.source, by.line));
            format!("{:?} {:?} {line:?}", answer.outcome, answer.conditions)
        };
        let change = format!(
            "{}: {} -> {}",
            region.usage,
            shown(&region.old),
            shown(&region.new)
        );
        assert!(
            changes(&old, &new, &region.witness).contains(&change),
            "{region:?}"
        );
        assert!(found.insert(change, region.witness.clone()).is_none());
    }
    for change in comparison
        .vocabularies
        .iter()
        .filter(|one| one.old != one.new)
    {
        let compare::VocabularyChange {
            vocabulary,
            usage,
            old: own_old,
            new: own_new,
            ..
        } = change;
        let told = format!("{vocabulary} {usage}: {own_old:?} -> {own_new:?}");
        assert!(
            changes(&old, &new, &change.witness).contains(&told),
            "{change:?}"
        );
        assert!(found.insert(told, change.witness.clone()).is_none());
    }
    for region in &comparison.directives {
        let change = format!(
            "{}: {:?} -> {:?}",
            region.application, region.old.lines, region.new.lines
        );
        assert!(
            changes(&old, &new, &region.witness).contains(&change),
            "{region:?}"
        );
        assert!(found.insert(change, region.witness.clone()).is_none());
    }
    (comparison, found)
}

/// Checks that the comparison has every change that brute force finds, with a witness that is no
/// longer; returns their number.
fn agrees(old: &str, new: &str, paths: &[String]) -> usize {
    let (old_file, new_file) = (Robots::parse(old.as_bytes()), Robots::parse(new.as_bytes()));
    let mut count = 0;
    // The robot "a" has the control token "b", so that named and unnamed groups decide about it.
    let clients = compare::clients(&old_file, &new_file)
        .into_iter()
        .map(|mut one| {
            if one.client.preferences().is_some() && one.agent.as_deref() == Some("a") {
                one.client = one.client.with_preferences(PreferenceProfile {
                    control_tokens: vec![ControlToken {
                        token: ProductToken::new("b").unwrap(),
                        usages: vec![Usage::Train, Usage::AiInput],
                    }],
                    ..PreferenceProfile::default()
                });
            }
            one
        });
    for client in clients {
        let (comparison, found) = compared(&old_file, &new_file, &client);
        let told = || format!("{client:?}\n--- old\n{old}\n--- new\n{new}\n--- found {found:?}");
        assert!(comparison.is_complete, "{}", told());
        let (old, new) = (
            old_file.policy(&client.client),
            new_file.policy(&client.client),
        );
        let only_crawl = Inspect::of(&old).acap_patterns().is_none()
            && Inspect::of(&new).acap_patterns().is_none()
            && client.client.applications().is_empty()
            && client.client.preferences().is_none();
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for path in paths {
            if only_crawl && old.allows(path) == new.allows(path) {
                continue;
            }
            for change in changes(&old, &new, path) {
                known.entry(change).or_insert(path);
            }
        }
        for (change, path) in &known {
            let witness = found.get(change);
            assert!(
                witness.is_some_and(|witness| witness.len() <= path.len()),
                "{change} at {path}, witness {witness:?}: {}",
                told()
            );
        }
        count += known.len();
    }
    count
}

fn pattern() -> impl Strategy<Value = String> {
    let unit = prop_oneof![
        6 => proptest::sample::select(&UNITS[..]),
        2 => Just("*"),
        1 => Just("%41"),
        1 => Just("%2f"),
        1 => Just("="),
    ];
    let units = proptest::collection::vec(unit, 0..4);
    let first = proptest::sample::select(&["/", "/", "/", "*", ""][..]);
    (first, units, proptest::bool::weighted(0.2)).prop_map(|(first, units, anchored)| {
        format!(
            "{first}{}{}",
            units.concat(),
            if anchored { "$" } else { "" }
        )
    })
}

/// What the lines of generated files are, beside rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beside {
    Nothing,
    Acap,
    Preferences,
}

/// A line with a preference, with or without a path.
fn preference() -> impl Strategy<Value = String> {
    const STATEMENTS: [&str; 14] = [
        "Content-Usage: train-ai=n",
        "Content-Usage: train-ai=y, search=n",
        "Content-Usage: search=y, ai-use=n",
        "Content-Usage: search",
        "Content-Usage: ,",
        "Content-Signal: ai-train=no",
        "Content-Signal: ai-train=yes, search=yes",
        "Content-Signal: ai-input=no, use=reference",
        "Content-Signal: use=immediate",
        "Content-Signal: use=full, search=no",
        "Content-Usage: train-ai=n, ai-use=n, search=n",
        "Content-Usage: train-ai=y, ai-use=y, search=y",
        "Content-Signal: ai-train=yes",
        "License: https://l.example/a",
    ];
    let statement = proptest::sample::select(&STATEMENTS[..]);
    (statement, pattern()).prop_map(|(statement, pattern)| {
        let (key, words) = statement.split_once(' ').unwrap();
        if pattern.starts_with('/') && !key.starts_with('L') {
            format!("{key} {pattern} {words}")
        } else {
            statement.to_owned()
        }
    })
}

fn line(beside: Beside) -> BoxedStrategy<String> {
    let key = proptest::sample::select(&["Allow", "Disallow", "Disallow"][..]);
    let rule = (key, pattern()).prop_map(|(key, pattern)| format!("{key}: {pattern}"));
    match beside {
        Beside::Nothing => return rule.boxed(),
        Beside::Preferences => return prop_oneof![3 => rule, 4 => preference()].boxed(),
        Beside::Acap => {}
    }
    let acap = proptest::sample::select(
        &[
            "ACAP-crawler: *",
            "ACAP-crawler: a",
            "ACAP-disallow-crawl: ",
            "ACAP-allow-crawl: ",
            "ACAP-disallow-index: ",
            "ACAP-allow-index: ",
            "ACAP-allow-present: ",
        ][..],
    );
    let acap =
        (acap, pattern(), proptest::bool::weighted(0.2)).prop_map(|(field, pattern, terms)| {
            match field.strip_suffix(' ') {
                Some(field) if terms && field.contains("allow-present") => {
                    format!("{field} {pattern} must-use-resource={pattern} max-length=5-chars")
                }
                Some(field) => format!("{field} {pattern}"),
                None => field.to_owned(),
            }
        });
    let item = proptest::sample::select(&["one;v=1", "one;v=2", "one;w, two;v=1", "two"][..]);
    let item = (pattern(), item).prop_map(|(pattern, item)| {
        let pattern = if pattern.starts_with('/') {
            pattern
        } else {
            String::new()
        };
        format!("App-Directives: {pattern} {item}")
    });
    prop_oneof![3 => rule, 3 => acap, 1 => item].boxed()
}

/// A file, and a copy with some lines changed.
pub(crate) fn pair(beside: Beside) -> impl Strategy<Value = (String, String)> {
    let starter = prop_oneof![
        4 => Just("User-agent: *".to_owned()),
        1 => Just("User-agent: a".to_owned()),
        1 => Just("User-agent: b\nUser-agent: *".to_owned()),
    ];
    let line = move || prop_oneof![12 => line(beside), 1 => Just("User-agent: a".to_owned()), 1 => Just("User-agent: b".to_owned())];
    let lines = proptest::collection::vec((line(), line(), 0_u8..6), 1..9);
    (starter, lines).prop_map(|(starter, lines)| {
        let (mut old, mut new) = (vec![starter.clone()], vec![starter]);
        for (first, second, kind) in lines {
            match kind {
                0 => old.push(first),
                1 => new.push(first),
                2 => {
                    old.push(first);
                    new.push(second);
                }
                3 => {
                    let flipped = if first.contains("Disallow") {
                        first.replace("Disallow", "Allow")
                    } else {
                        first.replace("llow", "x").replace("Ax", "Disallow")
                    };
                    old.push(first);
                    new.push(flipped);
                }
                _ => {
                    old.push(first.clone());
                    new.push(first);
                }
            }
        }
        (old.join("\n"), new.join("\n"))
    })
}

fn run(cases: u32, beside: Beside, paths: &[String]) -> usize {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let count = std::cell::Cell::new(0);
    runner
        .run(&pair(beside), |(old, new)| {
            count.set(count.get() + agrees(&old, &new, paths));
            Ok(())
        })
        .unwrap();
    count.get()
}

#[test]
fn comparisons_agree_with_brute_force_over_all_short_paths() {
    let count = run(1_000, Beside::Nothing, &paths(&UNITS[..8], 4));
    println!("{count} changes");
    assert!(count > 1_000);
}

#[test]
fn so_do_those_of_acap_records_and_directives() {
    let count = run(
        250,
        Beside::Acap,
        &paths(&["/", "a", "B", "x", "?", ":", "%3a"], 3),
    );
    println!("{count} changes");
    assert!(count > 250);
}

#[test]
fn so_do_those_of_training_ai_input_and_search() {
    let count = run(
        400,
        Beside::Preferences,
        &paths(&["/", "a", "B", "?", ":", "%3a"], 3),
    );
    println!("{count} changes");
    assert!(count > 1_000);
}

/// Checks the sentences that say of whole paths what becomes of them; returns how many there are.
fn summary_holds(old: &Robots, new: &Robots, client: &NamedClient, paths: &[String]) -> usize {
    let clients = [client.clone()];
    let differences = compare::files(old, new, &clients, Bound::default());
    let review = compare::Review::new(old, new, &differences, false, Bound::default());
    let policy = new.policy(&client.client);
    let mut count = 0;
    for sentence in std::iter::once(&review.headline).chain(&review.also) {
        let plain = sentence.to_string();
        let allows = match (
            plain.contains(" now disallowed for "),
            plain.contains(" now allowed for "),
        ) {
            (true, false) => false,
            (false, true) => true,
            _ => continue,
        };
        let is_whole = matches!(
            sentence.pieces().first(),
            Some(abide_analysis::words::Piece::Words(words)) if words.is_empty() || words == "URLs that match "
        );
        let quoted = sentence.pieces().iter().filter_map(|piece| match piece {
            abide_analysis::words::Piece::Quoted(text) => Some(text),
            _ => None,
        });
        for text in quoted.filter(|_| is_whole) {
            let pattern = PathPattern::read(text).unwrap();
            let matching = paths.iter().filter(|path| pattern.matches(path.as_bytes()));
            for path in matching.filter(|path| *path != "/robots.txt") {
                assert_eq!(policy.allows(path), allows, "{plain}: {path}");
            }
            count += 1;
        }
    }
    count
}

#[test]
fn summaries_name_whole_paths_only_if_all_of_them_change() {
    let paths = paths(&UNITS[..8], 3);
    let config = Config {
        cases: 600,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[8; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let count = std::cell::Cell::new(0);
    runner
        .run(&pair(Beside::Nothing), |(old, new)| {
            let (old, new) = (Robots::parse(old.as_bytes()), Robots::parse(new.as_bytes()));
            for client in compare::clients(&old, &new) {
                count.set(count.get() + summary_holds(&old, &new, &client, &paths));
            }
            Ok(())
        })
        .unwrap();
    println!("{} paths", count.get());
    assert!(count.get() > 100);
}
