//! Converts records and tags to another specification, and reports every change of meaning.
//!
//! - [`to_acap`]: conventional records to ACAP 1.0 records that say the same about crawling.
//! - [`to_robots`]: ACAP records to conventional records that say the same about crawling.
//! - [`to_content_usage`], [`to_content_signal`], [`to_tdmrep`]: AI preferences to another
//!   vocabulary. [`to_content_usage_field`]: to a response field.
//! - [`robots_txt`]: one of these, by its [`FileForm`], or robots tags by path from ACAP records.
//!   [`Form`]: all targets, by name.
//! - [`tags`]: robots tags to `Robots-Tag`, `X-Robots-Tag` or meta elements.
//!
//! Nothing is decided here. [`abide`] reads the result again, and its decisions are compared with
//! those of the source (`agreement`, `comparison`, `preferences`). A conversion that
//! changes a decision is refused, with a URL that shows the change.

mod acap;
mod agreement;
mod by_literal;
mod by_path;
mod comparison;
mod form;
mod preferences;
mod resources;
mod robots;
mod sides;
mod tags;

pub use acap::to_acap;
pub use form::Form;
pub use preferences::{to_content_signal, to_content_usage, to_content_usage_field, to_tdmrep};
pub use robots::to_robots;
pub use tags::{TagForm, tags};

use crate::bound::GoesOn;
use abide::Limits;
use abide::Robots;
use abide::preference::{Revision, Vocabulary};
use abide::syntax::FieldKind;
use serde::Serialize;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

/// What a robots.txt can be converted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileForm {
    /// ACAP 1.0 records, from conventional records: [`to_acap`].
    Acap,
    /// Conventional records, from ACAP records: [`to_robots`].
    Robots,
    /// The file with `Content-Usage` lines: [`to_content_usage`].
    ContentUsage,
    /// The file with `Content-Signal` lines: [`to_content_signal`].
    ContentSignal,
    /// A `tdmrep.json`: [`to_tdmrep`].
    Tdmrep,
}

/// Converts a robots.txt. `revision` has the words of `Content-Usage`.
///
/// Robots tags are made from its ACAP records, in the way of
/// [`FieldRules`](abide::write::FieldRules): for each pattern a comment with it and its field
/// lines, and of the patterns that match a path, the longest counts.
///
/// ```
/// use abide::preference::Revision;
/// use abide_analysis::convert::{TagForm, robots_txt};
/// let records = b"ACAP-crawler: *\nACAP-disallow-index: /old/\nACAP-allow-index: /old/open/\n";
/// let converted = robots_txt(records, TagForm::RobotsTag, Revision::latest());
/// assert_eq!(
///     converted.text(),
///     Some("# /old/\nRobots-Tag: *;noindex\n\n# /old/open/: no field\n")
/// );
/// ```
///
/// # Panics
/// Only on a bug.
#[must_use]
pub fn robots_txt(bytes: &[u8], to: impl Into<Form>, revision: &'static Revision) -> Conversion {
    robots_txt_while(bytes, to, revision, || true).expect("nothing ends it early")
}

/// Like [`robots_txt`], as long as `goes_on` says so. `None` if it ended early: proving
/// that a large file means the same takes seconds.
#[must_use]
pub fn robots_txt_while(
    bytes: &[u8],
    to: impl Into<Form>,
    revision: &'static Revision,
    goes_on: impl Fn() -> bool,
) -> Option<Conversion> {
    // Whether a proof was ended early.
    let has_ended = Cell::new(false);
    let goes_on = || {
        let is_over = has_ended.get() || !goes_on();
        has_ended.set(is_over);
        !is_over
    };
    let converted = match to.into() {
        Form::Tags(form) => by_path::converted(bytes, form, &goes_on),
        Form::File(form) => match form {
            FileForm::Acap => acap::converted(bytes, &goes_on),
            FileForm::Robots => robots::converted(bytes, &goes_on),
            FileForm::ContentUsage => {
                preferences::to_lines(bytes, Vocabulary::ContentSignal, revision, &goes_on)
            }
            FileForm::ContentSignal => {
                preferences::to_lines(bytes, Vocabulary::ContentUsage, revision, &goes_on)
            }
            FileForm::Tdmrep => preferences::tdmrep(bytes, revision, &goes_on),
        },
    };
    (!has_ended.get()).then_some(converted)
}

/// The largest number of findings of one kind. Two rules can disagree about each other, so there
/// could be millions.
const MAX_OF_A_KIND: usize = 500;

/// The result of a conversion to another specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conversion {
    /// The converted text, with LF line ends; null if it would not mean what the source means.
    #[serde(rename = "converted")]
    text: Option<String>,
    /// Everything that changes or is left out: first the reasons for a refusal, each in the order
    /// of lines.
    findings: Vec<ConversionFinding>,
}

impl Conversion {
    fn new(text: String, mut findings: Vec<ConversionFinding>) -> Self {
        findings.sort_by_key(|finding| (!finding.refuses, finding.line));
        findings.dedup();
        let mut counts: BTreeMap<Loss, usize> = BTreeMap::new();
        findings.retain(|finding| {
            let count = counts.entry(finding.loss).or_default();
            *count += 1;
            *count <= MAX_OF_A_KIND
        });
        let many = counts
            .into_iter()
            .filter(|(_, count)| *count > MAX_OF_A_KIND);
        findings.extend(many.map(|(loss, _)| {
            let message = format!(
                "there are more findings of this kind; the first {MAX_OF_A_KIND} are listed"
            );
            ConversionFinding::warning(loss, None, message)
        }));
        let is_refused = findings.iter().any(|finding| finding.refuses);
        let text = (!is_refused).then_some(text);
        Self { text, findings }
    }

