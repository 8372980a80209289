//! Registries of applications, as TOML. `docs/applications.md` describes the format.

use abide::app::Registry;
use abide::app::{DirectiveEntry, DirectiveStatus, RegistryError};
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
    #[expect(dead_code, reason = "for the people who keep the registry")]
    description: Option<String>,
    #[expect(dead_code, reason = "for the people who keep the registry")]
    documentation: Option<String>,
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
            registry.directive(
                &application.id,
                name,
                DirectiveEntry {
                    value_type,
                    status,
                    overrides,
                },
            )?;
        }
    }
    Ok(registry)
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
    /// An invalid entry.
    #[error("{0}")]
    Entry(#[from] RegistryError),
}
