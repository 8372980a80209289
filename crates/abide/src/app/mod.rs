//! `App-Directives`, draft-nottingham-plan-b: what a site asks named applications to do with its
//! content.
//!
//! ```text
//! app-directive = *WS "app-directives" *WS ":" *WS [ path-pattern 1*WS ] sf-list EOL
//! ```
//!
//! Directives never change what is said about a usage (APP-11); they are delivered beside it. Lines
//! are read one by one in [`field`], which rules count for an application is told in `select`, and
//! what is known of applications comes from a [`Registry`], which is data of the caller's.

pub mod field;
mod registry;
mod select;
mod value;

pub use registry::{DirectiveEntry, Registry, RegistryEntry, RegistryError, Status, ValueType};
pub use select::{ApplicationDecision, DirectiveNote, DirectiveRule, NoteKind};
pub use value::DirectiveValue;

pub(crate) use select::{concerning, diagnostics, select};

use crate::rep::token::ProductToken;
use thiserror::Error;

/// An application that directives are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    id: String,
    product_tokens: Vec<ProductToken>,
}

impl Application {
    /// An application with this identifier, a Token of structured fields (APP-25), and product tokens
    /// in order of preference: the first that has a group decides (APP-13, AMB-APP-17). Without any
    /// only the group of `*` counts.
    ///
    /// # Errors
    /// [`ApplicationError`] for an identifier that is no Token.
    pub fn new(id: &str, product_tokens: Vec<ProductToken>) -> Result<Self, ApplicationError> {
        if sfv::TokenRef::from_str(id).is_err() {
            return Err(ApplicationError { id: id.into() });
        }
        Ok(Self {
            id: id.to_owned(),
            product_tokens,
        })
    }

    /// The identifier. Identifiers compare with regard to case (AMB-APP-19).
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The product tokens.
    #[must_use]
    pub fn product_tokens(&self) -> &[ProductToken] {
        &self.product_tokens
    }
}

/// Text that is no application identifier.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected an application identifier such as examplesearch, but found {id:?}")]
pub struct ApplicationError {
    id: Box<str>,
}
