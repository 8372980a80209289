//! Converts AI preferences of a robots.txt to another vocabulary (AMB-PREF-35).
//!
//! The vocabularies share words, but select lines in different ways: `Content-Usage` takes the line
//! with the longest path, `Content-Signal` the longest path for each word, `tdmrep.json` the first
//! rule that matches. `source` reads what holds on each path, `proof` compares the answers for
//! every path and every robot.

mod field;
mod proof;
mod source;
mod tdmrep;

pub use field::to_content_usage_field;
pub(super) use tdmrep::converted as tdmrep;
pub use tdmrep::to_tdmrep;

use super::{Conversion, ConversionFinding, GoesOn, Loss, too_long};
use abide::preference::{Revision, Vocabulary};
use abide::syntax::Line;
use abide::write::{PreferenceWriter, WriteFault};
use abide::{Robots, Usage};
use proof::{Beside, PreferenceSides};
use source::{PathStatement, Source};
use std::collections::BTreeMap;

/// Writes the `Content-Signal` lines of a file as `Content-Usage` lines, with the words of
/// `revision`. The result is the whole file: each new line stands below the line that it is for,
/// and everything else stays byte for byte.
///
/// ```
/// use abide::preference::Revision;
/// use abide_analysis::convert;
/// let file = b"User-agent: *\nContent-Signal: ai-train=no\nContent-Signal: /blog/ search=yes\n";
/// let converted = convert::to_content_usage(file, Revision::named("08")?);
/// assert_eq!(
///     converted.text(),
///     Some(
///         "User-agent: *\nContent-Signal: ai-train=no\nContent-Usage: train-ai=n\n\
///          Content-Signal: /blog/ search=yes\nContent-Usage: /blog/ train-ai=n, search=y\n"
///     )
/// );
/// # Ok::<(), abide::UnknownNameError>(())
/// ```
#[must_use]
pub fn to_content_usage(bytes: &[u8], revision: &'static Revision) -> Conversion {
    to_lines(bytes, Vocabulary::ContentSignal, revision, &|| true)
}

/// Writes the `Content-Usage` lines of a file as `Content-Signal` lines, as [`to_content_usage`]
/// does in the other direction.
#[must_use]
pub fn to_content_signal(bytes: &[u8], revision: &'static Revision) -> Conversion {
    to_lines(bytes, Vocabulary::ContentUsage, revision, &|| true)
}

pub(super) fn to_lines(
    bytes: &[u8],
    from: Vocabulary,
    revision: &'static Revision,
    goes_on: GoesOn<'_>,
) -> Conversion {
    if let Some(refusal) = too_long(bytes) {
        return Conversion::new(String::new(), vec![refusal]);
    }
    let robots = Robots::parse(bytes);
    let to = match from {
        Vocabulary::ContentUsage => Vocabulary::ContentSignal,
        _ => Vocabulary::ContentUsage,
    };
    let mut source = Source::read(&robots, &[from], revision);
    source.findings.extend(present(&robots, to, revision));
    source.findings.extend(width(&source, to));
    let mut lines = BTreeMap::new();
    for stated in &source.stated {
        if let Some(line) = line(stated, to, revision, &mut source.findings) {
            lines.insert(stated.line, line);
        }
    }
    let Some(text) = with_lines(&robots, &lines) else {
        let message = "the file is not UTF-8; save it as UTF-8 first";
        let refusal = ConversionFinding::refusal(Loss::Malformed, None, message);
        return Conversion::new(String::new(), vec![refusal]);
    };
    let sides = PreferenceSides {
        old: &robots,
        new: &Robots::parse(&text),
        beside: Beside::Nothing,
    };
    if !source.is_refused() {
        let found = proof::prove(&sides, &[from], (to, revision), goes_on);
        source.findings.extend(found);
    }
    Conversion::new(text, source.findings)
}

/// The finding for lines of the target vocabulary that are in the file already.
fn present(robots: &Robots, to: Vocabulary, revision: &Revision) -> Option<ConversionFinding> {
    let is_present = |line: &&Line| {
        let found = robots.preference_statement(line, revision);
        line.group.is_some() && found.is_some_and(|found| found.vocabulary == to)
    };
    let line = robots.lines().iter().find(is_present)?;
    let message = format!(
        "the file has {} lines already; remove them first, or write them by hand",
        key(to)
    );
    Some(ConversionFinding::refusal(
        Loss::Present,
        line.number,
        message,
    ))
}

/// The finding that the words for training are not equally wide.
fn width(source: &Source<'_>, to: Vocabulary) -> Option<ConversionFinding> {
    let is_about_training =
        |stated: &&PathStatement<'_>| stated.says.permits(Usage::Train).is_some();
    let stated = source.stated.iter().find(is_about_training)?;
    let message = match to {
        Vocabulary::ContentUsage => {
            "ai-train is about any AI model, train-ai only about models that generate content"
        }
        Vocabulary::ContentSignal => {
            "train-ai is about models that generate content, ai-train about any AI model"
        }
        _ => {
            "a reservation is about all text and data mining, not only about training and AI input"
        }
    };
    Some(ConversionFinding::warning(
        Loss::Width,
        stated.line,
        message,
    ))
}

/// The field of a vocabulary.
const fn key(vocabulary: Vocabulary) -> &'static str {
    match vocabulary {
        Vocabulary::ContentUsage => "Content-Usage",
        _ => "Content-Signal",
    }
}

/// The line that says in the other vocabulary what holds on a path; `None` if nothing does.
fn line(
    stated: &PathStatement<'_>,
    to: Vocabulary,
    revision: &'static Revision,
    findings: &mut Vec<ConversionFinding>,
) -> Option<String> {
    let mut writer = match to {
        Vocabulary::ContentUsage => PreferenceWriter::content_usage(revision),
        _ => PreferenceWriter::content_signal(),
    };
    if let Some(path) = stated.path {
        writer = writer.with_path(String::from_utf8_lossy(path));
    }
    let usages = Usage::PREFERENCES.iter();
    let said = usages.filter_map(|usage| Some((*usage, stated.says.permits(*usage)?)));
    let said: Vec<(Usage, bool)> = said.collect();
    if said.is_empty() {
        return None;
    }
    let writer = said.into_iter().fold(writer, |writer, (usage, permits)| {
        writer.with(usage, permits)
    });
    let written = writer.line().map_err(|error| {
        let loss = match error.fault() {
            WriteFault::Word { .. } => Loss::Word,
            _ => Loss::Path,
        };
        findings.push(ConversionFinding::refusal(
            loss,
            stated.line,
            error.to_string(),
        ));
    });
    written.ok()
}

/// The file with each of these lines below the line with its number; `None` if it is not UTF-8.
fn with_lines(robots: &Robots, lines: &BTreeMap<u32, String>) -> Option<String> {
    let text = robots.text().as_bytes();
    let mut out = text.get(..robots.text().body())?.to_vec();
    for line in robots.lines() {
        out.extend_from_slice(line.span.of(text));
        let ending = line.ending.as_bytes();
        let Some(added) = lines.get(&line.number) else {
            out.extend_from_slice(ending);
            continue;
        };
        // The last line may end without one.
        out.extend_from_slice(if ending.is_empty() { b"\n" } else { ending });
        out.extend_from_slice(added.as_bytes());
        out.extend_from_slice(ending);
    }
    String::from_utf8(out).ok()
}
