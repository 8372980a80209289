//! Comparisons in the google profile agree with brute force: every short path, decided by both
//! files.

use crate::compare::{Beside, pair};
use abide::{Limits, Policy, Profile, Robots};
use abide_analysis::Bound;
use abide_analysis::compare;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;

/// The elements of paths, as URLs write them.
const UNITS: [&str; 12] = [
    "/",
    "a",
    "B",
    "?",
    ":",
    "%",
    "%3a",
    "%3A",
    "%41",
    "*",
    "$",
    "/index.html",
];

fn paths() -> Vec<String> {
    let mut longest = vec!["/".to_owned()];
    let mut all = longest.clone();
    for _ in 0..3 {
        let longer = longest
            .iter()
            .flat_map(|path| UNITS.iter().map(move |unit| format!("{path}{unit}")));
        longest = longer.collect();
        all.extend(longest.iter().cloned());
    }
    all.push("/robots.txt".to_owned());
    all
}

fn parsed(text: &str) -> Robots {
    Robots::parse_as(text.as_bytes(), Profile::Google, Limits::GOOGLE)
}

fn allows(policy: &Policy, path: &str) -> bool {
    policy.allows(&format!("https://example.com{path}"))
}

/// Checks one pair of files; returns whether a difference was found for any client.
fn agrees(old: &str, new: &str, paths: &[String]) -> bool {
    let (old_file, new_file) = (parsed(old), parsed(new));
    let mut any = false;
    for client in compare::clients(&old_file, &new_file) {
        let client = client.client;
        let comparison = compare::policies(&old_file, &new_file, &client, Bound::default());
        assert!(comparison.is_complete);
        let (before, after) = (old_file.policy(&client), new_file.policy(&client));
        let told = || format!("{client:?}\n--- old\n{old}\n--- new\n{new}");
        for region in &comparison.regions {
            let witness = &region.witness;
            let differs = allows(&before, witness) != allows(&after, witness);
            assert!(differs, "{witness}: {}", told());
        }
        let differing = paths
            .iter()
            .find(|path| allows(&before, path) != allows(&after, path));
        if let Some(path) = differing {
            assert!(!comparison.regions.is_empty(), "{path}: {}", told());
        }
        any |= !comparison.regions.is_empty();
    }
    any
}

#[test]
fn comparisons_in_the_google_profile_agree_with_brute_force() {
    let paths = paths();
    let config = Config {
        cases: 600,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let differing = Cell::new(0);
    runner
        .run(&pair(Beside::Nothing), |(old, new)| {
            differing.set(differing.get() + u32::from(agrees(&old, &new, &paths)));
            Ok(())
        })
        .unwrap();
    assert!(differing.get() > 100, "{}", differing.get());
}

/// `Allow: …/index.html` also allows the folder, but only for google/robotstxt.
#[test]
fn index_pages_open_their_folder() {
    let old = "User-agent: *\nDisallow: /a/\nAllow: /a/index.html\n";
    let new = "User-agent: *\nDisallow: /a/\n";
    assert!(agrees(old, new, &paths()));
    let client = abide::Client::unnamed();
    let comparison = compare::policies(&parsed(old), &parsed(new), &client, Bound::default());
    let mut found: Vec<_> = comparison
        .regions
        .iter()
        .map(|region| region.witness.as_str())
        .collect();
    found.sort_unstable();
    assert_eq!(found, ["/a/"]);
}
