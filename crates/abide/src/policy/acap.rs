//! The ACAP stream of a policy: robots.txt and the files that it refers to, compiled for the client
//! (AMB-ACAP-14, AMB-ACAP-15, AMB-ACAP-16, AMB-X-14, CLA-5).

use crate::acap::{
    self, AcapFile, AcapLine, AcapMode, AcapPolicy, PermissionsReference, Referenced,
};
use crate::client::Client;
use crate::diagnostic::{Diagnostic, Findings};
use crate::profile::Profile;
use crate::rep::Access;
use crate::rep::field::{self, Content, Field, FieldKind};
use crate::text::{Limits, Lines, RawLine, Text};
use crate::verdict::Usage;
use std::sync::Arc;

/// What ACAP says, and what of it is missing.
#[derive(Clone, Debug)]
pub(crate) struct AcapSide {
    pub(crate) policy: AcapPolicy,
    /// What became of each reference that concerns the client, in the policy's order.
    pub(crate) read: Vec<Reading>,
    /// Whether conventional rules are to be ignored, as far as this client is concerned.
    pub(crate) ignores_conventional: bool,
    /// Whether records were cut off.
    pub(crate) is_truncated: bool,
}

impl AcapSide {
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

/// What became of a permissions reference.
#[derive(Clone, Debug)]
pub(crate) enum Reading {
    /// Nobody has said yet.
    Unknown,
    /// It was read, or it is unavailable, which is as if it were empty.
    Text(Arc<Text<'static>>),
    /// It is unreachable.
    Failed(Access),
}

/// An answer to a reference, by the locator that the file writes.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    locator: String,
    reading: Reading,
}

impl Answer {
    pub(crate) fn new(locator: &str, referenced: Referenced<'_>, limits: Limits) -> Self {
        let empty = || Reading::Text(Arc::default());
        let reading = match referenced {
            Referenced::Octets(octets) => {
                Reading::Text(Arc::new(Text::new(octets, limits).into_owned()))
            }
            Referenced::Failed(Access::Unknown) => Reading::Unknown,
            Referenced::Failed(Access::Rules | Access::Unavailable(_)) => empty(),
            Referenced::Failed(access @ Access::Unreachable(_)) => Reading::Failed(access),
        };
        Self {
            locator: locator.to_owned(),
            reading,
        }
    }

