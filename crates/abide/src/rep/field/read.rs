//! Splits lines and recognises their keys.

use super::key::{begins_a_key, exact, frequent, is_acap, prefixed};
use super::{Content, Field, FieldKind, Spelling};
use crate::profile::Profile;
use crate::text::Part as _;
use crate::text::{
    Lines, RawLine, Separator, Span, Text, is_blank, leading_blanks, offset, spanned, split,
    trailing_blanks, trim,
};

/// The lines of a text as fields, in order.
///
/// ```
/// use abide::Profile;
/// use abide::syntax::{Content, FieldKind, Fields};
/// use abide::Limits;
/// use abide::syntax::Text;
/// let text = Text::new(b"User-agent: *\nDisallow: /x # not yet\n", Limits::default());
/// let kinds: Vec<_> = Fields::new(&text, Profile::Careful)
///     .filter_map(|line| match line.content {
///         Content::Field(field) => Some(field.kind),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(kinds, [FieldKind::UserAgent, FieldKind::Disallow]);
/// ```
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    lines: Lines<'a>,
    text: &'a [u8],
    profile: Profile,
}

/// A line with its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParsedLine {
    /// The line.
    pub raw: RawLine,
    /// Its content without the comment.
    pub content: Content,
    /// Its comment, `#` included.
    pub comment: Option<Span>,
}

impl<'a> Fields<'a> {
    /// The lines of `text` in the reading of `profile`.
    #[must_use]
    pub fn new(text: &'a Text<'_>, profile: Profile) -> Self {
        Self {
            lines: Lines::new(text.as_bytes(), text.body()),
            text: text.as_bytes(),
            profile,
        }
    }
}

impl Iterator for Fields<'_> {
    type Item = ParsedLine;

    #[inline]
    fn next(&mut self) -> Option<ParsedLine> {
        self.lines
            .next()
            .map(|raw| line(self.text, raw, self.profile))
    }

    #[inline]
    fn fold<B, F: FnMut(B, ParsedLine) -> B>(self, init: B, mut f: F) -> B {
        let Self {
            lines,
            text,
            profile,
        } = self;
        lines.fold(init, |folded, raw| f(folded, line(text, raw, profile)))
    }
}

#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "a line is put together where it is wanted: a copy waits for all of its parts"
)]
fn line(text: &[u8], raw: RawLine, profile: Profile) -> ParsedLine {
    let (found, comment) = find(text, &raw, profile);
    ParsedLine {
        raw,
        content: found.content(),
        comment,
    }
}

/// Reads a line of `text`: its content, and its comment (REP-11).
pub(crate) fn read(text: &[u8], raw: &RawLine, profile: Profile) -> (Content, Option<Span>) {
    let (found, comment) = find(text, raw, profile);
    (found.content(), comment)
}

/// The parts of [`Content`], one by one, so that they stay in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineParts {
    pub(super) what: LineKind,
    pub(super) spelling: Spelling,
    pub(super) separator: Separator,
    pub(super) key: Span,
    pub(super) value: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LineKind {
    Blank,
    Unreadable,
    Field(FieldKind),
}

impl LineParts {
    const BLANK: Self = Self::no_field(LineKind::Blank);
    const UNREADABLE: Self = Self::no_field(LineKind::Unreadable);

    const fn no_field(what: LineKind) -> Self {
        Self {
            what,
            spelling: Spelling::Exact,
            separator: Separator::None,
            key: Span::new(0, 0),
            value: Span::new(0, 0),
        }
    }

    /// A field with a correctly spelt key.
    const fn exact(kind: FieldKind, key: Span, separator: Separator, value: Span) -> Self {
        Self {
            what: LineKind::Field(kind),
            spelling: Spelling::Exact,
            separator,
            key,
            value,
        }
    }

    /// The field of a line with a frequent key. The line begins at `start`, and the value, with
    /// blanks around it, at `at`, right after the colon.
    #[inline]
    pub(super) fn frequent(kind: FieldKind, start: u32, at: u32, value: &[u8]) -> Self {
        let key = Span::new(start, at.wrapping_sub(1));
        let value = spanned(trim(value, at as usize, is_blank));
        Self::exact(kind, key, Separator::Colon, value)
    }

    #[inline]
    const fn content(self) -> Content {
        match self.what {
            LineKind::Blank => Content::Blank,
            LineKind::Unreadable => Content::Unreadable,
            LineKind::Field(kind) => Content::Field(self.field(kind)),
        }
    }

    /// The field, of this kind.
    #[inline]
    pub(super) const fn field(self, kind: FieldKind) -> Field {
        Field {
            kind,
            spelling: self.spelling,
            key: self.key,
            separator: self.separator,
            value: self.value,
        }
    }
}

