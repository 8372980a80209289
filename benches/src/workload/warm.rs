//! W3: many decisions about files of middle size that are kept.

use super::{Goal, Row, Setting, contest_rows};
use crate::allocator::counted;
use crate::clock::ToF64;
use crate::contest::{Entry, Sample, Thinned, Timing, run};
use crate::corpus::Case;
use crate::peer::{Contestant, client, read_by_all};
use crate::urls::is_canonical;
use abide::Policy;
use std::hint::black_box;

/// The files and URLs of W3: 200 files, 1,000 URLs each.
#[must_use]
pub fn cases(setting: &Setting) -> Vec<Case> {
    if setting.is_quick {
        setting.corpus.middle(20, 100)
    } else {
        setting.corpus.middle(200, 1_000)
    }
}

/// Times decisions of everybody about kept files.
pub fn contest<'c>(
    setting: &Setting,
    cases: &[Case],
    contestants: impl Iterator<Item = &'c dyn Contestant>,
) -> Vec<Timing> {
    let mut entries: Vec<Entry<'_>> = contestants
        .map(|who| {
            let mut warm = who.warm(cases);
            Entry {
                name: who.name(),
                pass: Box::new(move |sample: &Sample| warm.pass(sample)),
            }
        })
        .collect();
    let largest = cases.iter().map(|case| case.urls.len()).max().unwrap_or(1);
    run(&mut entries, Thinned::Urls, largest, setting.effort)
}

/// The rows of W3.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let (cases, refused) = read_by_all(cases(setting), &setting.contestants);
    let timings = contest(
        setting,
        &cases,
        setting.contestants.iter().map(AsRef::as_ref),
    );
    let goals = [("robotxt", 12.0), ("texting_robots", 10.0)];
    let what = format!("`allows`, {} files kept", cases.len());
    let mut rows = contest_rows("W3", &what, &timings, &goals);
    rows[0].note = refused;
    rows.extend(allocations(&cases));
    rows
}

/// How often abide allocates in decisions: about URLs that need no rewriting, and about all.
fn allocations(cases: &[Case]) -> [Row; 2] {
    let policies: Vec<Policy> = cases
        .iter()
        .map(|case| Policy::compile(&case.bytes, client()))
        .collect();
    let count = |suits: fn(&str) -> bool| {
        let chosen: Vec<(&Policy, &str)> = policies
            .iter()
            .zip(cases)
            .flat_map(|(policy, case)| case.urls.iter().map(move |url| (policy, url.as_str())))
            .filter(|(_, url)| suits(url))
            .collect();
        let (heap, ()) = counted(|| {
            for (policy, url) in &chosen {
                black_box(policy.allows(url));
            }
        });
        (heap.calls.to_f64(), chosen.len())
    };
    let row = |what: &str, (calls, decisions): (f64, usize)| {
        Row::new("W3", what, "abide", format!("{calls} allocations"))
            .note(format!("{decisions} decisions"))
    };
    let canonical = count(is_canonical);
    let goal = Goal::AtMost(0.0);
    [
        row("allocations, canonical URLs", canonical).goal(canonical.0, goal, ""),
        row("allocations, all URLs", count(|_| true)),
    ]
}
