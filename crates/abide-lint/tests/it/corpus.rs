//! Real files; `ABIDE_CORPUS` names a folder of them.

use crate::generate::TOKENS;
use abide::tag::Response;
use abide::{Client, Policy, ProductToken, Target};
use abide_lint::expectation::{Cases, make, run};
use abide_lint::reading::json::ReadingJson;
use abide_lint::reading::{Reading, Tally, words};
use std::fs;

#[test]
fn every_file_of_the_corpus_is_explained_and_passes_its_own_cases() {
    let Some(folder) = std::env::var_os("ABIDE_CORPUS") else {
        println!("ABIDE_CORPUS is not set: no real files are tried");
        return;
    };
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut tested = 0;
    for file in &files {
        let octets = fs::read(file).unwrap();
        let made = make(&octets, "robots.txt");
        let cases =
            Cases::read(&made).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let checks = run(&cases, &octets);
        let failed = checks.iter().find(|check| !check.passed());
        assert!(failed.is_none(), "{}: {failed:?}", file.display());
        tested += checks.len();
        for name in ["Googlebot", "GPTBot", TOKENS[0]] {
            explain(&octets, name, &cases);
        }
    }
    println!(
        "{} real files explained, {tested} cases made and passed",
        files.len()
    );
}

fn explain(octets: &[u8], name: &str, cases: &Cases) {
    let policy = Policy::compile(octets, &Client::new(ProductToken::new(name).unwrap()));
    let reading = Reading::of(&policy);
    let response = Response::default();
    let mut tally = Tally::default();
    let urls = cases.cases.iter().flat_map(|case| &case.urls).take(50);
    let targets = urls.map(|url| Target::new(url).unwrap());
    let pages: Vec<_> = targets.map(|target| reading.page(&target)).collect();
    for page in &pages {
        tally.add(page);
        let told = words::page(page);
        assert!(!told.is_empty() && !told.contains('\n'));
    }
    let told = words::file(&reading);
    assert!(!told.is_empty() && !told.contains('\n'));
    let json = ReadingJson::new(&reading, &response)
        .pages(&pages)
        .tally(&reading, &tally);
    assert!(json.to_pretty().len() > 2);
}
