//! Properties of real files, if there are any: `ABIDE_CORPUS` names a folder of robots.txt files.

use crate::odd::TOKENS;
use abide::tag::Response;
use abide::{Client, Policy, ProductToken, Target};
use abide_analysis::expectation::{Cases, make, run};
use abide_analysis::view::{FileView, Tally, sentences};
use abide_contract::explain::Explanation;
use abide_testkit::corpus::files;

#[test]
fn corpus_is_explained_and_passes_its_own_cases() {
    let files = files();
    let mut tested = 0;
    for (name, bytes) in &files {
        let made = make(bytes, "robots.txt");
        let cases = Cases::read(&made).unwrap_or_else(|error| panic!("{name}: {error}"));
        let checks = run(&cases, bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let failed = checks.iter().find(|check| !check.passed);
        assert!(failed.is_none(), "{name}: {failed:?}");
        tested += checks.len();
        for name in ["Googlebot", "GPTBot", TOKENS[0]] {
            explain(bytes, name, &cases);
        }
    }
    println!(
        "{} real files explained, {tested} cases made and passed",
        files.len()
    );
}

fn explain(bytes: &[u8], name: &str, cases: &Cases) {
    let policy = Policy::compile(bytes, &Client::new(ProductToken::new(name).unwrap()));
    let reading = FileView::of(&policy);
    let response = Response::default();
    let mut tally = Tally::new(&reading);
    let urls = cases.cases.iter().flat_map(|case| &case.urls).take(50);
    let targets = urls.map(|url| Target::new(url).unwrap());
    let pages: Vec<_> = targets.map(|target| reading.page(&target)).collect();
    for page in &pages {
        tally.add(page);
        let told = sentences::page(page);
        assert!(!told.is_empty() && !told.contains('\n'));
    }
    let told = sentences::file(&reading);
    assert!(!told.is_empty() && !told.contains('\n'));
    let json = Explanation::new("f", &reading, &response)
        .with_pages(&reading, &pages)
        .with_tally(&tally);
    assert!(abide_contract::text::pretty(&json).len() > 2);
}
