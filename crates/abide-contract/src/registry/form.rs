//! What a registry says: the same members in TOML, in JSON and in a request.

use super::{Entry, Registries, instead, wrong};
use crate::names::{Members, Names, Object};
use crate::request_error::{RequestError, escaped};
use abide::app::{DirectiveEntry, DirectiveStatus, RegistryError, ValueType};
use abide::preference::robots_txt_words;
use abide::verdict::Sense;
use abide::{Named, PurposeToken};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// The largest number of applications, purposes or rules, and of rows of a table.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// A registry. The names of its members are those of the columns in the IANA sections.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Registry"))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RegistryForm {
    /// The version of this form, which is 1 [default: 1].
    pub(super) version: Option<u32>,
    /// Applications and their directives (draft-nottingham-plan-b, 3).
    pub(super) application: Option<Entries<ApplicationForm>>,
    /// The purposes that exist; a purpose that is not among them is an error [default: every
    /// purpose of letters, digits, `-` and `_`].
    pub(super) purpose: Option<Entries<PurposeForm>>,
    /// The robots tag rules that count (draft-illyes-repext, 5.2) [default: those that abide
    /// knows].
    pub(super) rule: Option<Entries<RuleForm>>,
    /// Directives in rows of their own, which only a table has.
    #[serde(skip)]
    pub(super) rows: Vec<DirectiveRow>,
}

/// A registered application.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RegisteredApplication"))]
#[serde(deny_unknown_fields)]
pub(crate) struct ApplicationForm {
    /// The identifier, a Token.
    pub(super) id: String,
    /// Its product tokens, in order of preference [default: the client's].
    #[serde(default)]
    pub(super) product_tokens: Names,
    /// Who may register directives for it: a name and contact details.
    pub(super) change_controller: Option<String>,
    /// Its directives, by name.
    #[serde(default)]
    pub(super) directive: Members<Object<DirectiveForm>>,
}

/// A registered directive.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RegisteredDirective"))]
#[serde(deny_unknown_fields)]
pub(crate) struct DirectiveForm {
    /// The type of its values: integer, decimal, string, token, byte-sequence, boolean, date or
    /// display-string.
    #[serde(rename = "type")]
    pub(super) value_type: String,
    /// `active` or `deprecated` [default: active].
    pub(super) status: Option<String>,
    /// The words of AI preferences that it overrides, such as `train-ai`.
    #[serde(default)]
    pub(super) overrides: Names,
    /// What its values mean for these words: `y` or `n`, by value.
    #[serde(default)]
    pub(super) means: Members<String>,
    /// What it means, in short.
    pub(super) description: Option<String>,
    /// The address of its documentation.
    pub(super) documentation: Option<String>,
}

/// A directive with its application and name.
#[derive(Debug)]
pub(super) struct DirectiveRow {
    pub(super) application: String,
    pub(super) name: String,
    pub(super) form: DirectiveForm,
}

/// A registered purpose.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RegisteredPurpose"))]
#[serde(deny_unknown_fields)]
pub(crate) struct PurposeForm {
    /// The token, as `User-Agent-Purpose` lines have it.
    pub(super) token: String,
    /// What it means, in short.
    pub(super) description: Option<String>,
    /// Where it is specified.
    pub(super) reference: Option<String>,
}

/// A registered robots tag rule.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RegisteredRule"))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleForm {
    /// Its name, as robots tags have it.
    pub(super) name: String,
    /// What it means, in short.
    pub(super) description: Option<String>,
    /// Where it is specified.
    pub(super) reference: Option<String>,
}

