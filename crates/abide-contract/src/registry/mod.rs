//! Registries that a caller has: of applications and their directives, of purposes, and of robots
//! control rules. `docs/registries.md` describes the forms.
//!
//! `form` is what a registry says, in TOML, JSON or a request; `table` reads CSV into it; `place`
//! finds the line of what is wrong.

pub(crate) mod form;
mod place;
mod table;

use crate::codes;
use crate::reader::tracked;
use crate::request_error::RequestError;
use abide::app::Registry;
use abide::syntax::nearest_text;
use abide::{Client, ProductToken, PurposeToken, PurposeTokenError};
use form::RegistryForm;
use place::Places;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// What registries say.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Registries {
    /// Applications and their directives; `None` without a registry of applications.
    pub applications: Option<Arc<Registry>>,
    /// The purposes that exist, by token in lower case; `None` without a registry of purposes.
    pub purposes: Option<BTreeMap<String, Entry>>,
    /// The robots tag rules that count, by name; `None` without a registry of rules.
    pub rules: Option<BTreeMap<String, Entry>>,
}

/// What a registry says about a purpose or a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its token or name, as the registry writes it.
    pub name: String,
    /// What it means, in short.
    pub description: Option<String>,
    /// Where it is specified.
    pub reference: Option<String>,
}

impl Registries {
    /// The product tokens of an application, in order of preference. `None` if no registry has any.
    #[must_use]
    pub fn product_tokens(&self, id: &str) -> Option<&[ProductToken]> {
        let entry = self.applications.as_ref()?.get(id)?;
        let tokens = entry.product_tokens.as_slice();
        (!tokens.is_empty()).then_some(tokens)
    }

    /// The purpose with this name. With a registry of purposes it has to be registered (PUR-5).
    ///
    /// # Errors
    /// [`PurposeTokenError`] for what is not a token, and for one that is not registered.
    pub fn purpose(&self, name: &str) -> Result<PurposeToken, PurposeTokenError> {
        let token = PurposeToken::new(name)?;
        let Some(purposes) = &self.purposes else {
            return Ok(token);
        };
        match purposes.get(&name.to_ascii_lowercase()) {
            Some(entry) => PurposeToken::new(&entry.name),
            None => Err(PurposeTokenError::unregistered(
                name,
                purposes.values().map(|entry| &*entry.name),
            )),
        }
    }

    /// The purposes that exist; none without a registry of purposes.
    #[must_use]
    pub fn purpose_tokens(&self) -> Vec<PurposeToken> {
        let entries = self.purposes.iter().flat_map(BTreeMap::values);
        let tokens = entries.flat_map(|entry| PurposeToken::new(&entry.name));
        tokens.collect()
    }

    /// Tells a client what is registered.
    #[must_use]
    pub fn described(&self, mut client: Client) -> Client {
        if let Some(applications) = &self.applications {
            client = client.with_registry(Arc::clone(applications));
        }
        if let Some(rules) = &self.rules {
            client = client.with_tag_rules(rules.keys().map(String::as_str));
        }
        client
    }
}

/// Reads a registry: the text of a TOML, JSON or CSV file.
///
/// ```
/// let registries = abide_contract::registry::read(
///     "Rule Name,Description,Reference\nnoindex,Not in the index,3.1.3\n",
/// )?;
/// assert!(registries.rules.unwrap().contains_key("noindex"));
/// let wrong = "[[application]]\nid = 'a'\nproduct_tokens = ['a/1']\n";
/// let error = abide_contract::registry::read(wrong).unwrap_err();
/// assert_eq!(error.line(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RegistryFileError`] for another form, and for invalid entries.
pub fn read(text: &str) -> Result<Registries, RegistryFileError> {
    read_all(&[text]).map_err(|(_, error)| error)
}

/// Reads registries in several files, such as one of applications and one of their directives.
///
/// # Errors
/// The number of the file that is wrong, from 0, and what is wrong with it.
pub fn read_all(texts: &[&str]) -> Result<Registries, (usize, RegistryFileError)> {
    let files = (0..).zip(texts).map(|(number, text)| {
        let file = RegistryFile::read(text).map_err(|error| (number, error))?;
        Ok((number, file))
    });
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let mut registries = Registries::default();
    // The file of a directive may come before the file of its application.
    for (number, file) in &files {
        let added = file.form.add_to(&mut registries, "");
        added.map_err(|error| (*number, file.error(&error)))?;
    }
    for (number, file) in &files {
        let added = file.form.add_rows_to(&mut registries);
        added.map_err(|error| (*number, file.error(&error)))?;
    }
    Ok(registries)
}

/// A file that was read, but not checked.
struct RegistryFile<'t> {
    form: RegistryForm,
    places: Places<'t>,
}

impl<'t> RegistryFile<'t> {
    fn read(text: &'t str) -> Result<Self, RegistryFileError> {
        // Spreadsheets begin files with one.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim_start().starts_with('{') {
            let places = Places::Json(text);
            let form = crate::read(text.as_bytes());
            let form = form.map_err(|error| RegistryFileError::of(&error, &places))?;
            Ok(Self { form, places })
        } else if table::is_table(text) {
            let (form, places) = table::read(text)?;
            Ok(Self { form, places })
        } else {
            let places = Places::Toml(text);
            let form = from_toml(text, &places)?;
            Ok(Self { form, places })
        }
    }

    fn error(&self, error: &RequestError) -> RegistryFileError {
        RegistryFileError::of(error, &self.places)
    }
}

fn from_toml(text: &str, places: &Places<'_>) -> Result<RegistryForm, RegistryFileError> {
    let not_toml = |error: &toml::de::Error| {
        let line = error.span().map(|span| place::line_at(text, span.start));
        RegistryFileError::new(line, "", format!("not valid TOML: {}", error.message()))
    };
    let parsed = toml::Deserializer::parse(text).map_err(|error| not_toml(&error))?;
    let form = tracked(parsed, &[], |error| Ok(error.message().to_owned()));
    form.map_err(|error| RegistryFileError::of(&error, places))
}

/// Why a file is not a registry: what is wrong, where, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct RegistryFileError {
    line: Option<usize>,
    place: Box<str>,
    reason: Box<str>,
}

impl RegistryFileError {
    fn new(line: Option<usize>, place: impl Into<Box<str>>, reason: impl Into<Box<str>>) -> Self {
        Self {
            line,
            place: place.into(),
            reason: reason.into(),
        }
    }

    fn of(error: &RequestError, places: &Places<'_>) -> Self {
        let (line, column) = places.find(error.pointer());
        let place = column.unwrap_or_else(|| error.place());
        Self::new(line, place, error.reason())
    }

    /// The number of the line, from 1. `None` if the file as a whole is wrong.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for RegistryFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.place.is_empty() {
            write!(f, "in {:?}: ", self.place)?;
        }
        f.write_str(&self.reason)
    }
}

/// The error of an entry at `pointer`.
fn wrong(pointer: impl Into<String>, reason: impl fmt::Display) -> RequestError {
    RequestError::new(codes::INVALID_REGISTRY, pointer, reason)
}

/// What to write instead of `found`, which is none of `known`.
fn instead<'n>(found: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest_text(found, known.iter().copied()) {
        Some(near) => format!("; did you mean {near:?}?"),
        None if known.is_empty() => String::new(),
        None => format!("; expected one of {}", known.join(", ")),
    }
}
