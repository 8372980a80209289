//! The ACAP stream of a policy: a robots.txt and the files that it refers to, compiled for a client
//! (AMB-ACAP-14, AMB-ACAP-15, AMB-ACAP-16, AMB-X-14, CLA-5).

use super::compile::AcapPolicy;
use super::definition::Definitions;
use super::field::AcapLine;
use super::profile::{AcapAsker, AcapMode};
use super::reader;
use super::record::AcapFile;
use super::reference::{FetchedReference, PermissionsReference, rooted};
use super::request::ActionRequest;
use crate::diagnostic::Findings;
use crate::profile::Profile;
use crate::rep::Access;
use crate::rep::field::{Field, FieldKind, KeyedLine};
use crate::text::{Limits, Lines, RawLine, Separator, Text};
use crate::verdict::Usage;
use memchr::memmem;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The compiled ACAP stream, and what of it is missing.
#[derive(Clone, Debug)]
pub(crate) struct AcapSide {
    pub(crate) policy: AcapPolicy,
    /// The state of each reference that concerns the client, in the order of the policy.
    pub(crate) read: Vec<Reading>,
    pub(crate) ignores_conventional: bool,
    /// Whether the parsing limit cut records.
    pub(crate) is_truncated: bool,
}

impl AcapSide {
    /// The references that concern the client.
    pub(crate) fn references(&self) -> &[PermissionsReference] {
        &self.policy.references
    }

    /// What the files ask the client to do with single resources.
    pub(crate) fn requests(&self) -> &[ActionRequest] {
        &self.policy.requests
    }

    /// Whether the file asks this client to ignore conventional rules.
    pub(crate) fn ignores_conventional(&self) -> bool {
        self.ignores_conventional
    }

    /// How many bytes of memory the compiled records take.
    pub(crate) fn memory(&self) -> usize {
        self.policy.memory()
    }

    /// Whether anything here can change what may be crawled.
    pub(crate) fn concerns_crawl(&self) -> bool {
        let spoken = |usage| self.policy.speaks_of(usage);
        let read = |reading: &Reading| matches!(reading, Reading::Text(_));
        self.ignores_conventional
            || spoken(Usage::Crawl)
            || spoken(Usage::Other)
            || !self.read.iter().all(read)
    }
}

/// The state of a permissions reference.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// The caller has not given an answer yet.
    Unknown,
    /// It was read, or it is unavailable, which counts as empty.
    Text(Arc<Text<'static>>),
    /// It is unreachable.
    Failed(Access),
}

/// The answer to a reference, by the locator as the file writes it.
#[derive(Clone, Debug)]
pub(crate) struct ReferenceAnswer {
    locator: String,
    reading: Reading,
}

impl ReferenceAnswer {
    pub(crate) fn new(locator: &str, referenced: FetchedReference<'_>, limits: Limits) -> Self {
        let empty = || Reading::Text(Arc::default());
        let reading = match referenced {
            FetchedReference::Bytes(bytes) => {
                Reading::Text(Arc::new(Text::new(bytes, limits).into_owned()))
            }
            FetchedReference::Failed(Access::Unknown) => Reading::Unknown,
            FetchedReference::Failed(Access::Rules | Access::Unavailable(_)) => empty(),
            FetchedReference::Failed(access @ Access::Unreachable(_)) => Reading::Failed(access),
        };
        Self {
            locator: locator.to_owned(),
            reading,
        }
    }
}

/// An ACAP field as a line of the ACAP stream.
pub(crate) fn line(field: &Field, number: u32, text: &[u8]) -> AcapLine {
    let before = |at: u32| (at as usize).checked_sub(1).and_then(|at| text.get(at));
    let indented = matches!(before(field.key.start), Some(b' ' | b'\t'));
    let spaced = matches!(text.get(field.key.end as usize), Some(b' ' | b'\t'));
    let loose = spaced && field.separator == Separator::Colon;
    AcapLine {
        line: number,
        key: field.key,
        separator: field.separator,
        value: field.value,
        loose: indented || loose,
    }
}

/// The ACAP lines of a text.
pub(crate) fn lines(text: &Text<'_>) -> Vec<AcapLine> {
    let bytes = text.as_bytes();
    let acap = |raw: RawLine| {
        KeyedLine::new(bytes, &raw, Profile::Careful)
            .filter(|keyed| keyed.kind == FieldKind::Acap)
            .and_then(|keyed| keyed.field(bytes, &raw, Profile::Careful))
            .map(|field| line(&field, raw.number, bytes))
    };
    Lines::new(bytes, text.body()).filter_map(acap).collect()
}

/// What `files`, the first of which is robots.txt, say to `asker`.
pub(crate) fn policy_for<'f>(
    asker: AcapAsker<'_>,
    files: impl Iterator<Item = &'f AcapFile>,
) -> AcapPolicy {
    AcapPolicy::compile(files, asker.names(), asker.profile)
}

/// Compiles the ACAP `lines` of a robots.txt for `asker`. `None` if nobody asks, or if they have no
/// effect for anybody.
pub(crate) fn compile(
    lines: &[AcapLine],
    text: &Text<'_>,
    asker: Option<AcapAsker<'_>>,
    answers: &[ReferenceAnswer],
) -> Option<Box<AcapSide>> {
    let asker = asker?;
    if lines.is_empty() && !is_cut(text, false) {
        return None;
    }
    let main = read(lines, text);
    Some(compile_read(&main, text, asker, answers))
}

