//! A pattern as both RFC 9309 and ACAP read it, paths near its boundary, and paths that two of them
//! match. Quick and not complete: a path that is found matches, but not each is found.

use abide::acap::{AcapPattern, Narrower};
use abide::syntax::PathPattern;

/// A pattern as both specifications read it.
pub(crate) struct DualPattern<'r> {
    conventional: PathPattern<'r>,
    acap: AcapPattern,
    /// The value in lower case, without a final `$`.
    body: String,
}

impl<'r> DualPattern<'r> {
    /// `None` if one of the specifications reads no pattern.
    pub(crate) fn new(conventional: PathPattern<'r>, value: &[u8]) -> Option<Self> {
        let acap = AcapPattern::read(value).ok()?;
        let body = String::from_utf8_lossy(&conventional.forms().c1).into_owned();
        Some(Self {
            conventional,
            acap,
            body,
        })
    }

    /// The length that counts in RFC 9309, in bytes.
    pub(crate) fn length(&self) -> usize {
        self.conventional.length()
    }

    /// Which of the two patterns is narrower in ACAP.
    pub(crate) fn scope(&self, other: &Self) -> Narrower {
        self.acap.compare(&other.acap)
    }

    /// The text before the first `*`.
    pub(crate) fn literal(&self) -> &str {
        self.body.split('*').next().unwrap_or_default()
    }

    fn has_star(&self) -> bool {
        self.body.contains('*')
    }

    /// The pattern with `filling` for each `*`, as a path.
    fn filled(&self, filling: &str) -> String {
        let path = self.body.replace('*', filling);
        match path.strip_prefix('/') {
            Some(_) => path,
            None => format!("/{path}"),
        }
    }

    /// Whether some path may match both patterns, ignoring case. `false` is certain.
    pub(crate) fn may_meet(&self, other: &Self) -> bool {
        for (one, other) in [(self, other), (other, self)] {
            if one.conventional.is_anchored() && !one.has_star() {
                return other.acap.matches(one.body.as_bytes());
            }
        }
        let (own, others) = (self.literal().as_bytes(), other.literal().as_bytes());
        let shared = own.iter().zip(others);
        shared
            .into_iter()
            .all(|(own, other)| own.eq_ignore_ascii_case(other))
    }

    /// Paths near the boundary of a pattern.
    pub(crate) fn points(&self) -> Vec<String> {
        let (path, filled) = (self.filled(""), self.filled("x"));
        let shorter = path.get(..path.len().saturating_sub(1)).unwrap_or_default();
        let shorter = if shorter.is_empty() { "/" } else { shorter }.to_owned();
        vec![
            format!("{path}x"),
            format!("{filled}/x?y=1"),
            shorter,
            filled,
            path,
        ]
    }

    /// Paths that both patterns match, found by trying a few texts for each `*`.
    pub(crate) fn meeting_points(&self, other: &Self) -> Vec<String> {
        let mut paths = Vec::new();
        for (one, other) in [(self, other), (other, self)] {
            for filling in ["", "x"] {
                let (own, tail) = (one.filled(filling), other.filled(filling));
                let rest = tail.trim_start_matches('/');
                let behind = own.get(common(&own, &tail)..).unwrap_or_default();
                let within = other.filled(own.trim_start_matches('/'));
                paths.extend([
                    format!("{own}{rest}"),
                    format!("{own}{tail}"),
                    format!("{own}x{rest}"),
                    format!("{own}/{rest}"),
                    within,
                    other.filled(behind),
                    other.body.replacen('*', behind, 1).replace('*', filling),
                    own,
                ]);
            }
        }
        paths.sort_by_key(|path| (path.len(), path.clone()));
        paths.dedup();
        paths.retain(|path| {
            self.acap.matches(path.as_bytes()) && other.acap.matches(path.as_bytes())
        });
        paths
    }
}

/// The length of the common prefix.
fn common(a: &str, b: &str) -> usize {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}
