//! Splits a line into key, value and comment (REP-8 to REP-12, AMB-REP-5).

use super::Span;
use super::part::Part as _;
use super::span::offset;

/// What separates key and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Separator {
    /// A colon, as the grammar requires.
    Colon,
    /// Only spaces or tabs: a forgotten colon in a line of exactly two words (AMB-REP-5).
    Blank,
    /// Nothing: a line of a single word, which is the key.
    None,
}

/// The parts of a line. Spans are offsets into the text, without SP and HTAB around the part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Split {
    /// The key; the whole content if `separator` is `None`.
    pub key: Span,
    /// What separates key and value.
    pub separator: Separator,
    /// The value, possibly empty.
    pub value: Span,
}

/// Whether `byte` is SP or HTAB, the only blanks of the grammar.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether `byte` is a control that the grammar does not allow: 00 to 1F, except HTAB. DEL is
/// allowed (AMB-REP-12).
pub(crate) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && byte != b'\t'
}

/// Whether `text` contains such a control. Reads every byte, because that compiles to sixteen at
/// once.
#[inline]
pub(crate) fn has_control(text: &[u8]) -> bool {
    let controls = text.iter().map(|&byte| is_control(byte));
    controls.fold(false, |found, control| found | control)
}

/// `line`, which begins at `start` in the text, without blanks at either end.
#[inline]
pub(crate) fn trim(line: &[u8], start: usize, blank: impl Fn(u8) -> bool) -> (&[u8], usize) {
    let lead = line.iter().take_while(|&&byte| blank(byte)).count();
    let rest = line.part(lead..);
    let tail = rest.iter().rev().take_while(|&&byte| blank(byte)).count();
    let rest = rest.part(..rest.len().saturating_sub(tail));
    (rest, start.saturating_add(lead))
}

/// How many SP and HTAB `text` begins with. Compares eight bytes at once, because HTML that is
/// served as robots.txt is deeply indented.
#[inline]
pub(crate) fn leading_blanks(text: &[u8]) -> usize {
    if text.first().is_none_or(|&byte| !is_blank(byte)) {
        return 0;
    }
    let (eights, rest) = text.as_chunks();
    let mut lead = 0_usize;
    for eight in eights {
        let others = others_than(b' ', *eight) & others_than(b'\t', *eight);
        if others != 0 {
            return lead.wrapping_add(others.trailing_zeros() as usize / 8);
        }
        lead = lead.wrapping_add(eight.len());
    }
    let blanks = rest.iter().take_while(|&&byte| is_blank(byte));
    lead.wrapping_add(blanks.count())
}

/// The highest bit of each byte that is not `byte`; the lowest bit is for the first byte.
#[inline]
const fn others_than(byte: u8, eight: [u8; 8]) -> u64 {
    const LOW: u64 = u64::from_le_bytes([0x7F; 8]);
    let differ = u64::from_le_bytes(eight) ^ u64::from_le_bytes([byte; 8]);
    ((differ & LOW).wrapping_add(LOW) | differ) & !LOW
}

/// How many SP and HTAB `text` ends with.
#[inline]
pub(crate) fn trailing_blanks(text: &[u8]) -> usize {
    let blanks = text.iter().rev().take_while(|&&byte| is_blank(byte));
    blanks.count()
}

/// Splits `content`, a line without its comment, which begins at `start` in the text. Returns
/// `None` for a blank line and for several words without a colon.
pub(crate) fn split(
    content: &[u8],
    start: usize,
    blank: impl Fn(u8) -> bool + Copy,
) -> Option<Split> {
    let (content, start) = trim(content, start, blank);
    if content.is_empty() {
        return None;
    }
    if let Some(colon) = memchr::memchr(b':', content) {
        let after = colon.saturating_add(1);
        let (key, rest) = (content.get(..colon)?, content.get(after..)?);
        return Some(Split {
            key: spanned(trim(key, start, blank)),
            separator: Separator::Colon,
            value: spanned(trim(rest, start.saturating_add(after), blank)),
        });
    }
    let Some(gap) = content.iter().position(|&byte| is_blank(byte)) else {
        let end = spanned((b"", start.saturating_add(content.len())));
        return Some(Split {
            key: spanned((content, start)),
            separator: Separator::None,
            value: end,
        });
    };
    let (key, rest) = (content.get(..gap)?, content.get(gap..)?);
    let (word, at) = trim(rest, start.saturating_add(gap), is_blank);
    let two_words = !word.iter().any(|&byte| is_blank(byte));
    two_words.then(|| Split {
        key: spanned(trim(key, start, blank)),
        separator: Separator::Blank,
        value: spanned(trim(word, at, blank)),
    })
}

/// The span of a part that [`trim`] returned.
pub(crate) fn spanned((bytes, start): (&[u8], usize)) -> Span {
    Span::new(offset(start), offset(start.saturating_add(bytes.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trimmed(text: &str) -> &str {
        text.trim_matches([' ', '\t'])
    }

    /// Key, separator and value, as text.
    fn naive(line: &str) -> Option<(&str, Separator, &str)> {
        if let Some((key, value)) = line.split_once(':') {
            return Some((trimmed(key), Separator::Colon, trimmed(value)));
        }
        let words = line.split([' ', '\t']).filter(|word| !word.is_empty());
        match words.collect::<Vec<_>>()[..] {
            [word] => Some((word, Separator::None, "")),
            [key, value] => Some((key, Separator::Blank, value)),
            _ => None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn rep_8_the_parts_of_a_line_are_what_string_functions_find(
            before in "[a\n]{0,3}",
            line in "[ \t]{0,3}[a: \t]{0,8}[ \t]{0,3}|[ab \t]{0,6}",
        ) {
            let text = [before.as_str(), &line].concat();
            let found = split(line.as_bytes(), before.len(), is_blank);
            let shown = found.map(|split| (split.key.of(text.as_bytes()), split.separator, split.value.of(text.as_bytes())));
            let expected = naive(&line).map(|(key, separator, value)| (key.as_bytes(), separator, value.as_bytes()));
            prop_assert_eq!(shown, expected, "{:?}", line);
        }

        /// Long enough for the comparison of eight bytes at once.
        #[test]
        fn blanks_are_what_looking_at_every_byte_counts(line in "[ \t]{0,20}[a !\t\u{0}]{0,20}[ \t]{0,20}") {
            let text = line.as_bytes();
            let lead = line.len() - line.trim_start_matches([' ', '\t']).len();
            let tail = line.len() - line.trim_end_matches([' ', '\t']).len();
            prop_assert_eq!(leading_blanks(text), lead, "{:?}", line);
            prop_assert_eq!(trailing_blanks(text), tail, "{:?}", line);
            prop_assert_eq!(has_control(text), line.contains('\0'), "{:?}", line);
        }
    }

    #[test]
    fn amb_rep_12_controls_are_those_below_space_except_tab() {
        let controls: Vec<u8> = (0..=u8::MAX)
            .filter(|byte| has_control(&[b'a', *byte]))
            .collect();
        let expected: Vec<u8> = (0..0x20).filter(|byte| *byte != b'\t').collect();
        assert_eq!(controls, expected);
    }
}
