//! Comparisons of real files, if there are any: `ABIDE_CORPUS` names a folder of robots.txt files.

use crate::compare::{changes, compared};
use abide::Robots;
use abide::syntax::normal;
use abide_analysis::Bound;
use abide_analysis::compare;
use abide_testkit::corpus::files;

/// One file in this many is used.
const STEP: usize = 12;
/// Number of URLs that are decided by both files.
const URLS: usize = 200;

/// Paths from the patterns of the file, with wildcards replaced and ends changed.
fn urls(robots: &Robots) -> Vec<String> {
    let rules = robots.lines().iter().filter_map(|line| robots.rule(line));
    let values: Vec<String> = rules
        .map(|rule| String::from_utf8_lossy(rule.value).into_owned())
        .collect();
    let step = (values.len() * 5).div_ceil(URLS).max(1);
    let own = values.iter().step_by(step).flat_map(|value| {
        let path = value.trim_end_matches('$').replace('*', "q");
        let path = if path.starts_with('/') {
            path
        } else {
            format!("/{path}")
        };
        let path = path.replace('#', "");
        let next = values
            .get(1)
            .map_or("z", String::as_str)
            .replace(['*', '$', '#'], "");
        [
            format!("{path}x?y=1"),
            format!("/z{path}"),
            format!("{path}{next}"),
            value.replace(['*', '$', '#'], "/"),
            path,
        ]
    });
    let path = |path: String| {
        if path.starts_with('/') {
            path
        } else {
            format!("/{path}")
        }
    };
    own.map(path)
        .chain(["/".to_owned(), "/robots.txt".to_owned()])
        .collect()
}

/// The file without the rule on a line, and with that rule's sense reversed.
fn changed(robots: &Robots, line: &abide::syntax::Line) -> [Vec<u8>; 2] {
    let bytes = robots.text().as_bytes();
    let (start, end) = (line.span.start as usize, line.span.end as usize);
    let rule = robots.rule(line).unwrap();
    let key = match rule.sense {
        abide::verdict::Sense::Allow => "Disallow",
        abide::verdict::Sense::Disallow => "Allow",
    };
    let flipped = [key.as_bytes(), b": ", rule.value].concat();
    // An empty line replaces the rule, so that the other lines keep their numbers.
    [b"".to_vec(), flipped].map(|with| [&bytes[..start], &with, &bytes[end..]].concat())
}

#[test]
fn real_files_and_one_rule_of_them() {
    let (mut count, mut seen, mut incomplete) = (0, 0, 0);
    for (name, bytes) in files().into_iter().step_by(STEP) {
        let robots = Robots::parse(&bytes);
        let clients = compare::clients(&robots, &robots);
        let same = compare::files(&robots, &robots, &clients, Bound::default());
        assert!(same.is_equivalent(), "{name} beside itself");
        let rules: Vec<_> = robots
            .lines()
            .iter()
            .filter(|line| robots.rule(line).is_some())
            .collect();
        let Some(line) = rules.get(rules.len() / 2) else {
            continue;
        };
        count += 1;
        let urls = urls(&robots);
        for bytes in changed(&robots, line) {
            let new = Robots::parse(&bytes);
            for client in clients.iter().take(6) {
                let (comparison, found) = compared(&robots, &new, client);
                incomplete += u32::from(!comparison.is_complete);
                let old = robots.policy(&client.client);
                let new = new.policy(&client.client);
                for url in urls.iter().filter(|url| old.allows(url) != new.allows(url)) {
                    let len = normal::target(url.as_bytes()).c1.len();
                    for change in changes(&old, &new, url) {
                        seen += 1;
                        let witness = found.get(&change);
                        let shown = witness.is_some_and(|witness| witness.len() <= len);
                        let lacks = witness.is_none() && !comparison.is_complete;
                        assert!(
                            shown || lacks,
                            "{name} {client:?} {url}: {change}, {witness:?}"
                        );
                    }
                }
            }
        }
    }
    println!("{count} real files, {seen} changes of URLs, {incomplete} comparisons not complete");
}