    fn is_of(&self, reference: &PermissionsReference) -> bool {
        let rooted = |locator: &str| acap::reference_url(locator, Some("x://x/robots.txt"));
        self.locator == reference.locator || rooted(&self.locator) == rooted(&reference.locator)
    }
}

/// An ACAP field, seen as a line of its own stream.
pub(crate) fn line(field: &Field, number: u32, text: &[u8]) -> AcapLine {
    let before = |at: u32| (at as usize).checked_sub(1).and_then(|at| text.get(at));
    let indented = matches!(before(field.key.start), Some(b' ' | b'\t'));
    let spaced = matches!(text.get(field.key.end as usize), Some(b' ' | b'\t'));
    let loose = spaced && field.separator == crate::text::Separator::Colon;
    AcapLine {
        line: number,
        key: field.key,
        separator: field.separator,
        value: field.value,
        loose: indented || loose,
    }
}

/// The ACAP lines of a text.
fn lines(text: &Text<'_>) -> Vec<AcapLine> {
    let octets = text.octets();
    let acap = |raw: RawLine| {
        let (content, _) = field::read(
            raw.span.of(octets),
            raw.span.start as usize,
            Profile::Careful,
        );
        match content {
            Content::Field(field) if field.kind == FieldKind::Acap => {
                Some(line(&field, raw.number, octets))
            }
            _ => None,
        }
    };
    Lines::new(octets, text.body()).filter_map(acap).collect()
}

/// Compiles the ACAP `lines` of a robots.txt for `client`; `None` where they say nothing to anybody.
pub(crate) fn compile(
    lines: &[AcapLine],
    text: &Text<'_>,
    client: &Client,
    answers: &[Answer],
) -> Option<Box<AcapSide>> {
    let is_cut = |text: &Text<'_>, seen: bool| text.is_truncated() && (seen || has_mark(text));
    if !client.reads_acap() || (lines.is_empty() && !is_cut(text, false)) {
        return None;
    }
    let main = acap::read(lines, text.octets(), None, &mut Findings::dropped());
    let alone = AcapPolicy::compile(std::iter::once(&main), client);
    let read: Vec<Reading> = alone
        .references
        .iter()
        .map(|reference| reading(reference, answers))
        .collect();
    let files: Vec<AcapFile> = read
        .iter()
        .map(|reading| referenced(reading, &main, &mut Findings::dropped()))
        .collect();
    let policy = if files.is_empty() {
        alone
    } else {
        AcapPolicy::compile(std::iter::once(&main).chain(&files), client)
    };
    let cut_elsewhere = read.iter().any(|reading| match reading {
        Reading::Text(text) => is_cut(text, !self::lines(text).is_empty()),
        Reading::Unknown | Reading::Failed(_) => false,
    });
    let full = client.acap_profile().mode == AcapMode::Full;
    Some(Box::new(AcapSide {
        ignores_conventional: main.ignores_conventional && policy.has_record && full,
        is_truncated: is_cut(text, !lines.is_empty()) || cut_elsewhere,
        policy,
        read,
    }))
}

/// Compiles a text for `client`, with `answers` to its references.
pub(crate) fn recompile(
    text: &Text<'_>,
    client: &Client,
    answers: &[Answer],
) -> Option<Box<AcapSide>> {
    compile(&lines(text), text, client, answers)
}

fn reading(reference: &PermissionsReference, answers: &[Answer]) -> Reading {
    answers
        .iter()
        .find(|answer| answer.is_of(reference))
        .map_or(Reading::Unknown, |answer| answer.reading.clone())
}

fn referenced(reading: &Reading, main: &AcapFile, findings: &mut Findings) -> AcapFile {
    match reading {
        Reading::Text(text) => acap::read(
            &lines(text),
            text.octets(),
            Some(&main.definitions),
            findings,
        ),
        Reading::Unknown | Reading::Failed(_) => AcapFile::default(),
    }
}

/// Whether the comment stands in a text that tells of ACAP records (ACAP-2).
fn has_mark(text: &Text<'_>) -> bool {
    let octets = text.octets();
    Lines::new(octets, text.body()).any(|raw| behind_mark(raw.span.of(octets)).is_some())
}

/// What stands behind `##ACAP` in a line.
fn behind_mark(line: &[u8]) -> Option<&[u8]> {
    let rest = line.trim_ascii_start().strip_prefix(b"##")?;
    let (mark, rest) = rest.trim_ascii_start().split_at_checked(4)?;
    mark.eq_ignore_ascii_case(b"acap").then_some(rest)
}

/// The version that a line `##ACAP version=1.0` tells.
pub(crate) fn version(line: &[u8]) -> Option<&[u8]> {
    let (key, rest) = behind_mark(line)?.trim_ascii().split_at_checked(7)?;
    let version = rest.trim_ascii_start().strip_prefix(b"=")?;
    key.eq_ignore_ascii_case(b"version")
        .then_some(version.trim_ascii_start())
}

/// What is wrong in the files that a robots.txt refers to, with the file and line in words.
pub(crate) fn findings_of_references(text: &Text<'_>, side: &AcapSide) -> Vec<Diagnostic> {
    let main = acap::read(&lines(text), text.octets(), None, &mut Findings::dropped());
    let mut found = Vec::new();
    for (reference, reading) in side.policy.references.iter().zip(&side.read) {
        let mut findings = Findings::kept();
        referenced(reading, &main, &mut findings);
        let locator = crate::explain::visible(reference.locator.as_bytes());
        found.extend(findings.into_vec().into_iter().map(|finding| Diagnostic {
            message: match finding.line {
                Some(line) => format!("{locator}, line {line}: {}", finding.message),
                None => format!("{locator}: {}", finding.message),
            },
            line: Some(reference.place.line),
            span: reference.place.span,
            ..finding
        }));
    }
    found
}
