//! How far a page must be read: nothing behind its last tag of interest can be found.
//!
//! Only `meta`, `link` and `script` elements are ever found. A tag begins with `<` and its name,
//! which no entity, NUL or line break may interrupt, so that bytes are enough to see where one can
//! begin; and a tag that begins there ends where [`tag_end`] says. Bytes that look like a tag and
//! are none, in a comment or a text, only make the reach longer than necessary.

use encoding_rs::Encoding;

/// Where reading may stop, and whether clients with and without scripts differ before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The byte behind the last tag of interest; 0 if there is none.
    pub(crate) end: usize,
    pub(crate) has_noscript: bool,
}

impl Reach {
    /// The whole of a page.
    pub(crate) const WHOLE: Self = Self {
        end: usize::MAX,
        has_noscript: true,
    };
}

/// The bytes of tags that are looked at, in lengths of the page. Tags that look as if they began
/// within each other would be looked at again and again: such a page is read whole.
const MAX_LOOKS: usize = 4;

/// How far a page must be read. Where bytes below 0x80 are not always the characters of ASCII and
/// the other way around, it is the whole page.
pub(crate) fn reach(page: &[u8], encoding: &'static Encoding) -> Reach {
    if !encoding.is_ascii_compatible() {
        return Reach::WHOLE;
    }
    let mut reach = Reach {
        end: 0,
        has_noscript: false,
    };
    let mut first_noscript = None;
    let mut looks = page.len().saturating_mul(MAX_LOOKS);
    // From the end, because tags before one of interest need only a look at where they end.
    for start in memchr::memrchr_iter(b'<', page) {
        let Some(kind) = Kind::of(&page[start + 1..]) else {
            continue;
        };
        if kind == Kind::Noscript {
            first_noscript = Some(start);
            continue;
        }
        let name_end = start + 1 + kind.name().len();
        let end = tag_end(page, name_end);
        let looked_to = end.unwrap_or(page.len());
        let Some(left) = looks.checked_sub(looked_to - start) else {
            return Reach::WHOLE;
        };
        looks = left;
        if let Some(end) = end.filter(|end| *end > reach.end)
            && kind.can_count(&page[name_end..end])
        {
            reach.end = end;
        }
    }
    reach.has_noscript = first_noscript.is_some_and(|start| start < reach.end);
    reach
}

/// The elements of interest, and the one that scripts change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Meta,
    Link,
    Script,
    Noscript,
}

impl Kind {
    /// The element whose start tag can begin with `<` and `text`.
    fn of(text: &[u8]) -> Option<Self> {
        let kind = match text.first()? | 0x20 {
            b'm' => Self::Meta,
            b'l' => Self::Link,
            b's' => Self::Script,
            b'n' => Self::Noscript,
            _ => return None,
        };
        let name = text.get(..kind.name().len())?;
        let ends = matches!(
            text.get(name.len())?,
            b'\t' | b'\n' | b'\x0c' | b'\r' | b' ' | b'/' | b'>'
        );
        (ends && name.eq_ignore_ascii_case(kind.name())).then_some(kind)
    }

    fn name(self) -> &'static [u8] {
        match self {
            Self::Meta => b"meta",
            Self::Link => b"link",
            Self::Script => b"script",
            Self::Noscript => b"noscript",
        }
    }

    /// Whether an element with these attributes can be found. Names of attributes are written as
    /// they are, values may have character references.
    fn can_count(self, attributes: &[u8]) -> bool {
        let has = |words: &[&[u8]]| has_any(attributes, words);
        match self {
            Self::Meta => has(&[b"name", b"http-equiv", b"property", b"robots"]),
            Self::Link => has(&[b"license", b"&"]),
            Self::Script => has(&[b"rsl"]) || (has(&[b"&"]) && has(&[b"type"])),
            Self::Noscript => false,
        }
    }
}

/// Whether `text` has one of these words, in any case.
fn has_any(text: &[u8], words: &[&[u8]]) -> bool {
    (0..text.len()).any(|at| {
        words.iter().any(|word| {
            text[at].eq_ignore_ascii_case(&word[0])
                && text
                    .get(at..at + word.len())
                    .is_some_and(|part| part.eq_ignore_ascii_case(word))
        })
    })
}

/// Where a tag is whose end is looked for, in the states of the HTML standard.
#[derive(Clone, Copy)]
enum State {
    /// "Before attribute name", "after attribute value" and "self-closing start tag", which look
    /// for the same marks.
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
}

/// The byte behind the `>` that ends a tag, whose name ends at `at`. A tag that the page ends
/// within is none.
fn tag_end(page: &[u8], mut at: usize) -> Option<usize> {
    let mut state = State::BeforeName;
    loop {
        let byte = *page.get(at)?;
        at += 1;
        let is_blank = matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ');
        state = match (state, byte) {
            (_, b'>') => return Some(at),
            (State::BeforeValue, b'"' | b'\'') => {
                at += memchr::memchr(byte, page.get(at..)?)? + 1;
                State::BeforeName
            }
            (State::BeforeValue, _) if is_blank => State::BeforeValue,
            (State::BeforeValue, _) => State::Unquoted,
            (State::Unquoted | State::BeforeName, _) if is_blank => State::BeforeName,
            (State::Unquoted, _) => state,
            (State::BeforeName | State::Name | State::AfterName, b'/') => State::BeforeName,
            (State::Name | State::AfterName, b'=') => State::BeforeValue,
            (State::Name | State::AfterName, _) if is_blank => State::AfterName,
            // An equals sign before a name begins one.
            (State::BeforeName | State::Name | State::AfterName, _) => State::Name,
        };
    }
}
