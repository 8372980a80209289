//! Which paths a proxy may serve for a request: the path as it was sent, and what servers make of
//! it before they look for a file.
//!
//! Servers resolve dot segments, decode escapes and merge slashes before they serve a path, so
//! `/a/..//private%2Fx` is served as `/private/x`. Rules are matched against what was sent, so a
//! robot could write around them. A request is refused if any of these paths is disallowed.

use abide::Target;

/// The different paths, with query: as sent, as web clients would send it, and as servers read it.
pub(super) fn of(sent: &str) -> Vec<String> {
    let mut paths = vec![sent.to_owned()];
    let mut add = |path: String| {
        if !paths.contains(&path) {
            paths.push(path);
        }
    };
    if let Some(path) = Target::new(sent).ok().and_then(|target| {
        let path = target.path_as_sent()?;
        Some(path.into_owned())
    }) {
        add(path);
    }
    let (path, query) = match sent.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (sent, None),
    };
    let mut served = served(path.as_bytes());
    if let Some(query) = query {
        served.push('?');
        served.push_str(query);
    }
    add(served);
    paths
}

/// The path that a server looks for: escapes are decoded once, slashes merged, dot segments
/// resolved. Bytes that would end or change a path are escaped again.
fn served(path: &[u8]) -> String {
    let decoded: Vec<u8> = percent_encoding::percent_decode(path).collect();
    let mut segments: Vec<&[u8]> = Vec::new();
    let ends_in_folder = matches!(
        decoded.rsplit(|byte| is_slash(*byte)).next(),
        Some(b"" | b"." | b"..")
    );
    for segment in decoded.split(|byte| is_slash(*byte)) {
        match segment {
            b"" | b"." => {}
            b".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    let mut path = String::new();
    for segment in &segments {
        path.push('/');
        for byte in *segment {
            let is_plain = byte.is_ascii_graphic() && !matches!(byte, b'%' | b'?' | b'#');
            if is_plain {
                path.push(char::from(*byte));
            } else {
                path.push_str(percent_encoding::percent_encode_byte(*byte));
            }
        }
    }
    if ends_in_folder || segments.is_empty() {
        path.push('/');
    }
    path
}

/// Some servers take a backslash for a slash, and browsers do.
const fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_path_is_judged() {
        for (sent, served) in [
            ("/private/x", "/private/x"),
            ("/a/../private/x", "/private/x"),
            ("/a/%2e%2e/private/x", "/private/x"),
            ("//private//x", "/private/x"),
            ("/private%2Fx", "/private/x"),
            ("/%70rivate/x", "/private/x"),
            ("/.//private/./x", "/private/x"),
            ("/../../private/x", "/private/x"),
            ("/private\\x", "/private/x"),
            ("/#/../private/x", "/private/x"),
            ("/private/y/..", "/private/"),
            ("/private/?a=/../b", "/private/?a=/../b"),
            ("/a%3Fb%23c%2525", "/a%3Fb%23c%2525"),
            ("/", "/"),
            ("/..", "/"),
        ] {
            let paths = of(sent);
            assert_eq!(paths[0], sent);
            assert!(paths.iter().any(|path| path == served), "{sent}: {paths:?}");
        }
    }
}
