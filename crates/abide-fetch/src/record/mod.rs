//! What is stored: one record for each robots.txt and each document beside one, and its serialized
//! form.
//!
//! - `origin`: the authority that a robots.txt belongs to ([`Origin`]).
//! - `resource`: what a record is about ([`Resource`]).
//! - `body`: the bytes that the site sent, with their hash ([`Body`], [`BodyHash`]).
//! - `digest`: SHA-256, and signatures with it.
//! - `envelope`: serializes records and protects them ([`Seal`]).

mod body;
mod digest;
mod envelope;
#[cfg(feature = "file")]
mod event;
mod origin;
mod resource;

pub(crate) use body::Cut;
pub use body::{Body, BodyHash, BodyHashError};
pub use envelope::{RecordError, Seal};
pub use origin::Origin;
pub(crate) use origin::key;
pub use resource::Resource;

use crate::machine::State;

#[cfg(feature = "file")]
pub(crate) use event::{BodyName, read_event, write_event};

/// Everything known about one robots.txt, or about a document beside one: observations, never
/// decisions. Readers compute the current rules from it, for their own client and time.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Record {
    /// What it is about.
    pub resource: Resource,
    /// What was observed.
    pub state: State<Body>,
}
