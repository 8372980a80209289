//! `pattern-dot-segment`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Severity};

pub(crate) static RULE: Rule = Rule::engine(
    Code::PatternDotSegment,
    include_str!("pattern_dot_segment.md"),
)
.with_fix(fix_for)
.doubting_line()
.or(Severity::Info);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let span = file.pattern(diagnostic.line?)?;
    let resolved = resolved(span.of(file.text()))?;
    let title = "resolve the dot segments";
    Some(Fix::replace(Safety::Unsafe, title, span, resolved))
}

/// The pattern without its dot segments. `None` if they cannot be resolved: a last segment that may
/// continue, because a pattern is a prefix, or `..` after a `*`. Also `None` if the result would
/// match everything, which nobody can have meant.
fn resolved(value: &[u8]) -> Option<Vec<u8>> {
    let query = value.iter().position(|&byte| byte == b'?');
    let end = query.unwrap_or(value.strip_suffix(b"$").unwrap_or(value).len());
    let (path, rest) = value.split_at_checked(end)?;
    let mut segments = path.split(|&byte| byte == b'/').peekable();
    let mut kept = vec![segments.next()?];
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match points(segment) {
            _ if is_last && rest.is_empty() && points(segment).is_some() => return None,
            Some(Points::One) => {}
            Some(Points::Two) => take_back(&mut kept)?,
            None => {
                kept.push(segment);
                continue;
            }
        }
        if is_last {
            kept.push(b"");
        }
    }
    let mut resolved = kept.join(&b'/');
    let is_all = resolved.iter().all(|byte| matches!(byte, b'/' | b'*'));
    resolved.extend_from_slice(rest);
    (!is_all).then_some(resolved)
}

enum Points {
    One,
    Two,
}

/// Whether a segment is `.` or `..`; clients read `%2e` as a point too.
fn points(segment: &[u8]) -> Option<Points> {
    let segment = segment.to_ascii_lowercase();
    match segment.as_slice() {
        b"." | b"%2e" => Some(Points::One),
        b".." | b".%2e" | b"%2e." | b"%2e%2e" => Some(Points::Two),
        _ => None,
    }
}

/// Removes the last segment, but never the root.
fn take_back(kept: &mut Vec<&[u8]>) -> Option<()> {
    if kept.last()?.contains(&b'*') {
        return None;
    }
    if kept.len() > 1 {
        kept.pop();
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::resolved;

    #[test]
    fn segments_are_resolved_as_clients_do_it() {
        let cases: [(&str, Option<&str>); 15] = [
            ("/shop/../private/", Some("/private/")),
            ("/shop/./private", Some("/shop/private")),
            ("/../private/", Some("/private/")),
            ("/a//../b", Some("/a/b")),
            ("/a*/b/../c", Some("/a*/c")),
            ("/a/b/..$", Some("/a/$")),
            ("/a/.?b=/../", Some("/a/?b=/../")),
            ("*/./a", Some("*/a")),
            ("/*/../a", None),
            ("/shop/%2e%2E/private/", Some("/private/")),
            ("/a/.%2E/%2e/b", Some("/b")),
            ("/a/%2e%2e", None),
            ("/.", None),
            ("/a/./..", None),
            ("/a/../", None),
        ];
        for (value, expected) in cases {
            let found = resolved(value.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{value}");
        }
    }
}
