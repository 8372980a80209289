//! Applies fixes.

use crate::file::Context;
use crate::finding::{Edit, Safety};
use crate::linter::Linter;
use crate::rule::Finding;
use abide::Limits;
use abide::syntax::{Encoding, Text};
use std::collections::BTreeMap;

/// A robots.txt after its fixes.
#[derive(Clone, Debug)]
// Exhaustive: callers build it.
pub struct Fixed {
    /// The new file.
    pub bytes: Vec<u8>,
    /// How many findings were fixed.
    pub fixed: usize,
    /// The findings in the new file.
    pub findings: Vec<Finding>,
}

/// How many rounds of fixes there are, because one fix can make another possible.
const ROUNDS: usize = 10;

impl Linter {
    /// Applies fixes up to `safety` until there are none left, at most ten times.
    #[must_use]
    pub fn fixed(&self, bytes: &[u8], context: &Context, safety: Safety) -> Fixed {
        let mut fixed = Fixed {
            bytes: bytes.to_vec(),
            fixed: 0,
            findings: self.robots_txt(bytes, context),
        };
        for _ in 0..ROUNDS {
            let (next, count) = apply(&fixed.bytes, &fixed.findings, safety);
            if count == 0 {
                break;
            }
            fixed = Fixed {
                findings: self.robots_txt(&next, context),
                bytes: next,
                fixed: fixed.fixed + count,
            };
        }
        fixed
    }
}

/// Applies every fix that is safe enough and does not overlap another. Returns the bytes and the
/// number of fixes.
fn apply(bytes: &[u8], findings: &[Finding], safety: Safety) -> (Vec<u8>, usize) {
    let as_they_were = || (bytes.to_vec(), 0);
    let text = Text::new(bytes, Limits::default());
    let behind = match text.encoding() {
        Encoding::Utf16Le | Encoding::Utf16Be => &[],
        _ => bytes.get(text.as_bytes().len()..).unwrap_or_default(),
    };
    let (edits, fixed) = edits(findings, safety);
    if fixed == 0 {
        return as_they_were();
    }
    let mut out = replaced(text.as_bytes(), &edits);
    out.extend_from_slice(behind);
    if out.len() > Limits::FLOOR && bytes.len() <= Limits::FLOOR {
        return as_they_were();
    }
    (out, fixed)
}

/// The edits of all fixes that are safe enough, by position, and the number of fixes. Of
/// overlapping fixes only the first is included.
fn edits(findings: &[Finding], safety: Safety) -> (BTreeMap<u32, &Edit>, usize) {
    let mut edits: BTreeMap<u32, &Edit> = BTreeMap::new();
    let mut fixed = 0;
    for fix in findings.iter().filter_map(|finding| finding.fix.as_ref()) {
        let is_free = |edit: &Edit| {
            let before = edits.range(..=edit.span.end).next_back();
            before.is_none_or(|(_, other)| other.span.end < edit.span.start)
        };
        if fix.safety <= safety && fix.edits.iter().all(is_free) {
            edits.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
            fixed += 1;
        }
    }
    (edits, fixed)
}

fn replaced(text: &[u8], edits: &BTreeMap<u32, &Edit>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.values() {
        let kept = text.get(at..edit.span.start as usize);
        out.extend_from_slice(kept.expect("edits are in order and do not overlap"));
        out.extend_from_slice(&edit.replacement);
        at = edit.span.end as usize;
    }
    out.extend_from_slice(text.get(at..).expect("edits end within the text"));
    out
}
