//! What a client asks about preferences.

use super::{ControlToken, Revision, UseLevel, Vocabulary};
use crate::verdict::Usage;

/// For whom a `Content-Usage` or `Content-Signal` line counts (CLA-25).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SignalScope {
    /// For the robots of its group.
    #[default]
    Group,
    /// For every robot whose groups have no line of the same field, also before the first group.
    File,
}

crate::named!(
    SignalScope,
    "scope of signals",
    [Group = "group", File = "file"]
);

/// Which preferences a client asks for, and what it says about itself.
///
/// ```
/// use abide::preference::{PreferenceProfile, Vocabulary};
/// let profile = PreferenceProfile {
///     vocabularies: Some(vec![Vocabulary::ContentUsage]),
///     ..PreferenceProfile::default()
/// };
/// assert!(!profile.asks(Vocabulary::Rsl));
/// assert!(PreferenceProfile::default().asks(Vocabulary::Rsl));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct PreferenceProfile {
    /// The vocabularies that count; `None` for all of them (PREF-4). Only a client that names
    /// [`Vocabulary::Tdmrep`] here needs a site's `tdmrep.json` (CLA-PREF-1).
    pub vocabularies: Option<Vec<Vocabulary>>,
    /// Which of [`Usage::PREFERENCES`] the client wants to know; `None` for all three. A decision
    /// answers all three, but its `needs` names only what could change one of these (PREF-136).
    pub usages: Option<Vec<Usage>>,
    /// The words of `Content-Usage`.
    pub revision: &'static Revision,
    /// Whether `noai`, `noimageai` and `noml` count (PREF-112).
    pub vendor_tags: bool,
    /// Whether `Content-Signal` lines before the first group count as a group for `*` (AMB-PREF-7).
    pub signals_outside_groups: bool,
    /// Whether `Content-Usage` and `Content-Signal` lines of other groups count too (CLA-25).
    pub signal_scope: SignalScope,
    /// The level to which the client means to use content (PREF-54).
    pub intended_use: Option<UseLevel>,
    /// The control tokens of the client's operator. `abide-known-robots` lists them.
    pub control_tokens: Vec<ControlToken>,
}

impl Default for PreferenceProfile {
    /// All vocabularies, the latest revision, vendor tags, no control tokens.
    fn default() -> Self {
        Self {
            vocabularies: None,
            usages: None,
            revision: Revision::latest(),
            vendor_tags: true,
            signals_outside_groups: false,
            signal_scope: SignalScope::Group,
            intended_use: None,
            control_tokens: Vec::new(),
        }
    }
}

impl PreferenceProfile {
    /// Whether `vocabulary` counts.
    #[must_use]
    pub fn asks(&self, vocabulary: Vocabulary) -> bool {
        let named = self.vocabularies.as_ref();
        named.is_none_or(|named| named.contains(&vocabulary))
    }

    /// Whether the client wants to know about `usage`.
    pub(crate) fn wants(&self, usage: Usage) -> bool {
        let named = self.usages.as_ref();
        named.is_none_or(|named| named.contains(&usage))
    }

    /// Whether the client names `vocabulary` itself.
    pub(crate) fn names(&self, vocabulary: Vocabulary) -> bool {
        self.vocabularies.is_some() && self.asks(vocabulary)
    }
}
