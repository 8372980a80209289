//! Names findings so that a service knows them again when their lines move.

use super::LintedFile;
use abide_lint::Finding;
use ring::digest::{SHA256, digest};
use std::collections::HashMap;
use std::fmt::Write;

/// The fingerprints of a report. Each is unique in it.
#[derive(Debug, Default)]
pub(super) struct Fingerprints {
    /// How many findings with the same file, code and text there were so far.
    seen: HashMap<String, usize>,
}

impl Fingerprints {
    /// The fingerprint of the next finding: of its file, its code and its text, and of how many
    /// findings before it have all three in common. The numbers of lines do not matter.
    pub(super) fn next(&mut self, linted: &LintedFile, finding: &Finding) -> String {
        let parts: [&[u8]; 3] = [
            linted.name.as_str().as_bytes(),
            finding.rule.code().as_bytes(),
            finding.span.of(&linted.text),
        ];
        let print = of(&parts);
        let seen = self.seen.entry(print.clone()).or_default();
        *seen += 1;
        match *seen {
            1 => print,
            more => of(&[print.as_bytes(), more.to_string().as_bytes()]),
        }
    }
}

/// The first half of the SHA-256 of the parts, each with its length before it.
fn of(parts: &[&[u8]]) -> String {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    let hash = digest(&SHA256, &bytes);
    hash.as_ref()
        .iter()
        .take(16)
        .fold(String::new(), |mut print, byte| {
            // Writing to a String cannot fail.
            let _ = write!(print, "{byte:02x}");
            print
        })
}

#[cfg(test)]
mod tests {
    /// The numbers that services have stored must not change with a new version.
    #[test]
    fn fingerprints_never_change() {
        assert_eq!(
            super::of(&[b"robots.txt", b"bom", b""]),
            "7a6d0a2c707a18d7c59dae6545725338"
        );
    }
}
