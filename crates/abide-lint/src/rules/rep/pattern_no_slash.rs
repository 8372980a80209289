//! `pattern-no-slash`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::PatternNoSlash, include_str!("pattern_no_slash.md"))
        .with_fix(fix_for)
        .doubting_line();

/// The pattern alone does not say where it begins: `private/` may mean `/private/` or any folder of
/// that name.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = diagnostic.span.of(file.text());
    let mut segments = value.split(|&byte| byte == b'/');
    let first = segments.next().unwrap_or_default();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'*');
    let is_folder = first.iter().all(is_name);
    // `www.example.com/x` names a host; quotes and similar characters do not belong in a path.
    let is_file =
        segments.next().is_none() && first.iter().all(|byte| is_name(byte) || *byte == b'.');
    let has_name = first.iter().any(u8::is_ascii_alphanumeric) || is_folder;
    if first.is_empty() || !(is_folder || is_file && has_name) {
        return None;
    }
    let start = Span::new(diagnostic.span.start, diagnostic.span.start);
    // `.css` is an ending, and not a file in the root.
    let begin = if first.starts_with(b".") { "/*" } else { "/" };
    let title = format!("begin with \"{begin}\"");
    Some(Fix::replace(Safety::Unsafe, title, start, begin))
}