/// Finds the content of a line, and its comment.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the answer stays in registers")]
pub(super) fn find(text: &[u8], raw: &RawLine, profile: Profile) -> (LineParts, Option<Span>) {
    if profile == Profile::Google {
        let (found, hash) = find_google(text, raw);
        let comment = hash.map(|hash| Span::new(hash, raw.span.end));
        return (found, comment);
    }
    let content = Span::new(raw.span.start, raw.hash).of(text);
    let comment = (raw.hash < raw.span.end).then_some(Span::new(raw.hash, raw.span.end));
    (careful(content, raw.span.start), comment)
}

#[inline]
fn careful(content: &[u8], start: u32) -> LineParts {
    if content.is_empty() {
        return LineParts::BLANK;
    }
    let Some((kind, len)) = frequent(content, content) else {
        return any(content, start as usize);
    };
    let behind = len.wrapping_add(1);
    let value = content.part(behind..);
    LineParts::frequent(kind, start, start.wrapping_add(offset(behind)), value)
}

#[inline(never)]
fn any(content: &[u8], start: usize) -> LineParts {
    let lead = leading_blanks(content);
    let (content, start) = (content.part(lead..), start.wrapping_add(lead));
    if content.is_empty() {
        LineParts::BLANK
    } else if begins_a_key(content) {
        perhaps_known(content, start)
    } else {
        unknown(content, start)
    }
}

/// A line with an unknown key: a field if it has a colon.
#[inline]
fn unknown(content: &[u8], start: usize) -> LineParts {
    let Some(colon) = memchr::memchr(b':', content).filter(|&colon| colon > 0) else {
        return LineParts::UNREADABLE;
    };
    let (key, rest) = content.split_at_checked(colon).unwrap_or_default();
    let key = key.len().wrapping_sub(trailing_blanks(key));
    // At least the colon is left.
    let rest = rest.len().wrapping_sub(trailing_blanks(rest));
    let end = colon.wrapping_add(rest);
    let value = content.part(colon.wrapping_add(1)..end);
    let lead = leading_blanks(value);
    let at = |bytes: usize| offset(start.wrapping_add(bytes));
    let value = Span::new(at(colon.wrapping_add(1).wrapping_add(lead)), at(end));
    LineParts::exact(
        FieldKind::Other,
        Span::new(at(0), at(key)),
        Separator::Colon,
        value,
    )
}

/// A line that may begin with a known key.
fn perhaps_known(content: &[u8], start: usize) -> LineParts {
    let (content, start) = trim(content, start, is_blank);
    let acap = is_acap(content);
    match split(content, start, is_blank) {
        Some(parts) if acap => {
            LineParts::exact(FieldKind::Acap, parts.key, parts.separator, parts.value)
        }
        // Only ACAP has fields without a value; any other single word is not a field.
        Some(parts) if parts.separator == Separator::None => LineParts::UNREADABLE,
        Some(parts) => {
            let key = relative(content, start, parts.key);
            match (exact(key), parts.separator) {
                (None, Separator::Blank) => LineParts::UNREADABLE,
                (known, separator) => {
                    let (kind, spelling) = known.unwrap_or((FieldKind::Other, Spelling::Exact));
                    let found = LineParts::exact(kind, parts.key, separator, parts.value);
                    LineParts { spelling, ..found }
                }
            }
        }
        None if acap => {
            let whole = spanned((content, start));
            let none = Span::new(whole.end, whole.end);
            LineParts::exact(FieldKind::Acap, whole, Separator::None, none)
        }
        None => LineParts::UNREADABLE,
    }
}

/// How many bytes of a line google/robotstxt reads: `2083 * 8 - 1`.
const GOOGLE_LINE: usize = 16_663;

/// The content of a line for google/robotstxt, and where the comment begins.
#[inline(never)]
fn find_google(text: &[u8], raw: &RawLine) -> (LineParts, Option<u32>) {
    let start = raw.span.start as usize;
    let line = raw.span.of(text);
    let kept = line.get(..GOOGLE_LINE).unwrap_or(line);
    let end = memchr::memchr2(b'#', 0, kept);
    let content = end.and_then(|at| kept.get(..at)).unwrap_or(kept);
    let hash = end
        .filter(|&at| kept.get(at) == Some(&b'#'))
        .map(|at| offset(start.saturating_add(at)));
    (google(content, start), hash)
}

fn google(content: &[u8], start: usize) -> LineParts {
    match split(content, start, google_space) {
        None if content.iter().all(|&byte| google_space(byte)) => LineParts::BLANK,
        None => LineParts::UNREADABLE,
        Some(parts) if parts.key.is_empty() || parts.separator == Separator::None => {
            LineParts::UNREADABLE
        }
        Some(parts) => {
            let (kind, spelling) = prefixed(relative(content, start, parts.key));
            let found = LineParts::exact(kind, parts.key, parts.separator, parts.value);
            LineParts { spelling, ..found }
        }
    }
}

fn relative(content: &[u8], start: usize, span: Span) -> &[u8] {
    let from = (span.start as usize).saturating_sub(start);
    let to = (span.end as usize).saturating_sub(start);
    content.part(from..to)
}

/// Whether a byte is one that C's `isspace` accepts. google/robotstxt strips these.
pub(crate) const fn google_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0A..=0x0D)
}
