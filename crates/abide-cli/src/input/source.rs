//! Where a robots.txt comes from: a file, stdin, or the network.

use crate::args::AcapArgs;
use crate::exit::{UnknownError, warn};
use crate::fetch::{FetchedFile, Network};
use crate::file_arg::FileArg;
use abide::acap::FetchedReference;
use abide::explain::{visible, visible_url};
use abide::syntax::{FieldKind, ForeignBody, Group, Line};
use abide::{Client, Code, Diagnostic, Policy, Robots, Severity};
use abide_fetch::Body;
use abide_lint::asked_instead;
use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::fmt;
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

/// The bytes of a robots.txt.
pub(crate) struct ServedFile {
    pub(crate) bytes: Vec<u8>,
    /// The field `Content-Type`, if it was fetched.
    pub(crate) media_type: Option<String>,
    /// Whether it continues after these bytes, which are all that was fetched.
    pub(crate) is_cut: bool,
    /// Where it was after redirects.
    pub(crate) redirected_to: Option<String>,
}

impl Source {
    /// The source that an argument names.
    pub(crate) fn named(name: &FileArg) -> Self {
        let scheme = name
            .as_str()
            .split_once("://")
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            Some("http" | "https") => Self::Url(robots_txt_of(name)),
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

    /// Reads the robots.txt. Reads at most one byte more than `limit`, to see whether the file is
    /// longer.
    pub(crate) fn read(&self, limit: usize, network: &Network<'_>) -> anyhow::Result<Content> {
        let Self::Url(url) = self else {
            let hint = "--robots takes a file, \"-\" for stdin, or a URL";
            return self.read_local(limit, hint).map(Content::Bytes);
        };
        let fetched = network.site()?.fetch(url.as_str())?;
        if let Some(why) = fetched.unread() {
            warn(&format!("{self}: {}", visible(why.as_bytes())));
        }
        let read = Content::Fetched(Box::new(fetched));
        self.warn_if_cut(read.bytes().len(), limit);
        Ok(read)
    }

    /// Reads the robots.txt from its file or from stdin, for commands that fetch nothing. Reads at
    /// most one byte more than `limit`. `hint` says what may be named.
    pub(crate) fn read_local(&self, limit: usize, hint: &str) -> anyhow::Result<Arc<[u8]>> {
        let bytes = self.local(limit, hint)?;
        self.warn_if_cut(bytes.len(), limit);
        Ok(bytes)
    }

    /// The bytes of its file or of stdin, up to `limit` of them, and one more if there is one.
    fn local(&self, limit: usize, hint: &str) -> anyhow::Result<Arc<[u8]>> {
        match self {
            Self::File(path) => read_file(path, limit, hint),
            Self::Stdin | Self::Url(_) => read_up_to(io::stdin().lock(), 0, limit)
                .context("cannot read robots.txt from stdin"),
        }
    }

    /// Warns of a URL that robots never ask for.
    pub(crate) fn warn_below_root(&self) {
        let robots_url = match self {
            Self::Url(url) => asked_instead(url.as_str()),
            Self::File(_) | Self::Stdin => None,
        };
        if let Some(robots_url) = robots_url {
            let robots_url = visible_url(&robots_url);
            warn(&format!(
                "robots never ask for {self}; they ask for {robots_url}"
            ));
        }
    }

    /// Warns of a file that is not empty and has no field of robots.txt, and returns whether it
    /// did: it may be a web page, which a site then serves in place of its robots.txt.
    /// `redirected_to` is where it was after redirects.
    pub(crate) fn warn_without_fields(&self, robots: &Robots, redirected_to: Option<&str>) -> bool {
        if let Some(body) = robots.foreign_body() {
            let is = match redirected_to {
                Some(to) => format!("redirected to {}, which is {body}", visible(to.as_bytes())),
                None => format!("is {body}, not a robots.txt"),
            };
            let hint = match body {
                ForeignBody::Sitemap => "; to check what it lists, name it after --sitemap",
                _ => "",
            };
            warn(&format!(
                "{self} {is}: robots find no rules, and may crawl the whole site{hint}"
            ));
            return true;
        }
        let is_field = |line: &Line| {
            let mut field = line.field().into_iter();
            field.any(|field| field.kind != FieldKind::Other) || robots.is_preference(line)
        };
        let has_fields = robots.text().as_bytes().is_empty() || robots.lines().iter().any(is_field);
        if !has_fields {
            warn(&format!(
                "{self} has no robots.txt field; is it the right file?"
            ));
        }
        !has_fields
    }

    fn warn_if_cut(&self, length: usize, limit: usize) {
        if length > limit {
            warn(&format!(
                "{self} is longer than {limit} bytes; the rest is ignored (RFC 9309, 2.5)"
            ));
        }
    }

    /// Compiles what was read for `client`, with the permissions that it refers to.
    pub(crate) fn compile(
        &self,
        content: &Content,
        client: &Client,
        references: &[(String, Vec<u8>)],
        network: &Network<'_>,
    ) -> anyhow::Result<Policy> {
        let references = references.iter();
        let policy = content.policy(client).with_references(
            references.map(|(locator, bytes)| (locator.as_str(), FetchedReference::Bytes(bytes))),
        );
        match (self, content) {
            (Self::Url(url), Content::Fetched(fetched)) if fetched.file().is_some() => {
                network.site()?.with_references(policy, url.as_str())
            }
            _ => Ok(policy),
        }
    }

    /// The bytes of a robots.txt and its media type, for commands that work on the file itself.
    /// Reads at most `limit` bytes, and one more to see whether there are more. A site without a
    /// file is an error.
    pub(crate) fn served(&self, limit: usize, network: &Network<'_>) -> anyhow::Result<ServedFile> {
        let Self::Url(url) = self else {
            let hint = "expected a file, \"-\" for stdin, or a URL";
            return Ok(ServedFile {
                bytes: self.local(limit, hint)?.to_vec(),
                media_type: None,
                is_cut: false,
                redirected_to: None,
            });
        };
        let fetched = network.site()?.fetch(url.as_str())?;
        let Some(body) = fetched.file() else {
            let why = format!("{url} gave no robots.txt to read{}", fetched.reason());
            return Err(UnknownError(why).into());
        };
        let how = fetched.sent.as_ref();
        Ok(ServedFile {
            bytes: body.to_parse().to_vec(),
            media_type: how.and_then(|how| how.media_type.clone()),
            is_cut: body.is_cut(),
            redirected_to: fetched.redirected_to(),
        })
    }

    /// Reports a few findings about the file on stderr, the worst first. `policies` are those of
    /// the robots that were asked about.
    pub(crate) fn warn_of(&self, content: &Content, policies: &[Policy], which: Findings) {
        const MAX_FINDINGS: usize = 5;
        let Some(policy) = policies.first().filter(|_| which != Findings::None) else {
            return;
        };
        self.warn_below_root();
        let robots = policy.robots();
        let redirected = content.fetched().and_then(FetchedFile::redirected_to);
        if content.has_file() && self.warn_without_fields(&robots, redirected.as_deref()) {
            return;
        }
        let lines = match which {
            Findings::OfRobots => Some(lines_that_count(policies)),
            Findings::All | Findings::None => None,
        };
        let is_on_line = |line| lines.as_ref().is_none_or(|lines| lines.contains(&line));
        let counts = |finding: &&Diagnostic| {
            // It is about the robot, on a line that does not count for it (CLA-22).
            let is_of_robot = finding.code == Code::PurposeNotClaimed;
            let concerns = is_of_robot || finding.line.is_none_or(is_on_line);
            finding.severity > Severity::Info && concerns
        };
        // They matter as much as abide lint says.
        let severity = |finding: &Diagnostic| abide_lint::severity(&robots, finding);
        let found = policy.diagnostics().iter().filter(counts);
        let mut found: Vec<_> = found
            .map(|finding| (severity(finding), finding))
            .filter(|(severity, _)| *severity > Severity::Info)
            .collect();
        found.sort_by_key(|(severity, _)| std::cmp::Reverse(*severity));
        for (_, finding) in found.iter().take(MAX_FINDINGS) {
            let line = finding
                .line
                .map_or_else(String::new, |line| format!(", line {line}"));
            warn(&format!(
                "{self}{line}: {} [{}]",
                finding.message, finding.code
            ));
        }
        if let Some(more @ 1..) = found.len().checked_sub(MAX_FINDINGS) {
            warn(&format!(
                "{self}: and {more} more (the JSON formats list them all)"
            ));
        }
    }
}

/// Which findings about a file are reported beside an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Findings {
    /// None.
    None,
    /// Those on lines that count for the robots that were asked about.
    OfRobots,
    /// All.
    All,
}

