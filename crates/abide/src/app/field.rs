//! The value of an App-Directives line (APP-3 to APP-9, AMB-APP-4, AMB-APP-9, AMB-APP-21).

use super::DirectiveValue;
use crate::pattern::PathPattern;
use crate::structured::{self, Member};
use crate::text::is_blank;
use sfv::BareItem;

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
        let mut applications = Vec::new();
        let path = Self::visit(value, |id, params| {
            let params = params.iter();
            let directives = params.map(|(key, value)| (key.clone(), value.into()));
            applications.push((id.to_owned(), directives.collect()));
        });
        let path = path.ok()?;
        Some(Self { path, applications })
    }

    /// Calls `each` for every application of a value, in order, and returns the path. Keeps nothing
    /// of them: a line may name a quarter of a million. The calls do not count if the result is
    /// an error.
    pub(crate) fn visit(
        value: &'a [u8],
        mut each: impl FnMut(&str, &[(String, BareItem)]),
    ) -> Result<Option<&'a [u8]>, NotAList> {
        let (path, list) = if value.starts_with(b"/") {
            let end = value
                .iter()
                .position(|&byte| is_blank(byte))
                .unwrap_or(value.len());
            let (path, list) = value.split_at_checked(end).ok_or(NotAList)?;
            (Some(path), list)
        } else {
            (None, value)
        };
        for span in structured::members(list, usize::MAX) {
            let member = list.get(span.start..span.end).and_then(structured::read);
            match member.ok_or(NotAList)? {
                Member::Item(BareItem::Token(id), params) => each(id.as_str(), &params),
                Member::Item(..) | Member::InnerList => {}
            }
        }
        Ok(path)
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
