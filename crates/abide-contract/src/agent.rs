//! The robot that an answer is about, as JSON.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A name, `*` for the robots that no group names, or names in order of preference.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Agent"))]
pub(crate) enum AgentJson<'a> {
    Name(Cow<'a, str>),
    Names(#[cfg_attr(feature = "schema", schemars(length(min = 2)))] Vec<Cow<'a, str>>),
}

impl<'a> AgentJson<'a> {
    /// The robot with these names; none of them for the robots that no group names.
    pub(crate) fn new(
        names: impl IntoIterator<Item = &'a (impl AsRef<str> + 'a + ?Sized)>,
    ) -> Self {
        let mut names: Vec<_> = names.into_iter().map(|name| name.as_ref().into()).collect();
        match names.pop() {
            None => Self::Name("*".into()),
            Some(only) if names.is_empty() => Self::Name(only),
            Some(last) => {
                names.push(last);
                Self::Names(names)
            }
        }
    }
}
