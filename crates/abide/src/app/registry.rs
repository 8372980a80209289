//! Registries of applications and directives (APP-24 to APP-30, AMB-APP-14, AMB-APP-16). None is
//! built in.

use super::DirectiveValue;
use crate::rep::token::{ProductToken, ProductTokenError};
use crate::verdict::Sense;
use std::collections::BTreeMap;
use thiserror::Error;

/// A registry of applications.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    entries: BTreeMap<String, RegistryEntry>,
}

/// A registered application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct RegistryEntry {
    /// Its product tokens, in order of preference.
    pub product_tokens: Vec<ProductToken>,
    /// Its directives, by name.
    pub directives: BTreeMap<String, DirectiveEntry>,
}

/// A registered directive.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct DirectiveEntry {
    /// The type of its values.
    pub value_type: ValueType,
    /// Its status.
    pub status: DirectiveStatus,
    /// The words of AI preferences that it overrides for its application, where the same robots.txt
    /// states them (APP-22).
    pub overrides: Vec<String>,
    /// What its values mean for these words. The key is `true`, `false`, or the value as a
    /// structured field has it. Of a value that is not in it, the meaning is not known.
    pub means: BTreeMap<String, Sense>,
}

impl DirectiveEntry {
    /// What `value` says about the preferences that the directive covers, if that is known.
    pub(crate) fn meaning_of(&self, value: &DirectiveValue) -> Option<Sense> {
        let key = match value {
            DirectiveValue::Boolean(value) => value.to_string(),
            other => other.to_string(),
        };
        self.means.get(&key).copied()
    }
}

/// Types of values (APP-28).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ValueType {
    /// Integer
    Integer,
    /// Decimal
    Decimal,
    /// String
    String,
    /// Token
    Token,
    /// Byte Sequence
    ByteSequence,
    /// Boolean
    Boolean,
    /// Date
    Date,
    /// Display String
    DisplayString,
}

crate::named!(
    ValueType,
    "value type",
    [
        Integer = "integer",
        Decimal = "decimal",
        String = "string",
        Token = "token",
        ByteSequence = "byte-sequence",
        Boolean = "boolean",
        Date = "date",
        DisplayString = "display-string"
    ]
);

impl ValueType {
    /// The type of a value.
    #[must_use]
    pub fn of(value: &DirectiveValue) -> Self {
        match value {
            DirectiveValue::Integer(_) => Self::Integer,
            DirectiveValue::Decimal(_) => Self::Decimal,
            DirectiveValue::String(_) => Self::String,
            DirectiveValue::Token(_) => Self::Token,
            DirectiveValue::ByteSequence(_) => Self::ByteSequence,
            DirectiveValue::Boolean(_) => Self::Boolean,
            DirectiveValue::Date(_) => Self::Date,
            DirectiveValue::DisplayString(_) => Self::DisplayString,
        }
    }

    /// Whether `value` is of this type. An Integer is not a Decimal (AMB-APP-16).
    #[must_use]
    pub fn admits(self, value: &DirectiveValue) -> bool {
        self == Self::of(value)
    }
}

/// Whether a directive is in use (APP-29).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DirectiveStatus {
    /// In use.
    #[default]
    Active,
    /// No longer to be used, but still listed.
    Deprecated,
}

impl Registry {
    /// Adds an application (APP-25).
    ///
    /// # Errors
    /// [`RegistryError`] for an identifier that is not a Token, or that differs from another only
    /// in case (APP-26), and for an invalid product token.
    pub fn application(
        &mut self,
        id: &str,
        product_tokens: &[String],
    ) -> Result<(), RegistryError> {
        let id_of = || id.to_owned();
        if sfv::TokenRef::from_str(id).is_err() {
            return Err(RegistryError::Identifier { id: id_of() });
        }
        if self
            .entries
            .keys()
            .any(|known| known.eq_ignore_ascii_case(id))
        {
            return Err(RegistryError::Twice { id: id_of() });
        }
        let tokens = product_tokens.iter().map(|token| {
            ProductToken::new(token)
                .map_err(|error| RegistryError::ProductToken { id: id_of(), error })
        });
        let product_tokens = tokens.collect::<Result<_, _>>()?;
        self.entries.insert(
            id_of(),
            RegistryEntry {
                product_tokens,
                directives: BTreeMap::new(),
            },
        );
        Ok(())
    }

    /// Adds a directive of an application (APP-27).
    ///
    /// # Errors
    /// [`RegistryError`] for a name that is not a key of structured fields, and for an application
    /// that is not registered (APP-30).
    pub fn directive(
        &mut self,
        id: &str,
        name: &str,
        entry: DirectiveEntry,
    ) -> Result<(), RegistryError> {
        if sfv::KeyRef::from_str(name).is_err() {
            return Err(RegistryError::Directive {
                id: id.to_owned(),
                name: name.to_owned(),
            });
        }
        let application = self.entries.get_mut(id);
        let application =
            application.ok_or_else(|| RegistryError::NoSuchApplication { id: id.to_owned() })?;
        application.directives.insert(name.to_owned(), entry);
        Ok(())
    }

    /// The entry of an application.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&RegistryEntry> {
        self.entries.get(id)
    }

    /// All applications, by identifier.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RegistryEntry)> {
        self.entries.iter().map(|(id, entry)| (id.as_str(), entry))
    }
}

/// Why a registry is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// An identifier that is not a Token.
    #[error("expected an application identifier such as examplesearch, but found {id:?}")]
    Identifier {
        /// What was given.
        id: String,
    },
    /// An identifier that differs from another only in case.
    #[error("the application {id:?} is registered already, perhaps in another case")]
    Twice {
        /// The identifier.
        id: String,
    },
    /// An invalid product token.
    #[error("of the application {id:?}: {error}")]
    ProductToken {
        /// The application.
        id: String,
        /// What is wrong.
        error: ProductTokenError,
    },
    /// A directive name that is not a key.
    #[error("expected a directive of {id:?} in lower case such as widgets, but found {name:?}")]
    Directive {
        /// The application.
        id: String,
        /// What was given.
        name: String,
    },
    /// A directive of an unknown application.
    #[error("expected directives of registered applications, but found one of {id:?}")]
    NoSuchApplication {
        /// The application.
        id: String,
    },
}
