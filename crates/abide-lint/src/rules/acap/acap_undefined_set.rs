//! `acap-undefined-set`: reports a diagnostic of the engine.

use crate::acap::definitions::{Kind, above, meant};
use crate::acap::words::words;
use crate::acap::{after, field_of, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUndefinedSet,
    include_str!("acap_undefined_set.md"),
)
.with_fix(fix_for);

/// Suggests the most similar defined name.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let word = words(&field).next()?;
    let behind = after(word.of(field.text), "the-acap:")?;
    let wrong = after(behind, "resource-set:").unwrap_or(behind);
    let set = meant(&above(file, &field), &[Kind::ResourceSet], wrong)?;
    let reference = format!("the-acap:resource-set:{set}");
    Some(write(Safety::Unsafe, word, reference))
}
