//! The rules, in one table (TAG-35 to TAG-39, AMB-TAG-16 to AMB-TAG-20; docs/spec/tags.md).

use crate::client::{Client, TagRules};
use crate::preference::vendor_tag;

/// A rule as written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct StatedRule {
    /// Its name in lower case (TAG-37).
    pub name: String,
    /// Its value as text, if it has one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub value: Option<String>,
}

impl StatedRule {
    /// A rule with this name, in lower case.
    #[must_use]
    pub fn new(name: impl Into<String>, value: Option<String>) -> Self {
        let name = name.into();
        Self { name, value }
    }
}

/// The kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RuleKind {
    /// A rule of the draft (TAG-39).
    Registered,
    /// A rule that search engines document (docs/spec/tags.md).
    Vendor,
    /// A word that permits, or has no meaning. Rules only restrict, so it has no effect
    /// (AMB-TAG-18).
    Positive,
    /// An unknown rule: reported, without effect (AMB-TAG-20).
    Unknown,
}

const KNOWN: [(&str, RuleKind); 16] = [
    ("noindex", RuleKind::Registered),
    ("nosnippet", RuleKind::Registered),
    ("nofollow", RuleKind::Vendor),
    ("none", RuleKind::Vendor),
    ("noarchive", RuleKind::Vendor),
    ("nocache", RuleKind::Vendor),
    ("notranslate", RuleKind::Vendor),
    ("noimageindex", RuleKind::Vendor),
    ("max-snippet", RuleKind::Vendor),
    ("max-image-preview", RuleKind::Vendor),
    ("max-video-preview", RuleKind::Vendor),
    ("unavailable_after", RuleKind::Vendor),
    ("all", RuleKind::Positive),
    ("index", RuleKind::Positive),
    ("follow", RuleKind::Positive),
    ("indexifembedded", RuleKind::Positive),
];

/// The names of the rules that abide knows.
pub(crate) fn known_names() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name)
}

impl RuleKind {
    /// The kind of the rule `name`, which is in lower case.
    #[must_use]
    pub fn of(name: &str) -> Self {
        KNOWN
            .iter()
            .find(|(known, _)| *known == name)
            .map_or(Self::Unknown, |&(_, kind)| kind)
    }
}

/// What a rule is for a client: a registry can leave rules out, and name further ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It restricts.
    Counts,
    /// It permits, or has no meaning.
    Positive,
    /// The client does not know it.
    Unknown,
}

impl Standing {
    /// The standing of the rule `name`, which is in lower case.
    pub(crate) fn of(name: &str, client: &Client) -> Self {
        match (RuleKind::of(name), client.tag_rules()) {
            (_, TagRules::Registered(names)) if names.contains(name) => Self::Counts,
            (RuleKind::Positive, _) => Self::Positive,
            (RuleKind::Registered, TagRules::Known | TagRules::OfDraft)
            | (RuleKind::Vendor, TagRules::Known) => Self::Counts,
            _ => Self::Unknown,
        }
    }
}

/// Whether the rule `name`, which is in lower case, is one that vendors have defined about AI
/// (PREF-109): `noai`, `noimageai` or `noml`.
///
/// ```
/// assert!(abide::tag::is_about_ai("noai") && !abide::tag::is_about_ai("noindex"));
/// ```
#[must_use]
pub fn is_about_ai(name: &str) -> bool {
    vendor_tag::is_known(name)
}

/// Whether the rule `name` counts as known for a client: rules about AI only do so if it asks for
/// preferences (PREF-112, CLA-PREF-14).
pub(super) fn is_known_preference(name: &str, client: &Client) -> bool {
    client.preferences().is_some() && vendor_tag::is_known(name)
}

/// Whether `name`, in any case, is a rule that abide knows.
pub(crate) fn is_known_rule(name: &str) -> bool {
    RuleKind::of(&name.to_ascii_lowercase()) != RuleKind::Unknown
}

/// Whether a rule has its value after a colon in the historical grammar (AMB-TAG-3).
pub(super) fn takes_value(name: &str) -> bool {
    matches!(
        name,
        "max-snippet" | "max-image-preview" | "max-video-preview" | "unavailable_after"
    )
}
