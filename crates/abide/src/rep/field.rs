//! Lines to fields: which key means what (REP-7, REP-22, REP-63 to REP-66, AMB-REP-5).

use crate::profile::Profile;
use crate::text::{
    Lines, RawLine, Separator, Span, Text, is_blank, is_control, offset, spanned, split, trim,
};

/// What a line's key says the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// `User-agent`: names a crawler and starts a group (REP-3).
    UserAgent,
    /// `User-Agent-Purpose`: names a purpose and starts a group (PUR-1, PUR-2).
    UserAgentPurpose,
    /// `Allow`, a rule.
    Allow,
    /// `Disallow`, a rule.
    Disallow,
    /// `App-Directives`, a rule that says nothing about access (APP-1, APP-11, APP-34).
    AppDirectives,
    /// `Sitemap`, an other record that counts for the whole file (REP-63).
    Sitemap,
    /// `Crawl-delay`, an other record of the group it stands in.
    CrawlDelay,
    /// Any `ACAP-…` line: a stream of its own that conventional records never see (AMB-ACAP-16).
    Acap,
    /// A record that nobody here knows. It is kept, and disturbs nothing (REP-65, REP-66).
    Other,
}

impl FieldKind {
    /// The key as the specification writes it; `None` for the many of ACAP, and for records that nobody here knows.
    ///
    /// ```
    /// use abide::rep::FieldKind;
    /// assert_eq!(FieldKind::CrawlDelay.name(), Some("Crawl-delay"));
    /// ```
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::UserAgent => Some("User-agent"),
            Self::UserAgentPurpose => Some("User-Agent-Purpose"),
            Self::Allow => Some("Allow"),
            Self::Disallow => Some("Disallow"),
            Self::AppDirectives => Some("App-Directives"),
            Self::Sitemap => Some("Sitemap"),
            Self::CrawlDelay => Some("Crawl-delay"),
            Self::Acap | Self::Other => None,
        }
    }

    /// Whether the line starts a group, or adds to the head of one (REP-3, PUR-2).
    #[must_use]
    pub const fn starts_group(self) -> bool {
        matches!(self, Self::UserAgent | Self::UserAgentPurpose)
    }

    /// Whether the line is a rule, so that the next starter opens a new group (REP-3, AMB-APP-2).
    #[must_use]
    pub const fn is_rule(self) -> bool {
        matches!(self, Self::Allow | Self::Disallow | Self::AppDirectives)
    }
}

/// How a key was spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// As the specification writes it, in any case.
    Exact,
    /// A frequent mistake that is read as what it means (AMB-REP-5).
    Typo,
    /// More than the key: the google profile looks at the beginning only.
    Prefix,
}

/// A line that was read: key, value, and what the key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// What the key means.
    pub kind: FieldKind,
    /// How the key is spelt.
    pub spelling: Spelling,
    /// The key as written.
    pub key: Span,
    /// What stands between key and value.
    pub separator: Separator,
    /// The value as written, without blanks and comment.
    pub value: Span,
}

/// What a line holds beside its comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing: a blank line, or one that is all comment (REP-12).
    Blank,
    /// A key and a value.
    Field(Field),
    /// Text that is no field, such as a line of HTML. It says nothing (REP-77).
    Unreadable,
}

/// The lines of a text, each split and keyed, in order.
///
/// ```
/// use abide::Profile;
/// use abide::rep::{Content, FieldKind, Fields};
/// use abide::text::{Limits, Text};
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

/// A line that was split and keyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLine {
    /// The line.
    pub raw: RawLine,
    /// What it holds beside its comment.
    pub content: Content,
    /// Its comment, `#` included.
    pub comment: Option<Span>,
}

impl<'a> Fields<'a> {
    /// The lines of `text` in the reading of `profile`.
    #[must_use]
    pub fn new(text: &'a Text<'_>, profile: Profile) -> Self {
        Self {
            lines: Lines::new(text.octets(), text.body()),
            text: text.octets(),
            profile,
        }
    }
}

impl Iterator for Fields<'_> {
    type Item = FieldLine;

    #[inline]
    fn next(&mut self) -> Option<FieldLine> {
        let raw = self.lines.next()?;
        let (content, comment) = read(self.text, &raw, self.profile);
        Some(FieldLine {
            raw,
            content,
            comment,
        })
    }
}

