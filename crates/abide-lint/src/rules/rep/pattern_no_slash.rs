//! `pattern-no-slash`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::text::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::PatternNoSlash, include_str!("pattern_no_slash.md")).mended_by(mend);

/// What a pattern begins with is not told by the pattern alone: `private/` may mean `/private/`.
fn mend(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let value = told.span.of(file.text());
    if value.starts_with(b"$") || value.contains(&b':') {
        return None;
    }
    let start = Span::new(told.span.start, told.span.start);
    Some(Fix::replace(Safety::Unsafe, "begin with \"/\"", start, "/"))
}