/// What was read from a source.
pub(crate) enum Content {
    /// The bytes of a file.
    Bytes(Arc<[u8]>),
    /// The result of a fetch.
    Fetched(Box<FetchedFile>),
}

impl Content {
    /// Compiles it for `client`.
    pub(crate) fn policy(&self, client: &Client) -> Policy {
        match self {
            Self::Bytes(bytes) => Policy::compile_shared(bytes, client),
            Self::Fetched(fetched) => fetched.plan().policy(client),
        }
    }

    /// Its bytes; empty if there is no file.
    fn bytes(&self) -> Arc<[u8]> {
        match self {
            Self::Bytes(bytes) => Arc::clone(bytes),
            Self::Fetched(fetched) => fetched.file().map_or_else(Arc::default, Body::to_parse),
        }
    }

    fn has_file(&self) -> bool {
        match self {
            Self::Bytes(_) => true,
            Self::Fetched(fetched) => fetched.file().is_some(),
        }
    }

    /// Whether it was read and is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.has_file() && self.bytes().is_empty()
    }

    /// How it was fetched, if it was.
    pub(crate) fn fetched(&self) -> Option<&FetchedFile> {
        match self {
            Self::Bytes(_) => None,
            Self::Fetched(fetched) => Some(fetched),
        }
    }
}

