//! Finds a URL that a pattern matches.

use abide::syntax::PathPattern;
use std::fmt::Write;

/// The largest length of a URL in bytes; patterns that need longer ones get no sample.
const MAX_URL_BYTES: usize = 500;

/// A path in ASCII that `pattern` matches; `None` if none is found.
pub fn matching(pattern: &PathPattern<'_>) -> Option<String> {
    let matches = |path: &String| pattern.matches(path.as_bytes());
    let plain = filled(pattern, "x")?;
    // A page in a folder is the best example of the folder.
    let is_folder = plain.ends_with('/') && !pattern.is_anchored();
    let page = is_folder.then(|| format!("{plain}page"));
    let found = page.filter(matches).or_else(|| Some(plain).filter(matches));
    found.or_else(|| filled(pattern, "").filter(matches))
}

/// The pattern as a path, with `filler` for each `*` except one at the end.
fn filled(pattern: &PathPattern<'_>, filler: &str) -> Option<String> {
    let bytes = &pattern.forms().c1;
    if bytes.len() > MAX_URL_BYTES {
        return None;
    }
    let end = bytes
        .iter()
        .rposition(|&byte| byte != b'*')
        .map_or(0, |at| at + 1);
    let mut path = String::with_capacity(end + filler.len());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_match() {
        for (pattern, hit) in [
            ("/private/", "/private/page"),
            ("/a", "/a"),
            ("/", "/page"),
            ("/*.gif$", "/x.gif"),
            ("*", "/page"),
            ("/*?print=1", "/x?print=1"),
            ("/ä", "/%C3%A4"),
            ("/x$", "/x"),
        ] {
            let read = PathPattern::read(pattern.as_bytes()).unwrap();
            assert_eq!(matching(&read).as_deref(), Some(hit), "{pattern}");
        }
    }
}
