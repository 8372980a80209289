//! What would change: equal to a comparison of two runs, each with one of the readings.

use crate::Trial;
use abide::{Client, Policy, ProductToken, PurposeToken, Target, Usage};
use abide_analysis::preferences;
use abide_survey::WhatIf;
use abide_survey::schema::Table;
use abide_testkit::corpus;
use abide_testkit::preference_files::Dice;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const LINES: [&str; 12] = [
    "User-agent: a",
    "User-agent: b",
    "User-agent: *",
    "User-Agent-Purpose: P",
    "Content-Usage: train-ai=n",
    "Content-Usage: /x train-ai=y, search=n",
    "App-Directives: app;y",
    "Disallow: /",
    "Allow: /x",
    "Disallow: /y",
    "",
    "Disallow: /z$",
];
const PATHS: [&str; 7] = ["/", "/page", "/x", "/x/page", "/y", "/z", "/other"];
const USAGES: [Usage; 4] = [Usage::Crawl, Usage::Train, Usage::AiInput, Usage::Search];

/// The changes that are about robots.txt.
fn of_robots_txt() -> impl Iterator<Item = WhatIf> {
    let all = WhatIf::ALL.iter().copied();
    all.filter(|what_if| what_if.readings().is_some())
}

/// Robot, usage, path, outcomes before and after.
type Change = (String, &'static str, String, [&'static str; 2]);

/// Compiles the file twice and asks about every path. For every robot and usage it gives each path
/// whose answer changes.
fn by_two_runs(file: &[u8], what_if: WhatIf, robots: &[&str], paths: &[&str]) -> BTreeSet<Change> {
    let mut changes = BTreeSet::new();
    for robot in robots {
        let client = match *robot {
            "*" => Client::unnamed(),
            name => Client::new(ProductToken::nonstandard(name).unwrap()),
        };
        let asked = preferences::ROBOTS_TXT_VOCABULARIES.to_vec();
        let client = preferences::with_preferences(&client, Some(asked));
        let policies = <[abide::Reading; 2]>::from(what_if.readings().unwrap())
            .map(|reading| Policy::compile(file, &client.clone().with_reading(reading)));
        for path in paths {
            let target = Target::new(path).unwrap();
            for usage in USAGES {
                let said =
                    [0, 1].map(|at: usize| policies[at].decide(&target).outcome(usage).name());
                if said[0] != said[1] {
                    changes.insert(((*robot).to_owned(), usage.name(), (*path).to_owned(), said));
                }
            }
        }
    }
    changes
}

/// The rows of a file as changes.
fn changes(rows: &[&Value]) -> BTreeSet<(String, String, String, String, String)> {
    let of = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let robot = text("robot");
        (
            robot,
            text("usage"),
            text("path"),
            text("before"),
            text("after"),
        )
    };
    rows.iter().map(|row| of(row)).collect()
}

/// Each change that two runs show has a row, and each row is a change that two runs show.
fn compare(name: &str, file: &[u8], what_if: WhatIf, rows: &[&Value], paths: &[&str]) -> usize {
    let mut robots: BTreeSet<String> = ["*".to_owned()].into();
    robots.extend(
        rows.iter()
            .map(|row| row["robot"].as_str().unwrap().to_owned()),
    );
    let robots: Vec<&str> = robots.iter().map(String::as_str).collect();
    let witnesses: Vec<String> = changes(rows).into_iter().map(|row| row.2).collect();
    let mut asked: Vec<&str> = paths.to_vec();
    asked.extend(witnesses.iter().map(String::as_str));
    let expected = by_two_runs(file, what_if, &robots, &asked);
    let found = changes(rows);
    for (robot, usage, path, before, after) in &found {
        let is_there = expected.iter().any(|(of, about, at, said)| {
            (of, *about, at, said[0], said[1]) == (robot, usage, path, before, after)
        });
        assert!(
            is_there,
            "{name}: {robot} {usage} {path} does not change for {what_if:?}"
        );
    }
    let pairs = |robot: &str, usage: &str| (robot.to_owned(), usage.to_owned());
    let expected: BTreeSet<_> = expected.iter().map(|one| pairs(&one.0, one.1)).collect();
    let found: BTreeSet<_> = found.iter().map(|one| pairs(&one.0, &one.1)).collect();
    assert_eq!(found, expected, "{name}: {what_if:?}");
    found.len()
}

fn asking(mut trial: Trial) -> Trial {
    trial.survey.options.what_if = of_robots_txt().collect();
    trial.survey.options.tables = [Table::Changes].into();
    trial.survey.options.robots = abide_known_robots::Robot::list("*,a,b").unwrap();
    trial
}

