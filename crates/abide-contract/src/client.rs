//! What a request says about its client beside names: applications and ACAP.

use crate::codes;
use crate::names::{MAX_NAME, Names, Text};
use crate::request_error::{RequestError, check_name, check_names};
use abide::acap::{AcapMode, AcapProfile, Qualifier};
use abide::app::Application;
use abide::{Named, ProductToken, Profile, Reading};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// An application: its identifier, or with its own product tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RequestedApplication {
    /// An identifier; the application has the client's product tokens.
    Id(String),
    /// An identifier with product tokens.
    Registered(RegisteredApplication),
}

/// An application with its own product tokens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Application"))]
#[serde(deny_unknown_fields)]
pub(crate) struct RegisteredApplication {
    /// The identifier.
    #[cfg_attr(feature = "schema", schemars(length(max = 256)))]
    pub(crate) id: String,
    /// Its product tokens, in order of preference [default: those of the registry, or else the
    /// client's].
    #[serde(default)]
    pub(crate) product_tokens: Option<Names>,
}

impl<'de> Deserialize<'de> for RequestedApplication {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ApplicationVisitor;

        impl<'de> Visitor<'de> for ApplicationVisitor {
            type Value = RequestedApplication;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an application's identifier, or an object with \"id\"")
            }

            fn visit_str<E>(self, id: &str) -> Result<RequestedApplication, E> {
                Ok(RequestedApplication::Id(id.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                map: A,
            ) -> Result<RequestedApplication, A::Error> {
                let object = MapAccessDeserializer::new(map);
                RegisteredApplication::deserialize(object).map(RequestedApplication::Registered)
            }
        }

        deserializer.deserialize_any(ApplicationVisitor)
    }
}

impl RequestedApplication {
    pub(crate) fn id(&self) -> &String {
        match self {
            Self::Id(id) | Self::Registered(RegisteredApplication { id, .. }) => id,
        }
    }

    fn own_tokens(&self) -> Option<&Names> {
        match self {
            Self::Id(_) => None,
            Self::Registered(registered) => registered.product_tokens.as_ref(),
        }
    }

    /// The JSON Pointer to the identifier.
    fn id_pointer(&self, pointer: &str) -> String {
        match self {
            Self::Id(_) => pointer.to_owned(),
            Self::Registered(_) => format!("{pointer}/id"),
        }
    }

    /// Checks the length of the names of the application at `pointer`.
    ///
    /// # Errors
    /// [`RequestError`] for the first that is too long.
    pub(crate) fn check_names(&self, pointer: &str) -> Result<(), RequestError> {
        if let Some(tokens) = self.own_tokens() {
            let pointer = format!("{pointer}/product_tokens");
            check_names(codes::INVALID_APPLICATION, &pointer, tokens.placed())?;
        }
        let at = || self.id_pointer(pointer);
        check_name(codes::INVALID_APPLICATION, at, self.id(), MAX_NAME)
    }

    /// The application at `pointer`. Without product tokens of its own it has `known` ones: those
    /// of the registry, or else those of the client.
    ///
    /// # Errors
    /// [`RequestError`] for an invalid identifier or product token.
    pub(crate) fn read(
        &self,
        pointer: &str,
        known: &Arc<[ProductToken]>,
        profile: Profile,
        is_any_accepted: bool,
    ) -> Result<Application, RequestError> {
        let code = codes::INVALID_APPLICATION;
        let token = |(at, name): (usize, &String)| {
            ProductToken::read(name, profile, is_any_accepted).map_err(|error| {
                let at = format!("{pointer}/product_tokens/{at}");
                RequestError::product_token(code, at, &error)
            })
        };
        let tokens = match self.own_tokens() {
            Some(names) => names.placed().map(token).collect::<Result<_, _>>()?,
            None => Arc::clone(known),
        };
        Application::new(self.id(), tokens)
            .map_err(|error| RequestError::new(code, self.id_pointer(pointer), error))
    }
}

/// A reading of an ambiguous point, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub(crate) struct ChosenReading(pub(crate) Reading);

impl<'de> Deserialize<'de> for ChosenReading {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Text(name) = Text::deserialize(deserializer)?;
        name.parse().map(Self).map_err(D::Error::custom)
    }
}

/// The client in terms of ACAP.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Acap {
    /// Crawler names [default: the product tokens].
    pub(crate) names: Names,
    /// Usage purposes.
    pub(crate) purposes: Names,
    /// Whether site and client have a prior arrangement, which "amber" features require.
    pub(crate) prior_arrangement: bool,
    /// Qualifiers that the client cannot honour.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Qualifier>"))]
    pub(crate) unsupported: Names,
    /// Which ACAP records apply [default: full].
    #[cfg_attr(feature = "schema", schemars(with = "Option<AcapMode>"))]
    pub(crate) mode: Option<String>,
}

impl Acap {
    /// Checks the length of the names.
    ///
    /// # Errors
    /// [`RequestError`] for the first that is too long.
    pub(crate) fn check_names(&self) -> Result<(), RequestError> {
        check_names(codes::INVALID_ACAP, "/acap/names", self.names.placed())?;
        check_names(
            codes::INVALID_ACAP,
            "/acap/purposes",
            self.purposes.placed(),
        )
    }

    /// What the client is to ACAP.
    ///
    /// # Errors
    /// [`RequestError`] for an unknown qualifier or mode.
    pub(crate) fn profile(&self) -> Result<AcapProfile, RequestError> {
        let qualifier = |(at, name): (usize, &String)| {
            // In requests names are written as the contract writes them.
            Qualifier::by_name(name).ok_or_else(|| {
                let reason = format!(
                    "expected time-limit, max-length, prohibited-modification, \
                     prohibited-context, required-context, must-use-resource or \
                     must-include-resource, but found {name:?}"
                );
                RequestError::new(
                    codes::INVALID_ACAP,
                    format!("/acap/unsupported/{at}"),
                    reason,
                )
            })
        };
        let mode = self.mode.as_ref().map_or(Ok(AcapMode::default()), |name| {
            name.parse().map_err(|_| {
                let reason = format!("expected full, restrict or off, but found {name:?}");
                RequestError::new(codes::INVALID_ACAP, "/acap/mode", reason)
            })
        });
        Ok(AcapProfile {
            names: self.names.to_vec(),
            purposes: self.purposes.to_vec(),
            prior_arrangement: self.prior_arrangement,
            unsupported: self
                .unsupported
                .placed()
                .map(qualifier)
                .collect::<Result<_, _>>()?,
            mode: mode?,
        })
    }
}