/// Longest stretch of a line that google/robotstxt looks at: `2083 * 8 - 1` octets.
const GOOGLE_LINE: usize = 16_663;

/// Reads a line of `text`: its content, and its comment (REP-11).
#[inline]
pub(crate) fn read(text: &[u8], raw: &RawLine, profile: Profile) -> (Content, Option<Span>) {
    let start = raw.span.start as usize;
    match profile {
        Profile::Careful => {
            let content = Span::new(raw.span.start, raw.hash).of(text);
            let comment = (raw.hash < raw.span.end).then_some(Span::new(raw.hash, raw.span.end));
            (careful(content, start), comment)
        }
        Profile::Google => {
            let line = raw.span.of(text);
            let kept = line.get(..GOOGLE_LINE).unwrap_or(line);
            let end = memchr::memchr2(b'#', 0, kept);
            let content = end.and_then(|at| kept.get(..at)).unwrap_or(kept);
            let comment = end
                .filter(|&at| kept.get(at) == Some(&b'#'))
                .map(|at| Span::new(offset(start.saturating_add(at)), raw.span.end));
            (google(content, start), comment)
        }
    }
}

/// A line whose key is known here: for passes that need no other, and not the value of every one of these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed<'t> {
    pub(crate) kind: FieldKind,
    /// Whether the key alone told the kind.
    is_frequent: bool,
    /// Where the value begins, with blanks round it.
    at: u32,
    value: &'t [u8],
}

impl<'t> Keyed<'t> {
    /// The line as one of a known key; `None` where it is no such line.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "the answer stays in registers, for every line of every file"
    )]
    pub(crate) fn new(text: &'t [u8], raw: &RawLine, profile: Profile) -> Option<Self> {
        let line = Span::new(raw.span.start, raw.hash).of(text);
        if profile == Profile::Careful
            && let Some((kind, len)) = frequent(line)
        {
            let behind = len.wrapping_add(1);
            return Some(Self {
                kind,
                is_frequent: true,
                at: raw.span.start.wrapping_add(offset(behind)),
                value: line.get(behind..)?,
            });
        }
        let first = line.iter().find(|&&octet| !google_space(octet))?;
        if begins_a_key(*first) {
            Self::rare(text, raw, profile)
        } else {
            None
        }
    }

    #[inline(never)]
    fn rare(text: &'t [u8], raw: &RawLine, profile: Profile) -> Option<Self> {
        match read(text, raw, profile).0 {
            Content::Field(field) if field.kind != FieldKind::Other => Some(Self {
                kind: field.kind,
                is_frequent: false,
                at: field.value.start,
                value: field.value.of(text),
            }),
            _ => None,
        }
    }

    /// Whether the key is known to be spelt as it should be, with a colon right behind it. False may be either.
    pub(crate) fn is_exact(&self) -> bool {
        self.is_frequent
    }

    /// The value as it begins, with what stands behind it.
    #[inline]
    pub(crate) fn begins_with(&self) -> &'t [u8] {
        let mut value = self.value;
        while let [octet, rest @ ..] = value
            && is_blank(*octet)
        {
            value = rest;
        }
        value
    }

    /// The value, without blanks round it.
    #[inline]
    pub(crate) fn value(&self) -> &'t [u8] {
        trim(self.value, 0, is_blank).0
    }

    /// The whole field, of the line that it was made of.
    #[inline]
    pub(crate) fn field(&self, text: &[u8], raw: &RawLine, profile: Profile) -> Option<Field> {
        if !self.is_frequent {
            return match read(text, raw, profile).0 {
                Content::Field(field) => Some(field),
                Content::Blank | Content::Unreadable => None,
            };
        }
        Some(frequent_field(
            self.kind,
            raw.span.start,
            self.at,
            self.value,
        ))
    }
}

/// Whether a key that is known here can begin with `octet`.
const fn begins_a_key(octet: u8) -> bool {
    matches!(octet | CASE, b'u' | b'd' | b'a' | b's' | b'c')
}

/// What makes a letter small.
const CASE: u8 = 0x20;

