//! Recognises ACAP fields by their keys (ACAP-10, ACAP-76, ACAP-77, AMB-ACAP-1).

use super::request::Action;
use crate::text::{Separator, Span, is_blank, trim};
use crate::verdict::{Place, Sense, Usage};

/// A line of the ACAP stream: one field (ACAP-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AcapLine {
    /// Number of the line, from 1.
    pub(crate) line: u32,
    /// The key as written.
    pub(crate) key: Span,
    /// What separates key and value.
    pub(crate) separator: Separator,
    /// The value as written, without blanks around it and without comment.
    pub(crate) value: Span,
    /// Whether there are blanks before the key, or between key and colon (ACAP-10).
    pub(crate) loose: bool,
}

impl AcapLine {
    /// The place of the field, from key to value.
    pub(crate) fn place(&self) -> Place {
        Place {
            line: self.line,
            span: Span::new(self.key.start, self.value.end.max(self.key.end)),
        }
    }
}

/// Which field a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AcapFieldKind<'t> {
    /// `ACAP-ignore-conventional-records`
    IgnoreConventional,
    /// `ACAP-qualified-usage`
    QualifiedUsage,
    /// `ACAP-composite-usage`
    CompositeUsage,
    /// `ACAP-resource-set`
    ResourceSet,
    /// `ACAP-crawler`
    Crawler,
    /// `ACAP-permissions-reference`
    Reference,
    /// `ACAP-usage-purpose`
    Purpose,
    /// `ACAP-allow-…` or `ACAP-disallow-…`
    Statement(Sense, UsageName<'t>),
    /// `ACAP-request-…`; `None` for an action that ACAP 1.0 does not know.
    Request(Option<Action>),
    /// A key that ACAP 1.0 does not know.
    Unknown,
}

/// A usage as a field names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsageName<'t> {
    /// One of the fourteen standard usages.
    Standard(Usage),
    /// A name in parentheses, defined in the file (ACAP-55).
    Local(&'t [u8]),
    /// Anything else.
    Unknown(&'t [u8]),
}

impl<'t> UsageName<'t> {
    /// Reads `text`, such as `present-snippet` or `(cache)`.
    pub(crate) fn read(text: &'t [u8]) -> Self {
        let inner = text
            .strip_prefix(b"(")
            .and_then(|rest| rest.strip_suffix(b")"));
        match (inner, Usage::named(text)) {
            (Some(name), _) => Self::Local(trim(name, 0, is_blank).0),
            (None, Some(usage)) => Self::Standard(usage),
            (None, None) => Self::Unknown(text),
        }
    }
}

const KEYS: [(&[u8], AcapFieldKind<'static>); 7] = [
    (
        b"ignore-conventional-records",
        AcapFieldKind::IgnoreConventional,
    ),
    (b"qualified-usage", AcapFieldKind::QualifiedUsage),
    (b"composite-usage", AcapFieldKind::CompositeUsage),
    (b"resource-set", AcapFieldKind::ResourceSet),
    (b"crawler", AcapFieldKind::Crawler),
    (b"permissions-reference", AcapFieldKind::Reference),
    (b"usage-purpose", AcapFieldKind::Purpose),
];

/// What `key` stands for, whatever its case (ACAP-10).
pub(crate) fn kind(key: &[u8]) -> AcapFieldKind<'_> {
    let Some(rest) = after(key, b"acap-") else {
        return AcapFieldKind::Unknown;
    };
    let known = KEYS
        .iter()
        .find(|(name, _)| rest.eq_ignore_ascii_case(name));
    if let Some((_, kind)) = known {
        return *kind;
    }
    // An unknown usage stays a statement, because it belongs to a record (ACAP-24).
    let statement = |sense, usage| AcapFieldKind::Statement(sense, UsageName::read(usage));
    after(rest, b"allow-")
        .map(|usage| statement(Sense::Allow, usage))
        .or_else(|| after(rest, b"disallow-").map(|usage| statement(Sense::Disallow, usage)))
        .or_else(|| {
            after(rest, b"request-").map(|action| AcapFieldKind::Request(Action::named(action)))
        })
        .unwrap_or(AcapFieldKind::Unknown)
}

/// The text after `prefix`. Case is ignored.
pub(super) fn after<'t>(text: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Whether `key` is the field that asks to ignore conventional records.
pub(crate) fn asks_to_ignore(key: &[u8]) -> bool {
    kind(key) == AcapFieldKind::IgnoreConventional
}
