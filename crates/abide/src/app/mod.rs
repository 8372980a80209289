//! `App-Directives`, draft-nottingham-plan-b: what a site asks named applications to do with its
//! content.
//!
//! ```text
//! app-directive = *WS "app-directives" *WS ":" *WS [ path-pattern 1*WS ] sf-list EOL
//! ```
//!
//! Directives never change the outcome of a usage (APP-11); decisions list them separately.
//! [`field`] reads a line, `select` decides which lines count for an application, and a
//! [`Registry`], which the caller provides, describes applications and directives.

pub mod field;
pub(crate) mod groups;
mod registry;
mod select;
mod value;

pub use registry::{
    DirectiveEntry, DirectiveStatus, Registry, RegistryEntry, RegistryError, ValueType,
};
pub use select::{ApplicationDecision, DirectiveNote, DirectiveRule, NoteKind};
pub use value::DirectiveValue;

pub(crate) use groups::Groups;
pub(crate) use select::{concerning, select};

use crate::rep::token::ProductToken;
use std::sync::Arc;
use thiserror::Error;

/// An application whose directives decisions list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    id: String,
    /// Shared: a request can ask for a thousand applications that have the names of its client.
    product_tokens: Arc<[ProductToken]>,
}

impl Application {
    /// An application with this identifier, a Token of structured fields (APP-25), and product
    /// tokens in order of preference: the first one with a group decides (APP-13, AMB-APP-17).
    /// Without product tokens only the group of `*` counts.
    ///
    /// # Errors
    /// [`ApplicationError`] if the identifier is not a Token.
    pub fn new(
        id: &str,
        product_tokens: impl Into<Arc<[ProductToken]>>,
    ) -> Result<Self, ApplicationError> {
        if sfv::TokenRef::from_str(id).is_err() {
            return Err(ApplicationError { id: id.into() });
        }
        Ok(Self {
            id: id.to_owned(),
            product_tokens: product_tokens.into(),
        })
    }

    /// The identifier. Identifiers are case-sensitive (AMB-APP-19).
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The product tokens.
    #[must_use]
    pub fn product_tokens(&self) -> &[ProductToken] {
        &self.product_tokens
    }

    /// Whether it shares its product tokens with `other`.
    pub(crate) fn shares_tokens(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.product_tokens, &other.product_tokens)
    }
}

/// A text that is not an application identifier.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected an application identifier such as examplesearch, but found {id:?}")]
pub struct ApplicationError {
    id: Box<str>,
}
