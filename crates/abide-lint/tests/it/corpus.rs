//! Real files, where they are: `ABIDE_CORPUS` names their folder.

use abide::{Client, Policy, ProductToken};
use abide_lint::{Context, Linter, Safety};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The files, by name.
fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let folder = PathBuf::from(std::env::var_os("ABIDE_CORPUS")?);
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    Some(files)
}

#[test]
fn every_file_is_linted_and_what_is_frequent_is_counted() {
    let Some(files) = files() else {
        println!("ABIDE_CORPUS is not set: no real files to lint");
        return;
    };
    let (linter, context) = (Linter::new(), Context::default());
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let began = std::time::Instant::now();
    for (_, octets) in &files {
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        for finding in linter.robots_txt(octets, &context) {
            *here.entry(finding.rule.code()).or_default() += 1;
        }
        for (code, found) in here {
            let count = counts.entry(code).or_default();
            *count = (count.0 + 1, count.1 + found);
        }
    }
    println!("{} files linted in {:?}", files.len(), began.elapsed());
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(code, (files, _))| (std::cmp::Reverse(*files), *code));
    println!("| code | files | findings |\n|---|---:|---:|");
    for (code, (files, found)) in counts {
        println!("| {code} | {files} | {found} |");
    }
}

/// Safe fixes change no answer, for the robots that a file names and for one that it does not.
#[test]
fn safe_fixes_change_no_answer() {
    let Some(files) = files() else {
        println!("ABIDE_CORPUS is not set: no real files to mend");
        return;
    };
    let (linter, context) = (Linter::new(), Context::default());
    for (name, octets) in &files {
        let fixed = linter.fixed(octets, &context, Safety::Safe);
        let again = linter.fixed(&fixed.octets, &context, Safety::Safe);
        assert_eq!(again.octets, fixed.octets, "{name}: fixes are not done");
        let robots = abide::Robots::parse(octets);
        let paths = paths(&robots);
        for agent in agents(&robots) {
            let client = Client::new(ProductToken::new(&agent).unwrap());
            let (before, after) = (
                Policy::compile(octets, &client),
                Policy::compile(&fixed.octets, &client),
            );
            for path in &paths {
                assert_eq!(
                    before.allows(path),
                    after.allows(path),
                    "{name}: {agent} {path}"
                );
            }
        }
    }
}

fn agents(robots: &abide::Robots) -> Vec<String> {
    let named = robots
        .lines()
        .iter()
        .filter_map(|line| match robots.addressee(line)? {
            abide::policy::Addressee::Token(token) => Some(token.to_owned()),
            _ => None,
        });
    let mut agents: Vec<String> = named.collect();
    agents.sort();
    agents.dedup();
    agents.truncate(10);
    agents.push("nobody-in-particular".to_owned());
    agents
}

/// Up to 200 paths that the file's patterns match, or nearly match.
fn paths(robots: &abide::Robots) -> Vec<String> {
    let rules = robots.lines().iter().filter_map(|line| robots.rule(line));
    let mut paths: Vec<String> = rules
        .flat_map(|rule| {
            let text = String::from_utf8_lossy(rule.value).into_owned();
            let text = text.strip_suffix('$').unwrap_or(&text);
            let path = format!("/{}", text.replace('*', "x").trim_start_matches('/'));
            [format!("{path}y"), path]
        })
        .collect();
    paths.dedup();
    let step = paths.len() / 200 + 1;
    paths.into_iter().step_by(step).collect()
}
