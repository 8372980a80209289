//! W4: decisions about files with thousands of rules.

use super::{Goal, Row, Setting, contest_rows, warm};
use crate::corpus::Case;
use crate::generated;
use crate::peer::{Abide, Contestant, InProcess, read_by_all};

/// 15,000 rules without `*`.
#[must_use]
pub fn prefixes(urls: usize) -> Vec<Case> {
    vec![Case::new("prefixes", &generated::prefixes(15_000), urls)]
}

/// 5,000 rules with a `*` inside.
#[must_use]
pub fn wildcards(urls: usize) -> Vec<Case> {
    vec![Case::new("wildcards", &generated::wildcards(5_000), urls)]
}

/// The rows of W4.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let urls = if setting.is_quick { 200 } else { 4_000 };
    let everybody = || setting.contestants.iter().map(AsRef::as_ref);
    let mut rows = Vec::new();

    let timings = warm::contest(setting, &prefixes(urls), everybody());
    let goals = [("texting_robots", 300.0)];
    rows.extend(contest_rows(
        "W4",
        "`allows`, 15,000 prefix rules",
        &timings,
        &goals,
    ));
    let large = timings[0].nanoseconds;
    let abide: [&dyn Contestant; 1] = [&InProcess::<Abide>::new()];
    let middle = warm::contest(setting, &warm::cases(setting), abide.into_iter());
    let ratio = large / middle[0].nanoseconds;
    let row = Row::new(
        "W4",
        "15,000 prefix rules beside W3",
        "abide",
        super::time(large),
    );
    rows.push(row.ratio(ratio).goal(ratio, Goal::AtMost(2.0), " ×"));

    let timings = warm::contest(setting, &wildcards(urls), everybody());
    let goals = [("robotxt", 120.0)];
    rows.extend(contest_rows(
        "W4",
        "`allows`, 5,000 wildcard rules",
        &timings,
        &goals,
    ));

    let largest = setting.corpus.largest(10, urls);
    let (largest, _) = read_by_all(largest, &setting.contestants);
    let timings = warm::contest(setting, &largest, everybody());
    rows.extend(contest_rows(
        "W4",
        "`allows`, the 10 files with most rules",
        &timings,
        &[],
    ));
    rows
}