/// The ACAP `lines` of a robots.txt, read once for many clients.
pub(crate) fn read_lines(lines: &[AcapLine], text: &Text<'_>) -> AcapFile {
    read(lines, text).indexed()
}

fn read(lines: &[AcapLine], text: &Text<'_>) -> AcapFile {
    reader::read(lines, text.as_bytes(), None, &mut Findings::dropped())
}

/// Whether ACAP records may be missing because the parsing limit cut the text.
fn is_cut(text: &Text<'_>, seen: bool) -> bool {
    text.is_truncated() && (seen || has_mark(text))
}

/// Like [`compile`] with lines that were read.
pub(crate) fn compile_file(
    main: &AcapFile,
    text: &Text<'_>,
    asker: Option<AcapAsker<'_>>,
) -> Option<Box<AcapSide>> {
    let asker = asker.filter(|_| main.has_lines || is_cut(text, false))?;
    Some(compile_read(main, text, asker, &[]))
}

fn compile_read(
    main: &AcapFile,
    text: &Text<'_>,
    asker: AcapAsker<'_>,
    answers: &[ReferenceAnswer],
) -> Box<AcapSide> {
    let alone = policy_for(asker, std::iter::once(main));
    let read = readings(&alone.references, answers);
    let (policy, files) = if read.is_empty() {
        (alone, Vec::new())
    } else {
        let definitions = Arc::new(main.definitions.clone());
        let files = read.iter();
        let files: Vec<AcapFile> = files
            .map(|reading| referenced(reading, &definitions, &mut Findings::dropped()))
            .collect();
        let policy = policy_for(asker, std::iter::once(main).chain(&files));
        (policy, files)
    };
    let cut_elsewhere = read.iter().any(|reading| match reading {
        Reading::Text(text) => is_cut(text, !self::lines(text).is_empty()),
        Reading::Unknown | Reading::Failed(_) => false,
    });
    let is_truncated = is_cut(text, main.has_lines)
        || cut_elsewhere
        || main.is_beyond_limits
        || files.iter().any(|file| file.is_beyond_limits);
    Box::new(AcapSide {
        ignores_conventional: main.ignores_conventional
            && why_conventional_count(asker, &policy, is_truncated).is_none(),
        is_truncated,
        policy,
        read,
    })
}

/// Why conventional rules count in a file that asks to ignore them. `None` if they do not count:
/// ACAP records take their place (AMB-ACAP-15, AMB-X-14, CLA-15).
pub(crate) fn why_conventional_count(
    asker: AcapAsker<'_>,
    policy: &AcapPolicy,
    is_truncated: bool,
) -> Option<&'static str> {
    if asker.profile.mode != AcapMode::Full {
        Some("ACAP may only restrict here")
    } else if is_truncated {
        Some("ACAP records may be cut off")
    } else if !policy.has_valid_statement {
        Some("crawlers without a valid ACAP permission or prohibition follow them")
    } else {
        None
    }
}

/// Compiles a text for `asker`, with `answers` to its references.
pub(crate) fn recompile(
    text: &Text<'_>,
    asker: Option<AcapAsker<'_>>,
    answers: &[ReferenceAnswer],
) -> Option<Box<AcapSide>> {
    compile(&lines(text), text, asker, answers)
}

/// The state of each reference. A locator may be answered with or without its first slash.
fn readings(references: &[PermissionsReference], answers: &[ReferenceAnswer]) -> Vec<Reading> {
    let locators = answers.iter().rev();
    let known: BTreeMap<String, &Reading> = locators
        .map(|answer| (rooted(&answer.locator), &answer.reading))
        .collect();
    let reading = |reference: &PermissionsReference| known.get(&rooted(&reference.locator));
    references
        .iter()
        .map(|reference| reading(reference).map_or(Reading::Unknown, |found| (*found).clone()))
        .collect()
}

/// A file that a robots.txt with the definitions `definitions` refers to.
pub(crate) fn referenced(
    reading: &Reading,
    definitions: &Arc<Definitions>,
    findings: &mut Findings,
) -> AcapFile {
    match reading {
        Reading::Text(text) => {
            reader::read(&lines(text), text.as_bytes(), Some(definitions), findings)
        }
        Reading::Unknown | Reading::Failed(_) => AcapFile::default(),
    }
}

/// Whether the text has the comment that announces ACAP records (ACAP-2).
fn has_mark(text: &Text<'_>) -> bool {
    marked(text).any(|line| behind_mark(line.span.of(text.as_bytes())).is_some())
}

/// The lines of a text that may have that comment. Most files have no `##`, and so no such line.
pub(crate) fn marked<'t>(text: &'t Text<'_>) -> impl Iterator<Item = RawLine> + use<'t> {
    let bytes = text.as_bytes();
    let lines = memmem::find(bytes, b"##").map(|_| Lines::new(bytes, text.body()));
    lines.into_iter().flatten()
}

/// The text after `##ACAP` in a line.
fn behind_mark(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"##")?;
    let (mark, rest) = rest.trim_ascii_start().split_at_checked(4)?;
    mark.eq_ignore_ascii_case(b"acap").then_some(rest)
}

/// The version in a line `##ACAP version=1.0`.
pub(crate) fn version(line: &[u8]) -> Option<&[u8]> {
    let (key, rest) = behind_mark(line)?.trim_ascii().split_at_checked(7)?;
    let version = rest
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
    let end = version.iter().position(ends).unwrap_or(version.len());
    key.eq_ignore_ascii_case(b"version")
        .then_some(version.get(..end)?)
}
