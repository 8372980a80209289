//! Which paths a proxy may serve for a request: the path as it was sent, and everything that
//! servers make of it before they look for a file.
//!
//! Servers decode escapes, merge slashes, resolve dot segments, take `\` for `/`, drop parameters
//! behind `;`, or end a path at a decoded NUL, `?` or `#`. Each does some of it, in an order of its
//! own, and a proxy and the program behind it may both do it. So `/a/..//private%2Fx` is served as
//! `/private/x`, and rules that were matched against what was sent alone would not stop it. A
//! request is refused if any of these paths is disallowed.

use abide::Target;
use std::borrow::Cow;
use std::collections::HashSet;

/// How many paths are judged. Those of honest clients can be read in a dozen ways at most.
const MAX_PATHS: usize = 128;
/// How many bytes all of them may have, so that long paths take no longer than others.
const MAX_BYTES: usize = 512 << 10;
/// How often escapes are decoded: by a proxy, and by a program behind it.
const MAX_DECODINGS: u8 = 2;

/// The different paths, with query: first as sent. `None` if there are too many.
pub(super) fn of(sent: &str) -> Option<Vec<String>> {
    let (path, query) = in_two(sent);
    let mut paths = vec![sent.to_owned()];
    let mut readings = vec![Reading::new(path)];
    if let Some(by_clients) = Target::new(sent).ok().and_then(|sent| sent.path_as_sent()) {
        readings.push(Reading::new(in_two(&by_clients).0));
        paths.push(by_clients.into_owned());
    }
    let mut known: HashSet<Reading> = readings.iter().cloned().collect();
    let mut at = 0;
    while let Some(reading) = readings.get(at) {
        for next in reading.others() {
            if known.insert(next.clone()) {
                readings.push(next);
            }
        }
        if readings.len() > MAX_PATHS || readings.len() * path.len() > MAX_BYTES {
            return None;
        }
        at += 1;
    }
    paths.extend(readings.iter().map(|reading| reading.text() + query));
    let mut written = HashSet::new();
    paths.retain(|path| written.insert(path.clone()));
    Some(paths)
}

/// A path, and its query with the `?`.
fn in_two(target: &str) -> (&str, &str) {
    target.split_at(target.find('?').unwrap_or(target.len()))
}

/// A path as some server reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reading {
    path: Vec<u8>,
    /// How often escapes were decoded.
    decoded: u8,
}

impl Reading {
    fn new(path: &str) -> Self {
        Self {
            path: path.as_bytes().to_vec(),
            decoded: 0,
        }
    }

    /// What one more step of a server makes of it.
    fn others(&self) -> Vec<Self> {
        let steps = [
            with_slashes,
            without_empty_segments,
            without_dot_segments,
            without_parameters,
            until_an_end,
        ];
        let stepped = steps.into_iter().map(|step| Self {
            path: step(&self.path),
            decoded: self.decoded,
        });
        let decoded = (self.decoded < MAX_DECODINGS).then(|| Self {
            path: percent_encoding::percent_decode(&self.path).collect(),
            decoded: self.decoded + 1,
        });
        let all = decoded.into_iter().chain(stepped);
        all.filter(|other| other.path != self.path).collect()
    }

    /// The path as rules are compared with it. Bytes that decoding made, and that would end or
    /// change a path, are escaped again.
    fn text(&self) -> String {
        if self.decoded == 0 {
            return String::from_utf8_lossy(&self.path).into_owned();
        }
        let escaped = |byte: &u8| match byte {
            b'%' | b'?' | b'#' => Cow::from(percent_encoding::percent_encode_byte(*byte)),
            byte if byte.is_ascii_graphic() => Cow::from(char::from(*byte).to_string()),
            byte => Cow::from(percent_encoding::percent_encode_byte(*byte)),
        };
        self.path.iter().map(escaped).collect()
    }
}

/// Some servers take a backslash for a slash, and web clients do.
fn with_slashes(path: &[u8]) -> Vec<u8> {
    let slash = |byte: &u8| if *byte == b'\\' { b'/' } else { *byte };
    path.iter().map(slash).collect()
}

fn without_empty_segments(path: &[u8]) -> Vec<u8> {
    let mut merged = path.to_vec();
    merged.dedup_by(|next, before| (*next, *before) == (b'/', b'/'));
    merged
}

