//! The README's figures are those of the report in `docs/speed.md`, and it counts the goals that
//! the report says are missed.

use std::fs;
use std::path::Path;

/// A row of the README, and the rows of the report that it repeats, one for each parser.
const ROWS: [(&str, &str); 5] = [
    (
        "one decision from bytes, per file",
        "one decision from bytes, per file",
    ),
    ("compiling a file", "a file compiled, per file"),
    (
        "a decision with a compiled file",
        "`allows`, 200 files kept",
    ),
    (
        "a decision among 5,000 wildcard rules",
        "`allows`, 5,000 wildcard rules",
    ),
    ("bytes in memory per compiled file", "bytes a kept"),
];

/// The columns of the README.
const PARSERS: [&str; 3] = ["abide", "robotxt", "texting_robots"];

fn page(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(name)).unwrap()
}

/// The cells of each row of the tables in `text`.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter_map(|line| line.strip_prefix('|'));
    rows.map(|row| row.split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn the_readme_repeats_the_report() {
    let (readme, speed) = (page("README.md"), page("docs/speed.md"));
    let (readme, report) = (rows(&readme), rows(&speed));
    for (label, what) in ROWS {
        let own = readme.iter().find(|cells| cells[0] == label).unwrap();
        for (at, parser) in PARSERS.iter().enumerate() {
            let found = report
                .iter()
                .find(|cells| cells.len() > 4 && cells[1].starts_with(what) && cells[2] == *parser);
            // abide has a figure, the others a ratio to it.
            let figure = found.unwrap()[if at == 0 { 3 } else { 4 }];
            assert_eq!(own[at + 1], figure, "{label}: {parser}");
        }
    }
}

#[test]
fn the_readme_counts_the_missed_goals() {
    const NUMBERS: [&str; 10] = [
        "no goal", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ];
    let missed = page("docs/speed.md").matches("**missed**").count();
    let sentence = format!(
        "the goals that abide misses: {} in that run",
        NUMBERS[missed]
    );
    let readme = page("README.md").replace('\n', " ");
    assert!(
        readme.contains(&sentence),
        "expected \"{sentence}\" in the README"
    );
}