#[inline]
fn careful(content: &[u8], start: usize) -> Content {
    let Some((kind, len)) = frequent(content) else {
        return any(content, start);
    };
    let behind = len.wrapping_add(1);
    let value = content.get(behind..).unwrap_or_default();
    let (start, at) = (offset(start), offset(start.wrapping_add(behind)));
    Content::Field(frequent_field(kind, start, at, value))
}

/// The field of a line that begins at `start`, with a key of the most frequent ones, whose colon stands before `at`, where
/// the value begins, with blanks round it.
#[inline]
fn frequent_field(kind: FieldKind, start: u32, at: u32, value: &[u8]) -> Field {
    let key = Span::new(start, at.wrapping_sub(1));
    let value = spanned(trim(value, at as usize, is_blank));
    field(kind, Spelling::Exact, key, Separator::Colon, value)
}

/// What the key of a line means, and its octets, where it is among the most frequent ones, begins the line, and is
/// followed by the colon: what a single look at its first eight octets can tell.
#[inline]
fn frequent(content: &[u8]) -> Option<(FieldKind, usize)> {
    const FIVE: u64 = (1 << 40) - 1;
    const ALLOW: u64 = u64::from_le_bytes(*b"allow\0\0\0");
    const DISALLOW: u64 = u64::from_le_bytes(*b"disallow");
    const USER_AGE: u64 = u64::from_le_bytes(*b"user-age");
    const SITEMAP: u64 = u64::from_le_bytes(*b"sitemap:");
    let (first, rest) = content.split_first_chunk()?;
    let small = u64::from_le_bytes(*first) | u64::from_le_bytes([CASE; 8]);
    let (kind, len) = if small == DISALLOW {
        (FieldKind::Disallow, 8)
    } else if small & FIVE == ALLOW {
        (FieldKind::Allow, 5)
    } else if small == USER_AGE && rest.get(..2)?.eq_ignore_ascii_case(b"nt") {
        (FieldKind::UserAgent, 10)
    } else if small == SITEMAP {
        (FieldKind::Sitemap, 7)
    } else {
        return None;
    };
    (content.get(len) == Some(&b':')).then_some((kind, len))
}

fn any(content: &[u8], start: usize) -> Content {
    let (trimmed, at) = trim(content, start, is_blank);
    if trimmed.is_empty() {
        return Content::Blank;
    }
    let acap = starts_with(trimmed, b"acap-");
    match split(trimmed, at, is_blank) {
        Some(parts) if parts.key.is_empty() => Content::Unreadable,
        Some(parts) if acap => Content::Field(field(
            FieldKind::Acap,
            Spelling::Exact,
            parts.key,
            parts.separator,
            parts.value,
        )),
        // The only field without a value is ACAP's; a lone word of any other kind is none.
        Some(parts) if parts.separator == Separator::None => Content::Unreadable,
        Some(parts) => {
            let key = relative(content, start, parts.key);
            match (exact(key), parts.separator) {
                (None, Separator::Blank) => Content::Unreadable,
                (known, separator) => {
                    let (kind, spelling) = known.unwrap_or((FieldKind::Other, Spelling::Exact));
                    Content::Field(field(kind, spelling, parts.key, separator, parts.value))
                }
            }
        }
        None if acap => {
            let whole = Span::new(offset(at), offset(at.saturating_add(trimmed.len())));
            let none = Span::new(whole.end, whole.end);
            Content::Field(field(
                FieldKind::Acap,
                Spelling::Exact,
                whole,
                Separator::None,
                none,
            ))
        }
        None => Content::Unreadable,
    }
}

fn google(content: &[u8], start: usize) -> Content {
    match split(content, start, google_space) {
        None if content.iter().all(|&octet| google_space(octet)) => Content::Blank,
        None => Content::Unreadable,
        Some(parts) if parts.key.is_empty() || parts.separator == Separator::None => {
            Content::Unreadable
        }
        Some(parts) => {
            let (kind, spelling) = prefixed(relative(content, start, parts.key));
            Content::Field(field(
                kind,
                spelling,
                parts.key,
                parts.separator,
                parts.value,
            ))
        }
    }
}

const fn field(
    kind: FieldKind,
    spelling: Spelling,
    key: Span,
    separator: Separator,
    value: Span,
) -> Field {
    Field {
        kind,
        spelling,
        key,
        separator,
        value,
    }
}

