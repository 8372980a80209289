//! Writes a `tdmrep.json` from the preferences of a robots.txt.

use super::proof::{Beside, PreferenceSides, prove};
use super::source::{PathStatement, Source};
use super::{Conversion, ConversionFinding, GoesOn, Loss, too_long, width};
use abide::preference::{Revision, Vocabulary, tdmrep::TdmrepFile, tdmrep::TdmrepRule};
use abide::syntax::PathPattern;
use abide::{Robots, Usage};
use std::fmt::Write;

/// Writes a `tdmrep.json` that says about training and AI input what the `Content-Usage` and
/// `Content-Signal` lines for `*` say. A reservation is about both usages and about every robot, so
/// other statements about them are refused; those about search are left out. Serve it as
/// `/.well-known/tdmrep.json`; the robots.txt stays.
///
/// ```
/// use abide::preference::Revision;
/// use abide_analysis::convert;
/// let file = b"User-agent: *\nContent-Usage: train-ai=n, ai-use=n\n\
///     Content-Usage: /open/ train-ai=y, ai-use=y\n";
/// let converted = convert::to_tdmrep(file, Revision::named("08")?);
/// assert_eq!(
///     converted.text(),
///     Some(
///         "[\n  {\"location\": \"/open/\", \"tdm-reservation\": 0},\n  \
///          {\"location\": \"/\", \"tdm-reservation\": 1}\n]\n"
///     )
/// );
/// # Ok::<(), abide::UnknownNameError>(())
/// ```
#[must_use]
pub fn to_tdmrep(bytes: &[u8], revision: &'static Revision) -> Conversion {
    converted(bytes, revision, &|| true)
}

pub(in crate::convert) fn converted(
    bytes: &[u8],
    revision: &'static Revision,
    goes_on: GoesOn<'_>,
) -> Conversion {
    const FROM: [Vocabulary; 2] = [Vocabulary::ContentUsage, Vocabulary::ContentSignal];
    if let Some(refusal) = too_long(bytes) {
        return Conversion::new(String::new(), vec![refusal]);
    }
    let robots = Robots::parse(bytes);
    let mut source = Source::read(&robots, &FROM, revision);
    source.findings.extend(width(&source, Vocabulary::Tdmrep));
    source.findings.extend(search(&source));
    let mut rules = Vec::new();
    for stated in &source.stated {
        match reservation(stated) {
            Ok(Some(is_reserved)) if stated.is_for_any => {
                rules.push((location(stated), is_reserved));
            }
            Ok(_) => {}
            Err(refusal) => source.findings.push(refusal),
        }
    }
    // The first rule that matches counts, so longer paths come first, and of equally long ones
    // those that reserve (PREF-71).
    rules.sort_by_key(|(location, is_reserved)| {
        let length = PathPattern::read(location.as_bytes()).map_or(0, |path| path.length());
        (std::cmp::Reverse(length), !is_reserved)
    });
    rules.dedup();
    if rules.is_empty() && !source.is_refused() {
        let message =
            "no line for * is about training and AI input, so there is nothing to convert";
        let refusal = ConversionFinding::refusal(Loss::Silent, None, message);
        source.findings.push(refusal);
    }
    let read = |(location, is_reserved): &(String, bool)| TdmrepRule::new(location, *is_reserved);
    let file = TdmrepFile::new(rules.iter().map(|rule| Some(read(rule))).collect());
    if !source.is_refused() {
        let sides = PreferenceSides {
            old: &robots,
            new: &robots,
            beside: Beside::Tdmrep(&file),
        };
        source.findings.extend(prove(
            &sides,
            &FROM,
            (Vocabulary::Tdmrep, revision),
            goes_on,
        ));
    }
    Conversion::new(json(&rules), source.findings)
}

/// The warning that the result leaves out what the robots.txt says about search.
fn search(source: &Source<'_>) -> Option<ConversionFinding> {
    let mut stated = source.stated.iter();
    let stated = stated.find(|stated| stated.says.permits(Usage::Search).is_some())?;
    let message = "TDMRep says nothing about search; that stays in robots.txt only";
    let line = stated.line;
    Some(ConversionFinding::warning(Loss::Word, line, message))
}

/// Whether a line reserves rights; `None` if it is about neither usage.
fn reservation(stated: &PathStatement<'_>) -> Result<Option<bool>, ConversionFinding> {
    let [train, ai_input] = [Usage::Train, Usage::AiInput].map(|usage| stated.says.permits(usage));
    if train != ai_input {
        let missing = match (train, ai_input) {
            (Some(false), None) => "; add ai-use=n (Content-Usage) or ai-input=no (Content-Signal)",
            (Some(true), None) => "; add ai-use=y (Content-Usage) or ai-input=yes (Content-Signal)",
            _ => "",
        };
        let message = format!(
            "a reservation is about training and AI input alike, so say the same about both first{missing}"
        );
        let refusal = ConversionFinding::refusal(Loss::Word, stated.line, message);
        return Err(refusal);
    }
    Ok(train.map(|permits| !permits))
}

fn location(stated: &PathStatement<'_>) -> String {
    let path = stated.path.unwrap_or(b"/");
    String::from_utf8_lossy(path).into_owned()
}

fn json(rules: &[(String, bool)]) -> String {
    let rules = rules.iter().map(|(location, is_reserved)| {
        let (location, value) = (escaped(location), u8::from(*is_reserved));
        format!("  {{\"location\": \"{location}\", \"tdm-reservation\": {value}}}")
    });
    format!("[\n{}\n]\n", rules.collect::<Vec<_>>().join(",\n"))
}

/// A text as JSON writes it between quotation marks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            control if control.is_control() => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            other => out.push(other),
        }
    }
    out
}
