//! `control-char`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::ControlChar, include_str!("control_char.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let line = file.line(told.line?)?;
    // A finding about a comment is about nothing else, and no robot reads comments.
    let is_comment = told.span != line.span;
    let (span, safety) = if is_comment {
        (told.span, Safety::Safe)
    } else {
        (line.field()?.value, Safety::Unsafe)
    };
    let mut bytes = span.of(file.text()).to_vec();
    bytes.retain(|&byte| byte >= b' ' || byte == b'\t');
    Some(Fix::replace(
        safety,
        "remove the control bytes",
        span,
        bytes,
    ))
}
