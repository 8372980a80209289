//! Properties of real files, if there are any: `ABIDE_CORPUS` names a folder of robots.txt files.

use crate::format::decisions;
use crate::generate::urls;
use abide::{Limits, Profile, Robots, Severity};
use abide_known_robots::Robot;
use abide_lint::finding::Safety;
use abide_lint::format::{self, FormatError};
use abide_lint::{Context, Linter};
use abide_testkit::corpus::files;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

#[test]
fn corpus_layout_keeps_every_real_file_meaning_what_it_meant() {
    let (mut refused, mut slowest) = (BTreeMap::new(), (Duration::ZERO, String::new(), 0));
    let mut largest = (0, Duration::ZERO, String::new());
    let (mut laid, mut changed, mut pages, mut decided) = (0, 0, 0, 0);
    for (name, bytes) in files() {
        let begin = Instant::now();
        let formatted = format::format(&bytes);
        let spent = begin.elapsed();
        slowest = slowest.max((spent, name.clone(), bytes.len()));
        if formatted.is_ok() {
            largest = largest.max((bytes.len(), spent, name.clone()));
        }
        let formatted = match formatted {
            Ok(formatted) => formatted,
            Err(error @ (FormatError::Utf16 | FormatError::TooLong { .. })) => {
                *refused.entry(error.to_string()).or_insert(0) += 1;
                continue;
            }
            Err(error) => panic!("{name}: {error}"),
        };
        laid += 1;
        changed += usize::from(formatted.as_bytes() != bytes);
        pages += usize::from(!formatted.is_robots_txt());
        assert_eq!(
            format::format(formatted.as_bytes()).as_ref(),
            Ok(&formatted),
            "{name}"
        );
        let urls = urls(&bytes, 200);
        let (before, after) = (
            decisions(&bytes, &urls, 40),
            decisions(formatted.as_bytes(), &urls, 40),
        );
        assert!(before == after, "{name} decides otherwise");
        decided += before.len();
    }
    println!(
        "{laid} laid out, {changed} of them changed, {pages} no robots.txt, {decided} decisions alike"
    );
    println!("refused: {refused:?}; slowest: {slowest:?}; largest: {largest:?}");
}

#[test]
fn corpus_lint_counts_what_is_frequent() {
    let files = files();
    let (linter, context) = (Linter::new(), Context::default());
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let began = std::time::Instant::now();
    let (mut failing, mut alone) = (0, BTreeMap::<&str, usize>::new());
    let mut together = Vec::new();
    for (name, bytes) in &files {
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        let mut fails: BTreeSet<&str> = BTreeSet::new();
        for finding in linter.robots_txt(bytes, &context) {
            *here.entry(finding.rule.code()).or_default() += 1;
            if finding.severity() > Severity::Info {
                fails.insert(finding.rule.code());
            }
        }
        failing += usize::from(!fails.is_empty());
        for code in fails {
            *alone.entry(code).or_default() += 1;
        }
        if here.contains_key("groups-run-together") {
            together.push(name.as_str());
        }
        for (code, found) in here {
            let count = counts.entry(code).or_default();
            *count = (count.0 + 1, count.1 + found);
        }
    }
    println!("{} files linted in {:?}", files.len(), began.elapsed());
    println!("{failing} files fail with the defaults: {alone:?}");
    println!(
        "groups run together in {}: {}",
        together.len(),
        together.join(", ")
    );
    // A linter that fails on every third file is switched off. A web page in the place of a
    // robots.txt is not a file that its owner would keep.
    let pages = counts.get("html-page").map_or(0, |(files, _)| *files);
    let (failing, files) = (failing - pages, files.len() - pages);
    assert!(failing * 10 <= files, "{failing} of {files} files fail");
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(code, (files, _))| (std::cmp::Reverse(*files), *code));
    println!("| code | files | findings |\n|---|---:|---:|");
    for (code, (files, found)) in counts {
        println!("| {code} | {files} | {found} |");
    }
}

/// The answers for every known robot in both profiles.
fn answers_of_known_robots(bytes: &[u8], urls: &[String]) -> Vec<bool> {
    let mut answers = Vec::new();
    for profile in [Profile::Careful, Profile::Google] {
        let file = Robots::parse_as(bytes, profile, Limits::default());
        for known in abide_known_robots::all() {
            let robot = Robot::known(known);
            let policy = robot.policy(profile, |client| file.policy(client)).unwrap();
            answers.extend(urls.iter().map(|url| policy.allows(url)));
        }
    }
    answers
}

/// Safe fixes change no answer in either profile, and leave no finding that has a safe fix.
#[test]
fn corpus_safe_fixes_change_no_answer() {
    let (linter, context) = (Linter::new(), Context::default());
    let (mut fixed_findings, mut fixed_files) = (0, 0);
    for (name, bytes) in files() {
        let fixed = linter.fixed(&bytes, &context, Safety::Safe);
        if fixed.bytes == bytes {
            continue;
        }
        fixed_files += 1;
        fixed_findings += fixed.fixed;
        let again = linter.fixed(&fixed.bytes, &context, Safety::Safe);
        assert_eq!(again.bytes, fixed.bytes, "{name}: fixes are not done");
        let urls = urls(&bytes, 200);
        let (before, after) = (
            decisions(&bytes, &urls, 40),
            decisions(&fixed.bytes, &urls, 40),
        );
        assert!(before == after, "{name} decides otherwise");
        let urls = urls.get(..50).unwrap_or(&urls);
        let (before, after) = (
            answers_of_known_robots(&bytes, urls),
            answers_of_known_robots(&fixed.bytes, urls),
        );
        assert!(
            before == after,
            "{name} decides otherwise for a known robot"
        );
    }
    println!("{fixed_findings} fixed safely, in {fixed_files} files");
}
