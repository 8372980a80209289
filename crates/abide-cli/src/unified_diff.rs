//! Shows changes to a file as a unified diff.

use crate::file_arg::FileArg;
use abide::explain::visible;
use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, DiffOp};
use std::io::{self, IsTerminal, Write};

/// The number of lines shown around each change.
const CONTEXT: usize = 3;

/// Who reads a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// People: bytes that a terminal would act on appear as escapes.
    Shown,
    /// Programs such as `patch`: the bytes of the files, unchanged.
    Data,
}

/// Writes the changes from `old` to `new`, both bytes of the file `name`, to stdout; nothing if
/// they are equal. On a terminal, and wherever colors are asked for, people read it.
pub(crate) fn to_stdout(name: &FileArg, old: &[u8], new: &[u8]) -> io::Result<()> {
    let stdout = io::stdout();
    let has_colors = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    if has_colors || stdout.is_terminal() {
        let mut out = anstream::stdout().lock();
        write(&mut out, Form::Shown, name, old, new)?;
        return out.flush();
    }
    let mut out = stdout.lock();
    write(&mut out, Form::Data, name, old, new)?;
    out.flush()
}

/// Writes the changes from `old` to `new`, both bytes of the file `name`; nothing if they are
/// equal. Linear in the length of both.
pub(crate) fn write(
    out: &mut impl Write,
    form: Form,
    name: &FileArg,
    old: &[u8],
    new: &[u8],
) -> io::Result<()> {
    if old == new {
        return Ok(());
    }
    let styled = |style: Style| match form {
        Form::Shown => style,
        Form::Data => Style::new(),
    };
    let (old, new) = (lines(old), lines(new));
    let bold = styled(Style::new().bold());
    writeln!(out, "{bold}--- {name}{bold:#}")?;
    writeln!(out, "{bold}+++ {name}{bold:#}")?;
    for hunk in similar::group_diff_ops(changes(&old, &new), CONTEXT) {
        let style = styled(AnsiColor::Cyan.on_default());
        writeln!(out, "{style}{}{style:#}", header(&hunk))?;
        for change in hunk.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Equal => (' ', Style::new()),
                ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
            };
            let (line, style): (&[u8], _) = (change.value(), styled(style));
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            write!(out, "{style}{sign}")?;
            match form {
                Form::Shown => out.write_all(visible(text).as_bytes())?,
                Form::Data => out.write_all(text)?,
            }
            writeln!(out, "{style:#}")?;
            if !line.ends_with(b"\n") {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}

/// The lines of a file, each with its line end.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

/// The largest number of lines added or removed in one place that is recognised as such.
const MAX_LINES: usize = 64;

/// Pairs the lines in order. Formats and fixes change lines in place and add or remove few at one
/// place, so no longest common subsequence is needed, which would take minutes if all of many lines
/// change.
fn changes(old: &[&[u8]], new: &[&[u8]]) -> Vec<DiffOp> {
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
        while from < old.len() || to < new.len() {
            let (before, after) = (old.get(from), new.get(to));
            if before == after {
                break;
            }
            let drops = |count: &usize| after.is_some() && old.get(from + count) == after;
            let adds = |count: &usize| before.is_some() && new.get(to + count) == before;
            let dropped = (1..=MAX_LINES).find(drops).filter(|_| before.is_some());
            let added = (1..=MAX_LINES).find(adds).filter(|_| after.is_some());
            (from, to) = match (dropped, added) {
                (Some(dropped), None) => (from + dropped, to),
                (Some(dropped), Some(added)) if dropped <= added => (from + dropped, to),
                (_, Some(added)) => (from, to + added),
                (None, None) => {
                    let is_there = |line: Option<&&[u8]>| usize::from(line.is_some());
                    (from + is_there(before), to + is_there(after))
                }
            };
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

/// The header of a hunk.
fn header(hunk: &[DiffOp]) -> String {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return String::new();
    };
    let old = first.old_range().start..last.old_range().end;
    let new = first.new_range().start..last.new_range().end;
    let shown = |range: std::ops::Range<usize>| match range.len() {
        // For an empty range, the format names the line before it.
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    };
    format!("@@ -{} +{} @@", shown(old), shown(new))
}
