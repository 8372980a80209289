//! The TDM Reservation Protocol: `tdmrep.json`, response fields and meta elements (PREF-67 to
//! PREF-85).
//!
//! This module has the rules of a file that was read; `abide-documents` reads the JSON.

use crate::pattern::PathPattern;
use crate::pattern::normal::Forms;
use crate::text::offset;

/// How many bytes of a `tdmrep.json` are read (PREF-85). A longer file prohibits.
pub const MAX_BYTES: usize = 512_000;

/// How deep the JSON may nest (PREF-85).
pub const MAX_DEPTH: usize = 8;

/// Where the file is on each site.
pub const PATH: &str = "/.well-known/tdmrep.json";

/// The rules of a `tdmrep.json`, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TdmrepFile {
    /// The members of the array. `None` for a member that is not an object.
    pub rules: Vec<Option<TdmrepRule>>,
}

/// A rule of the file, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TdmrepRule {
    /// The paths that it is about. `None` without a string here.
    pub location: Option<String>,
    /// Whether rights are reserved; `None` without a valid value (PREF-68).
    pub reservation: Option<bool>,
    /// The URL of the policy.
    pub policy: Option<String>,
    /// The rule as JSON text.
    pub text: String,
}

impl TdmrepRule {
    /// A rule about the paths of `location`, which reserves rights or does not.
    #[must_use]
    pub fn new(location: impl Into<String>, reservation: bool) -> Self {
        Self {
            location: Some(location.into()),
            reservation: Some(reservation),
            ..Self::default()
        }
    }
}

impl TdmrepFile {
    /// A file with these rules.
    #[must_use]
    pub const fn new(rules: Vec<Option<TdmrepRule>>) -> Self {
        Self { rules }
    }

    /// The first rule that matches `path`, and its number from 1 (PREF-71). A rule without a
    /// location that begins with `/` or `*` matches nothing (PREF-74).
    pub(crate) fn matching(&self, path: &Forms<'_>) -> Option<(u32, &TdmrepRule)> {
        let numbered = (1_usize..).zip(&self.rules);
        numbered
            .filter_map(|(number, rule)| Some((offset(number), rule.as_ref()?)))
            .find(|(_, rule)| {
                let location = rule.location.as_deref().unwrap_or_default();
                let pattern = PathPattern::read(location.as_bytes());
                pattern.is_ok_and(|pattern| pattern.matches_forms(path))
            })
    }
}

/// The value of a `tdm-reservation` field or meta element (PREF-68).
pub(crate) fn reservation(value: &[u8]) -> Option<bool> {
    match value.trim_ascii() {
        b"1" => Some(true),
        b"0" => Some(false),
        _ => None,
    }
}

/// The value of a `tdm-policy` field or meta element.
pub(crate) fn policy(value: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(value.trim_ascii()).ok()?;
    (!text.is_empty()).then(|| text.to_owned())
}