impl RegistryForm {
    /// Adds all entries except the rows of a table. `at` is the JSON Pointer to the registry.
    ///
    /// # Errors
    /// [`RequestError`] for the first entry that is invalid.
    pub(super) fn add_to(&self, known: &mut Registries, at: &str) -> Result<(), RequestError> {
        if let Some(version) = self.version.filter(|version| *version != 1) {
            let reason = format!("expected version = 1, but found {version}");
            return Err(wrong(format!("{at}/version"), reason));
        }
        if let Some(applications) = &self.application {
            known.applications.get_or_insert_default();
            for (number, application) in applications.placed() {
                application.add_to(known, &format!("{at}/application/{number}"))?;
            }
        }
        if let Some(purposes) = &self.purpose {
            let added = known.purposes.get_or_insert_default();
            for (number, purpose) in purposes.placed() {
                let pointer = || format!("{at}/purpose/{number}/token");
                let PurposeForm {
                    token,
                    description,
                    reference,
                } = purpose;
                PurposeToken::new(token).map_err(|error| wrong(pointer(), error))?;
                let entry = Entry::new(token, description.as_ref(), reference.as_ref());
                // Case makes no difference (PUR-7).
                if added.insert(token.to_ascii_lowercase(), entry).is_some() {
                    let reason = format!("the purpose {token:?} is registered already");
                    return Err(wrong(pointer(), reason));
                }
            }
        }
        if let Some(rules) = &self.rule {
            let added = known.rules.get_or_insert_default();
            for (number, rule) in rules.placed() {
                let pointer = format!("{at}/rule/{number}/name");
                add_rule(added, rule, &pointer)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of a table.
    ///
    /// # Errors
    /// [`RequestError`] for the first row that is invalid.
    pub(super) fn add_rows_to(&self, known: &mut Registries) -> Result<(), RequestError> {
        for (number, row) in (0..).zip(&self.rows) {
            let pointer = format!("/directive/{number}");
            let places = DirectivePlaces {
                name: format!("{pointer}/name"),
                application: format!("{pointer}/application"),
                pointer,
            };
            row.form
                .add_to(known, &row.application, &row.name, &places)?;
        }
        Ok(())
    }
}

fn add_rule(
    added: &mut BTreeMap<String, Entry>,
    rule: &RuleForm,
    pointer: &str,
) -> Result<(), RequestError> {
    let RuleForm {
        name,
        description,
        reference,
    } = rule;
    let is_inner =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.bytes().all(is_inner) {
        let reason = format!("expected a rule in lower case such as noindex, but found {name:?}");
        return Err(wrong(pointer, reason));
    }
    let entry = Entry::new(name, description.as_ref(), reference.as_ref());
    if added.insert(name.clone(), entry).is_some() {
        let reason = format!("the rule {name:?} is registered already");
        return Err(wrong(pointer, reason));
    }
    Ok(())
}

impl Entry {
    fn new(name: &str, description: Option<&String>, reference: Option<&String>) -> Self {
        Self {
            name: name.to_owned(),
            description: description.cloned(),
            reference: reference.cloned(),
        }
    }
}

/// Where the parts of a directive are.
struct DirectivePlaces {
    pointer: String,
    name: String,
    application: String,
}

impl ApplicationForm {
    fn add_to(&self, known: &mut Registries, at: &str) -> Result<(), RequestError> {
        let controller = self.change_controller.as_deref();
        let registry = Arc::make_mut(known.applications.get_or_insert_default());
        let added = registry.application_of(&self.id, &self.product_tokens, controller);
        added.map_err(|error| match &error {
            RegistryError::ProductToken { at: number, .. }
            | RegistryError::TokenTwice { at: number, .. }
            | RegistryError::TokenTaken { at: number, .. } => {
                let places = self.product_tokens.placed();
                let place = places.map(|(place, _)| place).nth(*number);
                let place = place.unwrap_or_default();
                wrong(format!("{at}/product_tokens/{place}"), &error)
            }
            _ => wrong(format!("{at}/id"), &error),
        })?;
        for (name, Object(directive)) in self.directive.iter() {
            let pointer = format!("{at}/directive/{}", escaped(name));
            let places = DirectivePlaces {
                name: pointer.clone(),
                application: format!("{at}/id"),
                pointer,
            };
            directive.add_to(known, &self.id, name, &places)?;
        }
        Ok(())
    }
}

impl DirectiveForm {
    fn add_to(
        &self,
        known: &mut Registries,
        application: &str,
        name: &str,
        places: &DirectivePlaces,
    ) -> Result<(), RequestError> {
        let entry = self.entry(&places.pointer)?;
        let registry = Arc::make_mut(known.applications.get_or_insert_default());
        let added = registry.directive(application, name, entry);
        added.map_err(|error| match &error {
            RegistryError::NoSuchApplication { .. } => {
                let ids = registry.iter().map(|(id, _)| id);
                let hint = instead(application, ids);
                wrong(&*places.application, format!("{error}{hint}"))
            }
            _ => wrong(&*places.name, &error),
        })
    }

    fn entry(&self, at: &str) -> Result<DirectiveEntry, RequestError> {
        let value_type = self
            .value_type
            .trim()
            .to_ascii_lowercase()
            .replace(' ', "-");
        let value_type: ValueType = value_type.parse().map_err(|_| {
            let hint = instead(&value_type, ValueType::names());
            let found = &self.value_type;
            let reason = format!(
                "expected a type of structured fields such as boolean, but found {found:?}{hint}"
            );
            wrong(format!("{at}/type"), reason)
        })?;
        let status = match self.status.as_deref() {
            None => DirectiveStatus::Active,
            Some(status) if status.eq_ignore_ascii_case("active") => DirectiveStatus::Active,
            Some(status) if status.eq_ignore_ascii_case("deprecated") => {
                DirectiveStatus::Deprecated
            }
            Some(status) => {
                let reason = format!("expected active or deprecated, but found {status:?}");
                return Err(wrong(format!("{at}/status"), reason));
            }
        };
        for (place, word) in self.overrides.placed() {
            if robots_txt_words().all(|(known, _)| known != word) {
                let hint = instead(word, words());
                let reason = format!("no AI preference has the word {word:?}{hint}");
                return Err(wrong(format!("{at}/overrides/{place}"), reason));
            }
        }
        if let Some(address) = &self.documentation {
            check_address(address)
                .map_err(|reason| wrong(format!("{at}/documentation"), reason))?;
        }
        Ok(DirectiveEntry {
            status,
            overrides: self.overrides.to_vec(),
            means: self.meanings(value_type, at)?,
            description: self.description.clone(),
            documentation: self.documentation.clone(),
            ..DirectiveEntry::new(value_type)
        })
    }

    /// What the values mean.
    fn meanings(
        &self,
        value_type: ValueType,
        at: &str,
    ) -> Result<BTreeMap<String, Sense>, RequestError> {
        let senses = self.means.iter().map(|(value, meaning)| {
            let place = || format!("{at}/means/{}", escaped(value));
            if !value_type.has(value) {
                let reason = format!(
                    "expected a value of type {} such as {}, but found {value:?}",
                    value_type.name(),
                    value_type.example()
                );
                return Err(wrong(place(), reason));
            }
            let sense = match &**meaning {
                "y" => Sense::Allow,
                "n" => Sense::Disallow,
                other => {
                    let reason = format!("expected y or n, but found {other:?}");
                    return Err(wrong(place(), reason));
                }
            };
            Ok((value.clone(), sense))
        });
        senses.collect()
    }
}

/// The words of AI preferences, each once.
fn words() -> Vec<&'static str> {
    let mut words: Vec<_> = robots_txt_words().map(|(word, _)| word).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Checks that people can open an address.
fn check_address(address: &str) -> Result<(), String> {
    let expected = "expected an address such as https://example.com/directives";
    let url = url::Url::parse(address);
    let url = url.map_err(|error| format!("{expected}, but found {address:?}: {error}"))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(())
    } else {
        Err(format!("{expected}, but found {address:?}"))
    }
}

/// A list of objects, of limited length.
#[derive(Debug)]
pub(crate) struct Entries<T>(pub(super) Vec<T>);

impl<T> Entries<T> {
    /// The entries with their places, from 0.
    fn placed(&self) -> impl Iterator<Item = (usize, &T)> {
        (0..).zip(&self.0)
    }
}

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
            type Value = Entries<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entries<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(Object(entry)) = list.next_element::<Object<T>>()? {
                    if entries.len() >= MAX_ENTRIES {
                        let message = format!("expected at most {MAX_ENTRIES} entries");
                        return Err(serde::de::Error::custom(message));
                    }
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_seq(EntriesVisitor(PhantomData))
    }
}

/// The member `registry` of a request: a registry, or the text of a file. It is checked once.
#[derive(Debug)]
pub(crate) struct RequestedRegistry {
    pub(crate) given: Given,
    checked: OnceLock<Result<Registries, RequestError>>,
}

#[derive(Debug)]
pub(crate) enum Given {
    Text(String),
    Form(RegistryForm),
}

impl RequestedRegistry {
    /// What the registry says. `at` is the JSON Pointer to it.
    ///
    /// # Errors
    /// [`RequestError`] for the first entry that is invalid.
    pub(crate) fn read(&self, at: &str) -> Result<&Registries, RequestError> {
        let checked = self.checked.get_or_init(|| match &self.given {
            Given::Text(text) => super::read(text).map_err(|error| wrong(at, error)),
            Given::Form(form) => {
                let mut registries = Registries::default();
                form.add_to(&mut registries, at).map(|()| registries)
            }
        });
        checked.as_ref().map_err(Clone::clone)
    }
}

impl<'de> Deserialize<'de> for RequestedRegistry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RegistryVisitor;

        impl<'de> Visitor<'de> for RegistryVisitor {
            type Value = Given;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a registry: an object, or the text of a TOML, JSON or CSV file")
            }

            fn visit_str<E>(self, text: &str) -> Result<Given, E> {
                Ok(Given::Text(text.to_owned()))
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Given, A::Error> {
                let object = serde::de::value::MapAccessDeserializer::new(map);
                RegistryForm::deserialize(object).map(Given::Form)
            }
        }

        Ok(Self {
            given: deserializer.deserialize_any(RegistryVisitor)?,
            checked: OnceLock::new(),
        })
    }
}
