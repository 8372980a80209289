//! The ACAP fields of a robots.txt, as fixes look at them.
//!
//! - [`words`]: what stands in a value; [`definitions`]: names that the file gives.
//! - [`layout`]: lines that move to where they belong.

pub(crate) mod definitions;
pub(crate) mod layout;
pub(crate) mod words;

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use abide::Span;
use abide::syntax::FieldKind;
use abide::syntax::Line;
use abide::syntax::Separator;
use abide::{Diagnostic, Usage};

/// The fields that have one name each, as the specification writes them (ACAP-10).
pub(crate) const FIELDS: [&str; 9] = [
    "ACAP-ignore-conventional-records",
    "ACAP-qualified-usage",
    "ACAP-composite-usage",
    "ACAP-resource-set",
    "ACAP-crawler",
    "ACAP-permissions-reference",
    "ACAP-usage-purpose",
    "ACAP-request-take-down",
    "ACAP-request-re-crawl",
];

/// What a permission and a prohibition begin with, before the usage.
pub(crate) const SENSES: [&str; 2] = ["ACAP-allow-", "ACAP-disallow-"];

/// A field of the ACAP stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcapField<'a> {
    pub(crate) line: &'a Line,
    pub(crate) key: Span,
    pub(crate) separator: Separator,
    pub(crate) value: Span,
    pub(crate) text: &'a [u8],
}

/// Every ACAP field of the file.
pub(crate) fn fields<'a>(file: &File<'a>) -> impl Iterator<Item = AcapField<'a>> {
    let text = file.text();
    file.fields_of(FieldKind::Acap)
        .map(move |(line, field, _)| AcapField {
            line,
            key: field.key,
            separator: field.separator,
            value: field.value,
            text,
        })
}

/// The ACAP field that the engine told of.
pub(crate) fn told<'a>(file: &File<'a>, told: &Diagnostic) -> Option<AcapField<'a>> {
    at(file, told.line?)
}

/// The ACAP field on the line of this number.
pub(crate) fn at<'a>(file: &File<'a>, number: u32) -> Option<AcapField<'a>> {
    let line = file.line(number)?;
    let field = line.field().filter(|field| field.kind == FieldKind::Acap)?;
    Some(AcapField {
        line,
        key: field.key,
        separator: field.separator,
        value: field.value,
        text: file.text(),
    })
}

impl<'a> AcapField<'a> {
    pub(crate) fn key(&self) -> &'a [u8] {
        self.key.of(self.text)
    }

    /// Whether the key is `ACAP-` and `name`, whatever its case (ACAP-10).
    pub(crate) fn is(&self, name: &str) -> bool {
        after(self.key(), "acap-").is_some_and(|rest| rest.eq_ignore_ascii_case(name.as_bytes()))
    }

    /// Whether the field names crawlers, with which a record begins (ACAP-22).
    pub(crate) fn is_crawler(&self) -> bool {
        self.is("crawler")
    }

    /// Whether the field gives a name to a usage, usages or resources.
    pub(crate) fn is_definition(&self) -> bool {
        ["qualified-usage", "composite-usage", "resource-set"]
            .iter()
            .any(|name| self.is(name))
    }

    /// What stands behind `ACAP-allow-` or `ACAP-disallow-` in the key, parentheses included.
    pub(crate) fn usage(&self) -> Option<Span> {
        let usage = ["acap-allow-", "acap-disallow-"]
            .iter()
            .find_map(|prefix| after(self.key(), prefix))?;
        Some(Span::new(end(self.key, usage.len()), self.key.end))
    }

    /// Key and value, without what surrounds them.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.key.start, self.value.end.max(self.key.end))
    }

    /// The end of the field's line, or of a line like the others where the file ends with it.
    pub(crate) fn line_end(&self) -> &'static [u8] {
        line_end(self.line)
    }
}

/// The end of the line, or LF where the file ends with it.
pub(crate) fn line_end(line: &Line) -> &'static [u8] {
    match line.ending.as_bytes() {
        b"" => b"\n",
        bytes => bytes,
    }
}

/// What stands behind `prefix` in `bytes`, whatever its case.
pub(crate) fn after<'a>(bytes: &'a [u8], prefix: &str) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix.as_bytes()).then_some(rest)
}

/// What stands between parentheses, if nothing stands outside of them.
pub(crate) fn in_parentheses(bytes: &[u8]) -> Option<&[u8]> {
    let inner = bytes.strip_prefix(b"(")?.strip_suffix(b")")?;
    Some(inner.trim_ascii())
}

/// A usage of ACAP 1.0.
pub(crate) fn standard(bytes: &[u8]) -> Option<Usage> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// A fix of the usual kind: one place, where what was meant stands instead.
pub(crate) fn write(safety: Safety, span: Span, instead: impl Into<Vec<u8>>) -> Fix {
    let instead = instead.into();
    let title = format!("write {}", crate::file::shown(&instead));
    Fix::replace(safety, title, span, instead)
}

/// A fix of several edits.
pub(crate) fn fix(safety: Safety, title: &str, edits: Vec<Edit>) -> Option<Fix> {
    let title = title.to_owned();
    (!edits.is_empty()).then_some(Fix {
        safety,
        title: title.into(),
        edits,
    })
}

/// Bytes in place of others.
pub(crate) fn edit(span: Span, replacement: impl Into<Vec<u8>>) -> Edit {
    let replacement = replacement.into();
    Edit { span, replacement }
}

/// Where the last `len` bytes of a span begin.
pub(crate) fn end(span: Span, len: usize) -> u32 {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    span.end.saturating_sub(len)
}
