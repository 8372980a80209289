//! Values of directives, with their types (APP-28, APP-32).

use sfv::{BareItem, FieldType as _, Item};
use std::fmt;

/// The value of a directive. A Decimal is kept in its serialised form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DirectiveValue {
    /// `1`
    Integer(i64),
    /// `1.5`
    Decimal(String),
    /// `"x"`
    String(String),
    /// `x`
    Token(String),
    /// `:aGk=:`
    ByteSequence(Vec<u8>),
    /// `?0`, `?1`, and a directive without a value
    Boolean(bool),
    /// `@1659578233`, in seconds since 1970
    Date(i64),
    /// `%"f%c3%bc"`
    DisplayString(String),
}

impl DirectiveValue {
    pub(crate) fn new(item: BareItem) -> Self {
        match item {
            BareItem::Integer(value) => Self::Integer(value.into()),
            BareItem::Decimal(_) => Self::Decimal(crate::structured::shown(&item)),
            BareItem::String(text) => Self::String(text.into()),
            BareItem::Token(token) => Self::Token(token.into()),
            BareItem::ByteSequence(bytes) => Self::ByteSequence(bytes),
            BareItem::Boolean(value) => Self::Boolean(value),
            BareItem::Date(date) => Self::Date(date.unix_seconds().into()),
            BareItem::DisplayString(text) => Self::DisplayString(text),
        }
    }
}

/// Writes the value in the syntax of structured fields, which shows its type.
impl fmt::Display for DirectiveValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Decimal(text) | Self::Token(text) => f.write_str(text),
            Self::String(text) => write!(f, "{text:?}"),
            Self::DisplayString(text) => serialised(f, BareItem::DisplayString(text.clone())),
            Self::ByteSequence(bytes) => serialised(f, BareItem::ByteSequence(bytes.clone())),
            Self::Boolean(value) => f.write_str(if *value { "?1" } else { "?0" }),
            Self::Date(seconds) => write!(f, "@{seconds}"),
        }
    }
}

fn serialised(f: &mut fmt::Formatter<'_>, item: BareItem) -> fmt::Result {
    f.write_str(&Item::new(item).serialize())
}
