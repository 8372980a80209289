//! Names that a file gives to usages and to sets of resources (ACAP-123 to ACAP-132).

use super::words::words;
use super::{AcapField, fields, in_parentheses, standard};
use crate::file::File;
use crate::spelling::nearest;
use abide::Usage;
use abide::text::Span;

/// What may stand in parentheses in a permission.
pub(crate) const LOCAL_USAGES: &[Kind] = &[Kind::QualifiedUsage, Kind::CompositeUsage];

/// What may stand in parentheses in a composite usage (ACAP-130).
pub(crate) const PARTS: &[Kind] = &[Kind::QualifiedUsage];

/// What a definition gives a name to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    QualifiedUsage,
    CompositeUsage,
    ResourceSet,
}

/// A definition that stands where definitions belong: before the first record.
#[derive(Clone, Debug)]
pub(crate) struct Definition<'a> {
    pub(crate) kind: Kind,
    pub(crate) name: &'a [u8],
    /// The words behind the name.
    pub(crate) words: Vec<Span>,
}

/// All definitions above the line of `field` that count.
pub(crate) fn above<'a>(file: &File<'a>, field: &AcapField<'a>) -> Vec<Definition<'a>> {
    fields(file)
        .take_while(|other| !other.is_crawler() && other.line.number < field.line.number)
        .filter_map(|field| definition(&field))
        .collect()
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
    let words = words.collect();
    Some(Definition { kind, name, words })
}

/// The usage of this name, unless there is none or more than one.
pub(crate) fn usage<'d, 'a>(
    definitions: &'d [Definition<'a>],
    name: &[u8],
) -> Option<&'d Definition<'a>> {
    let mut found = definitions.iter().filter(|definition| {
        definition.kind != Kind::ResourceSet && definition.name.eq_ignore_ascii_case(name)
    });
    found.next().filter(|_| found.next().is_none())
}

/// The name among those of these kinds that was probably meant by one that is none.
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

/// The usages of ACAP behind a name, in their order; `None` where they are not known for sure.
pub(crate) fn expanded(
    definitions: &[Definition<'_>],
    text: &[u8],
    name: &[u8],
) -> Option<Vec<Usage>> {
    let definition = usage(definitions, name)?;
    let words = definition.words.iter().map(|word| word.of(text));
    let usages: Option<Vec<Usage>> = match definition.kind {
        Kind::QualifiedUsage => words.take(1).map(standard).collect(),
        Kind::CompositeUsage => words.map(|word| part(definitions, text, word)).collect(),
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

/// The usage of ACAP that is a part of a composite usage, itself or by a qualified one.
fn part(definitions: &[Definition<'_>], text: &[u8], word: &[u8]) -> Option<Usage> {
    let Some(name) = in_parentheses(word) else {
        return standard(word);
    };
    let qualified = usage(definitions, name).filter(|of| of.kind == Kind::QualifiedUsage)?;
    standard(qualified.words.first()?.of(text))
}
