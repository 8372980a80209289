//! `pattern-no-slash`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::PatternNoSlash, include_str!("pattern_no_slash.md")).with_fix(fix_for);

/// What a pattern begins with is not told by the pattern alone: `private/` may mean `/private/`.
fn fix_for(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let value = told.span.of(file.text());
    let mut segments = value.split(|&byte| byte == b'/');
    let first = segments.next().unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'*');
    let is_folder = first.iter().all(is_name);
    // `www.example.com/x` names a host; quotes and the like do not belong there at all.
    let is_file =
        segments.next().is_none() && first.iter().all(|byte| is_name(byte) || *byte == b'.');
    if first.is_empty() || !(is_folder || is_file) {
        return None;
    }
    let start = Span::new(told.span.start, told.span.start);
    Some(Fix::replace(Safety::Unsafe, "begin with \"/\"", start, "/"))
}
