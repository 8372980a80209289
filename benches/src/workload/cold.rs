//! W2: one decision from bytes. W2b: a file compiled, or what a peer does in its place.

use super::{Row, Setting, contest_rows};
use crate::contest::{Entry, Sample, Thinned, run};
use crate::corpus::Case;
use crate::peer::{Contestant, read_by_all};

/// The rows of W2.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let (cases, refused) = read_by_all(setting.corpus.one_url_each(), &setting.contestants);
    let pass = |who: &'_ dyn Contestant, sample: &Sample| who.cold(&cases, sample);
    let timings = contest(setting, &cases, &pass, |_| true);
    let goals = [("robotxt", 4.0), ("texting_robots", 12.0)];
    let mut rows = contest_rows("W2", "one decision from bytes, per file", &timings, &goals);
    rows[0].note = refused;
    rows
}

/// The rows of W2b.
#[must_use]
pub fn compile_rows(setting: &Setting) -> Vec<Row> {
    let (cases, refused) = read_by_all(setting.corpus.one_url_each(), &setting.contestants);
    let pass = |who: &'_ dyn Contestant, sample: &Sample| who.compile(&cases, sample);
    // What only keeps the text has nothing to be timed.
    let timings = contest(setting, &cases, &pass, |name| name != "robotstxt");
    let goals = [("robotxt", 2.0)];
    let mut rows = contest_rows("W2b", "a file compiled, per file", &timings, &goals);
    rows[0].note = refused;
    rows
}

fn contest(
    setting: &Setting,
    cases: &[Case],
    pass: &dyn Fn(&dyn Contestant, &Sample) -> crate::contest::Pass,
    takes_part: impl Fn(&str) -> bool,
) -> Vec<crate::contest::Timing> {
    let all = setting.contestants.iter().map(AsRef::as_ref);
    let mut entries: Vec<Entry<'_>> = all
        .filter(|who| takes_part(who.name()))
        .map(|who| Entry {
            name: who.name(),
            pass: Box::new(move |sample: &Sample| pass(who, sample)),
        })
        .collect();
    run(
        &mut entries,
        Thinned::Cases,
        cases.len() / 8,
        setting.effort,
    )
}
