//! Applies fixes.

use crate::edits::{self, Edits};
use crate::file::Context;
use crate::finding::{Edit, Fix, Safety};
use crate::linter::Linter;
use crate::rule::Finding;
use crate::safety;
use abide::Limits;
use abide_analysis::GoesOn;
use abide_analysis::meaning::{self, Readings};

/// A robots.txt after its fixes.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct FixResult {
    /// The new file.
    pub bytes: Vec<u8>,
    /// How many findings were fixed.
    pub fixed: usize,
    /// The findings in the new file.
    pub findings: Vec<Finding>,
}

/// How many bytes are read again for the proofs of a round. What is not proved is not fixed.
const MAX_READ_BYTES: usize = 64 << 20;

/// How many rounds of fixes there are, because one fix can make another possible.
pub(crate) const MAX_ROUNDS: usize = 10;

impl Linter {
    /// Applies fixes up to `safety` until there are none left, at most ten times.
    ///
    /// Safe fixes are proved again together: two fixes that are safe alone need not be safe
    /// together.
    ///
    /// # Panics
    /// Only on a bug.
    #[must_use]
    pub fn fixed(&self, bytes: &[u8], context: &Context, safety: Safety) -> FixResult {
        let fixed = self.fixed_while(bytes, context, safety, &|| true);
        fixed.expect("nothing ends it early")
    }

    /// Like [`Linter::fixed`], but stops when `goes_on` returns false before a rule or a proof, and
    /// returns `None`.
    pub(crate) fn fixed_while(
        &self,
        bytes: &[u8],
        context: &Context,
        safety: Safety,
        goes_on: GoesOn<'_>,
    ) -> Option<FixResult> {
        let mut fixed = FixResult {
            bytes: bytes.to_vec(),
            fixed: 0,
            findings: self.robots_txt_while(bytes, context, goes_on)?,
        };
        for _ in 0..MAX_ROUNDS {
            let applied = apply(&fixed.bytes, &fixed.findings, safety, goes_on);
            if !goes_on() {
                return None;
            }
            let Some((next, count)) = applied else {
                break;
            };
            fixed = FixResult {
                findings: self.robots_txt_while(&next, context, goes_on)?,
                bytes: next,
                fixed: fixed.fixed + count,
            };
        }
        Some(fixed)
    }
}

/// Applies every fix that is safe enough and does not overlap another. Returns the bytes and the
/// number of fixes; `None` if there is nothing to fix.
fn apply(
    bytes: &[u8],
    findings: &[Finding],
    safety: Safety,
    goes_on: GoesOn<'_>,
) -> Option<(Vec<u8>, usize)> {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let fixes: Vec<&Fix> = fixes.filter(|fix| fix.safety <= safety).collect();
    let (edits, all_of_them) = together(&fixes);
    let all = edited(bytes, &edits).filter(|_| all_of_them > 0)?;
    if safety == Safety::Unsafe || is_same(bytes, &all, goes_on) {
        return Some((all, all_of_them));
    }
    // Halves, and halves of these, each proved with those before it.
    let (mut kept, mut result, mut count) = (Vec::new(), bytes.to_vec(), 0);
    let mut proofs = MAX_READ_BYTES / bytes.len().max(1);
    let mut parts: Vec<&[&Fix]> = vec![&fixes];
    while let Some(part) = parts.pop() {
        let Some(left) = proofs.checked_sub(1).filter(|_| goes_on()) else {
            break;
        };
        proofs = left;
        let tried = [&kept[..], part].concat();
        let (edits, now) = together(&tried);
        match edited(bytes, &edits).filter(|next| now > count && is_same(bytes, next, goes_on)) {
            Some(next) => (result, count, kept) = (next, now, tried),
            None if part.len() > 1 => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
            None => {}
        }
    }
    (count > 0).then_some((result, count))
}

fn is_same(before: &[u8], after: &[u8], goes_on: GoesOn<'_>) -> bool {
    let (before, after) = (Readings::of(before), Readings::of(after));
    meaning::same(&before, &after, safety::BOUND, goes_on)
}

/// The file with these edits; `None` if it would become longer than robots have to read.
fn edited(bytes: &[u8], edits: &Edits<'_>) -> Option<Vec<u8>> {
    let out = edits::applied(bytes, edits);
    (out.len() <= Limits::FLOOR || bytes.len() > Limits::FLOOR).then_some(out)
}

/// The edits of all fixes, and the number of fixes. Of overlapping fixes only the first is
/// included.
pub(crate) fn together<'f>(fixes: &[&'f Fix]) -> (Edits<'f>, usize) {
    let mut edits = Edits::new();
    let mut count = 0;
    for fix in fixes {
        let is_free = |edit: &Edit| {
            let before = edits.range(..=edit.span.end).next_back();
            before.is_none_or(|(_, other)| other.span.end < edit.span.start)
        };
        if fix.edits.iter().all(is_free) {
            edits.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
            count += 1;
        }
    }
    (edits, count)
}
