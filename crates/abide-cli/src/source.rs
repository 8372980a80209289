//! Where a robots.txt comes from: a file, stdin, or the network.

use crate::args::AcapArgs;
use crate::exit::warn;
use crate::fetch::{Fetched, Network};
use crate::file_arg::FileArg;
use abide::acap::Referenced;
use abide::syntax::{Content, FieldKind, Fields};
use abide::{Client, Policy};
use abide_fetch::machine::InForce;
use anyhow::{Context, bail};
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::iter;
use std::sync::Arc;

/// A place to read a robots.txt from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// A local file.
    File(FileArg),
    /// Standard input.
    Stdin,
    /// An http or https URL.
    Url(FileArg),
}

/// A robots.txt, read for a client.
pub(crate) struct Read {
    pub(crate) policy: Policy,
    /// How it was fetched, if it was.
    pub(crate) fetched: Option<Fetched>,
}

/// The bytes of a robots.txt.
pub(crate) struct Served {
    pub(crate) bytes: Vec<u8>,
    /// The field `Content-Type`, if it was fetched.
    pub(crate) media_type: Option<String>,
}

impl Source {
    /// The source that an argument names.
    pub(crate) fn named(name: &FileArg) -> Self {
        let scheme = name
            .as_str()
            .split_once("://")
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            Some("http" | "https") => Self::Url(name.clone()),
            _ if name.is_stdin() => Self::Stdin,
            _ => Self::File(name.clone()),
        }
    }

    /// The name in reports, which is not `-`.
    pub(crate) fn name(&self) -> FileArg {
        match self {
            Self::File(name) | Self::Url(name) => name.clone(),
            Self::Stdin => FileArg::from("stdin"),
        }
    }

    /// Reads and compiles the robots.txt for `client`. Reads at most one byte more than the parsing
    /// limit, to see whether the file is longer.
    pub(crate) fn policy(
        &self,
        client: &Client,
        references: &[(String, Vec<u8>)],
        network: &Network<'_>,
    ) -> anyhow::Result<Read> {
        let limit = client.limits().bytes();
        let mut known = None;
        let read = |bytes: Arc<[u8]>| (bytes.len(), Policy::compile_shared(&bytes, client));
        let (size, policy) = match self {
            Self::File(path) => {
                let hint = "--robots takes a file, \"-\" for stdin, or a URL";
                read(read_file(path, limit, hint)?)
            }
            Self::Stdin => {
                let bytes = read_up_to(io::stdin().lock(), 0, limit);
                read(bytes.context("cannot read robots.txt from stdin")?)
            }
            Self::Url(url) => {
                let fetched = known.insert(network.site()?.fetch(url.as_str())?);
                match fetched.in_force() {
                    in_force @ InForce::File(body) => {
                        (body.to_parse().len(), in_force.policy(client))
                    }
                    other => {
                        let policy = other.policy(client);
                        return Ok(Read {
                            policy,
                            fetched: known,
                        });
                    }
                }
            }
        };
        if size > limit {
            warn(&format!(
                "{self} is longer than {limit} bytes; the rest is ignored (RFC 9309, 2.5)"
            ));
        }
        let references = references.iter();
        let policy = policy.with_references(
            references.map(|(locator, bytes)| (locator.as_str(), Referenced::Bytes(bytes))),
        );
        let policy = match self {
            Self::Url(url) => network.site()?.with_references(policy, url.as_str()),
            _ => policy,
        };
        self.warn_of(&policy, size);
        Ok(Read {
            policy,
            fetched: known,
        })
    }

    /// The bytes of a robots.txt and its media type, for commands that work on the file itself.
    /// Reads at most `limit` bytes, and one more to see whether there are more. A site without a
    /// file is an error.
    pub(crate) fn served(&self, limit: usize, network: &Network<'_>) -> anyhow::Result<Served> {
        let bytes = match self {
            Self::File(path) => {
                let hint = "expected a file, \"-\" for stdin, or a URL";
                read_file(path, limit, hint)?.to_vec()
            }
            Self::Stdin => {
                let read = read_up_to(io::stdin().lock(), 0, limit);
                read.context("cannot read robots.txt from stdin")?.to_vec()
            }
            Self::Url(url) => {
                let fetched = network.site()?.fetch(url.as_str())?;
                let InForce::File(body) = fetched.in_force() else {
                    bail!("{url} gave no robots.txt to read{}", fetched.reason());
                };
                return Ok(Served {
                    bytes: body.to_parse().to_vec(),
                    media_type: fetched
                        .retrieval
                        .as_ref()
                        .and_then(|how| how.media_type.clone()),
                });
            }
        };
        Ok(Served {
            bytes,
            media_type: None,
        })
    }

    /// Reports a few findings about the file on stderr, the worst first.
    pub(crate) fn warn_of(&self, policy: &Policy, size: usize) {
        const MOST: usize = 5;
        if size > 0 && !has_fields(policy) {
            warn(&format!(
                "{self} has no robots.txt field; is it the right file?"
            ));
            return;
        }
        let mut found: Vec<_> = policy
            .diagnostics()
            .iter()
            .filter(|finding| finding.code.severity() > abide::Severity::Info)
            .collect();
        found.sort_by_key(|finding| std::cmp::Reverse(finding.code.severity()));
        for finding in found.iter().take(MOST) {
            let line = finding
                .line
                .map_or_else(String::new, |line| format!(", line {line}"));
            warn(&format!(
                "{self}{line}: {} [{}]",
                finding.message, finding.code
            ));
        }
        if let Some(more @ 1..) = found.len().checked_sub(MOST) {
            warn(&format!(
                "{self}: and {more} more (the JSON formats list them all)"
            ));
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(name) | Self::Url(name) => name.fmt(f),
            Self::Stdin => f.write_str("stdin"),
        }
    }
}

