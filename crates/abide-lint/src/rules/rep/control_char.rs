//! `control-char`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::ControlChar, include_str!("control_char.md"))
    .with_fix(fix_for)
    .doubting_line();

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let line = file.line(diagnostic.line?)?;
    // No robot reads comments, so a finding about one belongs to nothing else.
    let is_comment = diagnostic.span != line.span;
    let (span, safety) = if is_comment {
        (diagnostic.span, Safety::Safe)
    } else {
        (line.field()?.value, Safety::Unsafe)
    };
    let mut bytes = span.of(file.text()).to_vec();
    bytes.retain(|&byte| byte >= b' ' || byte == b'\t');
    let title = "remove the control bytes";
    // A control byte in the key stays: without it, the key would be another one.
    let is_changed = bytes.len() < span.len() as usize;
    is_changed.then(|| Fix::replace(safety, title, span, bytes))
}
