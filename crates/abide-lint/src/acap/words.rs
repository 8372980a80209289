//! The words of an ACAP value: a resource, qualifiers, names (ACAP-49, ACAP-61, ACAP-134).

use super::AcapField;
use abide::Span;

/// The largest number of words after the first in a value that a fix looks at. A value with more is
/// not a typing error.
pub(crate) const MAX_WORDS: usize = 16;

/// A word of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// A word without `=`.
    Bare(Span),
    /// `name=value`, with or without blanks around the `=`.
    Qualifier { name: Span, value: Span },
}

impl Word {
    /// From the first byte to the last.
    pub(crate) fn span(self) -> Span {
        match self {
            Self::Bare(span) => span,
            Self::Qualifier { name, value } => Span::new(name.start, value.end),
        }
    }
}

/// The words of a field's value, split at blanks only.
pub(crate) fn words<'a>(field: &AcapField<'a>) -> impl Iterator<Item = Span> + use<'a> {
    let (text, value) = (field.text, field.value);
    let mut at = value.start;
    std::iter::from_fn(move || {
        let word = word(text, Span::new(at, value.end), is_blank)?;
        at = word.end;
        Some(word)
    })
}

/// The words after the first one, which is a name; none if there are more than [`MAX_WORDS`].
pub(crate) fn behind_name(field: &AcapField<'_>) -> Vec<Span> {
    let found: Vec<Span> = words(field).skip(1).take(MAX_WORDS + 1).collect();
    if found.len() > MAX_WORDS {
        return Vec::new();
    }
    found
}

/// The words after the first one, which is the resource; none if there are more than [`MAX_WORDS`].
pub(crate) fn qualifiers(field: &AcapField<'_>) -> Vec<Word> {
    let resource = words(field).next();
    let mut rest = Span::new(
        resource.map_or(field.value.end, |word| word.end),
        field.value.end,
    );
    let mut found = Vec::new();
    while let Some(name) = word(field.text, rest, |byte| is_blank(byte) || byte == b'=') {
        let sign = skip(field.text, Span::new(name.end, rest.end));
        let is_assigned = sign.of(field.text).starts_with(b"=") && !name.is_empty();
        let read = if is_assigned {
            let behind = Span::new(sign.start.saturating_add(1), rest.end);
            let none = Span::new(behind.end, behind.end);
            let value = word(field.text, behind, is_blank).unwrap_or(none);
            Word::Qualifier { name, value }
        } else {
            match word(field.text, rest, is_blank) {
                Some(bare) => Word::Bare(bare),
                None => return found,
            }
        };
        rest = Span::new(read.span().end, rest.end);
        if found.len() == MAX_WORDS {
            return Vec::new();
        }
        found.push(read);
    }
    found
}

/// The first word of a span, up to the first byte for which `ends` is true. Empty if that is the
/// first byte; `None` if there are only blanks.
fn word(text: &[u8], span: Span, ends: fn(u8) -> bool) -> Option<Span> {
    let rest = skip(text, span);
    let bytes = rest.of(text);
    let len = bytes.iter().take_while(|byte| !ends(**byte)).count();
    let len = u32::try_from(len).ok()?;
    (!bytes.is_empty()).then(|| Span::new(rest.start, rest.start.saturating_add(len)))
}

/// The span without its leading blanks.
fn skip(text: &[u8], span: Span) -> Span {
    let bytes = span.of(text);
    let blanks = bytes.iter().take_while(|byte| is_blank(**byte)).count();
    let blanks = u32::try_from(blanks).unwrap_or(u32::MAX);
    Span::new(span.start.saturating_add(blanks).min(span.end), span.end)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
