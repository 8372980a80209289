//! W1: every line split and keyed, beside the mere visit of every line end.

use super::{Goal, Row, Setting, short};
use crate::clock::{ToF64, timed};
use crate::contest::{Entry, Pass, Sample, Thinned, run};
use abide::Limits;
use abide::Profile;
use abide::syntax::Fields;
use abide::syntax::Text;
use std::hint::black_box;

type Files = [(String, Vec<u8>)];

/// Splits and keys every line; bytes are the items.
pub fn fields(files: &Files) -> u64 {
    each(files, |bytes| {
        let text = Text::new(bytes, Limits::default());
        Fields::new(&text, Profile::Careful).for_each(|line| {
            black_box(line);
        });
    })
}

/// Visits every `\n`.
pub fn line_feeds(files: &Files) -> u64 {
    each(files, |bytes| {
        for at in memchr::memchr_iter(b'\n', bytes) {
            black_box(at);
        }
    })
}

/// Visits every `\n` and `\r`.
pub fn line_ends(files: &Files) -> u64 {
    each(files, |bytes| {
        for at in memchr::memchr2_iter(b'\n', b'\r', bytes) {
            black_box(at);
        }
    })
}

/// What is past the limit is read by nobody.
fn each(files: &Files, read: impl Fn(&[u8])) -> u64 {
    let mut items = 0;
    for (_, bytes) in files {
        let bytes = bytes.get(..Limits::default().bytes()).unwrap_or(bytes);
        read(bytes);
        items += bytes.len() as u64;
    }
    items
}

/// The rows of W1.
#[must_use]
pub fn rows(setting: &Setting) -> Vec<Row> {
    let files = &*setting.corpus.files;
    let entry = |name, work: fn(&Files) -> u64| Entry {
        name,
        pass: Box::new(move |_: &Sample| {
            let (nanoseconds, items) = timed(|| work(files));
            Pass { items, nanoseconds }
        }),
    };
    let mut entries = [
        entry("memchr, every `\\n`", line_feeds),
        entry("memchr2, every `\\n` and `\\r`", line_ends),
        entry("abide", fields),
    ];
    let timings = run(&mut entries, Thinned::Cases, 1, setting.effort);
    let what = "lines split and keyed, per 1,000 bytes";
    let row = |timing: &crate::contest::Timing| {
        let figure = format!("{} ns", short(timing.nanoseconds * 1_000_u64.to_f64()));
        Row::new("W1", what, timing.name, figure)
    };
    vec![
        row(&timings[2])
            .ratio(timings[2].ratio())
            .goal(timings[2].ratio(), Goal::AtMost(3.0), " ×")
            .note("ratio to the visit of every `\\n`"),
        row(&timings[0]),
        row(&timings[1]).ratio(timings[1].ratio()),
    ]
}