    /// The converted text, with LF line ends; `None` if it would not mean what the source means.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Whether the result would not mean what the source means.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.text.is_none()
    }

    /// Everything that changes or is left out: first the reasons for a refusal, each in the order
    /// of lines.
    #[must_use]
    pub fn findings(&self) -> &[ConversionFinding] {
        &self.findings
    }
}

/// Something that a conversion changes or leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ConversionFinding {
    /// The kind of loss.
    #[serde(rename = "code")]
    pub loss: Loss,
    /// The line of the source, starting from 1, if the finding is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Whether the conversion is refused because of it.
    pub refuses: bool,
    /// One sentence, with foreign text as it is.
    pub message: String,
}

impl ConversionFinding {
    fn warning(loss: Loss, line: impl Into<Option<u32>>, message: impl Into<String>) -> Self {
        Self {
            loss,
            line: line.into(),
            refuses: false,
            message: message.into(),
        }
    }

    fn refusal(loss: Loss, line: impl Into<Option<u32>>, message: impl Into<String>) -> Self {
        Self {
            refuses: true,
            ..Self::warning(loss, line, message)
        }
    }
}

/// What conversions can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// ACAP ignores case, conventional rules do not (AMB-X-2).
    Case,
    /// Another rule wins: RFC 9309 prefers the longest rule, and allows on a tie; ACAP prefers the
    /// narrowest, and prohibits on a tie (AMB-X-1, AMB-X-4).
    Precedence,
    /// A URL is decided differently, for another reason.
    Decision,
    /// It could not be proven that all decisions are the same.
    Unproved,
    /// A crawler's name that the other specification reads differently, or not at all (AMB-X-6).
    Name,
    /// Groups by purpose have no counterpart (AMB-X-7).
    Purpose,
    /// A query in a pattern, which ACAP's grammar does not have (AMB-ACAP-10).
    Query,
    /// A `$` that does not end the pattern (ACAP-137).
    Dollar,
    /// A record that the other specification does not have.
    Record,
    /// A usage other than crawl.
    Usage,
    /// A restriction of a permission (ACAP-49).
    Qualifier,
    /// A name for usages or resources that the file does not define exactly once.
    LocalName,
    /// A permissions reference, whose file is not available (ACAP-38).
    Reference,
    /// A line that cannot be read.
    Malformed,
    /// The source is longer than the parsing limit, or the result would be.
    SizeLimit,
    /// An unknown robots tag rule (AMB-TAG-20).
    UnknownRule,
    /// A rule that permits, which has no effect (AMB-TAG-18).
    PositiveRule,
    /// A value that the other form cannot hold.
    Value,
    /// `X-Robots-Tag` is deprecated (TAG-22).
    Deprecated,
    /// A word that the other vocabulary of preferences does not have.
    Word,
    /// A level of use, which only `Content-Signal` has (PREF-52).
    Level,
    /// Words for one usage that are not equally wide.
    Width,
    /// A path on which the vocabularies select other lines (AMB-PREF-35).
    Path,
    /// Robots with other preferences than every other robot.
    Robots,
    /// Paths that may not be crawled, on which `Content-Usage` says nothing (PREF-20).
    Disallowed,
    /// Lines of the target that are in the file already.
    Present,
    /// Nothing to convert, so the result would be empty or the source itself.
    Silent,
}

abide::named!(
    Loss,
    [
        Case = "convert-case",
        Precedence = "convert-precedence",
        Decision = "convert-decision",
        Unproved = "convert-unproved",
        Name = "convert-name",
        Purpose = "convert-purpose",
        Query = "convert-query",
        Dollar = "convert-dollar",
        Record = "convert-record",
        Usage = "convert-usage",
        Qualifier = "convert-qualifier",
        LocalName = "convert-local-name",
        Reference = "convert-reference",
        Malformed = "convert-malformed",
        SizeLimit = "convert-size-limit",
        UnknownRule = "convert-unknown-rule",
        PositiveRule = "convert-positive-rule",
        Value = "convert-value",
        Deprecated = "convert-deprecated",
        Word = "convert-word",
        Level = "convert-use",
        Width = "convert-width",
        Path = "convert-path",
        Robots = "convert-robots",
        Disallowed = "convert-disallowed",
        Present = "convert-present",
        Silent = "convert-nothing"
    ]
);

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One of the two streams of a file, with its other lines emptied so that line numbers stay the
/// same.
fn stream(robots: &Robots, acap: bool) -> Vec<u8> {
    let text = robots.text().as_bytes();
    let mut kept = Vec::with_capacity(text.len());
    for line in robots.lines() {
        let is_acap = line
            .field()
            .is_some_and(|field| field.kind == FieldKind::Acap);
        if is_acap == acap {
            kept.extend_from_slice(line.span.of(text));
        }
        kept.push(b'\n');
    }
    kept
}

/// The finding for a source that is longer than the parsing limit.
fn too_long(bytes: &[u8]) -> Option<ConversionFinding> {
    (bytes.len() > Limits::FLOOR).then(|| {
        let message = format!(
            "expected at most {} bytes: robots read no further",
            Limits::FLOOR
        );
        ConversionFinding::refusal(Loss::SizeLimit, None, message)
    })
}

/// Whether a value covers every path.
fn is_everything(value: &[u8]) -> bool {
    matches!(value, b"/" | b"*" | b"/*")
}

/// A value in another case, which only one of the specifications distinguishes.
fn in_other_case(value: &[u8]) -> String {
    let turned = value.iter().map(|byte| match byte {
        b'a'..=b'z' => byte.to_ascii_uppercase(),
        other => other.to_ascii_lowercase(),
    });
    String::from_utf8_lossy(&turned.collect::<Vec<u8>>()).into_owned()
}