/// The numbers of the lines that count for the robots of these policies: the lines of their groups,
/// and ACAP records. All policies are those of one file.
fn lines_that_count(policies: &[Policy]) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    let Some(robots) = policies.first().map(Policy::robots) else {
        return lines;
    };
    let acap = robots.acap_lines().map(|line| line.number);
    lines.extend(acap);
    let starters: BTreeSet<u32> = policies
        .iter()
        .flat_map(Policy::chosen_groups)
        .map(|selection| selection.place.line)
        .collect();
    let is_chosen = |group: &&Group| {
        let lines = group
            .starters
            .iter()
            .filter_map(|at| robots.lines().get(*at));
        lines
            .into_iter()
            .any(|line| starters.contains(&line.number))
    };
    for group in robots.groups().iter().filter(is_chosen) {
        let members = [&group.starters, &group.rules, &group.others];
        let members = members.into_iter().flatten();
        lines.extend(
            members
                .filter_map(|at| robots.lines().get(*at))
                .map(|line| line.number),
        );
    }
    lines
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(name) | Self::Url(name) => name.fmt(f),
            Self::Stdin => f.write_str("stdin"),
        }
    }
}

/// The URL of a robots.txt: a URL without a path means the `/robots.txt` of its site.
fn robots_txt_of(url: &FileArg) -> FileArg {
    let text = url.as_str();
    let after = text.split_once("://").map_or("", |(_, after)| after);
    match after.find(['/', '?', '#', '\\']) {
        None => FileArg::from(format!("{text}/robots.txt")),
        Some(at) if after.get(at..) == Some("/") => FileArg::from(format!("{text}robots.txt")),
        Some(_) => url.clone(),
    }
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
    let file = File::open(path).with_context(|| {
        let remedy = if is_host(&path.to_string()) {
            format!("for the robots.txt of that site write https://{path}")
        } else {
            hint.to_owned()
        };
        format!("cannot read {path}; {remedy}")
    })?;
    let about = file.metadata();
    if about.as_ref().is_ok_and(Metadata::is_dir) {
        bail!("cannot read {path}: it is a directory; name the file in it");
    }
    let size = about.map_or(0, |about| about.len());
    read_up_to(file, size, limit).with_context(|| format!("cannot read {path}"))
}

/// Whether a name looks like that of a site, such as `www.example.com`.
fn is_host(name: &str) -> bool {
    let labels: Vec<_> = name.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_extension = |last: &str| matches!(last, "txt" | "json" | "xml" | "toml" | "html");
    let is_file = labels.last().is_some_and(|last| is_extension(last));
    labels.len() > 1 && labels.iter().all(is_label) && !is_file
}

/// An error whose lines each name the file: it has many mistakes, and each is looked up.
pub(crate) fn in_file(name: &impl fmt::Display, error: &impl fmt::Display) -> anyhow::Error {
    let text = error.to_string();
    let lines: Vec<_> = text
        .lines()
        .map(|line| format!("in {name}: {line}"))
        .collect();
    anyhow::Error::msg(lines.join("\n"))
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
    fn a_url_without_a_path_is_that_of_a_robots_txt() {
        for (url, meant) in [
            ("https://e.example", "https://e.example/robots.txt"),
            (
                "HTTPS://e.example:8443/",
                "HTTPS://e.example:8443/robots.txt",
            ),
            ("https://e.example/a", "https://e.example/a"),
            ("https://e.example/?a", "https://e.example/?a"),
            ("https://e.example?a", "https://e.example?a"),
        ] {
            assert_eq!(
                Source::named(&FileArg::from(url)),
                Source::Url(meant.into())
            );
        }
    }

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