#[test]
fn changes_are_those_of_two_runs() {
    let mut dice = Dice::new(3);
    let mut trial = Trial::new();
    let mut files = BTreeMap::new();
    for number in 0..150 {
        let lines = (0..4 + dice.below(8)).map(|_| dice.pick(&LINES));
        let file = lines.collect::<Vec<_>>().join("\n") + "\n";
        let name = format!("s{number:03}.example");
        trial = trial.with(&format!("{name}.txt"), file.as_bytes());
        files.insert(name, file);
    }
    let trial = asking(trial);
    let summary = trial.run();
    let rows = trial.rows(Table::Changes);
    let mut total = BTreeMap::new();
    for (name, file) in &files {
        for what_if in of_robots_txt() {
            let of = |row: &&Value| row["host"] == **name && row["what_if"] == what_if.name();
            let own: Vec<&Value> = rows.iter().filter(of).collect();
            // Whatever the rows name, these robots are asked about.
            let file = file.as_bytes();
            let own_robots = by_two_runs(file, what_if, &["*", "a", "b"], &PATHS);
            let named: BTreeSet<_> = own
                .iter()
                .map(|row| row["robot"].as_str().unwrap())
                .collect();
            let expected: BTreeSet<_> = own_robots.iter().map(|one| one.0.as_str()).collect();
            assert_eq!(named, expected, "{name} {what_if:?}");
            *total.entry(what_if.name()).or_insert(0) += compare(name, file, what_if, &own, &PATHS);
            let has_line = |row: &&Value| row["line"].is_i64();
            assert!(own.iter().all(has_line), "{name}: {own:?}\n{}", files[name]);
        }
    }
    assert!(total.values().all(|count| *count > 10), "{total:?}");
    for (name, count) in &summary.changes {
        let own = || rows.iter().filter(|row| row["what_if"] == **name);
        let sites: BTreeSet<_> = own().map(|row| row["capture"].as_i64()).collect();
        let each = |column: &str| {
            let cells = own().map(|row| (row["capture"].as_i64(), row[column].to_string()));
            cells
                .filter(|(_, cell)| cell != "null")
                .collect::<BTreeSet<_>>()
                .len() as u64
        };
        assert_eq!(count.sites, sites.len() as u64);
        assert_eq!((count.groups, count.robots), (each("group"), each("robot")));
    }
    assert_eq!(summary.changes.len(), 3);
}

#[test]
fn one_change_of_each_kind() {
    let text = b"User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nDisallow: /\n";
    let trial = asking(Trial::new().with("s.example.txt", text));
    trial.run();
    let rows = trial.rows(Table::Changes);
    let row = &rows[0];
    let of = |name: &str| row[name].clone();
    let columns = [
        "what_if", "robot", "usage", "path", "before", "after", "line", "group",
    ]
    .map(of);
    assert_eq!(
        json!(columns),
        json!(["attach", "a", "crawl", "/", "prohibited", "permitted", 4, 0])
    );
}

/// On real files, the rows for robots that no file names are those of two runs.
#[test]
fn corpus_changes_are_those_of_two_runs() {
    let files = corpus::files();
    let mut trial = Trial::new();
    for (number, (_, bytes)) in files.iter().enumerate() {
        trial = trial.with(&format!("s{number}.example.txt"), bytes);
    }
    if files.is_empty() {
        return;
    }
    let trial = asking(trial);
    trial.run();
    let mut rows: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in trial.rows(Table::Changes) {
        let host = row["host"].as_str().unwrap().to_owned();
        rows.entry(host).or_default().push(row);
    }
    for (number, (name, bytes)) in files.iter().enumerate() {
        let own = rows
            .remove(&format!("s{number}.example"))
            .unwrap_or_default();
        for what_if in of_robots_txt() {
            let own = own.iter().filter(|row| row["what_if"] == what_if.name());
            let own: Vec<&Value> = own.collect();
            compare(name, bytes, what_if, &own, &["/", "/page"]);
        }
    }
}

/// A robot that claims a purpose is concerned if crawlers learn to read purposes.
#[test]
fn purposes_that_robots_claim() {
    let file = "User-agent: *\nAllow: /\n\nUser-Agent-Purpose: P\nAllow: /y\nDisallow: /x\n";
    let rows = |purposes: &[&str]| {
        let mut trial = asking(Trial::new().with("s.example.txt", file.as_bytes()));
        let purposes = purposes.iter().copied().map(PurposeToken::new);
        trial.survey.options.purposes = purposes.collect::<Result<_, _>>().unwrap();
        trial.survey.options.what_if = [WhatIf::Purpose].into();
        trial.survey.options.paths = vec!["/x".to_owned()];
        trial.run();
        let rows = trial.rows(Table::Changes).into_iter();
        let change = |row: Value| (row["before"].clone(), row["after"].clone());
        rows.map(change).collect::<Vec<_>>()
    };
    // The rule joins the group for everybody if nobody knows the line.
    let learns = (json!("prohibited"), json!("permitted"));
    assert!(rows(&[]).contains(&learns), "{:?}", rows(&[]));
    // Who claims the purpose gets the same rule from the group of the purpose.
    assert!(!rows(&["p"]).contains(&learns), "{:?}", rows(&["p"]));
}
