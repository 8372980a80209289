//! One canonical layout of a robots.txt, in which every line says what it said before.
//!
//! Only what no reading of a line depends on is changed: blanks, line ends, the case of keys, empty lines
//! and a byte order mark. Lines are neither moved, merged nor dropped, and no spelling is corrected.
//!
//! - `key`: keys as the specifications write them.
//! - `line`: one line.
//! - `spacing`: where empty lines stand.
//! - `proof`: that the file means the same before and after.

mod key;
mod line;
mod proof;
mod spacing;

use abide::Limits;
use abide::syntax::{Content, FieldKind};
use abide::{Profile, Robots};
use line::Writer;
use thiserror::Error;

/// A robots.txt in the canonical layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formatted {
    bytes: Vec<u8>,
    is_robots_txt: bool,
}

impl Formatted {
    /// The file's bytes: UTF-8 where the original was, LF line ends.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same, owned.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// False where the file holds text, and no line of a robots.txt: a page of HTML, say. It is left byte for byte
    /// as it is.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        self.is_robots_txt
    }
}

/// Why a file is not laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Robots read no further than the parsing limit: what stands behind it would come into effect, or what stands
    /// before it would fall out of effect (REP-81, AMB-REP-10).
    #[error(
        "expected at most {limit} bytes before and after, but found more: what robots do not read now would \
         come into effect, or the reverse; shorten the file first"
    )]
    TooLong {
        /// The parsing limit, in bytes.
        limit: usize,
    },
    /// Many robots read nothing in a file of UTF-16; in UTF-8 it would come into effect for them (AMB-REP-13).
    #[error(
        "expected UTF-8, but found UTF-16: many robots read nothing in it, so that writing it as UTF-8 \
         changes what they do; convert it first, as with iconv"
    )]
    Utf16,
    /// The file would not mean the same. No input is known that leads here.
    #[error("line {line} would change its meaning in the canonical format; nothing was changed")]
    Meaning {
        /// The first line of the original, from 1, of which that is so.
        line: u32,
    },
}

/// Lays `bytes` out, and proves that nothing else was done: every field, comment and line that is no field is there
/// in the same order, of the same group, with the same key and value, in the careful reading and in Google's, and
/// policies compiled of both agree.
///
/// Laying out again changes nothing. Time and memory are linear in the length of the file, which is at most
/// [`Limits::FLOOR`] bytes.
///
/// # Errors
/// [`FormatError`] where the layout cannot be had without a change of meaning.
///
/// ```
/// use abide_lint::layout;
/// let formatted = layout::format(b"\xEF\xBB\xBFuser-agent:*\r\n\r\n  Disallow :/a#soon\r\nUSER-AGENT: b\r\nallow:")?;
/// assert_eq!(
///     std::str::from_utf8(formatted.as_bytes())?,
///     "User-agent: *\nDisallow: /a #soon\n\nUser-agent: b\nAllow:\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn format(bytes: &[u8]) -> Result<Formatted, FormatError> {
    let limit = Limits::FLOOR;
    if matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        return Err(FormatError::Utf16);
    }
    if bytes.len() > limit {
        return Err(FormatError::TooLong { limit });
    }
    let careful = Robots::parse(bytes);
    if !is_robots_txt(&careful) {
        return Ok(Formatted {
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
    }
    Ok(Formatted {
        bytes: laid,
        is_robots_txt: true,
    })
}

fn google(bytes: &[u8]) -> Robots {
    Robots::parse_as(bytes, Profile::Google, Limits::default())
}

/// Whether the file has a line that robots read, or nothing that they cannot.
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
    let writer = Writer::new(careful, google);
    let spaced = spacing::spaced(careful);
    let mut laid = Vec::with_capacity(text.len());
    for (line, beside) in careful.lines().iter().zip(google.lines()) {
        let gap = spaced.get(line.number as usize - 1).copied().flatten();
        let Some(gap) = gap else { continue };
        if gap && !laid.is_empty() {
            laid.push(b'\n');
        }
        writer.write(line, beside, &mut laid);
        laid.push(b'\n');
    }
    guard_beginning(text, &mut laid);
    laid
}

/// Keeps a line that begins like a byte order mark from being taken for one: behind the mark that was there, or
/// behind an empty line.
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
