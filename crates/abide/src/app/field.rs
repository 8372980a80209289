//! The value of an App-Directives line (APP-3 to APP-9, AMB-APP-4, AMB-APP-9, AMB-APP-21).

use super::DirectiveValue;
use crate::pattern::PathPattern;
use crate::structured::{self, Member};
use crate::text::is_blank;
use sfv::BareItem;

/// A line that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directives<'a> {
    /// The path pattern; `None` where the line covers every path (APP-5).
    pub path: Option<&'a [u8]>,
    /// The applications named, in order, each with its directives. One that is named twice stands
    /// twice.
    pub applications: Vec<(String, Vec<(String, DirectiveValue)>)>,
}

impl<'a> Directives<'a> {
    /// Reads a value, without comment and without blanks round it. `None` where the list breaks the
    /// rules of structured fields: it then carries no directives at all (APP-31).
    ///
    /// A value has a path only where it begins with `/` (AMB-APP-9). Members that are no Tokens are
    /// left out (AMB-APP-4).
    #[must_use]
    pub fn read(value: &'a [u8]) -> Option<Self> {
        let (path, list) = if value.starts_with(b"/") {
            let end = value
                .iter()
                .position(|&byte| is_blank(byte))
                .unwrap_or(value.len());
            let (path, list) = value.split_at_checked(end)?;
            (Some(path), list)
        } else {
            (None, value)
        };
        let mut applications = Vec::new();
        for span in structured::members(list, usize::MAX) {
            match structured::read(list.get(span.start..span.end)?)? {
                Member::Item(BareItem::Token(id), params) => {
                    let directives = params
                        .iter()
                        .map(|(key, value)| (key.clone(), value.into()));
                    applications.push((id.to_string(), directives.collect()));
                }
                Member::Item(..) | Member::InnerList => {}
            }
        }
        Some(Self { path, applications })
    }

    /// How many bytes the path has where the line covers `path`: none for a line without one, which
    /// is weaker than `/` (AMB-APP-8). `None` where it does not cover it (APP-16, APP-17).
    pub(crate) fn bytes_if_matching(&self, path: &[u8]) -> Option<usize> {
        match self.path {
            None => Some(0),
            Some(pattern) => {
                let pattern = PathPattern::read(pattern).ok()?;
                pattern.matches(path).then(|| pattern.length())
            }
        }
    }
}
