//! `acap-nested-composite`: reports a diagnostic of the engine.

use crate::acap::definitions::{Kind, above, usage};
use crate::acap::words::{MAX_WORDS, behind_name};
use crate::acap::{field_of, in_parentheses, write};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapNestedComposite,
    include_str!("acap_nested_composite.md"),
)
.with_fix(fix_for);

/// Replaces the inner usage by its parts.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let defined = above(file, &field);
    let (word, inner) = behind_name(&field).into_iter().find_map(|word| {
        let inner = usage(&defined, in_parentheses(word.of(field.text))?)?;
        (inner.kind == Kind::CompositeUsage && inner.words.len() <= MAX_WORDS)
            .then_some((word, inner))
    })?;
    let parts: Vec<_> = inner.words.iter().map(|part| part.of(field.text)).collect();
    Some(write(Safety::Unsafe, word, parts.join(&b' ')))
}
