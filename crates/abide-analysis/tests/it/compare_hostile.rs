//! Comparisons of hostile files end within their bound.

use abide::Robots;
use abide_analysis::Bound;
use abide_analysis::compare;
use abide_testkit::hostile;
use std::time::{Duration, Instant};

/// Compares for all clients; returns the time, whether the result is complete, and the number of
/// regions.
fn compared(old: &[u8], new: &[u8]) -> (Duration, bool, usize) {
    let start = Instant::now();
    let (old, new) = (Robots::parse(old), Robots::parse(new));
    let clients = compare::clients(&old, &new);
    let differences = compare::files(&old, &new, &clients, Bound::default());
    let comparisons = differences.clients.iter();
    let regions = comparisons.map(|one| one.comparison.regions.len()).sum();
    (start.elapsed(), differences.is_complete(), regions)
}

fn told(name: &str, old: &[u8], new: &[u8]) -> (bool, usize) {
    let (took, complete, regions) = compared(old, new);
    println!("{took:>10.1?} {complete:>5} {regions:>6} {name:.70}");
    (complete, regions)
}

/// Peak memory of the process in bytes, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1_024)
}

#[test]
fn every_hostile_file_beside_itself_changed_and_beside_nothing() {
    for file in hostile::all() {
        if file.robots.len() > hostile::MAX_FILE_BYTES * 2 {
            continue;
        }
        let name = format!("{} {}", file.id, file.name);
        let mut changed = file.robots.clone();
        let line = changed.iter().position(|byte| *byte == b'\n');
        let at = line.map_or(0, |at| at + 1);
        changed.splice(at..at, *b"Disallow: /zz*y\nAllow: /zzz\n");
        told(&name, &file.robots, &changed);
        told(&format!("{name}, nothing"), &file.robots, b"");
        let (complete, regions) = told(&format!("{name}, itself"), &file.robots, &file.robots);
        assert!(regions == 0, "{name} {complete}");
    }
    println!("{:?} bytes at most", peak());
}

/// Patterns that can each have passed their first literal or not, which makes 2^n combinations.
fn doubles(count: usize, key: &str) -> Vec<u8> {
    let rule = |at| format!("{key}: /*a{at}b*c{at}d\n");
    let rules: String = (0..count).map(rule).collect();
    format!("User-agent: *\n{rules}").into_bytes()
}

#[test]
fn more_ways_than_any_machine_can_count_are_said_to_be_too_many() {
    let (old, new) = (doubles(200, "Disallow"), doubles(200, "Allow"));
    let (complete, regions) = told("200 patterns with two stars", &old, &new);
    assert!(!complete && regions > 0, "{regions}");
    let (complete, _) = told("the same", &old, &doubles(200, "Disallow"));
    assert!(complete);
    let hostile = hostile::repeat_to(
        |at| format!("Disallow: /*a{at}*b{at}*c{at}$\n"),
        hostile::MAX_FILE_BYTES,
    );
    let hostile = [b"User-agent: *\n", &hostile[..]].concat();
    let (complete, _) = told("500 KiB of them", &hostile, &new);
    assert!(!complete);
}

/// Preferences in a group, with paths of two stars each, and a rule for each of them.
fn preferences(count: usize, lines: usize) -> Vec<u8> {
    let line = |at| {
        let key = ["Content-Usage", "Content-Signal"][at % 2];
        let said = ["train-ai=n, search=y", "ai-train=no, search=yes"][at % 2];
        format!("{key}: /*a{at}b*c{at}d {said}\nDisallow: /x{at}*y\n")
    };
    let rules: String = (0..count).map(line).collect();
    let many = "Content-Usage: /p train-ai=n\n".repeat(lines);
    format!("User-agent: *\n{rules}{many}").into_bytes()
}

#[test]
fn preferences_are_compared_within_the_bound() {
    let (complete, regions) = told("few", &preferences(4, 0), &preferences(3, 0));
    assert!(complete && regions > 0, "{regions}");
    let (complete, _) = told(
        "200 with two stars",
        &preferences(200, 0),
        &preferences(199, 0),
    );
    assert!(!complete);
    let (complete, _) = told("the same", &preferences(200, 0), &preferences(200, 0));
    assert!(complete);
    let (complete, _) = told(
        "15,000 lines",
        &preferences(0, 15_000),
        &preferences(0, 14_999),
    );
    assert!(complete);
    let tokens = |sense: &str| {
        let groups = ["Google-Extended", "Googlebot", "Applebot-Extended", "*"];
        let group = |name: &str| {
            let rules = doubles(100, sense);
            let rules = String::from_utf8_lossy(&rules).replace("User-agent: *\n", "");
            format!("User-agent: {name}\n{rules}")
        };
        groups.map(group).concat().into_bytes()
    };
    let (complete, _) = told("tokens", &tokens("Disallow"), &tokens("Allow"));
    assert!(!complete);
}

#[test]
fn nothing_is_called_equal_that_was_not_compared() {
    let (old, new) = (doubles(200, "Disallow"), doubles(199, "Disallow"));
    let (old, new) = (Robots::parse(&old), Robots::parse(&new));
    let clients = compare::clients(&old, &new);
    for work in [0, 1, 100, 10_000] {
        let differences = compare::files(&old, &new, &clients, Bound { work });
        assert!(!differences.is_equivalent() && !differences.is_complete());
    }
}

/// A review that runs out of work before it has read all rules names no rule that both files have.
#[test]
fn causes_name_no_rule_of_both_files_whatever_the_bound() {
    let rules: String = (0..50).map(|n| format!("Disallow: /{n}/\n")).collect();
    let [old, new] = ["", "Allow: /49/x\n"].map(|own| {
        let text = format!("User-agent: *\n{rules}{own}");
        Robots::parse(text.as_bytes())
    });
    let clients = compare::clients(&old, &new);
    let differences = compare::files(&old, &new, &clients, Bound::default());
    let mut with_cause = 0;
    for work in (0..4_000).step_by(50) {
        let review = compare::Review::new(&old, &new, &differences, true, Bound { work });
        for cause in review.causes {
            let sentence = cause.sentence.to_string();
            assert!(!sentence.contains("Disallow"), "{work}: {sentence}");
            with_cause += usize::from(sentence.contains("Allow: /49/x"));
        }
    }
    assert!(with_cause > 0);
}
