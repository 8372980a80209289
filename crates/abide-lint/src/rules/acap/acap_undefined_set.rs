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

/// What precedes the name of a set, after the scheme.
const SET: &str = "resource-set:";

/// Suggests the most similar defined name.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let word = words(&field).next()?;
    let text = word.of(field.text);
    let folded = text.to_ascii_lowercase();
    let kind = memchr::memmem::find(&folded, SET.as_bytes());
    let wrong = match kind {
        Some(kind) => text.get(kind + SET.len()..)?,
        None => after(text, "the-acap:")?,
    };
    let set = meant(&above(file, &field), &[Kind::ResourceSet], wrong)?;
    let reference = format!("the-acap:{SET}{set}");
    Some(write(Safety::Unsafe, word, reference))
}
