//! One line in the canonical layout.

use super::key;
use abide::Span;
use abide::syntax::Separator;
use abide::syntax::{Content, Field, FieldKind};
use abide::{Robots, syntax::Line};

/// Writes lines that were read from the same bytes in two readings.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineWriter<'t> {
    careful: &'t [u8],
    google: &'t [u8],
}

/// Lines from here on are near the length, in bytes, from which on Google's reading sees a part of
/// a line alone: there every byte counts.
const MIN_LONG_LINE: u32 = 16_000;

impl<'t> LineWriter<'t> {
    pub(super) fn new(careful: &'t Robots, google: &'t Robots) -> Self {
        Self {
            careful: careful.text().as_bytes(),
            google: google.text().as_bytes(),
        }
    }

    /// Appends `line`, which the other reading reads as `beside`, without a line end.
    pub(super) fn write(&self, line: &Line, beside: &Line, laid: &mut Vec<u8>) {
        let comment = line.comment.map(|span| trimmed_end(span.of(self.careful)));
        match &line.content {
            Content::Blank => laid.extend_from_slice(comment.unwrap_or_default()),
            Content::Field(field) if self.may_be_spaced(line, field, beside) => {
                self.field(field, laid);
                if let Some(comment) = comment {
                    laid.push(b' ');
                    laid.extend_from_slice(comment);
                }
            }
            Content::Field(_) | Content::Unreadable => {
                laid.extend_from_slice(trimmed_end(line.span.of(self.careful)));
            }
        }
    }

    /// Whether both readings see the same parts in the line, so that what stands between these is
    /// nothing to either.
    fn may_be_spaced(&self, line: &Line, field: &Field, beside: &Line) -> bool {
        let foreign = field.kind == FieldKind::Other && !self.is_plain_record(field);
        if line.span.len() >= MIN_LONG_LINE || line.span != beside.span || foreign {
            return false;
        }
        match &beside.content {
            Content::Field(other) => {
                same(field.key, other.key, self.careful, self.google)
                    && same(field.value, other.value, self.careful, self.google)
                    && field.separator == other.separator
            }
            // The readings part over ACAP fields without a colon, of which Google's reads none.
            Content::Unreadable => {
                field.kind == FieldKind::Acap && field.separator == Separator::None
            }
            Content::Blank => false,
        }
    }

    /// Whether a record that nobody here knows looks like one, and not like a URL or a line of a
    /// page.
    fn is_plain_record(&self, field: &Field) -> bool {
        let key = field.key.of(self.careful);
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        field.separator == Separator::Colon
            && key.iter().all(is_name)
            && !field.value.of(self.careful).starts_with(b"//")
    }

    fn field(&self, field: &Field, laid: &mut Vec<u8>) {
        laid.extend_from_slice(&key::canonical(field, field.key.of(self.careful)));
        if field.separator == Separator::Colon {
            laid.push(b':');
        }
        let value = field.value.of(self.careful);
        if !value.is_empty() {
            laid.push(b' ');
            laid.extend_from_slice(value);
        }
    }
}

/// Whether both readings see the same part. An empty one may stand anywhere between blanks.
fn same(a: Span, b: Span, careful: &[u8], google: &[u8]) -> bool {
    (a == b || a.is_empty() && b.is_empty()) && a.of(careful) == b.of(google)
}

pub(super) fn trimmed_end(bytes: &[u8]) -> &[u8] {
    let kept = bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    kept.map_or(&[], |last| bytes.get(..=last).unwrap_or_default())
}
