//! Proves that fixes are safe: that the file means the same after them.
//!
//! Most fixes change one line and are proved by that line alone. For the others the whole file is
//! read again, and compared path by path where its lines differ. The work for one file is bounded;
//! a fix that is not proved within the bound is not safe.

use crate::edits::{self, Edits};
use crate::file::File;
use crate::finding::Fix;
use abide::syntax::Encoding;
use abide_analysis::meaning::{self, DifferingReadings, Readings};
use abide_analysis::{Bound, GoesOn};
use std::cell::{Cell, OnceCell};

/// The work of one proof.
pub(crate) const BOUND: Bound = Bound { work: 2_000_000 };
/// How many bytes are read again for the proofs of one file.
const MAX_READ_BYTES: usize = 16 << 20;
/// How many proofs of one file may compare paths.
const MAX_COMPARED: usize = 64;

/// Proves fixes of one file.
pub(crate) struct Prover<'p, 'f> {
    file: &'p File<'f>,
    before: OnceCell<Readings>,
    bytes_left: Cell<usize>,
    proofs_left: Cell<usize>,
}

impl<'p, 'f> Prover<'p, 'f> {
    pub(crate) fn new(file: &'p File<'f>) -> Self {
        Self {
            file,
            before: OnceCell::new(),
            bytes_left: Cell::new(MAX_READ_BYTES),
            proofs_left: Cell::new(MAX_COMPARED),
        }
    }

    /// Whether the file provably means the same after this fix alone.
    pub(crate) fn proves(&self, fix: &Fix, goes_on: GoesOn<'_>) -> bool {
        match self.within_line(fix) {
            Some((before, after)) if meaning::same_line(before, &after) => true,
            _ => self.by_file(fix, goes_on),
        }
    }

    /// The line that a fix changes, before and after, if it changes no other line, and neither the
    /// first line, whose first bytes can mean something else, nor the number of lines.
    fn within_line(&self, fix: &Fix) -> Option<(&'f [u8], Vec<u8>)> {
        // Google does not read UTF-16, so any fix, which writes UTF-8, changes what it reads.
        let encoding = self.file.robots.text().encoding();
        if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) {
            return None;
        }
        let text = self.file.text();
        let lines = self.file.robots.lines();
        let start = fix.edits.first()?.span.start;
        let at = lines.partition_point(|line| line.span.end < start);
        let line = lines.get(at).filter(|line| line.number > 1)?;
        let is_within = |edit: &crate::finding::Edit| {
            let (span, new) = (edit.span, &edit.replacement);
            line.span.start <= span.start
                && span.end <= line.span.end
                && memchr::memchr2(b'\n', b'\r', new).is_none()
        };
        if !fix.edits.iter().all(is_within) {
            return None;
        }
        let before = line.span.of(text);
        let mut after = Vec::with_capacity(before.len());
        let mut from = line.span.start as usize;
        for edit in &fix.edits {
            after.extend_from_slice(text.get(from..edit.span.start as usize)?);
            after.extend_from_slice(&edit.replacement);
            from = edit.span.end as usize;
        }
        after.extend_from_slice(text.get(from..line.span.end as usize)?);
        Some((before, after))
    }

    /// Reads the whole file again with the fix.
    fn by_file(&self, fix: &Fix, goes_on: GoesOn<'_>) -> bool {
        let bytes = self.file.bytes;
        let (Some(bytes_left), Some(proofs_left)) = (
            self.bytes_left.get().checked_sub(bytes.len()),
            self.proofs_left.get().checked_sub(1),
        ) else {
            return false;
        };
        self.bytes_left.set(bytes_left);
        let edits: Edits<'_> = fix
            .edits
            .iter()
            .map(|edit| (edit.span.start, edit))
            .collect();
        let after = Readings::of(&edits::applied(bytes, &edits));
        let before = self.before.get_or_init(|| Readings::of(bytes));
        let differing = DifferingReadings::of(before, &after);
        if differing.is_empty() {
            return true;
        }
        self.proofs_left.set(proofs_left);
        differing.means_the_same(BOUND, goes_on)
    }
}
