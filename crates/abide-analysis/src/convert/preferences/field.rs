//! Writes a response field `Content-Usage` from the preferences of a robots.txt.

use super::proof::{Beside, PreferenceSides, prove};
use super::source::{PathStatement, Source};
use super::{Conversion, ConversionFinding, Loss, line, too_long, width};
use abide::Robots;
use abide::preference::{Revision, Vocabulary};
use abide::tag::{FieldLine, Response};

/// Writes the `Content-Usage` lines of a file, or else its `Content-Signal` lines, as the field
/// `Content-Usage` of every response, which asks the same of every robot. The lines can then leave
/// robots.txt, where some tools take them for mistakes (`peers` of the linter).
///
/// A field has no path, and no robot: lines for some paths or some robots are refused, with the
/// field that they would be.
///
/// ```
/// use abide::preference::Revision;
/// use abide_analysis::convert;
/// let file = b"User-agent: *\nContent-Usage: train-ai=n, search=y\nAllow: /\n";
/// let converted = convert::to_content_usage_field(file, Revision::named("08")?);
/// assert_eq!(converted.text(), Some("Content-Usage: train-ai=n, search=y\n"));
/// # Ok::<(), abide::UnknownNameError>(())
/// ```
#[must_use]
pub fn to_content_usage_field(bytes: &[u8], revision: &'static Revision) -> Conversion {
    const TO: Vocabulary = Vocabulary::ContentUsage;
    if let Some(refusal) = too_long(bytes) {
        return Conversion::new(String::new(), vec![refusal]);
    }
    let robots = Robots::parse(bytes);
    let is_usage = |found: abide::syntax::PreferenceStatement<'_>| found.vocabulary == TO;
    let mut lines = robots.lines().iter().filter(|line| line.group.is_some());
    let has_usage = lines.any(|line| {
        let found = robots.preference_statement(line, revision);
        found.is_some_and(is_usage)
    });
    let from = if has_usage {
        TO
    } else {
        Vocabulary::ContentSignal
    };
    let mut source = Source::read(&robots, &[from], revision);
    if from != TO {
        source.findings.extend(width(&source, TO));
    }
    let mut field = None;
    for stated in &source.stated {
        let everywhere = PathStatement {
            path: None,
            ..stated.clone()
        };
        let Some(text) = line(&everywhere, TO, revision, &mut source.findings) else {
            continue;
        };
        match stated.path {
            None | Some(b"/") => field = field.or(Some(text)),
            Some(path) => source
                .findings
                .push(of_some_pages(stated.line, path, &text)),
        }
    }
    let text = field.map_or_else(String::new, |field| format!("{field}\n"));
    if !source.is_refused() {
        let sent = text.trim_end().split_once(": ");
        let sent = sent.map(|(name, value)| FieldLine::new(name, value));
        let response = Response::new(&sent.into_iter().collect::<Vec<_>>());
        let sides = PreferenceSides {
            old: &robots,
            new: &Robots::parse(b""),
            beside: Beside::Response(&response),
        };
        let found = prove(&sides, &[from], (TO, revision), &|| true);
        source.findings.extend(found);
    }
    Conversion::new(text, source.findings)
}

/// The refusal of a line for some pages: only the server knows which responses are theirs.
fn of_some_pages(line: u32, path: &[u8], field: &str) -> ConversionFinding {
    let path = String::from_utf8_lossy(path);
    let message = format!(
        "a response field has no path; send \"{field}\" with the pages that {path} matches, and remove the line first"
    );
    ConversionFinding::refusal(Loss::Path, line, message)
}
