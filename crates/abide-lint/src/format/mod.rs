//! Formats a robots.txt without changing what any line means.
//!
//! It only changes spaces and tabs, line ends, the case of keys, empty lines and a byte order mark.
//! It does not move, merge or drop lines, and does not correct spelling. The legal comment of
//! Content Signals keeps every byte.
//!
//! - `key`: keys as the specifications write them.
//! - `line`: one line.
//! - `spacing`: empty lines.
//! - `proof`: proves that the meaning stays.

mod key;
mod line;
mod proof;
mod spacing;

use crate::legal_comment::{LegalComments, LegalPart};
use abide::Limits;
use abide::syntax::{Content, FieldKind};
use abide::{Profile, Robots};
use abide_analysis::meaning::{self, Readings};
use abide_analysis::{Bound, GoesOn};
use line::LineWriter;
use thiserror::Error;

/// A formatted robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormattedFile {
    bytes: Vec<u8>,
    is_robots_txt: bool,
}

impl FormattedFile {
    /// The bytes of the file: UTF-8 if the original was, LF line ends except in the legal comment
    /// of Content Signals.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes of the file, owned.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// False if the file has text but no robots.txt field, such as an HTML page. Then it is
    /// unchanged, byte for byte.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.is_robots_txt
    }
}

/// Why a file cannot be formatted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file is longer than the parsing limit, so formatting could move lines across it (REP-81,
    /// AMB-REP-10).
    #[error(
        "the file is longer than {limit} bytes, before or after formatting: formatting could move rules \
         across that limit; shorten the file first"
    )]
    TooLong {
        /// The parsing limit, in bytes.
        limit: usize,
    },
    /// The file is UTF-16. Many robots ignore such a file, but would read it in UTF-8 (AMB-REP-13).
    #[error(
        "expected UTF-8, but found UTF-16: many robots read nothing in it, so that writing it as UTF-8 \
         changes what they do; convert it first, as with iconv"
    )]
    Utf16,
    /// The meaning would change. No known input leads here.
    #[error("line {line} would change its meaning in the canonical format; nothing was changed")]
    Meaning {
        /// The first such line of the original, from 1.
        line: u32,
    },
}

/// Formats `bytes`, and proves two things in both profiles. Every field, comment and other line is
/// still there, in the same order and group, with the same key and value. And the file means the
/// same, as a safe fix of the linter does: every robot gets the same answer for every URL.
///
/// Formatting twice gives the same file. Time and memory are linear in the length of the file,
/// which is at most
/// [`Limits::FLOOR`] bytes.
///
/// # Errors
/// [`FormatError`] if the file cannot be formatted without a change of meaning.
///
/// # Panics
/// Only on a bug.
///
/// ```
/// use abide_lint::format;
/// let formatted = format::format(
///     b"\xEF\xBB\xBFuser-agent:*\r\n\r\n  Disallow :/a#soon\r\nUSER-AGENT: b\r\nallow:",
/// )?;
/// assert_eq!(
///     std::str::from_utf8(formatted.as_bytes())?,
///     "User-agent: *\nDisallow: /a #soon\n\nUser-agent: b\nAllow:\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(bytes: &[u8]) -> Result<FormattedFile, FormatError> {
    format_while(bytes, &|| true).expect("nothing ends it early")
}

/// Like [`format()`], as long as `goes_on` says so. `None` if it ended early.
#[must_use]
pub fn format_while(
    bytes: &[u8],
    goes_on: GoesOn<'_>,
) -> Option<Result<FormattedFile, FormatError>> {
    let formatted = formatted(bytes, goes_on);
    goes_on().then_some(formatted)
}

/// The file, or that its meaning would change if `goes_on` ended the proof.
fn formatted(bytes: &[u8], goes_on: GoesOn<'_>) -> Result<FormattedFile, FormatError> {
    let limit = Limits::FLOOR;
    if matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err(FormatError::Utf16);
    }
    if bytes.len() > limit {
        return Err(FormatError::TooLong { limit });
    }
    let careful = Robots::parse(bytes);
    if !is_robots_txt(&careful) {
        return Ok(FormattedFile {
            bytes: bytes.to_vec(),
            is_robots_txt: false,
        });
    }
    let google = google(bytes);
    let laid = lay_out(&careful, &google);
    if laid.len() > limit {
        return Err(FormatError::TooLong { limit });
    }
    if laid != bytes {
        proof::same(&careful, &Robots::parse(&laid))?;
        proof::same(&google, &self::google(&laid))?;
        let (before, after) = (Readings::of(bytes), Readings::of(&laid));
        if !meaning::same(&before, &after, Bound::default(), goes_on) {
            return Err(FormatError::Meaning { line: 1 });
        }
    }
    Ok(FormattedFile {
        bytes: laid,
        is_robots_txt: true,
    })
}

fn google(bytes: &[u8]) -> Robots {
    Robots::parse_as(bytes, Profile::Google, Limits::default())
}

/// Whether the file has a line that robots read, or no other text.
fn is_robots_txt(robots: &Robots) -> bool {
    let known = |content: &Content| match content {
        Content::Field(field) => Some(field.kind != FieldKind::Other),
        Content::Unreadable => Some(false),
        Content::Blank => None,
    };
    let mut kinds = robots
        .lines()
        .iter()
        .filter_map(|line| known(&line.content));
    kinds
        .next()
        .is_none_or(|first| first || kinds.any(|known| known))
}

/// The lines of a file in both readings, written out.
fn lay_out(careful: &Robots, google: &Robots) -> Vec<u8> {
    let text = careful.text().as_bytes();
    let writer = LineWriter::new(careful, google);
    let spaced = spacing::spaced(careful);
    let legal = LegalComments::of(careful);
    let mut laid = Vec::with_capacity(text.len());
    for (line, beside) in careful.lines().iter().zip(google.lines()) {
        let part = legal.part(line);
        let gap = spaced.get(line.number as usize - 1).copied().flatten();
        let Some(gap) = gap.or(part.map(|_| false)) else {
            continue;
        };
        if gap && !laid.is_empty() && part != Some(LegalPart::Other) {
            laid.push(b'\n');
        }
        let ending = if part.is_some() {
            laid.extend_from_slice(line.span.of(text));
            line.ending.as_bytes()
        } else {
            writer.write(line, beside, &mut laid);
            b"\n"
        };
        laid.extend_from_slice(if ending.is_empty() { b"\n" } else { ending });
    }
    guard_beginning(text, &mut laid);
    laid
}

/// Prevents that a line that begins like a byte order mark is read as one: keeps the mark before
/// it, or puts an empty line before it.
fn guard_beginning(text: &[u8], laid: &mut Vec<u8>) {
    const MARK: &[u8] = b"\xEF\xBB\xBF";
    let Some(first @ (0xEF | 0xFE | 0xFF)) = laid.first() else {
        return;
    };
    let guard: &[u8] = if text.starts_with(MARK) {
        MARK
    } else if text.first() == Some(first) {
        b""
    } else {
        b"\n"
    };
    laid.splice(..0, guard.iter().copied());
}

#[cfg(test)]
mod tests;
