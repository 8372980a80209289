//! W6: policies of all files, kept for one client.

use super::{Goal, Row, Setting, short};
use crate::allocator::{Heap, counted};
use crate::clock::ToF64;
use crate::corpus::Case;
use crate::peer::{Parser, RobotsTxt, Robotxt, TextingRobots, client};
use abide::Policy;
use abide::syntax::Inspect;

/// The rows of W6.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let cases = setting.corpus.one_url_each();
    let count = cases.len().to_f64();
    let (heap, size) = kept(&cases, |case| Policy::compile_shared(&case.bytes, client()));
    let bytes = (heap.bytes.to_f64() + size) / count;
    let blocks = heap.blocks.to_f64() / count;
    let told: usize = cases
        .iter()
        .map(|case| Policy::compile_shared(&case.bytes, client()))
        .map(|policy| Inspect::of(&policy).compiled_size())
        .sum();
    let what = "bytes a kept policy, without the file's own";
    let mut rows = vec![
        Row::new("W6", what, "abide", short(bytes))
            .goal(bytes, Goal::AtMost(1_500.0), "")
            .note(format!(
                "`compiled_size` says {}",
                short(told.to_f64() / count)
            )),
        Row::new("W6", "blocks a kept policy", "abide", short(blocks)).goal(
            blocks,
            Goal::AtMost(2.0),
            "",
        ),
    ];
    rows.extend(peer::<Robotxt>(&cases, bytes));
    rows.extend(peer::<TextingRobots>(&cases, bytes));
    rows.extend(peer::<RobotsTxt>(&cases, bytes));
    rows
}

/// What keeping a value of each case takes of the heap, and the bytes of the values themselves.
fn kept<'c, T>(cases: &'c [Case], make: impl Fn(&'c Case) -> T) -> (Heap, f64) {
    // What is made once and for all must not be counted for the first file.
    drop(cases.first().map(&make));
    let mut values = Vec::with_capacity(cases.len());
    let (heap, ()) = counted(|| values.extend(cases.iter().map(make)));
    (heap, size_of_val(&*values).to_f64())
}

fn peer<P: Parser>(cases: &[Case], own: f64) -> [Row; 2] {
    let (heap, size) = kept(cases, P::parse);
    let bytes = (heap.bytes.to_f64() + size) / cases.len().to_f64();
    let blocks = heap.blocks.to_f64() / cases.len().to_f64();
    [
        Row::new("W6", "bytes a kept file", P::NAME, short(bytes)).ratio(bytes / own),
        Row::new("W6", "blocks a kept file", P::NAME, short(blocks)),
    ]
}