fn relative(content: &[u8], start: usize, span: Span) -> &[u8] {
    let from = (span.start as usize).saturating_sub(start);
    let to = (span.end as usize).saturating_sub(start);
    content.get(from..to).unwrap_or_default()
}

/// Keys that count when spelt in full, in any case (REP-7), with the mistakes that are forgiven.
const EXACT: [(&[u8], FieldKind, Spelling); 16] = [
    (b"user-agent", FieldKind::UserAgent, Spelling::Exact),
    (b"disallow", FieldKind::Disallow, Spelling::Exact),
    (b"allow", FieldKind::Allow, Spelling::Exact),
    (b"sitemap", FieldKind::Sitemap, Spelling::Exact),
    (b"crawl-delay", FieldKind::CrawlDelay, Spelling::Exact),
    (
        b"user-agent-purpose",
        FieldKind::UserAgentPurpose,
        Spelling::Exact,
    ),
    (b"app-directives", FieldKind::AppDirectives, Spelling::Exact),
    (b"app-directive", FieldKind::AppDirectives, Spelling::Typo),
    (b"useragent", FieldKind::UserAgent, Spelling::Typo),
    (b"user agent", FieldKind::UserAgent, Spelling::Typo),
    (b"dissallow", FieldKind::Disallow, Spelling::Typo),
    (b"dissalow", FieldKind::Disallow, Spelling::Typo),
    (b"disalow", FieldKind::Disallow, Spelling::Typo),
    (b"diasllow", FieldKind::Disallow, Spelling::Typo),
    (b"disallaw", FieldKind::Disallow, Spelling::Typo),
    (b"site-map", FieldKind::Sitemap, Spelling::Typo),
];

fn exact(key: &[u8]) -> Option<(FieldKind, Spelling)> {
    if !key.first().is_some_and(|&first| begins_a_key(first)) {
        return None;
    }
    EXACT
        .iter()
        .find(|(name, ..)| key.eq_ignore_ascii_case(name))
        .map(|&(_, kind, spelling)| (kind, spelling))
}

/// The keys of google/robotstxt, in its order. They count as prefixes.
const PREFIXES: [(&[u8], FieldKind, Spelling); 12] = [
    (b"user-agent", FieldKind::UserAgent, Spelling::Exact),
    (b"useragent", FieldKind::UserAgent, Spelling::Typo),
    (b"user agent", FieldKind::UserAgent, Spelling::Typo),
    (b"allow", FieldKind::Allow, Spelling::Exact),
    (b"disallow", FieldKind::Disallow, Spelling::Exact),
    (b"dissallow", FieldKind::Disallow, Spelling::Typo),
    (b"dissalow", FieldKind::Disallow, Spelling::Typo),
    (b"disalow", FieldKind::Disallow, Spelling::Typo),
    (b"diasllow", FieldKind::Disallow, Spelling::Typo),
    (b"disallaw", FieldKind::Disallow, Spelling::Typo),
    (b"sitemap", FieldKind::Sitemap, Spelling::Exact),
    (b"site-map", FieldKind::Sitemap, Spelling::Typo),
];

fn prefixed(key: &[u8]) -> (FieldKind, Spelling) {
    if let Some(&(name, kind, spelling)) = PREFIXES.iter().find(|(name, ..)| starts_with(key, name))
    {
        let whole = key.len() == name.len();
        return (kind, if whole { spelling } else { Spelling::Prefix });
    }
    if key.eq_ignore_ascii_case(b"crawl-delay") {
        return (FieldKind::CrawlDelay, Spelling::Exact);
    }
    (FieldKind::Other, Spelling::Exact)
}

fn starts_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// The blanks of C's `isspace`, which google/robotstxt strips.
pub(crate) const fn google_space(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | 0x0A..=0x0D)
}

impl Field {
    /// Whether key or value in `text` hold a control octet, which makes the line invalid as a rule
    /// and its agent or purpose unusable (REP-83, AMB-REP-12).
    #[must_use]
    pub fn has_control(&self, text: &[u8]) -> bool {
        Span::new(self.key.start, self.value.end.max(self.key.end))
            .of(text)
            .iter()
            .any(|&octet| is_control(octet))
    }
}
