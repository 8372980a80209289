//! Robots tags, draft-illyes-repext-03: what a response says about the use of its content.
//!
//! ```text
//! Robots-Tag = sf-list            ; members are Items: a product token with rules as parameters
//! ```
//!
//! Statements come from three places: the field `Robots-Tag` ([`header`]), the older `X-Robots-Tag`
//! in both of its grammars ([`header`], `legacy`), and robots meta elements, which an HTML reader
//! finds ([`Meta`]). Every rule restricts, all rules that apply to a client add up ([`Binding`]),
//! and nothing lifts a restriction (TAG-9 to TAG-12, TAG-28).
//!
//! `rule` has the rules in one table, and `effect` their effect on usages.

mod binding;
mod date;
pub(crate) mod effect;
pub mod header;
pub(crate) mod legacy;
mod misspelt;
mod response;
pub(crate) mod rule;
mod stored;

pub use binding::Binding;
pub use response::Response;
pub use rule::{RuleKind, StatedRule, is_about_ai};
pub use stored::{Recrawl, StoredTags};

pub(crate) use effect::{Effect, effects};
pub(crate) use rule::Standing;

use crate::verdict::Source;

pub use crate::verdict::evidence::TagPlace;

/// How many mistakes of one kind in the meta elements of a page are looked at.
pub(crate) const MAX_MISTAKES: usize = 100;

/// A field line of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct FieldLine {
    /// The field's name, in any case (TAG-4).
    pub name: String,
    /// Its value.
    pub value: Vec<u8>,
}

impl FieldLine {
    /// A field line.
    pub fn new(name: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }

    /// Reads a field line of the head of a response, without its line end. `None` without a colon,
    /// or without a name before it.
    ///
    /// ```
    /// use abide::tag::FieldLine;
    /// let line = FieldLine::read(b"Robots-Tag: *;noindex");
    /// assert_eq!(line, Some(FieldLine::new("Robots-Tag", "*;noindex")));
    /// assert_eq!(FieldLine::read(b"noindex"), None);
    /// ```
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', line)?;
        let (name, value) = line.split_at_checked(colon)?;
        let name = std::str::from_utf8(name).ok()?.trim();
        let value = value.get(1..)?.trim_ascii();
        (!name.is_empty()).then(|| Self::new(name, value))
    }
}

/// Whom a statement is for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
#[non_exhaustive]
pub enum Scope {
    /// All robots: `*` in a field, `robots` in a meta element (TAG-7, TAG-25).
    #[default]
    Everyone,
    /// Robots with this product token (TAG-26).
    Token(String),
}

#[cfg(feature = "serde")]
impl Scope {
    fn is_everyone(&self) -> bool {
        *self == Self::Everyone
    }
}

/// The rules of one place: a member of a field, a segment of a historical field, or a meta element.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Statement {
    /// The kind of place.
    pub source: Source,
    /// Where it is.
    pub place: TagPlace,
    /// Whom it is for.
    #[cfg_attr(
        feature = "serde",
        serde(rename = "robot", default, skip_serializing_if = "Scope::is_everyone")
    )]
    pub scope: Scope,
    /// Its rules, known and unknown, in the order in which they are written.
    pub rules: Vec<StatedRule>,
    /// The text itself.
    pub text: String,
}

impl Statement {
    /// A statement of these rules.
    #[must_use]
    pub fn new(
        source: Source,
        place: TagPlace,
        scope: Scope,
        rules: Vec<StatedRule>,
        text: String,
    ) -> Self {
        Self {
            source,
            place,
            scope,
            rules,
            text,
        }
    }
}

/// A robots meta element that counts: its name and content, with entities decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Meta {
    /// `robots`, or a product token.
    pub name: String,
    /// The rules, separated by commas.
    pub content: String,
    /// Byte of the page at which the element begins.
    pub offset: u64,
}

impl Meta {
    /// Reads the element. `source` says whether it was in the initial source or in the rendered
    /// page (TAG-24 to TAG-27, TAG-30).
    #[must_use]
    pub fn statement(&self, source: Source) -> Statement {
        let name = self.name.trim_matches(is_html_space);
        Statement {
            source,
            place: TagPlace::Element {
                offset: self.offset,
            },
            scope: if name.eq_ignore_ascii_case("robots") {
                Scope::Everyone
            } else {
                Scope::Token(name.to_owned())
            },
            rules: legacy::rules(&self.content),
            text: [
                "<meta name=\"",
                &self.name,
                "\" content=\"",
                &self.content,
                "\">",
            ]
            .concat(),
        }
    }
}

/// An element that was probably meant as a robots meta element, and is none: `<meta name="robots"
/// value="noindex">`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct MisspeltMeta {
    /// The attribute that is wrong: `property`, `value`, or `robots` itself.
    pub attribute: &'static str,
    /// Its value.
    pub value: String,
    /// The rules that the element was to state.
    pub rules: String,
}

fn is_html_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{c}' | '\r')
}
