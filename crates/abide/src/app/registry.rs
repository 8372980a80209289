//! Registries of applications and directives (APP-24 to APP-30, AMB-APP-14, AMB-APP-16). None is
//! built in.

use super::DirectiveValue;
use crate::rep::token::{ProductToken, ProductTokenError};
use crate::verdict::Sense;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// A registry of applications.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    entries: BTreeMap<String, RegistryEntry>,
    /// The identifiers in lower case.
    ids: BTreeSet<String>,
    /// The first application that has a product token, which is in lower case.
    owners: BTreeMap<String, String>,
}

/// A registered application.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct RegistryEntry {
    /// Its product tokens, in order of preference.
    pub product_tokens: Vec<ProductToken>,
    /// Who may register directives for it: a name and contact details.
    pub change_controller: Option<String>,
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
    /// What it means, in short.
    pub description: Option<String>,
    /// The address of its documentation.
    pub documentation: Option<String>,
}

impl DirectiveEntry {
    /// A directive in use with values of this type, about which nothing else is known.
    #[must_use]
    pub fn new(value_type: ValueType) -> Self {
        Self {
            value_type,
            status: DirectiveStatus::Active,
            overrides: Vec::new(),
            means: BTreeMap::new(),
            description: None,
            documentation: None,
        }
    }

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

    /// Whether `text` is a value of this type, as a key of [`DirectiveEntry::means`] has it.
    ///
    /// ```
    /// use abide::app::ValueType;
    /// assert!(ValueType::Boolean.has("true") && !ValueType::Boolean.has("?1"));
    /// assert!(ValueType::String.has("\"some\"") && !ValueType::String.has("some"));
    /// ```
    #[must_use]
    pub fn has(self, text: &str) -> bool {
        if self == Self::Boolean {
            return matches!(text, "true" | "false");
        }
        let value = sfv::Parser::new(text).parse::<sfv::Item>();
        value.is_ok_and(|item| {
            let value = DirectiveValue::new(item.bare_item);
            // Any other form of a value never occurs.
            self.admits(&value) && value.to_string() == text
        })
    }

    /// A value of this type, as an example of how [`DirectiveEntry::means`] has it.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::Integer => "1",
            Self::Decimal => "1.5",
            Self::String => "\"some\"",
            Self::Token => "some",
            Self::ByteSequence => ":aGk=:",
            Self::Boolean => "true",
            Self::Date => "@1659578233",
            Self::DisplayString => "%\"f%c3%bc\"",
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
    /// Adds an application, whose change controller is not known (APP-25).
    ///
    /// # Errors
    /// [`RegistryError`], as for [`Registry::application_of`].
    pub fn application(
        &mut self,
        id: &str,
        product_tokens: &[String],
    ) -> Result<(), RegistryError> {
        self.application_of(id, product_tokens, None)
    }

    /// Adds an application of a change controller (APP-25).
    ///
    /// # Errors
    /// [`RegistryError`] for an identifier that is not a Token, or that differs from another only
    /// in case, for an invalid product token, for one that occurs twice, and for one that an
    /// application of somebody else has (APP-26).
    pub fn application_of(
        &mut self,
        id: &str,
        product_tokens: &[String],
        change_controller: Option<&str>,
    ) -> Result<(), RegistryError> {
        let id_of = || id.to_owned();
        if sfv::TokenRef::from_str(id).is_err() {
            return Err(RegistryError::Identifier { id: id_of() });
        }
        let folded = id.to_ascii_lowercase();
        if self.ids.contains(&folded) {
            return Err(RegistryError::Twice { id: id_of() });
        }
        let tokens = (0..).zip(product_tokens).map(|(at, token)| {
            let read = ProductToken::new(token).map_err(|error| RegistryError::ProductToken {
                id: id_of(),
                at,
                error,
            })?;
            match self.owner_of(&read, change_controller) {
                None => Ok(read),
                Some(owner) => Err(RegistryError::TokenTaken {
                    id: id_of(),
                    at,
                    token: token.clone(),
                    owner: owner.to_owned(),
                }),
            }
        });
        let product_tokens: Vec<ProductToken> = tokens.collect::<Result<_, _>>()?;
        let mut own = BTreeSet::new();
        let is_repeated = |token: &ProductToken| !own.insert(token.as_str().to_ascii_lowercase());
        if let Some(at) = product_tokens.iter().position(is_repeated) {
            return Err(RegistryError::TokenTwice { id: id_of(), at });
        }
        for token in &product_tokens {
            let token = token.as_str().to_ascii_lowercase();
            self.owners.entry(token).or_insert_with(id_of);
        }
        self.ids.insert(folded);
        self.entries.insert(
            id_of(),
            RegistryEntry {
                product_tokens,
                change_controller: change_controller.map(str::to_owned),
                directives: BTreeMap::new(),
            },
        );
        Ok(())
    }

    /// The application with this product token that is not of the same change controller.
    fn owner_of(&self, token: &ProductToken, change_controller: Option<&str>) -> Option<&str> {
        let id = self.owners.get(&token.as_str().to_ascii_lowercase())?;
        let theirs = self.get(id)?.change_controller.as_deref();
        (theirs.is_none() || theirs != change_controller).then_some(id)
    }

    /// Adds a directive of an application (APP-27).
    ///
    /// # Errors
    /// [`RegistryError`] for a name that is not a key of structured fields, for one that the
    /// application has already, and for an application that is not registered (APP-30).
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
        match application.directives.entry(name.to_owned()) {
            Vacant(place) => {
                place.insert(entry);
                Ok(())
            }
            Occupied(_) => Err(RegistryError::DirectiveTwice {
                id: id.to_owned(),
                name: name.to_owned(),
            }),
        }
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
        /// Its place among the product tokens of the application, from 0.
        at: usize,
        /// What is wrong.
        error: ProductTokenError,
    },
    /// A product token that an application of somebody else has.
    #[error(
        "the product token {token:?} of the application {id:?} is that of {owner:?} too; if one \
         controller has both, name it as change controller of both"
    )]
    TokenTaken {
        /// The application.
        id: String,
        /// Its place among the product tokens of the application, from 0.
        at: usize,
        /// The product token.
        token: String,
        /// The application that has it already.
        owner: String,
    },
    /// A product token that the application has already.
    #[error("the application {id:?} has this product token already, perhaps in another case")]
    TokenTwice {
        /// The application.
        id: String,
        /// Its place among the product tokens of the application, from 0.
        at: usize,
    },
    /// A directive name that is not a key.
    #[error("expected a directive of {id:?} in lower case such as widgets, but found {name:?}")]
    Directive {
        /// The application.
        id: String,
        /// What was given.
        name: String,
    },
    /// A directive that the application has already.
    #[error("the directive {name:?} of {id:?} is registered already")]
    DirectiveTwice {
        /// The application.
        id: String,
        /// The directive.
        name: String,
    },
    /// A directive of an unknown application.
    #[error("expected directives of registered applications, but found one of {id:?}")]
    NoSuchApplication {
        /// The application.
        id: String,
    },
}
