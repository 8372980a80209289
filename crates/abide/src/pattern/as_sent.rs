//! What web clients make of a path before they send it (URL Standard, section 4.4).
//!
//! The engine compares URLs as they are given (AMB-REP-24). A caller that gives
//! `/public/../private/` gets an answer about that text, while nearly every HTTP client sends
//! `/private/`. So a decision shows the difference (`url-not-as-sent`), and paths that a file
//! refers to are resolved.

use crate::array_windows::array_windows;
use std::borrow::Cow;
use std::fmt::Write;

/// `path`, with its query and without a fragment, as a web client sends it: dot segments are
/// resolved, `\` is `/` in the path, line ends and tabs are removed, and other controls and spaces
/// are encoded. Escapes that only change the spelling of a path are not written, because rules
/// match either way (AMB-REP-1).
///
/// A client removes the controls and spaces at the end of a URL before it looks for a path: see
/// [`without_trailing_spaces`].
pub(crate) fn as_sent(path: &str) -> Cow<'_, str> {
    if is_sent_as_given(path.as_bytes()) {
        return Cow::Borrowed(path);
    }
    let kept: String = path
        .chars()
        // The URL Standard removes these before it looks at anything else.
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let end = kept.find('?').unwrap_or(kept.len());
    let (path, query) = kept.split_at_checked(end).unwrap_or((&kept, ""));
    let mut sent = String::with_capacity(kept.len());
    // Only in the path: a query keeps its `\`.
    for segment in resolved(&path.replace('\\', "/")) {
        sent.push('/');
        encode(segment, &mut sent);
    }
    encode(query, &mut sent);
    Cow::Owned(sent)
}

/// The path of `url` without the controls and spaces that end the URL. Before a fragment they are
/// part of the path, and are sent as escapes.
pub(crate) fn without_trailing_spaces<'a>(path: &'a str, url: &str) -> &'a str {
    let trimmed = path.trim_end_matches(|c: char| c <= ' ');
    if trimmed.len() < path.len() && url.contains('#') {
        return path;
    }
    trimmed
}

/// Whether nothing in a path can have to change, which is so for nearly every URL.
fn is_sent_as_given(path: &[u8]) -> bool {
    let is_odd = |byte: &u8| *byte <= b' ' || matches!(byte, b'\\' | 0x7F);
    // `/%` may begin `/%2e`, which is a dot segment too.
    let may_begin_dots = |pair: &[u8; 2]| matches!(pair, b"/." | b"/%");
    matches!(path, [] | [b'/' | b'?', ..])
        && !path.iter().any(is_odd)
        && !array_windows(path).any(may_begin_dots)
}

/// The segments of a path without `.` and `..`, in any spelling of the dot.
fn resolved(path: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut segments = path.strip_prefix('/').unwrap_or(path).split('/').peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match dots(segment) {
            Some(dots) => {
                if dots == 2 {
                    // At the root there is nothing to remove: `/../a` is `/a`.
                    kept.pop();
                }
                if is_last {
                    // A dot segment at the end leaves the slash before it: `/a/.` is `/a/`.
                    kept.push("");
                }
            }
            None => kept.push(segment),
        }
    }
    kept
}

/// How many dots a segment is, one or two; `None` if it is anything else. `%2e` is a dot.
fn dots(segment: &str) -> Option<usize> {
    let mut rest = segment;
    let mut dots = 0_usize;
    while !rest.is_empty() {
        let escape = rest
            .get(..3)
            .filter(|text| text.eq_ignore_ascii_case("%2e"));
        let length = escape.map_or(1, str::len);
        if escape.is_none() && !rest.starts_with('.') {
            return None;
        }
        rest = rest.get(length..)?;
        dots = dots.saturating_add(1);
    }
    matches!(dots, 1 | 2).then_some(dots)
}

/// Adds `text` to `sent`, with controls and blanks as escapes.
fn encode(text: &str, sent: &mut String) {
    for c in text.chars() {
        match c {
            '\0'..=' ' | '\x7F' => {
                // Writing to a String cannot fail.
                let _ = write!(sent, "%{:02X}", u32::from(c));
            }
            other => sent.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amb_rep_24_paths_as_web_clients_send_them() {
        for (given, sent) in [
            ("/a/b?c/../d", "/a/b?c/../d"),
            ("/public/../private/x", "/private/x"),
            ("/public/%2e%2E/private/x", "/private/x"),
            ("/public/.%2E/private/x", "/private/x"),
            ("/./private/x", "/private/x"),
            ("/x\\..\\private\\y?a\\b", "/private/y?a\\b"),
            ("/pri\tvate/x", "/private/x"),
            ("/private\n/x", "/private/x"),
            ("/a b?c d", "/a%20b?c%20d"),
            ("/a ", "/a%20"),
            ("/a\t", "/a"),
            ("/..", "/"),
            ("/a/..", "/"),
            ("/a/.", "/a/"),
            ("/a//../b", "/a/b"),
            ("/.../..a/.b", "/.../..a/.b"),
            ("/%2f/%2", "/%2f/%2"),
            ("?a=b", "?a=b"),
            ("?a b", "/?a%20b"),
            ("", ""),
        ] {
            assert_eq!(as_sent(given), sent, "{given:?}");
        }
    }

    #[test]
    fn amb_rep_24_spaces_end_a_url_or_belong_to_its_path() {
        for (path, url, kept) in [
            ("/a \t", "/a \t", "/a"),
            ("/a", "/a", "/a"),
            ("/a ", "/a #", "/a "),
            ("/a ", "http://e.example/a #b ", "/a "),
            ("/ ", "/ ", "/"),
        ] {
            assert_eq!(without_trailing_spaces(path, url), kept, "{url:?}");
        }
    }
}
