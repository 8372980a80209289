//! `acap-unknown-usage`: reports a diagnostic of the engine.

use crate::acap::definitions::{LOCAL_USAGES, PARTS, above, meant};
use crate::acap::words::{behind_name, words};
use crate::acap::{field_of, in_parentheses, standard, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic, Usage};
use abide_analysis::spelling::nearest;

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUnknownUsage,
    include_str!("acap_unknown_usage.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let kinds = if field.is("qualified-usage") {
        &[]
    } else if field.is_definition() {
        PARTS
    } else {
        LOCAL_USAGES
    };
    let defined = above(file, &field);
    let instead = |word: Span| {
        let bytes = word.of(field.text);
        let is_known = standard(bytes).is_some() || in_parentheses(bytes).is_some();
        let usage = usage(bytes, meant(&defined, kinds, bytes))?;
        (!is_known).then(|| write(Safety::Unsafe, word, usage))
    };
    match field.usage() {
        Some(usage) => instead(usage),
        None if field.is("composite-usage") => behind_name(&field).into_iter().find_map(instead),
        None => words(&field).nth(1).and_then(instead),
    }
}

/// The usage that was probably meant: one that the file defines, a kind of `present`, or the most
/// similar one.
fn usage(wrong: &[u8], local: Option<&str>) -> Option<String> {
    if let Some(name) = local.filter(|name| wrong.eq_ignore_ascii_case(name.as_bytes())) {
        return Some(format!("({name})"));
    }
    let wrong = std::str::from_utf8(wrong).ok()?;
    let of_present = format!("present-{wrong}").parse().ok().map(Usage::name);
    let names = Usage::ACAP.iter().map(|usage| usage.name());
    let usage = of_present.or_else(|| nearest(wrong, names))?;
    Some(usage.to_owned())
}
