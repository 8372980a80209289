//! Where a robots.txt comes from: a file, stdin, or the network.

use crate::args::AcapArgs;
use crate::exit::warn;
use crate::fetch::{Fetched, Network};
use abide::acap::Referenced;
use abide::{Client, Policy};
use abide_fetch::machine::InForce;
use anyhow::{Context, bail};
use std::fs::File;
use std::io::{self, Read as _};

/// A place to read a robots.txt from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// A file of this machine.
    File(String),
    /// Standard input.
    Stdin,
    /// An http or https URL.
    Url(String),
}

/// A robots.txt, read for a client.
pub(crate) struct Read {
    pub(crate) policy: Policy,
    /// What is known of its retrieval, where it came over the network.
    pub(crate) fetched: Option<Fetched>,
}

impl Source {
    /// What `--robots` says.
    pub(crate) fn named(name: &str) -> Self {
        let scheme = name
            .split_once("://")
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            Some("http" | "https") => Self::Url(name.to_owned()),
            _ if name == "-" => Self::Stdin,
            _ => Self::File(name.to_owned()),
        }
    }

    /// Reads the robots.txt and compiles it for `client`. Never more than the parsing limit is read
    /// into memory, and one octet to see that there is more.
    pub(crate) fn policy(
        &self,
        client: &Client,
        references: &[(String, Vec<u8>)],
        network: &Network<'_>,
    ) -> anyhow::Result<Read> {
        let limit = client.parsing_limit().octets();
        let mut known = None;
        let compiled = |octets: Vec<u8>| {
            let policy = Policy::compile(&octets, client);
            (octets, policy)
        };
        let (octets, policy) = match self {
            Self::File(path) => {
                let hint = "--robots takes a file, \"-\" for stdin, or a URL";
                compiled(read_file(path, limit, hint)?)
            }
            Self::Stdin => {
                let read = read_up_to(io::stdin().lock(), limit);
                compiled(read.context("cannot read robots.txt from stdin")?)
            }
            Self::Url(url) => {
                let fetched = known.insert(network.site()?.fetch(url)?);
                match fetched.in_force() {
                    InForce::File(body) => (body.octets().to_vec(), body.policy(client)),
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
        if octets.len() > limit {
            warn(&format!(
                "{self} is longer than {limit} octets; the rest is not read (RFC 9309, 2.5)"
            ));
        }
        let references = references.iter();
        let policy = policy.with_references(
            references.map(|(locator, octets)| (locator.as_str(), Referenced::Octets(octets))),
        );
        let policy = match self {
            Self::Url(url) => network.site()?.with_references(policy, url),
            _ => policy,
        };
        self.warn_of(&policy, &octets);
        Ok(Read {
            policy,
            fetched: known,
        })
    }

    /// The octets of a robots.txt, for those who work on the file itself. Never more than `limit` are read into
    /// memory, and one more to see that there is more. A site without a file to read is an error.
    pub(crate) fn octets(&self, limit: usize, network: &Network<'_>) -> anyhow::Result<Vec<u8>> {
        match self {
            Self::File(path) => {
                read_file(path, limit, "expected a file, \"-\" for stdin, or a URL")
            }
            Self::Stdin => {
                let read = read_up_to(io::stdin().lock(), limit);
                read.context("cannot read robots.txt from stdin")
            }
            Self::Url(url) => {
                let fetched = network.site()?.fetch(url)?;
                match fetched.in_force() {
                    InForce::File(body) => Ok(body.octets().to_vec()),
                    _ => bail!("{url} gave no robots.txt to read: {}", fetched.json()),
                }
            }
        }
    }

    /// Says on stderr what is wrong with the file, the worst first, and not at any length.
    fn warn_of(&self, policy: &Policy, octets: &[u8]) {
        const MOST: usize = 5;
        if !octets.is_empty() && !has_fields(octets, policy.client()) {
            warn(&format!(
                "{self} holds no line of a robots.txt; is it the right file?"
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
            Self::File(name) | Self::Url(name) => f.write_str(name),
            Self::Stdin => f.write_str("stdin"),
        }
    }
}

fn has_fields(octets: &[u8], client: &Client) -> bool {
    abide::Robots::parse_as(octets, client.reading(), client.parsing_limit())
        .lines()
        .iter()
        .any(|line| {
            line.field()
                .is_some_and(|field| field.kind != abide::rep::FieldKind::Other)
        })
}

/// The files that `--reference` names, by their locators.
pub(crate) fn references(args: &AcapArgs, limit: usize) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let read = |(locator, file): &(String, String)| {
        let octets = read_file(file, limit, "--reference takes LOCATOR=FILE")?;
        Ok((locator.clone(), octets))
    };
    args.references.iter().map(read).collect()
}

/// Reads at most `limit` octets of a file, and one more if there is one. `hint` says what may be named
/// where there is no such file.
pub(crate) fn read_file(path: &str, limit: usize, hint: &str) -> anyhow::Result<Vec<u8>> {
    let file = File::open(path).with_context(|| format!("cannot read {path}; {hint}"))?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        bail!("cannot read {path}: it is a directory; name the file in it");
    }
    read_up_to(file, limit).with_context(|| format!("cannot read {path}"))
}

/// Reads at most `limit` octets, and one more if there is one.
pub(crate) fn read_up_to(source: impl io::Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    source.take(limit as u64 + 1).read_to_end(&mut octets)?;
    Ok(octets)
}
