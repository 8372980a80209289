//! Registries of applications, as TOML. `docs/applications.md` describes the format.

use abide::app::Registry;
use abide::app::{DirectiveEntry, DirectiveStatus, RegistryError, ValueType};
use abide::verdict::Sense;
use serde::Deserialize;
use std::collections::BTreeMap;
use thiserror::Error;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    application: Vec<Application>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Application {
    id: String,
    #[serde(default)]
    product_tokens: Vec<String>,
    #[expect(dead_code, reason = "for the people who keep the registry")]
    change_controller: Option<String>,
    #[serde(default)]
    directive: BTreeMap<String, Directive>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Directive {
    #[serde(rename = "type")]
    value_type: String,
    #[serde(default)]
    status: StatusName,
    #[serde(default)]
    overrides: Vec<String>,
    #[serde(default)]
    means: BTreeMap<String, Meaning>,
    #[expect(dead_code, reason = "for the people who keep the registry")]
    description: Option<String>,
    #[expect(dead_code, reason = "for the people who keep the registry")]
    documentation: Option<String>,
}

/// What a value says about the preferences that a directive covers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Meaning {
    Y,
    N,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StatusName {
    #[default]
    Active,
    Deprecated,
}

/// Reads a registry.
///
/// # Errors
/// [`RegistryFileError`] for text that is not TOML of this format, and for invalid entries.
pub fn read(text: &str) -> Result<Registry, RegistryFileError> {
    let file: File = toml::from_str(text).map_err(|error| RegistryFileError::Format {
        message: error.to_string(),
    })?;
    if file.version != 1 {
        return Err(RegistryFileError::Version {
            version: file.version,
        });
    }
    let mut registry = Registry::default();
    for application in &file.application {
        registry.application(&application.id, &application.product_tokens)?;
        for (name, directive) in &application.directive {
            let value_type = directive
                .value_type
                .parse()
                .map_err(|_| RegistryFileError::Type {
                    directive: name.clone(),
                    found: directive.value_type.clone(),
                })?;
            let status = match directive.status {
                StatusName::Active => DirectiveStatus::Active,
                StatusName::Deprecated => DirectiveStatus::Deprecated,
            };
            let overrides = directive.overrides.clone();
            let means = meanings(name, value_type, &directive.means)?;
            registry.directive(
                &application.id,
                name,
                DirectiveEntry {
                    value_type,
                    status,
                    overrides,
                    means,
                },
            )?;
        }
    }
    Ok(registry)
}

/// What the values of a directive mean. Only `true` and `false` are values of a boolean.
fn meanings(
    name: &str,
    value_type: ValueType,
    means: &BTreeMap<String, Meaning>,
) -> Result<BTreeMap<String, Sense>, RegistryFileError> {
    let is_value =
        |value: &str| value_type != ValueType::Boolean || matches!(value, "true" | "false");
    if let Some(value) = means.keys().find(|value| !is_value(value)) {
        return Err(RegistryFileError::Meaning {
            directive: name.to_owned(),
            found: value.clone(),
        });
    }
    let senses = means.iter().map(|(value, meaning)| {
        let sense = match meaning {
            Meaning::Y => Sense::Allow,
            Meaning::N => Sense::Disallow,
        };
        (value.clone(), sense)
    });
    Ok(senses.collect())
}

/// Why a registry was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegistryFileError {
    /// Not TOML, or not of this format.
    #[error("{message}")]
    Format {
        /// What is wrong, and where.
        message: String,
    },
    /// Another version of the format.
    #[error("expected version = 1, but found {version}")]
    Version {
        /// What was given.
        version: u32,
    },
    /// An unknown type.
    #[error(
        "expected a type of structured fields such as boolean for {directive:?}, but found {found:?}"
    )]
    Type {
        /// The directive.
        directive: String,
        /// What was given.
        found: String,
    },
    /// The meaning of a value that a boolean directive cannot have.
    #[error("expected true or false in means of {directive:?}, but found {found:?}")]
    Meaning {
        /// The directive.
        directive: String,
        /// What was given.
        found: String,
    },
    /// An invalid entry.
    #[error("{0}")]
    Entry(#[from] RegistryError),
}
