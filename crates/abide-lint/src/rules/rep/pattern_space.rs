//! `pattern-space`: reports a diagnostic of the engine.

use super::several_fields::hides_field;
use crate::escape;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Severity};

pub(crate) static RULE: Rule = Rule::engine(Code::PatternSpace, include_str!("pattern_space.md"))
    .with_fix(fix_for)
    .instead_of(&["readings-differ"])
    .or(Severity::Info)
    .doubting_line();

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = file.pattern(diagnostic.line?)?;
    // Several paths or fields on one line: only a person can separate them.
    let has_several = |two: &[u8]| matches!(two, [b' ' | b'\t', b'/'] | [b',', b' ']);
    let text = value.of(file.text());
    if text.windows(2).any(has_several) || hides_field(text) {
        return None;
    }
    let needs_escape = |rest: &[u8]| matches!(rest, [b' ' | b'\t' | 0x7F, ..]);
    let escaped = escape::escaped(text, needs_escape);
    let title = "write %20 for spaces";
    Some(Fix::replace(Safety::Safe, title, value, escaped))
}
