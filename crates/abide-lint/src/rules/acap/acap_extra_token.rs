//! `acap-extra-token`: reports a diagnostic of the engine.

use crate::acap::words::{Word, qualifiers, words};
use crate::acap::{AcapField, after, field_of};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapExtraToken, include_str!("acap_extra_token.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    if field.is("ignore-conventional-records") {
        return bare(&field);
    }
    divided(&field)
}

/// Removes a value from a field that takes none. A value such as "no" needs a person.
fn bare(field: &AcapField<'_>) -> Option<Fix> {
    const YES: [&[u8]; 4] = [b"yes", b"true", b"on", b"1"];
    let value = field.value.of(field.text);
    let is_yes = YES.iter().any(|yes| value.eq_ignore_ascii_case(yes));
    let span = Span::new(field.key.end, field.value.end);
    is_yes.then(|| Fix::remove(Safety::Safe, "remove the value", span))
}

/// Writes one line for each resource, if all words without `=` are resources.
fn divided(field: &AcapField<'_>) -> Option<Fix> {
    field.usage()?;
    let mut resources = vec![words(field).next()?];
    let mut limits = Vec::new();
    for word in qualifiers(field) {
        match word {
            Word::Bare(span) => resources.push(span),
            Word::Qualifier { .. } => limits.push(word.span()),
        }
    }
    if !resources
        .iter()
        .all(|word| is_resource(word.of(field.text)))
    {
        return None;
    }
    let mut lines = Vec::new();
    for resource in resources {
        if !lines.is_empty() {
            lines.extend_from_slice(field.line_end());
        }
        lines.extend_from_slice(field.key());
        lines.push(b':');
        for word in std::iter::once(&resource).chain(&limits) {
            lines.push(b' ');
            lines.extend_from_slice(word.of(field.text));
        }
    }
    let title = "write a line for each resource";
    Some(Fix::replace(Safety::Unsafe, title, field.span(), lines))
}

fn is_resource(word: &[u8]) -> bool {
    word.starts_with(b"/") || word.starts_with(b"*") || after(word, "the-acap:").is_some()
}
