//! Reads lines as fields, by their keys (REP-7, REP-22, REP-63 to REP-66, AMB-REP-5).

mod key;
mod keyed;
mod read;

use crate::text::{Separator, Span, has_control};
use crate::verdict::Sense;

pub use read::{Fields, ParsedLine};

pub(crate) use keyed::KeyedLine;
pub(crate) use read::{google_space, read};

/// The kind of a line, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldKind {
    /// `User-agent`: names a crawler and starts a group (REP-3).
    UserAgent,
    /// `User-Agent-Purpose`: names a purpose and starts a group (PUR-1, PUR-2).
    UserAgentPurpose,
    /// `Allow`, a rule.
    Allow,
    /// `Disallow`, a rule.
    Disallow,
    /// `App-Directives`, a rule that is not about access (APP-1, APP-11, APP-34).
    AppDirectives,
    /// `Sitemap`, another record, which is about the whole file (REP-63).
    Sitemap,
    /// `Crawl-delay`, another record of its group.
    CrawlDelay,
    /// Any `ACAP-…` line. These are a stream of their own (AMB-ACAP-16).
    Acap,
    /// An unknown record. It has no effect (REP-65, REP-66).
    Other,
}

impl FieldKind {
    /// The key as the specification writes it. `None` for ACAP fields and unknown records.
    ///
    /// ```
    /// use abide::syntax::FieldKind;
    /// assert_eq!(FieldKind::CrawlDelay.name(), Some("Crawl-delay"));
    /// ```
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::UserAgent => Some("User-agent"),
            Self::UserAgentPurpose => Some("User-Agent-Purpose"),
            Self::Allow => Some("Allow"),
            Self::Disallow => Some("Disallow"),
            Self::AppDirectives => Some("App-Directives"),
            Self::Sitemap => Some("Sitemap"),
            Self::CrawlDelay => Some("Crawl-delay"),
            Self::Acap | Self::Other => None,
        }
    }

    /// Whether the line starts a group, or adds to the head of one (REP-3, PUR-2).
    #[must_use]
    pub const fn starts_group(self) -> bool {
        matches!(self, Self::UserAgent | Self::UserAgentPurpose)
    }

    /// Whether the line allows or disallows; `None` for other lines (REP-18).
    pub(crate) const fn sense(self) -> Option<Sense> {
        match self {
            Self::Allow => Some(Sense::Allow),
            Self::Disallow => Some(Sense::Disallow),
            _ => None,
        }
    }

    /// Whether the line is a rule, so that the next starter opens a new group (REP-3, AMB-APP-2).
    #[must_use]
    pub const fn is_rule(self) -> bool {
        matches!(self, Self::Allow | Self::Disallow | Self::AppDirectives)
    }
}

/// How a key was spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Spelling {
    /// Spelt as in the specification, in any letter case.
    Exact,
    /// A frequent misspelling that robots accept (AMB-REP-5).
    Typo,
    /// A key with something after it, which the google profile accepts.
    Prefix,
}

/// A key and a value, with the kind of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// The kind, by the key.
    pub kind: FieldKind,
    /// How the key is spelt.
    pub spelling: Spelling,
    /// The key as written.
    pub key: Span,
    /// What separates key and value.
    pub separator: Separator,
    /// The value as written, without blanks around it and without comment.
    pub value: Span,
}

/// The content of a line without its comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Content {
    /// Nothing: a blank line, or one with only a comment (REP-12).
    Blank,
    /// A key and a value.
    Field(Field),
    /// Text that is not a field, such as a line of HTML. It has no effect (REP-77).
    Unreadable,
}

impl Field {
    /// Whether key or value in `text` hold a control byte, which makes the line invalid as a rule
    /// and its agent or purpose unusable (REP-83, AMB-REP-12).
    #[must_use]
    pub fn has_control(&self, text: &[u8]) -> bool {
        has_control(Span::new(self.key.start, self.value.end.max(self.key.end)).of(text))
    }
}
