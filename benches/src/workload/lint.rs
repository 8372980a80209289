//! W11: a file linted, beside protego's parsing alone.

use super::{Row, Setting, contest_rows};
use crate::clock::timed;
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use crate::corpus::Case;
use abide_lint::{Context, Linter};
use std::hint::black_box;

/// The rows of W11.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let cases = setting.corpus.one_url_each();
    let (linter, context) = (Linter::new(), Context::default());
    let lint = |sample: &Sample| pass(&linter, &context, &cases, sample);
    let mut entries = vec![Entry {
        name: "abide lint",
        pass: Box::new(lint),
    }];
    let parses = setting
        .contestants
        .iter()
        .filter(|who| who.name() == "protego");
    entries.extend(parses.map(|who| Entry {
        name: "protego",
        pass: Box::new(|sample: &Sample| who.compile(&cases, sample)),
    }));
    let timings = run(
        &mut entries,
        Thinned::Cases,
        cases.len() / 8,
        setting.effort,
    );
    let goals = [("protego", 2.0)];
    contest_rows(
        "W11",
        "a file linted; protego only parses it",
        &timings,
        &goals,
    )
}

/// One pass over the files of the sample.
pub fn pass(linter: &Linter, context: &Context, cases: &[Case], sample: &Sample) -> Pass {
    let (nanoseconds, items) = timed(|| {
        let mut items = 0;
        for case in sample.cases(cases) {
            black_box(linter.robots_txt(&case.bytes, context));
            items += 1;
        }
        items
    });
    Pass { items, nanoseconds }
}
