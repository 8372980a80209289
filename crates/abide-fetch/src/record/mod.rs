//! What is kept of a site: one record for each authority, and how it is written down.
//!
//! - `origin`: whose robots.txt it is ([`Origin`]).
//! - `body`: the bytes that the site sent, with their hash ([`Body`], [`BodyHash`]).
//! - `envelope`: a record as bytes, which nobody else's bytes are mistaken for ([`Seal`]).

mod body;
mod envelope;
#[cfg(feature = "file")]
mod event;
mod origin;

pub(crate) use body::Cut;
pub use body::{Body, BodyHash};
pub use envelope::{RecordError, Seal};
pub use origin::Origin;
pub(crate) use origin::key;

use crate::machine::State;

#[cfg(feature = "file")]
pub(crate) use event::{BodyName, read_event, write_event};

/// Everything that is known of one authority's robots.txt: observations, never verdicts. What is in
/// force is worked out anew by whoever reads it, for a client and an instant of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose it is.
    pub origin: Origin,
    /// What was observed.
    pub state: State<Body>,
}
