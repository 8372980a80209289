//! The member `purposes` of requests: the purposes that a client claims.

use crate::codes;
use crate::names::{Distinct, Names};
use crate::registry::Registries;
use crate::request_error::{RequestError, check_names};
use abide::PurposeToken;
use serde::Deserialize;

/// The purposes that a client claims, as the member `purposes` of a request lists them.
///
/// ```
/// use abide_contract::Purposes;
/// let purposes: Purposes = serde_json::from_str(r#"["AI-TRAINING", "search"]"#)?;
/// assert_eq!(purposes.tokens(None)?.len(), 2);
/// let purposes = Purposes::from(vec!["AI-TRAINING".to_owned(), "a b".to_owned()]);
/// assert_eq!(purposes.tokens(None).unwrap_err().pointer(), "/purposes/1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(inline))]
pub struct Purposes(Names);

impl Purposes {
    /// Whether none is claimed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks the length of every name.
    ///
    /// # Errors
    /// [`RequestError`] for the first that is too long.
    pub(crate) fn check_names(&self) -> Result<(), RequestError> {
        check_names(codes::INVALID_PURPOSE, "/purposes", self.0.placed())
    }

    /// The purposes; those of `registries`, if purposes are registered there.
    ///
    /// # Errors
    /// [`RequestError`] for the first that no line can name, or that is not registered.
    pub fn tokens(
        &self,
        registries: Option<&Registries>,
    ) -> Result<Vec<PurposeToken>, RequestError> {
        self.check_names()?;
        let token = |(at, name): (usize, &String)| {
            let token = match registries {
                Some(registries) => registries.purpose(name),
                None => PurposeToken::new(name),
            };
            token.map_err(|error| {
                RequestError::new(codes::INVALID_PURPOSE, format!("/purposes/{at}"), error)
            })
        };
        self.0.placed().map(token).collect()
    }
}

impl From<Vec<String>> for Purposes {
    fn from(names: Vec<String>) -> Self {
        Self(Distinct::each_once(names))
    }
}
