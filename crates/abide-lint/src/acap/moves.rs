//! Moves lines to where they belong (ACAP-6, ACAP-20).

use super::{edit, fix, line_end};
use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use abide::Span;
use abide::syntax::Line;
use abide::syntax::{Content, FieldKind};

/// Whether the file can grow by `more` bytes without pushing a line beyond the parsing limit.
pub(crate) fn has_room(file: &File<'_>, more: usize) -> bool {
    let limit = file.client.limits().bytes();
    !file.robots.text().is_truncated() && file.bytes.len().saturating_add(more) <= limit
}

/// Moves lines, with the comments directly above them, to before the line `before`, which is above
/// them all.
pub(crate) fn moved_up(file: &File<'_>, lines: &[&Line], before: &Line) -> Vec<Edit> {
    let at = with_comments(file, before).start;
    let mut moved = Vec::new();
    let mut edits = Vec::new();
    for line in lines {
        let span = with_comments(file, line);
        moved.extend(whole(file, line, span));
        edits.push(edit(span, Vec::new()));
    }
    if !edits.is_empty() {
        edits.insert(0, edit(Span::new(at, at), moved));
    }
    edits
}

/// The bytes of `span`, which ends with `line`; adds a line end if the file ends without one.
fn whole(file: &File<'_>, line: &Line, span: Span) -> Vec<u8> {
    let mut bytes = span.of(file.text()).to_vec();
    if line.ending.as_bytes().is_empty() {
        bytes.extend_from_slice(line_end(line));
    }
    bytes
}

/// The line with its line end, and up to 64 comments directly above it.
fn with_comments(file: &File<'_>, line: &Line) -> Span {
    let mut span = File::whole(line);
    let above = |number: u32| file.line(number.checked_sub(1)?);
    let mut next = above(line.number);
    for _ in 0..64 {
        let Some(comment) = next.filter(|line| is_remark(file, line)) else {
            break;
        };
        span = Span::new(comment.span.start, span.end);
        next = above(comment.number);
    }
    span
}

/// Whether the line is an ordinary comment, not a head comment such as `##ACAP`.
fn is_remark(file: &File<'_>, line: &Line) -> bool {
    let is_bare = line.content == Content::Blank && line.comment.is_some();
    is_bare && !line.span.of(file.text()).trim_ascii().starts_with(b"##")
}

/// Moves all ACAP fields after the conventional records, in order. Returns `None` if a conventional
/// rule follows ACAP fields without its own group: nobody knows what its author meant.
pub(crate) fn acap_to_the_end(file: &File<'_>) -> Option<Fix> {
    if !has_room(file, b"\r\n\r\n".len()) || has_loose_rule(file) {
        return None;
    }
    let goes = going(file);
    let lines = file.robots.lines().iter().zip(&goes);
    let first = lines.clone().find(|(_, goes)| **goes)?.0;
    let (mut staying, mut moved) = (Vec::new(), Vec::new());
    for (line, goes) in lines.skip_while(|(_, goes)| !**goes) {
        let part = if *goes { &mut moved } else { &mut staying };
        part.extend(whole(file, line, File::whole(line)));
    }
    staying.extend_from_slice(line_end(first));
    staying.append(&mut moved);
    let end = u32::try_from(file.text().len()).ok()?;
    let span = Span::new(first.span.start, end);
    let title = "move the ACAP records to the end";
    fix(Safety::Safe, title, vec![edit(span, staying)])
}

/// Whether a rule without its own group follows ACAP fields (AMB-ACAP-16).
fn has_loose_rule(file: &File<'_>) -> bool {
    let mut seen_acap = false;
    file.fields().any(|(_, field)| {
        match field.kind {
            FieldKind::Acap => seen_acap = true,
            kind if kind.starts_group() => seen_acap = false,
            kind => return kind.is_rule() && seen_acap,
        }
        false
    })
}

/// For each line, whether it moves with the ACAP fields: it is one, is a comment directly above
/// one, or has only such lines between two of them.
fn going(file: &File<'_>) -> Vec<bool> {
    let lines = file.robots.lines();
    let is_acap = |line: &Line| {
        line.field()
            .is_some_and(|field| field.kind == FieldKind::Acap)
    };
    let mut goes: Vec<bool> = lines.iter().map(is_acap).collect();
    let is_bare = |line: &Line| line.content == Content::Blank;
    let is_mark = |line: &Line| line.comment.is_some() && !is_remark(file, line);
    let mut behind_acap = false;
    let between: Vec<bool> = lines
        .iter()
        .map(|line| {
            if !is_bare(line) {
                behind_acap = is_acap(line);
            }
            behind_acap
        })
        .collect();
    let (mut before_acap, mut right_above) = (false, false);
    for ((line, goes), between) in lines.iter().zip(&mut goes).zip(between).rev() {
        if is_bare(line) {
            right_above &= is_remark(file, line);
            *goes = before_acap && (between || right_above) && !is_mark(line);
        } else {
            before_acap = *goes;
            right_above = *goes;
        }
    }
    goes
}

/// The place before the first line, after a byte order mark.
pub(crate) fn top(file: &File<'_>) -> Span {
    let at = file
        .robots
        .lines()
        .first()
        .map_or(0, |line| line.span.start);
    Span::new(at, at)
}
