//! `acap-unknown-field`: reports a diagnostic of the engine.

use crate::acap::{FIELDS, SENSES, field_of, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic, Usage};
use abide_analysis::spelling::nearest;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUnknownField,
    include_str!("acap_unknown_field.md"),
)
.with_fix(fix_for);

/// The most similar field; for one with a usage in parentheses, the part before them.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let key = std::str::from_utf8(field.key()).ok()?;
    if let Some(at) = key.find('(') {
        let at = u32::try_from(at).ok()?;
        let span = Span::new(field.key.start, field.key.start.saturating_add(at));
        let sense = nearest(key.split('(').next()?, SENSES)?;
        return Some(write(Safety::Unsafe, span, sense));
    }
    let statements: Vec<String> = SENSES
        .iter()
        .flat_map(|sense| {
            Usage::ACAP
                .iter()
                .map(move |usage| format!("{sense}{}", usage.name()))
        })
        .collect();
    let names = FIELDS
        .into_iter()
        .chain(statements.iter().map(String::as_str));
    Some(write(Safety::Unsafe, field.key, nearest(key, names)?))
}
