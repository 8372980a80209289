//! Names that a file gives to usages and to sets of resources (ACAP-123 to ACAP-132).

use super::words::{MAX_WORDS, words};
use super::{AcapField, fields, in_parentheses, standard};
use crate::file::File;
use abide::Span;
use abide::Usage;
use abide_analysis::spelling::nearest;

/// The kinds of names allowed in parentheses in a permission.
pub(crate) const LOCAL_USAGES: &[Kind] = &[Kind::QualifiedUsage, Kind::CompositeUsage];

/// The kinds of names allowed in parentheses in a composite usage (ACAP-130).
pub(crate) const PARTS: &[Kind] = &[Kind::QualifiedUsage];

/// What a definition names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    QualifiedUsage,
    CompositeUsage,
    ResourceSet,
}

/// A definition in the right place: before the first record.
#[derive(Clone, Debug)]
pub(crate) struct Definition<'a> {
    pub(crate) kind: Kind,
    pub(crate) name: &'a [u8],
    pub(crate) line: u32,
    /// The words after the name; if there are many, only the first ones.
    pub(crate) words: Vec<Span>,
}

/// All definitions above the line of `field` that count. This runs once per finding, so it returns
/// none if the search would be slow: with more than 32 definitions, or if `field` is more than 1000
/// lines after the first ACAP field.
pub(crate) fn above<'a>(file: &File<'a>, field: &AcapField<'a>) -> Vec<Definition<'a>> {
    const MAX_DEFINITIONS: usize = 32;
    const MAX_LINES: u32 = 1000;
    let first = fields(file).next().map_or(0, |first| first.line.number);
    if field.line.number.saturating_sub(first) > MAX_LINES {
        return Vec::new();
    }
    let found: Vec<Definition<'a>> = fields(file)
        .take_while(|other| !other.is_crawler() && other.line.number < field.line.number)
        .filter_map(|field| definition(&field))
        .take(MAX_DEFINITIONS + 1)
        .collect();
    if found.len() > MAX_DEFINITIONS {
        return Vec::new();
    }
    found
}

fn definition<'a>(field: &AcapField<'a>) -> Option<Definition<'a>> {
    let kind = if field.is("qualified-usage") {
        Kind::QualifiedUsage
    } else if field.is("composite-usage") {
        Kind::CompositeUsage
    } else if field.is("resource-set") {
        Kind::ResourceSet
    } else {
        return None;
    };
    let mut words = words(field);
    let name = words.next()?.of(field.text);
    // Parsers ignore a line with a control byte, or with an invalid name (ACAP-12).
    let is_control = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
    let is_read = is_name(name) && !field.span().of(field.text).iter().any(is_control);
    is_read.then(|| Definition {
        kind,
        name,
        line: field.line.number,
        words: words.take(MAX_WORDS + 1).collect(),
    })
}

fn is_name(bytes: &[u8]) -> bool {
    let inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(inner)
}

/// The usage with this name, if exactly one definition has it.
pub(crate) fn usage<'d, 'a>(
    definitions: &'d [Definition<'a>],
    name: &[u8],
) -> Option<&'d Definition<'a>> {
    let mut found = definitions.iter().filter(|definition| {
        definition.kind != Kind::ResourceSet && definition.name.eq_ignore_ascii_case(name)
    });
    found.next().filter(|_| found.next().is_none())
}

/// The name, among definitions of these kinds, that was probably meant by an unknown name.
pub(crate) fn meant<'a>(
    definitions: &[Definition<'a>],
    kinds: &[Kind],
    wrong: &[u8],
) -> Option<&'a str> {
    let names = definitions
        .iter()
        .filter(|definition| kinds.contains(&definition.kind))
        .filter_map(|definition| std::str::from_utf8(definition.name).ok());
    nearest(std::str::from_utf8(wrong).ok()?, names)
}

/// The ACAP usages that a name stands for, in order; `None` if they are not certain.
pub(crate) fn expanded(
    definitions: &[Definition<'_>],
    text: &[u8],
    name: &[u8],
) -> Option<Vec<Usage>> {
    let definition = usage(definitions, name)?;
    if definition.words.len() > MAX_WORDS {
        return None;
    }
    let part = |word| part(definitions, definition.line, text, word);
    let words = definition.words.iter().map(|word| word.of(text));
    let usages: Option<Vec<Usage>> = match definition.kind {
        Kind::QualifiedUsage => words.take(1).map(standard).collect(),
        Kind::CompositeUsage => words.map(part).collect(),
        Kind::ResourceSet => None,
    };
    let mut distinct = Vec::new();
    for usage in usages? {
        if !distinct.contains(&usage) {
            distinct.push(usage);
        }
    }
    (!distinct.is_empty()).then_some(distinct)
}

/// The ACAP usage that is part of the composite usage on `line`, either directly or through a
/// qualified usage defined above (ACAP-124).
fn part(definitions: &[Definition<'_>], line: u32, text: &[u8], word: &[u8]) -> Option<Usage> {
    let Some(name) = in_parentheses(word) else {
        return standard(word);
    };
    let qualified =
        usage(definitions, name).filter(|of| of.kind == Kind::QualifiedUsage && of.line < line)?;
    standard(qualified.words.first()?.of(text))
}
