//! Documents that a request has, or why it does not have them.

use crate::redirect::{self, Status};
use crate::request_error::RequestError;
use abide::Named;
use abide::rep::{Access, Cause};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;

/// The result of fetching a document, such as an ACAP permissions reference.
#[derive(Clone, Debug)]
pub(crate) enum Reference {
    /// Its body.
    Body(String),
    /// A status or an error.
    Failure(ReferenceFailure),
}

impl<'de> Deserialize<'de> for Reference {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ReferenceVisitor;

        impl<'de> Visitor<'de> for ReferenceVisitor {
            type Value = Reference;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a body, or an object with \"status\" or \"error\"")
            }

            fn visit_str<E>(self, body: &str) -> Result<Reference, E> {
                Ok(Reference::Body(body.to_owned()))
            }

            fn visit_string<E>(self, body: String) -> Result<Reference, E> {
                Ok(Reference::Body(body))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Reference, A::Error> {
                let object = MapAccessDeserializer::new(map);
                ReferenceFailure::deserialize(object).map(Reference::Failure)
            }
        }

        deserializer.deserialize_any(ReferenceVisitor)
    }
}

/// A document that could not be fetched.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FailedFetch"))]
#[cfg_attr(feature = "schema", schemars(extend("minProperties" = 1)))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReferenceFailure {
    /// Its HTTP status.
    #[serde(default)]
    pub(crate) status: Option<Status>,
    /// The network failure.
    #[serde(default)]
    pub(crate) error: Option<FailureName>,
}

impl Reference {
    /// The bytes of the document at `pointer`, or what its status or failure means.
    ///
    /// # Errors
    /// [`RequestError`] with `code` for an impossible status, an unknown failure, and an object
    /// that has neither.
    pub(crate) fn read(
        &self,
        code: &'static str,
        pointer: &str,
    ) -> Result<Fetched<'_>, RequestError> {
        let failure = match self {
            Self::Body(body) => return Ok(Ok(body.as_bytes())),
            Self::Failure(failure) => failure,
        };
        let by_status = failure.status.map(redirect::access).transpose();
        let by_status = by_status
            .map_err(|error| RequestError::new(code, format!("{pointer}/status"), error))?;
        match (&failure.error, by_status) {
            (Some(name), _) => name.read(code, || format!("{pointer}/error")).map(Err),
            (None, Some(access)) => Ok(Err(access)),
            (None, None) => {
                let reason = "expected a body, or an object with \"status\" or \"error\"";
                Err(RequestError::new(code, pointer, reason))
            }
        }
    }
}

/// A document: its bytes, or why there are none.
pub(crate) type Fetched<'a> = Result<&'a [u8], Access>;

/// The name of a network failure.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct FailureName(String);

impl FailureName {
    /// What the failure means.
    ///
    /// # Errors
    /// [`RequestError`] with `code` for an unknown name.
    pub(crate) fn read(
        &self,
        code: &'static str,
        pointer: impl FnOnce() -> String,
    ) -> Result<Access, RequestError> {
        let Self(name) = self;
        name.parse().map(Access::from_failure).map_err(|_| {
            let names: Vec<_> = Cause::names().collect();
            let (others, last) = names.split_at(names.len() - 1);
            let (others, last) = (others.join(", "), last.concat());
            let reason = format!("expected {others} or {last}, but found {name:?}");
            let error = RequestError::new(code, pointer(), reason);
            error.with_remedy("write one of these names, or leave the member out")
        })
    }
}
