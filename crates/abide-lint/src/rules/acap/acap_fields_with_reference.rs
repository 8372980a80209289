//! `acap-fields-with-reference`: reports a diagnostic of the engine.

use crate::acap::moves::has_room;
use crate::acap::{AcapField, edit, fields, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapFieldsWithReference,
    include_str!("acap_fields_with_reference.md"),
)
.with_fix(fix_for);

/// Gives each reference its own record: records for the same crawlers add up (ACAP-37). `None` if a
/// reference is among usage purposes, because a new record would end them.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let (crawlers, body) = record(file, diagnostic.line?);
    let is_reference = |field: &AcapField<'_>| field.is("permissions-reference");
    let purpose = body.iter().position(|field| field.is("usage-purpose"));
    let last = body.iter().rposition(is_reference)?;
    if purpose.is_some_and(|purpose| purpose < last) {
        return None;
    }
    let head = head(&crawlers);
    let starts: Vec<u32> = body
        .windows(2)
        .filter_map(|pair| match pair {
            [one, next] if is_reference(one) || is_reference(next) => Some(next.line.span.start),
            _ => None,
        })
        .collect();
    if !has_room(file, head.len().saturating_mul(starts.len())) {
        return None;
    }
    let edits = starts
        .into_iter()
        .map(|at| edit(Span::new(at, at), head.clone()))
        .collect();
    fix(Safety::Safe, "divide the record", edits)
}

/// The crawler fields of the record that begins on line `first`, and the fields after them.
fn record<'a>(file: &File<'a>, first: u32) -> (Vec<AcapField<'a>>, Vec<AcapField<'a>>) {
    let mut crawlers = Vec::new();
    let mut body = Vec::new();
    for field in fields(file).skip_while(|field| field.line.number < first) {
        match (field.is_crawler(), body.is_empty()) {
            (true, true) => crawlers.push(field),
            (true, false) => break,
            (false, _) => body.push(field),
        }
    }
    (crawlers, body)
}

/// A blank line and a copy of the crawler fields.
fn head(crawlers: &[AcapField<'_>]) -> Vec<u8> {
    let mut head = Vec::new();
    for field in crawlers {
        if head.is_empty() {
            head.extend_from_slice(field.line_end());
        }
        head.extend_from_slice(field.span().of(field.text));
        head.extend_from_slice(field.line_end());
    }
    head
}
