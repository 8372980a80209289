//! Purpose tokens (PUR-5, PUR-7, PUR-14, AMB-PUR-5).

use crate::spelling::nearest_text;
use std::fmt;
use thiserror::Error;

/// The purpose that a client claims for its visit. Valid once built.
///
/// The registry that the draft plans does not exist yet (PUR-16). So there are two ways to a token:
/// [`PurposeRegistry::token`] checks it against a list of the caller, and [`PurposeToken::new`]
/// only checks the grammar.
///
/// ```
/// use abide::{PurposeRegistry, PurposeToken};
/// let registry = PurposeRegistry::new(["EXAMPLE-PURPOSE-1"])?;
/// assert!(registry.token("example-purpose-1").is_ok());
/// assert!(registry.token("EXAMPLE-PURPOSE-9").is_err());
/// assert!(PurposeToken::new("EXAMPLE-PURPOSE-9").is_ok());
/// # Ok::<(), abide::PurposeTokenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PurposeToken(Box<str>);

impl PurposeToken {
    /// A purpose of one or more letters, digits, `-` and `_`, registered or not (AMB-PUR-5).
    ///
    /// # Errors
    /// [`PurposeTokenError`] for anything else, including `*` (AMB-PUR-7).
    pub fn new(token: &str) -> Result<Self, PurposeTokenError> {
        if is_purpose(token.as_bytes()) {
            Ok(Self(token.into()))
        } else {
            Err(PurposeTokenError::Grammar {
                token: token.into(),
            })
        }
    }

    /// The token as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a purpose line with this value names the token. The whole value counts, and case is
    /// ignored (PUR-7, AMB-PUR-2).
    pub(crate) fn is_named_by(&self, value: &[u8]) -> bool {
        value.eq_ignore_ascii_case(self.0.as_bytes())
    }
}

impl fmt::Display for PurposeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for PurposeToken {
    type Err = PurposeTokenError;

    fn from_str(token: &str) -> Result<Self, Self::Err> {
        Self::new(token)
    }
}

/// Whether `value` has the form of a purpose token.
pub(crate) fn is_purpose(value: &[u8]) -> bool {
    !value.is_empty()
        && value
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// A list of registered purposes, from the caller (PUR-5, PUR-16). None is built in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PurposeRegistry(Vec<PurposeToken>);

impl PurposeRegistry {
    /// A registry of `tokens`.
    ///
    /// # Errors
    /// [`PurposeTokenError`] for the first invalid token.
    pub fn new<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Result<Self, PurposeTokenError> {
        tokens
            .into_iter()
            .map(PurposeToken::new)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The registered purpose with this name. Case is ignored (PUR-5).
    ///
    /// # Errors
    /// [`PurposeTokenError::Unregistered`] if the registry does not have it.
    pub fn token(&self, token: &str) -> Result<PurposeToken, PurposeTokenError> {
        self.0
            .iter()
            .find(|registered| registered.is_named_by(token.as_bytes()))
            .cloned()
            .ok_or_else(|| {
                PurposeTokenError::unregistered(token, self.0.iter().map(PurposeToken::as_str))
            })
    }
}

/// Why a purpose token was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PurposeTokenError {
    /// Not a token.
    #[error("expected a purpose token of letters, digits, '-' and '_', but found {token:?}")]
    Grammar {
        /// What was given.
        token: Box<str>,
    },
    /// Not in the registry.
    #[error(
        "expected a purpose token of the registry, but found {token:?}{}",
        nearest.as_ref().map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
    )]
    Unregistered {
        /// What was given.
        token: Box<str>,
        /// The registered token that is most like it, if one is.
        nearest: Option<Box<str>>,
    },
}

impl PurposeTokenError {
    /// The error for a token that is none of `registered`.
    #[must_use]
    pub fn unregistered<'n>(token: &str, registered: impl IntoIterator<Item = &'n str>) -> Self {
        Self::Unregistered {
            token: token.into(),
            nearest: nearest_text(token, registered).map(Into::into),
        }
    }
}
