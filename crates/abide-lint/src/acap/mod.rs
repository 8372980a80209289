//! The ACAP fields of a robots.txt, in the form that fixes need.
//!
//! - [`words`]: the parts of a value; [`definitions`]: names that the file defines.
//! - [`moves`]: moves lines to where they belong.

pub(crate) mod definitions;
pub(crate) mod moves;
pub(crate) mod words;

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use abide::Span;
use abide::syntax::FieldKind;
use abide::syntax::Line;
use abide::syntax::Separator;
use abide::{Diagnostic, Usage};

/// The fields with a fixed name, as the specification writes them (ACAP-10).
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

/// How the keys of permissions and prohibitions begin; the usage follows.
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

/// The ACAP field that a diagnostic of the engine is about.
pub(crate) fn field_of<'a>(file: &File<'a>, diagnostic: &Diagnostic) -> Option<AcapField<'a>> {
    at(file, diagnostic.line?)
}

/// The ACAP field on line `number`.
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

    /// Whether the field names crawlers, which begins a record (ACAP-22).
    pub(crate) fn is_crawler(&self) -> bool {
        self.is("crawler")
    }

    /// Whether the field defines a name for usages or resources.
    pub(crate) fn is_definition(&self) -> bool {
        ["qualified-usage", "composite-usage", "resource-set"]
            .iter()
            .any(|name| self.is(name))
    }

    /// The part of the key after `ACAP-allow-` or `ACAP-disallow-`, parentheses included.
    pub(crate) fn usage(&self) -> Option<Span> {
        let usage = ["acap-allow-", "acap-disallow-"]
            .iter()
            .find_map(|prefix| after(self.key(), prefix))?;
        Some(Span::new(end(self.key, usage.len()), self.key.end))
    }

    /// From the key to the end of the value, without surrounding blanks and comments.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.key.start, self.value.end.max(self.key.end))
    }

    /// The line end of the field's line; if the file ends there, a line end like the others.
    pub(crate) fn line_end(&self) -> &'static [u8] {
        line_end(self.line)
    }
}

/// The line end; LF if the file ends there.
pub(crate) fn line_end(line: &Line) -> &'static [u8] {
    match line.ending.as_bytes() {
        b"" => b"\n",
        bytes => bytes,
    }
}

/// The rest of `bytes` after `prefix`, ignoring case.
pub(crate) fn after<'a>(bytes: &'a [u8], prefix: &str) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix.as_bytes()).then_some(rest)
}

/// The text in parentheses, if there is no text outside.
pub(crate) fn in_parentheses(bytes: &[u8]) -> Option<&[u8]> {
    let inner = bytes.strip_prefix(b"(")?.strip_suffix(b")")?;
    Some(inner.trim_ascii())
}

/// A usage of ACAP 1.0.
pub(crate) fn standard(bytes: &[u8]) -> Option<Usage> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

/// A fix that replaces one span.
pub(crate) fn write(safety: Safety, span: Span, instead: impl Into<Vec<u8>>) -> Fix {
    let instead = instead.into();
    let title = format!("write {}", abide::explain::shown(&instead));
    Fix::replace(safety, title, span, instead)
}

/// A fix with several edits.
pub(crate) fn fix(safety: Safety, title: &str, edits: Vec<Edit>) -> Option<Fix> {
    let title = title.to_owned();
    (!edits.is_empty()).then_some(Fix {
        safety,
        title: title.into(),
        edits,
    })
}

/// Replaces a span.
pub(crate) fn edit(span: Span, replacement: impl Into<Vec<u8>>) -> Edit {
    let replacement = replacement.into();
    Edit { span, replacement }
}

/// The offset of the last `len` bytes of a span.
pub(crate) fn end(span: Span, len: usize) -> u32 {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    span.end.saturating_sub(len)
}
