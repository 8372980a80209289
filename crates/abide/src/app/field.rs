//! The value of an App-Directives line (APP-3 to APP-9, AMB-APP-4, AMB-APP-9, AMB-APP-21).

use super::DirectiveValue;
use crate::pattern::PathPattern;
use crate::structured;
use crate::text::is_blank;
use sfv::visitor::{
    EntryVisitor, Ignored, InnerListVisitor, ItemVisitor, ListVisitor, ParameterVisitor,
};
use sfv::{BareItemFromInput, KeyRef, Parser};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// An `App-Directives` value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Directives<'a> {
    /// The path pattern; `None` if the line covers every path (APP-5).
    pub path: Option<&'a [u8]>,
    /// The applications with their directives, in order. An application that is named twice is
    /// listed twice.
    pub applications: Vec<(String, Vec<(String, DirectiveValue)>)>,
}

/// A value that is not a list, so that it has no directives at all (APP-31).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotAList;

impl<'a> Directives<'a> {
    /// Reads a value, without comment and without blanks around it. `None` if the list is not a
    /// valid structured field: then it has no directives at all (APP-31).
    ///
    /// A value has a path only if it begins with `/` (AMB-APP-9). Members that are not Tokens are
    /// ignored (AMB-APP-4).
    #[must_use]
    pub fn read(value: &'a [u8]) -> Option<Self> {
        let mut applications: Vec<(String, Vec<_>)> = Vec::new();
        // Where the directives of the last application are: if one is repeated, its last value
        // counts.
        let mut places = BTreeMap::new();
        let path = Self::visit(value, |mention| match (mention, applications.last_mut()) {
            (Mention::Application(id), _) => {
                places.clear();
                applications.push((id.to_owned(), Vec::new()));
            }
            (Mention::Directive(name, value), Some((_, directives))) => {
                let value = DirectiveValue::new(value.into());
                let place = *places.entry(name).or_insert(directives.len());
                match directives.get_mut(place) {
                    Some((_, before)) => *before = value,
                    None => directives.push((name.to_owned(), value)),
                }
            }
            (Mention::Directive(..), None) | (Mention::Other, _) => {}
        });
        let path = path.ok()?;
        Some(Self { path, applications })
    }

    /// Calls `each` for what a value mentions, in order, and returns the path. Keeps nothing of it:
    /// a line may name a quarter of a million applications or directives. The calls do not count if
    /// the result is an error.
    pub(crate) fn visit(
        value: &'a [u8],
        each: impl FnMut(Mention<'a>),
    ) -> Result<Option<&'a [u8]>, NotAList> {
        let (path, list) = divide(value).ok_or(NotAList)?;
        let read = Parser::new(list).parse_list_with_visitor(Mentions { each });
        read.map(|()| path).map_err(|_| NotAList)
    }

    /// The value with its directives in lower case, if it has others and is a valid list only
    /// without them: a directive is a key of structured fields, which is in lower case.
    ///
    /// ```
    /// use abide::app::field::Directives;
    /// let written = Directives::in_lower_case(b"/News/ ExampleSearch;Widgets=Some");
    /// assert_eq!(written.as_deref(), Some(&b"/News/ ExampleSearch;widgets=Some"[..]));
    /// assert_eq!(Directives::in_lower_case(b"examplesearch;widgets"), None);
    /// ```
    #[must_use]
    pub fn in_lower_case(value: &[u8]) -> Option<Vec<u8>> {
        let (_, list) = divide(value)?;
        let start = value.len().checked_sub(list.len())?;
        let folded = structured::with_folded_keys(list)?;
        let is_list = |value: &[u8]| Directives::visit(value, |_| {}).is_ok();
        let written = [value.get(..start)?, &folded].concat();
        (!is_list(value) && is_list(&written)).then_some(written)
    }

    /// The length of the pattern in bytes, if the line covers `path`: zero for a line without a
    /// pattern, which is weaker than `/` (AMB-APP-8). `None` if it does not cover the path (APP-16,
    /// APP-17).
    pub(crate) fn bytes_if_matching(pattern: Option<&[u8]>, path: &[u8]) -> Option<usize> {
        match pattern {
            None => Some(0),
            Some(pattern) => {
                let pattern = PathPattern::read(pattern).ok()?;
                pattern.matches(path).then(|| pattern.length())
            }
        }
    }
}

/// The path and the list of a value. A value has a path only if it begins with `/` (AMB-APP-9).
fn divide(value: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    if !value.starts_with(b"/") {
        return Some((None, value));
    }
    let mut bytes = value.iter();
    let end = bytes.position(|&byte| is_blank(byte));
    let (path, list) = value.split_at_checked(end.unwrap_or(value.len()))?;
    Some((Some(path), list.trim_ascii_start()))
}

/// What a value mentions.
pub(crate) enum Mention<'a> {
    Application(&'a str),
    /// A directive of the application that was mentioned last.
    Directive(&'a str, BareItemFromInput<'a>),
    /// A member that is not a Token, which is ignored with all it asks (AMB-APP-4).
    Other,
}

/// Calls `each` while a list is read.
struct Mentions<F> {
    each: F,
}

impl<'a, F: FnMut(Mention<'a>)> ListVisitor<'a> for Mentions<F> {
    type Out = ();
    type Error = Infallible;

    fn entry(&mut self) -> Result<impl EntryVisitor<'a>, Infallible> {
        let each = &mut self.each;
        Ok(MentionsOfMember { each })
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Calls `each` while a member of a list is read.
struct MentionsOfMember<'f, F> {
    each: &'f mut F,
}

impl<'a, F: FnMut(Mention<'a>)> EntryVisitor<'a> for MentionsOfMember<'_, F> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'a>, Infallible> {
        Ok(|item| {
            let BareItemFromInput::Token(id) = item else {
                (self.each)(Mention::Other);
                return Ok::<_, Infallible>(None);
            };
            (self.each)(Mention::Application(id.as_str()));
            Ok(Some(self))
        })
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'a>, Infallible> {
        (self.each)(Mention::Other);
        Ok(Ignored)
    }
}

impl<'a, F: FnMut(Mention<'a>)> ParameterVisitor<'a> for MentionsOfMember<'_, F> {
    type Out = ();
    type Error = Infallible;

    fn parameter(
        &mut self,
        name: &'a KeyRef,
        value: BareItemFromInput<'a>,
    ) -> Result<(), Infallible> {
        (self.each)(Mention::Directive(name.as_str(), value));
        Ok(())
    }

    fn finish(self) -> Result<(), Infallible> {
        Ok(())
    }
}
