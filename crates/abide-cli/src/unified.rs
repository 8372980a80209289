//! What would change in a file, as a unified diff.

use abide::explain::visible;
use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, DiffOp};
use std::io::{self, Write};

/// Lines shown round each change.
const CONTEXT: usize = 3;

/// Writes what laying out changes from `old` to `new`, both octets of the file `name`; nothing where they are the same.
/// Octets that a terminal would act on appear as escapes. Linear in the length of both.
pub(crate) fn write(out: &mut impl Write, name: &str, old: &[u8], new: &[u8]) -> io::Result<()> {
    if old == new {
        return Ok(());
    }
    let (old, new) = (lines(old), lines(new));
    let bold = Style::new().bold();
    let name = visible(name.as_bytes());
    writeln!(out, "{bold}--- {name}{bold:#}")?;
    writeln!(out, "{bold}+++ {name}{bold:#}")?;
    for hunk in similar::group_diff_ops(changes(&old, &new), CONTEXT) {
        let style = AnsiColor::Cyan.on_default();
        writeln!(out, "{style}{}{style:#}", header(&hunk))?;
        for change in hunk.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Equal => (' ', Style::new()),
                ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
            };
            let line: &[u8] = change.value();
            let text = visible(line.strip_suffix(b"\n").unwrap_or(line));
            writeln!(out, "{style}{sign}{text}{style:#}")?;
            if !line.ends_with(b"\n") {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// The lines of a file, each with its line end.
fn lines(octets: &[u8]) -> Vec<&[u8]> {
    octets.split_inclusive(|&octet| octet == b'\n').collect()
}

/// What becomes of each line. A layout changes lines where they stand, and adds and drops empty ones alone, so that the
/// others pair off in order: no search for what both have in common, which takes minutes where all of many lines change.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
    let is_empty = |line: Option<&&[u8]>| line.is_some_and(|line| line.trim_ascii().is_empty());
    let mut ops = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < old.len() || to < new.len() {
        let (old_index, new_index) = (from, to);
        while from < old.len() && old.get(from) == new.get(to) {
            (from, to) = (from + 1, to + 1);
        }
        if from > old_index {
            let len = from - old_index;
            ops.push(DiffOp::Equal {
                old_index,
                new_index,
                len,
            });
        }
        let (old_index, new_index) = (from, to);
        while old.get(from) != new.get(to) {
            let (before, after) = (old.get(from), new.get(to));
            let drops = before.is_some() && (is_empty(before) || !is_empty(after));
            let adds = after.is_some() && (is_empty(after) || !is_empty(before));
            (from, to) = (from + usize::from(drops), to + usize::from(adds));
        }
        let (old_len, new_len) = (from - old_index, to - new_index);
        if old_len > 0 || new_len > 0 {
            ops.push(DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            });
        }
    }
    ops
}

/// Which lines a hunk is about.
fn header(hunk: &[DiffOp]) -> String {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return String::new();
    };
    let old = first.old_range().start..last.old_range().end;
    let new = first.new_range().start..last.new_range().end;
    let shown = |range: std::ops::Range<usize>| match range.len() {
        // The line before an empty range is named.
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    };
    format!("@@ -{} +{} @@", shown(old), shown(new))
}