fn has_fields(policy: &Policy) -> bool {
    let is_known = |kind| kind != FieldKind::Other;
    Fields::new(policy.text(), policy.client().profile())
        .any(|line| matches!(line.content, Content::Field(field) if is_known(field.kind)))
}

/// The files given with `--reference`, by locator.
pub(crate) fn references(args: &AcapArgs, limit: usize) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let read = |(locator, file): &(String, FileArg)| {
        let bytes = read_file(file, limit, "--reference takes LOCATOR=FILE")?;
        Ok((locator.clone(), bytes.to_vec()))
    };
    args.references.iter().map(read).collect()
}

/// Reads at most `limit` bytes of a file, and one more if there is one. `hint` is the advice in the
/// error if the file does not exist.
pub(crate) fn read_file(path: &FileArg, limit: usize, hint: &str) -> anyhow::Result<Arc<[u8]>> {
    let file = File::open(path).with_context(|| format!("cannot read {path}; {hint}"))?;
    let about = file.metadata();
    if about.as_ref().is_ok_and(Metadata::is_dir) {
        bail!("cannot read {path}: it is a directory; name the file in it");
    }
    let size = about.map_or(0, |about| about.len());
    read_up_to(file, size, limit).with_context(|| format!("cannot read {path}"))
}

/// Reads at most `limit` bytes, and one more if there is one. With an `expected` size, the buffer
/// is allocated once.
pub(crate) fn read_up_to(
    mut source: impl io::Read,
    expected: u64,
    limit: usize,
) -> io::Result<Arc<[u8]>> {
    let most = limit.saturating_add(1);
    let expected = usize::try_from(expected).map_or(most, |expected| expected.min(most));
    let mut bytes: Arc<[u8]> = iter::repeat_n(0, expected).collect();
    let mut read = 0;
    while let Some(room @ [_, ..]) = Arc::get_mut(&mut bytes).and_then(|all| all.get_mut(read..)) {
        match source.read(room) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut others = Vec::new();
    source.take((most - read) as u64).read_to_end(&mut others)?;
    if read == expected && others.is_empty() {
        return Ok(bytes);
    }
    Ok([&bytes[..read], &others].concat().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whatever_its_size_is_said_to_be() {
        let bytes = b"User-agent: *\nDisallow: /\n";
        for expected in [0, 3, 26, 4096, u64::MAX] {
            let read = read_up_to(&bytes[..], expected, 4096).unwrap();
            assert_eq!(*read, *bytes, "{expected}");
            let cut = read_up_to(&bytes[..], expected, 9).unwrap();
            assert_eq!(*cut, bytes[..10], "{expected}");
        }
    }
}
