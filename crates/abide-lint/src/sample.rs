//! Finds URLs that show what a pattern does: one that it matches, and one that it just fails to
//! match.

use abide::syntax::PathPattern;
use std::fmt::Write;

/// The largest length of a URL in bytes; patterns that need longer ones get no sample.
const LONGEST: usize = 500;

/// A path in ASCII that `pattern` matches; `None` if none is found.
pub(crate) fn matching(pattern: &PathPattern<'_>) -> Option<String> {
    let plain = filled(pattern, "x")?;
    let page = format!("{plain}page");
    let candidates = [
        // A page in a folder is the best example of the folder.
        (plain.ends_with('/') && !pattern.is_anchored()).then_some(page),
        Some(plain),
        filled(pattern, ""),
    ];
    let matches = |path: &String| pattern.matches(path.as_bytes());
    candidates.into_iter().flatten().find(matches)
}

/// A path that `pattern` does not match, similar to one that it matches; `None` if none is found.
pub(crate) fn missing(pattern: &PathPattern<'_>) -> Option<String> {
    let plain = filled(pattern, "x")?;
    let shorter = plain
        .char_indices()
        .next_back()
        .and_then(|(end, _)| plain.get(..end))
        .map(str::to_owned);
    let longer = format!("{plain}x");
    let candidates = if pattern.is_anchored() {
        [Some(longer), shorter]
    } else {
        [shorter, Some("/x".to_owned())]
    };
    let misses = |path: &String| {
        let whole = !ends_in_half_an_escape(path);
        path.starts_with('/') && whole && !pattern.matches(path.as_bytes())
    };
    candidates.into_iter().flatten().find(misses)
}

/// The pattern as a path, with `filler` for each `*` except one at the end.
fn filled(pattern: &PathPattern<'_>, filler: &str) -> Option<String> {
    let bytes = &pattern.forms().c1;
    if bytes.len() > LONGEST {
        return None;
    }
    let end = bytes
        .iter()
        .rposition(|&byte| byte != b'*')
        .map_or(0, |at| at + 1);
    let mut path = String::new();
    for &byte in bytes.get(..end)? {
        match byte {
            b'*' => path.push_str(filler),
            b'!'..=b'~' => path.push(char::from(byte)),
            // Writing to a String cannot fail.
            _ => {
                let _ = write!(path, "%{byte:02X}");
            }
        }
    }
    Some(if path.starts_with('/') {
        path
    } else {
        format!("/{path}")
    })
}

fn ends_in_half_an_escape(path: &str) -> bool {
    let tail = path.as_bytes().iter().rev().take(2);
    tail.into_iter().any(|&byte| byte == b'%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match_and_miss() {
        for (pattern, hit, miss) in [
            ("/private/", "/private/page", Some("/private")),
            ("/a", "/a", Some("/")),
            ("/", "/page", None),
            ("/*.gif$", "/x.gif", Some("/x.gifx")),
            ("*", "/page", None),
            ("/*?print=1", "/x?print=1", Some("/x?print=")),
            ("/ä", "/%C3%A4", Some("/x")),
            ("/x$", "/x", Some("/xx")),
        ] {
            let read = PathPattern::read(pattern.as_bytes()).unwrap();
            assert_eq!(matching(&read).as_deref(), Some(hit), "{pattern}");
            assert_eq!(missing(&read).as_deref(), miss, "{pattern}");
        }
    }
}
