//! `acap-undefined-usage`: reports a diagnostic of the engine.

use crate::acap::definitions::{Definition, Kind, LOCAL_USAGES, PARTS, above, meant};
use crate::acap::words::behind_name;
use crate::acap::{field_of, in_parentheses, standard, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUndefinedUsage,
    include_str!("acap_undefined_usage.md"),
)
.with_fix(fix_for);

/// Removes the parentheses from an ACAP usage; otherwise suggests the most similar defined name.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let defined = above(file, &field);
    let kinds = if field.is_definition() {
        PARTS
    } else {
        LOCAL_USAGES
    };
    let instead = |word: Span| {
        let name = in_parentheses(word.of(field.text))?;
        if is_defined(&defined, name) {
            return None;
        }
        let usage = standard(name).map(|usage| usage.name().to_owned());
        let local = || meant(&defined, kinds, name).map(|name| format!("({name})"));
        Some(write(Safety::Unsafe, word, usage.or_else(local)?))
    };
    match field.usage() {
        Some(usage) => instead(usage),
        None => behind_name(&field).into_iter().find_map(instead),
    }
}

fn is_defined(definitions: &[Definition<'_>], name: &[u8]) -> bool {
    definitions.iter().any(|definition| {
        definition.kind != Kind::ResourceSet && definition.name.eq_ignore_ascii_case(name)
    })
}
