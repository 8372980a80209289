//! `acap-unknown-field`: the engine finds it.

use crate::acap::{FIELDS, SENSES, told, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use crate::spelling::nearest;
use abide::Span;
use abide::{Code, Diagnostic, Usage};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUnknownField,
    include_str!("acap_unknown_field.md"),
)
.with_fix(fix_for);

/// The field most like it; of one that has a usage in parentheses, what stands before these.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = told(file, diagnostic)?;
    let key = std::str::from_utf8(field.key()).ok()?;
    if let Some(at) = key.find('(') {
        let at = u32::try_from(at).ok()?;
        let span = Span::new(field.key.start, field.key.start.saturating_add(at));
        let sense = nearest(key.split('(').next()?, SENSES)?;
        return Some(write(Safety::Unsafe, span, sense));
    }
    let statements: Vec<String> = SENSES
        .iter()
        .flat_map(|sense| Usage::ALL.map(|usage| format!("{sense}{}", usage.name())))
        .collect();
    let names = FIELDS
        .into_iter()
        .chain(statements.iter().map(String::as_str));
    Some(write(Safety::Unsafe, field.key, nearest(key, names)?))
}