/// What RFC 3986 makes of dot segments (section 5.2.4).
fn without_dot_segments(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    let mut segments = path.split(|byte| *byte == b'/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_dots = matches!(segment, b"." | b"..");
        if segment == b".." {
            kept.pop();
        }
        if !is_dots {
            kept.push(segment);
        } else if segments.peek().is_none() {
            // What ends in dots is a folder.
            kept.push(b"");
        }
    }
    let mut resolved = vec![b'/'];
    resolved.extend(kept.join(&b'/'));
    resolved
}

/// Servers of Java drop what follows a `;` in a segment before they resolve dot segments.
fn without_parameters(path: &[u8]) -> Vec<u8> {
    let named = |segment: &[u8]| -> Vec<u8> {
        let name = segment.split(|byte| *byte == b';').next();
        name.unwrap_or_default().to_vec()
    };
    let segments: Vec<_> = path.split(|byte| *byte == b'/').map(named).collect();
    segments.join(&b'/')
}

/// Programs end a path at a NUL, or read what a proxy has decoded as a URL.
fn until_an_end(path: &[u8]) -> Vec<u8> {
    let ends = |byte: &u8| matches!(byte, 0 | b'?' | b'#');
    let kept = path.split(ends).next().unwrap_or_default();
    kept.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use abide_testkit::preference_files::Dice;

    #[test]
    fn every_way_to_write_a_path_is_judged() {
        for (sent, served) in [
            ("/private/x", "/private/x"),
            ("/a/../private/x", "/private/x"),
            ("/a/%2e%2e/private/x", "/private/x"),
            ("//private//x", "/private/x"),
            ("//private/y/../x", "//private/x"),
            ("/a//../private/x", "/private/x"),
            ("/a//../private/x", "/a/private/x"),
            ("/private%2Fx", "/private/x"),
            ("/%70rivate/x", "/private/x"),
            ("/.//private/./x", "/private/x"),
            ("/../../private/x", "/private/x"),
            ("/private\\x", "/private/x"),
            ("/private%5cx", "/private/x"),
            // A backslash is a letter for others.
            ("//private/i.php/..\\..\\a", "/private/i.php/..\\..\\a"),
            ("/%70rivate/i%5c..%5c..", "/private/i\\..\\.."),
            ("/private/y/..", "/private/"),
            ("/private/?a=/../b", "/private/?a=/../b"),
            ("/a%3Fb%23c%2525", "/a%3Fb%23c%2525"),
            ("/public/..;a=1/private;b/x", "/private/x"),
            ("/private/x%00.html", "/private/x"),
            ("/private/x%23/../../b", "/private/x"),
            ("/%2570rivate%252fx", "/private/x"),
            ("/", "/"),
            ("/..", "/"),
            ("/?a#b", "/?a#b"),
        ] {
            let paths = of(sent).unwrap();
            assert_eq!(paths[0], sent);
            assert!(paths.iter().any(|path| path == served), "{sent}: {paths:?}");
            assert!(paths.iter().all(|path| path.starts_with('/')), "{paths:?}");
        }
    }

    #[test]
    fn usual_paths_are_judged_once() {
        for sent in ["/", "/a/b.html?c=%2e/../d", "/robots.txt", "/a.b/..c/d..?"] {
            assert_eq!(of(sent), Some(vec![sent.to_owned()]));
        }
    }

    #[test]
    fn the_number_of_paths_is_bounded() {
        let parts = [
            "%25", "35c", "2f", "%2f", "/", "//", "..", "%2e", "\\", "%5c", ";", "%3b", "%00", "a",
            "%2523", "%252e", "%253b", "%23",
        ];
        let mut dice = Dice::new(1);
        let mut refused = 0;
        for _ in 0..2_000 {
            let length = dice.below(24);
            let path: String = (0..length).map(|_| dice.pick(&parts)).collect();
            match of(&format!("/{path}")) {
                Some(paths) => assert!(paths.len() <= MAX_PATHS),
                None => refused += 1,
            }
        }
        // Nearly everything is judged, even of paths that no client writes.
        assert!(refused < 200, "{refused}");
        let long = format!("/{}", "a/".repeat(8_000));
        assert!(of(&long).is_some() && of(&format!("{long}/%2f..%5c;%2e//%23")).is_none());
        assert_eq!(
            of(&"/%25%35c..;%3b%253b%5c//%2f%252f./%252e%2500%00%23".repeat(40)),
            None
        );
    }
}
